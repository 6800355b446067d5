// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Visits every state that can be reached, breadth-first, so that a violation is found by the
// shortest way.
#ifndef MACSTATS_TEST_EVERY_STATE_SEARCH_HPP
#define MACSTATS_TEST_EVERY_STATE_SEARCH_HPP

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include "choices.hpp"
#include "judge.hpp"
#include "seen.hpp"
#include "state.hpp"

namespace macstats::test::every_state {

struct Outcome {
    std::size_t states = 0;
    std::size_t steps = 0;
    Promise broken = Promise::none;
    std::string violation; // the way to it
};

class Search {
public:
    Search(
        const Kind& kind, unsigned int bits, const Mutation& mutation,
        unsigned int most_incidents = any_number)
        : world_(kind, bits, mutation),
          choices_(world_, most_incidents),
          counts_incidents_(most_incidents != any_number) {}

    // Call it once. Ends at the first violation.
    Outcome run() {
        save(world_, first_);
        visit(first_, {});
        for (index_ = 0; !queue_.empty() && outcome_.broken == Promise::none; index_++) {
            here_ = unpacked(queue_.front(), first_);
            queue_.pop_front();
            load(world_, here_);
            for (const Step& step : choices_.steps())
                if (!try_everywhere(step))
                    break;
        }
        outcome_.states = came_.size();
        return outcome_;
    }

private:
    struct Came {
        u32 from = 0;
        Step by;
    };

    // A step in the middle of a poll is tried before each of the poll's accesses. Returns whether
    // the search goes on.
    bool try_everywhere(Step step) {
        if (step.during == Act::nothing)
            return try_step(step);
        for (step.at = 0;; step.at++) {
            if (!try_step(step))
                return false;
            if (!world_.fired)
                return true;
        }
    }

    bool try_step(const Step& step) {
        load(world_, here_);
        const Verdict verdict = judged(step);

        if (step.at >= 0 && !world_.fired)
            return true;
        outcome_.steps++;
        if (!verdict.is_good()) {
            outcome_.broken = verdict.broken;
            outcome_.violation = world_.kind.name + " of " + std::to_string(world_.bits) +
                                 " bits:\n" + way() + text(step) + ": " + verdict.text;
            return false;
        }
        world_.account.incidents += counts_incidents_ && step.is_incident();
        save(world_, next_);
        visit(next_, {static_cast<u32>(index_), step});
        return true;
    }

    Verdict judged(const Step& step) {
        const Answer answer = world_.take(step);

        if (!answer.polled)
            return {};
        Verdict verdict = Judge(world_).verdict(answer);
        world_.close(answer);
        return verdict;
    }

    void visit(const std::string& state, const Came& came) {
        if (!seen_.insert(state))
            return;
        queue_.push_back(packed(state, first_));
        came_.push_back(came);
    }

    // The steps that lead to this state.
    std::string way() const {
        std::string out;

        for (std::size_t index = index_; index; index = came_[index].from)
            out = text(came_[index].by) + "\n" + out;
        return out;
    }

    World world_;
    const Choices choices_;
    const bool counts_incidents_;
    Outcome outcome_;
    Seen seen_;
    std::deque<std::string> queue_; // states whose steps were not taken yet
    std::vector<Came> came_;        // by the order of the visits
    std::size_t index_ = 0;         // of the state whose steps are taken
    std::string first_;
    std::string here_;
    std::string next_;
};

} // namespace macstats::test::every_state

#endif
