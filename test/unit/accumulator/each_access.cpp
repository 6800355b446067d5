// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Each access to the bus fails once: of a start, a poll, a suspend, a resume and a reset. The call
// reports it, the next one works, and no count is lost without a report. For every model.
#include "boost_test.hpp"

#include <algorithm>
#include <cerrno>
#include <functional>
#include <string>
#include <vector>

#include "models.hpp"
#include "synthetic.hpp"

BOOST_AUTO_TEST_SUITE(unit_each_access)

using namespace macstats::test;

namespace {

constexpr unsigned int discontinuity = MACSTATS_EVENT_DISCONTINUITY;
constexpr unsigned int stale = MACSTATS_EVENT_STALE;
constexpr unsigned int loss = MACSTATS_EVENT_POSSIBLE_LOSS;
constexpr unsigned int most_accesses = 10000;

// While it lives, the access of a port with a number, from 0, fails.
class Failure {
public:
    Failure(Provided& provided, unsigned int number) : provided_(provided), number_(number) {
        provided_.bus.before_read = [this](u32) { begin(); };
        provided_.bus.before_write = [this](u32) { begin(); };
        provided_.port.after_read = [this](u32, int, u64) { end(); };
        provided_.port.after_write = [this](u32, int, u64) { end(); };
    }

    ~Failure() {
        provided_.bus.before_read = nullptr;
        provided_.bus.before_write = nullptr;
        provided_.port.after_read = nullptr;
        provided_.port.after_write = nullptr;
    }

    Failure(const Failure&) = delete;
    Failure& operator=(const Failure&) = delete;

    bool happened() const { return accesses_ > number_; }

private:
    void begin() {
        if (accesses_++ == number_)
            provided_.port.fault(MACSTATS_FAULT_BUS_ERROR);
    }

    void end() {
        if (provided_.port.emulator().faults & MACSTATS_FAULT_BUS_ERROR)
            provided_.port.fault(MACSTATS_FAULT_BUS_ERROR, false);
    }

    Provided& provided_;
    unsigned int number_;
    unsigned int accesses_ = 0;
};

// Calls @check with each number of an access until it returns false. At least two accesses.
void for_each_access(
    const macstats_model& model, const std::function<bool(unsigned int number)>& check) {
    unsigned int number = 0;

    BOOST_TEST_CONTEXT(model.name) {
        while (number < most_accesses && check(number))
            number++;
        BOOST_TEST(number >= 2u);
        BOOST_TEST(number < most_accesses);
    }
}

std::vector<const macstats_model*> shipped_and_made_up() {
    const auto shipped = macstats::all_models();
    std::vector<const macstats_model*> models(shipped.begin(), shipped.end());

    models.insert(
        models.end(),
        {&clearing_model, &decrement_model, &latching_model, &rereading_model, &sharing_model});
    return models;
}

void exchange(Provided& provided, u64 count) {
    provided.send(rx(100), count);
    provided.send(tx(200), count);
}

// Reads and polls leave the registers of its counters as they are.
bool is_left_alone(const macstats_model& model) {
    return std::none_of(
        model.counters, model.counters + model.n_counters,
        [](const macstats_counter& row) { return row.onread != MACSTATS_ONREAD_NONE; });
}

bool reported(const Provided& provided) {
    return provided.acc.state.possible_loss || provided.acc.state.discontinuities;
}

// docs/faults.md: what a user sees of a bus that fails, at whichever access.
bool is_unreachable(const Provided& provided) {
    return provided.acc.state.stale &&
           provided.acc.state.reason == std::string("the registers cannot be reached");
}

void check_polls(const macstats_model& model) {
    Polled expected(model);
    exchange(expected, 10);
    expected.poll();
    exchange(expected, 5);
    expected.poll();
    unsigned int exact = 0;

    for_each_access(model, [&](unsigned int number) {
        Polled port(model);
        exchange(port, 10);
        {
            const Failure failure(port, number);
            const int err = port.poll();

            BOOST_TEST(err == (failure.happened() ? -EIO : 0), "access " << number);
            BOOST_TEST(port.acc.state.stale == failure.happened());
            if (!failure.happened())
                return false;
        }
        BOOST_TEST((port.events & stale) != 0u);
        BOOST_TEST(is_unreachable(port), "access " << number);
        exchange(port, 5);
        BOOST_TEST(port.poll() == 0);
        if (port.totals() == expected.totals())
            exact++;
        else
            BOOST_TEST(reported(port), "access " << number);
        if (is_left_alone(model))
            BOOST_TEST(!reported(port), "access " << number);
        for (unsigned int i = 0; i < model.n_counters; i++)
            BOOST_TEST(
                port.acc.counters[i].total <= expected.acc.counters[i].total, "access " << number);
        return true;
    });
    BOOST_TEST(exact > 0u, model.name);
}

} // namespace

BOOST_AUTO_TEST_SUITE(each_access_fails_once)

