// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "sweep.hpp"

namespace macstats::sweep {

namespace {

const Frames sorts = frames(
    ", multicast, broadcast, control, pause, pfc, pause multicast, pause broadcast, tag, tags,"
    "pause tag, multicast tag, broadcast tag, by_mac, multicast by_mac, broadcast by_mac,"
    "control by_mac, pfc by_mac multicast, c1, c2, c16, deferred");

} // namespace

void add_both_ways(
    Sweeps& all, const BothWays& of, const std::string& duplex,
    const std::vector<Device>& devices) {
    const Frames own_pause = frames("tx 64 pause by_mac multicast");

    all.emplace_back(
           of.mac, "received_frames_of_any_kind_in_" + duplex + "_duplex",
           "destination, kind, tags, origin and what happened on the medium change no other "
           "receive counter than those of destination and kind",
           of.reference, devices)
        .send(frames("rx") * of.received * sorts)
        .send(frames("rx 64 pause by_mac, rx 1600 fcs tag, rx 1600 tags"))
        .expect();
    all.emplace_back(
           of.mac, "errors_of_received_frames_in_" + duplex + "_duplex", of.received_errors,
           of.reference, devices)
        .send(
            frames("rx") * (of.received + frames("64 multicast, 64 broadcast, 64 pause")) *
            each_error)
        .expect();
    all.emplace_back(
           of.mac, "transmitted_frames_of_any_kind_in_" + duplex + "_duplex",
           "destination, kind, tags and origin change no other transmit counter than their own",
           of.reference, devices)
        .send(frames("tx") * of.sent * sorts)
        .send(frames("tx 100") * of.collided)
        .send(own_pause * frames(", c1, deferred, fcs"))
        .expect();
    all.emplace_back(
           of.mac, "errors_of_transmitted_frames_in_" + duplex + "_duplex", of.sent_errors,
           of.reference, devices)
        .send(
            frames("tx") * of.sent *
            frames(", multicast, broadcast, pause, tag, by_mac, c1, c2, c16, deferred") *
            each_error)
        .send(own_pause * each_error)
        .expect();
    all.emplace_back(
           of.mac, "two_errors_of_transmitted_frames_in_" + duplex + "_duplex", of.two_errors,
           of.reference, devices)
        .send(frames("tx 100") * each_error * each_error)
        .expect();
}

} // namespace macstats::sweep
