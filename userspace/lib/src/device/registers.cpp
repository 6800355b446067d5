// SPDX-License-Identifier: GPL-2.0 OR MIT
// Finds the rows of the schema for addresses and values.
#include "libmacstats/device/registers.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <macstats/poll.h>

#include "core/error.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/statistics.hpp"
#include "libmacstats/core/try.hpp"

namespace macstats {

namespace {

using ValuesByOffset = std::map<std::uint32_t, std::uint32_t>;

DecodedRegister decode_register(const macstats_register& reg, std::uint32_t value) {
    DecodedRegister decoded{
        .offset = reg.offset, .value = value, .reg = &reg, .counter = nullptr, .fields = {}};
    for (const auto& field : std::span(reg.fields, macstats_field_count(&reg)))
        decoded.fields.push_back(
            {&field,
             static_cast<std::uint32_t>(value >> field.lsb & macstats_bits_mask(field.bits))});
    return decoded;
}

/// The offsets of a counter's words.
std::vector<std::uint32_t>
offsets_of(const macstats_model& model, const macstats_counter& counter) {
    std::vector<std::uint32_t> offsets;
    for (unsigned int i = 0; i < macstats_words(&model, &counter); i++)
        offsets.push_back(macstats_word_offset(&model, &counter, i));
    return offsets;
}

DecodedRegister decode_counter(
    const macstats_model& model, const macstats_counter& counter, const ValuesByOffset& words) {
    std::vector<__u64> values;
    for (const std::uint32_t offset : offsets_of(model, counter))
        values.push_back(words.at(offset));
    return {
        .offset = counter.offset,
        .value = macstats_assemble(&model, &counter, values.data()),
        .reg = nullptr,
        .counter = &counter,
        .fields = {}};
}

struct PortOffset {
    PortIndex port;
    std::uint32_t offset; // of the same register in port 0
};

PortOffset port_of(const macstats_model& model, std::uint32_t address) {
    __u32 offset = address;
    const PortIndex port(macstats_port_of(&model, &offset));
    return {port, offset};
}

struct PortWords {
    PortIndex port;
    ValuesByOffset by_offset;
};

// All words must belong to one port.
Result<PortWords> words_of_port(const macstats_model& model, std::span<const DumpedWord> words) {
    PortWords found;
    if (!words.empty())
        found.port = port_of(model, words.front().address).port;
    for (const DumpedWord& word : words) {
        const auto [port, offset] = port_of(model, word.address);
        if (port != found.port || port.value() >= model.ports)
            return invalid("{:#x} is not an address of this port", word.address);
        if (!found.by_offset.emplace(offset, word.value).second)
            return invalid("{:#x} occurs twice", word.address);
    }
    return found;
}

Result<void> check_is_there(const ValuesByOffset& words, const char* name, std::uint32_t offset) {
    if (words.contains(offset))
        return {};
    return invalid("{} at {:#x} is missing", name, offset);
}

// A dump has each register and each counter that has an address and that reading does not change.
Result<void> check_is_whole(const macstats_model& model, const ValuesByOffset& words) {
    for (const auto& reg : std::span(model.registers, model.n_registers))
        MACSTATS_CHECK(check_is_there(words, reg.name, reg.offset));
    for (const auto& counter : std::span(model.counters, macstats_register_counters(&model))) {
        const auto offsets = offsets_of(model, counter);
        if (!macstats_is_dumped(&model, &counter) &&
            std::ranges::none_of(offsets, [&](auto offset) { return words.contains(offset); }))
            continue;
        for (const std::uint32_t offset : offsets)
            MACSTATS_CHECK(check_is_there(words, counter.reg, offset));
    }
    return {};
}

// The first four octets as a number.
std::uint32_t little_endian(std::span<const std::byte> octets) {
    std::uint32_t value = 0;

    for (unsigned int i = 0; i < sizeof(value); i++)
        value |= std::to_integer<std::uint32_t>(octets[i]) << 8 * i;
    return value;
}

} // namespace

Result<std::vector<DumpedWord>> parse_dump(std::span<const std::byte> octets) {
    constexpr std::size_t each = 2 * sizeof(std::uint32_t);

    if (octets.empty() || octets.size() % each)
        return invalid(
            "a register dump is a list of {} octets each, this has {} (`ethtool -d PORT raw on` "
            "makes one)",
            each, octets.size());
    std::vector<DumpedWord> words;
    words.reserve(octets.size() / each);
    for (std::size_t at = 0; at < octets.size(); at += each)
        words.push_back(
            {little_endian(octets.subspan(at)),
             little_endian(octets.subspan(at + sizeof(std::uint32_t)))});
    return words;
}

Result<DecodedDump> decode_dump(
    const macstats_model& model, std::span<const DumpedWord> words,
    std::span<const CounterIndex> absent) {
    const std::string context = fmt::format("not a dump of {}", model.name);
    MACSTATS_TRY(const auto found, in_context(context, words_of_port(model, words)));
    const auto& [port, by_offset] = found;

    MACSTATS_CHECK(in_context(context, check_is_whole(model, by_offset)));

    DecodedDump dump{.port = port, .registers = {}, .skipped = {}};
    for (const auto& [offset, value] : by_offset) {
        unsigned int word = 0;
        if (const int i = macstats_register_at(&model, offset); i >= 0)
            dump.registers.push_back(decode_register(model.registers[i], value));
        else if (const int at = macstats_counter_at(&model, offset, &word); at < 0)
            dump.registers.push_back(
                {.offset = offset,
                 .value = value,
                 .reg = nullptr,
                 .counter = nullptr,
                 .fields = {}});
        else if (auto c = static_cast<std::uint32_t>(at); word == 0)
            do {
                if (!is_absent(absent, CounterIndex(c)))
                    dump.registers.push_back(decode_counter(model, model.counters[c], by_offset));
            } while (macstats_shares_word(&model, ++c));
    }
    for (unsigned int i = 0; i < macstats_register_counters(&model); i++)
        if (macstats_read_is_destructive(&model, model.counters[i].offset) &&
            !is_absent(absent, CounterIndex(i)))
            dump.skipped.push_back(&model.counters[i]);
    return dump;
}

} // namespace macstats
