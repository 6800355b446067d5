// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The IXF1104: where its counters are and what they count, with values worked out
// by hand from the datasheet (Intel 278757, tables 93 and 94) and section 2 of the
// register maps; each erratum of its section 2.4 by its number; and a million random
// frames and accesses against the slow reference.
#include "boost_test.hpp"

#include <cerrno>
#include <cstring>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include <macstats/model/ixf1104.h>

#include "../../reference/ixf1104_reference.hpp"
#include "fixture.hpp"

BOOST_AUTO_TEST_SUITE(unit_model_ixf1104)

using namespace macstats::test;

namespace {

constexpr u32 max_frame_size = 0x0f;
constexpr u32 rx_packet_filter_control = 0x19;

constexpr u8 copper = 0;
constexpr u8 fiber = MACSTATS_OPT_FIBER;
constexpr u8 half = MACSTATS_OPT_HALF_DUPLEX;

constexpr unsigned int fcs = MACSTATS_ERR_FCS;
constexpr unsigned int alignment = MACSTATS_ERR_ALIGNMENT;
constexpr unsigned int code = MACSTATS_ERR_CODE;
constexpr unsigned int payload_length = MACSTATS_ERR_PAYLOAD_LENGTH;
constexpr unsigned int late = MACSTATS_ERR_LATE_COLLISION;
constexpr unsigned int excessive = MACSTATS_ERR_EXCESSIVE_COLLISIONS;
constexpr unsigned int deferral = MACSTATS_ERR_EXCESSIVE_DEFERRAL;
constexpr unsigned int carrier_loss = MACSTATS_ERR_CARRIER_LOSS;
constexpr unsigned int underrun = MACSTATS_ERR_UNDERRUN;
constexpr unsigned int overrun = MACSTATS_ERR_OVERRUN;
constexpr auto multicast = MACSTATS_MULTICAST;
constexpr auto broadcast = MACSTATS_BROADCAST;
constexpr auto control = MACSTATS_CONTROL;
constexpr auto pause_ = MACSTATS_PAUSE;
constexpr auto by_mac = MACSTATS_BY_MAC;

using Named = macstats::reference::CounterAt;

constexpr auto& names = Ixf1104Reference::counters;

// Counter values by datasheet name, without those at 0.
using Counts = std::map<std::string, u64>;

Counts counts(const std::string& text) {
    std::istringstream in(text);
    Counts result;

    for (std::string reg, value; std::getline(in >> std::ws, reg, '=') && in >> value;)
        result[reg] = std::stoull(value);
    return result;
}

std::string text(const Counts& values) {
    std::ostringstream out;

    for (const auto& [reg, value] : values)
        out << reg << "=" << value << " ";
    return out.str();
}

// How a port comes up that has these options beside the statistics.
constexpr Setup with(u8 options) {
    return {.with = options};
}

class Mac : public Port {
public:
    explicit Mac(const Setup& setup = {}) : Port(ixf1104_model, setup) {}
};

class PolledMac : public Polled {
public:
    explicit PolledMac(const Setup& setup = {}) : Polled(ixf1104_model, setup) {}

