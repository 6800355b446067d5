// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The addresses of the Low Latency 40GbE statistics, typed from the user guide
// (Intel 683745, 2021-03-08, table 44; the receive page from 3.4.1.7) and not
// derived from the model: what the tests hold the model against.
#ifndef MACSTATS_TEST_LL40G_DATASHEET_HPP
#define MACSTATS_TEST_LL40G_DATASHEET_HPP

#include <cstdint>
#include <initializer_list>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include <boost/test/unit_test.hpp>

#include "fixture.hpp"

namespace macstats::test::ll40g {

struct CounterAt {
    std::string_view name;
    u32 low;
    u32 high;
};

inline constexpr CounterAt counters[] = {
    {"CNTR_TX_FRAGMENTS", 0x800, 0x801},
    {"CNTR_TX_JABBERS", 0x802, 0x803},
    {"CNTR_TX_FCS", 0x804, 0x805},
    {"CNTR_TX_CRCERR", 0x806, 0x807},
    {"CNTR_TX_MCAST_DATA_ERR", 0x808, 0x809},
    {"CNTR_TX_BCAST_DATA_ERR", 0x80a, 0x80b},
    {"CNTR_TX_UCAST_DATA_ERR", 0x80c, 0x80d},
    {"CNTR_TX_MCAST_CTRL_ERR", 0x80e, 0x80f},
    {"CNTR_TX_BCAST_CTRL_ERR", 0x810, 0x811},
    {"CNTR_TX_UCAST_CTRL_ERR", 0x812, 0x813},
    {"CNTR_TX_PAUSE_ERR", 0x814, 0x815},
    {"CNTR_TX_64B", 0x816, 0x817},
    {"CNTR_TX_65to127B", 0x818, 0x819},
    {"CNTR_TX_128to255B", 0x81a, 0x81b},
    {"CNTR_TX_256to511B", 0x81c, 0x81d},
    {"CNTR_TX_512to1023B", 0x81e, 0x81f},
    {"CNTR_TX_1024to1518B", 0x820, 0x821},
    {"CNTR_TX_1519toMAXB", 0x822, 0x823},
    {"CNTR_TX_OVERSIZE", 0x824, 0x825},
    {"CNTR_TX_MCAST_DATA_OK", 0x826, 0x827},
    {"CNTR_TX_BCAST_DATA_OK", 0x828, 0x829},
    {"CNTR_TX_UCAST_DATA_OK", 0x82a, 0x82b},
    {"CNTR_TX_MCAST_CTRL", 0x82c, 0x82d},
    {"CNTR_TX_BCAST_CTRL", 0x82e, 0x82f},
    {"CNTR_TX_UCAST_CTRL", 0x830, 0x831},
    {"CNTR_TX_PAUSE", 0x832, 0x833},
    {"CNTR_TX_RUNT", 0x834, 0x835},
    {"CNTR_TX_ST", 0x836, 0x837},
    {"TxOctetsOK", 0x860, 0x861},
    {"CNTR_RX_FRAGMENTS", 0x900, 0x901},
    {"CNTR_RX_JABBERS", 0x902, 0x903},
    {"CNTR_RX_FCS", 0x904, 0x905},
    {"CNTR_RX_CRCERR", 0x906, 0x907},
    {"CNTR_RX_MCAST_DATA_ERR", 0x908, 0x909},
    {"CNTR_RX_BCAST_DATA_ERR", 0x90a, 0x90b},
    {"CNTR_RX_UCAST_DATA_ERR", 0x90c, 0x90d},
    {"CNTR_RX_MCAST_CTRL_ERR", 0x90e, 0x90f},
    {"CNTR_RX_BCAST_CTRL_ERR", 0x910, 0x911},
    {"CNTR_RX_UCAST_CTRL_ERR", 0x912, 0x913},
    {"CNTR_RX_PAUSE_ERR", 0x914, 0x915},
    {"CNTR_RX_64B", 0x916, 0x917},
    {"CNTR_RX_65to127B", 0x918, 0x919},
    {"CNTR_RX_128to255B", 0x91a, 0x91b},
    {"CNTR_RX_256to511B", 0x91c, 0x91d},
    {"CNTR_RX_512to1023B", 0x91e, 0x91f},
    {"CNTR_RX_1024to1518B", 0x920, 0x921},
    {"CNTR_RX_1519toMAXB", 0x922, 0x923},
    {"CNTR_RX_OVERSIZE", 0x924, 0x925},
    {"CNTR_RX_MCAST_DATA_OK", 0x926, 0x927},
    {"CNTR_RX_BCAST_DATA_OK", 0x928, 0x929},
    {"CNTR_RX_UCAST_DATA_OK", 0x92a, 0x92b},
    {"CNTR_RX_MCAST_CTRL", 0x92c, 0x92d},
    {"CNTR_RX_BCAST_CTRL", 0x92e, 0x92f},
    {"CNTR_RX_UCAST_CTRL", 0x930, 0x931},
    {"CNTR_RX_PAUSE", 0x932, 0x933},
    {"CNTR_RX_RUNT", 0x934, 0x935},
    {"CNTR_RX_ST", 0x936, 0x937},
    {"RxOctetsOK", 0x960, 0x961},
};

struct RegisterAt {
    std::string_view name;
    u32 offset;
    bool writable;
    u32 reset;
};

// REVID differs between releases of the core: this is the value of one of them.
inline constexpr RegisterAt registers[] = {
    {"MAX_TX_SIZE_CONFIG", 0x407, true, 9600},   {"MAX_RX_SIZE_CONFIG", 0x506, true, 9600},
    {"TXSTAT_REVID", 0x840, false, 0x04142014},  {"TXSTAT_SCRATCH", 0x841, true, 0x08},
    {"TXSTAT_NAME_0", 0x842, false, 0x30343067}, {"TXSTAT_NAME_1", 0x843, false, 0x4d616353},
    {"TXSTAT_NAME_2", 0x844, false, 0x74617473}, {"CNTR_TX_CONFIG", 0x845, true, 0},
    {"CNTR_TX_STATUS", 0x846, false, 0},         {"RXSTAT_REVID", 0x940, false, 0x04142014},
    {"RXSTAT_SCRATCH", 0x941, true, 0x09},       {"RXSTAT_NAME_0", 0x942, false, 0x30343067},
    {"RXSTAT_NAME_1", 0x943, false, 0x4d616353}, {"RXSTAT_NAME_2", 0x944, false, 0x74617473},
    {"CNTR_RX_CONFIG", 0x945, true, 0},          {"CNTR_RX_STATUS", 0x946, false, 0},
};

// "0x838-0x83F Reserved", and the receive page alike.
inline constexpr std::pair<u32, u32> reserved[] = {{0x838, 0x83f}, {0x938, 0x93f}};

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
