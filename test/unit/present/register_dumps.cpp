// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Register dumps in the datasheet's words; the dumps are written here by hand.
#include "boost_test.hpp"
#include <fmt/format.h>
#include <macstats/place.h>
#include <macstats/roles.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <span>

#include "libmacstats/core/names.hpp"
#include "libmacstats/device/registers.hpp"
#include "present/registers.hpp"
#include "text.hpp"

BOOST_AUTO_TEST_SUITE(unit_register_dumps)

using namespace macstats;
using macstats::test::contains;

namespace {

using Words = std::vector<DumpedWord>;

const macstats_model& ll40g = *find_model("ll40g");
const macstats_model& ixf1104 = *find_model("ixf1104");
const macstats_model& e1000 = *find_model("e1000");
const macstats_model& cpsw = *find_model("cpsw");

// A whole dump, as diagnose.c in the provider makes it: each register and each counter that reading
// does not change. Words that are not in @chosen are 0.
Words whole(const macstats_model& model, const Words& chosen, std::uint32_t port = 0) {
    Words words = chosen;
    const auto add = [&words](std::uint32_t address) {
        if (std::ranges::find(words, address, &DumpedWord::address) == words.end())
            words.push_back({address, 0});
    };
    for (const macstats_register& reg : std::span(model.registers, model.n_registers))
        add(reg.offset + port * model.port_stride);
    for (const macstats_counter& counter : std::span(model.counters, model.n_counters)) {
        const auto apart = counter.port_stride ? counter.port_stride : model.port_stride;
        if (counter.onread != MACSTATS_ONREAD_NONE || counter.latch ||
            macstats__block_has(&model, counter.block, MACSTATS_ROLE_CLEAR_ON_READ) ||
            macstats_is_software_counter(&counter) || macstats__is_windowed(&model, &counter))
            continue;
        for (unsigned int word = 0; word * model.bus_bits < counter.bits; word++)
            add(macstats_word_offset(&model, &counter, word) + port * apart);
    }
    return words;
}

const DecodedRegister& row_at(const DecodedDump& dump, std::uint32_t offset) {
    const auto row = std::ranges::find(dump.registers, offset, &DecodedRegister::offset);
    BOOST_REQUIRE((row != dump.registers.end()));
    return *row;
}

std::string rejection(const macstats_model& model, const Words& words) {
    const auto dump = decode_dump(model, words);
    BOOST_TEST(dump.error().errnum == EINVAL);
    return dump.error().message;
}

} // namespace

BOOST_AUTO_TEST_CASE(octets_are_pairs_of_address_and_value) {
    const unsigned char octets[] = {0x06, 0x05, 0, 0,    0x80, 0x25, 0, 0xf0,
                                    0x45, 0x08, 0, 0x10, 4,    0,    0, 0};
    const auto words = parse_dump(std::as_bytes(std::span(octets)));
    BOOST_REQUIRE(words->size() == 2U);
    BOOST_TEST((*words)[0].address == 0x506U);
    BOOST_TEST((*words)[0].value == 0xf0002580U);
    BOOST_TEST((*words)[1].address == 0x10000845U);
    BOOST_TEST((*words)[1].value == 4U);
}

BOOST_AUTO_TEST_CASE(octets_that_are_no_pairs_are_rejected) {
    const std::byte octets[20]{};
    for (const std::size_t size : {0U, 1U, 4U, 7U, 12U, 20U})
        BOOST_TEST(parse_dump(std::span(octets).first(size)).error().errnum == EINVAL);
}

BOOST_AUTO_TEST_CASE(a_register_has_its_name_and_fields) {
    // 3.4.1.7: bit 2 of CNTR_TX_CONFIG is the shadow request.
    const auto dump = decode_dump(ll40g, whole(ll40g, {{0x845, 0x4}}));
    const DecodedRegister& decoded = row_at(*dump, 0x845);
    BOOST_REQUIRE(decoded.reg != nullptr);
    BOOST_TEST(decoded.reg->name == std::string("CNTR_TX_CONFIG"));
    BOOST_TEST(decoded.value == 4U);
    for (const DecodedField& field : decoded.fields)
        BOOST_TEST(
            field.value == (std::string_view(field.field->name) == "shadow_request" ? 1U : 0U));
    BOOST_TEST(decoded.fields.size() == 4U);
}

