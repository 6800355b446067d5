// SPDX-License-Identifier: GPL-2.0 OR MIT
// Untrusted text, such as names of interfaces, made safe to print. The kernel allows any
// octets in a name except white space, '/' and ':'. All handling of UTF-8 is here.
#pragma once

#include <string>
#include <string_view>

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

/// The string that a reader gets of the JSON that a program of this project writes for @text.
std::string json_string(std::string_view text);
/// The inverse of json_string().
std::string from_json_string(std::string_view text);

} // namespace macstats
