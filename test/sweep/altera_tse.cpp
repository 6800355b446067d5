// SPDX-License-Identifier: GPL-2.0 OR MIT
#include <utility>

#include "sweep.hpp"

namespace macstats::sweep::altera_tse {

namespace {

const Mac mac = {
    .model = "altera_tse",
    .registers = {{"command_config", 0x08}, {"frm_length", 0x14}},
    .standard =
        {
            {"eth-mac", "FramesReceivedOK", {"aFramesReceivedOK"}},
            {"eth-mac", "FramesTransmittedOK", {"aFramesTransmittedOK"}},
            {"eth-mac", "OctetsReceivedOK", {"aOctetsReceivedOK"}},
            {"eth-mac", "OctetsTransmittedOK", {"aOctetsTransmittedOK"}},
            {"rtnl", "rx_bytes", {"aOctetsReceivedOK", "14*aFramesReceivedOK"}},
            {"rtnl", "tx_bytes", {"aOctetsTransmittedOK", "14*aFramesTransmittedOK"}},
            {"rtnl", "rx_errors", {"ifInErrors"}},
            {"rtnl", "tx_errors", {"ifOutErrors"}},
        },
};

const std::string guide = "Intel 683402, Statistics Counters";

// Every size class, too short, too long, and bad in each way.
const Frames received =
    frames("64, 100, 200, 300, 600, 1200, 1519 tag, 63, 1519, 64 fcs, 64 alignment, 63 fcs,"
           "1519 fcs, 64 payload_length, 64 overrun");
const Frames sent = frames("64, 100, 1519");
const Frames collided =
    frames("c1, c2") * frames(", multicast, broadcast, control, pause, pfc, tag, tags, by_mac");

bool is_octets(const reference::Counter& counter) {
    return counter.bits == 64;
}

// The addresses of its words, the low one first: high words are at 0xf0, 0xf4 and 0xf8.
std::vector<u32> words_of(const reference::Counter& counter) {
    if (!is_octets(counter))
        return {counter.address};
    return {counter.address, counter.address == 0xb0 ? 0xf8 : counter.address + 0x78};
}

void add_registers(Sweeps& all) {
    Sweep& writes = all.emplace_back(
        mac, "no_counter_can_be_written",
        "each counter shows all of its bits at its address, and neither a read nor a write changes "
        "it",
        guide + ": RO");
    Values values;
    for (const auto& counter : writes.counters())
        values.emplace_back(
            counter.name,
            is_octets(counter) ? ~u64{0} - (values.size() << 32) : 0xffffffff - values.size());
    writes.preset(values);
    for (const auto& counter : writes.counters())
        for (const u32 word : words_of(counter))
            writes.read(hex(word)).write(hex(word), 5);
    for (const auto& counter : writes.counters())
        for (const u32 word : words_of(counter))
            writes.read(hex(word));

    Sweep& over = all.emplace_back(
        mac, "counters_roll_over", "counters roll over, octets at 64 bits, and others at 32",
        guide + ": \"roll up when the counter is full\"");
    values.clear();
    for (const auto& counter : over.counters())
        values.emplace_back(counter.name, is_octets(counter) ? ~u64{0} : 0xffffffff);
    over.preset(values)
        .each(100)
        .send(frames("rx") * (received + frames("64 multicast, 64 broadcast, 64 pause")))
        .send(
            frames("tx") *
            (sent + frames("64 multicast, 64 broadcast, 64 pause, 64 fcs, 64 underrun")))
        .expect("mac", State::all);

    Sweep& carry = all.emplace_back(
        mac, "octets_carry_between_the_reads_of_their_words",
        "frames of any length between two reads of a word: the words are those of the moment",
        guide + "; that nothing holds the high words is inferred");
    carry.each(1);
    for (const char* length : {"64", "1000", "1518"}) {
        carry.preset(
            {{"aOctetsReceivedOK", 0xffffffff},
             {"aOctetsTransmittedOK", 0xffffffff},
             {"etherStatsOctets", 0xffffffff}});
        carry.read("0x7c").read("0xb0").send(frames("rx") * frames(length));
        carry.read("0xf4").read("0xf8").read("0x7c").read("0xb0");
        carry.read("0xf0").send(frames("tx") * frames(length)).read("0x78").read("0xf0");
        carry.expect("mac", State::all);
    }
}

// frm_length below all size classes, and above; NO_LGTH_CHECK set.
void add_settings(Sweeps& all) {
    for (const auto& [name, max] : {std::pair{"small", 40u}, std::pair{"large", 9000u}}) {
        const std::vector<Device> devices = {{.registers = {{"frm_length", max}}}};

        all.emplace_back(
               mac, std::string("a_") + name + "_maximum",
               "frm_length alone decides what is too long, and a tag allows for 4 octets more",
               "Intel 683402, Length Checking", devices)
            .send(
                frames("rx") * frames("40, 41, 44, 45, 63, 9000, 9001, 9004, 9005") *
                frames(", tag, fcs, overrun, payload_length"))
            .send(frames("rx") * received * frames(", multicast, broadcast, pause"))
            .expect();
    }
    for (const std::string duplex : {"full", "half"})
        all.emplace_back(
               mac, "without_length_check_in_" + duplex + "_duplex",
               "with NO_LGTH_CHECK a wrong length field changes nothing, and other errors count",
               "Intel 683402, Command_Config Register",
               std::vector<Device>{
                   {.options = {{"duplex", duplex}},
                    .registers = {{"command_config", 1u << 24}, {"frm_length", 1600}}}})
            .send(
                frames("rx") * (received + frames("1600, 1601, 1601 fcs, 1604 tag, 1605 tag")) *
                frames(", payload_length") *
                frames(", multicast, broadcast, control multicast, control broadcast, pfc,"
                       "pfc multicast, pause, pause multicast, pause broadcast, tag multicast,"
                       "tag broadcast, tags, c1, c16, deferred"))
            .send(
                frames("rx 64 payload_length") *
                frames(", multicast, broadcast, pause, control multicast") * each_error)
            .send(frames("tx") * sent * frames(", pause, multicast, broadcast") * each_error)
            .expect();
}

} // namespace

void add(Sweeps& all) {
    const BothWays both_ways = {
        .mac = mac,
        .reference = guide,
        .received = received + frames("64 control multicast"),
        .sent = sent + frames("64 control multicast"),
        .collided = collided,
        .received_errors =
            "FCS, alignment and symbol errors, and a wrong length field, make an error frame, an "
            "overrun drops it; other errors change nothing",
        .sent_errors =
            "a frame that is given up counts nowhere, and one with an underrun or a bad FCS as an "
            "error only; other errors change nothing",
        .two_errors = "a frame that is given up counts nowhere, whatever else happens to it"};

    add_registers(all);
    add_settings(all);
    add_both_ways(all, both_ways, "full", full_duplex);
    add_both_ways(all, both_ways, "half", half_duplex);
}

} // namespace macstats::sweep::altera_tse
