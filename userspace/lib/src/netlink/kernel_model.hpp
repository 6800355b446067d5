// SPDX-License-Identifier: GPL-2.0 OR MIT
// Whether the kernel and this library have the same model.
#pragma once

#include <macstats/schema.h>

#include "libmacstats/core/result.hpp"
#include "libmacstats/netlink/client.hpp"

namespace macstats {

/// EBADMSG if the kernel's counters of its model @id are not those of @model. Blocks until the
/// kernel has answered; later calls with the same client do not.
Result<void> check_kernel_model(Client& client, ModelId id, const macstats_model& model);

} // namespace macstats
