// SPDX-License-Identifier: GPL-2.0 OR MIT
// Tags: statistics of ports at one time, saved in files. Another process can report the
// counts since then.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "libmacstats/core/difference.hpp"
#include "libmacstats/core/result.hpp"
#include "present/view.hpp"

namespace macstats {

/// A port at the time of a tag.
struct TaggedPort {
    std::string name;
    Statistics statistics;                       ///< without values
    std::map<std::string, std::uint64_t> totals; ///< by the counters' names
    /// How often counters were read at their maximum, by the counters' names.
    std::map<std::string, std::uint64_t> saturated{};
    std::map<std::string, StandardTotal> standard{}; ///< by names as "eth-mac-AlignmentErrors"
};

struct Tag {
    std::string name;
    std::string saved;   ///< the time, as 2026-01-31T12:00:00Z
    std::string boot_id; ///< of the boot in which the counts were made
    std::vector<TaggedPort> ports;
};

/// The kernel's identifier of the present boot.
Result<std::string> boot_id();

Tag make_tag(std::string name, std::string boot, std::span<const PortView> views);

/// Fill in PortView::since. The tagged port is the one with the same start time and the
/// same index or name, otherwise the one with the same name. A port with another start
/// time has restarted, as has each port after a boot. Returns the ports that the tag does
/// not have, except those that were added after it, which have restarted, too.
std::vector<std::string>
add_since(std::vector<PortView>& views, const Tag& tag, const std::string& boot);

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

} // namespace macstats
