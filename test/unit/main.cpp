// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The main() of each unit test. The suite is named after the program.
#include <boost/test/unit_test.hpp>

#include <filesystem>

int main(int argc, char* argv[]) {
    const auto start = [] { return true; };
    boost::unit_test::framework::master_test_suite().p_name.value =
        std::filesystem::path(argv[0]).filename().string();
    return boost::unit_test::unit_test_main(start, argc, argv);
}