BOOST_AUTO_TEST_CASE(a_counter_of_two_words_is_one_value) {
    // Low word at the lower address, CNTR_TX_64B_LO at 0x816.
    const auto dump = decode_dump(ll40g, whole(ll40g, {{0x816, 0x89abcdef}, {0x817, 0x01234567}}));
    BOOST_TEST(row_at(*dump, 0x816).counter->reg == std::string("CNTR_TX_64B"));
    BOOST_TEST(row_at(*dump, 0x816).value == 0x0123456789abcdefULL);
    BOOST_TEST(dump->skipped.empty());
    const auto json = dump_json(ll40g, *dump);
    BOOST_TEST(json.at("counters").at("tx_64b") == 0x0123456789abcdefULL);
    BOOST_TEST(
        contains(dump_text(ll40g, *dump, false), "0x0123456789abcdef  81985529216486895 frames"));
}

BOOST_AUTO_TEST_CASE(counters_that_reading_would_clear_are_named_as_skipped) {
    const auto dump = decode_dump(ixf1104, whole(ixf1104, {{0x0f, 1518}, {0x19, 0x20}}));
    BOOST_TEST(dump->skipped.size() == ixf1104.n_counters);
    BOOST_TEST(dump->registers.size() == ixf1104.n_registers);
    const auto json = dump_json(ixf1104, *dump);
    BOOST_TEST(json.at("counters").empty());
    BOOST_TEST(json.at("skipped").at(0) == ixf1104.counters[0].name);
    const auto named = [](const auto& reg) { return reg.at("name") == "Max Frame Size"; };
    const auto& registers = json.at("registers");
    const auto largest = std::find_if(registers.begin(), registers.end(), named);
    BOOST_REQUIRE((largest != registers.end()));
    BOOST_TEST(largest->at("value") == 1518);
    BOOST_TEST(contains(dump_text(ixf1104, *dump, false), "since a read changes them"));
}

BOOST_AUTO_TEST_CASE(counters_that_only_writing_changes_are_in_a_dump) {
    // Rx Octets at 0x30.
    const auto dump = decode_dump(cpsw, whole(cpsw, {{0x30, 640}, {0x4a10000c, 7}}));
    BOOST_TEST(dump->skipped.empty());
    BOOST_TEST(dump_json(cpsw, *dump).at("counters").at("rx_octets") == 640);
    BOOST_TEST(row_at(*dump, 0x4a10000c).fields.at(2).value == 1U);
}

BOOST_AUTO_TEST_CASE(the_port_follows_from_the_addresses) {
    // Ports of the IXF1104 are 0x80 apart.
    const auto dump = decode_dump(ixf1104, whole(ixf1104, {{0x18f, 1600}}, 3));
    BOOST_TEST(dump->port.value() == 3U);
    BOOST_TEST(row_at(*dump, 0x0f).value == 1600U);
    BOOST_TEST(dump_json(ixf1104, *dump).at("port_index") == 3);
}

BOOST_AUTO_TEST_CASE(counters_beside_those_of_other_ports_belong_to_their_port) {
    // RX Number of Frames Removed: 0x594 to 0x597, for ports 0 to 3.
    const auto dump = decode_dump(ixf1104, whole(ixf1104, {{0x18f, 1600}, {0x597, 9}}, 3));
    BOOST_TEST(dump->port.value() == 3U);
    BOOST_TEST(dump_json(ixf1104, *dump).at("counters").at("rx_frames_removed") == 9);
}

// Of hardware or a driver that has more registers than the model.
BOOST_AUTO_TEST_CASE(a_word_that_the_model_does_not_have_is_a_value_without_a_name) {
    const auto dump = decode_dump(ll40g, whole(ll40g, {{0x700, 42}, {0x845, 4}}));
    const DecodedRegister& unknown = row_at(*dump, 0x700);
    BOOST_TEST(unknown.reg == nullptr);
    BOOST_TEST(unknown.counter == nullptr);
    BOOST_TEST(unknown.value == 42U);
    BOOST_TEST(unknown.fields.empty());
    BOOST_TEST(row_at(*dump, 0x845).value == 4U);

    const auto json = dump_json(ll40g, *dump);
    BOOST_TEST(json.at("unknown").dump() == R"([{"offset":1792,"value":42}])");
    BOOST_TEST(json.at("registers").size() == ll40g.n_registers);
    BOOST_TEST(json.at("counters").size() == ll40g.n_counters);
    BOOST_TEST(contains(dump_text(ll40g, *dump, false), "\n0x700 "));
    BOOST_TEST(contains(dump_text(ll40g, *dump, false), " 0x0000002a"));
}

