// SPDX-License-Identifier: GPL-2.0 OR MIT
// Whole files: read at once, or replaced at once.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include <sys/types.h>

#include "libmacstats/core/result.hpp"

namespace macstats {

/// "PATH: No such file or directory", for an errno value.
Error file_error(const std::filesystem::path& path, int errnum);

/// The contents of the file @path; "-" is the standard input. Blocks until the end of
/// the file. EFBIG for more than @most octets, of which one more is read; otherwise the
/// errno of the system call. The text of an Error starts with the file's name.
Result<std::string> read_file(const std::filesystem::path& path, std::size_t most);

/// Write @text to the file @name, in place of its contents: a reader gets all of the old
/// or all of the new text. @mode: its permissions, independent of the umask. The folder
/// must be writable; for a moment it contains the file under another name. A link stays a
/// link. A device, pipe or terminal gets the text as it is; opening a pipe blocks until it
/// has a reader.
Result<void> replace_file(const std::filesystem::path& name, std::string_view text, mode_t mode);

} // namespace macstats
