// SPDX-License-Identifier: GPL-2.0 OR MIT
// The live page of `macstats export`: its files, and the models that it shows.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace macstats {

/// A file of the page, which the build embeds.
struct LiveFile {
    std::string_view path; ///< of the request: "/", "/live.js"
    std::string_view type; ///< the value for Content-Type
    std::string_view text;
};

std::span<const LiveFile> live_files();

/// The value for Content-Security-Policy: the page loads its own files and data only, and no
/// text becomes markup.
std::string_view live_policy();

/// What `macstats model NAME --json` prints, on one line; not set for a model that this library
/// does not have.
std::optional<std::string> model_json_text(std::string_view name);

} // namespace macstats