BOOST_AUTO_TEST_CASE(a_start_reports_it_and_the_next_one_counts_all) {
    for (const macstats_model* model : shipped_and_made_up())
        for_each_access(*model, [&](unsigned int number) {
            Provided port(*model);
            port.port.send(rx(100), 7); // before the start: never in a total
            {
                const Failure failure(port, number);
                const int err = port.start();

                BOOST_TEST(err == (failure.happened() ? -EIO : 0), "access " << number);
                if (!failure.happened())
                    return false;
            }
            BOOST_TEST(port.start() == 0);
            exchange(port, 10);
            BOOST_TEST(port.poll() == 0);

            Polled expected(*model);
            exchange(expected, 10);
            expected.poll();
            BOOST_TEST(port.totals() == expected.totals(), boost::test_tools::per_element());
            BOOST_TEST(!reported(port));
            return true;
        });
}

BOOST_AUTO_TEST_CASE(a_poll_loses_nothing_without_a_report) {
    for (const macstats_model* model : shipped_and_made_up())
        check_polls(*model);
}

// The events since the last good poll cannot be read later.
BOOST_AUTO_TEST_CASE(a_suspend_and_a_resume_report_a_possible_loss) {
    for (const macstats_model* model : shipped_and_made_up())
        for (const bool resumes : {false, true})
            for_each_access(*model, [&](unsigned int number) {
                Polled port(*model);
                unsigned int events = 0;
                exchange(port, 10);
                if (resumes)
                    BOOST_TEST(macstats_suspend(&port.acc, 1000000, &events) == 0);
                {
                    const Failure failure(port, number);
                    const int err = resumes ? macstats_resume(&port.acc, 2000000, &events)
                                            : macstats_suspend(&port.acc, 2000000, &events);

                    BOOST_TEST(err == (failure.happened() ? -EIO : 0), "access " << number);
                    if (!failure.happened())
                        return false;
                }
                BOOST_TEST((events & loss) != 0u, "access " << number);
                BOOST_TEST(port.acc.state.possible_loss);
                BOOST_TEST(is_unreachable(port) == resumes, "access " << number);
                if (!resumes)
                    BOOST_TEST(macstats_resume(&port.acc, 3000000, &events) == 0);
                BOOST_TEST(port.poll_at(4000000) == 0);
                BOOST_TEST(!port.acc.state.stale);
                return true;
            });
}

// Its bits are cleared although the poll that found them may take no values. Without a bound, a
// flipped bit 63 would make totals jump.
BOOST_AUTO_TEST_CASE(a_parity_error_is_not_forgotten) {
    for (const macstats_model* model : {&ll40g_model, &ll40g_agilex5_model})
        for_each_access(*model, [&](unsigned int number) {
            Polled port(*model);
            exchange(port, 10);
            port.port.fault(MACSTATS_FAULT_PARITY_ERROR);
            {
                const Failure failure(port, number);
                port.poll();
                if (!failure.happened())
                    return false;
            }
            exchange(port, 5);
            BOOST_TEST(port.poll() == 0);
            BOOST_TEST(port.acc.state.parity_errors >= 1u, "access " << number);
            for (const u64 total : port.totals())
                BOOST_TEST(total <= u64{15} * 200, "access " << number);
            return true;
        });
}

// The clock stops at an access, and runs again at the next poll.
BOOST_AUTO_TEST_CASE(a_parity_error_is_not_forgotten_while_a_clock_stands) {
    unsigned int number = 0;

    for (bool stopped = true; stopped; number++) {
        Polled port(ll40g_agilex5_model);
        unsigned int accesses = 0;
        const auto stop = [&](u32) {
            if (accesses++ == number)
                port.port.fault(MACSTATS_FAULT_CLOCK_STOPPED);
        };

        exchange(port, 10);
        port.port.fault(MACSTATS_FAULT_PARITY_ERROR);
        port.bus.before_read = stop;
        port.bus.before_write = stop;
        port.poll();
        stopped = accesses > number;
        port.bus.before_read = nullptr;
        port.bus.before_write = nullptr;
        port.port.fault(MACSTATS_FAULT_CLOCK_STOPPED, false);
        exchange(port, 5);
        BOOST_TEST(port.poll() == 0);
        for (const u64 total : port.totals())
            BOOST_TEST(total <= u64{15} * 200, "access " << number);
    }
    BOOST_TEST(number > 2u);
}

BOOST_AUTO_TEST_CASE(a_reset_is_one_discontinuity) {
    for (const macstats_model* model : shipped_and_made_up())
        for_each_access(*model, [&](unsigned int number) {
            Polled port(*model);
            unsigned int events = 0;
            exchange(port, 10);
            BOOST_TEST(port.poll() == 0);
            const std::vector<u64> before = port.totals();
            port.port.fault(MACSTATS_FAULT_RESET);
            {
                const Failure failure(port, number);
                const int err = macstats_reset(&port.acc, 2000000, &events);

                BOOST_TEST(err == (failure.happened() ? -EIO : 0), "access " << number);
                if (!failure.happened())
                    return false;
            }
            BOOST_TEST((events & discontinuity) != 0u);
            BOOST_TEST(is_unreachable(port), "access " << number);
            BOOST_TEST(port.poll_at(3000000) == 0);
            BOOST_TEST(port.acc.state.discontinuities == 1u, "access " << number);
            BOOST_TEST(port.totals() == before, boost::test_tools::per_element());
            return true;
        });
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
