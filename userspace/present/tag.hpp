// SPDX-License-Identifier: GPL-2.0 OR MIT
// Tags: statistics of ports at one time, saved in files. Another process can report the
// counts since then.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
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
    std::map<std::string, StandardValue> standard{}; ///< by names as "eth-mac-AlignmentErrors"
};

struct Tag {
    std::string name;
    std::string saved;   ///< the time, as 2026-01-31T12:00:00Z
    std::string boot_id; ///< of the boot in which the counts were made
    std::vector<TaggedPort> ports;
};

Tag make_tag(std::string name, std::string boot, std::span<const PortStatistics> ports);

/// Fill in PortView::since. The tagged port is the one with the same start time and the
/// same index or name, otherwise the one with the same name. A port with another start
/// time has restarted, as has each port after a boot. Returns the ports that the tag does
/// not have, except those that were added after it, which have restarted, too.
std::vector<std::string>
add_since(std::vector<PortView>& views, const Tag& tag, const std::string& boot);

/// The content of a tag's file.
std::string tag_text(const Tag& tag);
/// The tag of this name with that content; EBADMSG for another text.
Result<Tag> parse_tag(const std::string& name, std::string_view text);

} // namespace macstats
