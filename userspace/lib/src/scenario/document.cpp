// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "scenario/document.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.hpp"
#include "core/text.hpp"

namespace macstats {

namespace {

std::string pointer_to(const Item& item) {
    if (!item.parent)
        return "";
    const bool in_array = item.parent->value.get<json::Array>();
    return pointer_to(*item.parent) +
           json::pointer_step(in_array ? std::to_string(item.index) : std::string(item.key));
}

// The names, as far as a message has room for them: the names of devices are untrusted.
std::string list_of(const Words& names) {
    constexpr std::size_t room = 2048;
    std::string list;
    for (std::size_t i = 0; i < names.size(); i++) {
        const std::string name = shown(names[i]);
        if (list.size() + name.size() > room)
            return fmt::format("{} and {} more", list, names.size() - i);
        list += (list.empty() ? "" : ", ") + name;
    }
    return list.empty() ? "(there are none)" : list;
}

} // namespace

Words words_of(std::span<const Name> names) {
    Words words;
    for (const Name& name : names)
        words.push_back(name.name);
    return words;
}

void DocumentReader::fail(const Item& item, const std::string& text) {
    if (problem_)
        return;
    const std::string pointer = pointer_to(item);
    problem_ = Error{EINVAL, pointer.empty() ? text : pointer + ": " + text};
}

void DocumentReader::unexpected(
    const Item& item, std::string_view expected, const std::string& more) {
    if (!problem_)
        fail(
            item,
            fmt::format("expected {}, not {}{}", expected, json::described(item.value), more));
}

void DocumentReader::unlisted(
    const Item& item, std::string_view what, std::string_view word, const Words& candidates) {
    if (problem_)
        return;
    fail(
        item, fmt::format(
                  "expected {} {}, not {}{}", what, list_of(candidates), in_quotes(word),
                  did_you_mean(word, candidates)));
}

std::string DocumentReader::text(const Item& item) {
    if (const auto* text = item.value.get<std::string>())
        return *text;
    unexpected(item, "a string");
    return "";
}

std::uint64_t DocumentReader::integer(const Item& item, std::uint64_t least, std::uint64_t most) {
    const auto* integer = item.value.get<std::uint64_t>();
    if (integer && *integer >= least && *integer <= most)
        return *integer;
    const bool is_number = item.value.get<json::Number>();
    unexpected(
        item, fmt::format(
                  "an integer from {} to {}{}", least, most, is_number ? ", in digits alone" : ""));
    return least;
}

std::optional<std::uint64_t> DocumentReader::integer_or_null(const Item& item, std::uint64_t most) {
    if (item.value.get<std::nullptr_t>())
        return std::nullopt;
    if (const auto* integer = item.value.get<std::uint64_t>(); integer && *integer <= most)
        return *integer;
    unexpected(item, fmt::format("an integer from 0 to {} in digits alone, or null", most));
    return std::nullopt;
}

bool DocumentReader::flag(const Item& item) {
    if (const auto* flag = item.value.get<bool>())
        return *flag;
    unexpected(item, "true or false");
    return false;
}

unsigned int DocumentReader::word(const Item& item, std::span<const Name> names) {
    const auto* word = item.value.get<std::string>();
    const auto found = std::find_if(names.begin(), names.end(), [word](const Name& name) {
        return word && *word == name.name;
    });
    if (found != names.end())
        return found->value;
    if (word)
        unlisted(item, "one of", *word, words_of(names));
    else
        unexpected(item, fmt::format("one of {}", fmt::join(words_of(names), ", ")));
    return names.front().value;
}

Members::Members(
    DocumentReader& reader, const Item& item, std::initializer_list<std::string_view> known)
    : reader_(reader),
      item_(item),
      object_(item.value.get<json::Object>()) {
    if (!object_) {
        reader.unexpected(item, "an object");
        return;
    }
    for (const json::Member& member : *object_)
        if (std::find(known.begin(), known.end(), member.name) == known.end())
            reader.unlisted(
                {member.value, &item, member.name}, "one of the keys", member.name, known);
}

std::optional<Item> Members::find(std::string_view key) const {
    if (object_)
        for (const json::Member& member : *object_)
            if (member.name == key)
                return Item{member.value, &item_, member.name};
    return std::nullopt;
}

Item Members::must(std::string_view key) const {
    static const json::Value null{};
    if (const auto item = find(key))
        return *item;
    if (object_)
        reader_.fail(item_, fmt::format("expected a member \"{}\"", key));
    return {null, &item_, key};
}

} // namespace macstats
