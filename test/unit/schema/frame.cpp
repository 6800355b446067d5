// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// How frames are described and classified, before any MAC looks at them.
#include "boost_test.hpp"

#include <array>
#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

#include "fixture.hpp"

BOOST_AUTO_TEST_SUITE(unit_frame)

using namespace macstats::test;

namespace {

constexpr macstats_sizes rmon = {MACSTATS_RMON_EDGES, 0};

using Octets = std::vector<u8>;

const Octets somebody = {0x02, 0, 0, 0, 0, 1};
const Octets group = {0x01, 0x00, 0x5e, 0, 0, 1};
const Octets everybody(6, 0xff);
const Octets pause_address = {0x01, 0x80, 0xc2, 0, 0, 0x01};
const Octets source = {0x02, 0, 0, 0, 0, 2};

Octets octets(std::initializer_list<Octets> parts) {
    Octets all;
    for (const Octets& part : parts)
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

constexpr u16 wrong_length = MACSTATS_ERR_PAYLOAD_LENGTH;

// Members that parsing does not look for are preset to what it has to overwrite.
macstats_frame parse(const Octets& data, u32 length = 77) {
    macstats_frame frame = {};
    frame.direction = MACSTATS_TX;
    frame.length = length;
    frame.collisions = 3;
    frame.deferred = true;
    frame.errors = MACSTATS_ERR_ALL;
    frame.origin = MACSTATS_BY_MAC;
    frame.vlan_tags = 2;
    frame.kind = MACSTATS_PAUSE;
    frame.descriptors = 3;
    frame.append_crc = MACSTATS_CONTROL_ON;
    frame.huge = MACSTATS_CONTROL_OFF;
    macstats_frame_parse(&frame, data.data(), static_cast<unsigned int>(data.size()));
    return frame;
}

} // namespace

BOOST_AUTO_TEST_SUITE(sizes)

// RFC 2819: etherStatsPkts64Octets, 65to127, 128to255, 256to511, 512to1023,
// 1024to1518; what is shorter is undersize, what is longer has a class of its own.
BOOST_AUTO_TEST_CASE(classes_meet_at_the_edges_of_rfc_2819) {
    const struct {
        u32 length;
        macstats_size size;
    } cases[] = {
        {1, MACSTATS_SIZE_UNDER_64},
        {63, MACSTATS_SIZE_UNDER_64},
        {64, MACSTATS_SIZE_64},
        {65, MACSTATS_SIZE_65_TO_127},
        {127, MACSTATS_SIZE_65_TO_127},
        {128, MACSTATS_SIZE_128_TO_255},
        {255, MACSTATS_SIZE_128_TO_255},
        {256, MACSTATS_SIZE_256_TO_511},
        {511, MACSTATS_SIZE_256_TO_511},
        {512, MACSTATS_SIZE_512_TO_1023},
        {1023, MACSTATS_SIZE_512_TO_1023},
        {1024, MACSTATS_SIZE_1024_TO_1518},
        {1518, MACSTATS_SIZE_1024_TO_1518},
        {1519, MACSTATS_SIZE_1519_UP},
        {9600, MACSTATS_SIZE_1519_UP},
        {9601, MACSTATS_SIZE_1519_UP},
        {65535, MACSTATS_SIZE_1519_UP},
    };

    for (const auto& one : cases) {
        BOOST_TEST_CONTEXT("length " << one.length) {
            BOOST_TEST((1u << macstats__size_class(&rmon, one.length, false)) == one.size);
            BOOST_TEST((1u << macstats__size_class(&rmon, one.length, true)) == one.size);
        }
    }
}

BOOST_AUTO_TEST_CASE(seven_edges_make_eight_classes) {
    BOOST_TEST(macstats_size_classes(&rmon) == 8u);
    constexpr macstats_sizes none = {};
    BOOST_TEST(macstats_size_classes(&none) == 1u);
}

BOOST_AUTO_TEST_CASE(twelve_edges_need_no_zero_behind_them) {
    constexpr macstats_sizes full = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 0};

    BOOST_TEST(macstats_size_classes(&full) == 13u);
    BOOST_TEST(macstats__size_class(&full, 11, false) == 11u);
    BOOST_TEST(macstats__size_class(&full, 12, false) == 12u);
}

BOOST_AUTO_TEST_CASE(a_tagged_frame_may_be_four_octets_longer_where_the_model_allows_it) {
    constexpr macstats_sizes lifted = {MACSTATS_RMON_EDGES, 1u << 6};

    BOOST_TEST(macstats__size_class(&lifted, 1518, false) == 6u);
    BOOST_TEST(macstats__size_class(&lifted, 1519, false) == 7u);
    BOOST_TEST(macstats__size_class(&lifted, 1522, true) == 6u);
    BOOST_TEST(macstats__size_class(&lifted, 1523, true) == 7u);
    // The other edges stay where they are.
    BOOST_TEST(macstats__size_class(&lifted, 1023, true) == 5u);
    BOOST_TEST(macstats__size_class(&lifted, 1024, true) == 6u);
}

