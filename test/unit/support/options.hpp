// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The options of a program of the tests. The command's library for them takes 5 s to compile.
#ifndef MACSTATS_TEST_OPTIONS_HPP
#define MACSTATS_TEST_OPTIONS_HPP

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <getopt.h>

namespace macstats::test {

struct Option {
    const char* name;
    std::function<void(const std::string& value)> take;
    bool has_value = true;
};

// Returns the other arguments. Throws if an option is unknown or lacks its value.
inline std::vector<std::string>
read_options(int argc, char** argv, const std::vector<Option>& known) {
    std::vector<option> words;
    for (const Option& one : known)
        words.push_back({one.name, one.has_value ? required_argument : no_argument, nullptr, 0});
    words.push_back({});
    int which = 0;
    for (int found; (found = getopt_long(argc, argv, "", words.data(), &which)) != -1;) {
        if (found)
            throw std::invalid_argument("the options are those that the source names");
        known[static_cast<std::size_t>(which)].take(optarg ? optarg : "");
    }
    return {argv + optind, argv + argc};
}

// For an option with a number.
template <typename Number>
auto into(Number& number) {
    return
        [&number](const std::string& value) { number = static_cast<Number>(std::stoull(value)); };
}

} // namespace macstats::test

#endif // MACSTATS_TEST_OPTIONS_HPP
