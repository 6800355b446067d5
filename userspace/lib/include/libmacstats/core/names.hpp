// SPDX-License-Identifier: GPL-2.0 OR MIT
// The words of scenarios and of the command line for enumerators, options, faults,
// models, counters, registers and addresses. An unknown word is an Error (EINVAL) that
// names the accepted ones.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <macstats/schema.h>

#include "libmacstats/core/index.hpp"
#include "libmacstats/core/result.hpp"

namespace macstats {

/// The name of an enumerator.
struct Name {
    std::string_view name;
    unsigned int value;
};

extern const std::span<const Name> direction_names;
extern const std::span<const Name> destination_names;
extern const std::span<const Name> kind_names;
extern const std::span<const Name> origin_names;
extern const std::span<const Name> error_names;
extern const std::span<const Name> fault_names;
extern const std::span<const Name> unit_names; ///< frames, octets, collisions
extern const std::span<const Name> onread_names;
extern const std::span<const Name> onwrite_names;
extern const std::span<const Name> overflow_names;
extern const std::span<const Name> index_names; ///< queue, priority: labels in JSON and metrics
extern const std::span<const Name> access_names;
extern const std::span<const Name> power_up_names;

/// The name of a counter of a queue or priority without its first number, which is its index.
std::string family_of(const std::string& name);

/// The enumerator called @word. The text of an Error starts with @what.
Result<unsigned int>
value_of(std::span<const Name> names, std::string_view what, std::string_view word);
/// The first word for @value, or "" if there is none.
std::string_view name_of(std::span<const Name> names, unsigned int value);
/// The same; "" without a value.
std::string_view name_of(std::span<const Name> names, std::optional<unsigned int> value);
/// The words for all bits in @mask, in the order of @names.
std::vector<std::string_view> names_in(std::span<const Name> names, unsigned int mask);

/// "; did you mean A or B?", with the candidates that @word may be a misprint of, or @otherwise
/// if there are none. Safe to print.
std::string did_you_mean(
    std::string_view word, std::span<const std::string_view> candidates,
    const std::string& otherwise = "");

/// A number in decimal digits or, after 0x, in hexadecimal ones, of at most @most.
Result<std::uint64_t>
parse_number(std::string_view what, std::string_view text, std::uint64_t most);

/// "rx", "tx" or "rxtx".
std::string_view direction_of(const macstats_counter& counter);

/// A value of an option, and its bits of enum macstats_option.
struct OptionValue {
    std::string word;
    std::uint16_t bits = 0;
};

/// An option of a device, and the values that its model supports: "duplex" is "full" or
/// "half". One value: the model fixes it.
struct DeviceOption {
    std::string_view name;
    std::uint16_t mask = 0; ///< of enum macstats_option
    std::vector<OptionValue> values;
};

/// An option as it is set.
struct OptionSetting {
    std::string_view name;
    std::string word;
};

/// The options that with_option() accepts for a model.
std::vector<DeviceOption> options_of(const macstats_model& model);
/// @options with the option set that @text ("NAME=VALUE") names.
Result<std::uint16_t>
with_option(const macstats_model& model, std::uint16_t options, std::string_view text);
/// @options with all of these options set. The last text about an option counts, and
/// "tx_statistics" and "rx_statistics" count whatever the position of "statistics".
Result<std::uint16_t> with_options(
    const macstats_model& model, std::uint16_t options, std::span<const std::string> texts);
/// How each option is set that a model does not fix; "statistics" is left out while only
/// one direction has them.
std::vector<OptionSetting> option_settings(const macstats_model& model, std::uint16_t options);

/// A statistic of enum macstats_standard_id.
struct StandardName {
    std::string_view group; ///< one of standard_groups()
    std::string_view name;
};

StandardName standard_name(unsigned int id);
/// The statistic of these names, or MACSTATS_STD_NONE.
unsigned int standard_id(std::string_view group, std::string_view name);

/// "eth-phy", "eth-mac", "eth-ctrl", "rmon", "pause", "rtnl", "mm"
std::vector<std::string_view> standard_groups();

/// A counter's term in the sum of a standard statistic: "group/name", followed by "*N" for
/// a factor other than 1, as "rtnl/tx_bytes*14".
std::string standard_word(const macstats_term& term);

std::span<const macstats_model* const> all_models();
/// The model of this name, or nullptr.
const macstats_model* find_model(std::string_view name);
/// The same, or an Error that lists the models.
Result<const macstats_model*> model_called(std::string_view name);

/// The bus words that the name of a counter or register, or an address, refers to.
struct Place {
    std::uint32_t address; ///< of the first bus word, from the port's base
    unsigned int words;    ///< bus words, one step apart
    unsigned int bits;     ///< of the value
    /// Set if the place is a whole counter, whose words form one value.
    const macstats_counter* counter;
};

/// The place called @name: the ethtool -S string of a counter, the datasheet's name of a
/// counter or register, one of these with _LO or _HI for one word of a counter of two
/// words, or an address ("0x..."). A counter's name alone refers to all its words. The
/// order of the words in a name, case and separators do not matter if the name stays
/// unambiguous.
Result<Place> find_place(const macstats_model& model, std::string_view name);

/// The addresses of the words of @place, that of the lowest bits first: the required
/// order of accesses where the low word latches the others.
std::vector<std::uint32_t> word_addresses(const macstats_model& model, const Place& place);

/// The counter with this ethtool -S string or datasheet name.
Result<CounterIndex> find_counter(const macstats_model& model, std::string_view name);

/// "0x407, 0x506, 0x800-0x83f, ...": the addresses with registers.
std::string address_ranges(const macstats_model& model);

} // namespace macstats
