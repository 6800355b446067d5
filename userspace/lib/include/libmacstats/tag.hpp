// SPDX-License-Identifier: GPL-2.0 OR MIT
// Tags: the statistics of ports at a moment, kept in files, so that what was
// counted since then can be told later, also by another process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "difference.hpp"
#include "result.hpp"
#include "view.hpp"

namespace macstats {

/// A port at the moment of a tag.
struct TaggedPort {
    std::string name;
    Statistics statistics;                       ///< without values
    std::map<std::string, std::uint64_t> totals; ///< by the counters' names
};

struct Tag {
    std::string name;
    std::string saved;   ///< when, as 2026-01-31T12:00:00Z
    std::string boot_id; ///< of the kernel that counted
    std::vector<TaggedPort> ports;
};

/// The kernel's random number of this boot.
Result<std::string> boot_id();

Tag make_tag(std::string name, std::string boot, std::span<const PortView> views);

/// Fill in PortView::since. A port is found again by its index, or by its name if
/// that leads to none which still counts from the same start; one that does not,
/// and any after a boot, has begun anew. Returns the ports that the tag does not have; those
/// that were made after it have begun anew, too, and are not among them.
std::vector<std::string>
add_since(std::vector<PortView>& views, const Tag& tag, const std::string& boot);

/// Where tags are kept: $XDG_STATE_HOME/macstats/tags; if that is not set,
/// /var/lib/macstats/tags for root and ~/.local/state/macstats/tags for others.
Result<std::filesystem::path> tag_folder();

/// Tags in a folder, a file for each. Names have 1 to 64 letters, digits and
/// . _ - and do not begin with a dot or hyphen (EINVAL). Files are replaced as a
/// whole: a reader sees the old or the new one.
///
/// Errors: ENOENT if there is no such tag, EBADMSG if its file is none.
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

} // namespace macstats
