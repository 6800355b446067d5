// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The model of the Low Latency 40G Ethernet core for Agilex 5 against the user guide
// (Intel 813652, 7.5 and 7.6) and, where that is silent, the register maps (section 1).
// The tests use values worked out by hand, and compare every read with the slow
// reference. Errata have the numbers of the register maps, 1.4.
#include "boost_test.hpp"

#include <algorithm>
#include <cerrno>
#include <initializer_list>
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <macstats/models.h>

#include "../../reference/ll40g_agilex5_reference.hpp"
#include "fixture.hpp"

BOOST_AUTO_TEST_SUITE(unit_model_ll40g_agilex5)

using namespace macstats::test;

namespace {

using Reference = macstats::reference::Ll40gAgilex5;

const macstats_model& model = ll40g_agilex5_model;

using CounterAt = Reference::CounterAt;

constexpr auto& table = Reference::table;

constexpr u32 max_tx_size = 0x407;
constexpr u32 max_rx_size = 0x506;

struct Page {
    std::string_view prefix;
    u8 direction;
    u32 base;
    u32 config;
    u32 status;
    u32 max;
};

constexpr Page tx_page = {"TX ", MACSTATS_TX, 0x800, 0x845, 0x846, max_tx_size};
constexpr Page rx_page = {"RX ", MACSTATS_RX, 0x900, 0x945, 0x946, max_rx_size};
constexpr Page pages[] = {tx_page, rx_page};

// CNTR_CONFIG and CNTR_STATUS.
constexpr u32 clear = 1u << 0;
constexpr u32 parity_clear = 1u << 1;
constexpr u32 request = 1u << 2;
constexpr u32 parity_error = 1u << 0;
constexpr u32 granted = 1u << 1;

constexpr Frame on(const Page& page, u32 length) {
    return {page.direction, length};
}

std::string hex(u64 value) {
    std::ostringstream out;

    out << "0x" << std::hex << value;
    return out.str();
}

// An emulated device and its reference, which see the same frames, reads and writes;
// and a second reference that nobody clears, presets or disturbs: what crossed the wire.
class Device : public Provided {
public:
    explicit Device(const Setup& setup = {}, const macstats_model& of = model)
        : Provided(of, setup),
          reference_(options(setup, setup.random)),
          wire_(options(setup, false)) {
        port.after_read = [this](u32 address, int err, u64 value) {
            compare(address, reference_.read(address), err, value);
        };
        port.after_write = [this](u32 address, int err, u64 value) {
            compare_write(address, err, static_cast<u32>(value));
        };
    }

    void send(const macstats_frame& frame, u64 count = 1) {
        port.send(frame, count);
        reference_.count(frame, count);
        wire_.count(frame, count);
    }

    int try_read(u32 address, u64& value) { return port.try_read(address, value); }
    int try_write(u32 address, u64 value) { return port.try_write(address, value); }
    u64 read(u32 address) { return port.read(address); }
    void write(u32 address, u64 value) { port.write(address, value); }
    u64 pair(u32 low) { return port.pair(low); }

    // A counter by its name in the table, with the direction in front.
    u64 counter(std::string_view name) { return pair(address(name)); }

    void fault(macstats_fault which, bool active = true) {
        port.fault(which, active);
        if (which == MACSTATS_FAULT_BUS_ERROR)
            reference_.bus_error = active;
        if (which == MACSTATS_FAULT_CLOCK_STOPPED)
            reference_.clock_stopped = active;
        if (which == MACSTATS_FAULT_SNAPSHOT_STUCK)
            reference_.snapshot_stuck = active;
        if (which == MACSTATS_FAULT_SNAPSHOT_SLOW)
            reference_.snapshot_slow = active;
        if (which == MACSTATS_FAULT_PARITY_ERROR && active)
            reference_.parity_error();
    }

    // Sets a counter as if all of it had been counted before the driver's first read.
    void preset(unsigned int row, u64 value) {
        Provided::preset(row, value);
        reference_.live(acc.model->counters[row].offset) = value;
    }

    void preset(std::string_view name, u64 value) { preset(index(name), value); }

    // The count of counter @row for all frames that crossed the wire.
    u64 sent(unsigned int row) { return wire_.live(acc.model->counters[row].offset); }

    static u32 address(std::string_view name) {
        for (const Page& page : pages)
            for (const CounterAt& one : table)
                if (name.starts_with(page.prefix) && name.substr(3) == one.name)
                    return page.base + one.offset;
        throw std::runtime_error("no counter " + std::string(name));
    }

    // The first difference from the reference, or nothing.
    const std::string& difference() const { return difference_; }

private:
    static Reference::Options options(const Setup& setup, bool random) {
        return {
            .tx_statistics = !(setup.without & MACSTATS_OPT_TX_STATISTICS),
            .rx_statistics = !(setup.without & MACSTATS_OPT_RX_STATISTICS),
            .vlan_detection = !(setup.without & MACSTATS_OPT_VLAN_DETECTION),
            .random = random};
    }

    void differ(const std::string& what) {
        if (difference_.empty())
            difference_ = what;
    }

    void compare(u32 address, const Reference::Answer& expected, int err, u64 value) {
        using Kind = Reference::Answer::Kind;
        int expected_err = 0;

        if (expected.kind == Kind::bus_error)
            expected_err = -EIO;
        if (expected.kind == Kind::nobody)
            expected_err = -ENXIO;
        if (err != expected_err)
            differ("read of " + hex(address) + " returns " + std::to_string(err));
        else if (!err && value > 0xffffffffu)
            differ("read of " + hex(address) + " is wider than the bus");
        else if (expected.kind == Kind::value && ((value ^ expected.value) & expected.certain))
            differ(hex(address) + " is " + hex(value) + ", not " + hex(expected.value));
    }

    void compare_write(u32 address, int err, u32 value) {
        using Kind = Reference::Answer::Kind;
        const Kind kind = reference_.write(address, value);

        wire_.bus_error = reference_.bus_error;
        if (address == max_tx_size || address == max_rx_size)
            wire_.write(address, value);
        if (err != (kind == Kind::value ? 0 : kind == Kind::bus_error ? -EIO : -ENXIO))
            differ("write to " + hex(address) + " returns " + std::to_string(err));
    }

    Reference reference_;
    Reference wire_;
    std::string difference_;
};

// A device of which every read must agree with the reference.
struct Checked : Device {
    using Device::Device;

    ~Checked() { BOOST_TEST(difference() == ""); }
};

// The same, in use.
struct InUse : Checked {
    explicit InUse(const Setup& setup = {}) : Checked(setup), started(start()) {}

    int started;
};

using Counts = std::initializer_list<std::pair<std::string_view, u64>>;

// Do both pages hold exactly these counts, named without their direction?
void expect(Device& device, const Page& page, Counts counts) {
    for (const Page& each : pages) {
        for (const CounterAt& one : table) {
            u64 expected = 0;

            for (const auto& [name, value] : counts)
                if (each.base == page.base && name == one.name)
                    expected = value;
            BOOST_TEST(
                device.pair(each.base + one.offset) == expected,
                each.prefix << one.name << " is not " << expected);
        }
    }
}

void counts_exactly(const Frame& frame, Counts counts, const Setup& setup = {}) {
    Checked device(setup);

    BOOST_TEST_CONTEXT(frame) {
        device.send(frame);
        expect(device, frame.direction == MACSTATS_TX ? tx_page : rx_page, counts);
    }
}

Frame in(u8 direction, Frame frame) {
    frame.direction = direction;
    return frame;
}

} // namespace

BOOST_AUTO_TEST_SUITE(rows)

