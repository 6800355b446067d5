// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Assertions of the fuzzers, in every build.
#ifndef MACSTATS_FUZZ_REQUIRE_HPP
#define MACSTATS_FUZZ_REQUIRE_HPP

#include <cstdio>
#include <cstdlib>
#include <string>

namespace macstats::test {

inline void require(bool holds, const std::string& what) {
    if (holds)
        return;
    std::fprintf(stderr, "does not hold: %s\n", what.c_str());
    std::abort();
}

} // namespace macstats::test

#endif // MACSTATS_FUZZ_REQUIRE_HPP
