// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The main() of each unit test, and what boost_test.hpp declares. The suite is named after the
// program. A failure prints the seed that repeats it.
#include "boost_test.hpp"

#include <cstdint>
#include <cstdio>
#include <filesystem>

#include "effort.hpp"

namespace macstats::test {

Assertion::Assertion(const char* text, const char* file, unsigned int line, Level level)
    : text_(text),
      file_(file),
      line_(line),
      level_(level) {
    boost::unit_test::unit_test_log.set_checkpoint(file, line);
}

void Assertion::report(const boost::test_tools::assertion_result& result) const {
    using namespace boost::test_tools::tt_detail;

    report_assertion(
        result, boost::unit_test::lazy_ostream::instance() << text_, file_, line_, level_,
        CHECK_BUILT_ASSERTION, 0);
}

boost::unit_test::test_case*
make_test_case(void (*run)(), const char* name, const char* file, unsigned int line) {
    return boost::unit_test::make_test_case(run, name, file, line);
}

} // namespace macstats::test

int main(int argc, char* argv[]) {
    const auto start = [] { return true; };
    boost::unit_test::framework::master_test_suite().p_name.value =
        std::filesystem::path(argv[0]).filename().string();
    const int status = boost::unit_test::unit_test_main(start, argc, argv);
    if (status)
        std::fprintf(stderr, "MACSTATS_SEED=%ju\n", std::uintmax_t{macstats::test::run_seed()});
    return status;
}
