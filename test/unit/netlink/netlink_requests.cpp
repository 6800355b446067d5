// SPDX-License-Identifier: GPL-2.0
//
// The requests of the fuzzer: damaged ones stay in its families, and the judge gets over any
// answer. The messages are laid out by hand from the kernel's headers.
#include "boost_test.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>

#include <linux/genetlink.h>
#include <linux/netlink.h>

#include "../../random/netlink/generator.hpp"
#include "../../random/netlink/judge.hpp"
#include "../../random/netlink/message.hpp"
#include "effort.hpp"
#include "netlink_table.hpp"
#include "random.hpp"

BOOST_AUTO_TEST_SUITE(unit_netlink_requests)

using namespace macstats::test::netlink;

namespace {

struct Source {
    macstats::test::Random random{macstats::test::run_seed()};
    Generator generator{specified(), random};

    Source() { BOOST_TEST_MESSAGE("seed " << macstats::test::run_seed()); }
};

int rounds() {
    return macstats::test::is_long() ? 200'000 : 5'000;
}

} // namespace

BOOST_AUTO_TEST_CASE(damaged_requests_stay_in_the_families_and_add_only_what_is_allowed) {
    Source source;
    int most_added = 0, most_removed = 0;
    for (int i = 0; i < rounds(); i++) {
        int added = 0, removed = 0;
        const bool add = i % 2;
        const Bytes batch = source.generator.batch(add);
        BOOST_TEST_REQUIRE(batch.size() <= 16384);
        for (const Message& message : messages_in(batch)) {
            const unsigned type = message.header.nlmsg_type;
            BOOST_TEST_REQUIRE((type < NLMSG_MIN_TYPE || type == 31 || type == specified_family));
            added += type == specified_family && message.command == add_command;
            removed += type == specified_family && message.command == remove_command;
        }
        BOOST_TEST_REQUIRE(added <= int{add});
        most_added = std::max(most_added, added);
        most_removed = std::max(most_removed, removed);
    }
    BOOST_TEST(most_added == 1);
    BOOST_TEST(most_removed > 0);
}

BOOST_AUTO_TEST_CASE(a_seed_repeats_the_requests) {
    Source one, two;
    for (int i = 0; i < 100; i++)
        BOOST_TEST_REQUIRE((one.generator.batch(true) == two.generator.batch(true)));
}

// Damaged requests as answers: well-formed parts and nonsense.
BOOST_AUTO_TEST_CASE(the_judge_accepts_or_rejects_any_octets) {
    Source source;
    int rejected = 0;
    for (int i = 0; i < rounds(); i++) {
        Judge judge(specified(), i % 2);
        const Judge::Sends sends(1, Sent(source.generator.batch(true)));
        try {
            judge.read(source.generator.batch(true), sends, 0);
        } catch (const Wrong&) {
            rejected++;
        }
    }
    BOOST_TEST(rejected > 0);
}

BOOST_AUTO_TEST_CASE(messages_end_at_an_impossible_length) {
    Bytes data = request(specified(), specified().operation(Purpose::add), 9, {{Role::name, "n"}});
    const std::size_t length = data.size();
    BOOST_TEST(length == 16 + 4 + 4 + 4); // headers; an attribute of two octets, padded
    for (int i = 0; i < 2; i++)
        put_bytes(data, View(data).first(length));
    BOOST_TEST(messages_in(data).size() == 3u);
    BOOST_TEST(messages_in(data)[2].at == 2 * length);
    BOOST_TEST(messages_in(data)[2].command == add_command);
    for (const std::size_t wrong : {std::size_t{15}, length + 1, std::size_t{0xffffffff}}) {
        put_at(data, 2 * length, static_cast<std::uint32_t>(wrong));
        BOOST_TEST(messages_in(data).size() == 2u);
    }
    put_at(data, 2 * length, std::uint32_t{16});
    BOOST_TEST(messages_in(data)[2].command == -1);
}

BOOST_AUTO_TEST_CASE(own_requests_are_well_formed) {
    const Bytes found = request(
        specified(), specified().operation(Purpose::remove), 9, {{Role::port, std::uint64_t{7}}});
    const Bytes expected = {28, 0, 0, 0, 32, 0, 5, 0, 9, 0, 0, 0, 0, 0,
                            0,  0, 2, 1, 0,  0, 8, 0, 1, 0, 7, 0, 0, 0};
    BOOST_TEST((found == expected));
    const Bytes dump = request(specified(), specified().operation(Purpose::list), 9);
    BOOST_TEST(get<nlmsghdr>(dump).nlmsg_flags == (NLM_F_REQUEST | NLM_F_ROOT | NLM_F_MATCH));
}

BOOST_AUTO_TEST_CASE(bad_tables_are_rejected) {
    for (const char* line :
         {"", "family x", "attribute 0 1 u16 -1 0 0 any 0 0", "attribute 0 1 u8 -1 0 0 ant 0 0",
          "operation get 0 1 call 0 none 0 - -", "operation get 0 1 do 0 some 0 - -",
          "numbers 1"}) {
        std::istringstream in(line);
        BOOST_CHECK_THROW(read_table(in), std::runtime_error);
    }
    BOOST_CHECK_THROW(specified().operation(Purpose::fault), std::runtime_error);
    BOOST_CHECK_THROW(specified().attribute(0, Role::peer), std::runtime_error);
}

BOOST_AUTO_TEST_SUITE_END()
