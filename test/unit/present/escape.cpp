// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Text of others becomes safe to print, and different names stay different.
#include "boost_test.hpp"

#include <string>

#include <nlohmann/json.hpp>

#include "core/json_text.hpp"
#include "json.hpp"
#include "libmacstats/core/escape.hpp"
#include "present/table.hpp"

BOOST_AUTO_TEST_SUITE(unit_escape)

using namespace macstats;
using namespace std::string_literals;
using macstats::test::parse_json;

BOOST_AUTO_TEST_CASE(plain_text_stays_as_it_is) {
    for (const char* text :
         {"", "mac0", "a b", "gr\u00fcn \u20ac", "\U0001f600", "back\\slash", "\\xg1"}) {
        BOOST_TEST(printable(text) == text);
        BOOST_TEST(escaped(text) == text);
        BOOST_TEST(json_string(text) == text);
    }
}

BOOST_AUTO_TEST_CASE(control_characters_are_escaped_octet_by_octet) {
    BOOST_TEST(escaped("\x1b[31m") == R"(\x1b[31m)");
    BOOST_TEST(escaped("a\0b\n\t\x7f"s) == R"(a\x00b\x0a\x09\x7f)");
    // U+0085 (next line), U+202E (right-to-left override), U+FEFF (byte order mark).
    BOOST_TEST(escaped("\u0085") == R"(\xc2\x85)");
    BOOST_TEST(escaped("\u202e") == R"(\xe2\x80\xae)");
    BOOST_TEST(escaped("\ufeff") == R"(\xef\xbb\xbf)");
}

BOOST_AUTO_TEST_CASE(octets_that_are_not_utf8_are_escaped) {
    BOOST_TEST(escaped("\xff\xfe") == R"(\xff\xfe)");
    BOOST_TEST(escaped("a\xc3") == R"(a\xc3)");
    // Longer than need be, a surrogate, and beyond the last character.
    BOOST_TEST(escaped("\xc0\xaf") == R"(\xc0\xaf)");
    BOOST_TEST(escaped("\xed\xa0\x80") == R"(\xed\xa0\x80)");
    BOOST_TEST(escaped("\xf4\x90\x80\x80") == R"(\xf4\x90\x80\x80)");
}

BOOST_AUTO_TEST_CASE(different_names_stay_different) {
    BOOST_TEST(escaped("\xff") == R"(\xff)");
    BOOST_TEST(escaped(R"(\xff)") == R"(\x5cxff)");
    BOOST_TEST(json_string("\xff") == R"(\xff)");
    BOOST_TEST(json_string(R"(\xff)") == R"(\x5cxff)");
}

BOOST_AUTO_TEST_CASE(text_that_is_printable_is_not_escaped_again) {
    BOOST_TEST(printable(R"(\x1b)") == R"(\x1b)");
    BOOST_TEST(printable(printable("\x1b")) == printable("\x1b"));
}

BOOST_AUTO_TEST_CASE(ascii_is_one_cell_for_each_octet) {
    BOOST_TEST(escaped_ascii("gr\u00fcn") == R"(gr\xc3\xbcn)");
    BOOST_TEST(escaped_ascii("\x1b") == R"(\x1b)");
}

BOOST_AUTO_TEST_CASE(json_is_valid_utf8_and_keeps_what_it_can_hold) {
    const nlohmann::ordered_json json = {
        {"port\xff", "\x1b[31m\xfe"}, {"list", {"\xfd", 1, nullptr}}};
    const std::string text = json_text(json);
    BOOST_TEST(text == R"({"port\\xff":"\u001b[31m\\xfe","list":["\\xfd",1,null]})");
    const auto read = parse_json(text);
    BOOST_TEST(read.at(R"(port\xff)") == "\x1b[31m\\xfe");
}

BOOST_AUTO_TEST_CASE(json_is_ascii_that_a_terminal_does_not_obey) {
    // Delete, U+009B (CSI) and U+202E (right-to-left override), and a plain letter.
    const nlohmann::ordered_json json = {{"\x7f", "\u009b31m\u202e\u00fc\U0001f600"}};
    const std::string text = json_text(json);
    BOOST_TEST(text == R"({"\u007f":"\u009b31m\u202e\u00fc\ud83d\ude00"})");
    BOOST_TEST(parse_json(text) == json);
}

BOOST_AUTO_TEST_CASE(joiners_that_words_are_made_of_are_printed) {
    // U+200C and U+200D stay; the space without a width and the marks of direction do not.
    BOOST_TEST(escaped("a\u200cb\u200d") == "a\u200cb\u200d");
    BOOST_TEST(escaped("\u200b") == R"(\xe2\x80\x8b)");
    BOOST_TEST(escaped("\u200e") == R"(\xe2\x80\x8e)");
    BOOST_TEST(escaped("\u200f") == R"(\xe2\x80\x8f)");
}

BOOST_AUTO_TEST_CASE(a_json_string_leads_back_to_the_text) {
    for (const std::string& text :
         {"mac0"s, "\xff\xfe"s, R"(\xff)"s, R"(\x4)"s + "\xff", "\\\xff"s, "gr\u00fcn\x1b"s})
        BOOST_TEST(from_json_string(json_string(text)) == text);
}

BOOST_AUTO_TEST_CASE(columns_are_as_wide_as_their_characters) {
    Table table({"A", "B"});
    table.add({"\u00fc", "1"});
    table.add({"ab", "2"});
    BOOST_TEST(table.text() == "A   B\n\u00fc   1\nab  2\n");
}

BOOST_AUTO_TEST_SUITE_END()
