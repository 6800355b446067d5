// SPDX-License-Identifier: GPL-2.0 OR MIT
// Network interfaces by any of their names.
#pragma once

#include <optional>
#include <string>

#include "libmacstats/core/index.hpp"
#include "libmacstats/core/result.hpp"

namespace macstats {

/// The index of the interface with this name or alternative name (`ip link property add dev
/// IFACE altname NAME`) in the caller's network namespace; not set if there is none. The errno
/// of the system call that failed otherwise, as EMFILE.
///
/// Blocks for one answer of the kernel. Threads may call it at the same time.
Result<std::optional<IfIndex>> interface_index(const std::string& name);

} // namespace macstats