BOOST_AUTO_TEST_SUITE_END()

// IEEE 802.3 4.4.2: attemptLimit 16. 30.3.1.1.3 and .4: one, and more than one.
BOOST_AUTO_TEST_CASE(collisions_are_none_one_several_or_the_attempt_limit) {
    BOOST_TEST(macstats__collision_class(0) == MACSTATS_NO_COLLISION);
    BOOST_TEST(macstats__collision_class(1) == MACSTATS_ONE_COLLISION);
    BOOST_TEST(macstats__collision_class(2) == MACSTATS_SEVERAL_COLLISIONS);
    BOOST_TEST(macstats__collision_class(15) == MACSTATS_SEVERAL_COLLISIONS);
    BOOST_TEST(macstats__collision_class(16) == MACSTATS_SIXTEEN_COLLISIONS);
}

// register-maps 1.1, classification: 88-08 at octets 13 and 14 only.
BOOST_AUTO_TEST_CASE(a_vlan_tagged_control_frame_is_data) {
    for (macstats_kind kind : {MACSTATS_DATA, MACSTATS_CONTROL, MACSTATS_PAUSE, MACSTATS_PFC}) {
        const Frame plain = rx(64).as(kind);
        const Frame tagged = plain.tagged(1);
        const Frame twice = plain.tagged(2);

        BOOST_TEST(macstats_kind_on_wire(&plain) == kind);
        BOOST_TEST(macstats_kind_on_wire(&tagged) == MACSTATS_DATA);
        BOOST_TEST(macstats_kind_on_wire(&twice) == MACSTATS_DATA);
    }
}

BOOST_AUTO_TEST_CASE(a_packet_has_one_descriptor_unless_stated) {
    for (const auto& [stated, number] : {std::pair{0u, 1u}, {1u, 1u}, {2u, 2u}, {64u, 64u}}) {
        const Frame frame = tx(64).in(stated);

        BOOST_TEST(macstats_descriptors(&frame) == number);
    }
}

// Flow control: only an untagged pause frame that the MAC itself transmits.
BOOST_AUTO_TEST_CASE(only_untagged_transmitted_pause_frames_are_the_macs_own) {
    const auto own = [](const Frame& frame) { return macstats__is_own_pause(&frame); };
    const Frame pause = tx(64).as(MACSTATS_PAUSE).by(MACSTATS_BY_MAC);

    BOOST_TEST(own(pause));
    BOOST_TEST(!own(rx(64).as(MACSTATS_PAUSE).by(MACSTATS_BY_MAC)));
    BOOST_TEST(!own(pause.by(MACSTATS_BY_SOFTWARE)));
    BOOST_TEST(!own(pause.as(MACSTATS_PFC)));
    BOOST_TEST(!own(pause.as(MACSTATS_DATA)));
    BOOST_TEST(!own(pause.tagged()));
    BOOST_TEST(!own(tx(64).as(MACSTATS_PAUSE)));
    BOOST_TEST(!own(rx(64).as(MACSTATS_PAUSE)));
}

BOOST_AUTO_TEST_SUITE(parsing)

BOOST_AUTO_TEST_CASE(the_group_bit_distinguishes_multicast_from_unicast) {
    BOOST_TEST(parse(octets({somebody, source, {0x08, 0x00}})).destination == MACSTATS_UNICAST);
    BOOST_TEST(parse(octets({group, source, {0x08, 0x00}})).destination == MACSTATS_MULTICAST);
}

BOOST_AUTO_TEST_CASE(broadcast_is_six_octets_of_ones_and_no_less) {
    BOOST_TEST(parse(octets({everybody, source, {0x08, 0x00}})).destination == MACSTATS_BROADCAST);
    for (std::size_t i = 0; i < 6; i++) {
        Octets almost = everybody;
        almost[i] = 0xfd; // the group bit is set
        BOOST_TEST(
            parse(octets({almost, source, {0x08, 0x00}})).destination == MACSTATS_MULTICAST, i);
    }
    // A frame that ends within the destination address is not known to be broadcast.
    BOOST_TEST(parse(Octets(5, 0xff)).destination == MACSTATS_MULTICAST);
    BOOST_TEST(parse(everybody).destination == MACSTATS_BROADCAST);
}

