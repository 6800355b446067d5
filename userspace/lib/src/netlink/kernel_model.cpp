// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "netlink/kernel_model.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "libmacstats/core/try.hpp"

namespace macstats {

Result<void> check_kernel_model(Client& client, ModelId id, const macstats_model& model) {
    MACSTATS_TRY(const auto counters, client.counters(id));
    const std::span rows(model.counters, model.n_counters);
    const bool same = std::equal(
        rows.begin(), rows.end(), counters.begin(), counters.end(),
        [](const macstats_counter& row, const CounterInfo& counter) {
            return row.name == counter.name && row.reg == counter.reg &&
                   row.offset == counter.offset && row.bits == counter.bits;
        });
    if (same)
        return {};
    return Error{
        EBADMSG, fmt::format("the kernel's {} has other counters than this library", model.name)};
}

} // namespace macstats
