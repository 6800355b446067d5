// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The states that were visited: 128 bits of each, mixed. Two of a billion states have the same
// ones with a probability of 10^-21.
#ifndef MACSTATS_TEST_EVERY_STATE_SEEN_HPP
#define MACSTATS_TEST_EVERY_STATE_SEEN_HPP

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "fixture.hpp"

namespace macstats::test::every_state {

class Seen {
public:
    // Returns whether the state is new.
    bool insert(const std::string& state) {
        const Key key = mixed(state);

        if (++count_ * 4 > table_.size() * 3)
            grow();
        if (put(key))
            return true;
        count_--;
        return false;
    }

private:
    struct Key {
        u64 low, high;
        bool operator==(const Key&) const = default;
    };

    // The finaliser of SplitMix64.
    static u64 scrambled(u64 x) {
        x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
        x = (x ^ x >> 27) * 0x94d049bb133111eb;
        return x ^ x >> 31;
    }

    static void add(Key& key, const char* octets) {
        u64 word;

        std::memcpy(&word, octets, sizeof word);
        key.low = (key.low ^ word) * 0x9e3779b97f4a7c15;
        key.low ^= key.low >> 32;
        key.high = (key.high + word) * 0xd6e8feb86659fd93;
        key.high ^= key.high >> 29;
    }

    // Two words at a time, as each multiplication waits for the one before.
    static Key mixed(const std::string& state) {
        Key even{1, state.size()};
        Key odd{2, 3};
        char rest[16] = {};
        std::size_t i = 0;

        for (; i + sizeof rest <= state.size(); i += sizeof rest) {
            add(even, state.data() + i);
            add(odd, state.data() + i + sizeof(u64));
        }
        std::memcpy(rest, state.data() + i, state.size() - i);
        add(even, rest);
        add(odd, rest + sizeof(u64));
        const Key key{
            scrambled(scrambled(even.low) ^ odd.low), scrambled(scrambled(even.high) ^ odd.high)};
        // An empty place of the table is 0.
        return key == Key{} ? Key{1, 1} : key;
    }

    bool put(const Key& key) {
        for (std::size_t i = key.low & (table_.size() - 1);; i = (i + 1) & (table_.size() - 1)) {
            if (table_[i] == key)
                return false;
            if (table_[i] == Key{}) {
                table_[i] = key;
                return true;
            }
        }
    }

    void grow() {
        std::vector<Key> old(table_.size() * 2);

        old.swap(table_);
        for (const Key& key : old)
            if (!(key == Key{}))
                put(key);
    }

    std::vector<Key> table_ = std::vector<Key>(1024);
    std::size_t count_ = 0;
};

} // namespace macstats::test::every_state

#endif
