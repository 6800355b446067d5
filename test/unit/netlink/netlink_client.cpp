// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The two families, attribute by attribute, as <macstats/netlink.h> has them.
#include "boost_test.hpp"

#include <cerrno>
#include <optional>

#include <macstats/model/netc.h>
#include <macstats/netlink.h>
#include <macstats/netlink_emu.h>
#include <macstats/standard.h>
#include <sys/resource.h>

#include "counters.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/netlink/client.hpp"
#include "libmacstats/netlink/emulator.hpp"
#include "libmacstats/netlink/ports.hpp"
#include "netlink_attributes.hpp"
#include "netlink_fake.hpp"

BOOST_AUTO_TEST_SUITE(unit_netlink_client)

using namespace macstats;
using namespace macstats::test;

namespace {

struct Asking {
    std::shared_ptr<Script> script = std::make_shared<Script>();
    Client client{conversation(script), family};
};

struct Controlling {
    std::shared_ptr<Script> script = std::make_shared<Script>();
    Emulator emulator{conversation(script), family};

    // The only request that was made.
    [[nodiscard]] Request request() const {
        BOOST_REQUIRE(script->sent.size() == 1U);
        return request_in(script->sent[0]);
    }
};

constexpr ModelId some_model(7);

} // namespace

BOOST_FIXTURE_TEST_SUITE(queries, Asking)

