// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Requests, dumps, rejections and damaged answers, without a kernel.
#include "boost_test.hpp"

#include <climits>

#include "libmacstats/netlink/client.hpp"
#include "libmacstats/netlink/emulator.hpp"
#include "netlink_fake.hpp"
#include "text.hpp"

BOOST_AUTO_TEST_SUITE(unit_netlink_conversation)

using namespace macstats;
using namespace macstats::test;

namespace {

using namespace std::chrono_literals;

// Time passes by sleeping and, if wanted, by each look at the clock.
class FakeClock final : public DumpClock {
public:
    TimePoint now() override {
        const TimePoint seen = now_;
        now_ += each_look;
        return seen;
    }
    void sleep(std::chrono::milliseconds duration) override {
        waits.push_back(duration);
        now_ += duration;
    }

    std::vector<std::chrono::milliseconds> waits;
    std::chrono::milliseconds each_look{0};

private:
    TimePoint now_{};
};

struct Talk {
    std::shared_ptr<Script> script = std::make_shared<Script>();
    GenericNetlink netlink = conversation(script);

    Result<std::vector<Reply>> request() { return netlink.request(family, Message(7, 1)); }
    Result<std::vector<Reply>> dump() { return netlink.dump(family, Message(7, 1)); }
};

Result<Attributes> attributes(const Datagram& bytes) {
    return Attributes::parse(bytes);
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(requests, Talk)

BOOST_AUTO_TEST_CASE(a_request_carries_its_family_command_version_and_asks_for_an_acknowledgement) {
    script->answer({acknowledged()});
    BOOST_TEST(netlink.request(family, Message(7, 3)).has_value());
    BOOST_REQUIRE(script->sent.size() == 1U);
    const Request request = request_in(script->sent[0]);
    BOOST_TEST(request.header.nlmsg_len == script->sent[0].size());
    BOOST_TEST(request.header.nlmsg_type == family);
    BOOST_TEST(request.header.nlmsg_flags == (NLM_F_REQUEST | NLM_F_ACK));
    BOOST_TEST(request.generic.cmd == 7);
    BOOST_TEST(request.generic.version == 3);
}

BOOST_AUTO_TEST_CASE(the_reply_comes_back_with_the_acknowledgement_in_another_datagram) {
    script->answer({reply(7, u32(1, 42))});
    script->answer({acknowledged()});
    const auto replies = request();
    BOOST_REQUIRE(replies->size() == 1U);
    BOOST_TEST(replies->front().command == 7);
    BOOST_TEST((replies->front().payload == u32(1, 42)));
}

BOOST_AUTO_TEST_CASE(a_rejection_is_the_errno_with_the_kernels_explanation) {
    script->answer({rejected(ERANGE, "FRAME_LENGTH: 0 is not in 1 to 65535")});
    const auto result = request();
    BOOST_TEST(result.error().errnum == ERANGE);
    BOOST_TEST(
        result.error().message ==
        "FRAME_LENGTH: 0 is not in 1 to 65535 (Numerical result out of range)");
}

BOOST_AUTO_TEST_CASE(
    the_explanation_is_found_behind_the_request_that_an_uncapped_rejection_repeats) {
    // The repeated request: a header, a generic header, and an attribute of 8 octets.
    nlmsghdr repeated{};
    repeated.nlmsg_len = 16 + 4 + 8;
    Datagram payload;
    append(payload, -EINVAL);
    append(payload, repeated);
    payload = joined({payload, Datagram(4), u32(1, 5), text(NLMSGERR_ATTR_MSG, "no such port")});
    script->answer({message(NLMSG_ERROR, NLM_F_ACK_TLVS, payload)});
    const auto result = request();
    BOOST_TEST(result.error().errnum == EINVAL);
    BOOST_TEST(result.error().message == "no such port (Invalid argument)");
}

BOOST_AUTO_TEST_CASE(a_rejection_without_explanation_has_the_name_of_its_errno) {
    script->answer({rejected(EPERM)});
    const auto result = request();
    BOOST_TEST(result.error().errnum == EPERM);
    BOOST_TEST(result.error().message == "Operation not permitted");
}

BOOST_AUTO_TEST_CASE(an_invalid_error_number_makes_the_message_malformed) {
    for (const int error : {1, -4096, INT_MIN}) {
        Datagram payload;
        append(payload, error);
        append(payload, nlmsghdr{});
        script->answer({message(NLMSG_ERROR, NLM_F_CAPPED, payload)});
        BOOST_TEST(request().error().errnum == EBADMSG);
    }
}

BOOST_AUTO_TEST_CASE(a_damaged_explanation_does_not_hide_the_rejections) {
    Datagram payload;
    append(payload, -EBUSY);
    append(payload, nlmsghdr{});
    append(payload, nlattr{200, NLMSGERR_ATTR_MSG});
    script->answer({message(NLMSG_ERROR, NLM_F_ACK_TLVS | NLM_F_CAPPED, payload)});
    BOOST_TEST(request().error().errnum == EBUSY);
}

BOOST_AUTO_TEST_CASE(interrupted_system_calls_are_repeated) {
    script->send_errors = {EINTR, EINTR};
    script->fail(EINTR);
    script->answer({reply(7, {})});
    script->fail(EINTR);
    script->answer({acknowledged()});
    const auto replies = request();
    BOOST_TEST(replies->size() == 1U);
    BOOST_TEST(script->sent.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_failed_send_is_reported_as_it_is) {
    script->send_errors = {ENETDOWN};
    BOOST_TEST(request().error().errnum == ENETDOWN);
}

BOOST_AUTO_TEST_CASE(a_request_is_not_repeated_when_its_reply_was_lost) {
    script->fail(ENOBUFS);
    script->answer({acknowledged()});
    BOOST_TEST(request().error().errnum == ENOBUFS);
    BOOST_TEST(script->sent.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_kernel_that_does_not_answer_is_not_waited_for_forever) {
    BOOST_TEST(request().error().errnum == ETIMEDOUT);
}

BOOST_AUTO_TEST_CASE(the_timeout_of_a_transport_is_a_parameter) {
    BOOST_TEST(open_transport(0ms).error().errnum == EINVAL);
    BOOST_TEST(open_transport(-1ms).error().errnum == EINVAL);

    auto transport = open_transport(30ms);
    const auto start = std::chrono::steady_clock::now();
    BOOST_TEST((*transport)->receive().error().errnum == ETIMEDOUT);
    BOOST_TEST((std::chrono::steady_clock::now() - start >= 30ms));
}

BOOST_AUTO_TEST_CASE(answers_to_an_earlier_request_are_skipped) {
    script->answer({reply(7, u32(1, 1), 0, 0xdead), message(NLMSG_ERROR, 0, Datagram(20), 0xdead)});
    script->reply(7, u32(1, 2));
    const auto replies = request();
    BOOST_REQUIRE(replies->size() == 1U);
    BOOST_TEST((replies->front().payload == u32(1, 2)));
}

BOOST_AUTO_TEST_CASE(each_request_has_a_sequence_number_of_its_own) {
    script->answer({acknowledged()});
    script->answer({acknowledged()});
    BOOST_TEST(request().has_value());
    BOOST_TEST(request().has_value());
    BOOST_TEST(
        request_in(script->sent[0]).header.nlmsg_seq !=
        request_in(script->sent[1]).header.nlmsg_seq);
}

BOOST_AUTO_TEST_CASE(a_request_that_is_too_long_is_not_sent) {
    Message message(7, 1);
    message.put_string(1, std::string(100'000, 'x'));
    BOOST_TEST(netlink.request(family, std::move(message)).error().errnum == EMSGSIZE);
    BOOST_TEST(script->sent.empty());
}

BOOST_AUTO_TEST_CASE(a_query_without_a_reply_fails) {
    script->answer({acknowledged()});
    BOOST_TEST(netlink.query(family, Message(7, 1)).error().errnum == EBADMSG);
}

BOOST_AUTO_TEST_CASE(a_message_that_is_cut_off_is_an_error) {
    Datagram cut = joined({reply(7, u32(1, 42)), acknowledged()});
    cut.resize(reply(7, u32(1, 42)).size() + 10);
    script->answers.push_back(cut);
    BOOST_TEST(request().error().errnum == EBADMSG);
}

BOOST_AUTO_TEST_CASE(a_message_longer_than_its_datagram_is_an_error) {
    Datagram bytes = reply(7, u32(1, 42));
    bytes[0] = std::byte(200);
    script->answers.push_back(bytes);
    BOOST_TEST(request().error().errnum == EBADMSG);
}

BOOST_AUTO_TEST_CASE(a_family_is_known_by_the_number_that_the_controller_gives) {
    script->reply(CTRL_CMD_NEWFAMILY, number(CTRL_ATTR_FAMILY_ID, std::uint16_t{77}));
    const auto id = netlink.family("macstats");
    BOOST_TEST(*id == 77);
    const Request request = request_in(script->sent[0]);
    BOOST_TEST(request.header.nlmsg_type == GENL_ID_CTRL);
    BOOST_TEST(request.generic.cmd == CTRL_CMD_GETFAMILY);
    BOOST_TEST(
        (request.find(CTRL_ATTR_FAMILY_NAME) == attributes_in(text(1, "macstats"), 0)[0].second));
}

BOOST_AUTO_TEST_CASE(a_missing_family_has_an_error_of_its_own) {
    script->answer({rejected(ENOENT)});
    const auto id = netlink.family("macstats");
    BOOST_TEST(id.error().errnum == Error::not_loaded);
    BOOST_TEST(contains(id.error().message, "macstats"));
}

BOOST_AUTO_TEST_CASE(a_family_that_left_since_is_a_missing_one) {
    // genl_rcv_msg() in net/netlink/genetlink.c: -ENOENT, without a text.
    script->answer({rejected(ENOENT)});
    const auto result = request();
    BOOST_TEST(result.error().errnum == Error::not_loaded);
    BOOST_TEST(result.error().message == "the kernel modules were unloaded");
}

// The version is u32 in the controller's replies: linux/genetlink.h.
Datagram family_of_version(std::uint32_t version) {
    return reply(
        CTRL_CMD_NEWFAMILY,
        joined({number(CTRL_ATTR_FAMILY_ID, std::uint16_t{77}), u32(CTRL_ATTR_VERSION, version)}));
}

BOOST_AUTO_TEST_CASE(a_family_that_came_back_with_another_number_is_no_missing_one) {
    for (const bool is_dump : {false, true}) {
        script->answer({family_of_version(3), acknowledged()});
        BOOST_REQUIRE(netlink.family("macstats", 3).has_value());
        script->answer({rejected(ENOENT)});
        script->answer({family_of_version(3), acknowledged()});
        const auto result = is_dump ? dump() : request();
        BOOST_TEST(result.error().errnum == Error::loaded_again);
        BOOST_TEST(contains(result.error().message, "loaded again"));

        script->answer({rejected(ENOENT)});
        script->answer({rejected(ENOENT)}); // the controller
        const auto missing = is_dump ? dump() : request();
        BOOST_TEST(missing.error().errnum == Error::not_loaded);
        BOOST_TEST(missing.error().message == "the kernel modules were unloaded");
    }
}

BOOST_AUTO_TEST_CASE(a_family_of_the_expected_protocol_version_is_accepted) {
    script->answer({family_of_version(3), acknowledged()});
    const auto id = netlink.family("macstats", 3);
    BOOST_TEST(*id == 77);
}

BOOST_AUTO_TEST_CASE(a_family_of_another_protocol_version_has_an_error_of_its_own) {
    for (const std::uint32_t version : {0U, 2U, 4U, 259U}) {
        script->answer({family_of_version(version), acknowledged()});
        const auto id = netlink.family("macstats", 3);
        BOOST_TEST(id.error().errnum == Error::other_protocol);
        BOOST_TEST(
            id.error().message == "the kernel's family \"macstats\" speaks version " +
                                      std::to_string(version) +
                                      " of its protocol; version 3 is accepted");
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(dumps, Talk)

BOOST_AUTO_TEST_CASE(a_dump_is_all_that_comes_before_its_end) {
    script->answer({reply(7, u32(1, 1), NLM_F_MULTI), reply(7, u32(1, 2), NLM_F_MULTI)});
    script->dump(7, {u32(1, 3)});
    const auto replies = dump();
    BOOST_REQUIRE(replies->size() == 3U);
    BOOST_TEST(((*replies)[2].payload == u32(1, 3)));
    BOOST_TEST(request_in(script->sent[0]).header.nlmsg_flags == (NLM_F_REQUEST | NLM_F_DUMP));
}

BOOST_AUTO_TEST_CASE(an_interrupted_dump_is_retried) {
    script->answer({reply(7, u32(1, 1), NLM_F_MULTI)});
    script->answer({reply(7, u32(1, 1), NLM_F_MULTI | NLM_F_DUMP_INTR), done()});
    script->dump(7, {u32(1, 2)});
    const auto replies = dump();
    BOOST_REQUIRE(replies->size() == 1U);
    BOOST_TEST((replies->front().payload == u32(1, 2)));
    BOOST_TEST(script->sent.size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_dump_with_an_interrupted_flag_at_its_end_is_retried) {
    script->answer({reply(7, u32(1, 1), NLM_F_MULTI), done(NLM_F_DUMP_INTR)});
    script->answer({done()});
    const auto replies = dump();
    BOOST_TEST(replies->empty());
}

BOOST_AUTO_TEST_CASE(waits_between_dumps_double_up_to_the_longest) {
    const auto clock = std::make_shared<FakeClock>();
    GenericNetlink patient(
        std::make_unique<FakeKernel>(script),
        {.first_wait = 1ms, .longest_wait = 6ms, .deadline = 1000ms}, clock);
    for (int i = 0; i < 5; i++)
        script->answer({done(NLM_F_DUMP_INTR)});
    script->answer({done()});
    BOOST_TEST(patient.dump(family, Message(7, 1)).has_value());
    BOOST_TEST((clock->waits == std::vector{1ms, 2ms, 4ms, 6ms, 6ms}));
    BOOST_TEST(script->sent.size() == 6U);
}

BOOST_AUTO_TEST_CASE(a_dump_that_is_always_interrupted_fails_at_the_deadline) {
    const auto clock = std::make_shared<FakeClock>();
    GenericNetlink patient(
        std::make_unique<FakeKernel>(script),
        {.first_wait = 1ms, .longest_wait = 4ms, .deadline = 10ms}, clock);
    for (int i = 0; i < 100; i++)
        script->answer({done(NLM_F_DUMP_INTR)});
    const auto replies = patient.dump(family, Message(7, 1));
    BOOST_TEST(replies.error().errnum == EAGAIN);
    BOOST_TEST(contains(replies.error().message, "10 ms"));
    // At 0, 1, 3 and 7 ms; the next wait would end at 11 ms.
    BOOST_TEST(script->sent.size() == 4U);
    BOOST_TEST((clock->waits == std::vector{1ms, 2ms, 4ms}));
}

BOOST_AUTO_TEST_CASE(time_that_the_kernel_takes_counts_towards_the_deadline) {
    const auto clock = std::make_shared<FakeClock>();
    clock->each_look = 6ms; // the kernel answers slowly
    GenericNetlink patient(
        std::make_unique<FakeKernel>(script),
        {.first_wait = 1ms, .longest_wait = 4ms, .deadline = 10ms}, clock);
    for (int i = 0; i < 100; i++)
        script->answer({done(NLM_F_DUMP_INTR)});
    BOOST_TEST(!patient.dump(family, Message(7, 1)).has_value());
    // At 0 and, after 6 ms and a wait, at 7 ms, which ends at 13 ms.
    BOOST_TEST(script->sent.size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_dump_is_asked_for_once_whatever_the_deadline) {
    GenericNetlink hasty(
        std::make_unique<FakeKernel>(script),
        {.first_wait = 1ms, .longest_wait = 1ms, .deadline = 0ms}, std::make_shared<FakeClock>());
    script->answer({done()});
    BOOST_TEST(hasty.dump(family, Message(7, 1)).has_value());
}

BOOST_AUTO_TEST_CASE(a_dump_during_which_something_was_lost_is_retried) {
    script->answer({reply(7, u32(1, 1), NLM_F_MULTI)});
    script->fail(ENOBUFS);
    script->answer({done()});
    script->dump(7, {u32(1, 2)});
    const auto replies = dump();
    BOOST_REQUIRE(replies->size() == 1U);
    BOOST_TEST((replies->front().payload == u32(1, 2)));
}

BOOST_AUTO_TEST_CASE(an_error_at_the_end_of_a_dump_fails_it) {
    script->answer({reply(7, u32(1, 1), NLM_F_MULTI), done(0, ENOMEM)});
    BOOST_TEST(dump().error().errnum == ENOMEM);
}

BOOST_AUTO_TEST_CASE(a_dump_can_be_rejected_with_an_explanation) {
    script->answer({rejected(ENOENT, "COUNTER_MODEL_ID: no such model")});
    const auto replies = dump();
    BOOST_TEST(replies.error().errnum == ENOENT);
    BOOST_TEST(contains(replies.error().message, "no such model"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(reading_attributes)

BOOST_AUTO_TEST_CASE(the_order_of_attributes_does_not_matter) {
    const Datagram bytes = joined({u64(3, 1ULL << 63), text(2, "mac0"), u32(1, 5)});
    auto read = attributes(bytes);
    BOOST_TEST(read->u32(1) == 5U);
    BOOST_TEST(read->string(2) == "mac0");
    BOOST_TEST(read->u64(3) == 1ULL << 63);
    BOOST_TEST(!read->error().has_value());
}

BOOST_AUTO_TEST_CASE(an_unknown_attribute_is_ignored) {
    const Datagram bytes = joined({text(999, "from the future"), u32(1, 5)});
    auto read = attributes(bytes);
    BOOST_TEST(read->u32(1) == 5U);
    BOOST_TEST(!read->error().has_value());
}

BOOST_AUTO_TEST_CASE(the_flags_in_a_type_are_not_part_of_it) {
    const Datagram bytes = number(1 | NLA_F_NET_BYTEORDER | NLA_F_NESTED, std::uint32_t{5});
    auto read = attributes(bytes);
    BOOST_TEST(read->u32(1) == 5U);
}

BOOST_AUTO_TEST_CASE(an_attribute_cut_off_anywhere_is_an_error_unless_nothing_of_it_is_there) {
    const Datagram whole = joined({u32(1, 5), u64(2, 6)});
    for (std::size_t size = 0; size <= whole.size(); size++) {
        const Datagram cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
        const auto read = attributes(cut);
        // Attribute 1 ends after 8 octets, attribute 2 after 20.
        BOOST_TEST(read.has_value() == (size == 0 || size == 8 || size == 20));
        if (!read)
            BOOST_TEST(read.error().errnum == EBADMSG);
    }
}

BOOST_AUTO_TEST_CASE(an_attribute_shorter_than_its_own_header_is_an_error) {
    Datagram bytes;
    append(bytes, nlattr{3, 1});
    BOOST_TEST(!attributes(bytes).has_value());
}

BOOST_AUTO_TEST_CASE(a_missing_attribute_and_one_of_the_wrong_size_are_noted) {
    const Datagram bytes = u64(1, 5);
    auto missing = attributes(bytes);
    BOOST_TEST(missing->u32(2) == 0U);
    BOOST_REQUIRE(missing->error().has_value());
    BOOST_TEST(missing->error()->errnum == EBADMSG);
    BOOST_TEST(contains(missing->error()->message, "attribute 2"));

    auto wrong = attributes(bytes);
    BOOST_TEST(wrong->u32(1) == 0U);
    BOOST_TEST(wrong->error().has_value());
}

BOOST_AUTO_TEST_CASE(an_optional_attribute_may_be_missing_but_not_malformed) {
    const Datagram bytes = u32(1, 5);
    auto read = attributes(bytes);
    BOOST_TEST(!read->optional_u64(2).has_value());
    BOOST_TEST(read->optional_string(2) == "");
    BOOST_TEST(!read->error().has_value());
    (void)read->optional_u64(1);
    BOOST_TEST(read->error().has_value());
}

BOOST_AUTO_TEST_CASE(a_string_without_an_end_is_an_error) {
    const Datagram bytes = u32(1, 0x41414141);
    auto read = attributes(bytes);
    BOOST_TEST(read->string(1) == "");
    BOOST_TEST(read->error().has_value());
}

BOOST_AUTO_TEST_CASE(an_array_has_whole_elements_and_may_be_empty) {
    const Datagram values = u64s(1, {1, ~0ULL});
    auto read = attributes(values);
    BOOST_TEST(
        read->u64_array(1) == std::vector<std::uint64_t>({1, ~0ULL}),
        boost::test_tools::per_element());
    BOOST_TEST(!read->error().has_value());

    const Datagram none = flag(1);
    auto empty = attributes(none);
    BOOST_TEST(empty->u64_array(1).empty());
    BOOST_TEST(!empty->error().has_value());

    const Datagram half = u32(1, 5);
    auto odd = attributes(half);
    BOOST_TEST(odd->u64_array(1).empty());
    BOOST_TEST(odd->error().has_value());
}

BOOST_AUTO_TEST_CASE(repeated_attributes_keep_their_order) {
    const Datagram bytes = joined({u32(1, 8), text(2, "a"), u32(1, 7), text(2, "b")});
    auto read = attributes(bytes);
    BOOST_TEST(
        read->u32s(1) == std::vector<std::uint32_t>({8, 7}), boost::test_tools::per_element());
    BOOST_TEST(
        read->strings(2) == std::vector<std::string>({"a", "b"}), boost::test_tools::per_element());
    BOOST_TEST(read->u32(1) == 7U);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
