// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Any octets are a register dump of a model, or are rejected with a reason. A decoded dump has
// each word of the octets once, in its register, fields or counter, and nothing else.
//
// The first octet chooses the model and the way: the octets that follow are the dump, or choose
// values and flaws.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <fuzzer/FuzzedDataProvider.h>
#include <macstats/poll.h>
#include <nlohmann/json.hpp>

#include "libmacstats/core/names.hpp"
#include "present/registers.hpp"
#include "require.hpp"

using namespace macstats;
using macstats::test::require;

namespace {

using Octets = std::vector<std::byte>;
using Words = std::map<std::uint32_t, std::uint32_t>; // value by offset

void append(Octets& octets, std::uint32_t value) {
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    octets.insert(octets.end(), bytes, bytes + sizeof(value));
}

struct MadeDump {
    Octets octets;
    bool good = true; // a dump of one port: see decode_dump()
};

// A dump of one port, sometimes with a flaw.
MadeDump made_dump(const macstats_model& model, FuzzedDataProvider& data) {
    MadeDump made;
    const auto port = data.ConsumeIntegralInRange<std::uint32_t>(0, model.ports);
    // Returns how often the word is there, which is once if no input is left.
    const auto add = [&](std::uint32_t address) {
        const auto chosen = data.ConsumeIntegralInRange(0, 63);
        const int times = chosen < 62 ? 1 : chosen == 62 ? 0 : 2;
        const auto value = data.ConsumeIntegral<std::uint32_t>();
        for (int i = 0; i < times; i++) {
            append(made.octets, address);
            append(made.octets, value);
        }
        made.good &= times == 1;
    };
    for (unsigned int i = 0; i < model.n_registers; i++)
        add(model.registers[i].offset + port * model.port_stride);
    for (unsigned int i = 0; i < macstats_register_counters(&model); i++) {
        const macstats_counter& counter = model.counters[i];
        if (macstats_shares_word(&model, i)) // with the last one
            continue;
        if (macstats_read_is_destructive(&model, counter.offset) && !data.ConsumeBool())
            continue;
        const std::uint32_t apart = counter.port_stride ? counter.port_stride : model.port_stride;
        for (unsigned int word = 0; word < macstats_words(&model, &counter); word++)
            add(macstats_word_offset(&model, &counter, word) + port * apart);
    }
    made.good &= port < model.ports;
    return made;
}

// The value of the words of a counter, which @left has no longer. Another one may share them.
std::uint64_t joined(
    const macstats_model& model, const macstats_counter& counter, const Words& words, Words& left) {
    const unsigned int n = (counter.bits + model.bus_bits - 1U) / model.bus_bits;
    std::uint64_t value = 0;
    for (unsigned int i = 0; i < n; i++) {
        const auto word = words.find(macstats_word_offset(&model, &counter, i));
        require(word != words.end(), std::string("each word was dumped: ") + counter.name);
        value |= std::uint64_t{word->second} << (i * model.bus_bits);
        left.erase(word->first);
    }
    value >>= counter.lsb;
    const bool all = counter.bits == 64;
    return all ? value : value & ((std::uint64_t{1} << counter.bits) - 1);
}

void check(const macstats_model& model, const DecodedDump& dump, const Words& words) {
    Words left = words;
    require(dump.port.value() < model.ports, "the port exists");
    for (const DecodedRegister& decoded : dump.registers) {
        if (decoded.counter) {
            require(
                joined(model, *decoded.counter, words, left) == decoded.value,
                std::string("the words make the counter: ") + decoded.counter->name);
            continue;
        }
        require(
            words.contains(decoded.offset) && words.at(decoded.offset) == decoded.value,
            std::string("the word is that of the register: ") +
                (decoded.reg ? decoded.reg->name : "one without a name"));
        left.erase(decoded.offset);
        for (const DecodedField& field : decoded.fields)
            for (unsigned int bit = 0; bit < 32; bit++) {
                const bool inside = bit < field.field->bits;
                require(
                    (field.value >> bit & 1) ==
                        (inside ? decoded.value >> (field.field->lsb + bit) & 1 : 0),
                    std::string("a field has its bits of the register: ") + field.field->name);
            }
    }
    require(left.empty(), "each word is shown");
}

// The dump that an input describes: made from its octets, or the octets themselves.
MadeDump dump_of(const macstats_model& model, std::span<const std::uint8_t> input, bool made) {
    if (made) {
        FuzzedDataProvider data(input.data(), input.size());
        return made_dump(model, data);
    }
    const auto octets = std::as_bytes(input);
    return {.octets = {octets.begin(), octets.end()}, .good = false};
}

void check_rejection(const macstats_model& model, const std::string& message) {
    require(
        message.starts_with(std::string("not a dump of ") + model.name) &&
            message.find('\n') == message.npos,
        "a rejection is one line: " + message);
}

// The words of a dump, by their offsets in the port.
Words words_in(const macstats_model& model, const Octets& octets) {
    Words words;
    for (std::size_t at = 0; at < octets.size(); at += 8) {
        std::uint32_t pair[2];
        std::memcpy(pair, octets.data() + at, sizeof(pair));
        macstats_port_of(&model, &pair[0]);
        require(words.emplace(pair[0], pair[1]).second, "no word occurs twice");
    }
    return words;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    if (!size)
        return 0;
    const auto models = all_models();
    const macstats_model& model = *models[bytes[0] / 2 % models.size()];
    const auto [octets, good] =
        dump_of(model, std::span(bytes, size).subspan(1), bytes[0] % 2 != 0);

    const auto words = parse_dump(octets);
    require(
        words.has_value() == (!octets.empty() && octets.size() % 8 == 0),
        "a dump is a list of pairs of 32 bits");
    if (!words)
        return 0;
    const auto dump = decode_dump(model, *words);
    require(dump.has_value() || !good, "a good dump is accepted");
    if (!dump) {
        check_rejection(model, dump.error().message);
        return 0;
    }
    check(model, *dump, words_in(model, octets));

    const auto json = dump_json(model, *dump);
    require(
        json.at("registers").size() + json.at("counters").size() + json.at("unknown").size() ==
            dump->registers.size(),
        "JSON has each register, counter and further word");
    static_cast<void>(dump_text(model, *dump, true).size());
    return 0;
}