BOOST_AUTO_TEST_CASE(a_port_has_all_attributes_that_the_kernel_reports) {
    script->reply(
        MACSTATS_CMD_PORT_GET,
        joined(
            {port_attributes(), flag(MACSTATS_A_PORT_STALE),
             text(MACSTATS_A_PORT_STALE_REASON, "no snapshot"), flag(MACSTATS_A_PORT_POSSIBLE_LOSS),
             u64(MACSTATS_A_PORT_DISCONTINUITY_TIME, 77)}));
    const auto port = client.port(IfIndex(9));
    BOOST_TEST(port->ifindex.value() == 9U);
    BOOST_TEST(port->name == "mac0");
    BOOST_TEST(port->model == "some_mac");
    BOOST_TEST(port->index.value() == 3U);
    BOOST_TEST(!port->without_counters);
    BOOST_TEST(port->stale);
    BOOST_TEST(port->stale_reason == "no snapshot");
    BOOST_TEST(port->possible_loss);
    BOOST_TEST(port->discontinuities == 2U);
    BOOST_TEST(port->discontinuity_ns.value() == 77U);
    BOOST_TEST(port->parity_errors == 1U);
    BOOST_TEST(port->poll_usecs == 1'000'000U);
    BOOST_TEST(port->poll_ceiling_usecs == 30'000'000U);
    BOOST_TEST(port->poll_ns == 5'000'000'000U);

    const Request request = request_in(script->sent[0]);
    BOOST_TEST(request.generic.cmd == MACSTATS_CMD_PORT_GET);
    BOOST_TEST(request.generic.version == MACSTATS_GENL_VERSION);
    BOOST_TEST(request.u32(MACSTATS_A_PORT_IFINDEX) == 9U);
}

BOOST_AUTO_TEST_CASE(a_port_has_its_work_its_suspect_and_its_saturated_counters) {
    script->reply(
        MACSTATS_CMD_PORT_GET,
        joined(
            {port_attributes(), u32(MACSTATS_A_PORT_DISCONTINUITY_COUNTER, 6),
             u64(MACSTATS_A_PORT_DISCONTINUITY_VALUE, 1ULL << 32), saturated(4, 2),
             u32(MACSTATS_A_PORT_LATE_POLLS, 1), u32(MACSTATS_A_PORT_FAILED_POLLS, 2),
             u64(MACSTATS_A_PORT_LONGEST_POLL, 3), u64(MACSTATS_A_PORT_LONGEST_WAIT, 4)}));
    const auto port = client.port(IfIndex(9));
    BOOST_REQUIRE(port->suspect.has_value());
    BOOST_TEST(port->suspect->counter.value() == 6U);
    BOOST_TEST(port->suspect->value == 1ULL << 32);
    BOOST_REQUIRE(port->saturated.size() == 1U);
    BOOST_TEST(port->saturated[0].counter.value() == 4U);
    BOOST_TEST(port->saturated[0].times == 2U);
    BOOST_TEST(port->saturated[0].time_ns == 99U);
    BOOST_REQUIRE(port->work.has_value());
    BOOST_TEST(port->work->late_polls == 1U);
    BOOST_TEST(port->work->failed_polls == 2U);
    BOOST_TEST(port->work->longest_poll_ns == 3U);
    BOOST_TEST(port->work->longest_wait_ns == 4U);
}

BOOST_AUTO_TEST_CASE(a_saturated_counter_without_its_number_is_an_error) {
    script->reply(
        MACSTATS_CMD_PORT_GET,
        joined(
            {port_attributes(),
             attribute_of(
                 MACSTATS_A_PORT_SATURATED,
                 joined(
                     {u64(MACSTATS_A_SATURATED_TIMES, 2), u64(MACSTATS_A_SATURATED_TIME, 99)}))}));
    BOOST_TEST(client.port(IfIndex(9)).error().errnum == EBADMSG);
}

BOOST_AUTO_TEST_CASE(a_port_without_an_attribute_that_must_be_there_is_an_error) {
    script->reply(MACSTATS_CMD_PORT_GET, text(MACSTATS_A_PORT_NAME, "mac0"));
    BOOST_TEST(client.port(IfIndex(9)).error().errnum == EBADMSG);
}

BOOST_AUTO_TEST_CASE(a_port_name_that_does_not_exist_is_rejected_with_those_that_do) {
    script->dump(MACSTATS_CMD_PORT_GET, {port_attributes(), port_attributes(10, "mac1")});
    const auto port = client.port("no-such-port");
    BOOST_TEST(port.error().errnum == ENODEV);
    BOOST_TEST(
        port.error().message == "there is no port \"no-such-port\"; the ports here are mac0, mac1");
}

BOOST_AUTO_TEST_CASE(a_port_name_is_not_missing_if_nobody_knows_the_ports) {
    script->answer({rejected(EPERM)});
    BOOST_TEST(client.port("no-such-port").error().errnum == EPERM);
}

BOOST_AUTO_TEST_CASE(an_interface_index_is_as_good_as_a_name) {
    script->reply(MACSTATS_CMD_PORT_GET, port_attributes(2'000'000'000, "mac0"));
    BOOST_TEST(client.port("2000000000").has_value());
    BOOST_TEST(request_in(script->sent[0]).u32(MACSTATS_A_PORT_IFINDEX) == 2'000'000'000U);
}

// Without file descriptors, nobody knows whether there is such a port.
BOOST_AUTO_TEST_CASE(a_name_that_cannot_be_looked_up_is_not_a_port_that_is_missing) {
    for (const char* name : {"lo", "an-alternative-name-of-some-interface"}) {
        rlimit before{};
        BOOST_REQUIRE(getrlimit(RLIMIT_NOFILE, &before) == 0);
        const rlimit none{.rlim_cur = 0, .rlim_max = before.rlim_max};
        BOOST_REQUIRE(setrlimit(RLIMIT_NOFILE, &none) == 0);
        const auto port = client.port(name);
        BOOST_REQUIRE(setrlimit(RLIMIT_NOFILE, &before) == 0);
        BOOST_TEST(port.error().errnum == EMFILE, name);
    }
    BOOST_TEST(script->sent.empty());
}

// The kernel would see what is in front of a NUL character or a colon: another name.
BOOST_AUTO_TEST_CASE(a_name_that_no_interface_has_is_no_port) {
    using namespace std::string_literals;
    for (const std::string& name : {"lo\0x"s, "lo:1"s, "the-name-of-no-interface-at-all"s}) {
        script->answer({done()});
        BOOST_TEST(client.port(name).error().errnum == ENODEV);
    }
}

BOOST_AUTO_TEST_CASE(statistics_are_64_bits_wide_and_in_order) {
    script->reply(MACSTATS_CMD_STATS_GET, statistics_attributes({0, ~0ULL, (1ULL << 53) + 1}));
    const auto statistics = client.statistics(IfIndex(9));
    BOOST_TEST(
        statistics->values == std::vector<std::uint64_t>({0, ~0ULL, (1ULL << 53) + 1}),
        boost::test_tools::per_element());
    BOOST_TEST(statistics->generation == 5U);
    BOOST_TEST(statistics->time_ns == 123U);
    BOOST_TEST(!statistics->stale);
    BOOST_TEST(!request_in(script->sent[0]).has(MACSTATS_A_STATS_CACHED));
}

BOOST_AUTO_TEST_CASE(counters_that_the_hardware_lacks_are_named) {
    const Datagram absent = u32s(MACSTATS_A_STATS_ABSENT, {0, 2});
    script->reply(
        MACSTATS_CMD_STATS_GET, joined({statistics_attributes({~0ULL, 5, ~0ULL}), absent}));
    script->reply(MACSTATS_CMD_STATS_GET, statistics_attributes({1}));
    const auto some = client.statistics(IfIndex(9));
    BOOST_REQUIRE(some->absent.size() == 2U);
    BOOST_TEST(is_absent(some->absent, CounterIndex(0)));
    BOOST_TEST(!is_absent(some->absent, CounterIndex(1)));
    BOOST_TEST(is_absent(some->absent, CounterIndex(2)));
    const auto all = client.statistics(IfIndex(9));
    BOOST_TEST(all->absent.empty());
}

BOOST_AUTO_TEST_CASE(a_list_of_absent_counters_of_another_size_is_an_error) {
    script->reply(
        MACSTATS_CMD_STATS_GET,
        joined({statistics_attributes({1}), attribute_of(MACSTATS_A_STATS_ABSENT, Datagram(3))}));
    BOOST_TEST(client.statistics(IfIndex(9)).error().errnum == EBADMSG);
}

BOOST_AUTO_TEST_CASE(an_index_that_no_counter_can_have_is_an_error) {
    for (const std::uint32_t absent : {std::uint32_t{MACSTATS_MAX_COUNTERS}, 4'000'000'000U}) {
        script->reply(
            MACSTATS_CMD_STATS_GET,
            joined({statistics_attributes({1}), u32s(MACSTATS_A_STATS_ABSENT, {absent})}));
        BOOST_TEST(client.statistics(IfIndex(9)).error().errnum == EBADMSG, absent);
    }
}

BOOST_AUTO_TEST_CASE(standard_statistics_come_with_their_bounds) {
    const auto bound_of = [](std::uint32_t id, std::uint32_t bound, std::uint64_t times) {
        return joined(
            {u32(MACSTATS_A_INEXACT_STANDARD, id), u32(MACSTATS_A_INEXACT_BOUND, bound),
             u64(MACSTATS_A_INEXACT_TIMES, times)});
    };
    script->reply(
        MACSTATS_CMD_STATS_GET,
        joined(
            {statistics_attributes({1}),
             // The last one is of a newer kernel.
             u32s(MACSTATS_A_STATS_STANDARD, {1, 4, 5, MACSTATS_STD_COUNT}),
             u64s(MACSTATS_A_STATS_STANDARD_VALUES, {10, 20, 30, 40}),
             attribute_of(MACSTATS_A_STATS_INEXACT, bound_of(4, MACSTATS_BOUND_AT_MOST, 3)),
             attribute_of(
                 MACSTATS_A_STATS_INEXACT,
                 joined({bound_of(5, 99, 0), flag(MACSTATS_A_INEXACT_STALE)}))}));
    const auto statistics = client.statistics(IfIndex(9));
    const std::vector<StandardValue> expected = {
        {.id = 1, .value = 10},
        {.id = 4, .value = 20, .bound = Bound::at_most, .times = 3},
        {.id = 5, .value = 30, .bound = Bound::unknown, .stale = true}};
    BOOST_TEST((statistics->standard == expected));
}

BOOST_AUTO_TEST_CASE(standard_statistics_out_of_order_are_an_error) {
    for (const std::uint32_t second : {1U, 4U}) {
        script->reply(
            MACSTATS_CMD_STATS_GET,
            joined(
                {statistics_attributes({1}), u32s(MACSTATS_A_STATS_STANDARD, {4, second}),
                 u64s(MACSTATS_A_STATS_STANDARD_VALUES, {10, 20})}));
        BOOST_TEST(client.statistics(IfIndex(9)).error().errnum == EBADMSG, second);
    }
}

BOOST_AUTO_TEST_CASE(standard_statistics_without_values_are_an_error) {
    script->reply(
        MACSTATS_CMD_STATS_GET,
        joined({statistics_attributes({1}), u32s(MACSTATS_A_STATS_STANDARD, {1, 4})}));
    BOOST_TEST(client.statistics(IfIndex(9)).error().errnum == EBADMSG);
}

BOOST_AUTO_TEST_CASE(cached_statistics_are_asked_for_with_a_flag) {
    script->reply(MACSTATS_CMD_STATS_GET, statistics_attributes({1}));
    script->answer({done()});
    BOOST_TEST(client.statistics(IfIndex(9), Freshness::cached).has_value());
    BOOST_TEST(client.statistics(Freshness::cached).has_value());
    for (const Datagram& sent : script->sent)
        BOOST_TEST(request_in(sent).has(MACSTATS_A_STATS_CACHED));
}

BOOST_AUTO_TEST_CASE(times_are_present_if_reported) {
    script->reply(
        MACSTATS_CMD_STATS_GET,
        joined(
            {u64(MACSTATS_A_STATS_DISCONTINUITY_TIME, 77), u64(MACSTATS_A_STATS_START_TIME, 11),
             statistics_attributes({1})}));
    script->reply(MACSTATS_CMD_STATS_GET, statistics_attributes({1}));
    const auto full = client.statistics(IfIndex(9));
    BOOST_TEST(full->discontinuity_ns.value() == 77U);
    BOOST_TEST(full->start_ns.value() == 11U);
    const auto bare = client.statistics(IfIndex(9));
    BOOST_TEST(!bare->discontinuity_ns.has_value());
}

BOOST_AUTO_TEST_CASE(only_statistics_of_a_model_can_be_asked_for) {
    script->answer({done()});
    BOOST_TEST(client.statistics_of_model(some_model, Freshness::cached).has_value());
    const Request request = request_in(script->sent.at(0));
    BOOST_TEST(request.u32(MACSTATS_A_STATS_MODEL_ID) == 7U);
    BOOST_TEST(request.has(MACSTATS_A_STATS_CACHED));
}

BOOST_AUTO_TEST_CASE(a_port_is_read_with_the_names_of_its_counters_and_its_state) {
    script->reply(MACSTATS_CMD_PORT_GET, port_attributes());
    script->reply(
        MACSTATS_CMD_STATS_GET, joined({statistics_attributes({5}), flag(MACSTATS_A_STATS_STALE)}));
    // It has become stale between the two: asked again.
    script->reply(
        MACSTATS_CMD_PORT_GET, joined(
                                   {port_attributes(), flag(MACSTATS_A_PORT_STALE),
                                    text(MACSTATS_A_PORT_STALE_REASON, "no snapshot")}));
    script->dump(MACSTATS_CMD_COUNTER_GET, {counter_attributes(0, "tx_a")});
    PortSelection selection;
    selection.ports = {"2000000000"};
    const auto ports = read_ports(client, selection);
    BOOST_REQUIRE(ports->size() == 1U);
    BOOST_TEST(ports->at(0).name == "mac0");
    BOOST_TEST(ports->at(0).stale_reason == "no snapshot");
    BOOST_TEST(ports->at(0).infos.size() == 1U);
    BOOST_TEST(ports->at(0).statistics.values.at(0) == 5U);
}

BOOST_AUTO_TEST_CASE(a_port_that_is_gone_between_two_lists_is_left_out) {
    script->dump(MACSTATS_CMD_STATS_GET, {statistics_attributes({5})});
    script->dump(MACSTATS_CMD_PORT_GET, {port_attributes(8, "mac1")});
    const auto ports = read_ports(client, {});
    BOOST_TEST(ports->empty());
}

BOOST_AUTO_TEST_CASE(a_port_that_is_gone_with_its_model_is_left_out) {
    script->dump(MACSTATS_CMD_STATS_GET, {statistics_attributes({5})});
    script->dump(MACSTATS_CMD_PORT_GET, {port_attributes()});
    script->answer({rejected(ENOENT, "no port has it")});
    const auto ports = read_ports(client, {});
    BOOST_TEST(ports->empty());
}

BOOST_AUTO_TEST_CASE(the_counters_of_a_read_outlive_the_client_and_the_read) {
    std::optional<Client> ended(std::in_place, conversation(script), family);
    script->dump(MACSTATS_CMD_STATS_GET, {statistics_attributes({5})});
    script->dump(MACSTATS_CMD_PORT_GET, {port_attributes()});
    script->dump(MACSTATS_CMD_COUNTER_GET, {counter_attributes(0, "tx_a")});
    auto ports = read_ports(*ended);
    ended.reset();
    const auto counters = ports->at(0).counters();
    ports->clear();
    BOOST_TEST(counters.at(0).name() == "tx_a");
}

// Whatever their numbers are.
BOOST_AUTO_TEST_CASE(ports_of_all_models_of_a_name_are_read) {
    const auto numbered = [](std::uint32_t ifindex, std::uint32_t number) {
        return reply(
            MACSTATS_CMD_PORT_GET,
            joined({port_attributes(ifindex, "mac0"), u32(MACSTATS_A_PORT_MODEL_ID, number)}),
            NLM_F_MULTI);
    };
    PortSelection selection;
    selection.model = "some_mac";
    script->answer({numbered(9, 8), numbered(10, 7), numbered(11, 7), done()});
    script->answer({rejected(ENOENT, "no port has it")}); // any more
    script->dump(MACSTATS_CMD_STATS_GET, {statistics_attributes({5})});
    script->answer({numbered(9, 8), done()});
    script->dump(MACSTATS_CMD_COUNTER_GET, {counter_attributes(0, "tx_a")});
    const auto ports = read_ports(client, selection);
    BOOST_TEST(ports->size() == 1U);
    BOOST_REQUIRE(script->sent.size() == 5U);
    for (const std::uint32_t i : {1U, 2U})
        BOOST_TEST(request_in(script->sent[i]).u32(MACSTATS_A_STATS_MODEL_ID) == 6U + i);
}

BOOST_AUTO_TEST_CASE(a_model_that_nobody_has_is_rejected) {
    BOOST_TEST(check_model(client, "").has_value());
    BOOST_TEST(check_model(client, "cpsw").has_value());
    BOOST_TEST(script->sent.empty());
    for (int i = 0; i < 2; i++)
        script->dump(MACSTATS_CMD_PORT_GET, {port_attributes()});
    BOOST_TEST(check_model(client, "some_mac").has_value());
    BOOST_TEST(check_model(client, "cpws").error().errnum == EINVAL);
}

BOOST_AUTO_TEST_CASE(named_ports_that_are_missing_are_rejected_or_skipped) {
    PortSelection selection;
    selection.ports = {"2000000000"};
    for (int i = 0; i < 2; i++)
        script->answer({rejected(ENODEV)});
    BOOST_TEST(read_ports(client, selection).error().errnum == ENODEV);
    selection.skip_missing = true;
    BOOST_TEST(read_ports(client, selection)->empty());
    // The last one of its model leaves after its statistics were read.
    script->reply(MACSTATS_CMD_PORT_GET, port_attributes());
    script->reply(MACSTATS_CMD_STATS_GET, statistics_attributes({5}));
    script->answer({rejected(ENOENT, "no port has it")});
    BOOST_TEST(read_ports(client, selection)->empty());
}

BOOST_AUTO_TEST_CASE(a_port_has_its_counters_with_totals_and_bounds) {
    PortStatistics port{
        .infos = std::vector<CounterInfo>{{.name = "tx_a"}, {.name = "tx_b"}, {.name = "tx_c"}}};
    const auto all_absent = port.counters();
    BOOST_REQUIRE(all_absent.size() == 3U);
    BOOST_TEST(!all_absent[2].value.has_value());

    port.statistics.values = {5, UINT64_MAX, 1023};
    port.statistics.absent = {CounterIndex(1)};
    port.statistics.saturated = {{.counter = CounterIndex(2), .times = 4, .time_ns = 1}};
    const auto counters = port.counters();
    BOOST_REQUIRE(counters.size() == 3U);
    BOOST_TEST(counters[0].name() == "tx_a");
    BOOST_TEST((counters[0].value == 5U && counters[0].bound() == Bound::exact));
    BOOST_TEST(!counters[1].value.has_value());
    BOOST_TEST((counters[2].index == CounterIndex(2) && counters[2].value == 1023U));
    BOOST_TEST((counters[2].bound() == Bound::at_least && counters[2].times == 4U));

    const auto before = port.statistics;
    port.statistics.values = {7, UINT64_MAX, 1023};
    const auto counted = port.counters(difference(before, port.statistics));
    BOOST_TEST((counted[0].value == 2U && counted[2].value == 0U));
    BOOST_TEST(!counted[1].value.has_value());
    BOOST_TEST((counted[2].bound() == Bound::exact));
}

// Without frame preemption: the histograms are those of the express MAC.
BOOST_AUTO_TEST_CASE(a_port_without_a_preemptible_mac_has_the_buckets_of_the_other_one) {
    PortStatistics port{.infos = counters_of(netc_model)};
    port.statistics.model = "netc";
    for (std::uint32_t i = 0; i < netc_model.n_counters; i++) {
        const bool there = netc_model.counters[i].mac != MACSTATS_MAC_PREEMPTIBLE;
        port.statistics.values.push_back(there ? i : UINT64_MAX);
        if (!there)
            port.statistics.absent.emplace_back(i);
    }
    const std::vector<StandardValue> standard = port.standard();
    // Seven of each direction. R64 is the 15th counter of the express MAC.
    BOOST_REQUIRE(standard.size() == 14U);
    BOOST_TEST(standard[0].name() == "rx-pkts64to64");
    BOOST_TEST(standard[0].value == 14U);
    // Any other counter that is missing takes its bucket away.
    port.statistics.absent.insert(port.statistics.absent.begin(), CounterIndex(14));
    BOOST_TEST(port.standard().size() == 13U);
}

BOOST_AUTO_TEST_CASE(counters_are_asked_for_once_per_model) {
    script->dump(
        MACSTATS_CMD_COUNTER_GET, {counter_attributes(0, "tx_a"), counter_attributes(1, "tx_b")});
    for (int i = 0; i < 3; i++) {
        const auto counters = client.counters(some_model);
        BOOST_REQUIRE(counters->size() == 2U);
        BOOST_TEST((*counters)[1].name == "tx_b");
    }
    BOOST_TEST(script->sent.size() == 1U);
}

BOOST_AUTO_TEST_CASE(models_of_one_name_have_counters_of_their_own) {
    for (const char* name : {"tx_a", "tx_b"})
        script->dump(MACSTATS_CMD_COUNTER_GET, {counter_attributes(0, name)});
    BOOST_TEST(client.counters(ModelId(7)).value()[0].name == "tx_a");
    BOOST_TEST(client.counters(ModelId(8)).value()[0].name == "tx_b");
    BOOST_TEST(client.counters(ModelId(7)).value()[0].name == "tx_a");
    BOOST_REQUIRE(script->sent.size() == 2U);
    for (const std::uint32_t i : {0U, 1U})
        BOOST_TEST(request_in(script->sent[i]).u32(MACSTATS_A_COUNTER_MODEL_ID) == 7U + i);
}

BOOST_AUTO_TEST_CASE(a_model_with_other_registers_is_not_that_of_the_library) {
    PortStatistics port{.infos = counters_of(*find_model("cpsw"))};
    port.statistics.model = "cpsw";
    BOOST_TEST(port.model() == find_model("cpsw"));
    const auto with = [&port](const auto& change) {
        auto counters = counters_of(*find_model("cpsw"));
        change(counters.back());
        PortStatistics other = port;
        other.infos = std::move(counters);
        return other.model();
    };
    BOOST_TEST(!with([](CounterInfo& counter) { counter.name = "rx_other"; }));
    BOOST_TEST(!with([](CounterInfo& counter) { counter.reg = "Other Frames"; }));
    BOOST_TEST(!with([](CounterInfo& counter) { counter.offset += 4; }));
    BOOST_TEST(!with([](CounterInfo& counter) { counter.bits = 16; }));
    port.statistics.model = "rc32438";
    BOOST_TEST(!port.model());
}

// A model whose last port has left comes back with another number.
BOOST_AUTO_TEST_CASE(counters_of_old_models_are_forgotten) {
    constexpr std::uint32_t models = 1000;
    std::vector<CounterInfos> kept;
    for (std::uint32_t id = 1; id <= models; id++) {
        script->dump(MACSTATS_CMD_COUNTER_GET, {counter_attributes(0, "tx_a")});
        kept.push_back(client.counters(ModelId(id)).value());
    }
    script->dump(MACSTATS_CMD_COUNTER_GET, {counter_attributes(0, "tx_b")});
    BOOST_TEST(client.counters(ModelId(1)).value()[0].name == "tx_b");
    BOOST_TEST(client.counters(ModelId(models)).value()[0].name == "tx_a");
    BOOST_TEST(kept.front()[0].name == "tx_a");
    BOOST_TEST(script->sent.size() == models + 1U);
}

BOOST_AUTO_TEST_CASE(access_to_counters_that_are_not_there_throws) {
    script->dump(MACSTATS_CMD_COUNTER_GET, {counter_attributes(0, "tx_a")});
    const auto counters = client.counters(some_model).value();
    BOOST_TEST(counters.share(0)->name == "tx_a");
    for (const CounterInfos& infos : {CounterInfos(), counters}) {
        BOOST_CHECK_THROW((void)infos[1], std::out_of_range);
        BOOST_CHECK_THROW((void)infos.share(1), std::out_of_range);
    }
}

BOOST_AUTO_TEST_CASE(a_counter_has_all_attributes_that_the_kernel_reports) {
    script->dump(MACSTATS_CMD_COUNTER_GET, {counter_attributes(0, "tx_a")});
    const auto counters = client.counters(some_model);
    const CounterInfo& counter = (*counters)[0];
    BOOST_TEST(counter.reg == "REG");
    BOOST_TEST(counter.description == "what it counts");
    BOOST_TEST(counter.unit.value() == MACSTATS_FRAMES);
    BOOST_TEST(counter.offset == 0x800U);
    BOOST_TEST(counter.bits == 32U);
    BOOST_TEST(counter.onread.value() == MACSTATS_ONREAD_RCLR);
    BOOST_TEST(counter.direction == MACSTATS_TX);
    BOOST_TEST(
        counter.standard == std::vector<std::string>({"tx_packets", "tx_bytes"}),
        boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_enumerator_of_a_newer_kernel_is_not_set) {
    constexpr std::uint32_t newer = 1000;
    script->dump(
        MACSTATS_CMD_COUNTER_GET,
        {joined(
            {counter_attributes(0, "tx_a"), u32(MACSTATS_A_COUNTER_UNIT, newer),
             u32(MACSTATS_A_COUNTER_ONREAD, newer), u32(MACSTATS_A_COUNTER_ONWRITE, newer),
             u32(MACSTATS_A_COUNTER_OVERFLOW, newer)})});
    const auto counters = client.counters(some_model);
    const CounterInfo& counter = (*counters)[0];
    BOOST_TEST(!counter.unit);
    BOOST_TEST(!counter.onread);
    BOOST_TEST(!counter.onwrite);
    BOOST_TEST(!counter.overflow);
}

// By its ethtool name or the datasheet's, in three requests: the port, the counters of
// its model, and the statistics of this counter alone.
BOOST_AUTO_TEST_CASE(one_counter_is_read_by_its_name) {
    const auto answer_port = [this] { script->reply(MACSTATS_CMD_PORT_GET, port_attributes()); };
    answer_port();
    script->dump(
        MACSTATS_CMD_COUNTER_GET, {counter_attributes(0, "tx_a"), counter_attributes(1, "tx_b")});
    script->reply(MACSTATS_CMD_STATS_GET, statistics_attributes({77}));
    const auto counter = client.counter("9", "tx_b");
    BOOST_TEST(counter->total == 77U);
    BOOST_TEST(!counter->stale);
    BOOST_TEST(!counter->at_least);
    BOOST_REQUIRE(script->sent.size() == 3U);
    BOOST_TEST(request_in(script->sent[2]).u32(MACSTATS_A_STATS_COUNTERS) == 1U);

    answer_port();
    script->reply(
        MACSTATS_CMD_STATS_GET, joined(
                                    {statistics_attributes({255}), flag(MACSTATS_A_STATS_STALE),
                                     saturated(1, 2, MACSTATS_A_STATS_SATURATED)}));
    const auto bound = client.counter("9", "tx_b", Freshness::cached);
    BOOST_TEST(bound->stale);
    BOOST_TEST(bound->at_least);

    answer_port();
    const auto unknown = client.counter("9", "tx_bb");
    BOOST_TEST(unknown.error().errnum == EINVAL);
    BOOST_TEST(
        unknown.error().message ==
        "mac0: some_mac has no counter \"tx_bb\"; did you mean tx_b or tx_a?");

    answer_port();
    script->reply(MACSTATS_CMD_STATS_GET, statistics_attributes({}));
    BOOST_TEST(client.counter("9", "REG").error().errnum == EOPNOTSUPP);

    answer_port();
    script->reply(
        MACSTATS_CMD_STATS_GET,
        joined({statistics_attributes({~0ULL}), u32s(MACSTATS_A_STATS_ABSENT, {1})}));
    const auto missing = client.counter("9", "tx_b");
    BOOST_TEST(missing.error().errnum == EOPNOTSUPP);
    BOOST_TEST(missing.error().message == "mac0: the port is built without tx_b");
}

BOOST_AUTO_TEST_CASE(counters_are_put_in_the_order_of_their_ids) {
    script->dump(
        MACSTATS_CMD_COUNTER_GET, {counter_attributes(1, "tx_b"), counter_attributes(0, "tx_a")});
    const auto counters = client.counters(some_model);
    BOOST_TEST((*counters)[0].name == "tx_a");
    BOOST_TEST((*counters)[1].name == "tx_b");
}

BOOST_AUTO_TEST_CASE(counters_with_a_gap_between_their_ids_are_an_error) {
    script->dump(
        MACSTATS_CMD_COUNTER_GET, {counter_attributes(0, "tx_a"), counter_attributes(2, "tx_c")});
    BOOST_TEST(!client.counters(some_model).has_value());
}

BOOST_AUTO_TEST_CASE(models_are_read) {
    script->dump(
        MACSTATS_CMD_MODEL_GET,
        {joined(
            {u32(MACSTATS_A_MODEL_ID, 7), text(MACSTATS_A_MODEL_NAME, "some_mac"),
             text(MACSTATS_A_MODEL_TITLE, "A MAC"),
             text(MACSTATS_A_MODEL_DATASHEET, "Its datasheet"), u32(MACSTATS_A_MODEL_PORTS, 4),
             u64(MACSTATS_A_MODEL_LINE_RATE, 40'000'000'000),
             u32(MACSTATS_A_MODEL_COUNTERS, 58)})});
    const auto models = client.models();
    BOOST_REQUIRE(models->size() == 1U);
    BOOST_TEST((models->front().id == some_model));
    BOOST_TEST(models->front().name == "some_mac");
    BOOST_TEST(models->front().ports == 4U);
    BOOST_TEST(models->front().line_rate_bps == 40'000'000'000U);
    BOOST_TEST(models->front().counters == 58U);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(control, Controlling)

BOOST_AUTO_TEST_CASE(a_device_is_asked_for_with_nothing_but_what_was_given) {
    const Datagram device = joined(
        {u32(MACSTATS_EMU_A_DEVICE_ID, 4), text(MACSTATS_EMU_A_DEVICE_MODEL, "some_mac"),
         u32(MACSTATS_EMU_A_DEVICE_OPTIONS, 5), u32(MACSTATS_EMU_A_DEVICE_PORT, 11),
         u32(MACSTATS_EMU_A_DEVICE_PORT, 10), u32(MACSTATS_EMU_A_DEVICE_PORT, 0)});
    script->reply(MACSTATS_EMU_CMD_DEVICE_NEW, device);
    DeviceConfig config;
    config.model = "some_mac";
    const auto made = emulator.add(config);
    BOOST_TEST(made->id.value() == 4U);
    BOOST_TEST(made->options == 5U);
    BOOST_TEST(!made->line_rate_bound.has_value());
    BOOST_REQUIRE(made->ports.size() == 3U);
    BOOST_TEST(made->ports[0].value().value() == 11U);
    BOOST_TEST(made->ports[1].value().value() == 10U);
    BOOST_TEST(!made->ports[2]); // in another network namespace
    BOOST_TEST(request().attributes.size() == 1U);
    BOOST_TEST(request().has(MACSTATS_EMU_A_DEVICE_MODEL));
}

BOOST_AUTO_TEST_CASE(a_device_reports_its_line_rate_bound) {
    for (const bool on : {false, true}) {
        const Datagram device = joined(
            {u32(MACSTATS_EMU_A_DEVICE_ID, 4), text(MACSTATS_EMU_A_DEVICE_MODEL, "some_mac"),
             u32(MACSTATS_EMU_A_DEVICE_OPTIONS, 5),
             attribute_of(MACSTATS_EMU_A_DEVICE_LINE_RATE_BOUND, Datagram{std::byte{on}})});
        script->dump(MACSTATS_EMU_CMD_DEVICE_GET, {device});
        const auto devices = emulator.devices();
        BOOST_REQUIRE(devices->size() == 1U);
        BOOST_REQUIRE(devices->front().line_rate_bound.has_value());
        BOOST_TEST(*devices->front().line_rate_bound == on);
    }
}

BOOST_AUTO_TEST_CASE(a_device_is_asked_for_with_all_that_was_given) {
    script->answer({rejected(EPERM, "needs CAP_NET_ADMIN")});
    DeviceConfig config;
    config.model = "some_mac";
    config.name_template = "lab%d";
    config.options = std::uint8_t{0};
    config.random_power_up = true;
    config.seed = ~0ULL;
    config.private_only = true;
    const auto made = emulator.add(config);
    BOOST_TEST(made.error().errnum == EPERM);
    BOOST_TEST(made.error().message == "needs CAP_NET_ADMIN (Operation not permitted)");
    BOOST_TEST(request().u32(MACSTATS_EMU_A_DEVICE_OPTIONS) == 0U);
    BOOST_TEST(request().u64(MACSTATS_EMU_A_DEVICE_SEED) == ~0ULL);
    BOOST_TEST(request().find(MACSTATS_EMU_A_DEVICE_POWER_UP_RANDOM)->empty());
    BOOST_TEST(request().find(MACSTATS_EMU_A_DEVICE_PRIVATE_ONLY)->empty());
    BOOST_TEST(request().has(MACSTATS_EMU_A_DEVICE_NAME));
}

BOOST_AUTO_TEST_CASE(a_frame_is_a_nest_with_numbers_of_any_size) {
    script->answer({acknowledged()});
    FrameRequest frame;
    frame.direction = MACSTATS_TX;
    frame.length = 65536;
    frame.destination = MACSTATS_BROADCAST;
    frame.kind = MACSTATS_PAUSE;
    frame.origin = MACSTATS_BY_MAC;
    frame.vlan_tags = 3;
    frame.errors = MACSTATS_ERR_FCS | MACSTATS_ERR_OVERRUN;
    frame.collisions = 17;
    frame.deferred = true;
    frame.descriptors = 300;
    frame.append_crc = false;
    frame.huge = true;
    BOOST_TEST(emulator.inject(IfIndex(9), frame, ~0ULL).has_value());

    BOOST_TEST(request().generic.cmd == MACSTATS_EMU_CMD_INJECT);
    BOOST_TEST(request().u32(MACSTATS_EMU_A_PORT_IFINDEX) == 9U);
    BOOST_TEST(request().u64(MACSTATS_EMU_A_PORT_COUNT) == ~0ULL);
    BOOST_REQUIRE(request().has(MACSTATS_EMU_A_PORT_FRAME));
    Request nest;
    nest.attributes = attributes_in(*request().find(MACSTATS_EMU_A_PORT_FRAME), 0);
    const auto number = [&nest](int type) { return nest.u32(type); };
    BOOST_TEST(number(MACSTATS_EMU_A_FRAME_DIRECTION) == 2U);
    BOOST_TEST(number(MACSTATS_EMU_A_FRAME_LENGTH) == 65536U);
    BOOST_TEST(number(MACSTATS_EMU_A_FRAME_DESTINATION) == 4U);
    BOOST_TEST(number(MACSTATS_EMU_A_FRAME_KIND) == 4U);
    BOOST_TEST(number(MACSTATS_EMU_A_FRAME_ORIGIN) == 2U);
    BOOST_TEST(number(MACSTATS_EMU_A_FRAME_VLAN_TAGS) == 3U);
    BOOST_TEST(number(MACSTATS_EMU_A_FRAME_ERRORS) == 0x201U);
    BOOST_TEST(number(MACSTATS_EMU_A_FRAME_COLLISIONS) == 17U);
    BOOST_TEST(nest.has(MACSTATS_EMU_A_FRAME_DEFERRED));
    BOOST_TEST(number(MACSTATS_EMU_A_FRAME_DESCRIPTORS) == 300U);
    const auto octet = [&nest](int type) { return nest.u8(type); };
    BOOST_TEST(octet(MACSTATS_EMU_A_FRAME_APPEND_CRC) == 0U);
    BOOST_TEST(octet(MACSTATS_EMU_A_FRAME_HUGE) == 1U);
}

BOOST_AUTO_TEST_CASE(a_frame_without_a_word_about_descriptors_has_no_attributes_for_them) {
    script->answer({acknowledged()});
    BOOST_TEST(emulator.inject(IfIndex(9), FrameRequest{}, 1).has_value());
    Request nest;
    nest.attributes = attributes_in(*request().find(MACSTATS_EMU_A_PORT_FRAME), 0);
    for (const int type :
         {MACSTATS_EMU_A_FRAME_DESCRIPTORS, MACSTATS_EMU_A_FRAME_APPEND_CRC,
          MACSTATS_EMU_A_FRAME_HUGE})
        BOOST_TEST(!nest.has(type));
}

BOOST_AUTO_TEST_CASE(the_nest_is_marked_as_one) {
    script->answer({acknowledged()});
    BOOST_TEST(emulator.inject(IfIndex(9), {}, 1).has_value());
    // Behind both headers and the ifindex: the nest.
    nlattr header;
    std::memcpy(&header, script->sent[0].data() + 16 + 4 + 8, sizeof(header));
    BOOST_TEST(header.nla_type == (MACSTATS_EMU_A_PORT_FRAME | NLA_F_NESTED));
}

BOOST_AUTO_TEST_CASE(a_counter_of_two_words_is_read_low_word_first_and_put_together) {
    const macstats_model& model = *find_model("ll40g");
    for (const std::uint64_t word : {0x89abcdefULL, 0x1234567ULL})
        script->reply(MACSTATS_EMU_CMD_REG_READ, u64(MACSTATS_EMU_A_PORT_VALUE, word));
    const auto place = find_place(model, "CNTR_TX_64B");
    const auto value = emulator.read(IfIndex(9), model, *place);
    BOOST_TEST(*value == 0x0123456789abcdefULL);
    BOOST_REQUIRE(script->sent.size() == 2U);
    for (std::uint32_t i = 0; i < 2; i++)
        BOOST_TEST(request_in(script->sent[i]).u32(MACSTATS_EMU_A_PORT_ADDRESS) == 0x816 + i);
}

BOOST_AUTO_TEST_CASE(a_bus_error_is_an_error_with_its_errno) {
    script->answer({rejected(EIO, "the access failed on the bus")});
    BOOST_TEST(emulator.read(IfIndex(9), 0x800).error().errnum == EIO);
}

BOOST_AUTO_TEST_CASE(a_write_carries_address_and_value) {
    script->answer({acknowledged()});
    BOOST_TEST(emulator.write(IfIndex(9), 0x845, 4).has_value());
    BOOST_TEST(request().generic.cmd == MACSTATS_EMU_CMD_REG_WRITE);
    BOOST_TEST(request().u32(MACSTATS_EMU_A_PORT_ADDRESS) == 0x845U);
    BOOST_TEST(request().u64(MACSTATS_EMU_A_PORT_VALUE) == 4U);
}

BOOST_AUTO_TEST_CASE(a_value_with_more_bits_than_its_place_is_not_sent) {
    const macstats_model& model = *find_model("cpsw");
    const auto place = find_place(model, "STAT_PORT_EN");
    BOOST_TEST(emulator.write(IfIndex(9), model, *place, 0x1'0000'0007).error().errnum == ERANGE);
    BOOST_TEST(script->sent.empty());
}

BOOST_AUTO_TEST_CASE(a_device_whose_model_or_name_has_a_nul_character_is_not_requested) {
    using namespace std::string_literals;
    DeviceConfig config;
    config.model = "cpsw\0x"s;
    const auto added = emulator.add(config);
    BOOST_TEST(added.error().errnum == EINVAL);
    BOOST_TEST(added.error().message == "model: \"cpsw\\x00x\" has a NUL character");
    config.model = "cpsw";
    config.name_template = "mac%d\0"s;
    BOOST_TEST(emulator.add(config).error().errnum == EINVAL);
    BOOST_TEST(script->sent.empty());
}

BOOST_AUTO_TEST_CASE(links_presets_faults_and_removals_carry_what_they_are_about) {
    for (int i = 0; i < 5; i++)
        script->answer({acknowledged()});
    BOOST_TEST(emulator.link(IfIndex(9), IfIndex(10)).has_value());
    BOOST_TEST(emulator.unlink(IfIndex(9)).has_value());
    BOOST_TEST(emulator.preset(IfIndex(9), CounterIndex(57), ~0ULL).has_value());
    BOOST_TEST(emulator.fault(IfIndex(9), {.faults = MACSTATS_FAULT_BUS_ERROR, .active = false})
                   .has_value());
    BOOST_TEST(emulator.remove(DeviceId(3)).has_value());

    const auto sent = [this](std::size_t i) { return request_in(script->sent.at(i)); };
    BOOST_TEST(sent(0).generic.cmd == MACSTATS_EMU_CMD_LINK);
    BOOST_TEST(sent(0).u32(MACSTATS_EMU_A_PORT_PEER) == 10U);
    BOOST_TEST(sent(1).generic.cmd == MACSTATS_EMU_CMD_UNLINK);
    BOOST_TEST(sent(2).generic.cmd == MACSTATS_EMU_CMD_PRESET);
    BOOST_TEST(sent(2).u32(MACSTATS_EMU_A_PORT_COUNTER) == 57U);
    BOOST_TEST(sent(2).u64(MACSTATS_EMU_A_PORT_VALUE) == ~0ULL);
    BOOST_TEST(sent(3).generic.cmd == MACSTATS_EMU_CMD_FAULT);
    BOOST_TEST(
        sent(3).u32(MACSTATS_EMU_A_PORT_FAULT) ==
        static_cast<std::uint32_t>(MACSTATS_FAULT_BUS_ERROR));
    BOOST_TEST(sent(3).u8(MACSTATS_EMU_A_PORT_ACTIVE) == 0);
    BOOST_TEST(sent(4).generic.cmd == MACSTATS_EMU_CMD_DEVICE_DEL);
    BOOST_TEST(sent(4).u32(MACSTATS_EMU_A_DEVICE_ID) == 3U);
}

BOOST_AUTO_TEST_CASE(a_fault_carries_the_members_that_it_takes_and_no_others) {
    for (int i = 0; i < 5; i++)
        script->answer({acknowledged()});
    const auto sent = [this](std::size_t i) { return request_in(script->sent.at(i)); };
    const auto argument = [&sent](std::size_t i) {
        return sent(i).u32(MACSTATS_EMU_A_PORT_ARGUMENT);
    };
    const auto has = [&sent](std::size_t i, int type) { return sent(i).has(type); };

    BOOST_TEST(emulator.fault(IfIndex(9), {.faults = MACSTATS_FAULT_BUS_ERROR_AT, .argument = 0})
                   .has_value());
    BOOST_TEST(argument(0) == 0U);
    BOOST_TEST(emulator.fault(IfIndex(9), {.faults = MACSTATS_FAULT_SLOW_BUS, .argument = 1000})
                   .has_value());
    BOOST_TEST(argument(1) == 1000U);
    BOOST_TEST(emulator.fault(IfIndex(9), {.faults = MACSTATS_FAULT_SLOW_BUS, .active = false})
                   .has_value());
    BOOST_TEST(!has(2, MACSTATS_EMU_A_PORT_ARGUMENT));
    BOOST_TEST(emulator.fault(IfIndex(9), {.faults = MACSTATS_FAULT_RESET, .announced = true})
                   .has_value());
    BOOST_TEST(has(3, MACSTATS_EMU_A_PORT_ANNOUNCED));
    BOOST_TEST(!has(3, MACSTATS_EMU_A_PORT_DURING_READ));
    BOOST_TEST(
        emulator.fault(IfIndex(9), {.faults = MACSTATS_FAULT_GATE_CLOSES, .during_read = true})
            .has_value());
    BOOST_TEST(has(4, MACSTATS_EMU_A_PORT_DURING_READ));
    BOOST_TEST(!has(4, MACSTATS_EMU_A_PORT_ANNOUNCED));
    BOOST_TEST(!has(4, MACSTATS_EMU_A_PORT_ARGUMENT));
}

BOOST_AUTO_TEST_CASE(the_number_of_net_devices_is_sent_only_if_it_is_given) {
    DeviceConfig config;
    config.model = "some_mac";
    script->answer({rejected(EPERM)});
    BOOST_TEST(!emulator.add(config).has_value());
    BOOST_TEST(!request_in(script->sent.back()).has(MACSTATS_EMU_A_DEVICE_NETDEVS));
    config.netdevs = 2;
    script->answer({rejected(EPERM)});
    BOOST_TEST(!emulator.add(config).has_value());
    BOOST_TEST(request_in(script->sent.back()).u32(MACSTATS_EMU_A_DEVICE_NETDEVS) == 2U);
}

BOOST_AUTO_TEST_CASE(the_line_rate_bound_is_sent_only_if_it_is_given) {
    for (const bool bound : {false, true}) {
        script->answer({rejected(EPERM)});
        DeviceConfig config;
        config.model = "some_mac";
        config.line_rate_bound = bound;
        BOOST_TEST(!emulator.add(config).has_value());
        BOOST_TEST(
            request_in(script->sent.back()).u8(MACSTATS_EMU_A_DEVICE_LINE_RATE_BOUND) == bound);
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
