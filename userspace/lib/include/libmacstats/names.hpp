// SPDX-License-Identifier: GPL-2.0 OR MIT
// Words and what they stand for: enumerators, options, faults, models, counters,
// registers and addresses, as they are written in scenarios and on the command
// line. A word that means nothing is an Error (EINVAL) which says what would.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <macstats/schema.h>

#include "result.hpp"

namespace macstats {

/// A word for an enumerator.
struct Name {
    std::string_view name;
    unsigned int value;
};

std::span<const Name> direction_names();
std::span<const Name> destination_names();
std::span<const Name> kind_names();
std::span<const Name> origin_names();
std::span<const Name> error_names();
std::span<const Name> fault_names();
std::span<const Name> unit_names(); ///< frames, octets, collisions
std::span<const Name> onread_names();
std::span<const Name> onwrite_names();
std::span<const Name> overflow_names();
std::span<const Name> access_names();
std::span<const Name> power_up_names();

/// The enumerator called @word; @what it is goes into the error.
Result<unsigned int>
value_of(std::span<const Name> names, std::string_view what, std::string_view word);
/// The first word for @value, or "" if there is none.
std::string_view name_of(std::span<const Name> names, unsigned int value);
/// The words for all bits in @mask, in the order of @names.
std::vector<std::string_view> names_in(std::span<const Name> names, unsigned int mask);

/// Those of @candidates that @word may be a misprint of, the nearest first.
std::vector<std::string_view>
near_misses(std::string_view word, std::span<const std::string_view> candidates);

/// A number in decimal or, after 0x, in hexadecimal digits.
Result<std::uint64_t>
parse_number(std::string_view what, std::string_view text, std::uint64_t most);

/// "rx", "tx", "rxtx", or "none" for a counter that never counts.
std::string_view direction_of(const macstats_counter& counter);

/// An option of a device and its two words: "duplex" is "full" or "half".
struct OptionName {
    std::string_view name;
    std::uint8_t bit; ///< of enum macstats_option
    std::string_view on;
    std::string_view off;
};

std::span<const OptionName> option_names();
/// @options with the change that @text ("NAME=VALUE") asks for.
Result<std::uint8_t>
with_option(const macstats_model& model, std::uint8_t options, std::string_view text);
/// "NAME=VALUE" for each option that the model has.
std::vector<std::string> option_words(const macstats_model& model, std::uint8_t options);

/// A statistic of enum macstats_standard_id.
struct StandardName {
    std::string_view group; ///< "eth-mac", "eth-ctrl", "rmon", "pause" or "rtnl"
    std::string_view name;
};

StandardName standard_name(unsigned int id);

/// A counter's share in a standard statistic: "group/name", and "*N" behind it
/// where each unit of the counter counts N times: "rtnl/tx_bytes*14".
std::string standard_word(const macstats_term& term);

std::span<const macstats_model* const> all_models();
/// The model of this name, or nullptr.
const macstats_model* find_model(std::string_view name);
/// The same with an Error that lists the models.
Result<const macstats_model*> model_called(std::string_view name);

/// What a name of a counter or register, or an address, leads to.
struct Place {
    std::uint32_t address; ///< of the first bus word, from the port's base
    unsigned int words;    ///< bus words, one step apart
    unsigned int bits;     ///< of the value
    /// The whole counter is meant, so that its words make up one value.
    const macstats_counter* counter;
};

/// The place called @name: the ethtool -S string of a counter, the datasheet's
/// name of a counter or register, either of the two with _LO or _HI for one
/// word of a counter of two, or an address ("0x..."). A counter's name alone
/// means all its words. Names may differ in the order of their words, in case and
/// in what is between the words, as long as it is clear what they mean.
Result<Place> find_place(const macstats_model& model, std::string_view name);

/// The addresses of the words of @place, that of the lowest bits first: the
/// order in which they have to be accessed where the low word latches the rest.
std::vector<std::uint32_t> word_addresses(const macstats_model& model, const Place& place);

/// Index of the counter with this ethtool -S string or datasheet name.
Result<unsigned int> find_counter(const macstats_model& model, std::string_view name);

/// "0x407, 0x506, 0x800-0x83f, ...": the addresses that may be accessed.
std::string address_ranges(const macstats_model& model);

} // namespace macstats
