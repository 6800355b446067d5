// SPDX-License-Identifier: GPL-2.0 OR MIT
// Text of others in messages of ours.
#pragma once

#include <string>
#include <string_view>

namespace macstats {

/// @text (UTF-8) such that it may be shown: control characters are escaped, and
/// no more is left of a long one than identifies it.
std::string shown(std::string_view text);
/// The same in quotation marks.
std::string in_quotes(std::string_view text);

} // namespace macstats
