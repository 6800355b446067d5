// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Random numbers for tests.
#ifndef MACSTATS_TEST_RANDOM_HPP
#define MACSTATS_TEST_RANDOM_HPP

#include <cstdint>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>

namespace macstats::test {

// The same numbers on every machine, which the standard's distributions are not.
class Random {
public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}

    std::uint64_t next() { return engine_(); }
    // From 0 to @limit - 1; the limit is 1 to 2^32.
    std::uint32_t below(std::uint64_t limit) {
        if (!limit || limit > std::uint64_t{1} << 32)
            throw std::out_of_range("a random number below " + std::to_string(limit));
        return static_cast<std::uint32_t>(engine_() % limit);
    }
    std::uint32_t between(std::uint32_t low, std::uint32_t high) {
        return low + below(high - low + 1ull);
    }
    bool one_in(std::uint32_t n) { return below(n) == 0; }

    // Refers to an element of the list, which must outlive it: no temporary.
    template <typename List>
    const auto& of(const List& list) {
        return *(std::begin(list) + below(std::size(list)));
    }
    template <typename List>
    void of(const List&& list) = delete;

private:
    std::mt19937_64 engine_;
};

} // namespace macstats::test

#endif // MACSTATS_TEST_RANDOM_HPP