BOOST_AUTO_TEST_CASE(the_counters_are_those_of_the_table_at_their_addresses_on_both_pages) {
    constexpr std::size_t n = std::size(table);

    BOOST_TEST_REQUIRE(model.n_counters == 2 * n);
    for (std::size_t i = 0; i < 2 * n; i++) {
        const macstats_counter& row = model.counters[i];
        const Page& page = pages[i / n];
        const CounterAt& expected = table[i % n];
        std::string string = i < n ? "tx_" : "rx_";

        string += expected.string;
        BOOST_TEST_CONTEXT(row.name) {
            BOOST_TEST(row.reg == std::string(page.prefix) + std::string(expected.name));
            BOOST_TEST(row.name == string);
            BOOST_TEST(row.offset == page.base + expected.offset);
            BOOST_TEST(+row.bits == 64);
            BOOST_TEST(macstats_counter_end(&model, &row) == row.offset + 2);
            BOOST_TEST(model.blocks[row.block].name == (i < n ? "tx" : "rx"));
            BOOST_TEST(+row.onread == MACSTATS_ONREAD_NONE);
            BOOST_TEST(+row.onwrite == MACSTATS_ONWRITE_NONE);
            BOOST_TEST(+row.overflow == MACSTATS_ROLLOVER);
            BOOST_TEST(!row.high_first);
            BOOST_TEST(!row.latch);
            BOOST_TEST(
                +row.unit == (expected.offset == 0x60   ? MACSTATS_PAYLOAD
                              : expected.offset == 0x62 ? MACSTATS_OCTETS
                                                        : MACSTATS_FRAMES));
        }
    }
}

// "For example: read address 0x092A to access the RX unicast data packet count."
BOOST_AUTO_TEST_CASE(the_guides_example_reads_the_received_unicast_data_frames) {
    Checked device;

    device.send(rx(64), 3);
    BOOST_TEST(device.read(0x92a) == 3u);
}

BOOST_AUTO_TEST_CASE(there_are_six_other_registers_and_no_identity_register) {
    const struct {
        std::string_view name;
        u32 offset;
        macstats_access access;
        u32 reset;
    } expected[] = {
        {"MAX_TX_SIZE_CONFIG", 0x407, MACSTATS_RW, 9600},
        {"MAX_RX_SIZE_CONFIG", 0x506, MACSTATS_RW, 9600},
        {"TX CNTR_CONFIG", 0x845, MACSTATS_RW, 0},
        {"TX CNTR_STATUS", 0x846, MACSTATS_RO, 0},
        {"RX CNTR_CONFIG", 0x945, MACSTATS_RW, 0},
        {"RX CNTR_STATUS", 0x946, MACSTATS_RO, 0},
    };
    Checked device;

    BOOST_TEST_REQUIRE(model.n_registers == std::size(expected));
    for (std::size_t i = 0; i < std::size(expected); i++) {
        BOOST_TEST(model.registers[i].name == expected[i].name);
        BOOST_TEST(model.registers[i].offset == expected[i].offset);
        BOOST_TEST(+model.registers[i].access == expected[i].access);
        BOOST_TEST(model.registers[i].reset == expected[i].reset);
        BOOST_TEST(device.read(expected[i].offset) == expected[i].reset);
    }
    BOOST_TEST((macstats_used_roles(&model) & MACSTATS_ROLE_IDENTITY) == 0u);
}

