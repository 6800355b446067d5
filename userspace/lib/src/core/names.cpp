// SPDX-License-Identifier: GPL-2.0 OR MIT
// The words, and the search for them.
#include "libmacstats/core/names.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <macstats/fault.h>
#include <macstats/feature/index.h>
#include <macstats/frame.h>
#include <macstats/option.h>
#include <map>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.hpp"
#include "core/text.hpp"
#include "libmacstats/core/try.hpp"

namespace macstats {

namespace {

constexpr auto directions = std::to_array<Name>({
    {"rx", MACSTATS_RX},
    {"tx", MACSTATS_TX},
});

constexpr auto destinations = std::to_array<Name>({
    {"unicast", MACSTATS_UNICAST},
    {"multicast", MACSTATS_MULTICAST},
    {"broadcast", MACSTATS_BROADCAST},
});

constexpr auto kind_words = std::to_array<Name>({
    {"data", MACSTATS_DATA},
    {"control", MACSTATS_CONTROL},
    {"pause", MACSTATS_PAUSE},
    {"pfc", MACSTATS_PFC},
});

constexpr auto origins = std::to_array<Name>({
    {"software", MACSTATS_BY_SOFTWARE},
    {"mac", MACSTATS_BY_MAC},
});

constexpr auto errors = std::to_array<Name>({
    {"fcs", MACSTATS_ERR_FCS},
    {"alignment", MACSTATS_ERR_ALIGNMENT},
    {"code", MACSTATS_ERR_CODE},
    {"payload_length", MACSTATS_ERR_PAYLOAD_LENGTH},
    {"late_collision", MACSTATS_ERR_LATE_COLLISION},
    {"excessive_collisions", MACSTATS_ERR_EXCESSIVE_COLLISIONS},
    {"excessive_deferral", MACSTATS_ERR_EXCESSIVE_DEFERRAL},
    {"carrier_loss", MACSTATS_ERR_CARRIER_LOSS},
    {"underrun", MACSTATS_ERR_UNDERRUN},
    {"overrun", MACSTATS_ERR_OVERRUN},
    {"checksum", MACSTATS_ERR_CHECKSUM},
    {"no_buffer", MACSTATS_ERR_NO_BUFFER},
});

constexpr auto faults = std::to_array<Name>({
    {"parity_error", MACSTATS_FAULT_PARITY_ERROR},
    {"snapshot_stuck", MACSTATS_FAULT_SNAPSHOT_STUCK},
    {"snapshot_slow", MACSTATS_FAULT_SNAPSHOT_SLOW},
    {"bus_error", MACSTATS_FAULT_BUS_ERROR},
    {"reset_in_progress", MACSTATS_FAULT_RESET_IN_PROGRESS},
    {"clock_stopped", MACSTATS_FAULT_CLOCK_STOPPED},
    {"reset", MACSTATS_FAULT_RESET},
    {"unplug", MACSTATS_FAULT_UNPLUG},
    {"bus_error_at", MACSTATS_FAULT_BUS_ERROR_AT},
    {"slow_bus", MACSTATS_FAULT_SLOW_BUS},
    {"gate_closes", MACSTATS_FAULT_GATE_CLOSES},
    {"suspend", MACSTATS_FAULT_SUSPEND},
});

constexpr auto units = std::to_array<Name>({
    {"frames", MACSTATS_FRAMES},
    {"octets", MACSTATS_OCTETS},
    {"octets", MACSTATS_PAYLOAD},
    {"collisions", MACSTATS_COLLISIONS},
    {"octets", MACSTATS_WIRE_OCTETS},
    {"collisions", MACSTATS_EARLY_COLLISIONS},
});

constexpr auto onreads = std::to_array<Name>({
    {"none", MACSTATS_ONREAD_NONE},
    {"rclr", MACSTATS_ONREAD_RCLR},
});

constexpr auto onwrites = std::to_array<Name>({
    {"none", MACSTATS_ONWRITE_NONE},
    {"decrement", MACSTATS_ONWRITE_DECREMENT},
});

constexpr auto overflows = std::to_array<Name>({
    {"rollover", MACSTATS_ROLLOVER},
    {"saturate", MACSTATS_SATURATE},
});

constexpr auto indices = std::to_array<Name>({
    {"queue", MACSTATS_INDEX_OF_QUEUE},
    {"priority", MACSTATS_INDEX_OF_PRIORITY},
});

constexpr auto accesses = std::to_array<Name>({
    {"ro", MACSTATS_RO},
    {"rw", MACSTATS_RW},
});

constexpr auto power_ups = std::to_array<Name>({
    {"zero", MACSTATS_POWER_UP_ZERO},
    {"random", MACSTATS_POWER_UP_RANDOM},
});

struct OptionWord {
    std::string_view word; // empty: the line rate in Mb/s
    std::uint16_t bits;
};

struct OptionWords {
    std::string_view name;
    std::uint16_t mask;
    bool everywhere; // each model accepts it, even if only with one value
    std::array<OptionWord, MACSTATS_MAX_REVISIONS> words;
    std::size_t count;
};

// An option of one bit.
constexpr OptionWords one_bit(
    std::string_view name, std::uint16_t bit, bool everywhere, std::string_view set = "on",
    std::string_view clear = "off") {
    return {name, bit, everywhere, {{{set, bit}, {clear, 0}}}, 2};
}

constexpr auto options_known = std::to_array<OptionWords>({
    one_bit("statistics", MACSTATS_OPT_STATISTICS, true),
    one_bit("tx_statistics", MACSTATS_OPT_TX_STATISTICS, false),
    one_bit("rx_statistics", MACSTATS_OPT_RX_STATISTICS, false),
    one_bit("duplex", MACSTATS_OPT_HALF_DUPLEX, true, "half", "full"),
    {"speed",
     MACSTATS_OPT_SPEEDS,
     false,
     {{{"10", MACSTATS_OPT_10M}, {"100", MACSTATS_OPT_100M}, {"", 0}}},
     3},
    one_bit("vlan_detection", MACSTATS_OPT_VLAN_DETECTION, false),
    one_bit("medium", MACSTATS_OPT_FIBER, false, "fiber", "copper"),
    one_bit("variant", MACSTATS_OPT_VARIANT, false),
    {"revision", MACSTATS_OPT_REVISIONS, false, {}, 0},
});

// The option as a model has it: "statistics" sets all options that build its blocks, and each
// model has revisions of its own.
OptionWords option_of(const macstats_model& model, OptionWords option) {
    const auto all = static_cast<std::uint16_t>(macstats_statistics_options(&model));
    if (option.mask == MACSTATS_OPT_STATISTICS && all) {
        option.mask = all;
        for (OptionWord& word : option.words)
            if (word.bits)
                word.bits = all;
    }
    if (option.mask == MACSTATS_OPT_REVISIONS)
        for (const char* name : model.revisions)
            if (name) {
                const unsigned int bits = unsigned{MACSTATS_OPT_REVISION_2} << option.count >> 1;
                option.words[option.count++] = {
                    name, static_cast<std::uint16_t>(bits & MACSTATS_OPT_REVISIONS)};
            }
    return option;
}

// A model that lacks bits of an option has only the values with their defaults.
std::vector<OptionValue> values_of(const macstats_model& model, const OptionWords& option) {
    const unsigned int fixed = option.mask & ~model.options;
    std::vector<OptionValue> values;
    for (const OptionWord& word : std::span(option.words).first(option.count))
        if ((word.bits & fixed) == (model.default_options & fixed))
            values.push_back(
                {word.word.empty() ? std::to_string(model.line_rate_bps / 1'000'000)
                                   : std::string(word.word),
                 word.bits});
    return values;
}

constexpr std::string_view group_words[] = {"eth-phy", "eth-mac", "eth-ctrl", "rmon",
                                            "pause",   "rtnl",    "mm"};

#define STANDARD_NAME(group, id, direction, what, name) {group_words[MACSTATS_GROUP_##group], name},
constexpr StandardName standards[] = {{"", ""}, MACSTATS_STANDARD_LIST(STANDARD_NAME)};
#undef STANDARD_NAME
static_assert(std::size(standards) == MACSTATS_STD_COUNT);

// The longest name of a counter, register or model.
constexpr std::size_t most_letters = 64;

// The number of changed characters between two words (Levenshtein).
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0U);
    for (std::size_t i = 0; i < a.size(); i++) {
        std::size_t diagonal = row[0]++;
        for (std::size_t j = 0; j < b.size(); j++) {
            const std::size_t changed = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = std::min({changed, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

Error unknown(
    const macstats_model& model, std::string_view what, std::string_view word,
    std::span<const std::string_view> candidates) {
    return invalid(
        "{} has no {} {}{}", model.name, what, in_quotes(word),
        did_you_mean(
            word, candidates, fmt::format("; `macstats model {}` lists what it has", model.name)));
}

std::vector<std::string_view> counter_names(const macstats_model& model) {
    std::vector<std::string_view> names;
    for (const auto& counter : std::span(model.counters, model.n_counters)) {
        names.emplace_back(counter.name);
        names.emplace_back(counter.reg);
    }
    return names;
}

// The words of a name, sorted: datasheets differ in their order and in the separators
// ("TX CNTR_CONFIG", "CNTR_TX_CONFIG").
std::vector<std::string> words_in(std::string_view name) {
    std::vector<std::string> words;
    bool inside = false;
    for (const char c : name) {
        // Not <cctype>, which depends on the locale.
        const bool is_upper = c >= 'A' && c <= 'Z';
        const bool is_part = is_upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (is_part) {
            if (!inside)
                words.emplace_back();
            words.back() += is_upper ? static_cast<char>(c - 'A' + 'a') : c;
        }
        inside = is_part;
    }
    std::sort(words.begin(), words.end());
    return words;
}

std::array<std::string_view, 2> names_of(const macstats_counter& counter) {
    return {counter.name, counter.reg};
}

std::array<std::string_view, 1> names_of(const macstats_register& reg) {
    return {reg.name};
}

// The row with exactly this name, otherwise the only row with the same words.
template <typename Row>
const Row* row_called(std::span<const Row> rows, std::string_view name) {
    for (const Row& row : rows)
        for (const std::string_view candidate : names_of(row))
            if (candidate == name)
                return &row;

    if (name.size() > most_letters)
        return nullptr;
    const auto words = words_in(name);
    const Row* found = nullptr;
    for (const Row& row : rows)
        for (const std::string_view candidate : names_of(row))
            if (words_in(candidate) == words && found != &row) {
                if (found)
                    return nullptr;
                found = &row;
            }
    return found;
}

const macstats_counter* counter_called(const macstats_model& model, std::string_view name) {
    return row_called(std::span(model.counters, model.n_counters), name);
}

const macstats_register* register_called(const macstats_model& model, std::string_view name) {
    return row_called(std::span(model.registers, model.n_registers), name);
}

Place word_of(const macstats_model& model, const macstats_counter& counter, unsigned int word) {
    return {
        .address = macstats_word_offset(&model, &counter, word),
        .words = 1,
        .bits = std::min<unsigned int>(counter.bits - word * model.bus_bits, model.bus_bits),
        .counter = nullptr};
}

Place whole(const macstats_model& model, const macstats_counter& counter) {
    return {
        .address = counter.offset,
        .words = macstats_words(&model, &counter),
        .bits = counter.bits,
        .counter = &counter};
}

// NAME_LO or NAME_HI of a counter of two words.
std::optional<Place> half_called(const macstats_model& model, std::string_view name) {
    const std::size_t end = std::max<std::size_t>(name.size(), 3) - 3;
    const auto suffix = words_in(name.substr(end));
    const bool high = suffix == std::vector<std::string>{"hi"};
    if (!high && suffix != std::vector<std::string>{"lo"})
        return std::nullopt;
    const auto* counter = counter_called(model, name.substr(0, end));
    if (!counter || macstats_words(&model, counter) != 2)
        return std::nullopt;
    return word_of(model, *counter, high ? 1 : 0);
}

Result<Place> place_at(const macstats_model& model, std::string_view text) {
    MACSTATS_TRY(const auto number, parse_number("address", text, UINT32_MAX));
    const auto address = static_cast<std::uint32_t>(number);

    unsigned int word = 0;
    const int i = macstats_counter_at(&model, address, &word);
    const bool shared = i >= 0 && (model.counters[i].lsb ||
                                   macstats_shares_word(&model, static_cast<__u32>(i) + 1));
    if (i >= 0 && !shared)
        return word_of(model, model.counters[i], word);
    if (shared || macstats_register_at(&model, address) >= 0 ||
        macstats_reserved_at(&model, address) >= 0)
        return Place{.address = address, .words = 1, .bits = model.bus_bits, .counter = nullptr};
    return invalid(
        "{} has nothing at {:#x}, only at {}", model.name, address, address_ranges(model));
}

} // namespace

const std::span<const Name> direction_names = directions;
const std::span<const Name> destination_names = destinations;
const std::span<const Name> kind_names = kind_words;
const std::span<const Name> origin_names = origins;
const std::span<const Name> error_names = errors;
const std::span<const Name> fault_names = faults;
const std::span<const Name> unit_names = units;
const std::span<const Name> onread_names = onreads;
const std::span<const Name> onwrite_names = onwrites;
const std::span<const Name> overflow_names = overflows;
const std::span<const Name> index_names = indices;
const std::span<const Name> access_names = accesses;
const std::span<const Name> power_up_names = power_ups;

std::string family_of(const std::string& name) {
    const macstats_numbered_name parts = macstats_number_in(name.c_str());
    return name.substr(0, parts.head) + name.substr(parts.tail);
}

Result<unsigned int>
value_of(std::span<const Name> names, std::string_view what, std::string_view word) {
    std::vector<std::string_view> words;
    for (const Name& name : names) {
        if (name.name == word)
            return name.value;
        words.push_back(name.name);
    }
    return invalid("{}: {} is not one of {}", what, in_quotes(word), fmt::join(words, ", "));
}

std::string_view name_of(std::span<const Name> names, unsigned int value) {
    for (const Name& name : names)
        if (name.value == value)
            return name.name;
    return "";
}

std::string_view name_of(std::span<const Name> names, std::optional<unsigned int> value) {
    return value ? name_of(names, *value) : "";
}

std::vector<std::string_view> names_in(std::span<const Name> names, unsigned int mask) {
    std::vector<std::string_view> words;
    for (const Name& name : names)
        if (name.value & mask)
            words.push_back(name.name);
    return words;
}

Result<std::uint64_t>
parse_number(std::string_view what, std::string_view text, std::uint64_t most) {
    const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    const std::string_view digits = text.substr(hexadecimal ? 2 : 0);
    const char* end = digits.data() + digits.size();
    std::uint64_t number = 0;
    const auto [stop, error] = std::from_chars(digits.data(), end, number, hexadecimal ? 16 : 10);

    if (error == std::errc() && stop == end && number <= most)
        return number;
    return invalid(
        "{}: {} is not a number from 0 to {} ({:#x})", what, in_quotes(text), most, most);
}

std::string did_you_mean(
    std::string_view word, std::span<const std::string_view> candidates,
    const std::string& otherwise) {
    constexpr std::size_t most = 3;
    const std::size_t limit = std::max<std::size_t>(2, word.size() / 3);

    std::multimap<std::size_t, std::string_view> near; // by their distances
    for (const std::string_view candidate : candidates) {
        if (std::max(word.size(), candidate.size()) > most_letters)
            continue;
        if (const std::size_t d = distance(word, candidate); d <= limit && d < word.size())
            near.emplace(d, candidate);
    }
    std::vector<std::string> nearest;
    for (const auto& [d, candidate] : near)
        if (nearest.size() < most)
            nearest.push_back(shown(candidate));
    return nearest.empty() ? otherwise
                           : fmt::format("; did you mean {}?", fmt::join(nearest, " or "));
}

std::string_view direction_of(const macstats_counter& counter) {
    const auto direction = macstats_named_direction(&counter);
    return direction == (MACSTATS_RX | MACSTATS_TX) ? "rxtx" : name_of(direction_names, direction);
}

std::vector<DeviceOption> options_of(const macstats_model& model) {
    std::vector<DeviceOption> options;
    for (const OptionWords& known : options_known) {
        const OptionWords option = option_of(model, known);
        if (option.everywhere || (model.options & option.mask))
            options.push_back({option.name, option.mask, values_of(model, option)});
    }
    return options;
}

Result<std::uint16_t>
with_option(const macstats_model& model, std::uint16_t options, std::string_view text) {
    const auto equals = text.find('=');
    const std::string_view name = text.substr(0, equals);
    const std::string_view word = equals == text.npos ? "" : text.substr(equals + 1);

    const std::vector<DeviceOption> known = options_of(model);
    const auto option =
        std::find_if(known.begin(), known.end(), [name](const DeviceOption& candidate) {
            return candidate.name == name;
        });
    if (option == known.end()) {
        std::vector<std::string_view> names;
        for (const DeviceOption& each : known)
            names.push_back(each.name);
        return invalid(
            "option: {} has no option {}, it has {}", model.name, in_quotes(name),
            fmt::join(names, ", "));
    }

    std::vector<std::string_view> words;
    for (const OptionValue& value : option->values) {
        if (value.word == word)
            return static_cast<std::uint16_t>((options & ~option->mask) | value.bits);
        words.push_back(value.word);
    }
    if (words.size() == 1)
        return invalid("option {}: {} is {} only", name, model.name, words.front());
    if (words.size() == 2)
        return invalid(
            "option {}: {} is neither {} nor {}", name, in_quotes(word), words[0], words[1]);
    return invalid("option {}: {} is not one of {}", name, in_quotes(word), fmt::join(words, ", "));
}

Result<std::uint16_t> with_options(
    const macstats_model& model, std::uint16_t options, std::span<const std::string> texts) {
    // An option that sets more bits than another comes before it.
    for (const bool direction : {false, true})
        for (const std::string& text : texts) {
            const bool about_direction =
                text.starts_with("tx_statistics=") || text.starts_with("rx_statistics=");
            if (about_direction == direction) {
                MACSTATS_TRY(options, with_option(model, options, text));
            }
        }
    return options;
}

std::vector<OptionSetting> option_settings(const macstats_model& model, std::uint16_t options) {
    std::vector<OptionSetting> settings;
    for (const DeviceOption& option : options_of(model))
        for (const OptionValue& value : option.values)
            if (option.values.size() > 1 && (options & option.mask) == value.bits)
                settings.push_back({option.name, value.word});
    return settings;
}

StandardName standard_name(unsigned int id) {
    return id < MACSTATS_STD_COUNT ? standards[id] : standards[MACSTATS_STD_NONE];
}

unsigned int standard_id(std::string_view group, std::string_view name) {
    unsigned int id = MACSTATS_STD_COUNT - 1;
    while (id != MACSTATS_STD_NONE && (standards[id].group != group || standards[id].name != name))
        id--;
    return id;
}

std::vector<std::string_view> standard_groups() {
    return {std::begin(group_words), std::end(group_words)};
}

std::string standard_word(const macstats_term& term) {
    const StandardName standard = standard_name(term.id);
    if (term.factor == 1)
        return fmt::format("{}/{}", standard.group, standard.name);
    return fmt::format("{}/{}*{}", standard.group, standard.name, int{term.factor});
}

const macstats_model* find_model(std::string_view name) {
    for (const macstats_model* model : all_models())
        if (name == model->name)
            return model;
    return nullptr;
}

Result<const macstats_model*> model_called(std::string_view name) {
    if (const macstats_model* model = find_model(name))
        return model;
    std::vector<std::string_view> names;
    for (const macstats_model* model : all_models())
        names.emplace_back(model->name);
    return invalid(
        "this macstats has no model {}; its models are {}", in_quotes(name),
        fmt::join(names, ", "));
}

Result<Place> find_place(const macstats_model& model, std::string_view name) {
    if (name.starts_with("0x") || name.starts_with("0X"))
        return place_at(model, name);
    if (const auto* counter = counter_called(model, name)) {
        if (macstats_is_software_counter(counter))
            return invalid(
                "{} of {} is in no register: descriptors feed it", counter->name, model.name);
        if (macstats__is_windowed(&model, counter))
            return invalid(
                "{} of {} has no address: it is counter {} of a window", counter->name, model.name,
                macstats__window_index(&model, counter));
        return whole(model, *counter);
    }

    if (const auto* reg = register_called(model, name))
        return Place{
            .address = reg->offset, .words = 1, .bits = model.bus_bits, .counter = nullptr};
    if (const auto half = half_called(model, name))
        return *half;
    auto names = counter_names(model);
    for (const auto& reg : std::span(model.registers, model.n_registers))
        names.emplace_back(reg.name);
    return unknown(model, "counter or register", name, names);
}

std::vector<std::uint32_t> word_addresses(const macstats_model& model, const Place& place) {
    std::vector<std::uint32_t> addresses;
    for (unsigned int i = 0; i < place.words; i++)
        addresses.push_back(
            place.counter ? macstats_word_offset(&model, place.counter, i)
                          : place.address + i * macstats_word_step(&model));
    return addresses;
}

Result<CounterIndex> find_counter(const macstats_model& model, std::string_view name) {
    if (const auto* counter = counter_called(model, name))
        return CounterIndex(static_cast<std::uint32_t>(counter - model.counters));
    return unknown(model, "counter", name, counter_names(model));
}

std::string address_ranges(const macstats_model& model) {
    struct Range {
        std::uint32_t first;
        std::uint32_t behind;
    };
    std::vector<Range> ranges;
    const std::uint32_t step = macstats_word_step(&model);
    for (const auto& counter : std::span(model.counters, macstats_register_counters(&model))) {
        if (!macstats__is_windowed(&model, &counter))
            ranges.push_back({counter.offset, macstats_counter_end(&model, &counter)});
        if (counter.word_stride) {
            const std::uint32_t high = macstats_word_offset(&model, &counter, 1);
            ranges.push_back({high, high + step});
        }
    }
    for (const auto& reg : std::span(model.registers, model.n_registers))
        ranges.push_back({reg.offset, reg.offset + step});
    for (const auto& reserved : std::span(model.reserved, model.n_reserved))
        ranges.push_back({reserved.first, reserved.last + 1});
    std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) {
        return a.first < b.first;
    });

    std::vector<Range> merged;
    for (const Range& range : ranges) {
        if (!merged.empty() && merged.back().behind >= range.first)
            merged.back().behind = std::max(merged.back().behind, range.behind);
        else
            merged.push_back(range);
    }

    std::vector<std::string> words;
    for (const Range& range : merged)
        words.push_back(
            range.behind - range.first > step
                ? fmt::format("{:#x}-{:#x}", range.first, range.behind - 1)
                : fmt::format("{:#x}", range.first));
    return fmt::format("{}", fmt::join(words, ", "));
}

} // namespace macstats
