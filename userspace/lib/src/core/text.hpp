// SPDX-License-Identifier: GPL-2.0 OR MIT
// Untrusted text in messages.
#pragma once

#include <string>
#include <string_view>

namespace macstats {

/// The start of @text, long enough to identify it, made printable().
std::string shown(std::string_view text);
/// The same in quotation marks.
std::string in_quotes(std::string_view text);

} // namespace macstats
