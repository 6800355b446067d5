// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Registers of the Low Latency 40GbE statistics beside the counters, which are with the
// reference: typed from the user guide (Intel 683745, 2021-03-08), not derived from the model.
#ifndef MACSTATS_TEST_LL40G_DATASHEET_HPP
#define MACSTATS_TEST_LL40G_DATASHEET_HPP

#include <cstdint>
#include <initializer_list>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "boost_test.hpp"

#include "../../reference/ll40g_reference.hpp"
#include "fixture.hpp"

namespace macstats::test::ll40g {

inline constexpr u32 max_tx_size = 0x407;
inline constexpr u32 max_rx_size = 0x506;

// The control registers of the page of one direction.
struct Page {
    u32 scratch;
    u32 config;
    u32 status;
};

inline constexpr Page tx_page = {0x841, 0x845, 0x846};
inline constexpr Page rx_page = {0x941, 0x945, 0x946};

inline constexpr u32 config_clear = 1u << 0;
inline constexpr u32 config_parity_clear = 1u << 1;
inline constexpr u32 config_request = 1u << 2;
inline constexpr u32 status_parity = 1u << 0;
inline constexpr u32 status_paused = 1u << 1;

using Values = std::map<std::string, u64, std::less<>>;

// Every counter of both pages, read over the bus.
inline Values read_all(Port& port) {
    Values values;

    for (const CounterAt& counter : counters) {
        u64 low = port.read(counter.low);

        values[std::string(counter.name)] = low | port.read(counter.high) << 32;
    }
    return values;
}

inline u64 read_counter(Port& port, std::string_view name) {
    for (const CounterAt& counter : counters)
        if (counter.name == name)
            return port.pair(counter.low);
    throw std::runtime_error("no counter " + std::string(name));
}

// Do both agree in every counter? Otherwise the message lists those that differ.
inline boost::test_tools::predicate_result equal(const Values& actual, const Values& expected) {
    boost::test_tools::predicate_result result(actual == expected);

    for (const auto& [name, value] : actual) {
        auto other = expected.find(name);

        if (other == expected.end() || other->second != value)
            result.message() << "\n  " << name << " is " << value << ", not "
                             << (other == expected.end() ? "known" : std::to_string(other->second));
    }
    return result;
}

// The datasheet name of a counter that both pages have: "64B" of the transmit page
// is CNTR_TX_64B.
inline std::string on_page(u8 direction, std::string_view what) {
    bool receive = direction == MACSTATS_RX;

    if (what == "OctetsOK")
        return receive ? "RxOctetsOK" : "TxOctetsOK";
    return (receive ? "CNTR_RX_" : "CNTR_TX_") + std::string(what);
}

// All counters of both pages at 0, but for those named of one page.
inline Values
zero_but(u8 direction, std::initializer_list<std::pair<std::string_view, u64>> others) {
    Values values;

    for (const CounterAt& counter : counters)
        values[std::string(counter.name)] = 0;
    for (const auto& [what, value] : others) {
        std::string name = on_page(direction, what);

        if (!values.contains(name))
            throw std::runtime_error("no counter " + name);
        values[name] = value;
    }
    return values;
}

} // namespace macstats::test::ll40g

#endif // MACSTATS_TEST_LL40G_DATASHEET_HPP
