// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Results: their values and Errors, one after the other.
#include "boost_test.hpp"

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "libmacstats/core/result.hpp"
#include "libmacstats/core/try.hpp"

BOOST_AUTO_TEST_SUITE(unit_result)

using macstats::Error;
using macstats::Result;

namespace {

Result<int> positive(int number) {
    if (number > 0)
        return number;
    return Error{ERANGE, "not positive"};
}

Result<void> check_positive(int number) {
    MACSTATS_CHECK(positive(number));
    return {};
}

Result<std::string> sum(int a, int b) {
    MACSTATS_TRY(const int first, positive(a));
    MACSTATS_TRY(const int second, positive(b));
    MACSTATS_CHECK(check_positive(first + second));
    return std::to_string(first + second);
}

Result<std::unique_ptr<int>> owned(int number) {
    return std::make_unique<int>(number);
}

} // namespace

BOOST_AUTO_TEST_CASE(try_passes_the_first_error_on) {
    BOOST_TEST(*sum(2, 3) == "5");
    BOOST_TEST(sum(0, 3).error().errnum == ERANGE);
    BOOST_TEST(sum(2, -3).error().message == "not positive");
    BOOST_TEST(check_positive(1).has_value());
    BOOST_TEST(check_positive(0).error().errnum == ERANGE);
}

BOOST_AUTO_TEST_CASE(and_then_calls_the_next_function_with_a_value_only) {
    int calls = 0;
    const auto next = [&calls](int number) {
        calls++;
        return sum(number, 1);
    };
    BOOST_TEST(*positive(4).and_then(next) == "5");
    BOOST_TEST(positive(-4).and_then(next).error().message == "not positive");
    BOOST_TEST(calls == 1);
}

BOOST_AUTO_TEST_CASE(values_that_only_move_are_moved) {
    const auto next = [](std::unique_ptr<int> number) { return positive(*number); };
    BOOST_TEST(*owned(3).and_then(next) == 3);
}

namespace {

// What a function returns must not refer into the Result that it returned.
using Returned = Result<std::vector<int>>;
static_assert(!std::is_reference_v<decltype(*std::declval<Returned>())>);
static_assert(!std::is_reference_v<decltype(std::declval<Returned>().value())>);
static_assert(!std::is_reference_v<decltype(std::declval<Returned>().error())>);
static_assert(!std::is_reference_v<decltype(std::declval<Result<void>>().error())>);

// Counts the lists that exist, as a range of their numbers.
class Counted {
public:
    explicit Counted(int& alive) : alive_(&alive) { ++*alive_; }
    Counted(Counted&& other) noexcept : alive_(other.alive_) { ++*alive_; }
    Counted& operator=(Counted&&) = delete;
    ~Counted() { --*alive_; }

    [[nodiscard]] const int* begin() const { return alive_; }
    [[nodiscard]] const int* end() const { return alive_ + 1; }

private:
    int* alive_;
};

} // namespace

BOOST_AUTO_TEST_CASE(a_loop_over_a_returned_list_keeps_the_list) {
    int alive = 0;
    int rounds = 0;
    const auto list = [&alive] { return Result<Counted>(Counted(alive)); };
    for (const int& lists : *list()) {
        BOOST_TEST(lists == 1);
        rounds++;
    }
    BOOST_TEST(rounds == 1);
    BOOST_TEST(alive == 0);
}

BOOST_AUTO_TEST_CASE(a_context_is_put_in_front_of_an_error) {
    BOOST_TEST(in_context("mac0", positive(0)).error().message == "mac0: not positive");
    BOOST_TEST(*in_context("mac0", positive(1)) == 1);
}

BOOST_AUTO_TEST_CASE(access_to_the_absent_side_of_a_result_throws) {
    BOOST_CHECK_THROW((void)*positive(0), std::logic_error);
    BOOST_CHECK_THROW((void)positive(1).error(), std::logic_error);
    BOOST_CHECK_THROW((void)check_positive(1).error(), std::logic_error);
}

BOOST_AUTO_TEST_SUITE_END()
