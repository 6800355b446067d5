// SPDX-License-Identifier: GPL-2.0 OR MIT
// Which counters and statistics are about errors, from their rules and definitions.
#include "present/error_counters.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

#include <macstats/feature/descriptors.h>
#include <macstats/lengths.h>
#include <macstats/standard.h>

#include "core/model.hpp"

namespace macstats {

namespace {

// Whether a rule matches only frames with an error, of an illegal length, or aborted.
bool is_about_errors(const macstats_model& model, const macstats_when& when) {
    const std::uint32_t longest = macstats_sizes_high(&model, when.size);
    return when.errors || (longest && longest < MACSTATS_FRAME_MIN) ||
           (when.excess && !(when.excess & MACSTATS_WITHIN_MAX)) ||
           when.collisions == MACSTATS_SIXTEEN_COLLISIONS;
}

bool are_about_errors(const macstats_model& model, std::span<const macstats_when> rules) {
    return !rules.empty() &&
           std::all_of(rules.begin(), rules.end(), [&model](const macstats_when& when) {
               return is_about_errors(model, when);
           });
}

// Whether the counter is fed by a bit of the descriptor's status that reports an error.
bool has_error_status(const macstats_model& model, const macstats_counter& counter) {
    // Collisions of bad frames are no errors of their own.
    if (counter.unit == MACSTATS_COLLISIONS || counter.unit == MACSTATS_EARLY_COLLISIONS)
        return false;
    const macstats_descriptor& bits = *macstats_descriptor_of(&model);
    const std::span statuses = counter.status.received
                                   ? std::span(bits.rx_status, bits.n_rx_status)
                                   : std::span(bits.tx_status, bits.n_tx_status);
    return std::any_of(statuses.begin(), statuses.end(), [&](const macstats_status& status) {
        return (counter.status.value >> status.lsb & macstats_bits_mask(status.bits)) &&
               are_about_errors(model, rules_in(status.when));
    });
}

bool feeds_error_statistic(const macstats_counter& counter) {
    const std::span terms(counter.standard);
    return std::any_of(terms.begin(), terms.end(), [](const macstats_term& term) {
        return term.factor > 0 && is_error_statistic(term.id);
    });
}

} // namespace

bool is_error_statistic(unsigned int id) {
    // Frames without an error may be dropped, too.
    return id == MACSTATS_STD_RTNL_RX_DROPPED || id == MACSTATS_STD_RTNL_TX_DROPPED ||
           macstats_standard_rows[id].counts == MACSTATS_COUNTS_ERRORS;
}

bool counts_errors(const macstats_model& model, const macstats_counter& counter) {
    const auto rules = rules_in(counter.when);
    if (!rules.empty())
        return are_about_errors(model, rules);
    return counter.errors_only || has_error_status(model, counter) ||
           feeds_error_statistic(counter);
}

} // namespace macstats