// IEEE 802.3 31A: opcode 00-01 is PAUSE, 01-01 is PFC, others are just control.
BOOST_AUTO_TEST_CASE(pause_and_pfc_are_recognized_by_their_opcodes) {
    BOOST_TEST(
        parse(octets({pause_address, source, {0x88, 0x08, 0x00, 0x01}})).kind == MACSTATS_PAUSE);
    BOOST_TEST(
        parse(octets({pause_address, source, {0x88, 0x08, 0x01, 0x01}})).kind == MACSTATS_PFC);
    BOOST_TEST(
        parse(octets({pause_address, source, {0x88, 0x08, 0x00, 0x02}})).kind == MACSTATS_CONTROL);
    BOOST_TEST(
        parse(octets({pause_address, source, {0x88, 0x08, 0x01, 0x00}})).kind == MACSTATS_CONTROL);
    BOOST_TEST(
        parse(octets({pause_address, source, {0x88, 0x08, 0x02, 0x01}})).kind == MACSTATS_CONTROL);
}

BOOST_AUTO_TEST_CASE(a_pause_frame_is_one_whatever_its_destination) {
    for (const Octets& to : {somebody, group, everybody})
        BOOST_TEST(parse(octets({to, source, {0x88, 0x08, 0x00, 0x01}})).kind == MACSTATS_PAUSE);
}

BOOST_AUTO_TEST_CASE(other_types_are_data) {
    BOOST_TEST(parse(octets({somebody, source, {0x08, 0x00, 0x00, 0x01}})).kind == MACSTATS_DATA);
    BOOST_TEST(parse(octets({somebody, source, {0x88, 0x09, 0x00, 0x01}})).kind == MACSTATS_DATA);
    BOOST_TEST(parse(octets({somebody, source, {0x08, 0x88, 0x00, 0x01}})).kind == MACSTATS_DATA);
}

// register-maps 1.1: 81-00 at octets 13 and 14, again at 17 and 18; 88-A8 is not looked for.
BOOST_AUTO_TEST_CASE(tags_are_81_00_and_two_at_the_most) {
    const Octets tag = {0x81, 0x00, 0x00, 0x05};
    const Octets type = {0x08, 0x00};

    BOOST_TEST(parse(octets({somebody, source, type})).vlan_tags == 0);
    BOOST_TEST(parse(octets({somebody, source, tag, type})).vlan_tags == 1);
    BOOST_TEST(parse(octets({somebody, source, tag, tag, type})).vlan_tags == 2);
    BOOST_TEST(parse(octets({somebody, source, tag, tag, tag, type})).vlan_tags == 2);
    BOOST_TEST(parse(octets({somebody, source, {0x88, 0xa8, 0, 5}, tag, type})).vlan_tags == 0);
}

BOOST_AUTO_TEST_CASE(a_pause_frame_behind_a_tag_is_data) {
    const macstats_frame frame =
        parse(octets({pause_address, source, {0x81, 0x00, 0x00, 0x05, 0x88, 0x08, 0x00, 0x01}}));

    BOOST_TEST(frame.kind == MACSTATS_DATA);
    BOOST_TEST(frame.vlan_tags == 1);
    BOOST_TEST(frame.destination == MACSTATS_MULTICAST);
}

