// SPDX-License-Identifier: GPL-2.0 OR MIT
// Files that are there as a whole, or not at all.
#pragma once

#include <filesystem>
#include <string_view>

#include <sys/types.h>

#include "result.hpp"

namespace macstats {

/// Put @text into the file @path, in place of what is there: who reads it gets all of
/// the old or all of the new. @mode are its permissions, whatever the umask. The folder
/// has to be writable, and for a moment holds the file under another name.
Result<void> replace_file(const std::filesystem::path& path, std::string_view text, mode_t mode);

} // namespace macstats
