// SPDX-License-Identifier: GPL-2.0 OR MIT
// The words of the schema with their values, from which the JSON and the text of a model follow.
#pragma once

#include <macstats/place.h>
#include <macstats/schema.h>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "libmacstats/core/names.hpp"

namespace macstats {

/// A word of the schema, and what a model says with it: a member of JSON and, unless it says
/// nothing, a line for people, where "{}" stands for the value. Some words are only one of these.
struct Word {
    const char* member;
    nlohmann::ordered_json value;
    std::string line{};
};

using Words = std::vector<Word>;

/// All that a row says. Each row of a kind has the same words in the same order.
Words words_of(const macstats_model& model);
Words words_of(const macstats_model& model, const macstats_block& block);
Words words_of(const macstats_model& model, const macstats_counter& counter);

/// The line of a word, "" for a word that says nothing.
std::string line_of(const Word& word);

/// A value for people: "SOME_REGISTER bit 2" for what bit_json() returns.
std::string text_of(const nlohmann::ordered_json& value);

/// The bits that tell which hardware it is, each with the value that it reads.
nlohmann::ordered_json identity_json(const macstats_model& model);

/// The names of the revisions in a mask.
std::vector<std::string> revisions_in(const macstats_model& model, unsigned int mask);

/// The values of an option; the default comes first.
std::vector<std::string> default_first(const macstats_model& model, const DeviceOption& option);

/// How reserved addresses answer a read: in JSON, and for people.
struct Content {
    std::string_view name;
    std::string_view text;
};

Content content_of(const macstats_reserved& range);

inline std::span<const macstats_counter> counters_of(const macstats_model& model) {
    return {model.counters, model.n_counters};
}

inline std::span<const macstats_register> registers_of(const macstats_model& model) {
    return {model.registers, model.n_registers};
}

inline std::span<const macstats_block> blocks_of(const macstats_model& model) {
    return {model.blocks, model.n_blocks};
}

inline std::span<const macstats_field> fields_of(const macstats_register& reg) {
    return {reg.fields, macstats_field_count(&reg)};
}

} // namespace macstats