BOOST_AUTO_TEST_CASE(a_frame_shorter_than_a_header_is_data) {
    const Octets pause = octets({pause_address, source, {0x88, 0x08, 0x00, 0x01}});

    for (std::size_t length = 0; length < 14; length++) {
        BOOST_TEST_CONTEXT("length " << length) {
            const macstats_frame frame =
                parse(Octets(pause.begin(), pause.begin() + static_cast<std::ptrdiff_t>(length)));

            BOOST_TEST(frame.kind == MACSTATS_DATA);
            BOOST_TEST(frame.vlan_tags == 0);
            BOOST_TEST(frame.destination == (length ? MACSTATS_MULTICAST : MACSTATS_UNICAST));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_control_frame_without_its_opcode_is_control_but_not_pause) {
    BOOST_TEST(parse(octets({pause_address, source, {0x88, 0x08}})).kind == MACSTATS_CONTROL);
    BOOST_TEST(parse(octets({pause_address, source, {0x88, 0x08, 0x00}})).kind == MACSTATS_CONTROL);
}

// A tag of which the second half is missing is still a tag.
BOOST_AUTO_TEST_CASE(a_frame_that_ends_within_its_tag_is_tagged) {
    BOOST_TEST(parse(octets({somebody, source, {0x81, 0x00}})).vlan_tags == 1);
    BOOST_TEST(parse(octets({somebody, source, {0x81}})).vlan_tags == 0);
}

// IEEE 802.3 3.2.6: a Length/Type of 1536 and more is a type. register-maps 1.1: up to 0x5FF it is
// a length, which is right if it is that of the data, 18 octets less than the frame and 4 less for
// each tag. Data of up to 46 octets, with the tags, is padded to a frame of 64.
BOOST_AUTO_TEST_CASE(a_length_field_is_that_of_the_data) {
    const Octets tag = {0x81, 0x00, 0x00, 0x05};
    const struct {
        unsigned int tags;
        u32 field;
        u32 length;
        bool wrong;
    } cases[] = {{0, 100, 118, false},   {0, 100, 117, true},   {0, 100, 119, true},
                 {0, 0, 64, false},      {0, 1, 64, false},     {0, 46, 64, false},
                 {0, 45, 65, true},      {0, 46, 65, true},     {0, 47, 64, true},
                 {0, 47, 65, false},     {0, 46, 63, true},     {0, 20, 38, true},
                 {0, 1500, 1518, false}, {0, 1500, 1519, true}, {0, 0x5ff, 1553, false},
                 {0, 0x5ff, 1552, true}, {0, 0x600, 64, false}, {0, 0x600, 1554, false},
                 {1, 100, 122, false},   {1, 100, 118, true},   {1, 42, 64, false},
                 {1, 43, 64, true},      {1, 43, 65, false},    {2, 100, 126, false},
                 {2, 100, 122, true},    {2, 38, 64, false},    {2, 39, 64, true},
                 {2, 39, 65, false},     {0, 0xff00, 64, false}};

    for (const auto& one : cases) {
        Octets data = octets({somebody, source});

        for (unsigned int i = 0; i < one.tags; i++)
            data.insert(data.end(), tag.begin(), tag.end());
        data.push_back(static_cast<u8>(one.field >> 8));
        data.push_back(static_cast<u8>(one.field & 0xff));
        BOOST_TEST_CONTEXT(
            one.tags << " tags, field " << one.field << ", frame of " << one.length) {
            BOOST_TEST(parse(data, one.length).errors == (one.wrong ? wrong_length : 0));
        }
        // A field of which only one octet is known is not checked.
        data.pop_back();
        BOOST_TEST(parse(data, one.length).errors == 0);
    }
}

// The octets behind the known ones would make it broadcast, tagged, a control or a pause frame.
BOOST_AUTO_TEST_CASE(octets_behind_the_known_ones_are_not_read) {
    const Octets pause = octets({everybody, source, {0x88, 0x08, 0x00, 0x01}});
    const Octets tagged = octets({somebody, source, {0x81, 0x00, 0x00, 0x05}});
    const auto first = [](const Octets& data, unsigned int known) {
        macstats_frame frame = {};
        frame.length = 64;
        macstats_frame_parse(&frame, data.data(), known);
        return frame;
    };

    BOOST_TEST(first(pause, 5).destination == MACSTATS_MULTICAST);
    BOOST_TEST(first(pause, 6).destination == MACSTATS_BROADCAST);
    BOOST_TEST(first(pause, 13).kind == MACSTATS_DATA);
    BOOST_TEST(first(pause, 14).kind == MACSTATS_CONTROL);
    BOOST_TEST(first(pause, 15).kind == MACSTATS_CONTROL);
    BOOST_TEST(first(pause, 16).kind == MACSTATS_PAUSE);
    BOOST_TEST(first(tagged, 13).vlan_tags == 0);
    BOOST_TEST(first(tagged, 14).vlan_tags == 1);
}

// IEEE 802.1Q: the priority is in the octet behind 81-00. 81-20 is another type.
BOOST_AUTO_TEST_CASE(a_tag_is_known_by_its_two_octets_whatever_its_priority) {
    BOOST_TEST(parse(octets({somebody, source, {0x81, 0x00, 0x20, 0x05, 0x08, 0}})).vlan_tags == 1);
    BOOST_TEST(parse(octets({somebody, source, {0x81, 0x20, 0x00, 0x05, 0x08, 0}})).vlan_tags == 0);
}

BOOST_AUTO_TEST_CASE(parsing_keeps_direction_and_length_and_resets_the_rest) {
    const macstats_frame frame = parse(octets({somebody, source, {0x08, 0x00}}));

    BOOST_TEST(frame.direction == MACSTATS_TX);
    BOOST_TEST(frame.length == 77u);
    BOOST_TEST(frame.collisions == 0);
    BOOST_TEST(!frame.deferred);
    BOOST_TEST(frame.errors == 0);
    BOOST_TEST(frame.origin == MACSTATS_BY_SOFTWARE);
    BOOST_TEST(frame.kind == MACSTATS_DATA);
    BOOST_TEST(frame.vlan_tags == 0);
    BOOST_TEST(frame.descriptors == 0);
    BOOST_TEST(frame.append_crc == MACSTATS_BY_REGISTER);
    BOOST_TEST(frame.huge == MACSTATS_BY_REGISTER);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
