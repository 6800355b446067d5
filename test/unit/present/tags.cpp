// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Tags survive in files, and what they are compared with may be something else.
#include "boost_test.hpp"

#include <cstdlib>
#include <fstream>

#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.hpp"
#include "json.hpp"
#include "tag_store.hpp"

BOOST_AUTO_TEST_SUITE(unit_tags)

using namespace macstats;
using namespace macstats::cli;
using macstats::test::parse_json;
namespace fs = std::filesystem;

namespace {

const std::string boot = "11111111-2222-3333-4444-555555555555";

std::vector<CounterInfo> counters_called(std::initializer_list<const char*> names) {
    std::vector<CounterInfo> counters;
    for (const char* name : names) {
        counters.emplace_back();
        counters.back().name = name;
    }
    return counters;
}

const std::vector<CounterInfo> two_counters = counters_called({"tx_a", "rx_b"});

PortStatistics port(const char* name, std::uint32_t ifindex, std::vector<std::uint64_t> values) {
    PortStatistics view;
    view.name = name;
    view.infos = two_counters;
    view.statistics.ifindex = IfIndex(ifindex);
    view.statistics.model = "some_mac";
    view.statistics.generation = 5;
    view.statistics.time_ns = 10'000'000'000;
    view.statistics.start_ns = 1'000U + ifindex;
    view.statistics.values = std::move(values);
    return view;
}

PortStatistics later(PortStatistics view, std::vector<std::uint64_t> values) {
    view.statistics.generation += 3;
    view.statistics.time_ns += 2'000'000'000;
    view.statistics.values = std::move(values);
    return view;
}

struct Folder : test::Folder {
    [[nodiscard]] TagStore store() const { return TagStore(path / "tags"); }
    void write(const std::string& name, const std::string& text) const {
        file("tags/" + name, text);
    }
};

Difference
only_since(std::vector<PortStatistics> ports, const Tag& tag, const std::string& now = boot) {
    auto views = views_of(std::move(ports));
    const auto missing = add_since(views, tag, now);
    BOOST_TEST(missing.empty());
    BOOST_REQUIRE(views.at(0).since.has_value());
    return *views[0].since;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(files, Folder)

BOOST_AUTO_TEST_CASE(a_tag_that_was_saved_is_loaded_with_all_it_had) {
    auto view = port("mac0", 7, {UINT64_MAX, (1ULL << 53) + 1});
    view.statistics.discontinuities = 2;
    view.statistics.discontinuity_ns = 9'000'000'000;
    BOOST_REQUIRE(store().save(make_tag("before", boot, std::vector{view})).has_value());

    const auto tag = store().load("before");
    BOOST_TEST(tag->boot_id == boot);
    BOOST_REQUIRE(tag->ports.size() == 1U);
    BOOST_TEST(tag->ports[0].name == "mac0");
    BOOST_TEST(tag->ports[0].totals.at("tx_a") == UINT64_MAX);
    BOOST_TEST(tag->ports[0].totals.at("rx_b") == (1ULL << 53) + 1);
    BOOST_TEST(tag->ports[0].statistics.discontinuity_ns.value() == 9'000'000'000U);
    const auto since = only_since({later(view, {UINT64_MAX, (1ULL << 53) + 6})}, *tag);
    BOOST_TEST((since.continuity == Continuity::whole));
    BOOST_TEST(
        since.values == std::vector<std::uint64_t>({0, 5}), boost::test_tools::per_element());
    BOOST_TEST(since.seconds == 2.0);
}

BOOST_AUTO_TEST_CASE(a_tag_knows_whether_there_was_a_possible_loss_before) {
    auto view = port("mac0", 7, {1, 2});
    const auto continuity = [&](bool before, bool after) {
        view.statistics.possible_loss = before;
        BOOST_REQUIRE(store().save(make_tag("before", boot, std::vector{view})).has_value());
        auto now = later(view, {3, 4});
        now.statistics.possible_loss = after;
        return continuity_name(only_since({now}, *store().load("before")).continuity);
    };
    BOOST_TEST(continuity(false, false) == "whole");
    BOOST_TEST(continuity(false, true) == "possible_loss");
    BOOST_TEST(continuity(true, true) == "whole");
}

BOOST_AUTO_TEST_CASE(a_tag_has_no_total_of_a_counter_that_the_hardware_lacks) {
    auto view = port("mac0", 7, {UINT64_MAX, 3});
    view.statistics.absent = {CounterIndex(0)};
    BOOST_REQUIRE(store().save(make_tag("before", boot, std::vector{view})).has_value());
    const auto tag = store().load("before");
    BOOST_TEST(tag->ports[0].totals.size() == 1U);
    BOOST_TEST(tag->ports[0].totals.at("rx_b") == 3U);

    const auto since = only_since({later(view, {UINT64_MAX, 8})}, *tag);
    BOOST_TEST((since.continuity == Continuity::whole));
    BOOST_TEST(since.values.at(1) == 5U);
    BOOST_TEST(is_absent(since.absent, CounterIndex(0)));
    auto whole = later(view, {4, 8});
    whole.statistics.absent.clear();
    BOOST_TEST((only_since({whole}, *tag).continuity == Continuity::restarted));

    const Tag of_both = make_tag("both", boot, std::vector{port("mac0", 7, {1, 3})});
    const auto changed = only_since({later(view, {UINT64_MAX, 8})}, of_both);
    BOOST_TEST((changed.continuity == Continuity::restarted));
    BOOST_TEST(is_absent(changed.absent, CounterIndex(0)));
}

BOOST_AUTO_TEST_CASE(a_file_names_its_format_and_only_its_owner_can_read_it) {
    BOOST_REQUIRE(store().save(make_tag("a", boot, std::vector{port("mac0", 7, {1, 2})})));
    std::ifstream file(path / "tags" / "a.json");
    const auto json = parse_json(file);
    BOOST_TEST(json.at("macstats_tag") == 1);
    BOOST_TEST(json.at("boot_id") == boot);
    struct stat state {};
    BOOST_REQUIRE(::stat((path / "tags" / "a.json").c_str(), &state) == 0);
    BOOST_TEST((state.st_mode & 0777) == 0600U);
}

BOOST_AUTO_TEST_CASE(an_old_tag_is_replaced_as_a_whole_and_nothing_stays_beside_it) {
    BOOST_REQUIRE(store().save(make_tag("a", boot, std::vector{port("mac0", 7, {1, 2})})));
    BOOST_REQUIRE(store().save(make_tag("a", boot, std::vector{port("mac1", 8, {3, 4})})));
    BOOST_TEST(store().load("a")->ports.at(0).name == "mac1");
    BOOST_TEST(std::distance(fs::directory_iterator(path / "tags"), fs::directory_iterator()) == 1);
}

BOOST_AUTO_TEST_CASE(tags_are_listed_by_name_and_deleted) {
    BOOST_TEST(store().names()->empty());
    for (const char* name : {"b", "a", "c.1"})
        BOOST_REQUIRE(store().save(make_tag(name, boot, {})));
    write("no_tag.txt", "");
    write(".hidden.json", "");
    BOOST_TEST(
        *store().names() == std::vector<std::string>({"a", "b", "c.1"}),
        boost::test_tools::per_element());
    BOOST_TEST(store().remove("b").has_value());
    BOOST_TEST(store().names()->size() == 2U);
    BOOST_TEST(store().remove("b").error().errnum == ENOENT);
}

BOOST_AUTO_TEST_CASE(a_tag_that_is_not_there_is_rejected_with_those_that_are) {
    BOOST_TEST(
        store().load("before").error().message ==
        "there is no tag \"before\"; `macstats tag add before` would save it");
    BOOST_REQUIRE(store().save(make_tag("before", boot, {})));
    const auto tag = store().load("befor");
    BOOST_TEST(tag.error().errnum == ENOENT);
    BOOST_TEST(tag.error().message == "there is no tag \"befor\"; the tags are before");
}

BOOST_AUTO_TEST_CASE(names_that_would_leave_the_folder_are_rejected) {
    for (const char* name :
         {"", ".", "..", ".a", "-a", "a/b", "../a", "/etc/passwd", "a b", "a\n", "ä"})
        BOOST_TEST_CONTEXT(name) {
            BOOST_TEST(store().save(make_tag(name, boot, {})).error().errnum == EINVAL);
            BOOST_TEST(store().load(name).error().errnum == EINVAL);
            BOOST_TEST(store().remove(name).error().errnum == EINVAL);
        }
    BOOST_TEST(store().save(make_tag(std::string(64, 'a'), boot, {})).has_value());
    BOOST_TEST(!store().save(make_tag(std::string(65, 'a'), boot, {})).has_value());
}

BOOST_AUTO_TEST_CASE(a_file_that_is_no_tag_is_rejected_with_its_name) {
    const char* const broken[] = {
        "",
        "{",
        "[]",
        "{}",
        R"({"macstats_tag": 2})",
        R"({"macstats_tag": "1"})",
        R"({"macstats_tag": 1, "saved": "", "boot_id": ""})",
        R"({"macstats_tag": 1, "saved": "", "boot_id": 5, "ports": []})",
        R"({"macstats_tag": 1, "saved": "", "boot_id": "", "ports": [{}]})",
    };
    for (const char* text : broken)
        BOOST_TEST_CONTEXT(text) {
            write("a.json", text);
            const auto tag = store().load("a");
            BOOST_TEST(tag.error().errnum == EBADMSG);
            BOOST_TEST(tag.error().message.find("a.json: is not a tag: ") != std::string::npos);
        }
}

// Each number of a tag in turn: the first text is that of a good file.
BOOST_AUTO_TEST_CASE(a_number_that_no_port_has_is_rejected) {
    const std::string good =
        R"({"macstats_tag": 1, "saved": "", "boot_id": "", "ports": [{"port": "mac0",)"
        R"( "ifindex": 41, "model": "m", "start_ns": 42, "time_ns": 43, "generation": 44,)"
        R"( "discontinuities": 45, "discontinuity_ns": 46, "totals": {"a": 47},)"
        R"( "possible_loss": false, "saturated": {"a": 48}, "standard": {}}]})";
    const std::string u32_too_large = "4294967296";

    write("a.json", good);
    BOOST_TEST(store().load("a").has_value());
    for (const char* const number : {"41", "42", "43", "44", "45", "46", "47", "48"})
        for (const std::string wrong :
             {"-1", "1.5", "1e3", "true", "\"1\"", "18446744073709551616", "4294967296"}) {
            const bool is_u32 =
                number == std::string_view("41") || number == std::string_view("45");
            std::string text = good;

            if (wrong == u32_too_large && !is_u32)
                continue;
            text.replace(text.find(number), 2, wrong);
            BOOST_TEST_CONTEXT(text) {
                write("a.json", text);
                BOOST_TEST(store().load("a").error().errnum == EBADMSG);
            }
        }
}

BOOST_AUTO_TEST_CASE(a_folder_that_cannot_be_made_is_an_error) {
    write("file", "");
    BOOST_TEST(
        TagStore(path / "tags" / "file" / "below").save(make_tag("a", boot, {})).error().errnum ==
        ENOTDIR);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(since)

BOOST_AUTO_TEST_CASE(a_boot_in_between_is_noticed_even_if_the_totals_are_larger) {
    const auto before = port("mac0", 7, {1, 2});
    const Tag tag = make_tag("a", boot, std::vector{before});
    const auto since = only_since({later(before, {5, 6})}, tag, "another boot");
    BOOST_TEST((since.continuity == Continuity::restarted));
    BOOST_TEST(
        since.values == std::vector<std::uint64_t>({5, 6}), boost::test_tools::per_element());
    BOOST_TEST(since.reason == "the system was booted in between");
}

BOOST_AUTO_TEST_CASE(a_recreated_port_with_the_same_name_and_index_is_detected) {
    const auto before = port("mac0", 7, {1, 2});
    const Tag tag = make_tag("a", boot, std::vector{before});
    auto after = later(before, {5, 6});
    after.statistics.start_ns = 11'000'000'000;
    const auto since = only_since({after}, tag);
    BOOST_TEST((since.continuity == Continuity::restarted));
    BOOST_TEST(since.reason == "the port was added again");
    after.statistics.start_ns.reset(); // until its first good poll
    auto views = views_of({after});
    BOOST_TEST(add_since(views, tag, boot).empty());
}

BOOST_AUTO_TEST_CASE(a_port_with_another_name_or_index_is_still_the_same) {
    const auto before = port("mac0", 7, {1, 2});
    const Tag tag = make_tag("a", boot, std::vector{port("mac1", 8, {9, 9}), before});
    auto renamed = later(before, {5, 6});
    renamed.name = "left0";
    BOOST_TEST((only_since({renamed}, tag).continuity == Continuity::whole));
    auto moved = later(before, {5, 6});
    moved.statistics.ifindex = IfIndex(2);
    const auto since = only_since({moved}, tag);
    BOOST_TEST((since.continuity == Continuity::whole));
    BOOST_TEST(since.values.at(0) == 4U);
}

BOOST_AUTO_TEST_CASE(counters_are_matched_by_their_names) {
    const auto before = port("mac0", 7, {1, 2});
    const Tag tag = make_tag("a", boot, std::vector{before});
    const auto swapped = counters_called({"rx_b", "tx_a"});
    auto after = later(before, {10, 10});
    after.infos = swapped;
    BOOST_TEST(
        only_since({after}, tag).values == std::vector<std::uint64_t>({8, 9}),
        boost::test_tools::per_element());
    const auto others = counters_called({"rx_b", "tx_new"});
    after.infos = others;
    BOOST_TEST((only_since({after}, tag).continuity == Continuity::restarted));
}

BOOST_AUTO_TEST_CASE(a_port_that_the_tag_does_not_have_is_new_or_missing) {
    const Tag tag = make_tag("a", boot, std::vector{port("mac0", 7, {1, 2})});
    auto made_after = port("mac1", 8, {3, 4});
    made_after.statistics.start_ns = 10'500'000'000;
    const auto since = only_since({made_after}, tag);
    BOOST_TEST((since.continuity == Continuity::restarted));
    BOOST_TEST(since.reason == "the port was added after it");

    auto views = views_of({port("mac2", 9, {3, 4})});
    BOOST_TEST(
        add_since(views, tag, boot) == std::vector<std::string>({"mac2"}),
        boost::test_tools::per_element());
    BOOST_TEST(!views[0].since.has_value());
}

// They exchanged their names, or the other one got it.
BOOST_AUTO_TEST_CASE(a_port_with_the_name_of_another_was_not_added_again) {
    const Tag tag = make_tag("a", boot, std::vector{port("mac0", 7, {1, 2})});
    auto views = views_of({later(port("mac0", 8, {3, 4}), {5, 6})});
    BOOST_TEST(
        add_since(views, tag, boot) == std::vector<std::string>({"mac0"}),
        boost::test_tools::per_element());
    BOOST_TEST(!views[0].since.has_value());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(the_folder_follows_the_environment) {
    BOOST_REQUIRE(setenv("XDG_STATE_HOME", "/somewhere", 1) == 0);
    BOOST_TEST(tag_folder()->string() == "/somewhere/macstats/tags");
    // The XDG specification requires that relative paths are ignored.
    for (const char* ignored : {"", "relative"}) {
        BOOST_REQUIRE(setenv("XDG_STATE_HOME", ignored, 1) == 0);
        BOOST_REQUIRE(setenv("HOME", "/home/somebody", 1) == 0);
        const std::string expected =
            geteuid() == 0 ? "/var/lib/macstats/tags" : "/home/somebody/.local/state/macstats/tags";
        BOOST_TEST(tag_folder()->string() == expected);
    }
}

BOOST_AUTO_TEST_CASE(this_boot_has_an_id) {
    BOOST_TEST(boot_id()->size() == 36U);
}

BOOST_AUTO_TEST_CASE(counters_saturated_since_a_tag_are_lower_bounds) {
    const Folder folder;
    PortStatistics before = port("mac0", 7, {1023, 5});
    before.statistics.saturated = {{.counter = CounterIndex(0), .times = 2, .time_ns = 1}};
    BOOST_TEST(folder.store().save(make_tag("t", boot, std::span(&before, 1))).has_value());
    const auto tag = folder.store().load("t");

    auto same = views_of({later(before, {1023, 6})});
    BOOST_TEST(add_since(same, *tag, boot).empty());
    BOOST_TEST(same[0].since->saturated.empty());

    auto more = views_of({later(before, {2046, 6})});
    more[0].statistics.saturated = {{.counter = CounterIndex(0), .times = 5, .time_ns = 2}};
    BOOST_TEST(add_since(more, *tag, boot).empty());
    BOOST_REQUIRE(more[0].since->saturated.size() == 1U);
    BOOST_TEST(more[0].since->saturated[0].counter.value() == 0U);
    BOOST_TEST(more[0].since->saturated[0].times == 3U);
}

BOOST_AUTO_TEST_CASE(standard_statistics_since_a_tag_are_those_of_the_kernel) {
    const Folder folder;
    PortStatistics before = port("mac0", 7, {1, 5});
    before.statistics.standard = {
        {.id = MACSTATS_STD_RTNL_RX_PACKETS, .value = 10},
        {.id = MACSTATS_STD_RTNL_RX_BYTES,
         .value = UINT64_MAX - 1,
         .bound = Bound::at_least,
         .times = 2,
         .stale = true}};
    BOOST_TEST(folder.store().save(make_tag("t", boot, std::span(&before, 1))).has_value());
    const auto tag = folder.store().load("t");

    auto views = views_of({later(before, {1, 6})});
    views[0].statistics.standard = {
        {.id = MACSTATS_STD_RTNL_RX_PACKETS, .value = 12},
        {.id = MACSTATS_STD_RTNL_RX_BYTES,
         .value = UINT64_MAX,
         .bound = Bound::at_least,
         .times = 3}};
    BOOST_TEST(add_since(views, *tag, boot).empty());
    const std::vector<StandardValue> expected = {
        {.id = MACSTATS_STD_RTNL_RX_PACKETS, .value = 2},
        {.id = MACSTATS_STD_RTNL_RX_BYTES,
         .value = 1,
         .bound = Bound::unknown,
         .times = 1,
         .stale = true}};
    BOOST_TEST((views[0].since->standard == expected));
}

BOOST_AUTO_TEST_CASE(a_name_of_any_octets_is_found_again) {
    const Folder folder;
    PortStatistics before = port("\xff\xfe\x1b", 7, {1, 2});
    BOOST_TEST(folder.store().save(make_tag("t", boot, std::span(&before, 1))).has_value());
    const auto tag = folder.store().load("t");
    BOOST_TEST(tag->ports.at(0).name == before.name);
}

BOOST_AUTO_TEST_SUITE_END()
