// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The main() of each unit test. The suite is named after the program. A failure prints the seed
// that repeats it.
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <cstdio>
#include <filesystem>

#include "effort.hpp"

int main(int argc, char* argv[]) {
    const auto start = [] { return true; };
    boost::unit_test::framework::master_test_suite().p_name.value =
        std::filesystem::path(argv[0]).filename().string();
    const int status = boost::unit_test::unit_test_main(start, argc, argv);
    if (status)
        std::fprintf(stderr, "MACSTATS_SEED=%ju\n", std::uintmax_t{macstats::test::run_seed()});
    return status;
}