BOOST_AUTO_TEST_CASE(dumps_of_something_else_are_rejected_with_what_does_not_fit) {
    BOOST_TEST(contains(rejection(ll40g, {{0x700, 1}}), " is missing"));
    BOOST_TEST(
        rejection(ll40g, {{0x845, 1}, {0x845, 1}}) == "not a dump of ll40g: 0x845 occurs twice");
    BOOST_TEST(
        rejection(ixf1104, {{0x0f, 1}, {0x8f, 1}}) ==
        "not a dump of ixf1104: 0x8f is not an address of this port");
    BOOST_TEST(
        rejection(ixf1104, {{0x20f, 1}}) ==
        "not a dump of ixf1104: 0x20f is not an address of this port");
}

BOOST_AUTO_TEST_CASE(a_dump_without_one_of_its_words_is_rejected_with_the_word) {
    for (const macstats_model* model : all_models()) {
        Words words = whole(*model, {});
        BOOST_TEST(decode_dump(*model, words).has_value(), model->name);
        for (std::size_t i = 0; i < words.size(); i++) {
            const DumpedWord last = words.back();
            words.pop_back();
            BOOST_TEST(contains(
                rejection(*model, words), fmt::format(" at {:#x} is missing", last.address)));
            words.insert(words.begin(), last);
        }
    }
    BOOST_TEST(rejection(e1000, {}) == "not a dump of e1000: CTRL at 0x0 is missing");
}

BOOST_AUTO_TEST_CASE(a_counter_that_the_hardware_lacks_is_not_decoded) {
    const CounterIndex lacked[] = {CounterIndex(0)};
    const auto dump = decode_dump(ll40g, whole(ll40g, {{0x800, ~0u}, {0x801, ~0u}}), lacked);
    const auto json = dump_json(ll40g, *dump);
    BOOST_TEST(!json.at("counters").contains(ll40g.counters[0].name));
    BOOST_TEST(json.at("counters").contains(ll40g.counters[1].name));
    BOOST_TEST(dump->skipped.empty());
}

BOOST_AUTO_TEST_CASE(a_counter_that_reading_changes_is_in_a_dump_with_each_word_or_not) {
    std::vector<macstats_counter> counters(ll40g.counters, ll40g.counters + ll40g.n_counters);
    macstats_model model = ll40g;
    counters[0].onread = MACSTATS_ONREAD_RCLR;
    model.counters = counters.data();
    BOOST_TEST(decode_dump(model, whole(model, {})).has_value());
    BOOST_TEST(decode_dump(model, whole(model, {{0x800, 1}, {0x801, 2}})).has_value());
    BOOST_TEST(
        rejection(model, whole(model, {{0x800, 1}})) ==
        "not a dump of ll40g: CNTR_TX_FRAGMENTS at 0x801 is missing");
}

BOOST_AUTO_TEST_CASE(an_interface_that_does_not_exist_has_no_dump) {
    const auto dump = macstats::read_dump("nosuch0");
    BOOST_TEST(dump.error().errnum == ENODEV);
    BOOST_TEST(dump.error().message.starts_with("nosuch0: cannot read the registers: "));
}

BOOST_AUTO_TEST_CASE(text_has_descriptions_on_request) {
    const auto dump = decode_dump(ll40g, whole(ll40g, {{0x845, 0x4}}));
    const std::string help = "Freeze the readable values";
    BOOST_TEST(!contains(dump_text(ll40g, *dump, false), help));
    BOOST_TEST(contains(dump_text(ll40g, *dump, true), help));
    BOOST_TEST(contains(dump_text(ll40g, *dump, false), "  [2]       shadow_request"));
    BOOST_TEST(contains(dump_text(ll40g, *dump, false), "  [15:3]"));
}

BOOST_AUTO_TEST_SUITE_END()
