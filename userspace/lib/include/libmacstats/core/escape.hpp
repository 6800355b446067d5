// SPDX-License-Identifier: GPL-2.0 OR MIT
// Untrusted text, such as names of interfaces, made safe to print. The kernel allows any
// octets in a name except white space, '/' and ':'. All handling of UTF-8 is here.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace macstats {

/// One line of valid UTF-8 for people. Each octet of a control character, of a character
/// that changes the direction or the lines of text, and of invalid UTF-8 becomes `\xNN`.
/// Text that is escaped already stays unchanged.
std::string printable(std::string_view text);

/// Like printable(), but different texts stay different: a backslash that reads as the
/// start of an escape becomes `\x5c`. For names.
std::string escaped(std::string_view text);

/// Like escaped(), in printable ASCII: each octet is one cell of a terminal.
std::string escaped_ascii(std::string_view text);

/// Like printable(), for XML and HTML.
std::string markup(std::string_view text);

/// The number of characters of a text (UTF-8), each of which takes one cell of a terminal.
std::size_t cells_of(std::string_view text);

/// The start of a text (UTF-8) of at most @most octets, without a part of a character.
std::string_view start_of(std::string_view text, std::size_t most);

/// @json as ASCII text, which contains no control sequence of a terminal. Octets of
/// invalid UTF-8, which JSON does not support, become `\xNN` in strings and names as in
/// escaped(); other characters outside ASCII become JSON's `\uNNNN`.
/// @indent: spaces for each level; -1 for one line.
std::string json_text(const nlohmann::ordered_json& json, int indent = -1);

/// The string that a reader gets of the JSON that json_text() writes for @text.
std::string json_string(std::string_view text);
/// The inverse of json_string().
std::string from_json_string(std::string_view text);

} // namespace macstats
