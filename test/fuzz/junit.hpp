// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Reads reports in JUnit XML. Accepts only the elements and attributes that such a report has,
// each markup character of other text as an entity, and printable UTF-8.
#ifndef MACSTATS_FUZZ_JUNIT_HPP
#define MACSTATS_FUZZ_JUNIT_HPP

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "libmacstats/core/escape.hpp"
#include "require.hpp"

namespace macstats::test {

struct XmlElement {
    std::string name;
    std::map<std::string, std::string> attributes;
};

// Removes @word from the start of @text, if it is there.
inline bool skip(std::string_view& text, std::string_view word) {
    if (!text.starts_with(word))
        return false;
    text.remove_prefix(word.size());
    return true;
}

// Removes what is before @delimiter from @text, and the delimiter, which must be there.
inline std::string_view until(std::string_view& text, char delimiter) {
    const auto end = text.find(delimiter);
    require(end != text.npos, std::string("XML goes on with ") + delimiter);
    const std::string_view before = text.substr(0, end);
    text.remove_prefix(end + 1);
    return before;
}

// The text that @raw stands for. Entities here are numbers.
inline std::string xml_text(std::string_view raw) {
    const std::string whole(raw);
    require(whole.find_first_of("<>\"") == whole.npos, "XML text has no raw markup: " + whole);
    std::string text;
    while (!raw.empty()) {
        if (!skip(raw, "&")) {
            text += raw.front();
            raw.remove_prefix(1);
            continue;
        }
        require(skip(raw, "#"), "an ampersand begins an entity: " + whole);
        const std::string_view digits = until(raw, ';');
        unsigned char octet = 0;
        const auto end = digits.data() + digits.size();
        const auto [after, error] = std::from_chars(digits.data(), end, octet);
        require(error == std::errc{} && after == end, "an entity is a character: " + whole);
        text += static_cast<char>(octet);
    }
    return text;
}

class JUnitReader {
public:
    explicit JUnitReader(std::string_view text) {
        require(
            skip(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"), "XML has a declaration");
        while (!text.empty()) {
            const auto end = std::min(text.find('<'), text.size());
            add_text(text.substr(0, end));
            text.remove_prefix(end);
            if (skip(text, "</"))
                close(until(text, '>'));
            else if (skip(text, "<"))
                open(text);
        }
        require(open_.empty(), "each element ends");
    }

    std::vector<XmlElement> elements; // in the order of their starts

private:
    void add_text(std::string_view raw) {
        const std::string text = xml_text(raw);
        const bool is_blank = text.find_first_not_of(" \n") == text.npos;
        require(
            is_blank || (!open_.empty() && open_.back() == "failure"),
            "only a failure has text: " + text);
        for (std::size_t i = 0; i < raw.size();) {
            const auto end = std::min(raw.find('\n', i), raw.size());
            check_printable(raw.substr(i, end - i));
            i = end + 1;
        }
    }

    static void check_printable(std::string_view text) {
        require(printable(text) == text, "XML is printable UTF-8: " + std::string(text));
    }

    void close(std::string_view name) {
        require(!open_.empty() && open_.back() == name, "the end of an element follows its start");
        open_.pop_back();
    }

    // Reads NAME, attributes, and "/>" or ">".
    void open(std::string_view& text) {
        XmlElement element;
        const auto end = std::min(text.find_first_of(" >/"), text.size());
        element.name = text.substr(0, end);
        text.remove_prefix(end);
        while (skip(text, " ")) {
            const std::string name(until(text, '='));
            require(skip(text, "\""), "an attribute has quotes");
            const std::string_view value = until(text, '"');
            check_printable(value);
            require(
                element.attributes.emplace(name, xml_text(value)).second,
                "an attribute occurs once: " + name);
        }
        check_known(element);
        if (!skip(text, "/>")) {
            require(skip(text, ">"), "the start of an element ends: " + element.name);
            open_.push_back(element.name);
        }
        elements.push_back(std::move(element));
    }

    static void check_known(const XmlElement& element) {
        static const std::map<std::string, std::set<std::string>> known = {
            {"testsuites", {"tests", "failures", "errors", "skipped", "time"}},
            {"testsuite", {"name", "tests", "failures", "errors", "skipped", "time"}},
            {"testcase", {"name", "classname", "time"}},
            {"failure", {"message"}},
            {"skipped", {"message"}}};
        std::set<std::string> names;
        for (const auto& [name, value] : element.attributes)
            names.insert(name);
        const auto found = known.find(element.name);
        require(found != known.end() && found->second == names, "a known element: " + element.name);
    }

    std::vector<std::string> open_; // the names of the elements that have not ended
};

} // namespace macstats::test

#endif // MACSTATS_FUZZ_JUNIT_HPP
