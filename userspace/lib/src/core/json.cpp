// SPDX-License-Identifier: GPL-2.0 OR MIT
// The strict reader: nlohmann-json finds the tokens, the builder limits the values.
#include "core/json.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/text.hpp"

namespace macstats::json {

namespace {

// "line 3, column 5: ", both from 1, columns in octets.
std::string line_and_column(std::string_view text, std::size_t index) {
    const std::string_view before = text.substr(0, index);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const auto column = before.size() - (before.rfind('\n') + 1) + 1;
    return fmt::format("line {}, column {}: ", line, column);
}

// The reason in a message of nlohmann-json, without the excerpt of the text, which is
// untrusted and may be long.
std::string syntax_error(std::string_view what) {
    constexpr std::string_view before_text = "; last read: '";
    constexpr std::string_view behind_text = "'; expected ";

    const auto reason = what.find("syntax error");
    const auto place = what.rfind(": "); // in front of a reason without a token
    what.remove_prefix(reason != what.npos ? reason : place != what.npos ? place + 2 : 0);
    const auto text = what.find(before_text);
    const auto behind = what.rfind(behind_text);
    if (text == what.npos)
        return std::string(what);
    if (behind == what.npos || behind < text)
        return std::string(what.substr(0, text));
    return std::string(what.substr(0, text)) + std::string(what.substr(behind + 1));
}

// Builds values from the tokens of nlohmann-json.
class Builder {
public:
    explicit Builder(std::string_view text) : text_(text) {}

    Value& root() { return root_; }
    [[nodiscard]] const std::string& problem() const { return problem_; }

    bool null() { return add(nullptr); }
    bool boolean(bool value) { return add(value); }
    bool number_unsigned(std::uint64_t value) { return add(value); }
    bool number_integer(std::int64_t value) {
        return add(Number{value ? std::to_string(value) : "-0"});
    }
    // nlohmann-json 3.11 writes the decimal point of the process's locale.
    bool number_float(double, std::string text) {
        const auto foreign = text.find_first_not_of("0123456789+-eE");
        if (foreign != text.npos)
            text[foreign] = '.';
        return add(Number{std::move(text)});
    }
    bool string(std::string& value) { return add(std::move(value)); }
    bool binary(std::vector<std::uint8_t>&) { return false; }
    bool start_array(std::size_t) { return open(Array{}); }
    bool end_array() { return close(); }
    bool start_object(std::size_t) { return open(Object{}); }
    bool key(std::string& name) {
        std::get<Object>(open_.back()->content).push_back({std::move(name), {}});
        return true;
    }
    bool end_object() { return names_are_unique() && close(); }

    // @position is after the character that reveals the error.
    bool parse_error(
        std::size_t position, const std::string& token, const nlohmann::json::exception& error) {
        constexpr int number_overflow = 406;
        problem_ = error.id == number_overflow
                       ? at(fmt::format("expected a smaller number, not {}", shown(token)))
                       : line_and_column(text_, position - 1) + syntax_error(error.what());
        return false;
    }

private:
    template <typename T>
    bool add(T&& content) {
        return place(Value{std::forward<T>(content)}) != nullptr;
    }

    template <typename T>
    bool open(T container) {
        if (open_.size() == most_levels) {
            problem_ = at(
                fmt::format("expected no more than {} levels of arrays and objects", most_levels));
            return false;
        }
        Value* value = place(Value{std::move(container)});
        if (!value)
            return false;
        open_.push_back(value);
        return true;
    }

    bool close() {
        open_.pop_back();
        return true;
    }

    // The value keeps its address until its container is closed.
    Value* place(Value value) {
        if (++values_ > most_values) {
            problem_ = at(fmt::format("expected no more than {} values in all", most_values));
            return nullptr;
        }
        if (open_.empty()) {
            root_ = std::move(value);
            return &root_;
        }
        if (auto* array = std::get_if<Array>(&open_.back()->content))
            return &array->emplace_back(std::move(value));
        Value& member = std::get<Object>(open_.back()->content).back().value;
        member = std::move(value);
        return &member;
    }

    bool names_are_unique() {
        names_.clear();
        for (const Member& member : std::get<Object>(open_.back()->content))
            names_.push_back(member.name);
        std::sort(names_.begin(), names_.end());
        const auto twice = std::adjacent_find(names_.begin(), names_.end());
        if (twice == names_.end())
            return true;
        problem_ = pointer(pointer_step(*twice)) + ": expected this name once in the object";
        return false;
    }

    // @text with the pointer to the next value in front.
    [[nodiscard]] std::string at(const std::string& text) const {
        if (open_.empty())
            return text;
        const auto* array = open_.back()->get<Array>();
        const std::string step =
            array ? std::to_string(array->size()) : open_.back()->get<Object>()->back().name;
        return pointer(pointer_step(step)) + ": " + text;
    }

    // @last: a step from the container opened last.
    [[nodiscard]] std::string pointer(const std::string& last) const {
        std::string pointer;
        for (std::size_t i = 0; i + 1 < open_.size(); i++) {
            const auto* array = open_[i]->get<Array>();
            pointer += pointer_step(
                array ? std::to_string(array->size() - 1) : open_[i]->get<Object>()->back().name);
        }
        return pointer + last;
    }

    std::string_view text_;
    Value root_;
    std::vector<Value*> open_; // the containers around the next value
    std::size_t values_ = 0;
    std::vector<std::string_view> names_;
    std::string problem_;
};

} // namespace

Result<Value> parse(std::string_view text) {
    // nlohmann-json ends at a NUL character.
    if (const auto nul = text.find('\0'); nul != text.npos)
        return invalid("{}expected text, not a NUL character", line_and_column(text, nul));
    Builder builder(text);
    if (!nlohmann::json::sax_parse(text.begin(), text.end(), &builder))
        return Error{EINVAL, builder.problem()};
    return std::move(builder.root());
}

std::string pointer_step(std::string_view name) {
    std::string step = "/";
    for (const char c : shown(name)) {
        if (c == '~')
            step += "~0";
        else if (c == '/')
            step += "~1";
        else
            step += c;
    }
    return step;
}

std::string described(const Value& value) {
    struct Describe {
        std::string operator()(std::nullptr_t) const { return "null"; }
        std::string operator()(bool boolean) const { return boolean ? "true" : "false"; }
        std::string operator()(std::uint64_t integer) const { return std::to_string(integer); }
        std::string operator()(const Number& number) const { return shown(number.text); }
        std::string operator()(const std::string& text) const { return in_quotes(text); }
        std::string operator()(const Array&) const { return "an array"; }
        std::string operator()(const Object&) const { return "an object"; }
    };
    return std::visit(Describe{}, value.content);
}

} // namespace macstats::json
