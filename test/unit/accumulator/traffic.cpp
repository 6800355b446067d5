// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// What the traffic of a port tells about its counters: whether one may have wrapped between two
// polls, and whether octets and frames belong together.
#include "boost_test.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "models.hpp"
#include "synthetic.hpp"

using namespace macstats::test;

BOOST_AUTO_TEST_SUITE(unit_traffic)

BOOST_AUTO_TEST_SUITE(going_round)

// Octets of 32 bits: 2^32 octet times may be 2^32 octets. Frames of 32 bits alone: of at least 84
// octet times each.
BOOST_AUTO_TEST_CASE(the_narrowest_counter_decides) {
    BOOST_TEST(macstats__fewest_wrap_octets(&e1000_model) == u64{1} << 32);
    BOOST_TEST(macstats__fewest_wrap_octets(&ixf1104_model) == u64{1} << 32);
    BOOST_TEST(macstats__fewest_wrap_octets(&ll40g_model) == ~u64{0});
    macstats_model model = clearing_model;
    model.counters++;
    model.n_counters = 2;
    BOOST_TEST(macstats__fewest_wrap_octets(&model) == (u64{1} << 32) * 84);
    BOOST_TEST(macstats__fewest_wrap_octets(&saturating_model) == ~u64{0});
}

BOOST_AUTO_TEST_CASE(what_the_bus_reports_is_compared_with_the_width) {
    for (const u64 count : {u64{2684354}, u64{2684355}}) { // of 1600 octet times: 2^32 is between
        Polled polled(clearing_model);

        polled.port.send(rx(1580), count);
        BOOST_TEST(polled.poll() == 0);
        BOOST_TEST(polled.acc.state.possible_loss == (count == 2684355));
        BOOST_TEST(
            polled.acc.state.loss ==
            std::string(count == 2684355 ? "more passed on the line than a counter shows" : ""));
        polled.acc.state.possible_loss = false;
        polled.port.send(rx(1580), 1000);
        BOOST_TEST(polled.poll() == 0);
        BOOST_TEST(!polled.acc.state.possible_loss);
    }
}

BOOST_AUTO_TEST_CASE(what_passed_before_a_failed_poll_counts) {
    Polled polled(clearing_model);

    polled.port.send(rx(1580), 2000000);
    polled.port.fault(MACSTATS_FAULT_BUS_ERROR);
    BOOST_TEST(polled.poll() == -EIO);
    polled.port.fault(MACSTATS_FAULT_BUS_ERROR, false);
    polled.port.send(rx(1580), 2000000);
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.acc.state.possible_loss);
}

