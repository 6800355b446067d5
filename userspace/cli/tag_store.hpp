// SPDX-License-Identifier: GPL-2.0 OR MIT
// Tags in files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "libmacstats/core/result.hpp"
#include "present/tag.hpp"

namespace macstats::cli {

/// The kernel's identifier of the present boot.
Result<std::string> boot_id();

/// The folder of tags: $XDG_STATE_HOME/macstats/tags; without that variable,
/// /var/lib/macstats/tags for root and ~/.local/state/macstats/tags for others.
Result<std::filesystem::path> tag_folder();

/// Tags in a folder, one file for each. A name has 1 to 64 letters, digits and . _ - and
/// does not start with a dot or hyphen (EINVAL). A file is replaced at once: a reader gets
/// the old or the new one. Calls block for the file system.
///
/// Errors: ENOENT for a tag that does not exist, EBADMSG for a file that is not a tag.
class TagStore {
public:
    explicit TagStore(std::filesystem::path folder) : folder_(std::move(folder)) {}

    Result<void> save(const Tag& tag) const;
    [[nodiscard]] Result<Tag> load(const std::string& name) const;
    Result<void> remove(const std::string& name) const;
    /// Sorted.
    [[nodiscard]] Result<std::vector<std::string>> names() const;

private:
    [[nodiscard]] Result<std::filesystem::path> file_of(const std::string& name) const;

    std::filesystem::path folder_;
};

} // namespace macstats::cli
