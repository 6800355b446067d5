// SPDX-License-Identifier: GPL-2.0 OR MIT
// A place of several bus words, accessed word by word.
#pragma once

#include <cstdint>

#include <macstats/schema.h>

#include "libmacstats/names.hpp"
#include "libmacstats/result.hpp"

namespace macstats {

/// The value at @place, from what @read_word(address) gives for each word.
template <typename Read>
Result<std::uint64_t> read_words(const macstats_model& model, const Place& place, Read read_word) {
    std::uint64_t value = 0;
    unsigned int shift = 0;
    for (const std::uint32_t address : word_addresses(model, place)) {
        const Result<std::uint64_t> word = read_word(address);
        if (!word)
            return word.error();
        value |= *word << shift;
        shift += model.bus_bits;
    }
    return value;
}

/// Put @value to @place by @write_word(address, word) for each word.
template <typename Write>
Result<void> write_words(
    const macstats_model& model, const Place& place, std::uint64_t value, Write write_word) {
    unsigned int shift = 0;
    for (const std::uint32_t address : word_addresses(model, place)) {
        Result<void> result =
            write_word(address, value >> shift & macstats_bits_mask(model.bus_bits));
        if (!result)
            return result;
        shift += model.bus_bits;
    }
    return {};
}

} // namespace macstats
