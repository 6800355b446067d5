// SPDX-License-Identifier: GPL-2.0 OR MIT
// Decodes UTF-8 character by character.
#include "libmacstats/core/escape.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/json_text.hpp"
#include "core/text.hpp"

namespace macstats {

namespace {

using nlohmann::ordered_json;

constexpr char32_t not_a_character = 0xffffffff;

struct Character {
    char32_t code; // not_a_character if no character of UTF-8 starts with the octet
    std::size_t octets;
};

// Whether an octet of valid UTF-8 continues a character.
bool is_inside_character(char octet) {
    return (static_cast<unsigned char>(octet) & 0xc0) == 0x80;
}

// The first character of a non-empty text.
Character first_character(std::string_view text) {
    struct Form {
        unsigned char mask;
        unsigned char lead;
        char32_t least; // of the characters of this length
    };
    static constexpr std::array<Form, 4> forms{
        {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}}};

    const auto lead = static_cast<unsigned char>(text[0]);
    for (std::size_t more = 0; more < forms.size(); more++) {
        if ((lead & forms[more].mask) != forms[more].lead)
            continue;
        char32_t code = lead & static_cast<unsigned char>(~forms[more].mask);
        for (std::size_t i = 1; i <= more; i++) {
            if (i >= text.size() || !is_inside_character(text[i]))
                return {not_a_character, 1};
            code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3f);
        }
        const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
        if (code < forms[more].least || code > 0x10ffff || is_surrogate)
            return {not_a_character, 1};
        return {code, more + 1};
    }
    return {not_a_character, 1};
}

bool is_valid(char32_t code) {
    return code != not_a_character;
}

struct Range {
    char32_t first;
    char32_t last;
};

// Characters that control a terminal or disguise a line: controls, the zero width space,
// marks and overrides of direction, line and paragraph separators, the byte order mark
// and noncharacters (which XML 1.0 does not allow either). The joiners U+200C and U+200D
// are part of words in some languages.
constexpr std::array<Range, 11> unprintable{{
    {0x00, 0x1f},
    {0x7f, 0x9f},
    {0x061c, 0x061c},
    {0x200b, 0x200b},
    {0x200e, 0x200f},
    {0x2028, 0x202e},
    {0x2060, 0x2069},
    {0xfdd0, 0xfdef},
    {0xfeff, 0xfeff},
    {0xfffe, 0xffff},
    {not_a_character, not_a_character},
}};

bool is_printable(char32_t code) {
    return std::none_of(unprintable.begin(), unprintable.end(), [code](const Range& range) {
        return code >= range.first && code <= range.last;
    });
}

bool is_printable_ascii(char32_t code) {
    return code >= ' ' && code <= '~';
}

bool is_hex(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool begins_escape(std::string_view text) {
    return text.size() >= 4 && text.starts_with("\\x") && is_hex(text[2]) && is_hex(text[3]);
}

// True for most text: no escape changes it.
bool is_printable_without_backslash(std::string_view text) {
    return std::all_of(
        text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~' && c != '\\'; });
}

template <typename IsPlain>
std::string escape(std::string_view text, bool lossless, IsPlain is_plain) {
    if (is_printable_without_backslash(text))
        return std::string(text);
    std::string result;
    while (!text.empty()) {
        const Character character = first_character(text);
        const std::string_view octets = text.substr(0, character.octets);
        if (is_plain(character.code) && !(lossless && begins_escape(text)))
            result += octets;
        else
            for (const char octet : octets)
                result += fmt::format("\\x{:02x}", static_cast<unsigned char>(octet));
        text.remove_prefix(character.octets);
    }
    return result;
}

// @json with strings and names in valid UTF-8.
ordered_json in_utf8(const ordered_json& json) {
    if (json.is_string())
        return json_string(json.get_ref<const std::string&>());
    if (json.is_array()) {
        ordered_json array = ordered_json::array();
        for (const auto& element : json)
            array.push_back(in_utf8(element));
        return array;
    }
    if (json.is_object()) {
        ordered_json object = ordered_json::object();
        for (const auto& [name, value] : json.items())
            object[json_string(name)] = in_utf8(value);
        return object;
    }
    return json;
}

} // namespace

std::size_t cells_of(std::string_view text) {
    return text.size() -
           static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_inside_character));
}

std::string_view start_of(std::string_view text, std::size_t most) {
    std::size_t end = std::min(text.size(), most);
    while (end < text.size() && end > 0 && is_inside_character(text[end]))
        end--;
    return text.substr(0, end);
}

std::string printable(std::string_view text) {
    return escape(text, false, is_printable);
}

std::string escaped(std::string_view text) {
    return escape(text, true, is_printable);
}

std::string escaped_ascii(std::string_view text) {
    return escape(text, true, is_printable_ascii);
}

std::string markup(std::string_view text) {
    std::string result;
    for (const char octet : printable(text))
        if (std::string_view("&<>\"'").find(octet) == std::string_view::npos)
            result += octet;
        else
            result += fmt::format("&#{};", +octet);
    return result;
}

std::string json_text(const ordered_json& json, int indent) {
    constexpr bool ascii = true;
    return in_utf8(json).dump(indent, ' ', ascii);
}

std::string json_string(std::string_view text) {
    return escape(text, true, is_valid);
}

std::string from_json_string(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        if (!begins_escape(text)) {
            result += text.front();
            text.remove_prefix(1);
            continue;
        }
        unsigned int octet = 0;
        std::from_chars(text.data() + 2, text.data() + 4, octet, 16);
        result += static_cast<char>(octet);
        text.remove_prefix(4);
    }
    return result;
}

} // namespace macstats
