// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Boost.Test, of which two macros are redefined, as these two make a third of a test's code: what
// they do in each assertion and each test case is a function here. No fixture has a setup() or a
// teardown().
#ifndef MACSTATS_TEST_BOOST_TEST_HPP
#define MACSTATS_TEST_BOOST_TEST_HPP

#include <boost/test/unit_test.hpp>

namespace macstats::test {

// The place is known before the values are: one of them may throw.
class Assertion {
public:
    using Level = boost::test_tools::tt_detail::tool_level;

    Assertion(const char* text, const char* file, unsigned int line, Level level);

    void report(const boost::test_tools::assertion_result& result) const;

private:
    const char* text_;
    const char* file_;
    unsigned int line_;
    Level level_;
};

boost::unit_test::test_case*
make_test_case(void (*run)(), const char* name, const char* file, unsigned int line);

} // namespace macstats::test

// Of BOOST_TEST and BOOST_TEST_REQUIRE.
#undef BOOST_TEST_TOOL_ET_IMPL
#define BOOST_TEST_TOOL_ET_IMPL(P, level)                                              \
    ::macstats::test::Assertion(                                                       \
        BOOST_STRINGIZE(P), __FILE__, __LINE__, ::boost::test_tools::tt_detail::level) \
        .report((::boost::test_tools::assertion::seed()->*P).evaluate())

#undef BOOST_FIXTURE_TEST_CASE_WITH_DECOR
#define BOOST_FIXTURE_TEST_CASE_WITH_DECOR(test_name, F, decorators)        \
    struct test_name : F {                                                  \
        void test_method();                                                 \
    };                                                                      \
                                                                            \
    static void BOOST_AUTO_TC_INVOKER(test_name)() {                        \
        test_name().test_method();                                          \
    }                                                                       \
                                                                            \
    BOOST_AUTO_TU_REGISTRAR(test_name)                                      \
    (::macstats::test::make_test_case(                                      \
         BOOST_AUTO_TC_INVOKER(test_name), #test_name, __FILE__, __LINE__), \
     decorators);                                                           \
                                                                            \
    void test_name::test_method()

#endif // MACSTATS_TEST_BOOST_TEST_HPP