// A virtual part: no line rate, and a bus that knows nothing. The maximum is 1522 octets, with two
// tags 1530: 2,807,169 frames of them are the first that have more than 2^32 - 1 octets.
BOOST_AUTO_TEST_CASE(frames_tell_how_many_octets_there_may_be) {
    for (const u64 count : {u64{2807168}, u64{2807169}})
        for (const u8 direction : directions) {
            Polled polled(e1000_model);

            polled.acc.bus.line_octets = nullptr;
            polled.port.send(Frame(direction, 64), count);
            BOOST_TEST(polled.poll_after(3'000'000'000) == 0);
            BOOST_TEST(polled.acc.state.possible_loss == (count == 2807169));
            polled.acc.state.possible_loss = false;
            polled.port.send(Frame(direction, 64), 1000);
            BOOST_TEST(polled.poll() == 0);
            BOOST_TEST(!polled.acc.state.possible_loss);
        }
}

// 2^32 octets in 1.8 s are 19 Gb/s.
BOOST_AUTO_TEST_CASE(no_hardware_is_19_times_faster_than_its_model) {
    Polled polled(e1000_model);

    polled.acc.bus.line_octets = nullptr;
    polled.port.send(rx(64), 3000000);
    BOOST_TEST(polled.poll_after(1'800'000'000) == 0);
    BOOST_TEST(!polled.acc.state.possible_loss);
}

// The time since the last poll tells how many octets there can have been.
BOOST_AUTO_TEST_CASE(a_line_rate_tells_more_than_frames) {
    Polled polled(e1000_model);

    polled.acc.bus.line_octets = nullptr;
    polled.acc.line_rate_bound = true;
    polled.port.send(rx(64), 3000000);
    BOOST_TEST(polled.poll_after(10'000'000'000) == 0);
    BOOST_TEST(!polled.acc.state.possible_loss);
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

// A port of real hardware: the bound of a clock, which the test moves.
class Real : public Polled {
public:
    explicit Real(const macstats_model& model) : Polled(model) {
        acc.bus.line_octets = nullptr;
        acc.line_rate_bound = true;
    }

    // A reset leaves anything in a counter.
    void change(std::string_view reg, u64 by) {
        const unsigned int i = index(reg);
        const u64 now = port.preset(i, 0);

        port.preset(i, (now + by) & macstats_bits_mask(acc.model->counters[i].bits));
    }
};

struct Pair {
    const macstats_model* model;
    const char* octets;
    const char* frames;
    u8 direction;
};

// Octets and frames of the same frames, by the datasheets.
const Pair pairs[] = {
    {&e1000_model, "GORC", "GPRC", MACSTATS_RX},
    {&e1000_model, "GOTC", "GPTC", MACSTATS_TX},
    {&ixf1104_model, "RxOctetsTotalOK", "RxUCPkts", MACSTATS_RX},
    {&ixf1104_model, "OctetsTransmittedOK", "TxUCPkts", MACSTATS_TX},
    {&cpsw_model, "Rx Octets", "Good Rx Frames", MACSTATS_RX},
    {&cpsw_model, "Tx Octets", "Good Tx Frames", MACSTATS_TX},
};

} // namespace

BOOST_AUTO_TEST_SUITE(octets_and_frames)

BOOST_AUTO_TEST_CASE(octets_without_frames_show_a_reset) {
    for (const Pair& pair : pairs)
        for (const u64 phantom : {1u, 1000u, 1000000u, 50000000u, 120000000u}) {
            BOOST_TEST_CONTEXT(pair.model->name << " " << pair.octets << " " << phantom) {
                Real real(*pair.model);

                real.send(Frame(pair.direction, 100), 5);
                BOOST_TEST(real.poll_after(1'000'000'000) == 0);
                BOOST_TEST(real.events == 0u);
                BOOST_TEST(real.total(pair.octets) == 500u);
                real.change(pair.octets, phantom);
                BOOST_TEST(real.poll_after(1'000'000'000) == 0);
                BOOST_TEST(real.events == MACSTATS_EVENT_DISCONTINUITY);
                BOOST_TEST(real.acc.state.suspect == real.index(pair.octets));
                BOOST_TEST(real.total(pair.octets) == 500u);
                real.send(Frame(pair.direction, 100), 2);
                BOOST_TEST(real.poll_after(1'000'000'000) == 0);
                BOOST_TEST(real.events == 0u);
                BOOST_TEST(real.total(pair.octets) == 700u);
                BOOST_TEST(real.total(pair.frames) == 7u);
            }
        }
}

BOOST_AUTO_TEST_CASE(frames_without_octets_show_one_too) {
    for (const Pair& pair : pairs)
        for (const u64 phantom : {100u, 1000000u}) {
            BOOST_TEST_CONTEXT(pair.model->name << " " << pair.frames << " " << phantom) {
                Real real(*pair.model);

                real.send(Frame(pair.direction, 100), 5);
                BOOST_TEST(real.poll_after(1'000'000'000) == 0);
                real.change(pair.frames, phantom);
                BOOST_TEST(real.poll_after(1'000'000'000) == 0);
                BOOST_TEST(real.events == MACSTATS_EVENT_DISCONTINUITY);
                BOOST_TEST(real.total(pair.frames) == 5u);
            }
        }
}

// GPRC counts frames of 64 octets or more. The longest that anything here can be is 65,535.
BOOST_AUTO_TEST_CASE(a_frame_has_64_to_65535_octets) {
    const struct {
        u64 frames, octets;
        bool possible;
    } cases[] = {{100, 6400, true}, {100, 6399, false}, {10, 655350, true}, {10, 655351, false}};

    for (const auto& one : cases) {
        Real real(e1000_model);

        real.change("GPRC", one.frames);
        real.change("GORC", one.octets);
        BOOST_TEST(real.poll_after(1'000'000'000) == 0);
        BOOST_TEST(
            real.events ==
            (one.possible ? 0u : static_cast<unsigned int>(MACSTATS_EVENT_DISCONTINUITY)));
        BOOST_TEST(real.total("GPRC") == (one.possible ? one.frames : 0));
        BOOST_TEST(real.total("GORC") == (one.possible ? one.octets : 0));
    }
}

// The two are not read in the same instant.
BOOST_AUTO_TEST_CASE(frames_that_arrive_while_a_poll_reads_contradict_nothing) {
    for (const Pair& pair : pairs) {
        BOOST_TEST_CONTEXT(pair.model->name << " " << pair.octets) {
            Polled polled(*pair.model);
            u64 sent = 0;

            polled.acc.line_rate_bound = true;
            for (unsigned int i = 0; i < 40; i++) {
                unsigned int word = 0;

                polled.bus.before_read = [&](u32) {
                    if (word++ == i) {
                        polled.port.send(Frame(pair.direction, 1500), 3);
                        sent += 3;
                    }
                };
                BOOST_TEST(polled.poll() == 0);
                BOOST_TEST(polled.events == 0u);
            }
            polled.bus.before_read = nullptr;
            BOOST_TEST(polled.poll() == 0);
            BOOST_TEST(polled.total(pair.frames) == sent);
            BOOST_TEST(polled.total(pair.octets) == sent * 1500);
        }
    }
}

// A poll that read only one of them leaves the other one behind.
BOOST_AUTO_TEST_CASE(a_failed_poll_contradicts_nothing) {
    for (const Pair& pair : pairs)
        for (u32 word = 0; word < 40; word++) {
            BOOST_TEST_CONTEXT(pair.model->name << " " << pair.octets << " word " << word) {
                Polled polled(*pair.model);

                polled.acc.line_rate_bound = true;
                for (int i = 0; i < 3; i++) {
                    polled.port.send(Frame(pair.direction, 1500), 3);
                    polled.port.fault(
                        {.faults = MACSTATS_FAULT_BUS_ERROR_AT,
                         .active = true,
                         .during_read = false,
                         .argument = word % macstats_counter_words(pair.model)});
                    polled.poll();
                    polled.port.fault(MACSTATS_FAULT_BUS_ERROR_AT, false);
                    polled.port.send(Frame(pair.direction, 1500), 3);
                    BOOST_TEST(polled.poll() == 0);
                }
                BOOST_TEST(polled.acc.state.discontinuities == 0u);
                BOOST_TEST(polled.total(pair.frames) == 18u);
                BOOST_TEST(polled.total(pair.octets) == 18u * 1500);
            }
        }
}

// A port of which one row counts what another one does not.
BOOST_AUTO_TEST_CASE(octets_of_frames_that_no_counter_has_contradict_nothing) {
    Provided port(ixf1104_model);
    const auto multicast = [](const macstats_counter& counter) {
        return counter.name == std::string("tx_mc_pkts");
    };

    for (unsigned int i = 0; i < ixf1104_model.n_counters; i++)
        if (multicast(ixf1104_model.counters[i]))
            macstats_add_row(&port.acc.left_out, i);
    port.acc.line_rate_bound = true;
    BOOST_TEST(port.start() == 0);
    port.send(tx(1500).to(MACSTATS_MULTICAST), 1000);
    BOOST_TEST(port.poll_after(1'000'000'000) == 0);
    BOOST_TEST(port.events == 0u);
    BOOST_TEST(port.total("OctetsTransmittedOK") == 1'500'000u);
}

// Octets without frames in the express MAC, of two or alone.
BOOST_AUTO_TEST_CASE(a_port_without_a_preemptible_mac_is_checked_by_its_other_one) {
    for (const bool alone : {false, true}) {
        Provided port(netc_model);

        for (unsigned int i = 0; alone && i < netc_model.n_counters; i++)
            if (netc_model.counters[i].mac == MACSTATS_MAC_PREEMPTIBLE)
                macstats_add_row(&port.acc.left_out, i);
        port.acc.bus.line_octets = nullptr;
        port.acc.line_rate_bound = true;
        BOOST_TEST(port.start() == 0);
        port.send(rx(100), 5);
        BOOST_TEST(port.poll_after(1'000'000'000) == 0);
        BOOST_TEST(port.events == 0u);
        port.port.preset(port.index("PM0_ROCT"), 1'000'000);
        BOOST_TEST(port.poll_after(1'000'000'000) == 0);
        BOOST_TEST(port.events == MACSTATS_EVENT_DISCONTINUITY);
        BOOST_TEST(port.total("PM0_ROCT") == 500u);
        BOOST_TEST(port.total("PM0_RFRM") == 5u);
    }
}

BOOST_AUTO_TEST_CASE(a_preset_contradicts_nothing) {
    for (const Pair& pair : pairs)
        for (const char* reg : {pair.octets, pair.frames}) {
            Polled polled(*pair.model);

            polled.acc.line_rate_bound = true;
            polled.port.send(Frame(pair.direction, 1500), 3);
            polled.preset(reg, 1000000);
            polled.port.send(Frame(pair.direction, 1500), 3);
            BOOST_TEST(polled.poll() == 0);
            BOOST_TEST(polled.acc.state.discontinuities == 0u);
            BOOST_TEST(polled.total(pair.frames) == 6u);
            BOOST_TEST(polled.total(pair.octets) == 9000u);
        }
}

// Descriptors may come back at any time.
BOOST_AUTO_TEST_CASE(software_counters_have_no_share) {
    const Polled polled(rc32438_model);

    for (unsigned int i = 0; i < rc32438_model.n_counters; i++)
        BOOST_TEST(+polled.acc.counters[i].share == MACSTATS_SHARE_NONE);
}

BOOST_AUTO_TEST_SUITE_END()

// 80 million frames of 64 octets: more octets than 32 bits show.
BOOST_AUTO_TEST_CASE(they_do_not_contradict_their_frames) {
    Copy copy(e1000_model);
    for (macstats_counter& row : copy.rows)
        if (row.reg == std::string("GORC"))
            row.overflow = MACSTATS_SATURATE;
    Real real(copy.model());

    real.poll_after(1'000'000'000);
    real.send(rx(64), 80'000'000);
    BOOST_TEST(real.poll_after(60'000'000'000) == 0);
    BOOST_TEST((real.events & MACSTATS_EVENT_DISCONTINUITY) == 0u);
    BOOST_TEST(real.total("GPRC") == 80'000'000u);
    BOOST_TEST(real.total("GORC") == 0xffffffffu);
}

BOOST_AUTO_TEST_SUITE(a_line_rate_that_changes)

namespace {

constexpr u64 megabit = 1000000;
constexpr u64 second = 1'000'000'000;

// 2^32 octets, less 1/8 and a microsecond.
constexpr u64 gap_at_10_megabit = 3'435'973'836 - 429'496'729 - 1;
constexpr u64 gap_at_1000_megabit = 34'359'738 - 4'294'967 - 1;

// Octets of a second at a line rate, or a little less.
u64 octets_of(u64 rate_bps) {
    return rate_bps / 8 / 100 * 99;
}

struct Link : Real {
    explicit Link(u64 rate_bps) : Real(e1000_model), rate(rate_bps), highest(rate_bps) {
        acc.bus.line_rate = [](void*) { return links->look(); };
        acc.bus.context = &bus;
        links = this;
        poll_after(second);
        poll_after(second);
    }

    void set(u64 rate_bps) {
        rate = rate_bps;
        highest = std::max(highest, rate);
    }

    u64 look() { return std::exchange(highest, rate); }

    // So many octets of frames of 1000 come in a second. Are they added?
    bool carries(u64 octets) {
        const u64 before = total("GORC");

        send(rx(1000), octets / 1000);
        BOOST_TEST(poll_after(second) == 0);
        return total("GORC") - before == octets / 1000 * 1000;
    }

    u64 rate;
    u64 highest; // since the last look
    static inline Link* links = nullptr;
};

} // namespace

BOOST_AUTO_TEST_CASE(the_bound_and_the_wrap_time_follow) {
    Link link(10 * megabit);

    BOOST_TEST(link.acc.max_gap_usecs == gap_at_10_megabit);
    BOOST_TEST(link.carries(octets_of(10 * megabit)));
    BOOST_TEST(!link.carries(octets_of(100 * megabit)));
    link.set(1000 * megabit);
    BOOST_TEST(link.carries(octets_of(1000 * megabit)));
    BOOST_TEST(link.acc.max_gap_usecs == gap_at_1000_megabit);
}

// It may have happened at any time since the last poll.
BOOST_AUTO_TEST_CASE(a_change_under_way_is_bounded_by_the_higher_rate) {
    Link link(1000 * megabit);

    link.set(10 * megabit);
    BOOST_TEST(link.carries(octets_of(1000 * megabit)));
    BOOST_TEST(link.acc.max_gap_usecs == gap_at_10_megabit);
    BOOST_TEST(!link.carries(octets_of(100 * megabit)));
    BOOST_TEST(link.carries(octets_of(10 * megabit)));
}

BOOST_AUTO_TEST_CASE(a_rate_that_rises_and_falls_between_two_polls_is_a_bound) {
    Link link(100 * megabit);

    link.set(1000 * megabit);
    link.set(100 * megabit);
    BOOST_TEST(link.carries(octets_of(1000 * megabit)));
    BOOST_TEST(link.carries(octets_of(100 * megabit)));
    BOOST_TEST(!link.carries(octets_of(1000 * megabit)));
}

// What comes while a poll reads, it shows or the next one.
BOOST_AUTO_TEST_CASE(a_rate_that_falls_while_a_poll_reads_bounds_the_next_one) {
    Link link(1000 * megabit);

    link.bus.before_read = [&](u32) { link.set(10 * megabit); };
    BOOST_TEST(link.carries(octets_of(1000 * megabit)));
    link.bus.before_read = nullptr;
    BOOST_TEST(link.carries(octets_of(1000 * megabit)));
    BOOST_TEST(!link.carries(octets_of(1000 * megabit)));
    BOOST_TEST(link.carries(octets_of(10 * megabit)));
}

// Octets may wrap after 300.6 s at 100 Mb/s, and after 30.06 s at 1 Gb/s.
BOOST_AUTO_TEST_CASE(a_rate_that_rises_makes_no_poll_late_that_was_not) {
    Link link(100 * megabit);

    link.set(1000 * megabit);
    BOOST_TEST(link.poll_after(295 * second) == 0);
    BOOST_TEST(!link.acc.state.possible_loss);
    BOOST_TEST(link.poll_after(30 * second) == 0);
    BOOST_TEST(!link.acc.state.possible_loss);
    BOOST_TEST(link.poll_after(31 * second) == 0);
    BOOST_TEST(link.acc.state.possible_loss);
}

BOOST_AUTO_TEST_CASE(time_at_both_rates_adds_up) {
    for (const u64 rest : {u64{12}, u64{14}}) {
        Link link(100 * megabit);

        link.set(1000 * megabit);
        link.port.fault(MACSTATS_FAULT_BUS_ERROR);
        BOOST_TEST(link.poll_after(170 * second) == -EIO);
        link.port.fault(MACSTATS_FAULT_BUS_ERROR, false);
        BOOST_TEST(link.poll_after(rest * second) == 0);
        BOOST_TEST(link.acc.state.possible_loss == (rest == 14));
    }
}

BOOST_AUTO_TEST_CASE(a_failed_poll_ends_no_change) {
    Link link(1000 * megabit);

    link.set(10 * megabit);
    link.port.fault(MACSTATS_FAULT_BUS_ERROR);
    BOOST_TEST(link.poll_after(second) == -EIO);
    link.set(1000 * megabit);
    BOOST_TEST(link.poll_after(second) == -EIO);
    link.set(100 * megabit);
    link.port.fault(MACSTATS_FAULT_BUS_ERROR, false);
    BOOST_TEST(link.carries(3 * octets_of(1000 * megabit)));
    BOOST_TEST(!link.carries(octets_of(1000 * megabit)));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
