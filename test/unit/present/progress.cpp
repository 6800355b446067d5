// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The line that shows how far a run is.
#include "boost_test.hpp"

#include "present/progress.hpp"

BOOST_AUTO_TEST_SUITE(unit_progress)

using macstats::progress_text;
using std::chrono::milliseconds;
using std::chrono::seconds;

BOOST_AUTO_TEST_CASE(an_estimate_appears_after_two_seconds) {
    BOOST_TEST(progress_text(1, 100, 0, milliseconds(1999)) == "1 of 100 scenarios, 0 failed");
    BOOST_TEST(progress_text(1, 4, 1, seconds(2)) == "1 of 4 scenarios, 1 failed, about 6 s left");
}

BOOST_AUTO_TEST_CASE(what_is_left_takes_as_long_as_what_is_done) {
    // 20 in 30 s: 1.5 s each, 79 left.
    BOOST_TEST(progress_text(20, 99, 0, seconds(30)).ends_with(", about 119 s left"));
    BOOST_TEST(progress_text(20, 100, 0, seconds(30)).ends_with(", about 2 min left"));
    BOOST_TEST(progress_text(1, 3601, 0, seconds(3)).ends_with(", about 3 h left"));
}

BOOST_AUTO_TEST_CASE(a_run_that_has_not_ended_has_no_estimate_of_0) {
    BOOST_TEST(progress_text(999, 1000, 0, seconds(10)).ends_with(", about 1 s left"));
}

BOOST_AUTO_TEST_CASE(nothing_is_left_at_the_end_and_nothing_known_at_the_start) {
    BOOST_TEST(progress_text(4, 4, 0, seconds(9)) == "4 of 4 scenarios, 0 failed");
    BOOST_TEST(progress_text(0, 4, 0, seconds(9)) == "0 of 4 scenarios, 0 failed");
}

BOOST_AUTO_TEST_CASE(the_line_fits_a_terminal_of_80_columns) {
    BOOST_TEST(progress_text(9'999'998, 9'999'999, 9'999'998, seconds(86'400)).size() <= 79U);
    BOOST_TEST(progress_text(1, 9'999'999, 1, seconds(3)).size() <= 79U);
}

BOOST_AUTO_TEST_SUITE_END()
