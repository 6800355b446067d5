// SPDX-License-Identifier: GPL-2.0 OR MIT
// The versions of the library and of the kernel modules, which may differ.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace macstats {

/// The version of this library, as "1.2.3". A program gets that of the shared library that
/// it runs with.
std::string_view library_version();

/// A kernel module of this project.
struct ModuleVersion {
    std::string name;
    /// Not set if the kernel has no such module now.
    std::optional<std::string> loaded{};
};

/// The modules that are loaded now, without loading any: first the provider, then the
/// emulator. Threads may call it at the same time.
std::vector<ModuleVersion> module_versions();

} // namespace macstats