// 1.2: REVID, SCRATCH and NAME of the older core are not there; 0x47 to 0x5f and 0x80 to
// 0xff are outside of the counters' memory.
BOOST_AUTO_TEST_CASE(no_address_outside_of_memory_configuration_and_status_answers) {
    Checked device;

    for (const Page& page : pages) {
        for (u32 offset = 0x40; offset <= 0xff; offset++) {
            if (offset == 0x45 || offset == 0x46 || (offset >= 0x60 && offset <= 0x7f))
                continue;
            u64 value = 42;

            BOOST_TEST_CONTEXT(hex(page.base + offset)) {
                BOOST_TEST(device.try_read(page.base + offset, value) == -ENXIO);
                BOOST_TEST(device.try_write(page.base + offset, 0) == -ENXIO);
                BOOST_TEST(value == 42u);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(it_has_one_port_of_40_gigabit_and_no_half_duplex) {
    BOOST_TEST(model.name == std::string_view("ll40g_agilex5"));
    BOOST_TEST(+model.ports == 1);
    BOOST_TEST(+model.address_unit_bits == 32);
    BOOST_TEST(+model.bus_bits == 32);
    BOOST_TEST(model.line_rate_bps == 40000000000u);
    BOOST_TEST(!(model.options & MACSTATS_OPT_HALF_DUPLEX));
    BOOST_TEST((model.options & MACSTATS_OPT_TX_STATISTICS));
    BOOST_TEST((model.options & MACSTATS_OPT_RX_STATISTICS));
    BOOST_TEST(!(model.options & MACSTATS_OPT_STATISTICS));
    BOOST_TEST((model.options & MACSTATS_OPT_VLAN_DETECTION));
    BOOST_TEST(+model.default_options == +model.options);
}

BOOST_AUTO_TEST_CASE(no_read_is_destructive) {
    for (u32 offset = 0; offset <= 0x1000; offset++)
        BOOST_TEST(!macstats_read_is_destructive(&model, offset));
}

BOOST_AUTO_TEST_CASE(it_is_in_the_list_of_models) {
    unsigned int found = 0;

    for (const macstats_model* one : macstats_models)
        found += one == &ll40g_agilex5_model;
    BOOST_TEST(found == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(one_frame)

struct Case {
    Frame frame; // its direction is set by the test
    Counts counts;
};

// The counters of a good frame, the same in both directions: its size, its class, its
// octets without and with header (18 octets, 20 for control) and FCS.
const Case good[] = {
    {rx(64), {{"64B", 1}, {"UCAST_DATA_OK", 1}, {"Payload OctetsOK", 46}, {"Frame OctetsOK", 64}}},
    {rx(65).to(MACSTATS_MULTICAST),
     {{"65to127B", 1}, {"MCAST_DATA_OK", 1}, {"Payload OctetsOK", 47}, {"Frame OctetsOK", 65}}},
    {rx(127).to(MACSTATS_BROADCAST),
     {{"65to127B", 1}, {"BCAST_DATA_OK", 1}, {"Payload OctetsOK", 109}, {"Frame OctetsOK", 127}}},
    {rx(128).to(MACSTATS_MULTICAST).as(MACSTATS_CONTROL),
     {{"128to255B", 1}, {"MCAST_CTRL_OK", 1}, {"Payload OctetsOK", 108}, {"Frame OctetsOK", 128}}},
    {rx(255).to(MACSTATS_BROADCAST).as(MACSTATS_CONTROL),
     {{"128to255B", 1}, {"BCAST_CTRL_OK", 1}, {"Payload OctetsOK", 235}, {"Frame OctetsOK", 255}}},
    {rx(256).as(MACSTATS_CONTROL),
     {{"256to511B", 1}, {"UCAST_CTRL_OK", 1}, {"Payload OctetsOK", 236}, {"Frame OctetsOK", 256}}},
    {rx(511),
     {{"256to511B", 1}, {"UCAST_DATA_OK", 1}, {"Payload OctetsOK", 493}, {"Frame OctetsOK", 511}}},
    {rx(512),
     {{"512to1023B", 1}, {"UCAST_DATA_OK", 1}, {"Payload OctetsOK", 494}, {"Frame OctetsOK", 512}}},
    {rx(1023),
     {{"512to1023B", 1},
      {"UCAST_DATA_OK", 1},
      {"Payload OctetsOK", 1005},
      {"Frame OctetsOK", 1023}}},
    {rx(1024),
     {{"1024to1518B", 1},
      {"UCAST_DATA_OK", 1},
      {"Payload OctetsOK", 1006},
      {"Frame OctetsOK", 1024}}},
    {rx(1518),
     {{"1024to1518B", 1},
      {"UCAST_DATA_OK", 1},
      {"Payload OctetsOK", 1500},
      {"Frame OctetsOK", 1518}}},
    {rx(1519),
     {{"1519toMAXB", 1},
      {"UCAST_DATA_OK", 1},
      {"Payload OctetsOK", 1501},
      {"Frame OctetsOK", 1519}}},
    {rx(9600),
     {{"1519toMAXB", 1},
      {"UCAST_DATA_OK", 1},
      {"Payload OctetsOK", 9582},
      {"Frame OctetsOK", 9600}}},
    // "More than the size specified": its octets are not those of a good frame.
    {rx(9601), {{"OVERSIZE", 1}, {"UCAST_DATA_OK", 1}}},
    {rx(65535).to(MACSTATS_MULTICAST).as(MACSTATS_CONTROL),
     {{"OVERSIZE", 1}, {"MCAST_CTRL_OK", 1}}},
    // A pause frame is a control frame, too.
    {rx(64).to(MACSTATS_MULTICAST).as(MACSTATS_PAUSE),
     {{"64B", 1},
      {"MCAST_CTRL_OK", 1},
      {"PAUSE", 1},
      {"Payload OctetsOK", 44},
      {"Frame OctetsOK", 64}}},
    {rx(64).to(MACSTATS_BROADCAST).as(MACSTATS_PAUSE),
     {{"64B", 1},
      {"BCAST_CTRL_OK", 1},
      {"PAUSE", 1},
      {"Payload OctetsOK", 44},
      {"Frame OctetsOK", 64}}},
    {rx(64).as(MACSTATS_PAUSE),
     {{"64B", 1},
      {"UCAST_CTRL_OK", 1},
      {"PAUSE", 1},
      {"Payload OctetsOK", 44},
      {"Frame OctetsOK", 64}}},
    // A tagged control frame is data.
    {rx(68).to(MACSTATS_MULTICAST).as(MACSTATS_PAUSE).tagged(),
     {{"65to127B", 1}, {"MCAST_DATA_OK", 1}, {"Payload OctetsOK", 46}, {"Frame OctetsOK", 68}}},
    // A payload length error keeps the octets out, and is no error otherwise.
    {rx(64).with(MACSTATS_ERR_PAYLOAD_LENGTH), {{"64B", 1}, {"UCAST_DATA_OK", 1}}},
};

BOOST_AUTO_TEST_CASE(a_good_frame_counts_exactly_where_the_table_says) {
    for (const auto& [frame, counts] : good)
        for (const Page& page : pages)
            counts_exactly(in(page.direction, frame), counts);
}

BOOST_AUTO_TEST_CASE(a_received_frame_with_an_fcs_error_counts_exactly_where_the_table_says) {
    counts_exactly(
        rx(64).bad(), {{"64B", 1}, {"FCSERR", 1}, {"CRCERR_OKPKT", 1}, {"UCAST_DATA_ERR", 1}});
    counts_exactly(
        rx(200).to(MACSTATS_MULTICAST).bad(),
        {{"128to255B", 1}, {"FCSERR", 1}, {"CRCERR_OKPKT", 1}, {"MCAST_DATA_ERR", 1}});
    counts_exactly(
        rx(1519).to(MACSTATS_BROADCAST).bad(),
        {{"1519toMAXB", 1}, {"FCSERR", 1}, {"CRCERR_OKPKT", 1}, {"BCAST_DATA_ERR", 1}});
    counts_exactly(
        rx(65).to(MACSTATS_MULTICAST).as(MACSTATS_CONTROL).bad(),
        {{"65to127B", 1}, {"FCSERR", 1}, {"CRCERR_OKPKT", 1}, {"MCAST_CTRL_ERR", 1}});
    counts_exactly(
        rx(300).to(MACSTATS_BROADCAST).as(MACSTATS_CONTROL).bad(),
        {{"256to511B", 1}, {"FCSERR", 1}, {"CRCERR_OKPKT", 1}, {"BCAST_CTRL_ERR", 1}});
    counts_exactly(
        rx(600).as(MACSTATS_CONTROL).bad(),
        {{"512to1023B", 1}, {"FCSERR", 1}, {"CRCERR_OKPKT", 1}, {"UCAST_CTRL_ERR", 1}});
    counts_exactly(
        rx(64).to(MACSTATS_MULTICAST).as(MACSTATS_PAUSE).bad(),
        {{"64B", 1}, {"FCSERR", 1}, {"CRCERR_OKPKT", 1}, {"MCAST_CTRL_ERR", 1}, {"PAUSE_ERR", 1}});
    counts_exactly(
        rx(9601).bad(), {{"OVERSIZE", 1},
                         {"JABBERS", 1},
                         {"FCSERR", 1},
                         {"CRCERR_OKPKT", 1},
                         {"UCAST_DATA_ERR", 1}});
}

BOOST_AUTO_TEST_CASE(
    a_received_frame_of_less_than_64_octets_is_a_runt_and_with_an_error_a_fragment) {
    counts_exactly(rx(63), {{"RNT", 1}, {"UCAST_DATA_OK", 1}});
    counts_exactly(
        rx(20).to(MACSTATS_MULTICAST).as(MACSTATS_PAUSE),
        {{"RNT", 1}, {"MCAST_CTRL_OK", 1}, {"PAUSE", 1}});
    counts_exactly(
        rx(63).bad(), {{"RNT", 1}, {"FRAGMENTS", 1}, {"FCSERR", 1}, {"UCAST_DATA_ERR", 1}});
    counts_exactly(
        rx(1).to(MACSTATS_BROADCAST).bad(),
        {{"RNT", 1}, {"FRAGMENTS", 1}, {"FCSERR", 1}, {"BCAST_DATA_ERR", 1}});
}

// "The MAC TX module does not check FCS error for outgoing frames."
BOOST_AUTO_TEST_CASE(a_transmitted_frame_counts_the_same_with_and_without_an_fcs_error) {
    for (const auto& [frame, counts] : good)
        counts_exactly(in(MACSTATS_TX, frame.with(frame.errors | MACSTATS_ERR_FCS)), counts);
}

// "If VLAN detection is disabled, the VLAN/Stacked VLAN header bytes (4 for VLAN and 8 for
// Stacked VLAN) are counted into payload bytes." 100 - 18 = 82 octets less 4 or 8.
BOOST_AUTO_TEST_CASE(tags_are_payload_only_while_vlan_detection_is_off) {
    const Setup off = {.without = MACSTATS_OPT_VLAN_DETECTION};
    const struct {
        u8 tags;
        u64 on;
        u64 off;
    } cases[] = {{0, 82, 82}, {1, 78, 82}, {2, 74, 82}};

    for (const Page& page : pages) {
        for (const auto& one : cases) {
            const Frame frame = on(page, 100).tagged(one.tags);

            counts_exactly(
                frame, {{"65to127B", 1},
                        {"UCAST_DATA_OK", 1},
                        {"Payload OctetsOK", one.on},
                        {"Frame OctetsOK", 100}});
            counts_exactly(
                frame,
                {{"65to127B", 1},
                 {"UCAST_DATA_OK", 1},
                 {"Payload OctetsOK", one.off},
                 {"Frame OctetsOK", 100}},
                off);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_frame_without_payload_counts_no_payload_rather_than_less_than_none) {
    Checked device;

    device.write(max_rx_size, 0xffff);
    // 26 octets of header, tags and FCS would be 44 less than nothing; 64 is the least.
    device.send(rx(64).tagged(2));
    BOOST_TEST(device.counter("RX Payload OctetsOK") == 38u);
    device.send(rx(10));
    BOOST_TEST(device.counter("RX Payload OctetsOK") == 38u);
}

// The maxima are of 16 bits each, and each is of its own direction.
BOOST_AUTO_TEST_CASE(what_is_oversize_follows_the_maximum_of_its_direction) {
    for (int i = 0; i < 2; i++) {
        const Page& page = pages[i];
        const Page& other = pages[1 - i];
        Checked device;

        device.write(page.max, 0xdead0000 | 2000);
        BOOST_TEST(device.read(page.max) == 2000u);
        BOOST_TEST(device.read(other.max) == 9600u);
        device.send(on(page, 2000));
        device.send(on(page, 2001));
        device.send(on(other, 2001));
        BOOST_TEST(device.pair(page.base + 0x22) == 1u);
        BOOST_TEST(device.pair(page.base + 0x24) == 1u);
        BOOST_TEST(device.pair(other.base + 0x22) == 1u);
        BOOST_TEST(device.pair(other.base + 0x24) == 0u);
    }
}

// The limit includes tags: no frame may be longer for them.
BOOST_AUTO_TEST_CASE(a_tagged_frame_may_not_be_longer_than_any_other) {
    counts_exactly(rx(9601).tagged(), {{"OVERSIZE", 1}, {"UCAST_DATA_OK", 1}});
    counts_exactly(tx(9604).tagged(2), {{"OVERSIZE", 1}, {"UCAST_DATA_OK", 1}});
}

BOOST_AUTO_TEST_CASE(a_million_frames_alike_count_a_million_times) {
    for (const Page& page : pages) {
        Checked device;

        device.send(on(page, 1518), 1000000);
        expect(
            device, page,
            {{"1024to1518B", 1000000},
             {"UCAST_DATA_OK", 1000000},
             {"Payload OctetsOK", 1500000000},
             {"Frame OctetsOK", 1518000000}});
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(errata)

BOOST_AUTO_TEST_CASE(I1_bcast_ctrl_ok_is_at_0x2e_and_0x23_is_the_high_half_of_1519tomaxb) {
    for (const Page& page : pages) {
        Checked device;

        device.send(on(page, 64).to(MACSTATS_BROADCAST).as(MACSTATS_CONTROL), 7);
        device.send(on(page, 1600), 3ull << 32 | 5);
        BOOST_TEST(device.read(page.base + 0x2e) == 7u);
        BOOST_TEST(device.read(page.base + 0x2f) == 0u);
        BOOST_TEST(device.read(page.base + 0x22) == 5u);
        BOOST_TEST(device.read(page.base + 0x23) == 3u);
    }
}

BOOST_AUTO_TEST_CASE(I2_the_configuration_can_be_written_and_the_status_cannot) {
    for (const Page& page : pages) {
        Checked device;

        device.write(page.config, request);
        BOOST_TEST(device.read(page.config) == request);
        device.write(page.status, 0);
        BOOST_TEST(device.read(page.status) == granted);
        device.write(page.config, 0);
        device.write(page.status, 0xffffffff);
        BOOST_TEST(device.read(page.status) == 0u);
    }
}

BOOST_AUTO_TEST_CASE(I3_configuration_and_status_have_the_bits_of_the_older_core) {
    for (const Page& page : pages) {
        Checked device;

        device.send(on(page, 64), 9);
        device.fault(MACSTATS_FAULT_PARITY_ERROR);
        BOOST_TEST(device.read(page.status) == parity_error);
        device.write(page.config, parity_clear);
        BOOST_TEST(device.read(page.status) == 0u);
        BOOST_TEST(device.read(page.config) == 0u);
        BOOST_TEST(device.pair(page.base + 0x16) == 9u);
        device.write(page.config, clear);
        BOOST_TEST(device.read(page.config) == 0u);
        BOOST_TEST(device.pair(page.base + 0x16) == 0u);
        device.write(page.config, request);
        BOOST_TEST(device.read(page.status) == granted);
    }
}

// I5: the older core has the payload only, and reads 0 at 0x62.
BOOST_AUTO_TEST_CASE(I5_this_core_counts_frame_octets_beside_payload_octets) {
    for (const Page& page : pages) {
        Checked device;

        device.send(on(page, 1518), 2);
        BOOST_TEST(device.pair(page.base + 0x60) == 3000u);
        BOOST_TEST(device.pair(page.base + 0x62) == 3036u);
    }
}

// I6: "a count of all packets at least 64 bytes with an FCS error", without an upper end.
BOOST_AUTO_TEST_CASE(I6_crcerr_okpkt_includes_oversize_frames) {
    Checked device;

    device.send(rx(63).bad(), 1);
    device.send(rx(64).bad(), 2);
    device.send(rx(9600).bad(), 4);
    device.send(rx(9601).bad(), 8);
    BOOST_TEST(device.counter("RX CRCERR_OKPKT") == 14u);
    BOOST_TEST(device.counter("RX JABBERS") == 8u);
    BOOST_TEST(!(model.options & MACSTATS_OPT_VARIANT));
}

// 7.6: "The stats counters continue to increment while in shadow register access mode."
BOOST_AUTO_TEST_CASE(I7_a_snapshot_freezes_what_is_read_and_not_what_is_counted) {
    for (const Page& page : pages) {
        Checked device;

        device.send(on(page, 64), 3);
        device.write(page.config, request);
        device.send(on(page, 64), 4);                             // by a cell
        device.send(on(page, 64).with(MACSTATS_ERR_OVERRUN), 10); // by the bases
        BOOST_TEST(device.pair(page.base + 0x16) == 3u);
        device.write(page.config, 0);
        BOOST_TEST(device.pair(page.base + 0x16) == 17u);
    }
}

BOOST_AUTO_TEST_CASE(I8_every_counter_rolls_over_at_2_to_the_64) {
    for (unsigned int i = 0; i < model.n_counters; i++) {
        InUse device;
        Random random(seed_of(i));

        device.preset(i, ~u64{0} - 4); // 2^64 - 5
        BOOST_TEST(device.pair(model.counters[i].offset) == ~u64{0} - 4);
        for (int k = 0; k < 2000; k++)
            device.send(random_frame(random, 9600));
        BOOST_TEST(device.pair(model.counters[i].offset) == device.sent(i) - 5);
        if (macstats_counter_direction(&model.counters[i]))
            BOOST_TEST(device.sent(i) >= 5u, model.counters[i].name);
    }
}

BOOST_AUTO_TEST_CASE(I9_fcserr_at_0x04_is_of_any_size_and_crcerr_okpkt_at_0x06_is_not) {
    Checked device;

    device.send(rx(63).bad());
    BOOST_TEST(device.read(0x904) == 1u);
    BOOST_TEST(device.read(0x906) == 0u);
    device.send(rx(64).bad());
    BOOST_TEST(device.read(0x904) == 2u);
    BOOST_TEST(device.read(0x906) == 1u);
}

// 4.3.1.2: shorter frames are padded to 64 octets, those of less than 9 are filtered out.
BOOST_AUTO_TEST_CASE(
    I10_transmitted_frames_of_9_to_63_octets_are_padded_and_shorter_ones_not_sent) {
    for (u32 length : {9u, 18u, 60u, 63u, 64u})
        counts_exactly(
            tx(length),
            {{"64B", 1}, {"UCAST_DATA_OK", 1}, {"Payload OctetsOK", 46}, {"Frame OctetsOK", 64}});
    for (u32 length : {1u, 8u})
        counts_exactly(tx(length), {});
}

// I11: 6 + 6 addresses, 2 Length/Type, 46 data, 4 FCS.
BOOST_AUTO_TEST_CASE(I11_the_length_type_field_is_part_of_the_length) {
    counts_exactly(
        rx(6 + 6 + 2 + 46 + 4),
        {{"64B", 1}, {"UCAST_DATA_OK", 1}, {"Payload OctetsOK", 46}, {"Frame OctetsOK", 64}});
}

BOOST_AUTO_TEST_CASE(I12_it_is_the_40_gigabit_core_for_agilex_5) {
    BOOST_TEST(std::string(model.title).find("40G") != std::string::npos);
    BOOST_TEST(std::string(model.title).find("Agilex 5") != std::string::npos);
    BOOST_TEST(std::string(model.datasheet).find("813652") != std::string::npos);
}

// "All FCS error related register should be 0. ... Fragments and Rnt should keep value 0."
BOOST_AUTO_TEST_CASE(I13_error_counters_stay_0_on_the_transmit_page_only) {
    static constexpr u32 never[] = {0x00, 0x02, 0x04, 0x06, 0x08, 0x0a,
                                    0x0c, 0x0e, 0x10, 0x12, 0x14, 0x34};
    Checked device;
    Random random(seed_of(13));

    for (int i = 0; i < 20000; i++)
        device.send(random_frame(random, 9600));
    for (u32 offset : never) {
        BOOST_TEST_CONTEXT(hex(offset)) {
            BOOST_TEST(device.pair(tx_page.base + offset) == 0u);
            BOOST_TEST(device.pair(rx_page.base + offset) > 0u);
        }
    }
    for (const CounterAt& one : table)
        if (std::find(std::begin(never), std::end(never), one.offset) == std::end(never))
            BOOST_TEST(device.pair(tx_page.base + one.offset) > 0u, one.name);
}

// I14: opcode 01-01 (priority flow control) is a control frame other than PAUSE here.
BOOST_AUTO_TEST_CASE(I14_a_priority_pause_frame_is_no_pause_frame) {
    __u8 data[] = {0x01, 0x80, 0xc2, 0x00, 0x00, 0x01, 0x02, 0x00,
                   0x00, 0x00, 0x00, 0x01, 0x88, 0x08, 0x01, 0x01};
    Frame frame = rx(64);

    macstats_frame_parse(&frame, data, sizeof(data));
    for (const Page& page : pages)
        counts_exactly(
            in(page.direction, frame),
            {{"64B", 1}, {"MCAST_CTRL_OK", 1}, {"Payload OctetsOK", 44}, {"Frame OctetsOK", 64}});
    data[14] = 0x00;
    macstats_frame_parse(&frame, data, sizeof(data));
    counts_exactly(
        frame, {{"64B", 1},
                {"MCAST_CTRL_OK", 1},
                {"PAUSE", 1},
                {"Payload OctetsOK", 44},
                {"Frame OctetsOK", 64}});
}

// I15 and I16 are tools that swap the halves.
BOOST_AUTO_TEST_CASE(I16_the_low_half_is_at_the_even_address_and_the_high_half_at_the_odd_one) {
    for (unsigned int i = 0; i < model.n_counters; i++) {
        const u32 offset = model.counters[i].offset;
        InUse device;

        device.preset(i, 0x0123456789abcdef);
        BOOST_TEST(offset % 2 == 0u);
        BOOST_TEST(device.read(offset) == 0x89abcdefu);
        BOOST_TEST(device.read(offset + 1) == 0x01234567u);
    }
}

BOOST_AUTO_TEST_SUITE_END()

// Differences from the generation before it, register maps 1.1 to 1.3 and 5.3.
BOOST_AUTO_TEST_SUITE(generation)

BOOST_AUTO_TEST_CASE(fcserr_is_fragments_and_crcerr_okpkt_of_which_jabbers_are_a_part) {
    Checked device;
    Random random(seed_of(2));

    for (int i = 0; i < 10000; i++)
        device.send(random_frame(random, 9600), 1 + random.below(10));
    const u64 fcserr = device.counter("RX FCSERR");

    BOOST_TEST(fcserr == device.counter("RX FRAGMENTS") + device.counter("RX CRCERR_OKPKT"));
    BOOST_TEST(device.counter("RX JABBERS") < device.counter("RX CRCERR_OKPKT"));
    BOOST_TEST(device.counter("RX JABBERS") > 0u);

    u64 errors = 0;
    u64 ok = 0;
    u64 sizes = 0;
    for (u32 offset = 0x08; offset <= 0x12; offset += 2)
        errors += device.pair(0x900 + offset);
    for (u32 offset = 0x26; offset <= 0x30; offset += 2)
        ok += device.pair(0x900 + offset);
    for (u32 offset = 0x16; offset <= 0x24; offset += 2)
        sizes += device.pair(0x900 + offset);
    BOOST_TEST(errors == fcserr);
    BOOST_TEST(sizes + device.counter("RX RNT") == ok + fcserr);
}

// 5.3: they are no histogram of good frames.
BOOST_AUTO_TEST_CASE(size_bins_count_bad_frames_so_that_bins_are_not_good_frames) {
    Checked device;

    device.send(rx(64), 5);
    device.send(rx(64).bad(), 3);
    BOOST_TEST(device.counter("RX 64B") == 8u);
    BOOST_TEST(device.counter("RX UCAST_DATA_OK") == 5u);
}

// 1.1: bins up to 1518 are not gated by the maximum.
BOOST_AUTO_TEST_CASE(a_maximum_below_1518_counts_a_frame_in_its_bin_and_as_oversize) {
    for (const Page& page : pages) {
        Checked device;

        device.write(page.max, 1000);
        device.send(on(page, 1200));
        device.send(on(page, 1519));
        expect(device, page, {{"1024to1518B", 1}, {"OVERSIZE", 2}, {"UCAST_DATA_OK", 2}});
    }
}

BOOST_AUTO_TEST_CASE(a_clear_of_the_counters_leaves_the_parity_bit_and_the_other_way_round) {
    for (const Page& page : pages) {
        Checked device;

        device.send(on(page, 64));
        device.fault(MACSTATS_FAULT_PARITY_ERROR);
        device.write(page.config, clear);
        BOOST_TEST(device.read(page.status) == parity_error);
        BOOST_TEST(device.pair(page.base + 0x16) == 0u);
        device.send(on(page, 64));
        device.write(page.config, parity_clear);
        BOOST_TEST(device.read(page.status) == 0u);
        BOOST_TEST(device.pair(page.base + 0x16) == 1u);
        device.fault(MACSTATS_FAULT_PARITY_ERROR);
        device.write(page.config, clear | parity_clear);
        BOOST_TEST(device.read(page.status) == 0u);
        BOOST_TEST(device.pair(page.base + 0x16) == 0u);
    }
}

BOOST_AUTO_TEST_CASE(bits_31_to_3_of_the_configuration_read_0) {
    for (const Page& page : pages) {
        Checked device;

        device.write(page.config, 0xffffffff);
        BOOST_TEST(device.read(page.config) == request);
        device.write(page.config, 0xfffffff8);
        BOOST_TEST(device.read(page.config) == 0u);
    }
}

// 1.3: STATUS bit 1 is the OR of the banks: one that is frozen is enough for it, so that
// a reader who goes by the first look may still see the counters move.
BOOST_AUTO_TEST_CASE(status_bit_1_is_the_or_of_the_banks_and_may_come_before_all_are_frozen) {
    for (const Page& page : pages) {
        Checked device;

        device.fault(MACSTATS_FAULT_SNAPSHOT_SLOW);
        device.write(page.config, request);
        BOOST_TEST(device.read(page.status) == 0u);
        BOOST_TEST(device.read(page.status) == granted);
        device.send(on(page, 64));
        BOOST_TEST(device.pair(page.base + 0x16) == 1u); // not frozen yet
        BOOST_TEST(device.read(page.status) == granted);
        device.send(on(page, 64));
        BOOST_TEST(device.pair(page.base + 0x16) == 1u); // now it is
    }
}

// ... which is why the provider looks once more.
BOOST_AUTO_TEST_CASE(the_provider_reads_only_what_is_frozen_although_the_grant_comes_early) {
    for (bool slow : {false, true}) {
        InUse device;

        if (slow)
            device.fault(MACSTATS_FAULT_SNAPSHOT_SLOW);
        device.preset("RX 64B", 0xfffffffe);
        device.preset("RX UCAST_DATA_OK", 0xfffffffe);
        BOOST_TEST(device.poll() == 0);
        // A frame crosses before every single word: totals of one instant are the same.
        device.bus.before_read = [&](u32) { device.send(rx(64)); };
        for (int i = 0; i < 4; i++) {
            BOOST_TEST(device.poll() == 0);
            BOOST_TEST(device.total("RX 64B") == device.total("RX UCAST_DATA_OK"));
            BOOST_TEST(device.total("RX Frame OctetsOK") == 64 * device.total("RX 64B"));
            BOOST_TEST(device.total("RX Payload OctetsOK") == 46 * device.total("RX 64B"));
        }
        device.bus.before_read = nullptr;
        BOOST_TEST(device.poll() == 0);
        BOOST_TEST(device.total("RX 64B") == device.sent(device.index("RX 64B")));
    }
}

// 5.3: LO and HI are two reads. That is what the snapshot is for.
BOOST_AUTO_TEST_CASE(without_a_snapshot_two_halves_may_be_of_two_instants) {
    Checked device;

    device.send(rx(64), 0xffffffff);
    const u64 low = device.read(0x916);
    device.send(rx(64));
    BOOST_TEST((low | device.read(0x917) << 32) == 0x1ffffffffu);
}

BOOST_AUTO_TEST_CASE(the_low_half_alone_goes_back_to_0_after_2_to_the_32) {
    Checked device;

    device.send(rx(64), 1ull << 32);
    BOOST_TEST(device.read(0x916) == 0u);
    BOOST_TEST(device.read(0x917) == 1u);
}

// 5.3: the view is not the counters.
BOOST_AUTO_TEST_CASE(a_clear_while_frozen_shows_after_the_release) {
    for (const Page& page : pages) {
        Checked device;

        device.send(on(page, 64), 5);
        device.write(page.config, request);
        device.write(page.config, request | clear);
        BOOST_TEST(device.read(page.status) == granted);
        BOOST_TEST(device.pair(page.base + 0x16) == 5u);
        device.send(on(page, 64), 2);
        BOOST_TEST(device.pair(page.base + 0x16) == 5u);
        device.write(page.config, 0);
        BOOST_TEST(device.pair(page.base + 0x16) == 2u);
    }
}

BOOST_AUTO_TEST_CASE(a_clear_without_read_modify_write_drops_the_snapshot) {
    for (const Page& page : pages) {
        Checked device;

        device.send(on(page, 64), 5);
        device.write(page.config, request);
        device.write(page.config, clear);
        BOOST_TEST(device.read(page.status) == 0u);
        BOOST_TEST(device.pair(page.base + 0x16) == 0u);
    }
}

// 7.6: "Shadow register operations are independent for RX and TX."
BOOST_AUTO_TEST_CASE(the_pages_are_frozen_and_cleared_independently) {
    for (int i = 0; i < 2; i++) {
        const Page& page = pages[i];
        const Page& other = pages[1 - i];
        Checked device;

        device.send(rx(64));
        device.send(tx(64));
        device.write(page.config, request);
        device.send(rx(64));
        device.send(tx(64));
        BOOST_TEST(device.pair(page.base + 0x16) == 1u);
        BOOST_TEST(device.pair(other.base + 0x16) == 2u);
        BOOST_TEST(device.read(other.status) == 0u);
        device.write(page.config, clear);
        BOOST_TEST(device.pair(page.base + 0x16) == 0u);
        BOOST_TEST(device.pair(other.base + 0x16) == 2u);
    }
}

BOOST_AUTO_TEST_CASE(reads_change_nothing_and_writes_to_counters_are_ignored) {
    Checked device;
    Random random(seed_of(4));
    std::map<u32, u64> before;

    for (int i = 0; i < 500; i++)
        device.send(random_frame(random, 9600), 1 + random.below(1000000));
    for (unsigned int i = 0; i < model.n_counters; i++)
        before[model.counters[i].offset] = device.pair(model.counters[i].offset);
    for (const auto& [offset, value] : before) {
        device.write(offset, 0xffffffff);
        device.write(offset + 1, 0);
    }
    for (const auto& [offset, value] : before)
        BOOST_TEST(device.pair(offset) == value);
}

// "The read access to these unused addresses return random values."
BOOST_AUTO_TEST_CASE(unused_addresses_of_the_counters_memory_read_random_and_ignore_writes) {
    for (const Page& page : pages) {
        Checked device({.seed = 99});

        for (u32 offset = 0; offset <= 0x7f; offset++) {
            const bool unused =
                (offset >= 0x36 && offset <= 0x3f) || (offset >= 0x64 && offset <= 0x7f);

            if (!unused)
                continue;
            const u64 first = device.read(page.base + offset);

            device.write(page.base + offset, 0);
            BOOST_TEST(device.read(page.base + offset) != first, hex(page.base + offset));
        }
        expect(device, page, {});
    }
}

// Every address of the memory is a half of a counter or unused; nothing is left out.
BOOST_AUTO_TEST_CASE(every_address_of_the_counters_memory_answers) {
    Checked device;
    u64 value = 0;

    for (const Page& page : pages)
        for (u32 offset = 0; offset <= 0x7f; offset++)
            if (offset <= 0x3f || offset >= 0x60)
                BOOST_TEST(device.try_read(page.base + offset, value) == 0);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(provider)

// "After system is powered up in the beginning, the statistic counters have random values
// ... and parity error bits could be high." Both are cleared before use.
BOOST_AUTO_TEST_CASE(random_values_and_parity_of_power_up_are_cleared_before_use) {
    unsigned int parity_at_power_up = 0;

    BOOST_TEST(+model.power_up == MACSTATS_POWER_UP_RANDOM);
    for (u64 seed = 1; seed <= 16; seed++) {
        Checked device({.random = true, .seed = seed});

        parity_at_power_up += (device.read(tx_page.status) & parity_error) != 0;
        BOOST_TEST(device.pair(0x916) != device.pair(0x918));
        BOOST_TEST(device.start() == 0);
        BOOST_TEST(device.acc.started);
        expect(device, rx_page, {});
        for (const Page& page : pages)
            BOOST_TEST(device.read(page.status) == 0u);
        for (unsigned int i = 0; i < model.n_counters; i++)
            BOOST_TEST(device.acc.counters[i].total == 0u);
        device.send(rx(64), 3);
        BOOST_TEST(device.poll() == 0);
        BOOST_TEST(device.total("RX 64B") == 3u);
        BOOST_TEST(device.acc.parity_errors == 0u);
        BOOST_TEST(device.acc.discontinuities == 0u);
    }
    BOOST_TEST(parity_at_power_up > 0u);
    BOOST_TEST(parity_at_power_up < 16u);
}

// "The statistic Counter values are not meaningful if it is read when system is not
// stable. The read out values should be ignored in this case."
BOOST_AUTO_TEST_CASE(readings_of_an_unstable_system_are_ignored_and_the_port_is_stale) {
    InUse device({.seed = 5});

    device.send(rx(64), 7);
    BOOST_TEST(device.poll() == 0);
    device.fault(MACSTATS_FAULT_CLOCK_STOPPED);
    BOOST_TEST((device.read(0x916) != 7u || device.read(0x918) != 0u)); // anything
    for (int i = 0; i < 3; i++) {
        BOOST_TEST(device.poll() == -ENOLINK);
        BOOST_TEST(device.events == (i ? 0u : 0u + MACSTATS_EVENT_STALE));
        BOOST_TEST(device.acc.stale);
        BOOST_TEST(device.acc.reason != std::string());
        BOOST_TEST(device.total("RX 64B") == 7u);
    }
    device.fault(MACSTATS_FAULT_CLOCK_STOPPED, false);
    device.send(rx(64), 2);
    BOOST_TEST(device.poll() == 0);
    BOOST_TEST(device.events == 0u + MACSTATS_EVENT_RECOVERED);
    BOOST_TEST(!device.acc.stale);
    BOOST_TEST(device.total("RX 64B") == 9u);
    BOOST_TEST(device.acc.discontinuities == 0u);
}

BOOST_AUTO_TEST_CASE(a_port_taken_into_use_before_the_system_is_stable_counts_from_then_on) {
    Checked device({.random = true, .seed = 3});

    device.fault(MACSTATS_FAULT_CLOCK_STOPPED);
    BOOST_TEST(device.start() == 0);
    BOOST_TEST(device.acc.stale);
    BOOST_TEST(!device.acc.absent);
    BOOST_TEST(device.poll() == -ENOLINK);
    device.fault(MACSTATS_FAULT_CLOCK_STOPPED, false);
    BOOST_TEST(device.poll() == 0);
    BOOST_TEST(!device.acc.stale);
    for (unsigned int i = 0; i < model.n_counters; i++)
        BOOST_TEST(device.acc.counters[i].total == 0u);
    device.send(tx(64), 4);
    BOOST_TEST(device.poll() == 0);
    BOOST_TEST(device.total("TX 64B") == 4u);
}

BOOST_AUTO_TEST_CASE(a_parity_error_is_reported_once_and_damages_one_counter_of_a_page) {
    InUse device;

    device.send(rx(64), 7);
    device.fault(MACSTATS_FAULT_PARITY_ERROR);
    BOOST_TEST(device.poll() == 0);
    BOOST_TEST(device.events == 0u + (MACSTATS_EVENT_PARITY_ERROR | MACSTATS_EVENT_DISCONTINUITY));
    BOOST_TEST(device.acc.parity_errors == 1u);
    BOOST_TEST(device.total("TX FRAGMENTS") == 0u);
    BOOST_TEST(device.total("RX FRAGMENTS") == 0u);
    BOOST_TEST(device.poll() == 0);
    BOOST_TEST(device.events == 0u);
    BOOST_TEST(device.total("RX 64B") == 7u);
}

BOOST_AUTO_TEST_CASE(a_stuck_snapshot_makes_the_port_stale_and_not_hang) {
    InUse device;

    device.send(tx(64), 3);
    BOOST_TEST(device.poll() == 0);
    device.fault(MACSTATS_FAULT_SNAPSHOT_STUCK);
    device.send(tx(64), 4);
    BOOST_TEST(device.poll() == -ETIMEDOUT);
    BOOST_TEST(device.acc.stale);
    BOOST_TEST(device.total("TX 64B") == 3u);
    device.fault(MACSTATS_FAULT_SNAPSHOT_STUCK, false);
    BOOST_TEST(device.poll() == 0);
    BOOST_TEST(device.total("TX 64B") == 7u);
}

BOOST_AUTO_TEST_CASE(a_snapshot_left_over_by_somebody_else_is_not_taken_for_the_present) {
    InUse device;

    for (const Page& page : pages)
        device.write(page.config, request);
    device.send(rx(64), 3);
    device.send(tx(64), 4);
    BOOST_TEST(device.poll() == 0);
    BOOST_TEST(device.total("RX 64B") == 3u);
    BOOST_TEST(device.total("TX 64B") == 4u);
    for (const Page& page : pages)
        BOOST_TEST(device.read(page.config) == 0u);
}

BOOST_AUTO_TEST_CASE(a_clear_by_somebody_else_is_a_discontinuity_and_no_total_goes_back) {
    InUse device;

    device.send(rx(64), 100);
    BOOST_TEST(device.poll() == 0);
    device.write(rx_page.config, clear);
    device.send(rx(64), 3);
    BOOST_TEST(device.poll() == 0);
    BOOST_TEST(device.events == 0u + MACSTATS_EVENT_DISCONTINUITY);
    BOOST_TEST(device.total("RX 64B") == 100u);
    device.send(rx(64), 2);
    BOOST_TEST(device.poll() == 0);
    BOOST_TEST(device.total("RX 64B") == 102u);
}

// No register tells what the core is, but one built without the counters stores nothing.
BOOST_AUTO_TEST_CASE(a_core_built_without_the_counters_has_no_statistics) {
    Checked device({.without = all_statistics});

    device.send(rx(64), 5);
    BOOST_TEST(device.start() == 0);
    BOOST_TEST(device.acc.absent);
    BOOST_TEST(!device.acc.stale);
    BOOST_TEST(device.poll() == 0);
    BOOST_TEST(device.read(0x916) == 0u);
    device.write(rx_page.config, request);
    BOOST_TEST(device.read(rx_page.config) == 0u);

    InUse other;
    BOOST_TEST(other.started == 0);
    BOOST_TEST(!other.acc.absent);
    for (const Page& page : pages)
        BOOST_TEST(other.read(page.config) == 0u);
}

BOOST_AUTO_TEST_CASE(a_core_built_without_the_counters_of_a_direction_has_those_of_the_other) {
    for (const u16 without : {MACSTATS_OPT_TX_STATISTICS, MACSTATS_OPT_RX_STATISTICS}) {
        const bool sends = without == MACSTATS_OPT_RX_STATISTICS;
        Checked device({.without = without, .random = true, .seed = 2});

        BOOST_TEST(device.start() == 0);
        BOOST_TEST(device.acc.absent_blocks == (sends ? 2u : 1u));
        BOOST_TEST(!device.acc.absent);
        device.send(rx(64), 5);
        device.send(tx(64), 3);
        BOOST_TEST(device.poll() == 0);
        BOOST_TEST(device.total("TX 64B") == (sends ? 3u : 0u));
        BOOST_TEST(device.total("RX 64B") == (sends ? 0u : 5u));
        const Standard standard = device.standard();
        BOOST_TEST(standard.has(MACSTATS_STD_FRAMES_TRANSMITTED_OK) == sends);
        BOOST_TEST(standard.has(MACSTATS_STD_RTNL_TX_BYTES) == sends);
        BOOST_TEST(standard.has(MACSTATS_STD_FRAMES_RECEIVED_OK) == !sends);
        BOOST_TEST(standard.has(MACSTATS_STD_RTNL_MULTICAST) == !sends);
    }
}

// 54 halves at 0x800, 4 at 0x860, and the same of the other page; a fifth more at most.
BOOST_AUTO_TEST_CASE(a_poll_reads_the_116_halves_and_little_else) {
    InUse device;

    device.bus.reads = 0;
    BOOST_TEST(device.poll() == 0);
    BOOST_TEST(device.bus.reads >= 116u);
    BOOST_TEST(device.bus.reads <= 139u);
    BOOST_TEST(device.bus.waits == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(wraps)

// Every counter goes from 2^32 - 5 across the carry into its high half.
BOOST_AUTO_TEST_CASE(no_counter_loses_anything_when_its_low_half_wraps) {
    for (unsigned int i = 0; i < model.n_counters; i++) {
        InUse device;
        Random random(seed_of(100 + i));

        device.preset(i, 0xfffffffb);
        BOOST_TEST(device.poll() == 0);
        for (int k = 0; k < 2000; k++) {
            device.send(random_frame(random, 9600));
            if (k % 200 == 0)
                BOOST_TEST(device.poll() == 0);
        }
        BOOST_TEST(device.poll() == 0);
        BOOST_TEST(device.acc.counters[i].total == device.sent(i), model.counters[i].name);
        BOOST_TEST(device.acc.discontinuities == 0u);
        if (macstats_counter_direction(&model.counters[i]))
            BOOST_TEST(device.read(model.counters[i].offset + 1) == 1u, model.counters[i].name);
    }
}

// 1.5: 2^64 octets take over a century at 40 Gb/s, so that no interval is too long.
BOOST_AUTO_TEST_CASE(nothing_wraps_within_a_lifetime_so_no_poll_comes_too_late) {
    InUse device;

    for (unsigned int i = 0; i < model.n_counters; i++)
        BOOST_TEST(
            macstats__wrap_usecs(&model, &model.counters[i], model.line_rate_bps) == ~u64{0});
    BOOST_TEST(macstats_poll_ceiling_usecs(&model, model.line_rate_bps) == 3600000000u);
    BOOST_TEST(macstats_poll_default_usecs(&model, model.line_rate_bps) == 1000000u);
    // Twice around the low half of an octet counter, a day later.
    device.send(tx(1518), 5658720);
    BOOST_TEST(device.poll_after(86400000000000) == 0);
    BOOST_TEST(device.events == 0u);
    BOOST_TEST(!device.acc.possible_loss);
    BOOST_TEST(device.total("TX Frame OctetsOK") == 8589936960u); // 2^33 + 2368
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(standard_statistics)

// Received: 10 good unicast frames of 100, 4 multicast of 200, 2 broadcast of 300, 3 pause
// frames of 64, 1 control frame of 64, 1 tagged frame of 1518; bad: 5 with an FCS error,
// 6 runts, 7 fragments, 8 over the maximum, 9 jabbers.
void receive_a_mixture(Device& device) {
    device.send(rx(100), 10);
    device.send(rx(200).to(MACSTATS_MULTICAST), 4);
    device.send(rx(300).to(MACSTATS_BROADCAST), 2);
    device.send(rx(64).to(MACSTATS_MULTICAST).as(MACSTATS_PAUSE), 3);
    device.send(rx(64).as(MACSTATS_CONTROL), 1);
    device.send(rx(1518).tagged(), 1);
    device.send(rx(500).bad(), 5);
    device.send(rx(40), 6);
    device.send(rx(40).bad(), 7);
    device.send(rx(9700), 8);
    device.send(rx(9700).bad(), 9);
}

BOOST_AUTO_TEST_CASE(received_frames_are_reported_as_the_standards_count_them) {
    InUse device;

    receive_a_mixture(device);
    BOOST_TEST(device.poll() == 0);
    // 10 + 4 + 2 + 3 + 1 + 1
    BOOST_TEST(device.standard()[MACSTATS_STD_FRAMES_RECEIVED_OK] == 21u);
    BOOST_TEST(device.standard()[MACSTATS_STD_RTNL_RX_PACKETS] == 21u);
    // 1000 + 800 + 600 + 192 + 64 + 1518 = 4174, less 4 for each
    BOOST_TEST(device.standard()[MACSTATS_STD_RTNL_RX_BYTES] == 4090u);
    // 10 * 82 + 4 * 182 + 2 * 282 + 3 * 44 + 44 + 1496
    BOOST_TEST(device.standard()[MACSTATS_STD_OCTETS_RECEIVED_OK] == 3784u);
    BOOST_TEST(device.standard()[MACSTATS_STD_RTNL_MULTICAST] == 7u);
    BOOST_TEST(device.standard()[MACSTATS_STD_MAC_CONTROL_FRAMES_RECEIVED] == 4u);
    BOOST_TEST(device.standard()[MACSTATS_STD_RX_PAUSE_FRAMES] == 3u);
    // Neither fragments nor jabbers: 30.3.1.1.6 counts frames of valid length.
    BOOST_TEST(device.standard()[MACSTATS_STD_FRAME_CHECK_SEQUENCE_ERRORS] == 5u);
    BOOST_TEST(device.standard()[MACSTATS_STD_RTNL_RX_CRC_ERRORS] == 5u);
    BOOST_TEST(device.standard()[MACSTATS_STD_FRAME_TOO_LONG_ERRORS] == 17u);
    BOOST_TEST(device.standard()[MACSTATS_STD_RTNL_RX_LENGTH_ERRORS] == 17u);
    BOOST_TEST(device.standard()[MACSTATS_STD_UNDERSIZE_PKTS] == 6u);
    BOOST_TEST(device.standard()[MACSTATS_STD_FRAGMENTS] == 7u);
    BOOST_TEST(device.standard()[MACSTATS_STD_OVERSIZE_PKTS] == 8u);
    BOOST_TEST(device.standard()[MACSTATS_STD_JABBERS] == 9u);
    // Each bad frame once: 5 + 6 + 7 + 8 + 9
    BOOST_TEST(device.standard()[MACSTATS_STD_RTNL_RX_ERRORS] == 35u);
}

BOOST_AUTO_TEST_CASE(transmitted_frames_are_reported_whatever_their_fcs) {
    InUse device;

    device.send(tx(100), 10);
    device.send(tx(100).bad(), 2);
    device.send(tx(200).to(MACSTATS_MULTICAST), 4);
    device.send(tx(300).to(MACSTATS_BROADCAST), 2);
    device.send(tx(64).to(MACSTATS_MULTICAST).as(MACSTATS_PAUSE), 3);
    device.send(tx(64).as(MACSTATS_CONTROL), 1);
    device.send(tx(40), 6);
    device.send(tx(9700), 8);
    BOOST_TEST(device.poll() == 0);
    // 12 + 4 + 2 + 3 + 1 + 6
    BOOST_TEST(device.standard()[MACSTATS_STD_FRAMES_TRANSMITTED_OK] == 28u);
    BOOST_TEST(device.standard()[MACSTATS_STD_RTNL_TX_PACKETS] == 28u);
    // 1200 + 800 + 600 + 192 + 64 + 6 * 64 = 3240, less 4 for each
    BOOST_TEST(device.standard()[MACSTATS_STD_RTNL_TX_BYTES] == 3128u);
    // 12 * 82 + 4 * 182 + 2 * 282 + 3 * 44 + 44 + 6 * 46
    BOOST_TEST(device.standard()[MACSTATS_STD_OCTETS_TRANSMITTED_OK] == 2728u);
    BOOST_TEST(device.standard()[MACSTATS_STD_MAC_CONTROL_FRAMES_TRANSMITTED] == 4u);
    BOOST_TEST(device.standard()[MACSTATS_STD_TX_PAUSE_FRAMES] == 3u);
    BOOST_TEST(device.standard()[MACSTATS_STD_RTNL_TX_ERRORS] == 8u);
}

// Frame octets are what the older core lacks: tags or not, bytes are length less FCS.
BOOST_AUTO_TEST_CASE(bytes_are_exact_for_tagged_frames_and_without_vlan_detection) {
    for (u8 without : {u8{0}, u8{MACSTATS_OPT_VLAN_DETECTION}}) {
        InUse device({.without = without});
        Random random(seed_of(7));
        u64 bytes[2] = {0, 0};
        u64 frames[2] = {0, 0};

        for (int i = 0; i < 5000; i++) {
            Frame frame = random_frame(random, 9600);

            frame.errors = 0;
            frame.length = random.between(64, 9600);
            device.send(frame);
            bytes[frame.direction == MACSTATS_TX] += frame.length - 4;
            frames[frame.direction == MACSTATS_TX]++;
        }
        BOOST_TEST(device.poll() == 0);
        BOOST_TEST(device.standard()[MACSTATS_STD_RTNL_RX_BYTES] == bytes[0]);
        BOOST_TEST(device.standard()[MACSTATS_STD_RTNL_TX_BYTES] == bytes[1]);
        BOOST_TEST(device.standard()[MACSTATS_STD_RTNL_RX_PACKETS] == frames[0]);
        BOOST_TEST(device.standard()[MACSTATS_STD_RTNL_TX_PACKETS] == frames[1]);
    }
}

BOOST_AUTO_TEST_CASE(statistics_that_the_core_cannot_report_are_absent) {
    static constexpr macstats_standard_id present[] = {
        MACSTATS_STD_FRAMES_TRANSMITTED_OK,
        MACSTATS_STD_FRAMES_RECEIVED_OK,
        MACSTATS_STD_FRAME_CHECK_SEQUENCE_ERRORS,
        MACSTATS_STD_OCTETS_TRANSMITTED_OK,
        MACSTATS_STD_OCTETS_RECEIVED_OK,
        MACSTATS_STD_FRAME_TOO_LONG_ERRORS,
        MACSTATS_STD_MAC_CONTROL_FRAMES_TRANSMITTED,
        MACSTATS_STD_MAC_CONTROL_FRAMES_RECEIVED,
        MACSTATS_STD_UNDERSIZE_PKTS,
        MACSTATS_STD_OVERSIZE_PKTS,
        MACSTATS_STD_FRAGMENTS,
        MACSTATS_STD_JABBERS,
        MACSTATS_STD_TX_PAUSE_FRAMES,
        MACSTATS_STD_RX_PAUSE_FRAMES,
        MACSTATS_STD_RTNL_RX_PACKETS,
        MACSTATS_STD_RTNL_TX_PACKETS,
        MACSTATS_STD_RTNL_RX_BYTES,
        MACSTATS_STD_RTNL_TX_BYTES,
        MACSTATS_STD_RTNL_RX_ERRORS,
        MACSTATS_STD_RTNL_TX_ERRORS,
        MACSTATS_STD_RTNL_MULTICAST,
        MACSTATS_STD_RTNL_RX_LENGTH_ERRORS,
        MACSTATS_STD_RTNL_RX_CRC_ERRORS,
    };
    InUse device;

    for (int id = MACSTATS_STD_NONE + 1; id < MACSTATS_STD_COUNT; id++) {
        const bool expected =
            std::find(std::begin(present), std::end(present), id) != std::end(present);

        BOOST_TEST_CONTEXT("statistic " << id)
        BOOST_TEST(device.standard().has(static_cast<unsigned int>(id)) == expected);
    }
}

BOOST_AUTO_TEST_CASE(each_direction_has_a_histogram_of_seven_sizes) {
    static constexpr std::pair<u32, u32> ranges[] = {
        {64, 64}, {65, 127}, {128, 255}, {256, 511}, {512, 1023}, {1024, 1518}, {1519, 65535}};

    for (const Page& page : pages) {
        const unsigned int id =
            page.direction == MACSTATS_RX ? MACSTATS_STD_HIST_RX : MACSTATS_STD_HIST_TX;
        macstats_bucket buckets[16] = {};

        BOOST_TEST_REQUIRE(macstats_histogram(&model, id, buckets, 16) == std::size(ranges));
        for (std::size_t i = 0; i < std::size(ranges); i++) {
            BOOST_TEST(buckets[i].low == ranges[i].first);
            BOOST_TEST(buckets[i].high == ranges[i].second);
            BOOST_TEST(model.counters[buckets[i].counter].offset == page.base + 0x16 + 2 * i);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
