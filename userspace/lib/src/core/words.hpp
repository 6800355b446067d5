// SPDX-License-Identifier: GPL-2.0 OR MIT
// Accesses a place word by word.
#pragma once

#include <cerrno>
#include <cstdint>

#include <macstats/arithmetic.h>
#include <macstats/schema.h>

#include "core/error.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/result.hpp"
#include "libmacstats/core/try.hpp"

namespace macstats {

/// Read the value at @place with @read_word(address) for each word.
template <typename Read>
Result<std::uint64_t> read_words(const macstats_model& model, const Place& place, Read read_word) {
    std::uint64_t value = 0;
    unsigned int shift = 0;
    for (const std::uint32_t address : word_addresses(model, place)) {
        MACSTATS_TRY(const std::uint64_t word, read_word(address));
        value |= word << shift;
        shift += model.bus_bits;
    }
    return place.counter ? value >> place.counter->lsb & macstats_bits_mask(place.bits) : value;
}

/// Write @value to @place with @write_word(address, word) for each word. Counters that share the
/// word of one get 0. ERANGE for a value with more bits than the place.
template <typename Write>
Result<void> write_words(
    const macstats_model& model, const Place& place, std::uint64_t value, Write write_word) {
    const std::uint64_t most = macstats_bits_mask(place.bits);
    if (value > most)
        return failure(ERANGE, "value is not in 0 to {}", most);
    unsigned int shift = 0;
    value <<= place.counter ? place.counter->lsb : 0;
    for (const std::uint32_t address : word_addresses(model, place)) {
        MACSTATS_CHECK(write_word(address, value >> shift & macstats_bits_mask(model.bus_bits)));
        shift += model.bus_bits;
    }
    return {};
}

} // namespace macstats
