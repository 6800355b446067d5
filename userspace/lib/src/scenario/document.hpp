// SPDX-License-Identifier: GPL-2.0 OR MIT
// Reads values from a JSON document and keeps the first problem, with its place and what is
// accepted there. Knows nothing of scenarios and MACs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/result.hpp"

namespace macstats {

using Words = std::vector<std::string_view>;

/// A value of the document, and the path to it.
struct Item {
    const json::Value& value;
    const Item* parent = nullptr;
    std::string_view key = {}; // in an object
    std::size_t index = 0;     // in an array
};

Words words_of(std::span<const Name> names);

/// After the first problem, the results of its functions are valid but meaningless.
class DocumentReader {
public:
    [[nodiscard]] const std::optional<Error>& problem() const { return problem_; }

    void fail(const Item& item, const std::string& text);
    /// "expected ..., not [the value]"
    void unexpected(const Item& item, std::string_view expected, const std::string& more = "");
    /// The word is none of the candidates.
    void unlisted(
        const Item& item, std::string_view what, std::string_view word, const Words& candidates);

    std::string text(const Item& item);
    std::uint64_t integer(const Item& item, std::uint64_t least, std::uint64_t most);
    std::optional<std::uint64_t> integer_or_null(const Item& item, std::uint64_t most);
    bool flag(const Item& item);
    unsigned int word(const Item& item, std::span<const Name> names);

    /// Calls @read with each member or element, up to the first problem.
    template <typename Read>
    void each_member(const Item& object, Read read) {
        const auto* members = object.value.get<json::Object>();
        if (!members)
            return unexpected(object, "an object");
        for (const json::Member& member : *members) {
            if (problem_)
                return;
            read(Item{member.value, &object, member.name});
        }
    }

    template <typename Read>
    void each_element(const Item& array, Read read) {
        const auto* elements = array.value.get<json::Array>();
        if (!elements)
            return unexpected(array, "an array");
        for (std::size_t i = 0; i < elements->size() && !problem_; i++)
            read(Item{(*elements)[i], &array, {}, i});
    }

private:
    std::optional<Error> problem_;
};

/// The members of an object, by their keys. Unknown keys and a value that is not an object
/// are problems.
class Members {
public:
    Members(
        DocumentReader& reader, const Item& item, std::initializer_list<std::string_view> known);

    [[nodiscard]] std::optional<Item> find(std::string_view key) const;
    /// A mandatory member; null, after the problem that it is not there.
    [[nodiscard]] Item must(std::string_view key) const;

    /// @value becomes that of the member, if it is there.
    template <typename T>
    void integer(std::string_view key, T& value, std::uint64_t least, std::uint64_t most) const {
        if (const auto item = find(key))
            value = static_cast<T>(reader_.integer(*item, least, most));
    }
    template <typename T>
    void flag(std::string_view key, T& value) const {
        if (const auto item = find(key))
            value = reader_.flag(*item);
    }

private:
    DocumentReader& reader_;
    const Item& item_;
    const json::Object* object_;
};

} // namespace macstats
