// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The main() of the unit tests, and what boost_test.hpp and json.hpp declare. `PROGRAM -- SUITE`
// runs one suite, as if there were no other: with --run_test, the others are skipped ones in the
// report. A failure prints the seed that repeats it.
#include "boost_test.hpp"

#include <boost/test/tree/traverse.hpp>
#include <boost/test/tree/visitor.hpp>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "effort.hpp"
#include "json.hpp"

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

nlohmann::ordered_json parse_json(std::string_view text) {
    return nlohmann::ordered_json::parse(text);
}

nlohmann::ordered_json parse_json(std::istream& file) {
    return nlohmann::ordered_json::parse(file);
}

} // namespace macstats::test

namespace {

class Suites : public boost::unit_test::test_tree_visitor {
public:
    std::vector<boost::unit_test::test_unit_id> ids;

private:
    bool test_suite_start(const boost::unit_test::test_suite& suite) override {
        if (suite.p_parent_id == boost::unit_test::INV_TEST_UNIT_ID)
            return true;
        ids.push_back(suite.p_id);
        return false;
    }
};

bool start() {
    auto& all = boost::unit_test::framework::master_test_suite();
    if (all.argc < 2)
        return true;
    const auto wanted = all.get(all.argv[all.argc - 1]);
    Suites suites;
    boost::unit_test::traverse_test_tree(all, suites, true);
    for (const auto id : suites.ids)
        if (id != wanted)
            all.remove(id);
    return wanted != boost::unit_test::INV_TEST_UNIT_ID;
}

} // namespace

int main(int argc, char* argv[]) {
    boost::unit_test::framework::master_test_suite().p_name.value =
        std::filesystem::path(argv[0]).filename().string();
    const int status = boost::unit_test::unit_test_main(start, argc, argv);
    if (status)
        std::fprintf(stderr, "MACSTATS_SEED=%ju\n", std::uintmax_t{macstats::test::run_seed()});
    return status;
}
