// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The writer and nlohmann-json write the same text.
#include "boost_test.hpp"

#include <cstdint>
#include <limits>
#include <string>

#include <nlohmann/json.hpp>

#include "core/json_text.hpp"
#include "effort.hpp"
#include "present/json_writer.hpp"
#include "random.hpp"

BOOST_AUTO_TEST_SUITE(unit_json_writer)

using namespace macstats;
using namespace macstats::test;
using nlohmann::ordered_json;

namespace {

void write(JsonWriter& json, const ordered_json& document) {
    if (document.is_object()) {
        json.begin_object();
        for (const auto& [name, value] : document.items()) {
            json.name(name);
            write(json, value);
        }
        json.end_object();
    } else if (document.is_array()) {
        json.begin_array();
        for (const auto& element : document)
            write(json, element);
        json.end_array();
    } else if (document.is_null()) {
        json.null();
    } else if (document.is_boolean()) {
        json.value(document.get<bool>());
    } else if (document.is_number_unsigned()) {
        json.value(document.get<std::uint64_t>());
    } else if (document.is_number_float()) {
        json.value(document.get<double>());
    } else {
        json.value(document.get<std::string>());
    }
}

std::string written(const ordered_json& document, int indent) {
    JsonWriter json(indent);
    write(json, document);
    return std::string(json.text());
}

// Often plain, sometimes with characters that JSON escapes, or octets that it cannot hold.
std::string random_text(Random& random) {
    std::string text;
    const bool is_plain = random.one_in(2);
    for (std::uint32_t i = random.below(random.one_in(2) ? 12 : 40); i > 0; i--)
        text += static_cast<char>(is_plain ? 'a' + random.below(26) : random.below(256));
    return text;
}

ordered_json random_document(Random& random, std::uint32_t levels) {
    switch (random.below(levels ? 8 : 6)) {
    case 0:
        return nullptr;
    case 1:
        return random.one_in(2);
    case 2:
        return random.next() >> random.below(64);
    case 3:
        return static_cast<double>(random.next()) / static_cast<double>(random.next() | 1);
    case 4:
    case 5:
        return random_text(random);
    case 6: {
        ordered_json array = ordered_json::array();
        for (std::uint32_t i = random.below(5); i > 0; i--)
            array.push_back(random_document(random, levels - 1));
        return array;
    }
    default:
        ordered_json object = ordered_json::object();
        for (std::uint32_t i = random.below(5); i > 0; i--)
            object[random_text(random)] = random_document(random, levels - 1);
        return object;
    }
}

} // namespace

BOOST_AUTO_TEST_CASE(a_document_is_written_as_it_is_read) {
    JsonWriter json(2);
    json.begin_object();
    json.member("port", "mac\"0");
    json.begin_object("state");
    json.member("stale", false);
    json.end_object();
    json.begin_object("totals");
    json.end_object();
    json.name("list");
    json.begin_array();
    json.value(1u);
    json.null();
    json.value(0.5);
    json.begin_array();
    json.end_array();
    json.end_array();
    json.end_object();
    BOOST_TEST(json.text() == R"({
  "port": "mac\"0",
  "state": {
    "stale": false
  },
  "totals": {},
  "list": [
    1,
    null,
    0.5,
    []
  ]
})");
}

BOOST_AUTO_TEST_CASE(the_text_can_be_read_in_parts) {
    JsonWriter json;
    json.begin_array();
    json.value("a");
    BOOST_TEST(json.text() == R"(["a")");
    json.clear();
    json.value("b");
    json.end_array();
    BOOST_TEST(json.text() == R"(,"b"])");
}

BOOST_AUTO_TEST_CASE(integers_can_be_strings) {
    JsonWriter json(-1, JsonWriter::Integers::as_strings);
    json.begin_array();
    json.value(std::numeric_limits<std::uint64_t>::max());
    json.value(0u);
    json.value(0.5);
    json.value(true);
    json.end_array();
    BOOST_TEST(json.text() == R"(["18446744073709551615","0",0.5,true])");
}

BOOST_AUTO_TEST_CASE(a_number_that_json_does_not_have_is_null) {
    JsonWriter json;
    json.value(std::numeric_limits<double>::infinity());
    BOOST_TEST(json.text() == "null");
}

BOOST_AUTO_TEST_CASE(random_documents_are_written_as_by_nlohmann_json) {
    Random random(seed_of(3));
    for (int i = 0; i < 3000; i++) {
        const ordered_json document = random_document(random, 4);
        for (const int indent : {-1, 0, 2})
            BOOST_TEST(written(document, indent) == json_text(document, indent));
    }
}

BOOST_AUTO_TEST_SUITE_END()