    // The events of a poll that has to be good.
    unsigned int poll(u64 after_ns = 1000000) {
        BOOST_TEST_REQUIRE(poll_after(after_ns) == 0);
        return events;
    }
};

// Everything, and clears it.
Counts read_all(Port& port) {
    Counts values;

    for (const Named& one : names)
        if (u64 value = port.read(one.address))
            values[one.reg] = value;
    return values;
}

#define IS(statistics, id, expected)                                      \
    do {                                                                  \
        BOOST_TEST_CONTEXT(#id) {                                         \
            BOOST_TEST((statistics)[MACSTATS_STD_##id] == u64{expected}); \
        }                                                                 \
    } while (0)

struct Case {
    Frame frame;
    const char* counts; // exactly these; all others stay 0
    u8 with = 0;
    u32 max = 1518;
    u32 filter = 0;
};

// Frames which one thing or another is wrong with, or nothing. Values from the rows
// of the register maps: legal is 64 to 1518 octets, 1522 tagged.
const Case received[] = {
    {rx(64), "RxOctetsTotalOK=64 RxUCPkts=1 RxPkts64Octets=1"},
    {rx(65).to(multicast), "RxOctetsTotalOK=65 RxMCPkts=1 RxPkts65to127Octets=1"},
    {rx(127).to(broadcast), "RxOctetsTotalOK=127 RxBCPkts=1 RxPkts65to127Octets=1"},
    {rx(128), "RxOctetsTotalOK=128 RxUCPkts=1 RxPkts128to255Octets=1"},
    {rx(255), "RxOctetsTotalOK=255 RxUCPkts=1 RxPkts128to255Octets=1"},
    {rx(256), "RxOctetsTotalOK=256 RxUCPkts=1 RxPkts256to511Octets=1"},
    {rx(511), "RxOctetsTotalOK=511 RxUCPkts=1 RxPkts256to511Octets=1"},
    {rx(512), "RxOctetsTotalOK=512 RxUCPkts=1 RxPkts512to1023Octets=1"},
    {rx(1023), "RxOctetsTotalOK=1023 RxUCPkts=1 RxPkts512to1023Octets=1"},
    {rx(1024), "RxOctetsTotalOK=1024 RxUCPkts=1 RxPkts1024to1518Octets=1"},
    {rx(1518), "RxOctetsTotalOK=1518 RxUCPkts=1 RxPkts1024to1518Octets=1"},
    // The last bin ends at the maximum, which has to be over 1518 for it to begin.
    {rx(1519), "RxLongErrors=1"},
    {rx(1519), "RxOctetsTotalOK=1519 RxUCPkts=1 RxPkts1519toMaxOctets=1", copper, 9831},
    {rx(9831), "RxOctetsTotalOK=9831 RxUCPkts=1 RxPkts1519toMaxOctets=1", copper, 9831},
    {rx(9832), "RxLongErrors=1", copper, 9831},

    // Tagged frames: 4 octets more at 1518 and at the maximum, nowhere else.
    {rx(64).tagged(), "RxOctetsTotalOK=64 RxUCPkts=1 RxPkts64Octets=1 RxTagged=1"},
    {rx(128).tagged(), "RxOctetsTotalOK=128 RxUCPkts=1 RxPkts128to255Octets=1 RxTagged=1"},
    {rx(1024).tagged(2), "RxOctetsTotalOK=1024 RxUCPkts=1 RxPkts1024to1518Octets=1 RxTagged=1"},
    {rx(1522).tagged(), "RxOctetsTotalOK=1522 RxUCPkts=1 RxPkts1024to1518Octets=1 RxTagged=1"},
    {rx(1523).tagged(), "RxLongErrors=1 RxTagged=1"},
    {rx(1522).tagged(), "RxOctetsTotalOK=1522 RxUCPkts=1 RxPkts1024to1518Octets=1 RxTagged=1",
     copper, 2000},
    {rx(1523).tagged(), "RxOctetsTotalOK=1523 RxUCPkts=1 RxPkts1519toMaxOctets=1 RxTagged=1",
     copper, 2000},
    {rx(2004).tagged(), "RxOctetsTotalOK=2004 RxUCPkts=1 RxPkts1519toMaxOctets=1 RxTagged=1",
     copper, 2000},
    {rx(2005).tagged(), "RxLongErrors=1 RxTagged=1", copper, 2000},

    // Bad frames of legal size.
    {rx(64).with(fcs), "RxOctetsBAD=64 RxPkts64Octets=1 RxFCSErrors=1"},
    {rx(1518).to(broadcast).with(fcs), "RxOctetsBAD=1518 RxPkts1024to1518Octets=1 RxFCSErrors=1"},
    {rx(100).tagged().with(fcs), "RxOctetsBAD=100 RxPkts65to127Octets=1 RxFCSErrors=1 RxTagged=1"},
    {rx(100).with(alignment), "RxOctetsBAD=100 RxPkts65to127Octets=1 RxAlignErrors=1"},
    {rx(100).with(alignment | fcs), "RxOctetsBAD=100 RxPkts65to127Octets=1 RxAlignErrors=1"},
    {rx(100).with(alignment | code),
     "RxOctetsBAD=100 RxPkts65to127Octets=1 RxAlignErrors=1 RxSymbolErrors=1"},
    {rx(100).with(code), "RxOctetsBAD=100 RxPkts65to127Octets=1 RxDataError=1 RxSymbolErrors=1"},
    {rx(100).with(code | fcs),
     "RxOctetsBAD=100 RxPkts65to127Octets=1 RxFCSErrors=1 RxSymbolErrors=1"},
    {rx(100).with(code),
     "RxOctetsBAD=100 RxPkts65to127Octets=1 RxDataError=1 RxSequenceErrors=1 "
     "RxSymbolErrors=1",
     fiber},
    {rx(100).with(alignment), "RxOctetsBAD=100 RxPkts65to127Octets=1 RxFCSErrors=1", fiber},
    // Nothing that this MAC has a counter for.
    {rx(100).with(payload_length | late | excessive | deferral | carrier_loss | underrun),
     "RxOctetsTotalOK=100 RxUCPkts=1 RxPkts65to127Octets=1"},

    // Frames over the maximum.
    {rx(1519).with(fcs), "RxJabberErrors=1"},
    {rx(1519).with(alignment), "RxJabberErrors=1"},
    {rx(1519).with(code), "RxLongErrors=1 RxSymbolErrors=1"},
    {rx(6250), "RxLongErrors=1"},
    {rx(6250).with(fcs), "RxJabberErrors=1"},
    {rx(6251), "RxVeryLongErrors=1"},
    {rx(6251).with(fcs), "RxVeryLongErrors=1"},
    {rx(65535), "RxVeryLongErrors=1"},
    // Below 1518 the maximum does not matter to the bins.
    {rx(1000), "RxPkts512to1023Octets=1 RxLongErrors=1", copper, 999},

    // MAC control.
    {rx(64).to(multicast).as(pause_), "RxOctetsTotalOK=64 RxMCPkts=1 RxPkts64Octets=1 "
                                      "RxPauseMacControlReceivedCounter=1"},
    {rx(65).to(multicast).as(pause_), "RxOctetsTotalOK=65 RxMCPkts=1 RxPkts65to127Octets=1"},
    {rx(64).to(multicast).as(pause_).with(fcs), "RxOctetsBAD=64 RxPkts64Octets=1 RxFCSErrors=1"},
    {rx(64).to(multicast).as(pause_).with(fcs),
     "RxOctetsBAD=64 RxPkts64Octets=1 RxFCSErrors=1 "
     "RxPauseMacControlReceivedCounter=1",
     copper, 1518, 0x20},
    {rx(64).to(multicast).as(pause_).with(fcs), "RxOctetsBAD=64 RxPkts64Octets=1 RxFCSErrors=1",
     copper, 1518, 0x1f},
    {rx(65).to(multicast).as(pause_).with(fcs),
     "RxOctetsBAD=65 RxPkts65to127Octets=1 RxFCSErrors=1", copper, 1518, 0x20},
    {rx(64).as(control), "RxOctetsTotalOK=64 RxUCPkts=1 RxPkts64Octets=1 "
                         "RxUnknownMacControlFrameCounter=1"},
    {rx(200).to(multicast).as(control), "RxOctetsTotalOK=200 RxMCPkts=1 RxPkts128to255Octets=1 "
                                        "RxUnknownMacControlFrameCounter=1"},
    {rx(64).as(control).with(fcs), "RxOctetsBAD=64 RxPkts64Octets=1 RxFCSErrors=1"},
    {rx(64).tagged().as(pause_), "RxOctetsTotalOK=64 RxUCPkts=1 RxPkts64Octets=1 RxTagged=1"},

    // Runts and shorts; a frame of 4 octets takes (8 + 4) * 8 = 96 bit times. They are
    // not there yet, which is X8's matter.
    {rx(63), ""},
    {rx(3), ""},
    {rx(63).tagged().with(fcs), "RxTagged=1"},
};

// Sent frames. The event that ends a transmission first is its error.
const Case sent[] = {
    {tx(64), "OctetsTransmittedOK=64 TxUCPkts=1 TxPkts64Octets=1"},
    {tx(20), "OctetsTransmittedOK=64 TxUCPkts=1 TxPkts64Octets=1"},
    {tx(65).to(multicast), "OctetsTransmittedOK=65 TxMCPkts=1 TxPkts65to127Octets=1"},
    {tx(128).to(broadcast), "OctetsTransmittedOK=128 TxBCPkts=1 TxPkts128to255Octets=1"},
    {tx(511), "OctetsTransmittedOK=511 TxUCPkts=1 TxPkts256to511Octets=1"},
    {tx(512), "OctetsTransmittedOK=512 TxUCPkts=1 TxPkts512to1023Octets=1"},
    {tx(1518), "OctetsTransmittedOK=1518 TxUCPkts=1 TxPkts1024to1518Octets=1"},
    {tx(1522).tagged(), "OctetsTransmittedOK=1522 TxUCPkts=1 TxPkts1024to1518Octets=1 TxTagged=1"},
    {tx(1523).tagged(), "OctetsTransmittedOK=1523 TxUCPkts=1 TxPkts1519toMaxOctets=1 TxTagged=1", 0,
     1519},
    {tx(9000), "OctetsTransmittedOK=9000 TxUCPkts=1 TxPkts1519toMaxOctets=1", 0, 9831},

    // Truncated at the maximum.
    {tx(1519), "OctetsTransmittedBad=1518 TxExcessiveLengthDrop=1"},
    {tx(1523).tagged(), "OctetsTransmittedBad=1522 TxExcessiveLengthDrop=1 TxTagged=1"},
    {tx(9000), "OctetsTransmittedBad=1518 TxExcessiveLengthDrop=1"},
    {tx(9000).with(fcs), "OctetsTransmittedBad=1518 TxExcessiveLengthDrop=1"},

    {tx(100).with(fcs), "OctetsTransmittedBad=100 TxPkts65to127Octets=1 TxCRCError=1"},
    {tx(100).with(underrun), "OctetsTransmittedBad=100 TxPkts65to127Octets=1 TxUnderrun=1"},
    {tx(100).with(underrun | fcs), "OctetsTransmittedBad=100 TxPkts65to127Octets=1 TxUnderrun=1"},
    {tx(1519).with(underrun), "OctetsTransmittedBad=1518 TxUnderrun=1"},
    {tx(100).with(carrier_loss | payload_length | alignment | code | overrun),
     "OctetsTransmittedOK=100 TxUCPkts=1 TxPkts65to127Octets=1"},

    // Pause frames, whoever made them; in half duplex the MAC forces a collision instead.
    {tx(64).to(multicast).as(pause_),
     "OctetsTransmittedOK=64 TxMCPkts=1 TxPkts64Octets=1 TxPauseFrames=1"},
    {tx(64).to(multicast).as(pause_).by(by_mac),
     "OctetsTransmittedOK=64 TxMCPkts=1 TxPkts64Octets=1 TxPauseFrames=1"},
    {tx(64).to(multicast).as(pause_).by(by_mac), "TxFlowControlCollisionsSend=1", half},
    {tx(64).to(multicast).as(pause_),
     "OctetsTransmittedOK=64 TxMCPkts=1 TxPkts64Octets=1 TxPauseFrames=1", half},
    {tx(64).as(control), "OctetsTransmittedOK=64 TxUCPkts=1 TxPkts64Octets=1"},
    {tx(64).as(pause_).with(fcs), "OctetsTransmittedBad=64 TxPkts64Octets=1 TxCRCError=1"},

    // "NA - half-duplex only", in full duplex ...
    {tx(64).late_start(), "OctetsTransmittedOK=64 TxUCPkts=1 TxPkts64Octets=1"},
    {tx(64).collided(3), "OctetsTransmittedOK=64 TxUCPkts=1 TxPkts64Octets=1"},
    // ... and in half duplex.
    {tx(64).late_start(), "OctetsTransmittedOK=64 TxUCPkts=1 TxPkts64Octets=1 TxDeferred=1", half},
    {tx(64).late_start().collided(1),
     "OctetsTransmittedOK=64 TxUCPkts=1 TxPkts64Octets=1 TxTotalCollisions=1 "
     "TxSingleCollisions=1",
     half},
    {tx(64).collided(1),
     "OctetsTransmittedOK=64 TxUCPkts=1 TxPkts64Octets=1 TxTotalCollisions=1 "
     "TxSingleCollisions=1",
     half},
    {tx(64).collided(2),
     "OctetsTransmittedOK=64 TxUCPkts=1 TxPkts64Octets=1 TxTotalCollisions=2 "
     "TxMultipleCollisions=1",
     half},
    {tx(64).collided(15),
     "OctetsTransmittedOK=64 TxUCPkts=1 TxPkts64Octets=1 TxTotalCollisions=15 "
     "TxMultipleCollisions=1",
     half},
    {tx(64).collided(16),
     "OctetsTransmittedBad=64 TxPkts64Octets=1 TxTotalCollisions=16 "
     "TxExcessiveCollisionErrors=1",
     half},
    {tx(64).with(excessive),
     "OctetsTransmittedBad=64 TxPkts64Octets=1 TxTotalCollisions=16 "
     "TxExcessiveCollisionErrors=1",
     half},
    {tx(64).with(late), "OctetsTransmittedBad=64 TxPkts64Octets=1 TxLateCollisions=1", half},
    {tx(64).collided(3).with(late),
     "OctetsTransmittedBad=64 TxPkts64Octets=1 TxTotalCollisions=3 "
     "TxLateCollisions=1",
     half},
    {tx(64).with(deferral), "TxExcessiveDeferralErrors=1", half},
    {tx(2000).late_start().with(deferral), "TxExcessiveDeferralErrors=1", half},
};

// A frame for each counter, @amount of which it counts.
struct Counting {
    Frame frame;
    u64 amount;
    u8 with = 0;
    u32 max = 1518;
};

std::optional<Counting> counting(const char* reg) {
    for (const Case* list : {received, sent}) {
        std::size_t n = list == received ? std::size(received) : std::size(sent);

        for (const Case* one = list; one < list + n; one++)
            if (Counts all = counts(one->counts); all.count(reg))
                return Counting{one->frame, all[reg], one->with, one->max};
    }
    if (!std::strcmp(reg, "RxRuntErrors"))
        return Counting{rx(63), 1};
    if (!std::strcmp(reg, "RxShortErrors"))
        return Counting{rx(3), 1};
    if (!std::strcmp(reg, "RX Number of Frames Removed"))
        return Counting{rx(64).with(overrun), 1};
    return {};
}

void counts_exactly(const Case& one) {
    Mac port(with(one.with));

    port.write(max_frame_size, one.max);
    port.write(rx_packet_filter_control, one.filter);
    port.send(one.frame);
    BOOST_TEST_CONTEXT(
        one.frame << " options " << +one.with << " maximum " << one.max << " filter "
                  << one.filter) {
        BOOST_TEST(text(read_all(port)) == text(counts(one.counts)));
    }
    // Seven at once are seven times as much.
    Mac many(with(one.with));
    Counts seven = counts(one.counts);

    for (auto& [reg, value] : seven)
        value *= 7;
    many.write(max_frame_size, one.max);
    many.write(rx_packet_filter_control, one.filter);
    many.send(one.frame, 7);
    BOOST_TEST(text(read_all(many)) == text(seven));
}

} // namespace

BOOST_AUTO_TEST_SUITE(registers)

BOOST_AUTO_TEST_CASE(each_counter_has_the_address_and_name_of_tables_93_and_94) {
    BOOST_TEST_REQUIRE(ixf1104_model.n_counters == std::size(names));
    for (unsigned int i = 0; i < std::size(names); i++) {
        const macstats_counter& row = ixf1104_model.counters[i];

        BOOST_TEST_CONTEXT(names[i].reg) {
            BOOST_TEST(row.offset == names[i].address);
            BOOST_TEST(row.reg == std::string(names[i].reg));
            BOOST_TEST(row.name == std::string(names[i].name));
            BOOST_TEST(std::strlen(row.name) <= 31u);
            BOOST_TEST(+row.bits == 32);
            BOOST_TEST(+row.onread == MACSTATS_ONREAD_RCLR);
            BOOST_TEST(+row.onwrite == MACSTATS_ONWRITE_NONE);
            BOOST_TEST(+row.overflow == MACSTATS_ROLLOVER);
        }
    }
}

// 5.2(8): "RxPauseMacControlReceivedCounter" has 32 characters, no room for the NUL.
BOOST_AUTO_TEST_CASE(
    names_too_long_for_ethtool_lose_their_last_word_but_not_in_the_datasheet_name) {
    BOOST_TEST(std::strlen(ixf1104_model.counters[0x12].reg) == 32u);
    BOOST_TEST(ixf1104_model.counters[0x12].name == std::string("rx_pause_mac_control_received"));
    BOOST_TEST(ixf1104_model.counters[0x13].name == std::string("rx_unknown_mac_control_frame"));
}

BOOST_AUTO_TEST_CASE(registers_come_up_with_their_reset_values) {
    Mac port;

    for (const Named& one : names)
        BOOST_TEST(port.read(one.address) == 0u);
    BOOST_TEST(port.read(max_frame_size) == 1518u);
    BOOST_TEST(port.read(rx_packet_filter_control) == 0u);
}

BOOST_AUTO_TEST_CASE(the_maximum_has_14_bits_and_the_filter_six) {
    Mac port;

    port.write(max_frame_size, 0xffffffff);
    port.write(rx_packet_filter_control, 0xffffffff);
    BOOST_TEST(port.read(max_frame_size) == 0x3fffu);
    BOOST_TEST(port.read(rx_packet_filter_control) == 0x3fu);
}

BOOST_AUTO_TEST_CASE(a_read_clears_what_it_returns_and_nothing_else) {
    Mac port;

    port.send(rx(100), 5);
    BOOST_TEST(port.read("RxUCPkts") == 5u);
    BOOST_TEST(port.read("RxUCPkts") == 0u);
    BOOST_TEST(port.read("RxOctetsTotalOK") == 500u);
    port.send(rx(100), 2);
    BOOST_TEST(port.read("RxUCPkts") == 2u);
    BOOST_TEST(port.read("RxPkts65to127Octets") == 7u);
}

// Type R has no W.
BOOST_AUTO_TEST_CASE(a_write_to_a_counter_has_no_effect) {
    Mac port;

    port.send(rx(100), 5);
    for (const Named& one : names)
        port.write(one.address, 0xffffffff);
    BOOST_TEST(
        text(read_all(port)) ==
        text(counts("RxOctetsTotalOK=500 RxUCPkts=5 RxPkts65to127Octets=5")));
}

// 2.3: a register dump over 0x20-0x58 destroys the statistics.
BOOST_AUTO_TEST_CASE(a_register_dump_leaves_the_counters_out_and_takes_the_rest) {
    for (const Named& one : names)
        BOOST_TEST(macstats_read_is_destructive(&ixf1104_model, one.address));
    BOOST_TEST(!macstats_read_is_destructive(&ixf1104_model, max_frame_size));
    BOOST_TEST(!macstats_read_is_destructive(&ixf1104_model, rx_packet_filter_control));
}

// 2.3: "a second reader silently steals counts".
BOOST_AUTO_TEST_CASE(a_second_readers_counts_are_missing_from_the_total) {
    PolledMac chip;

    chip.port.send(rx(64), 10);
    BOOST_TEST(chip.port.read(0x22) == 10u);
    chip.port.send(rx(64), 4);
    chip.poll();
    BOOST_TEST(chip.total("RxUCPkts") == 4u);
    BOOST_TEST(chip.total("RxPkts64Octets") == 14u);
}

BOOST_AUTO_TEST_CASE(without_statistics_everything_reads_0) {
    Mac port({.without = MACSTATS_OPT_STATISTICS});

    port.send(rx(64), 10);
    port.send(rx(64).with(fcs), 10);
    BOOST_TEST(text(read_all(port)).empty());
    BOOST_TEST(port.read(max_frame_size) == 1518u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(counting_frames)

BOOST_AUTO_TEST_CASE(a_received_frame_is_counted_where_table_93_says_and_nowhere_else) {
    for (const Case& one : received)
        counts_exactly(one);
}

BOOST_AUTO_TEST_CASE(a_transmitted_frame_is_counted_where_table_94_says_and_nowhere_else) {
    for (const Case& one : sent)
        counts_exactly(one);
}

BOOST_AUTO_TEST_CASE(every_counter_counts_in_some_case_and_one_never) {
    for (const Named& one : names) {
        bool never = !std::strcmp(one.reg, "RxCarrierExtendError") ||
                     !std::strcmp(one.reg, "TX Number of Frames Removed");

        BOOST_TEST_CONTEXT(one.reg)
        BOOST_TEST(counting(one.reg).has_value() == !never);
    }
}

// Table 93: "Not applicable".
BOOST_AUTO_TEST_CASE(no_frame_is_a_carrier_extend_error) {
    for (u8 options : {copper, fiber, half}) {
        Mac port(with(options));

        for (const Case& one : received)
            port.send(one.frame);
        for (const Case& one : sent)
            port.send(one.frame);
        BOOST_TEST(port.read("RxCarrierExtendError") == 0u);
    }
}

BOOST_AUTO_TEST_CASE(the_filter_bit_does_not_change_what_was_counted_before) {
    Mac port;
    Frame bad = rx(64).to(multicast).as(pause_).with(fcs);

    port.send(bad, 3);
    port.send(rx(64).to(multicast).as(pause_), 5);
    port.write(rx_packet_filter_control, 0x20);
    BOOST_TEST(port.read(0x32) == 5u);
    port.send(bad, 2);
    port.write(rx_packet_filter_control, 0);
    BOOST_TEST(port.read(0x32) == 2u);
}

BOOST_AUTO_TEST_CASE(a_new_maximum_does_not_change_what_was_counted_before) {
    Mac port;

    port.send(rx(5000), 3);
    port.write(max_frame_size, 9831);
    port.send(rx(5000), 4);
    port.write(max_frame_size, 1518);
    BOOST_TEST(port.read("RxLongErrors") == 3u);
    BOOST_TEST(port.read("RxPkts1519toMaxOctets") == 4u);
}

BOOST_AUTO_TEST_CASE(the_maximum_is_one_for_both_directions) {
    Mac port;

    port.write(max_frame_size, 2000);
    port.send(rx(2000));
    port.send(tx(2000));
    port.send(rx(2001));
    port.send(tx(2001));
    BOOST_TEST(
        text(read_all(port)) ==
        text(counts("RxOctetsTotalOK=2000 RxUCPkts=1 RxPkts1519toMaxOctets=1 "
                    "RxLongErrors=1 "
                    "OctetsTransmittedOK=2000 TxUCPkts=1 TxPkts1519toMaxOctets=1 "
                    "TxExcessiveLengthDrop=1 OctetsTransmittedBad=2000")));
}

BOOST_AUTO_TEST_SUITE_END()

// Section 2.4 of the register maps.
BOOST_AUTO_TEST_SUITE(errata)

BOOST_AUTO_TEST_CASE(X1_port_index_is_a_stride) {
    Chip chip(ixf1104_model);
    u64 value = 0;

    BOOST_TEST(+ixf1104_model.ports == 4);
    BOOST_TEST(ixf1104_model.port_stride == 0x80u);
    // Taken literally, port 1's RxOctetsTotalOK were port 0's RxOctetsBAD.
    chip[1].send(rx(64), 3);
    chip[0].send(rx(100).with(fcs), 2);
    BOOST_TEST(chip.read(0x21) == 200u);
    BOOST_TEST(chip.read(0xa0) == 192u);
    chip[2].send(rx(64), 5);
    chip[3].send(rx(64), 7);
    for (unsigned int port = 0; port < 4; port++)
        BOOST_TEST(chip[port].poll() == 0);
    BOOST_TEST(chip[0].total("RxUCPkts") == 0u);
    BOOST_TEST(chip[1].total("RxUCPkts") == 3u);
    BOOST_TEST(chip[2].total("RxUCPkts") == 5u);
    BOOST_TEST(chip[3].total("RxUCPkts") == 7u);
    BOOST_TEST(chip[3].total("RxOctetsTotalOK") == 448u);
    BOOST_TEST(chip.try_read(0x220, value) == -ENXIO);
}

// Not in tables 93 and 94: table 25, with the addresses of the IXF1010.
BOOST_AUTO_TEST_CASE(frames_that_the_fifo_removes_are_counted_beside_those_of_other_ports) {
    Chip chip(ixf1104_model);
    u64 value = 0;

    for (u32 port = 0; port < 4; port++)
        chip[port].send(rx(64).with(MACSTATS_ERR_OVERRUN), 3 + port);
    BOOST_TEST(chip.read(0x595) == 4u);
    BOOST_TEST(chip.read(0x595) == 0u);
    for (unsigned int port = 0; port < 4; port++) {
        BOOST_TEST(chip[port].poll() == 0);
        BOOST_TEST(chip[port].total("RX Number of Frames Removed") == (port == 1 ? 0 : 3 + port));
        BOOST_TEST(chip[port].total("RxUCPkts") == 3 + port);
        BOOST_TEST(chip.read(0x594 + port) == 0u);
        BOOST_TEST(chip.read(0x622 + port) == 0u);
    }
    for (u32 address : {0x593u, 0x598u, 0x621u, 0x626u})
        BOOST_TEST(chip.try_read(address, value) == -ENXIO);
}

BOOST_AUTO_TEST_CASE(X2_the_tables_go_on_to_0x39_and_from_0x40_to_0x58) {
    Mac port;

    for (u32 address = 0; address < 0x80; address++) {
        bool there = address == max_frame_size || address == rx_packet_filter_control ||
                     (address >= 0x20 && address <= 0x39) || (address >= 0x40 && address <= 0x58);
        u64 value = 42;

        BOOST_TEST_CONTEXT("address " << address) {
            BOOST_TEST(port.try_read(address, value) == (there ? 0 : -ENXIO));
            BOOST_TEST(port.try_write(address, 0) == (there ? 0 : -ENXIO));
        }
    }
}

// 2.5: 2^32 * 8 bits / 1 Gb/s = 34.36 s; 84 octets a frame: 2886 s; 24 octets: 825 s.
BOOST_AUTO_TEST_CASE(X3_only_octet_counters_wrap_within_half_a_minute) {
    auto seconds = [](const char* reg) {
        return macstats__wrap_usecs(
                   &ixf1104_model, &ixf1104_model.counters[counter_index(ixf1104_model, reg)],
                   ixf1104_model.line_rate_bps) /
               1000000;
    };

    for (const char* reg :
         {"RxOctetsTotalOK", "RxOctetsBAD", "OctetsTransmittedOK", "OctetsTransmittedBad"})
        BOOST_TEST(seconds(reg) == 34u);
    for (const char* reg :
         {"RxUCPkts", "RxMCPkts", "RxBCPkts", "RxPkts64Octets", "TxUCPkts", "RxFCSErrors",
          "RxPauseMacControlReceivedCounter", "TxPauseFrames"})
        BOOST_TEST(seconds(reg) == 2886u);
    BOOST_TEST(seconds("RxPkts65to127Octets") == 2920u); // 2^32 * 85 * 8 / 10^9 = 2920.6
    BOOST_TEST(seconds("RxPkts128to255Octets") == 5085u);
    BOOST_TEST(seconds("RxPkts256to511Octets") == 9483u);
    BOOST_TEST(seconds("RxPkts512to1023Octets") == 18279u);
    BOOST_TEST(seconds("RxPkts1024to1518Octets") == 35871u);
    BOOST_TEST(seconds("TxPkts1519toMaxOctets") == 52879u);
    BOOST_TEST(seconds("RxRuntErrors") == 824u);
    BOOST_TEST(seconds("RxShortErrors") == 824u);
    BOOST_TEST(
        macstats__shortest_wrap_usecs(&ixf1104_model, ixf1104_model.line_rate_bps) == 34359738u);
    BOOST_TEST(
        macstats_poll_ceiling_usecs(&ixf1104_model, ixf1104_model.line_rate_bps) == 17179869u);
}

// IEEE 802.3, 100BASE-X and 10BASE-T.
BOOST_AUTO_TEST_CASE(lower_speeds_are_those_of_the_standard) {
    BOOST_TEST(macstats_line_rate_bps(&ixf1104_model, 0) == 1000000000u);
    BOOST_TEST(macstats_line_rate_bps(&ixf1104_model, MACSTATS_OPT_100M) == 100000000u);
    BOOST_TEST(macstats_line_rate_bps(&ixf1104_model, MACSTATS_OPT_10M) == 10000000u);
}

// 2^32 octets take ten times as long at 100 Mb/s, and a hundred times at 10 Mb/s.
BOOST_AUTO_TEST_CASE(octet_counters_wrap_later_at_lower_speeds) {
    const macstats_model& model = ixf1104_model;
    const u64 fast_ethernet = macstats_line_rate_bps(&model, MACSTATS_OPT_100M);
    BOOST_TEST(macstats__shortest_wrap_usecs(&model, fast_ethernet) == 343597383u);
    BOOST_TEST(macstats_poll_ceiling_usecs(&model, fast_ethernet) == 171798691u);
    const u64 ethernet = macstats_line_rate_bps(&model, MACSTATS_OPT_10M);
    BOOST_TEST(macstats__shortest_wrap_usecs(&model, ethernet) == 3435973836u);
    BOOST_TEST(macstats_poll_ceiling_usecs(&model, ethernet) == 1717986918u);
    BOOST_TEST(macstats_valid_options(&model, MACSTATS_OPT_10M));
    BOOST_TEST(!macstats_valid_options(&model, MACSTATS_OPT_10M | MACSTATS_OPT_100M));
}

// Shorts, runts, longs, jabbers and very longs add nothing; the footnote's limit is
// that of a single frame.
BOOST_AUTO_TEST_CASE(X4_illegal_sizes_never_add_to_octets_bad) {
    Mac port;

    for (u32 length : {1u, 3u, 4u, 63u, 1519u, 6250u, 6251u, 65535u})
        for (unsigned int errors : {fcs, alignment, code, fcs | code})
            port.send(rx(length).with(errors));
    BOOST_TEST(port.read("RxOctetsBAD") == 0u);
    port.send(rx(64).with(fcs));
    port.send(rx(1518).with(fcs));
    port.send(rx(1522).tagged().with(code));
    BOOST_TEST(port.read("RxOctetsBAD") == 64u + 1518 + 1522);

    port.write(max_frame_size, 16383);
    port.send(rx(16383).with(fcs), 2);
    BOOST_TEST(port.read("RxOctetsBAD") == 2u * 16383);
    port.send(rx(16384).tagged().with(fcs));
    port.send(rx(16387).tagged().with(fcs));
    BOOST_TEST(port.read("RxOctetsBAD") == 2u * 16383);
    BOOST_TEST(port.read("RxFCSErrors") == 6u);
}

BOOST_AUTO_TEST_CASE(X5_very_long_is_over_the_larger_of_twice_the_maximum_and_6250_octets) {
    const struct {
        u32 max;
        u32 longest_long;
    } limits[] = {{1518, 6250}, {3125, 6250}, {3126, 6252}, {5000, 10000}, {8191, 16382}};

    for (const auto& one : limits) {
        for (unsigned int errors : {0u, fcs}) {
            Mac port;

            port.write(max_frame_size, one.max);
            port.send(rx(one.longest_long).with(errors), 2);
            port.send(rx(one.longest_long + 1).with(errors), 3);
            BOOST_TEST_CONTEXT("maximum " << one.max) {
                BOOST_TEST(port.read(errors ? "RxJabberErrors" : "RxLongErrors") == 2u);
                BOOST_TEST(port.read("RxVeryLongErrors") == 3u);
                BOOST_TEST(text(read_all(port)).empty());
            }
        }
    }
    // Footnote 2: over (2^14 - 1) / 2 = 8191.5 it is never incremented.
    for (u32 max : {8192u, 16383u}) {
        Mac port;

        port.write(max_frame_size, max);
        port.send(rx(2 * max + 1));
        port.send(rx(65535).with(fcs));
        BOOST_TEST(text(read_all(port)) == text(counts("RxLongErrors=1 RxJabberErrors=1")));
    }
}

BOOST_AUTO_TEST_CASE(X6_overlapping_counters_are_not_added_up) {
    PolledMac chip;

    chip.port.send(rx(64).as(control), 3);
    chip.port.send(rx(64).tagged(), 5);
    chip.port.send(rx(64).to(multicast).as(pause_), 7);
    chip.poll();
    BOOST_TEST(chip.total("RxUCPkts") == 8u);
    BOOST_TEST(chip.total("RxUnknownMacControlFrameCounter") == 3u);
    BOOST_TEST(chip.total("RxTagged") == 5u);
    BOOST_TEST(chip.total("RxMCPkts") == 7u);
    BOOST_TEST(chip.total("RxPauseMacControlReceivedCounter") == 7u);

    Standard standard(chip.acc);
    IS(standard, FRAMES_RECEIVED_OK, 15);
    IS(standard, RTNL_RX_PACKETS, 15);
    IS(standard, RTNL_RX_ERRORS, 0);
    IS(standard, MULTICAST_FRAMES_RECEIVED_OK, 7);
    IS(standard, RX_PAUSE_FRAMES, 7);
    IS(standard, UNSUPPORTED_OPCODES_RECEIVED, 3);
}

// RFC 2819's etherStatsPkts has bad packets in it, UC + BC + MC have not.
BOOST_AUTO_TEST_CASE(X7_size_bins_hold_bad_frames_and_the_three_packet_counters_do_not) {
    Mac port;
    u64 bins = 0;

    port.send(rx(64), 10);
    port.send(rx(64).with(fcs), 3);
    port.send(rx(700).to(broadcast), 5);
    port.send(rx(700).to(multicast).with(alignment), 2);
    for (u32 address = 0x25; address <= 0x2b; address++)
        bins += port.read(address);
    BOOST_TEST(bins == 20u);
    BOOST_TEST(port.read("RxUCPkts") + port.read("RxMCPkts") + port.read("RxBCPkts") == 15u);
}

BOOST_AUTO_TEST_CASE(X8_runts_show_after_two_good_frames_and_shorts_after_one) {
    Mac port;

    port.send(rx(4), 3);
    port.send(rx(63).with(fcs), 2);
    port.send(rx(3), 4);
    BOOST_TEST(port.read("RxRuntErrors") == 0u);
    BOOST_TEST(port.read("RxShortErrors") == 0u);
    // None of these is a good frame received.
    port.send(rx(64).with(fcs));
    port.send(rx(64).with(alignment));
    port.send(rx(64).with(code));
    port.send(rx(1519));
    port.send(tx(64), 10);
    BOOST_TEST(port.read("RxRuntErrors") == 0u);
    BOOST_TEST(port.read("RxShortErrors") == 0u);
    port.send(rx(64));
    BOOST_TEST(port.read("RxRuntErrors") == 0u);
    BOOST_TEST(port.read("RxShortErrors") == 4u);
    port.send(rx(1522).tagged().with(payload_length)); // good, to this MAC
    BOOST_TEST(port.read("RxRuntErrors") == 5u);
    BOOST_TEST(port.read("RxRuntErrors") == 0u);
    BOOST_TEST(port.read("RxShortErrors") == 0u);
    // The next one waits for two again.
    port.send(rx(60));
    port.send(rx(100));
    port.send(rx(60));
    port.send(rx(100));
    BOOST_TEST(port.read("RxRuntErrors") == 0u);
    port.send(rx(100));
    BOOST_TEST(port.read("RxRuntErrors") == 2u);
}

BOOST_AUTO_TEST_CASE(X8_what_is_pending_over_a_poll_is_in_the_next_total) {
    PolledMac chip;

    chip.port.send(rx(60), 6);
    chip.poll();
    BOOST_TEST(chip.total("RxRuntErrors") == 0u);
    chip.port.send(rx(64), 2);
    chip.poll();
    BOOST_TEST(chip.total("RxRuntErrors") == 6u);
    chip.poll();
    BOOST_TEST(chip.total("RxRuntErrors") == 6u);
}

BOOST_AUTO_TEST_CASE(X9_names_are_spelt_as_in_the_tables_of_the_counters) {
    std::set<std::string> regs;

    for (unsigned int i = 0; i < ixf1104_model.n_counters; i++)
        regs.insert(ixf1104_model.counters[i].reg);
    BOOST_TEST(regs.size() == 53u);
    for (const char* right : {"RxOctetsBAD", "OctetsTransmittedOK", "RxPkts128to255Octets"})
        BOOST_TEST(regs.count(right) == 1u);
    for (const char* wrong : {"RxOctetsBad", "TxOctetsTotalOK", "RxPkts128t0255Octets"})
        BOOST_TEST(regs.count(wrong) == 0u);
}

BOOST_AUTO_TEST_CASE(X10_copper_counts_alignment_runts_and_shorts_and_fibre_sequence_errors) {
    const std::pair<u8, const char*> expected[] = {
        {copper, "RxAlignErrors=2 RxRuntErrors=3 RxShortErrors=4"},
        {fiber, "RxSequenceErrors=5"},
    };

    for (const auto& [medium, all] : expected) {
        Mac port(with(medium));
        Counts seen;

        port.send(rx(100).with(alignment), 2);
        port.send(rx(60), 3);
        port.send(rx(2), 4);
        port.send(rx(100).with(code), 5);
        port.send(rx(100), 2);
        for (const char* reg :
             {"RxAlignErrors", "RxRuntErrors", "RxShortErrors", "RxSequenceErrors"})
            if (u64 value = port.read(reg))
                seen[reg] = value;
        BOOST_TEST(text(seen) == text(counts(all)));
        // Both media see symbols.
        BOOST_TEST(port.read("RxSymbolErrors") == 5u);
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(standard_statistics)

BOOST_AUTO_TEST_CASE(each_is_the_sum_that_its_definition_says) {
    PolledMac chip(with(half));

    // 10 good unicast of 100, 4 tagged multicast of 1522, 3 broadcast of 64.
    chip.port.send(rx(100), 10);
    chip.port.send(rx(1522).to(multicast).tagged(), 4);
    chip.port.send(rx(64).to(broadcast), 3);
    chip.port.send(rx(64).to(multicast).as(pause_), 2);
    // 5 + 6 + 7 bad ones of legal size, 8 long, 9 jabbers, 10 very long, 11 runts, 12 shorts.
    chip.port.send(rx(500).with(fcs), 5);
    chip.port.send(rx(500).with(alignment), 6);
    chip.port.send(rx(500).with(code), 7);
    chip.port.send(rx(2000), 8);
    chip.port.send(rx(2000).with(fcs), 9);
    chip.port.send(rx(7000), 10);
    chip.port.send(rx(20), 11);
    chip.port.send(rx(2), 12);
    chip.port.send(rx(100), 2);
    // 20 good unicast of 200, 1 broadcast, 2 pause, 3 with one collision, 4 with five.
    chip.port.send(tx(200), 20);
    chip.port.send(tx(64).to(broadcast), 1);
    chip.port.send(tx(64).to(multicast).as(pause_), 2);
    chip.port.send(tx(64).collided(1), 3);
    chip.port.send(tx(64).collided(5), 4);
    chip.port.send(tx(64).late_start(), 5);
    // 6 late after 2 others, 7 given up, 8 deferred, 9 truncated, 10 underruns, 11 of wrong CRC.
    chip.port.send(tx(64).collided(2).with(late), 6);
    chip.port.send(tx(64).with(excessive), 7);
    chip.port.send(tx(64).with(deferral), 8);
    chip.port.send(tx(3000), 9);
    chip.port.send(tx(64).with(underrun), 10);
    chip.port.send(tx(64).with(fcs), 11);
    chip.poll();

    Standard standard(chip.acc);
    IS(standard, FRAMES_RECEIVED_OK, 21);
    IS(standard, MULTICAST_FRAMES_RECEIVED_OK, 6);
    IS(standard, BROADCAST_FRAMES_RECEIVED_OK, 3);
    IS(standard, FRAME_CHECK_SEQUENCE_ERRORS, 5);
    IS(standard, ALIGNMENT_ERRORS, 6);
    IS(standard, FRAME_TOO_LONG_ERRORS, 27);
    IS(standard, FRAMES_TRANSMITTED_OK, 35);
    IS(standard, MULTICAST_FRAMES_XMITTED_OK, 2);
    IS(standard, BROADCAST_FRAMES_XMITTED_OK, 1);
    IS(standard, SINGLE_COLLISION_FRAMES, 3);
    IS(standard, MULTIPLE_COLLISION_FRAMES, 4);
    IS(standard, FRAMES_WITH_DEFERRED_XMISSIONS, 5);
    IS(standard, LATE_COLLISIONS, 6);
    IS(standard, FRAMES_ABORTED_DUE_TO_XS_COLLS, 7);
    IS(standard, FRAMES_WITH_EXCESSIVE_DEFERRAL, 8);
    IS(standard, FRAMES_LOST_DUE_TO_INT_MAC_XMIT_ERROR, 10);
    IS(standard, OVERSIZE_PKTS, 8);
    IS(standard, JABBERS, 9);
    IS(standard, RX_PAUSE_FRAMES, 2);
    IS(standard, TX_PAUSE_FRAMES, 2);
    IS(standard, UNSUPPORTED_OPCODES_RECEIVED, 0);

    // Without the FCS: 12 * 96 + 4 * 1518 + 5 * 60, and 20 * 196 + 15 * 60.
    IS(standard, RTNL_RX_PACKETS, 21);
    IS(standard, RTNL_RX_BYTES, 12 * 96 + 4 * 1518 + 5 * 60);
    IS(standard, RTNL_TX_PACKETS, 35);
    IS(standard, RTNL_TX_BYTES, 20 * 196 + 15 * 60);
    IS(standard, RTNL_MULTICAST, 6);
    IS(standard, RTNL_RX_ERRORS, 5 + 6 + 7 + 8 + 9 + 10 + 11 + 12);
    IS(standard, RTNL_RX_CRC_ERRORS, 5);
    IS(standard, RTNL_RX_FRAME_ERRORS, 6);
    IS(standard, RTNL_RX_LENGTH_ERRORS, 27);
    IS(standard, RTNL_TX_ERRORS, 6 + 7 + 8 + 9 + 10 + 11);
    IS(standard, RTNL_TX_ABORTED_ERRORS, 7);
    IS(standard, RTNL_TX_WINDOW_ERRORS, 6);
    IS(standard, RTNL_TX_FIFO_ERRORS, 10);
    // 3 + 4 * 5, late ones 6 * (2 + 1), 7 * 16.
    IS(standard, RTNL_COLLISIONS, 3 + 20 + 18 + 112);
}

BOOST_AUTO_TEST_CASE(statistics_that_the_mac_cannot_report_are_absent) {
    PolledMac chip;
    Standard standard(chip.acc);
    const std::set<int> absent = {
        MACSTATS_STD_OCTETS_RECEIVED_OK,
        MACSTATS_STD_OCTETS_TRANSMITTED_OK,
        MACSTATS_STD_CARRIER_SENSE_ERRORS,
        MACSTATS_STD_FRAMES_LOST_DUE_TO_INT_MAC_RCV_ERROR,
        MACSTATS_STD_IN_RANGE_LENGTH_ERRORS,
        MACSTATS_STD_OUT_OF_RANGE_LENGTH_FIELD,
        MACSTATS_STD_MAC_CONTROL_FRAMES_TRANSMITTED,
        MACSTATS_STD_MAC_CONTROL_FRAMES_RECEIVED,
        MACSTATS_STD_UNDERSIZE_PKTS,
        MACSTATS_STD_FRAGMENTS,
        MACSTATS_STD_RTNL_RX_DROPPED,
        MACSTATS_STD_RTNL_TX_DROPPED,
        MACSTATS_STD_RTNL_RX_OVER_ERRORS,
        MACSTATS_STD_RTNL_RX_FIFO_ERRORS,
        MACSTATS_STD_RTNL_TX_CARRIER_ERRORS,
        MACSTATS_STD_RTNL_TX_HEARTBEAT_ERRORS,
        MACSTATS_STD_HIST_RX, // by its rows
        MACSTATS_STD_HIST_TX,
    };

    for (int id = MACSTATS_STD_NONE + 1; id < MACSTATS_STD_COUNT; id++)
        BOOST_TEST_CONTEXT("statistic " << id)
    BOOST_TEST(standard.has(static_cast<unsigned int>(id)) == (absent.count(id) == 0));
}

BOOST_AUTO_TEST_CASE(each_histogram_has_the_seven_ranges_of_one_direction) {
    const u32 low[] = {64, 65, 128, 256, 512, 1024, 1519};
    const u32 high[] = {64, 127, 255, 511, 1023, 1518, 16383};

    for (auto [id, first] :
         {std::pair<unsigned int, u32>{MACSTATS_STD_HIST_RX, 0x25},
          std::pair<unsigned int, u32>{MACSTATS_STD_HIST_TX, 0x45}}) {
        macstats_bucket buckets[10] = {};

        BOOST_TEST_REQUIRE(macstats_histogram(&ixf1104_model, id, buckets, 10) == 7u);
        for (unsigned int i = 0; i < 7; i++) {
            BOOST_TEST(buckets[i].low == low[i]);
            BOOST_TEST(buckets[i].high == high[i]);
            BOOST_TEST(ixf1104_model.counters[buckets[i].counter].offset == first + i);
        }
    }
}

// Any combination of errors, on either medium. On fiber, runts are not counted.
BOOST_AUTO_TEST_CASE(a_bad_frame_is_one_error_however_many_things_are_wrong_with_it) {
    for (u8 options : {copper, fiber, half}) {
        for (u32 length : {2u, 60u, 64u, 1518u, 1519u, 7000u}) {
            for (unsigned int errors = 0; errors < 2 * overrun; errors++) {
                bool undersized = length < 64;
                bool bad_rx = errors & (fcs | alignment | code);
                bool bad_tx = errors & (fcs | underrun);
                bool collided = errors & (late | excessive | deferral);
                PolledMac chip(with(options));

                if (errors & (payload_length | carrier_loss | overrun))
                    continue;
                chip.port.send(rx(length).with(errors));
                chip.port.send(rx(64), 2);
                // In full duplex there is nothing that such a frame could be.
                if (options == half || !collided)
                    chip.port.send(tx(length).with(errors));
                chip.poll();

                Standard standard(chip.acc);
                BOOST_TEST_CONTEXT("length " << length << " errors " << errors) {
                    if (undersized)
                        IS(standard, RTNL_RX_ERRORS, options != fiber);
                    else
                        IS(standard, RTNL_RX_ERRORS, bad_rx || length > 1518);
                    IS(standard, RTNL_RX_PACKETS, 2u + (!undersized && length <= 1518 && !bad_rx));
                    if (options == half || !collided)
                        IS(standard, RTNL_TX_ERRORS, bad_tx || collided || length > 1518);
                }
            }
        }
    }
}

// 5.3: Table 25 gives a sum and TxTotalCollisions; late ones are in one of them.
BOOST_AUTO_TEST_CASE(collisions_are_not_counted_twice) {
    PolledMac chip(with(half));

    chip.port.send(tx(64).with(late));
    chip.poll();
    BOOST_TEST(chip.total("TxTotalCollisions") == 0u);
    BOOST_TEST(chip.total("TxLateCollisions") == 1u);
    IS(chip.standard(), RTNL_COLLISIONS, 1);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(wraps)

// Each counter 5 below its end, and ten times its event across: the total is exact.
BOOST_AUTO_TEST_CASE(a_total_is_exact_across_the_wrap_of_its_counter) {
    for (const Named& one : names) {
        std::optional<Counting> how = counting(one.reg);

        if (!how)
            continue;
        PolledMac chip(with(how->with));

        chip.port.write(max_frame_size, how->max);
        chip.preset(one.reg, 0xfffffffb);
        chip.poll();
        BOOST_TEST_CONTEXT(one.reg) {
            BOOST_TEST(chip.total(one.reg) == 0u);
            chip.preset(one.reg, 0xfffffffb);
            chip.port.send(how->frame, 10);
            chip.port.send(rx(64), 0);
            if (ixf1104_model.counters[counter_index(ixf1104_model, one.reg)].good_frames)
                chip.port.send(rx(64), 2);
            chip.poll();
            BOOST_TEST(chip.total(one.reg) == 10 * how->amount);
            chip.port.send(how->frame, 3);
            if (ixf1104_model.counters[counter_index(ixf1104_model, one.reg)].good_frames)
                chip.port.send(rx(64), 2);
            chip.poll();
            BOOST_TEST(chip.total(one.reg) == 13 * how->amount);
        }
    }
}

// Runts are shown after two good frames, whatever the counter was preset to meanwhile.
BOOST_AUTO_TEST_CASE(a_preset_of_a_counter_that_lags_loses_nothing) {
    PolledMac chip;

    chip.port.send(rx(40), 3);
    chip.preset("RxRuntErrors", 1000);
    BOOST_TEST(chip.total("RxRuntErrors") == 0u);
    chip.port.send(rx(64), 2);
    chip.poll();
    BOOST_TEST(chip.total("RxRuntErrors") == 3u);
    chip.port.send(rx(40), 4);
    chip.port.send(rx(64), 2);
    chip.preset("RxRuntErrors", 1000);
    BOOST_TEST(chip.total("RxRuntErrors") == 7u);
    BOOST_TEST(chip.port.read("RxRuntErrors") == 1000u);
}

BOOST_AUTO_TEST_CASE(a_reset_drops_what_is_not_shown_yet) {
    Mac port;

    port.send(rx(64), 5);
    port.send(rx(40), 3);
    port.fault(MACSTATS_FAULT_RESET);
    port.send(rx(64), 1);
    BOOST_TEST(port.read("RxRuntErrors") == 0u);
    port.send(rx(64), 2);
    BOOST_TEST(port.read("RxRuntErrors") == 0u);
}

BOOST_AUTO_TEST_CASE(a_counter_that_was_not_preset_wraps_at_two_to_the_32) {
    Mac port;

    port.send(rx(64), 0xffffffff);
    port.send(rx(64).with(fcs), 0x100000003);
    BOOST_TEST(port.read("RxUCPkts") == 0xffffffffu);
    BOOST_TEST(port.read("RxFCSErrors") == 3u);
    BOOST_TEST(port.read("RxPkts64Octets") == 2u);
}

// 34.36 s at line rate is 2^32 octets; twice that many between polls cannot be seen in
// the counter, but in the time.
BOOST_AUTO_TEST_CASE(two_wraps_between_polls_are_a_possible_loss) {
    PolledMac chip;

    chip.port.send(rx(1024), 4000000); // and 20 octets more of each on the line
    BOOST_TEST(chip.poll(34000000000) == 0u);
    BOOST_TEST(!chip.acc.possible_loss);
    chip.port.send(rx(1024), 1 << 23);
    BOOST_TEST(chip.poll(69000000000) == unsigned{MACSTATS_EVENT_POSSIBLE_LOSS});
    BOOST_TEST(chip.acc.possible_loss);
    BOOST_TEST(chip.total("RxUCPkts") == 4000000u + (1u << 23));
    BOOST_TEST(chip.total("RxOctetsTotalOK") == 4000000u * 1024);
}

// 5.3: "wrap 17-34 s not accumulated"; 2.6: the bad octets were read every 30 minutes.
BOOST_AUTO_TEST_CASE(octets_good_and_bad_are_never_lost_at_line_rate) {
    PolledMac chip;
    u64 frames = 15 * 125000000ull / 1000 / 2; // of 1000 octets, gaps left out

    for (int i = 0; i < 200; i++) {
        chip.port.send(rx(1000), frames);
        chip.port.send(rx(1000).with(fcs), frames);
        chip.port.send(tx(1000), frames);
        chip.port.send(tx(1000).with(fcs), frames);
        BOOST_TEST(chip.poll(15000000000) == 0u);
    }
    for (const char* reg :
         {"RxOctetsTotalOK", "RxOctetsBAD", "OctetsTransmittedOK", "OctetsTransmittedBad"})
        BOOST_TEST(chip.total(reg) == u64{200} * 15 * 125000000 / 2);
    BOOST_TEST(!chip.acc.possible_loss);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
