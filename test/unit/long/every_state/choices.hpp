// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The steps that a World can take from the state that it is in.
#ifndef MACSTATS_TEST_EVERY_STATE_CHOICES_HPP
#define MACSTATS_TEST_EVERY_STATE_CHOICES_HPP

#include <set>
#include <vector>

#include "world.hpp"

namespace macstats::test::every_state {

constexpr unsigned int any_number = ~0u;

// At most so many incidents happen on the way to a state.
class Choices {
public:
    Choices(const World& world, unsigned int most_incidents)
        : world_(world),
          kind_(world.kind),
          span_(static_cast<unsigned int>(world.span)),
          most_incidents_(most_incidents) {}

    std::vector<Step> steps() const {
        const std::vector<Step> incidents = all_incidents();
        const std::vector<Step> fails =
            more() ? std::vector<Step>{{Act::access_fails}} : std::vector<Step>{};
        std::vector<Step> all;

        if (world_.acc.state.suspended) {
            add(all, Act::resume, fails);
            all.push_back({Act::resume, span_ - 1});
            return all;
        }
        const std::vector<Step> during = during_poll(incidents, fails);
        add(all, Act::poll, during);
        add(all, Act::suspend, fails);
        for (unsigned int value : more() ? some_values() : std::set<unsigned int>{})
            all.push_back({Act::announced_reset, value});
        all.insert(all.end(), incidents.begin(), incidents.end());
        all.push_back({Act::late});
        for (unsigned int i = 0; i < kind_.counters; i++)
            for (unsigned int number = 1; number <= span_ + 1; number++)
                all.push_back({Act::events, number, i});
        return all;
    }

private:
    static constexpr u32 unreadable =
        MACSTATS_FAULT_UNPLUG | MACSTATS_FAULT_RESET_IN_PROGRESS | MACSTATS_FAULT_CLOCK_STOPPED;

    // Can there be another incident?
    bool more() const { return world_.account.incidents != most_incidents_; }

    std::vector<unsigned int> faults() const {
        std::vector<unsigned int> all{
            MACSTATS_FAULT_BUS_ERROR, MACSTATS_FAULT_UNPLUG, MACSTATS_FAULT_BUS_ERROR_AT};

        if (kind_.snapshot)
            all.insert(all.end(), {MACSTATS_FAULT_SNAPSHOT_STUCK, MACSTATS_FAULT_SNAPSHOT_SLOW});
        if (kind_.gate)
            all.push_back(MACSTATS_FAULT_GATE_CLOSES);
        if (kind_.busy)
            all.push_back(MACSTATS_FAULT_RESET_IN_PROGRESS);
        if (kind_.clocks)
            all.push_back(MACSTATS_FAULT_CLOCK_STOPPED);
        return all;
    }

    std::set<unsigned int> some_values() const {
        const unsigned int full = span_ - 1;

        return {0, 1, full / 2 + 1, full};
    }

    std::vector<Step> all_incidents() const {
        std::vector<Step> all;

        if (more())
            for (unsigned int value : some_values())
                all.push_back({Act::reset, value});
        if (more() && !world_.emu.faults)
            for (unsigned int fault : faults())
                all.push_back({Act::begin, fault});
        if (world_.emu.faults)
            all.push_back({Act::end});
        if (more())
            add_foreign(all);
        return all;
    }

    // Accesses by somebody else.
    void add_foreign(std::vector<Step>& all) const {
        for (unsigned int i = 0; kind_.cleared_by_reads() && i < kind_.counters; i++)
            all.push_back({Act::foreign_read, 0, i});
        if (kind_.clear)
            all.push_back({Act::foreign_clear});
        if (kind_.switched & MACSTATS_ROLE_CLEAR_ON_READ)
            all.push_back({Act::foreign_switch, 1});
        if (kind_.switched & MACSTATS_ROLE_SATURATE)
            all.push_back({Act::foreign_switch, 2});
        if (kind_.switched & MACSTATS_ROLE_FREEZE)
            all.push_back({Act::foreign_switch, 4});
        if (kind_.gate)
            all.insert(all.end(), {{Act::foreign_gate, 0}, {Act::foreign_gate, 1}});
        if (kind_.snapshot)
            all.insert(
                all.end(), {{Act::foreign_request}, {Act::foreign_release}, {Act::parity_error}});
    }

    // Steps that can happen in the middle of a poll.
    std::vector<Step>
    during_poll(const std::vector<Step>& incidents, const std::vector<Step>& fails) const {
        const u32 active = world_.emu.faults;
        std::vector<Step> during = incidents;

        // A second fault begins in the middle of a poll only: two of them, not all combinations.
        if (more() && active && !(active & (active - 1)))
            for (unsigned int fault : faults())
                if (fault != active)
                    during.push_back({Act::begin, fault});
        // Values that were read while the hardware did not answer, or was not ready, are known by
        // its state at the end of the poll: it does not change back before.
        if (active & unreadable)
            std::erase_if(during, [](const Step& step) { return step.act == Act::end; });
        during.insert(during.end(), fails.begin(), fails.end());
        if (more() && kind_.snapshot)
            for (unsigned int number : std::set{1u, span_ / 2})
                during.push_back({Act::foreign_release, number});
        if (more() && kind_.gate)
            during.push_back({Act::closing_gate, 1});
        for (unsigned int i = 0; i < kind_.counters; i++)
            for (unsigned int number : std::set{1u, span_ - 1, span_, span_ + 1})
                during.push_back({Act::events, number, i});
        return during;
    }

    // The step @act, alone and with each step of @during in the middle of it.
    static void add(std::vector<Step>& all, Act act, const std::vector<Step>& during) {
        all.push_back({act});
        for (const Step& step : during)
            all.push_back({act, step.number, step.which, step.act});
    }

    const World& world_;
    const Kind& kind_;
    const unsigned int span_;
    const unsigned int most_incidents_;
};

} // namespace macstats::test::every_state

#endif
