// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// How much random and long tests do, and with which seed, as ./dev test sets them.
#ifndef MACSTATS_TEST_EFFORT_HPP
#define MACSTATS_TEST_EFFORT_HPP

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace macstats::test {

inline bool is_set(const char* name) {
    const char* wanted = std::getenv(name);
    return wanted && *wanted;
}

inline bool is_full() {
    return is_set("MACSTATS_FULL");
}

inline bool is_long() {
    return is_set("MACSTATS_LONG") || is_full();
}

// MACSTATS_MODEL names the only model that long tests are about; all, if it is not set.
inline bool is_wanted(std::string_view model) {
    const char* only = std::getenv("MACSTATS_MODEL");
    return !only || !*only || model == only;
}

// Changes with each commit; 1 where a program runs on its own.
inline std::uint64_t run_seed() {
    const char* given = std::getenv("MACSTATS_SEED");
    return given && *given ? std::stoull(given) : 1;
}

// A seed of this run: another one for each @number up to a million.
inline std::uint64_t seed_of(std::uint64_t number) {
    return 1'000'003 * run_seed() + number;
}

} // namespace macstats::test

#endif // MACSTATS_TEST_EFFORT_HPP
