// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Does each rule of rules.h fire? Copies of models, each broken in one place, must
// be found out, by that rule and at that place.
#include "boost_test.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <ostream>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <macstats/check.h>
#include <macstats/models.h>

#include "synthetic.hpp"

namespace macstats {

static std::ostream& operator<<(std::ostream& out, const Finding& finding) {
    return out << describe(finding.violation) << ", at place " << static_cast<int>(finding.place)
               << " row " << finding.row;
}

void a_model_breaks_a_rule() {
    throw std::logic_error("a model breaks a rule");
}

} // namespace macstats

BOOST_AUTO_TEST_SUITE(unit_schema_checks)

using namespace macstats;
using namespace macstats::test;

namespace {

// Those of synthetic.hpp.
static_assert(check(rolling_model) == Violation::none);
static_assert(check(errors_model) == Violation::none);
static_assert(check(enabled_model) == Violation::none);
static_assert(check(increment_model) == Violation::none);
static_assert(check(modes_model) == Violation::none);
static_assert(check(settings_model) == Violation::none);
static_assert(check(switched_model) == Violation::none);
static_assert(check(clearing_model) == Violation::none);
static_assert(check(decrement_model) == Violation::none);
static_assert(check(wide_model) == Violation::none);
static_assert(check(latching_model) == Violation::none);
static_assert(check(rereading_model) == Violation::none);
static_assert(check(sharing_model) == Violation::none);
static_assert(check(saturating_model) == Violation::none);
static_assert(check(merging_model) == Violation::none);

// A copy of a model that can be broken.
struct Copy {
    std::vector<macstats_counter> counters;
    std::vector<macstats_register> registers;
    DescriptorCopy descriptor;
    macstats_model model;

    explicit Copy(const macstats_model& base)
        : counters(base.counters, base.counters + base.n_counters),
          registers(base.registers, base.registers + base.n_registers),
          descriptor(base),
          model(base) {
        model.counters = counters.data();
        model.registers = registers.data();
        model.descriptor = &descriptor;
    }

    Copy(const Copy&) = delete;
    Copy& operator=(const Copy&) = delete;

    void forget_terms() {
        for (macstats_counter& row : counters)
            for (macstats_term& term : row.standard)
                term = {};
    }
    void latch_all() {
        for (macstats_counter& row : counters)
            row.latch = true;
    }

    macstats_counter& counter(std::string_view name) {
        for (macstats_counter& row : counters)
            if (row.name == name)
                return row;
        throw "no such counter";
    }
    macstats_register& reg(std::string_view name) {
        for (macstats_register& row : registers)
            if (row.name == name)
                return row;
        throw "no such register";
    }
    macstats_field& field(u32 offset, unsigned int lsb) {
        for (macstats_register& row : registers)
            for (macstats_field& field : row.fields)
                if (row.offset == offset && field.bits && field.lsb == lsb)
                    return field;
        throw "no such field";
    }
    void drop(u32 roles, unsigned int blocks = ~0u) { drop_role(registers, roles, blocks); }
    void give(u32 offset, unsigned int lsb, u32 role) { give_role(registers, offset, lsb, role); }
};

// The finding about register dumps that leave out what @is_destructive names.
Finding
dump_finding(const macstats_model& model, bool (*is_destructive)(const macstats_model*, u32)) {
    return finding_of(macstats__rules_dump_by(&model, is_destructive));
}

// The finding in a copy of a model after a change, or what a function of its own finds.
class Find {
public:
    constexpr Find(const macstats_model& base, void (*change)(Copy&))
        : base_(&base),
          change_(change) {}
    constexpr Find(std::convertible_to<Finding (*)()> auto find) : find_(find) {}

    Finding operator()() const {
        if (find_)
            return find_();
        Copy copy(*base_);
        change_(copy);
        return find_violation(copy.model);
    }

private:
    const macstats_model* base_ = nullptr;
    void (*change_)(Copy&) = nullptr;
    Finding (*find_)() = nullptr;
};

struct Case {
    std::string_view what;
    Finding expected;
    Find find;
};

// The finding in a copy of a model after the statements have run.
#define BROKEN(base, ...)                                     \
    {                                                         \
        base, []([[maybe_unused]] Copy& copy) { __VA_ARGS__ } \
    }

using enum Violation;

// Rows of the first model: 0 tx_fragments, 1 tx_jabbers, 11 tx_64b to 17 tx_1519tomaxb,
// 28 tx_octets_ok, 29 rx_fragments, 40 rx_64b. Registers: 0 and 1 the maxima, 3 the
// transmit scratch register, 4 to 6 the name, 7 and 8 configuration and status, 14 and 15 those
// of received frames.
constexpr Finding at_counter(Violation violation, unsigned int row = 0) {
    return {violation, Part::counters, row};
}

constexpr Finding at_field(Violation violation, unsigned int reg, unsigned int field) {
    return {violation, Part::fields, reg * MACSTATS_MAX_FIELDS + field};
}

constexpr Case good[] = {
    {"the model as it is", {}, BROKEN(ll40g_model, )},
    {"a name of 31 characters",
     {},
     BROKEN(ll40g_model, copy.counters[0].name = "tx_4567890123456789012345678901";)},
    {"a row that never counts, by the name of the other direction",
     {},
     BROKEN(ll40g_model, copy.counters[4].when[0] = {}; copy.counters[4].name = "rx_nothing";)},
    {"a row that never counts, by the name of both",
     {},
     BROKEN(ll40g_model, copy.counters[4].when[0] = {}; copy.counters[4].name = "rxtx_nothing";)},
    {"a row of both directions",
     {},
     BROKEN(ll40g_model, copy.counters[4].when[0].direction = MACSTATS_RX | MACSTATS_TX;
            copy.counters[4].name = "rxtx_mcast_data_err";)},
    {"ports that follow each other",
     {},
     BROKEN(ll40g_model, copy.model.ports = 4; copy.model.port_stride = 0x963 - 0x407 + 1;)},
    {"ports whose registers interleave",
     {},
     BROKEN(clearing_model, copy.model.ports = 2; copy.model.port_stride = 2;
            copy.counters[0].offset = 0x20; copy.counters[1].offset = 0x21;
            copy.counters[2].offset = 0x24; copy.counters[3].offset = 0x25;
            copy.model.n_reserved = 0;)},
    {"a port without a stride", {}, BROKEN(ll40g_model, copy.model.port_stride = 0;)},
    {"a model without standard statistics", {}, BROKEN(ll40g_model, copy.forget_terms();)},
    {"a tagged edge that leaves the order",
     {},
     BROKEN(ll40g_model, copy.model.sizes.tagged_edges = 1u << 6;)},
    {"names that only look alike to node_exporter",
     {},
     BROKEN(ll40g_model, copy.counter("tx_st").name = "tx_rxst";
            copy.counter("tx_runt").name = "tx_receivedst";)},
    {"a setting that decides whether frames with several collisions count",
     {},
     BROKEN(ixf1104_model, copy.counters[18].when[1].errors = 0;
            copy.counters[18].when[1].collisions = MACSTATS_SEVERAL_COLLISIONS;)},
    {"a setting that decides whether good pause frames count",
     {},
     BROKEN(ixf1104_model, copy.counters[18].when[1].errors = 0;)},
    {"a maximum of 11 bits, which takes 1518",
     {},
     BROKEN(ll40g_model, copy.field(0x506, 0).bits = 11;)},
    {"no padding at all",
     {},
     BROKEN(ll40g_model, copy.model.tx_shortest = 0; copy.model.tx_pad_to = 0;)},
    {"a gate of one of three bits",
     {},
     BROKEN(decrement_model, copy.drop(MACSTATS_ROLE_GATE);
            copy.give(0x0c, 1, MACSTATS_ROLE_GATE);)},
    {"two neighbours that both lie higher for tagged frames",
     {},
     BROKEN(ll40g_model, copy.model.sizes.tagged_edges = 3;)},
    {"an edge at the shortest frame", {}, BROKEN(wide_model, copy.model.sizes = {{1, 64, 65}, 0};)},
    {"twelve edges",
     {},
     BROKEN(wide_model,
            copy.model.sizes =
                {{64, 65, 128, 256, 512, 1024, 1519, 2048, 4096, 8192, 16384, 65535}, 0};)},
    {"a switched maximum from 1518 to the longest frame",
     {},
     BROKEN(switched_model, copy.model.max_frame_switch.off = 1518;
            copy.model.max_frame_switch.on = 65535;)},
    {"a switched maximum that a bit lowers, from the longest frame to 1518",
     {},
     BROKEN(switched_model, copy.model.max_frame_switch.off = 65535;
            copy.model.max_frame_switch.on = 1518;)},
    {"a line rate of one bit per microsecond",
     {},
     BROKEN(ll40g_model, copy.model.line_rate_bps = 1000000;)},
    {"16 lines", {}, BROKEN(cpsw_model, copy.model.block_lines = 16;)},
    {"a retry limit of four bits in the middle of its register",
     {},
     BROKEN(rc32438_model, copy.field(0x210, 0).lsb = 4;)},
    {"padding to the shortest frame that is sent",
     {},
     BROKEN(ll40g_model, copy.model.tx_shortest = 64; copy.model.tx_pad_to = 64;)},
    {"a counter of one bit", {}, BROKEN(ll40g_model, copy.counters[0].bits = 1;)},
    {"several ports of one line each", {}, BROKEN(ixf1104_model, copy.model.block_lines = 1;)},
    {"a speed just below the line rate",
     {},
     BROKEN(rc32438_model, copy.model.options |= MACSTATS_OPT_100M;
            copy.model.line_rate_bps = 100000001;)},
    {"a speed of 10 Mb/s just below the line rate",
     {},
     BROKEN(rc32438_model, copy.model.line_rate_bps = 10000001;)},
    {"an identity of several fields",
     {},
     BROKEN(cpsw_model, copy.give(0x4a100000, 0, MACSTATS_ROLE_IDENTITY);
            copy.give(0x4a100000, 8, MACSTATS_ROLE_IDENTITY);)},
    {"8 identities",
     {},
     BROKEN(ll40g_model, copy.reg("TXSTAT_REVID").roles = MACSTATS_ROLE_IDENTITY;
            copy.reg("RXSTAT_REVID").roles = MACSTATS_ROLE_IDENTITY;)},
    {"a register of a block whose counters it does not need",
     {},
     BROKEN(ll40g_model, copy.registers[1].block = 1;)},
    {"a register with as many fields as it can have",
     {},
     BROKEN(e1000_model,
            for (unsigned int i = 1; i < MACSTATS_MAX_FIELDS; i++) copy.registers[0].fields[i] =
                field_of(MACSTATS_RW, i, 1);)},
    {"a histogram row of three alternatives with the same size",
     {},
     BROKEN(ll40g_model,
            copy.counters[11].when[1] = copy.counters[11].when[2] = copy.counters[11].when[0];)},
    {"regions of one word",
     {},
     BROKEN(wide_model, copy.model.regions[0] = {"control", 0x00, 0x00};
            copy.model.regions[1] = {"status", 0x01, 0x01};
            copy.model.regions[2] = {"counters", 0x10, 0x15}; copy.model.n_regions = 3;)},
    {"a device whose counters all lie apart",
     {},
     BROKEN(clearing_model, copy.model.ports = 2; copy.model.port_stride = 0x10;
            copy.model.n_reserved = 0; copy.model.n_counters = 1; copy.counters[0].offset = 0;
            copy.counters[0].port_stride = 1;)},
    {"11 buckets",
     {},
     BROKEN(
         ll40g_model, copy.forget_terms();
         for (unsigned int i = 0; i < MACSTATS_MAX_EDGES; i++) copy.model.sizes.edge[i] =
             static_cast<u16>((64u << i / 2) + i % 2);
         for (unsigned int i = 0; i < 11; i++) {
             copy.counters[40 + i].when[0].size = static_cast<u16>(i < 10 ? 2u << i : 3u << 11);
             copy.counters[40 + i].standard[0] = {MACSTATS_STD_HIST_RX, 1};
         })},
    {"two rows of the first bucket",
     {},
     BROKEN(ll40g_model, copy.counters[38].when[0].size = MACSTATS_SIZE_64;
            copy.counters[38].standard[0] = {MACSTATS_STD_HIST_RX, 1};)},
    {"two rows of each bucket, more than there may be buckets",
     {},
     BROKEN(ll40g_model, for (unsigned int i = 0; i < 7; i++) {
         std::ranges::copy(copy.counters[40 + i].when, copy.counters[32 + i].when);
         copy.counters[32 + i].standard[0] = {MACSTATS_STD_HIST_RX, 1};
     })},
    {"a row of each MAC in each bucket",
     {},
     BROKEN(ll40g_model, for (unsigned int i = 0; i < 7; i++) {
         std::ranges::copy(copy.counters[40 + i].when, copy.counters[32 + i].when);
         copy.counters[32 + i].standard[0] = {MACSTATS_STD_HIST_RX, 1};
         copy.counters[32 + i].mac = MACSTATS_MAC_PREEMPTIBLE;
         copy.counters[40 + i].mac = MACSTATS_MAC_EXPRESS;
     })},
    {"priorities that a register shows one by one",
     {},
     BROKEN(am65_cpsw_model, copy.counter("tx_pri3_frames").present = {0x22330, 8};)},
    {"a row of one MAC that feeds nothing",
     {},
     BROKEN(ll40g_model, copy.counter("rx_st").mac = MACSTATS_MAC_EXPRESS;)},
    {"a counter apart, right behind the registers of the last port",
     {},
     BROKEN(clearing_model, copy.model.ports = 2; copy.model.port_stride = 0x10;
            copy.model.n_reserved = 0; copy.model.n_counters = 2; copy.counters[1].offset = 0x31;
            copy.counters[1].port_stride = 1;)},
    {"a high word behind a counter at the first address",
     {},
     BROKEN(rolling_model, copy.counters[0].offset = 0; copy.model.n_reserved = 1;
            copy.model.reserved[0] = {1, 1, MACSTATS_READS_HIGH_WORD};)},
    {"a window beside counters with addresses",
     {},
     BROKEN(k1_emac_model, copy.model.blocks[0].window = 0; copy.drop(MACSTATS_WINDOW_ROLES, 1);)},
    {"a window of one data register",
     {},
     BROKEN(k1_emac_model, copy.drop(MACSTATS_ROLE_WINDOW_HIGH, 1);
            for (macstats_counter & row
                 : copy.counters) if (!row.block) row.bits = 16;)},
    {"a dump of parts of words", {}, BROKEN(rtl_tally_model, )},
    {"a switched maximum where a bit disables the one of a register",
     {},
     BROKEN(ll40g_model, copy.model.max_frame_switch = {1518, 9600};
            copy.give(0x845, 2, MACSTATS_ROLE_MAX_FRAME_SWITCH);
            copy.give(0x845, 3, MACSTATS_ROLE_MAX_FRAME_ENABLE);)},
    {"a bit that enables the maximum of one direction",
     {},
     BROKEN(ll40g_model, copy.drop(MACSTATS_ROLE_MAX_FRAME_RX);
            copy.give(0x845, 3, MACSTATS_ROLE_MAX_FRAME_ENABLE);)},
    {"rows for a speed and against another one",
     {},
     BROKEN(k1_emac_model, copy.counters[0].when[0].with = MACSTATS_OPT_10M;
            copy.counters[1].when[0].without = MACSTATS_OPT_10M | MACSTATS_OPT_100M;)},
    {"a counter of the last port that ends at the last address but one",
     {},
     BROKEN(clearing_model, copy.model.ports = 2; copy.model.port_stride = 0x10;
            copy.model.n_reserved = 0; copy.counters[3].offset = 0xffffffee;)},
};

constexpr Case bad[] = {
    // The tables themselves.
    {"no counters", {too_many_rows, Part::counters},
     BROKEN(ll40g_model, copy.model.n_counters = 0;)},
    {"513 counters", {too_many_rows, Part::counters},
     BROKEN(ll40g_model, copy.model.n_counters = MACSTATS_MAX_COUNTERS + 1;)},
    {"65 registers", {too_many_rows, Part::registers},
     BROKEN(ll40g_model, copy.model.n_registers = MACSTATS_MAX_REGISTERS + 1;)},
    {"no block", {too_many_rows, Part::blocks}, BROKEN(ll40g_model, copy.model.n_blocks = 0;)},
    {"5 blocks", {too_many_rows, Part::blocks},
     BROKEN(ll40g_model, copy.model.n_blocks = MACSTATS_MAX_BLOCKS + 1;)},
    {"9 reserved ranges", {too_many_rows, Part::reserved},
     BROKEN(ll40g_model, copy.model.n_reserved = MACSTATS_MAX_RESERVED + 1;)},
    {"5 regions", {too_many_rows, Part::regions},
     BROKEN(cpsw_model, copy.model.n_regions = MACSTATS_MAX_REGIONS + 1;)},
    {"9 identities", {too_many_identities, Part::registers, 13},
     BROKEN(ll40g_model, copy.reg("TXSTAT_REVID").roles = MACSTATS_ROLE_IDENTITY;
            copy.reg("RXSTAT_REVID").roles = MACSTATS_ROLE_IDENTITY;
            copy.give(0x846, 0, MACSTATS_ROLE_IDENTITY);)},

    // Texts.
    {"a model without a name", {text_missing, Part::model},
     BROKEN(ll40g_model, copy.model.name = "";)},
    {"a model without a title", {text_missing, Part::model},
     BROKEN(ll40g_model, copy.model.title = "";)},
    {"a model without a source", {text_missing, Part::model},
     BROKEN(ll40g_model, copy.model.datasheet = "";)},
    {"a counter without a name", at_counter(text_missing, 5),
     BROKEN(ll40g_model, copy.counters[5].name = "";)},
    {"a counter without a datasheet name", at_counter(text_missing, 5),
     BROKEN(ll40g_model, copy.counters[5].reg = "";)},
    {"a counter without a help text", at_counter(text_missing, 5),
     BROKEN(ll40g_model, copy.counters[5].help = "";)},
    {"a register without a name", {text_missing, Part::registers, 2},
     BROKEN(ll40g_model, copy.registers[2].name = "";)},
    {"a register without a help text", {text_missing, Part::registers, 2},
     BROKEN(ll40g_model, copy.registers[2].help = "";)},
    {"a field without a name", at_field(text_missing, 7, 1),
     BROKEN(ll40g_model, copy.registers[7].fields[1].name = "";)},
    {"a field without a help text", at_field(text_missing, 7, 1),
     BROKEN(ll40g_model, copy.registers[7].fields[1].help = "";)},
    {"a block without a name", {text_missing, Part::blocks, 1},
     BROKEN(ll40g_model, copy.model.blocks[1].name = "";)},

    {"a region without a name", {text_missing, Part::regions, 2},
     BROKEN(cpsw_model, copy.model.regions[2].name = "";)},

    {"a counter whose help text is not set", at_counter(text_missing, 5),
     BROKEN(ll40g_model, copy.counters[5].help = nullptr;)},
    {"a field whose name is not set", at_field(text_missing, 7, 1),
     BROKEN(ll40g_model, copy.registers[7].fields[1].name = nullptr;)},
    {"a status field without a help text", {text_missing, Part::tx_status, 4},
     BROKEN(rc32438_model, copy.descriptor.tx[4].help = nullptr;)},
    {"counters without a table", {table_missing, Part::counters},
     BROKEN(ll40g_model, copy.model.counters = nullptr;)},
    {"registers without a table", {table_missing, Part::registers},
     BROKEN(ll40g_model, copy.model.registers = nullptr;)},
    {"a descriptor status without a table", {table_missing, Part::tx_status},
     BROKEN(rc32438_model, copy.descriptor.tx_status = nullptr;)},

    {"a receive descriptor's status without a table", {table_missing, Part::rx_status},
     BROKEN(rc32438_model, copy.descriptor.rx_status = nullptr;)},
    {"a receive status field without a help text", {text_missing, Part::rx_status, 1},
     BROKEN(rc32438_model, copy.descriptor.rx[1].help = nullptr;)},

    // The first row of each table.
    {"a first counter without a name", at_counter(text_missing),
     BROKEN(ll40g_model, copy.counters[0].name = "";)},
    {"a first register without a name", {text_missing, Part::registers, 0},
     BROKEN(ll40g_model, copy.registers[0].name = "";)},
    {"a first field without a name", at_field(text_missing, 0, 0),
     BROKEN(ll40g_model, copy.registers[0].fields[0].name = "";)},
    {"a first block without a name", {text_missing, Part::blocks, 0},
     BROKEN(ll40g_model, copy.model.blocks[0].name = "";)},
    {"a first region without a name", {text_missing, Part::regions, 0},
     BROKEN(cpsw_model, copy.model.regions[0].name = "";)},
    {"a first status field without a name", {text_missing, Part::tx_status, 0},
     BROKEN(rc32438_model, copy.descriptor.tx[0].name = "";)},
    {"a first receive status field without a name", {text_missing, Part::rx_status, 0},
     BROKEN(rc32438_model, copy.descriptor.rx[0].name = "";)},
    {"an unknown access to the first register", {unknown_value, Part::registers, 0},
     BROKEN(ll40g_model, copy.registers[0].access = 2;)},
    {"a first block that one of two options builds", {block_option, Part::blocks, 0},
     BROKEN(ll40g_model, copy.model.blocks[0].option = MACSTATS_OPT_VLAN_DETECTION;)},
    {"a first region that ends before it begins", {order, Part::regions, 0},
     BROKEN(cpsw_model, copy.model.regions[0].first = copy.model.regions[0].last + 1;)},
    {"a second region with the name of the first one", {name_twice, Part::regions, 1},
     BROKEN(cpsw_model, copy.model.regions[1].name = copy.model.regions[0].name;)},
    {"a first register in no region", {no_such_region, Part::registers, 0},
     BROKEN(cpsw_model, copy.registers[0].offset = copy.model.regions[1].first - 4;)},
    {"a first counter in no region", at_counter(no_such_region),
     BROKEN(cpsw_model, copy.model.regions[0].first += 4;)},
    {"a first reserved range that ends before it begins", {order, Part::reserved, 0},
     BROKEN(ll40g_model, copy.model.reserved[0].last = copy.model.reserved[0].first - 1;)},
    {"a second reserved range on the first one", {overlap, Part::reserved, 1},
     BROKEN(ll40g_model, copy.model.reserved[1] = copy.model.reserved[0];)},
    {"a parity error of the first block that cannot be cleared",
     at_field(role_incomplete, 8, 0),
     BROKEN(ll40g_model, copy.drop(MACSTATS_ROLE_PARITY_CLEAR, 1);)},
    {"a register on the first counter", {overlap, Part::registers, 1},
     BROKEN(ll40g_model, copy.registers[1].offset = 0x800;)},

    // Descriptors.
    {"a status field without bits", {status_bits, Part::tx_status, 1},
     BROKEN(rc32438_model, copy.descriptor.tx[1].bits = 0;)},
    {"a status field behind the last bit", {status_bits, Part::tx_status, 0},
     BROKEN(rc32438_model, copy.descriptor.tx[0].lsb = 32; copy.descriptor.tx[0].bits = 1;)},
    {"a status field with one bit behind the last", {status_bits, Part::rx_status, 1},
     BROKEN(rc32438_model, copy.descriptor.rx[1].lsb = 30; copy.descriptor.rx[1].bits = 3;)},
    {"a status field on a bit of another", {status_bits, Part::rx_status, 1},
     BROKEN(rc32438_model, copy.descriptor.rx[1].lsb = copy.descriptor.rx[0].lsb;)},
    {"a descriptor without a bit for the last one", {status_bits, Part::descriptor},
     BROKEN(rc32438_model, copy.descriptor.last = 0;)},
    {"a descriptor with one bit for first and last", {status_bits, Part::descriptor},
     BROKEN(rc32438_model, copy.descriptor.first = copy.descriptor.last;)},
    {"a descriptor with a control that no status has", {status_bits, Part::descriptor},
     BROKEN(rc32438_model, copy.descriptor.huge = 1u << 31;)},
    {"a descriptor with a control of two bits", {status_bits, Part::descriptor},
     BROKEN(rc32438_model, copy.descriptor.huge = 3u << 5;)},
    {"a descriptor that overrides nothing", {status_bits, Part::descriptor},
     BROKEN(
         rc32438_model, copy.descriptor.huge = 0; copy.descriptor.append_crc = 0;)},
    {"a descriptor with controls that nothing overrides", {status_bits, Part::descriptor},
     BROKEN(rc32438_model, copy.descriptor.override = 0;)},
    {"an unknown kind of frames that have a descriptor", {unknown_value, Part::rx_described, 1},
     BROKEN(rc32438_model, copy.descriptor.rx_described[1].kind = 1 << 4;)},
    {"a gap in the frames that have a descriptor", {gap_in_list, Part::rx_described, 1},
     BROKEN(rc32438_model, copy.descriptor.rx_described[1].direction = 0;)},
    {"an unknown kind of the first frames that have a descriptor",
     {unknown_value, Part::rx_described, 0},
     BROKEN(rc32438_model, copy.descriptor.rx_described[0].kind = 1 << 4;)},
    {"frames that have a descriptor behind an empty rule", {gap_in_list, Part::rx_described, 1},
     BROKEN(rc32438_model, copy.descriptor.rx_described[0] = {};)},
    {"descriptors of transmitted frames only, without a bit for the first one",
     {status_bits, Part::descriptor},
     BROKEN(rc32438_model, copy.descriptor.n_rx_status = 0; copy.descriptor.first = 0;)},
    {"a receive status without the first one's bit", {status_bits, Part::descriptor},
     BROKEN(rc32438_model, copy.descriptor.rx_status++; copy.descriptor.n_rx_status--;)},
    {"a row of a status that its mask leaves out", at_counter(unknown_value, 5),
     BROKEN(rc32438_model, copy.counters[5].status.value |= ~copy.counters[5].status.mask;)},
    {"a row that adds octets and attempts", at_counter(unknown_value, 6),
     BROKEN(rc32438_model, copy.counters[6].status.adds_attempts = true;)},
    {"a row of received frames with at least one collision", at_counter(unknown_value, 22),
     BROKEN(rc32438_model, copy.counters[22].status.low = 1;)},
    {"a row of received frames with at most one collision", at_counter(unknown_value, 22),
     BROKEN(rc32438_model, copy.counters[22].status.high = 1;)},
    {"a row of a register behind all those of descriptors", at_counter(order, 30),
     BROKEN(rc32438_model, copy.counters[31].status.mask = 0;)},
    {"a retry limit of five bits", at_field(retry_width, 20, 0),
     BROKEN(rc32438_model, copy.field(0x210, 0).bits = 5;)},
    {"a row that adds octets and collisions", at_counter(unknown_value, 6),
     BROKEN(rc32438_model, copy.counters[6].status.adds_collisions = true;)},
    {"a row of received frames that adds attempts", at_counter(unknown_value, 22),
     BROKEN(rc32438_model, copy.counters[22].status.adds_attempts = true;)},
    {"a row of received frames with a bit of transmitted ones", at_counter(unknown_value, 22),
     BROKEN(rc32438_model, copy.counters[22].status.mask |= 1u << 15;)},

    // Bus, ports, sizes, options.
    {"a bus of 64 bits", {bus_width}, BROKEN(errors_model, copy.model.bus_bits = 64;)},
    {"a bus of 24 bits", {bus_width}, BROKEN(ll40g_model, copy.model.bus_bits = 24;)},
    {"a bus of 0 bits", {bus_width}, BROKEN(ll40g_model, copy.model.bus_bits = 0;)},
    {"addresses of nothing", {bus_width}, BROKEN(ll40g_model, copy.model.address_unit_bits = 0;)},
    {"addresses of two bus words", {bus_width},
     BROKEN(ll40g_model, copy.model.address_unit_bits = 64;)},
    {"no line rate", {line_rate}, BROKEN(ll40g_model, copy.model.line_rate_bps = 0;)},
    {"a line rate of less than a bit per microsecond", {line_rate},
     BROKEN(ll40g_model, copy.model.line_rate_bps = 999999;)},
    {"a line rate that overflows with the number of lines", {line_rate},
     BROKEN(cpsw_model, copy.model.line_rate_bps = 1ull << 63;)},
    {"a line rate above 10 Tb/s", {line_rate},
     BROKEN(ll40g_model, copy.model.line_rate_bps = 10000000000001;)},
    {"a last counter whose second word has no address", {address_space, Part::counters, 57},
     BROKEN(ll40g_model, copy.counters[57].offset = 0xffffffff;)},
    {"a counter at the last address", {address_space, Part::counters, 3},
     BROKEN(clearing_model, copy.counters[3].offset = 0xffffffff;)},
    {"a counter of the last port at the last address", {address_space, Part::counters, 3},
     BROKEN(clearing_model, copy.model.ports = 2; copy.model.port_stride = 0x10;
            copy.model.n_reserved = 0; copy.counters[3].offset = 0xffffffef;)},
    {"a last port whose address wraps", {address_space, Part::counters, 0},
     BROKEN(ixf1104_model, copy.model.port_stride = 0x80000000;)},
    {"no port", {no_ports}, BROKEN(ll40g_model, copy.model.ports = 0;)},
    {"two ports at one place", {port_stride}, BROKEN(ll40g_model, copy.model.ports = 2;)},
    {"two ports, one word apart", {port_stride},
     BROKEN(ll40g_model, copy.model.ports = 2; copy.model.port_stride = 1;)},
    {"two ports, a page apart", {port_stride},
     BROKEN(ll40g_model, copy.model.ports = 2; copy.model.port_stride = 0x100;)},
    {"a third port on the first one's last reserved word", {port_stride},
     BROKEN(ll40g_model, copy.model.ports = 3;
            copy.model.port_stride = (0x963 - 0x407) / 2;)},
    {"a counter apart that a read does not clear", at_counter(apart, 51),
     BROKEN(ixf1104_model, copy.counters[51].onread = MACSTATS_ONREAD_NONE;)},
    {"a counter apart among those of other ports", at_counter(apart, 51),
     BROKEN(ixf1104_model, copy.counters[51].offset = 0x1d8;)},
    {"a counter apart of a device with one port", at_counter(apart, 51),
     BROKEN(ixf1104_model, copy.model.ports = 1; copy.model.port_stride = 0;)},
    {"counters apart that overlap", {port_stride},
     BROKEN(ixf1104_model, copy.counters[52].offset = 0x596;)},
    {"two edges alike", {edge_order, Part::sizes, 1},
     BROKEN(ll40g_model, copy.model.sizes.edge[1] = 64;)},
    {"an edge below the one before it", {edge_order, Part::sizes, 3},
     BROKEN(ll40g_model, copy.model.sizes.edge[3] = 100;)},
    {"an edge behind the end of the list", {edge_order, Part::sizes, 5},
     BROKEN(ll40g_model, copy.model.sizes.edge[4] = 0;)},
    {"an edge that passes the next one for tagged frames", {edge_order, Part::sizes, 1},
     BROKEN(ll40g_model, copy.model.sizes.tagged_edges = 1u << 0;)},
    {"a tagged edge behind the end of the list", {edge_order, Part::sizes, 7},
     BROKEN(ll40g_model, copy.model.sizes.tagged_edges = 1u << 7;)},
    {"an edge that a tagged frame never reaches", {edge_range, Part::sizes, 6},
     BROKEN(ll40g_model, copy.model.sizes.edge[6] = 65532;
            copy.model.sizes.tagged_edges = 1u << 6;)},
    {"two edges alike for untagged frames only", {edge_order, Part::sizes, 1},
     BROKEN(wide_model, copy.model.sizes = {{64, 64, 128}, 1u << 1};)},
    {"a first counter apart that a read does not clear", at_counter(apart),
     BROKEN(clearing_model, copy.model.ports = 2; copy.model.port_stride = 0x10;
            copy.model.n_reserved = 0; copy.model.n_counters = 1;
            copy.counters[0].port_stride = 1;
            copy.counters[0].onread = MACSTATS_ONREAD_NONE;)},
    {"an edge that meets the next one for tagged frames", {edge_order, Part::sizes, 1},
     BROKEN(wide_model, copy.model.sizes = {{64, 68, 128}, 1u << 0};)},
    {"an edge below the one before it for untagged frames only", {edge_order, Part::sizes, 1},
     BROKEN(wide_model, copy.model.sizes = {{64, 62, 128}, 1u << 1};)},
    {"two ports with one block of two lines", {lines_of_ports},
     BROKEN(rc32438_model, copy.model.block_lines = 2;)},
    {"a speed of 10 Mb/s that is the line rate", {speed},
     BROKEN(rc32438_model, copy.model.line_rate_bps = 10000000;)},
    {"a counter apart on the last register of the last port", at_counter(apart, 1),
     BROKEN(clearing_model, copy.model.ports = 2; copy.model.port_stride = 0x10;
            copy.model.n_reserved = 0; copy.model.n_counters = 2;
            copy.counters[1].offset = 0x30; copy.counters[1].port_stride = 1;)},
    {"two ports, where only the first counter meets the last one", {port_stride},
     BROKEN(clearing_model, copy.model.ports = 2; copy.model.port_stride = 2;
            copy.model.n_reserved = 0; copy.model.n_counters = 2;
            copy.counters[1].offset = 0x22;)},
    {"two ports, where only a register meets the first counter", {port_stride},
     BROKEN(decrement_model, copy.model.ports = 2; copy.model.port_stride = 0x40 - 0x0c;)},
    {"a last edge that is the one before it", {edge_order, Part::sizes, 6},
     BROKEN(ll40g_model, copy.model.sizes.edge[6] = 1024;)},
    {"padding to less than what is sent", {padding}, BROKEN(ll40g_model, copy.model.tx_pad_to = 8;)},
    {"an option that does not exist", {unknown_option},
     BROKEN(ll40g_model, copy.model.options |= 0x80;)},
    {"a speed that is the line rate", {speed},
     BROKEN(rc32438_model, copy.model.options |= MACSTATS_OPT_100M;)},
    {"a low speed by default", {speed},
     BROKEN(rc32438_model, copy.model.default_options |= MACSTATS_OPT_10M;)},
    {"a default that is no option of the model", {unknown_option},
     BROKEN(ll40g_model, copy.model.default_options |= MACSTATS_OPT_FIBER;)},
    {"a row for an option that the model lacks", at_counter(unknown_option),
     BROKEN(ll40g_model, copy.counters[0].when[0].with = MACSTATS_OPT_FIBER;)},
    {"a row against an option that the model lacks", at_counter(unknown_option),
     BROKEN(ll40g_model, copy.counters[0].when[0].without = MACSTATS_OPT_HALF_DUPLEX;)},
    {"a row for and against one option", at_counter(unknown_option),
     BROKEN(ll40g_model, copy.counters[0].when[0].with = MACSTATS_OPT_VARIANT;
            copy.counters[0].when[0].without = MACSTATS_OPT_VARIANT;)},
    {"a row for a speed that the model lacks", at_counter(unknown_option),
     BROKEN(ll40g_model, copy.counters[0].when[0].with = MACSTATS_OPT_10M;)},
    {"a row for and against one speed", at_counter(unknown_option),
     BROKEN(k1_emac_model, copy.counters[0].when[0].with = MACSTATS_OPT_100M;
            copy.counters[0].when[0].without = MACSTATS_OPT_100M;)},
    {"a row for a setting that the model lacks", at_counter(unknown_option, 18),
     BROKEN(ixf1104_model, copy.counters[18].when[1].with = MACSTATS_OPT_SETTING_2;)},
    {"a variant without an explanation", {variant_unexplained},
     BROKEN(ll40g_model, copy.model.variant = "";)},
    {"payload of a variant without a variant", {no_variant},
     BROKEN(ll40g_agilex5_model, copy.model.variant_control_overhead = 18;)},
    {"several ports that share one block of several lines", {lines_of_ports},
     BROKEN(ixf1104_model, copy.model.block_lines = 2;)},
    {"too many lines", {lines_of_ports}, BROKEN(cpsw_model, copy.model.block_lines = 17;)},
    {"a revision without a name", {text_missing, Part::revisions, 1},
     BROKEN(e1000e_model, copy.model.revisions[1] = "";)},
    {"a revision behind one without a name", {gap_in_list, Part::revisions, 2},
     BROKEN(e1000e_model, copy.model.revisions[1] = nullptr;)},
    {"a revision of capital letters", {name_not_snake_case, Part::revisions, 3},
     BROKEN(e1000e_model, copy.model.revisions[3] = "I225";)},
    {"a revision twice", {name_twice, Part::revisions, 3},
     BROKEN(e1000e_model, copy.model.revisions[3] = "pch";)},
    {"a revision without an option", {revision_options},
     BROKEN(e1000e_model, copy.model.options &= ~MACSTATS_OPT_REVISION_3;)},
    {"an option without a revision", {revision_options},
     BROKEN(e1000e_model, copy.model.revisions[3] = nullptr;)},
    {"an option for a revision of a model that has none", {revision_options},
     BROKEN(ll40g_model, copy.model.options |= MACSTATS_OPT_REVISION_2;)},
    {"a later revision by default", {revision_options},
     BROKEN(e1000e_model, copy.model.default_options |= MACSTATS_OPT_REVISION_2;)},
    {"a row of a revision that the model lacks", at_counter(no_such_revision, 3),
     BROKEN(e1000e_model, copy.counters[3].revisions = 1u << 4;)},
    {"a row of a revision of a model that has none", at_counter(no_such_revision),
     BROKEN(ll40g_model, copy.counters[0].revisions = 1;)},
    {"a row that descriptors feed in one revision", at_counter(no_such_revision, 5),
     BROKEN(rc32438_model, copy.model.revisions[0] = "one"; copy.counters[5].revisions = 1;)},
    {"a row for a revision that the model lacks", at_counter(unknown_option),
     BROKEN(ll40g_model, copy.counters[0].when[0].with = MACSTATS_OPT_REVISION_2;)},
    {"two rows of one address in one revision", at_counter(overlap, 15),
     BROKEN(e1000e_model, copy.counters[15].revisions = 2;)},
    {"two rows of one address, one of them in all revisions", at_counter(overlap, 15),
     BROKEN(e1000e_model, copy.counters[15].revisions = 0;)},
    {"three rows of one address, of which the first and the last meet", at_counter(overlap, 15),
     BROKEN(e1000e_model, copy.counters[13].offset = 0x403c; copy.counters[13].revisions = 1;
            copy.counters[14].revisions = 2; copy.counters[15].revisions = 1;)},
    {"two rows of one address, of which a read clears one", at_counter(shared_word, 15),
     BROKEN(e1000e_model, copy.counters[15].onread = MACSTATS_ONREAD_NONE;)},
    {"two rows of one address, the second of two words", at_counter(shared_word, 15),
     BROKEN(e1000e_model, copy.counters[15].bits = 64;
            copy.counters[14].latch = copy.counters[15].latch = true;)},
    {"two rows of one address, the first of two words", at_counter(shared_word, 15),
     BROKEN(e1000e_model, copy.counters[14].bits = 64;
            copy.counters[14].latch = copy.counters[15].latch = true;)},
    {"a row within the second word of one of another revision", at_counter(overlap, 15),
     BROKEN(e1000e_model, copy.counters[13].offset = 0x4034; copy.counters[13].revisions = 1;
            copy.counters[14].offset = 0x4038; copy.counters[14].bits = 64;
            copy.counters[14].latch = true;)},
    {"a flow-control bit that cannot be written", at_field(role_access, 8, 1),
     BROKEN(ll40g_model, copy.give(0x846, 1, MACSTATS_ROLE_FLOW_CONTROL);)},

    // Values outside of their enumeration.
    {"an unknown power-up", {unknown_value}, BROKEN(ll40g_model, copy.model.power_up = 2;)},
    {"a row that descriptors feed and frames, too", at_counter(status_row_with_frames, 5),
     BROKEN(rc32438_model, copy.counters[5].when[0].direction = MACSTATS_TX;)},
    {"errors that the frames of the row tell", at_counter(frames_of_none),
     BROKEN(ll40g_model, copy.counters[0].errors_only = true;)},
    {"frames of a row that none reaches", at_counter(frames_of_none),
     BROKEN(ll40g_model, copy.counters[0].never = true;)},
    {"a row that descriptors feed, of no block", at_counter(no_such_block, 5),
     BROKEN(rc32438_model, copy.counters[5].block = 200;)},
    {"a row of a status that no descriptor has", at_counter(unknown_value, 5),
     BROKEN(rc32438_model, copy.counters[5].status.mask = 1u << 31;)},
    {"a row of a register behind those of descriptors", at_counter(order, 5),
     BROKEN(rc32438_model, copy.counters[6].status.mask = 0; copy.counters[6].offset = 0x138;)},
    {"no unit", at_counter(unknown_value), BROKEN(ll40g_model, copy.counters[0].unit = 0;)},
    {"an unknown unit", at_counter(unknown_value), BROKEN(ll40g_model, copy.counters[0].unit = 7;)},
    {"an unknown effect of a read", at_counter(unknown_value),
     BROKEN(ll40g_model, copy.counters[0].onread = 2;)},
    {"an unknown effect of a write", at_counter(unknown_value),
     BROKEN(ll40g_model, copy.counters[0].onwrite = 2;)},
    {"an unknown overflow", at_counter(unknown_value),
     BROKEN(ll40g_model, copy.counters[0].overflow = 2;)},
    {"an unknown direction", at_counter(unknown_value),
     BROKEN(ll40g_model, copy.counters[0].when[0].direction = 4;)},
    {"an unknown destination", at_counter(unknown_value),
     BROKEN(ll40g_model, copy.counters[0].when[0].destination = 8;)},
    {"an unknown kind", at_counter(unknown_value),
     BROKEN(ll40g_model, copy.counters[0].when[0].kind = 16;)},
    {"an unknown origin", at_counter(unknown_value),
     BROKEN(ll40g_model, copy.counters[0].when[0].origin = 8;)},
    {"unknown tags", at_counter(unknown_value),
     BROKEN(ll40g_model, copy.counters[0].when[0].tags = 8;)},
    {"an unknown excess", at_counter(unknown_value),
     BROKEN(ll40g_model, copy.counters[0].when[0].excess = 8;)},
    {"unknown collisions", at_counter(unknown_value),
     BROKEN(ll40g_model, copy.counters[0].when[0].collisions = 16;)},
    {"unknown errors", at_counter(unknown_value),
     BROKEN(ll40g_model, copy.counters[0].when[0].errors = 1u << 12;)},
    {"unknown errors, excluded", at_counter(unknown_value),
     BROKEN(ll40g_model, copy.counters[0].when[0].no_errors = 1u << 15;)},
    {"an unknown access to a register", {unknown_value, Part::registers, 4},
     BROKEN(ll40g_model, copy.registers[4].access = 2;)},
    {"an unknown access to a field", at_field(unknown_value, 0, 0),
     BROKEN(ll40g_model, copy.field(0x407, 0).access = 2;)},
    {"an unknown role", at_field(unknown_value, 0, 0),
     BROKEN(ll40g_model, copy.field(0x407, 0).roles = 1u << MACSTATS_ROLES;)},
    {"an unknown role of a register", {unknown_value, Part::registers, 3},
     BROKEN(ll40g_model, copy.registers[3].roles = 1u << 31;)},
    {"unknown content of a reserved range", {unknown_value, Part::reserved, 2},
     BROKEN(ll40g_model, copy.model.reserved[2].content = 3;)},
    {"a high word of two words", {high_word, Part::reserved, 0},
     BROKEN(e1000_model, copy.model.reserved[0].last = 0x4093; copy.counters[31].offset = 0x4098;)},
    {"a high word behind no counter", {high_word, Part::reserved, 3},
     BROKEN(e1000_model, copy.model.reserved[3] = {0x4104, 0x4107, MACSTATS_READS_HIGH_WORD};)},
    {"a high word behind a counter that a read clears", {high_word, Part::reserved, 0},
     BROKEN(e1000_model, copy.counters[30].onread = MACSTATS_ONREAD_RCLR;)},
    {"a high word behind a counter that saturates", {high_word, Part::reserved, 0},
     BROKEN(e1000_model, copy.counters[30].overflow = MACSTATS_SATURATE;)},

    // Names.
    {"a name of 32 characters", at_counter(name_too_long),
     BROKEN(ll40g_model, copy.counters[0].name = "tx_45678901234567890123456789012";)},
    {"a capital letter", at_counter(name_not_snake_case),
     BROKEN(ll40g_model, copy.counters[0].name = "tx_Fragments";)},
    {"a space", at_counter(name_not_snake_case),
     BROKEN(ll40g_model, copy.counters[0].name = "tx fragments";)},
    {"a hyphen", at_counter(name_not_snake_case),
     BROKEN(ll40g_model, copy.counters[0].name = "tx_frag-ments";)},
    {"two underscores", at_counter(name_not_snake_case),
     BROKEN(ll40g_model, copy.counters[0].name = "tx__fragments";)},
    {"an underscore at the end", at_counter(name_not_snake_case),
     BROKEN(ll40g_model, copy.counters[0].name = "tx_fragments_";)},
    {"an underscore at the front", at_counter(name_not_snake_case),
     BROKEN(ll40g_model, copy.counters[0].name = "_tx_fragments";)},
    {"a letter beyond ASCII", at_counter(name_not_snake_case),
     BROKEN(ll40g_model, copy.counters[0].name = "tx_fr\xc3\xa4gments";)},
    {"no direction in the name", at_counter(name_prefix),
     BROKEN(ll40g_model, copy.counters[0].name = "fragments";)},
    {"a direction without an underscore", at_counter(name_prefix),
     BROKEN(ll40g_model, copy.counters[0].name = "txfragments";)},
    {"the other direction in the name", at_counter(name_prefix),
     BROKEN(ll40g_model, copy.counters[0].name = "rx_fragments_sent";)},
    {"both directions in the name of a row of one", at_counter(name_prefix),
     BROKEN(ll40g_model, copy.counters[0].name = "rxtx_fragments";)},
    {"one direction in the name of a row of both", at_counter(name_prefix),
     BROKEN(ll40g_model, copy.counters[0].when[0].direction = MACSTATS_RX | MACSTATS_TX;)},
    {"one direction in the name, and another alternative of the other", at_counter(name_prefix, 3),
     BROKEN(ll40g_model, copy.counters[3].when[1].direction = MACSTATS_RX;)},
    {"a row that never counts, without a direction in its name", at_counter(name_prefix),
     BROKEN(ll40g_model, copy.counters[0].when[0] = {}; copy.counters[0].name = "nothing";)},
    {"a name twice", at_counter(name_twice, 8),
     BROKEN(ll40g_model, copy.counters[8].name = "tx_fragments";)},
    {"a datasheet name twice among counters", at_counter(register_name_twice, 8),
     BROKEN(ll40g_model, copy.counters[8].reg = "CNTR_TX_FRAGMENTS";)},
    {"a datasheet name of a counter and a register", {register_name_twice, Part::registers, 3},
     BROKEN(ll40g_model, copy.registers[3].name = "CNTR_TX_FRAGMENTS";)},
    {"a datasheet name twice among registers", {register_name_twice, Part::registers, 10},
     BROKEN(ll40g_model, copy.registers[10].name = "TXSTAT_SCRATCH";)},
    {"two names that differ only in how rx is spelt", at_counter(metric_name_twice, 27),
     BROKEN(ll40g_model, copy.counter("tx_runt").name = "tx_rx_st";
            copy.counter("tx_st").name = "tx_received_st";)},
    {"two names that differ only in how tx is spelt", at_counter(metric_name_twice, 56),
     BROKEN(ll40g_model, copy.counter("rx_runt").name = "rx_seen_tx";
            copy.counter("rx_st").name = "rx_seen_transmitted";)},
    {"a name that node_exporter gives to another one", at_counter(metric_name_twice, 27),
     BROKEN(ll40g_model, copy.counter("tx_runt").name = "tx_bytes";
            copy.counter("tx_st").name = "tx_bytes_total";)},
    {"a name and the same one with its unit", at_counter(metric_name_twice, 27),
     BROKEN(ll40g_model, copy.counter("tx_runt").name = "tx_good";
            copy.counter("tx_st").name = "tx_good_frames";)},

    // Widths, places.
    {"a counter of no bits", at_counter(Violation::bits),
     BROKEN(ll40g_model, copy.counters[0].bits = 0;)},
    {"a counter of 65 bits", at_counter(Violation::bits),
     BROKEN(ll40g_model, copy.counters[0].bits = 65;)},
    {"a reset value wider than the bus", {Violation::bits, Part::registers, 1},
     BROKEN(wide_model, copy.registers[1].reset = 0x10000;)},
    {"a counter between two words", at_counter(alignment),
     BROKEN(decrement_model, copy.counters[0].offset = 0x3e;)},
    {"a register between two words", {alignment, Part::registers, 0},
     BROKEN(decrement_model, copy.registers[0].offset = 0x0d;)},
    {"counters that do not ascend", at_counter(order, 1),
     BROKEN(ll40g_model, std::swap(copy.counters[0].offset, copy.counters[1].offset);)},
    {"two counters at one place", at_counter(overlap, 1),
     BROKEN(ll40g_model, copy.counters[1].offset = 0x800;)},
    {"registers that do not ascend", {order, Part::registers, 1},
     BROKEN(ll40g_model, std::swap(copy.registers[0].offset, copy.registers[1].offset);)},
    {"two registers at one place", {overlap, Part::registers, 1},
     BROKEN(ll40g_model, copy.registers[1].offset = 0x407;)},
    {"a reserved range that ends before it begins", {order, Part::reserved, 1},
     BROKEN(ll40g_model, copy.model.reserved[1].last = 0x861;)},
    {"the low word of a counter on the high word of another", at_counter(overlap, 1),
     BROKEN(ll40g_model, copy.counters[1].offset = 0x801;)},
    {"a wider counter that reaches the next one", at_counter(overlap, 1),
     BROKEN(latching_model, copy.counters[0].bits = 64; copy.counters[1].offset = 0x104;)},
    {"a register on the low word of a counter", {overlap, Part::registers, 1},
     BROKEN(ll40g_model, copy.registers[1].offset = 0x820;)},
    {"a first register on a counter", {overlap, Part::registers, 0},
     BROKEN(decrement_model, copy.registers[0].offset = 0x40;)},
    {"a register on the high word of a counter", {overlap, Part::registers, 1},
     BROKEN(ll40g_model, copy.registers[1].offset = 0x821;)},
    {"a reserved range on a counter's last word", {overlap, Part::reserved, 0},
     BROKEN(ll40g_model, copy.model.reserved[0].first = 0x837;)},
    {"a reserved range on a register", {overlap, Part::reserved, 0},
     BROKEN(ll40g_model, copy.model.reserved[0].last = 0x840;)},
    {"a reserved range on another", {overlap, Part::reserved, 3},
     BROKEN(ll40g_model, copy.model.reserved[3] = copy.model.reserved[2];)},


    // Regions: 0 stats, 1 ss, 2 sl1, 3 wr.
    {"a region that ends before it begins", {order, Part::regions, 2},
     BROKEN(cpsw_model, copy.model.regions[2].last = 0x4a100d7f;)},
    {"a region between two words", {alignment, Part::regions, 2},
     BROKEN(cpsw_model, copy.model.regions[2].first = 0x4a100d82;)},
    {"two regions with the same name", {name_twice, Part::regions, 3},
     BROKEN(cpsw_model, copy.model.regions[3].name = "ss";)},
    {"regions that do not ascend", {order, Part::regions, 3},
     BROKEN(cpsw_model, std::swap(copy.model.regions[2], copy.model.regions[3]);)},
    {"a region that begins on the last word of another", {overlap, Part::regions, 2},
     BROKEN(cpsw_model, copy.model.regions[1].last = 0x4a100d83;)},
    {"a region that begins with the last octet of another", {overlap, Part::regions, 2},
     BROKEN(cpsw_model, copy.model.regions[1].last = copy.model.regions[2].first;)},
    {"a region that ends with the first octet of the one before it", {overlap, Part::regions, 2},
     BROKEN(cpsw_model, copy.model.regions[2].first = copy.model.regions[1].first - 0x10;
            copy.model.regions[2].last = copy.model.regions[1].first;)},
    {"regions of two ports", {region_ports},
     BROKEN(cpsw_model, copy.model.block_lines = 1; copy.model.ports = 2;
            copy.model.port_stride = 0x100;)},
    {"a counter in no region", at_counter(no_such_region, 33),
     BROKEN(cpsw_model, copy.model.regions[0].last = 0x8b;)},
    {"a counter whose last octet is in no region", at_counter(no_such_region, 33),
     BROKEN(cpsw_model, copy.model.regions[0].last = 0x8e;)},
    {"a register in no region", {no_such_region, Part::registers, 3},
     BROKEN(cpsw_model, copy.model.regions[2].last = 0x4a100d8f;)},
    {"a reserved range in no region", {no_such_region, Part::reserved, 0},
     BROKEN(cpsw_model, copy.model.reserved[0] = {0x100, 0x103, MACSTATS_READS_ZERO};)},
    {"a reserved range that leaves its region", {no_such_region, Part::reserved, 0},
     BROKEN(cpsw_model, copy.model.reserved[0] = {0x90, 0x103, MACSTATS_READS_ZERO};)},

    // Rules for the frames that a row counts.
    {"a block that is not there", at_counter(no_such_block),
     BROKEN(ll40g_model, copy.counters[0].block = 2;)},
    {"an alternative behind an empty one", at_counter(gap_in_list),
     BROKEN(ll40g_model, copy.counters[0].when[2] = copy.counters[0].when[0];)},
    {"an alternative of any errors behind an empty one", at_counter(gap_in_list, 11),
     BROKEN(ll40g_model, copy.counters[11].when[2] = copy.counters[11].when[0];)},
    {"an alternative without a direction", at_counter(gap_in_list),
     BROKEN(ll40g_model, copy.counters[0].when[0].direction = 0;)},
    {"a second alternative without a direction", at_counter(gap_in_list, 3),
     BROKEN(ll40g_model, copy.counters[3].when[1].direction = 0;)},
    {"a term behind the end of the list", at_counter(gap_in_list),
     BROKEN(ll40g_model, copy.counters[0].standard[1] = {};)},
    {"size classes with a hole", at_counter(size_mask),
     BROKEN(ll40g_model, copy.counters[0].when[0].size = MACSTATS_SIZE_UNDER_64 |
                                                         MACSTATS_SIZE_65_TO_127;)},
    {"a size class that the model does not have", at_counter(size_mask),
     BROKEN(ll40g_model, copy.counters[0].when[0].size = 1u << 8;)},

    // How a row is read.
    {"a decrement of two words", at_counter(decrement_words),
     BROKEN(decrement_model, copy.counters[0].bits = 33;)},
    {"a decrement of a part of a word", at_counter(decrement_words),
     BROKEN(decrement_model, copy.counters[0].lsb = 16; copy.counters[0].bits = 16;)},
    {"a read that clears and a write that decrements", at_counter(two_side_effects),
     BROKEN(decrement_model, copy.counters[0].onread = MACSTATS_ONREAD_RCLR;)},
    {"a write that decrements what stays at its maximum", at_counter(saturating_decrement),
     BROKEN(decrement_model, copy.counters[0].overflow = MACSTATS_SATURATE;)},
    {"a read that clears what a snapshot shows", at_counter(snapshot_side_effect),
     BROKEN(ll40g_model, copy.counters[0].onread = MACSTATS_ONREAD_RCLR;)},
    {"a write that decrements what a snapshot shows", at_counter(snapshot_side_effect),
     BROKEN(ll40g_model, copy.counters[0].onwrite = MACSTATS_ONWRITE_DECREMENT;
            copy.counters[0].bits = 32;)},
    {"two words without a latch", at_counter(torn, 1),
     BROKEN(latching_model, copy.counters[1].latch = false;)},
    {"a counter that begins too far up in its word", at_counter(field_width, 1),
     BROKEN(sharing_model, copy.counters[1].lsb = 17;)},
    {"two words of which one begins within another counter", at_counter(field_width, 4),
     BROKEN(sharing_model, copy.counters[4].lsb = 1; copy.counters[4].bits = 40;)},
    {"counters that share a bit", at_counter(overlap, 1),
     BROKEN(sharing_model, copy.counters[0].bits = 17;)},
    {"counters of one word that descend", at_counter(order, 1),
     BROKEN(sharing_model, copy.counters[0].lsb = 16; copy.counters[1].lsb = 0;)},
    {"a word of two blocks", at_counter(shared_word, 1),
     BROKEN(sharing_model, copy.counters[1].block = 1; copy.model.blocks[1].name = "other";
            copy.model.n_blocks = 2;)},
    {"a word that a read clears in part", at_counter(shared_word, 3),
     BROKEN(sharing_model, copy.counters[3].onread = MACSTATS_ONREAD_NONE;)},
    {"a word that a write decrements in part", at_counter(shared_word, 1),
     BROKEN(decrement_model, copy.counters[0].bits = 16; copy.counters[1].bits = 16;
            copy.counters[1].lsb = 16; copy.counters[1].offset = 0x40;
            copy.counters[1].onwrite = MACSTATS_ONWRITE_NONE;)},
    {"a word that latches in part", at_counter(shared_word, 3),
     BROKEN(sharing_model, copy.counters[3].latch = true;)},
    {"a word that lies apart in part", at_counter(shared_word, 3),
     BROKEN(sharing_model, copy.counters[3].port_stride = 4;)},
    {"two words that are not reread", at_counter(torn, 1),
     BROKEN(rereading_model, copy.counters[1].reread = false;)},
    {"one word that is reread", at_counter(Violation::reread),
     BROKEN(rereading_model, copy.counters[0].bits = 16;)},
    {"three words that are reread", at_counter(Violation::reread, 1),
     BROKEN(rereading_model, copy.counters[1].bits = 33;)},
    {"one access of two words of 16 bits", at_counter(read64),
     BROKEN(rereading_model, copy.model.read64 = true;)},
    {"one access of a counter that latches", at_counter(read64),
     BROKEN(latching_model, copy.model.read64 = true;)},
    {"one access of words apart", at_counter(read64, 4),
     BROKEN(altera_tse_model, copy.model.read64 = true;)},
    {"one access between multiples of 64 bits", at_counter(read64, 2),
     BROKEN(modes_model, copy.model.read64 = true; copy.counters[2].offset = 0x4c;
            copy.counters[3].offset = 0x54;)},
    {"one access between multiples of 64 bits of a port", at_counter(read64, 2),
     BROKEN(modes_model, copy.model.read64 = true; copy.model.ports = 2;
            copy.model.port_stride = 0x104;)},
    {"a latch that is reread", at_counter(Violation::reread),
     BROKEN(rereading_model, copy.counters[0].latch = true;)},
    {"a read that clears what is reread", at_counter(Violation::reread, 1),
     BROKEN(rereading_model, copy.counters[1].onread = MACSTATS_ONREAD_RCLR;)},
    {"a snapshot that is reread", at_counter(Violation::reread, 1),
     BROKEN(wide_model, copy.counters[1].bits = 32; copy.counters[1].reread = true;)},
    {"words apart that are not reread", at_counter(word_stride),
     BROKEN(rereading_model, copy.counters[0].word_stride = 0x20; copy.counters[0].reread = false;)},
    {"words apart of two ports", at_counter(word_stride),
     BROKEN(rereading_model, copy.counters[0].word_stride = 0x20; copy.model.ports = 2;
            copy.model.port_stride = 0x100;)},
    {"words apart that a bit lets reads clear", at_counter(word_stride, 2),
     BROKEN(modes_model, copy.counters[2].word_stride = 0x80;)},
    {"a high word between two words", at_counter(alignment, 4),
     BROKEN(altera_tse_model, copy.counters[4].word_stride = 0x7a;)},
    {"a high word at another counter", at_counter(overlap),
     BROKEN(rereading_model, copy.counters[0].word_stride = 2;)},
    {"a high word before its low one", at_counter(address_space, 4),
     BROKEN(altera_tse_model, copy.counters[4].word_stride = 0u - 0x60;)},
    {"a high word at a register", at_counter(overlap, 18),
     BROKEN(mt7530_model, copy.counters[18].word_stride = 0x4fe0 - 0x4048;)},
    {"two high words at one address", at_counter(overlap, 5),
     BROKEN(altera_tse_model, copy.counters[5].word_stride = 0x74;)},
    {"a high word in a reserved range", at_counter(overlap, 4),
     BROKEN(altera_tse_model, copy.model.reserved[0] = {0xe4, 0xf0, MACSTATS_READS_ZERO};
            copy.model.n_reserved = 1;)},
    {"a high word outside of all regions", at_counter(no_such_region, 5),
     BROKEN(altera_tse_model, copy.model.regions[0] = {"low", 0, 0xf3}; copy.model.n_regions = 1;)},
    {"three words without a snapshot", at_counter(torn),
     BROKEN(wide_model,
            copy.drop(MACSTATS_ROLE_SNAPSHOT_REQUEST | MACSTATS_ROLE_SNAPSHOT_GRANTED);)},

    // Bits that switch how counters behave.
    {"a read that clears, and a bit for that", at_counter(Violation::switched_read, 1),
     BROKEN(modes_model, copy.counters[1].onread = MACSTATS_ONREAD_RCLR;)},
    {"a write that decrements what a bit lets reads clear", at_counter(Violation::switched_read),
     BROKEN(modes_model, copy.counters[0].onwrite = MACSTATS_ONWRITE_DECREMENT;)},
    {"a latch that a bit lets reads clear", at_counter(Violation::switched_read, 1),
     BROKEN(modes_model, copy.counters[1].latch = true;)},
    {"a snapshot that a bit lets reads clear", at_counter(Violation::switched_read),
     BROKEN(ll40g_model, copy.give(0x845, 3, MACSTATS_ROLE_CLEAR_ON_READ);)},
    {"a window that a bit lets reads clear", at_counter(Violation::switched_read),
     BROKEN(k1_emac_model, copy.registers[0].block = 0;
            copy.give(copy.registers[0].offset, copy.registers[0].fields[0].lsb,
                      MACSTATS_ROLE_CLEAR_ON_READ);)},
    {"a counter that saturates, and a bit for that", at_counter(Violation::switched_maximum, 1),
     BROKEN(modes_model, copy.counters[1].overflow = MACSTATS_SATURATE;)},
    {"a write that decrements what a bit lets saturate", at_counter(Violation::switched_maximum, 1),
     BROKEN(modes_model, copy.drop(MACSTATS_ROLE_CLEAR_ON_READ);
            copy.counters[1].onwrite = MACSTATS_ONWRITE_DECREMENT;)},
    {"a counter that lags, and a bit that freezes it", at_counter(Violation::switched_lag),
     BROKEN(modes_model, copy.counters[0].good_frames = 1;)},
    {"a bit that lets reads clear and cannot be written", at_field(role_access, 0, 0),
     BROKEN(modes_model, copy.field(0x00, 0).access = MACSTATS_RO;)},
    {"a bit that lets counters saturate and is a command", at_field(role_access, 0, 1),
     BROKEN(modes_model, copy.field(0x00, 1).singlepulse = true;)},
    {"a bit that freezes and cannot be written", at_field(role_access, 0, 2),
     BROKEN(modes_model, copy.field(0x00, 2).access = MACSTATS_RO;)},
    {"two bits that freeze one block", at_field(role_twice, 0, 2),
     BROKEN(modes_model, copy.give(0x00, 1, MACSTATS_ROLE_FREEZE);)},

    // Dumps and windows.
    {"a read that clears what a dump copies", at_counter(snapshot_side_effect),
     BROKEN(rtl_tally_model, copy.counters[0].onread = MACSTATS_ONREAD_RCLR;)},
    {"a write that decrements what a dump copies", at_counter(snapshot_side_effect, 3),
     BROKEN(rtl_tally_model, copy.counters[3].onwrite = MACSTATS_ONWRITE_DECREMENT;)},
    {"a latch in memory", at_counter(snapshot_side_effect, 1),
     BROKEN(rtl_tally_model, copy.counters[1].latch = true;)},
    {"a copy that is reread", at_counter(Violation::reread, 1),
     BROKEN(rtl_tally_model, copy.counters[1].reread = true;)},
    {"two words in memory without a dump", at_counter(torn),
     BROKEN(rtl_tally_model, copy.drop(MACSTATS_ROLE_DUMP);)},
    {"a counter before the first of its window", at_counter(Violation::window),
     BROKEN(k1_emac_model, copy.model.blocks[0].window += 4;)},
    {"a number with too many bits for its window", at_counter(Violation::window, 28),
     BROKEN(k1_emac_model, copy.field(0x1a8, 0).bits = 4;)},
    {"a value with too many bits for its window", at_counter(Violation::window, 12),
     BROKEN(k1_emac_model, copy.field(0x1ac, 0).bits = 15;)},
    {"a value of two halves in a window of one", at_counter(Violation::window),
     BROKEN(k1_emac_model, copy.drop(MACSTATS_ROLE_WINDOW_HIGH, 1);)},
    {"a part of a word in a window", at_counter(Violation::window, 2),
     BROKEN(k1_emac_model, copy.counters[2].lsb = 16; copy.counters[2].bits = 16;)},
    {"a latch in a window", at_counter(Violation::window, 2),
     BROKEN(k1_emac_model, copy.counters[2].latch = true;)},
    {"a window that is reread", at_counter(Violation::window, 2),
     BROKEN(k1_emac_model, copy.counters[2].reread = true;)},
    {"a read that clears a counter of a window", at_counter(Violation::window, 2),
     BROKEN(k1_emac_model, copy.counters[2].onread = MACSTATS_ONREAD_RCLR;)},
    {"a write that decrements a counter of a window", at_counter(Violation::window, 2),
     BROKEN(k1_emac_model, copy.counters[2].onwrite = MACSTATS_ONWRITE_DECREMENT;)},
    {"a counter of a window that lies apart", at_counter(Violation::window, 2),
     BROKEN(k1_emac_model, copy.counters[2].port_stride = 4;)},
    {"the command of a window that the block does not have", {Violation::window, Part::blocks, 1},
     BROKEN(k1_emac_model, copy.model.blocks[1].window = 0;)},
    {"the data of a window that the block does not have", {Violation::window, Part::blocks, 0},
     BROKEN(k1_emac_model, copy.model.blocks[0].window = 0;
            copy.drop(MACSTATS_WINDOW_ROLES & ~MACSTATS_ROLE_WINDOW_HIGH, 1);)},
    {"a window without a command", {Violation::window, Part::blocks, 1},
     BROKEN(k1_emac_model, copy.drop(MACSTATS_ROLE_WINDOW_START, 2);)},
    {"a window without a low word", {Violation::window, Part::blocks, 1},
     BROKEN(k1_emac_model, copy.drop(MACSTATS_ROLE_WINDOW_LOW, 2);
            for (macstats_counter& row
                 : copy.counters) row.bits = 16;)},
    {"a window whose command is in another register than the number",
     {Violation::window, Part::blocks, 1},
     BROKEN(k1_emac_model, copy.drop(MACSTATS_ROLE_WINDOW_START, 2);
            copy.reg("MAC_RX_STATCTR_DATA_LOW").access = MACSTATS_RW;
            copy.reg("MAC_RX_STATCTR_DATA_LOW").fields[1] =
                field_of(MACSTATS_RW, 16, 1, MACSTATS_ROLE_WINDOW_START);)},
    {"a window into a copy", {Violation::window, Part::blocks, 0},
     BROKEN(k1_emac_model, copy.reg("MAC_TX_STATCTR_CONTROL").fields[2] =
                               field_of(MACSTATS_RW, 16, 1, MACSTATS_ROLE_DUMP);)},

    // Standard statistics.
    {"a term of no statistic", at_counter(unknown_term),
     BROKEN(ll40g_model, copy.counters[0].standard[0].id = MACSTATS_STD_COUNT;)},
    {"a term that adds nothing", at_counter(unknown_term),
     BROKEN(ll40g_model, copy.counters[0].standard[0].factor = 0;)},
    {"a factor of nothing", at_counter(unknown_term),
     BROKEN(ll40g_model, copy.counters[0].standard[7].factor = 1;)},
    {"a statistic twice", at_counter(term_twice),
     BROKEN(ll40g_model, copy.counters[0].standard[3] = copy.counters[0].standard[0];)},
    {"a transmit row in the receive histogram", at_counter(term_direction, 11),
     BROKEN(ll40g_model, copy.counters[11].standard[0].id = MACSTATS_STD_HIST_RX;)},
    {"a receive row in the transmit histogram", at_counter(term_direction, 40),
     BROKEN(ll40g_model, copy.counters[40].standard[0].id = MACSTATS_STD_HIST_TX;)},
    {"a row of both directions in a histogram", at_counter(term_direction, 11),
     BROKEN(ll40g_model, copy.counters[11].name = "rxtx_64b";
            copy.counters[11].when[0].direction = MACSTATS_RX | MACSTATS_TX;)},
    {"a transmit row of received packets", at_counter(term_direction, 11),
     BROKEN(ll40g_model, copy.counters[11].standard[0].id = MACSTATS_STD_RTNL_RX_PACKETS;)},
    {"octets of packets", at_counter(term_unit, 11),
     BROKEN(ll40g_model, copy.counters[11].standard[0].id = MACSTATS_STD_RTNL_TX_PACKETS;
            copy.counters[11].unit = MACSTATS_OCTETS;)},
    {"collisions of frames", at_counter(term_unit, 11),
     BROKEN(ll40g_model, copy.counters[11].standard[0].id = MACSTATS_STD_SINGLE_COLLISION_FRAMES;
            copy.counters[11].unit = MACSTATS_COLLISIONS;)},
    {"octets of frames alone", at_counter(term_unit),
     BROKEN(ll40g_model, copy.counter("tx_octets_ok").standard[1] = {};)},
    {"good frames of errors", at_counter(term_good, 19),
     BROKEN(ll40g_model, copy.counter("tx_mcast_data_ok").standard[0] = {
                             MACSTATS_STD_RTNL_TX_ERRORS, 1};)},
    {"a row that never counts in a histogram", at_counter(Violation::histogram_row, 11),
     BROKEN(ll40g_model, copy.counters[11].when[0] = {};)},
    {"a histogram row counted twice", at_counter(Violation::histogram_row, 11),
     BROKEN(ll40g_model, copy.counters[11].standard[0].factor = 2;)},
    {"a histogram row of octets", at_counter(term_unit, 11),
     BROKEN(ll40g_model, copy.counters[11].unit = MACSTATS_OCTETS;)},
    {"a histogram row of any size", at_counter(Violation::histogram_row, 11),
     BROKEN(ll40g_model, copy.counters[11].when[0].size = 0;)},
    {"a histogram row of two sizes", at_counter(Violation::histogram_row, 11),
     BROKEN(ll40g_model, copy.counters[11].when[1] = copy.counters[12].when[0];)},
    {"a histogram without its first bucket", at_counter(histogram_gap, 12),
     BROKEN(ll40g_model, copy.counters[11].standard[0] = {};)},
    {"a histogram that lacks one bucket", at_counter(histogram_gap, 15),
     BROKEN(ll40g_model, copy.counters[14].standard[0] = {};)},
    {"a histogram without its open end", at_counter(histogram_gap, 16),
     BROKEN(ll40g_model, copy.counters[17].standard[0] = {};)},
    {"a receive histogram without its open end", at_counter(histogram_gap, 45),
     BROKEN(ll40g_model, copy.counters[46].standard[0] = {};)},
    {"two buckets that overlap", at_counter(histogram_gap, 13),
     BROKEN(ll40g_model, copy.counters[12].when[0].size = MACSTATS_SIZE_65_TO_127 |
                                                          MACSTATS_SIZE_128_TO_255;)},
    {"buckets that do not ascend", at_counter(histogram_gap, 12),
     BROKEN(ll40g_model,
            std::swap(copy.counters[12].when[0].size, copy.counters[13].when[0].size);)},
    {"a row of the first bucket and the next one", at_counter(histogram_gap, 40),
     BROKEN(ll40g_model,
            copy.counters[38].when[0].size = MACSTATS_SIZE_64 | MACSTATS_SIZE_65_TO_127;
            copy.counters[38].standard[0] = {MACSTATS_STD_HIST_RX, 1};)},
    {"a row of two later buckets", at_counter(histogram_gap, 38),
     BROKEN(ll40g_model,
            copy.counters[38].when[0].size =
                MACSTATS_SIZE_65_TO_127 | MACSTATS_SIZE_128_TO_255;
            copy.counters[38].standard[0] = {MACSTATS_STD_HIST_RX, 1};)},
    {"a row of the last two buckets", at_counter(histogram_gap, 38),
     BROKEN(ll40g_model,
            copy.counters[38].when[0].size =
                MACSTATS_SIZE_1024_TO_1518 | MACSTATS_SIZE_1519_UP;
            copy.counters[38].standard[0] = {MACSTATS_STD_HIST_RX, 1};)},
    {"a second row of a last bucket that has an end", at_counter(histogram_gap, 46),
     BROKEN(ll40g_model,
            copy.counters[47].when[0].size = MACSTATS_SIZE_128_TO_255 | MACSTATS_SIZE_256_TO_511;
            copy.counters[47].standard[0] = {MACSTATS_STD_HIST_RX, 1};)},
    // The counters of priorities of am65_cpsw begin at row 63.
    {"an index of something else", at_counter(unknown_value, 66),
     BROKEN(am65_cpsw_model, copy.counter("tx_pri3_frames").index_of = MACSTATS_INDEX_OF_PRIORITY + 1;)},
    {"an index of nothing", at_counter(index_name, 66),
     BROKEN(am65_cpsw_model, copy.counter("tx_pri3_frames").index_of = MACSTATS_INDEX_OF_NONE;)},
    {"another number in the name than the index", at_counter(index_name, 66),
     BROKEN(am65_cpsw_model, copy.counter("tx_pri3_frames").index = 4;)},
    {"a name without an index", at_counter(index_name, 62),
     BROKEN(am65_cpsw_model,
            copy.counter("tx_memory_protect_errors").index_of = MACSTATS_INDEX_OF_PRIORITY;)},
    {"an index with a zero in front", at_counter(index_name, 66),
     BROKEN(am65_cpsw_model, copy.counter("tx_pri3_frames").name = "tx_pri03_frames";)},
    {"an index behind another number", at_counter(index_name, 66),
     BROKEN(am65_cpsw_model, copy.counter("tx_pri3_frames").name = "tx_64_pri3_frames";)},
    {"a family without index 0", at_counter(index_gap, 64),
     BROKEN(am65_cpsw_model, copy.counter("tx_pri0_frames").index_of = MACSTATS_INDEX_OF_NONE;)},
    {"a family without an index between others", at_counter(index_gap, 67),
     BROKEN(am65_cpsw_model, copy.counter("tx_pri3_frames").index_of = MACSTATS_INDEX_OF_NONE;
            copy.counter("tx_pri3_frames").index = 0;)},
    {"an index in another family", at_counter(index_gap, 66),
     BROKEN(am65_cpsw_model, copy.counter("tx_pri3_frames").name = "tx_pri3_packets";)},
    {"a queue among priorities", at_counter(index_gap, 66),
     BROKEN(am65_cpsw_model, copy.counter("tx_pri3_frames").index_of = MACSTATS_INDEX_OF_QUEUE;)},
    {"a priority of another width", at_counter(index_row, 66),
     BROKEN(am65_cpsw_model, copy.counter("tx_pri3_frames").bits = 31;)},
    {"a priority of other frames", at_counter(index_row, 66),
     BROKEN(am65_cpsw_model, copy.counter("tx_pri3_frames").when[0].origin = 0;)},
    {"a priority that feeds what others do not", at_counter(index_row, 66),
     BROKEN(am65_cpsw_model,
            copy.counter("tx_pri3_frames").standard[0] = {MACSTATS_STD_RTNL_TX_PACKETS, 1};)},
    {"a counter with the name of a family in metrics", at_counter(metric_name_twice, 63),
     BROKEN(am65_cpsw_model, copy.counter("tx_memory_protect_errors").name = "tx_pri_frames";)},
    {"a MAC that there is not", at_counter(unknown_value),
     BROKEN(ll40g_model, copy.counters[0].mac = MACSTATS_MAC_PREEMPTIBLE + 1;)},
    {"a sum of the express MAC alone", at_counter(term_mac, 25),
     BROKEN(ll40g_model, copy.counter("tx_pause").mac = MACSTATS_MAC_EXPRESS;)},
    {"a sum of the preemptible MAC alone", at_counter(term_mac, 25),
     BROKEN(ll40g_model, copy.counter("tx_pause").mac = MACSTATS_MAC_PREEMPTIBLE;)},
    {"a sum of one MAC beside both", at_counter(term_mac, 0),
     BROKEN(merging_model, copy.counter("rx_pmac_frames").mac = MACSTATS_MAC_ANY;)},
    {"a sum of each MAC beside both", at_counter(term_mac, 0),
     BROKEN(merging_model, copy.counter("rx_merge_errors").name = "rx_more_frames";
            copy.counter("rx_more_frames").standard[0].id = MACSTATS_STD_FRAMES_RECEIVED_OK;
            copy.counter("rx_more_frames").standard[1] = {};)},
    {"a bucket of one MAC and one of the other", at_counter(term_mac, 1),
     BROKEN(merging_model, copy.counter("rx_emac_65_up").standard[0] = {};
            copy.counter("rx_pmac_64").standard[0] = {};)},
    {"a last bucket of one MAC", at_counter(term_mac, 2),
     BROKEN(merging_model, copy.counter("rx_pmac_65_up").standard[0] = {};)},
    {"a bucket for what is below 64 octets", at_counter(histogram_gap, 0),
     BROKEN(ll40g_model, copy.counters[0].standard[0].id = MACSTATS_STD_HIST_TX;)},
    {"buckets of other sizes than those of the other direction",
     at_counter(histogram_sizes, 41),
     BROKEN(ll40g_model,
            copy.counters[41].when[0].size =
                MACSTATS_SIZE_65_TO_127 | MACSTATS_SIZE_128_TO_255;
            copy.counters[42].standard[0] = {};)},
    {"a first bucket of other sizes than that of the other direction",
     at_counter(histogram_sizes, 40),
     BROKEN(ll40g_model,
            copy.counters[11].when[0].size = MACSTATS_SIZE_64 | MACSTATS_SIZE_65_TO_127;
            copy.counters[12].standard[0] = {};)},
    {"12 buckets", {too_many_buckets},
     BROKEN(ll40g_model, for (unsigned int i = 0; i < MACSTATS_MAX_EDGES; i++)
                copy.model.sizes.edge[i] = static_cast<u16>((64u << i / 2) + i % 2);
            for (unsigned int i = 0; i < 12; i++) {
                copy.counters[40 + i].when[0].size = static_cast<u16>(2u << i);
                copy.counters[40 + i].standard[0] = {MACSTATS_STD_HIST_RX, 1};
            })},

    // Fields.
    {"a field of no bits", at_field(field_width, 0, 0),
     BROKEN(ll40g_model, copy.field(0x407, 0).bits = 0;)},
    {"a field beyond bit 31", at_field(field_width, 0, 0),
     BROKEN(ll40g_model, copy.field(0x407, 0).lsb = 17;)},
    {"a field beyond the bus", at_field(field_width, 0, 0),
     BROKEN(wide_model, copy.field(0x00, 15).lsb = 16;)},
    {"two fields with a bit in common", at_field(field_overlap, 7, 3),
     BROKEN(ll40g_model, copy.registers[7].fields[3].lsb = 2;)},
    {"a field with a bit of the first one", at_field(field_overlap, 0, 1),
     BROKEN(decrement_model, copy.registers[0].fields[1].lsb = 0;)},
    {"a last field with a bit of another", at_field(field_overlap, 0, 15),
     BROKEN(e1000_model, for (unsigned int i = 1; i < MACSTATS_MAX_FIELDS; i++)
                copy.registers[0].fields[i] = field_of(MACSTATS_RW, i % 15 + i / 15, 1);)},
    {"a field behind the end of its list", at_field(gap_in_list, 0, 2),
     BROKEN(ll40g_model, copy.registers[0].fields[2] = field_of(MACSTATS_RW, 16, 1);)},
    {"a writable field of a read-only register", at_field(field_access, 8, 0),
     BROKEN(ll40g_model, copy.field(0x846, 0).access = MACSTATS_RW;)},
    {"a command that cannot be written", at_field(singlepulse_read_only, 8, 0),
     BROKEN(ll40g_model, copy.field(0x846, 0).singlepulse = true;)},

    // Bits of a counter that are not exactly a field.
    {"a presence bit of no register", at_counter(bit_not_a_field, 1),
     BROKEN(ll40g_model, copy.counters[1].present = {0x847, 1u << 0};)},
    {"a presence bit that is a part of a field", at_counter(bit_not_a_field, 0),
     BROKEN(ll40g_model, copy.counters[0].present = {0x845, 1u << 3};)},
    {"presence bits of two fields", at_counter(bit_not_a_field, 0),
     BROKEN(ll40g_model, copy.counters[0].present = {0x846, 3};)},
    {"a presence bit of a register without fields", at_counter(bit_not_a_field, 0),
     BROKEN(ll40g_model, copy.counters[0].present = {0x841, 1u << 0};)},

    // Widths that a role needs.
    {"a receive maximum of one bit", at_field(max_frame_width, 7, 2),
     BROKEN(ll40g_model, copy.drop(MACSTATS_ROLE_MAX_FRAME_RX);
            copy.give(0x845, 2, MACSTATS_ROLE_MAX_FRAME_RX);)},
    {"a transmit maximum of ten bits", at_field(max_frame_width, 0, 0),
     BROKEN(ll40g_model, copy.field(0x407, 0).bits = 10;)},
    {"a receive maximum of ten bits in the middle of its register",
     at_field(max_frame_width, 1, 0),
     BROKEN(ll40g_model, macstats_field& field = copy.field(0x506, 0); field.lsb = 6;
            field.bits = 10;)},
    {"a switched maximum beside a constant one", at_field(two_maxima, 0, 0),
     BROKEN(switched_model, copy.model.default_max_frame = 1518;)},
    {"a switched maximum of one length", at_field(switched_lengths, 0, 0),
     BROKEN(switched_model, copy.model.max_frame_switch.on = 1522;)},
    {"a switched maximum of less than 1518", at_field(switched_lengths, 0, 0),
     BROKEN(switched_model, copy.model.max_frame_switch.off = 1517;)},
    {"a switched maximum beside one by a register", at_field(two_maxima, 7, 2),
     BROKEN(ll40g_model, copy.model.max_frame_switch = {1518, 9600};
            copy.drop(MACSTATS_ROLE_MAX_FRAME_TX);
            copy.give(0x845, 2, MACSTATS_ROLE_MAX_FRAME_SWITCH);)},
    {"a switched maximum beside one of transmitted frames", at_field(two_maxima, 7, 2),
     BROKEN(ll40g_model, copy.model.max_frame_switch = {1518, 9600};
            copy.drop(MACSTATS_ROLE_MAX_FRAME_RX);
            copy.give(0x845, 2, MACSTATS_ROLE_MAX_FRAME_SWITCH);)},
    {"a switched maximum beside a constant one and one that a bit disables",
     at_field(two_maxima, 7, 2),
     BROKEN(ll40g_model, copy.model.max_frame_switch = {1518, 9600};
            copy.model.default_max_frame = 1518;
            copy.give(0x845, 2, MACSTATS_ROLE_MAX_FRAME_SWITCH);
            copy.give(0x845, 3, MACSTATS_ROLE_MAX_FRAME_ENABLE);)},
    {"a switched maximum that a bit lowers to less than 1518", at_field(switched_lengths, 0, 0),
     BROKEN(switched_model, copy.model.max_frame_switch.on = 1517;)},
    {"a switched maximum that a bit lowers from beyond the longest frame",
     at_field(switched_lengths, 0, 0),
     BROKEN(switched_model, copy.model.max_frame_switch.off = 65536;)},
    {"a switched maximum beyond the longest frame", at_field(switched_lengths, 0, 0),
     BROKEN(switched_model, copy.model.max_frame_switch.on = 65536;)},

    // Roles of fields of the wrong access.
    {"a request by a command", at_field(role_access, 7, 0),
     BROKEN(ll40g_model, copy.drop(MACSTATS_ROLE_SNAPSHOT_REQUEST, 1);
            copy.give(0x845, 0, MACSTATS_ROLE_SNAPSHOT_REQUEST);)},
    {"a request by a bit that cannot be written", at_field(role_access, 8, 1),
     BROKEN(ll40g_model, copy.drop(MACSTATS_ROLE_SNAPSHOT_REQUEST, 1);
            copy.give(0x846, 1, MACSTATS_ROLE_SNAPSHOT_REQUEST);)},
    {"a grant by a bit that is written", at_field(role_access, 7, 2),
     BROKEN(ll40g_model, copy.drop(MACSTATS_ROLE_SNAPSHOT_GRANTED, 1);
            copy.give(0x845, 2, MACSTATS_ROLE_SNAPSHOT_GRANTED);)},
    {"a dump by a command that reads as 0", at_field(role_access, 0, 1),
     BROKEN(rtl_tally_model, copy.field(0x10, 3).singlepulse = true;)},
    {"a dump by a bit that cannot be written", at_field(role_access, 0, 1),
     BROKEN(rtl_tally_model, copy.field(0x10, 3).access = MACSTATS_RO;)},
    {"a number in a window that cannot be written", at_field(role_access, 1, 0),
     BROKEN(k1_emac_model, copy.field(0x1a8, 0).access = MACSTATS_RO;)},
    {"data of a window that can be written", at_field(role_access, 3, 0),
     BROKEN(k1_emac_model, copy.reg("MAC_RX_STATCTR_DATA_LOW").access = MACSTATS_RW;
            copy.field(0x1b0, 0).access = MACSTATS_RW;)},
    {"a bit that enables a maximum and cannot be written", at_field(role_access, 8, 1),
     BROKEN(ll40g_model, copy.give(0x846, 1, MACSTATS_ROLE_MAX_FRAME_ENABLE);)},
    {"a clear by a bit that stays", at_field(role_access, 7, 2),
     BROKEN(ll40g_model, copy.drop(MACSTATS_ROLE_CLEAR, 1);
            copy.give(0x845, 2, MACSTATS_ROLE_CLEAR);)},
    {"a clear that has become an ordinary field", at_field(role_access, 7, 0),
     BROKEN(ll40g_model, copy.field(0x845, 0).singlepulse = false;)},
    {"a write-enable bit that cannot be written", at_field(role_access, 8, 1),
     BROKEN(ll40g_model, copy.give(0x846, 1, MACSTATS_ROLE_WRITE_ENABLE);)},
    {"a write that decrements behind a write-enable bit", at_counter(two_writes),
     BROKEN(decrement_model, copy.give(0x0c, 0, MACSTATS_ROLE_WRITE_ENABLE);)},
    {"an increment by a bit that stays", at_field(role_access, 0, 0),
     BROKEN(increment_model, copy.field(0x00, 3).singlepulse = false;)},
    {"a parity error by a bit that is written", at_field(role_access, 7, 2),
     BROKEN(ll40g_model, copy.drop(MACSTATS_ROLE_PARITY_ERROR, 1);
            copy.give(0x845, 2, MACSTATS_ROLE_PARITY_ERROR);)},
    {"a parity clear by a bit that stays", at_field(role_access, 7, 1),
     BROKEN(ll40g_model, copy.field(0x845, 1).singlepulse = false;)},
    {"a setting that cannot be written", at_field(role_access, 0, 0),
     BROKEN(settings_model, copy.field(0x00, 0).access = MACSTATS_RO;)},
    {"a gate that cannot be set", at_field(role_access, 8, 1),
     BROKEN(ll40g_model, copy.give(0x846, 1, MACSTATS_ROLE_GATE);)},
    {"an interrupt that can be written", at_field(role_access, 4, 4),
     BROKEN(cpsw_model, copy.drop(MACSTATS_ROLE_HALF_FULL);
            copy.give(0x4a10121c, 4, MACSTATS_ROLE_HALF_FULL);)},
    {"a retry limit that cannot be written", at_field(role_access, 20, 0),
     BROKEN(rc32438_model, copy.field(0x210, 0).access = MACSTATS_RO;)},
    {"a field of an identity that can be written", at_field(role_access, 0, 3),
     BROKEN(cpsw_model, copy.reg("ID_VER").access = MACSTATS_RW;
            copy.field(0x4a100000, 16).access = MACSTATS_RW;)},
    {"an identity that can be written", {role_access, Part::registers, 4},
     BROKEN(ll40g_model, copy.reg("TXSTAT_NAME_0").access = MACSTATS_RW;)},

    // Roles of more than one field.
    {"a register with a role and fields", {role_beside_fields, Part::registers, 8},
     BROKEN(ll40g_model, copy.registers[8].roles = MACSTATS_ROLE_IDENTITY;)},
    {"two maxima of one direction", at_field(role_twice, 1, 0),
     BROKEN(ll40g_model, copy.give(0x506, 0, MACSTATS_ROLE_MAX_FRAME_TX);)},
    {"a maximum in a register of another block", at_field(role_twice, 1, 0),
     BROKEN(ll40g_model, copy.give(0x506, 0, MACSTATS_ROLE_MAX_FRAME_TX);
            copy.registers[1].block = 1;)},
    {"two settings of one number in a register", at_field(role_twice, 0, 1),
     BROKEN(settings_model, copy.give(0x00, 1, MACSTATS_ROLE_SETTING);)},
    {"two commands of one window", at_field(role_twice, 1, 1),
     BROKEN(k1_emac_model, copy.give(0x1a8, 0, MACSTATS_ROLE_WINDOW_START);)},
    {"two dumps of one block", at_field(role_twice, 0, 2),
     BROKEN(rtl_tally_model, copy.give(0x10, 6, MACSTATS_ROLE_DUMP);)},
    {"a gate in two registers", at_field(role_twice, 3, 0),
     BROKEN(cpsw_model, copy.give(0x4a100d90, 0, MACSTATS_ROLE_GATE);)},
    {"a register with the role of a field", {role_twice, Part::registers, 3},
     BROKEN(ll40g_model, copy.registers[3].roles = MACSTATS_ROLE_MAX_FRAME_TX;)},
    {"a field with the role of a register", at_field(role_twice, 7, 2),
     BROKEN(ll40g_model, copy.registers[3].roles = MACSTATS_ROLE_BUSY;
            copy.give(0x845, 2, MACSTATS_ROLE_BUSY);)},

    // Roles that need each other.
    {"a request without a grant", at_field(role_incomplete, 7, 2),
     BROKEN(ll40g_model, copy.drop(MACSTATS_ROLE_SNAPSHOT_GRANTED, 1);)},
    {"a grant without a request", at_field(role_incomplete, 8, 1),
     BROKEN(ll40g_model, copy.drop(MACSTATS_ROLE_SNAPSHOT_REQUEST, 1); copy.latch_all();)},
    {"a dump beside a snapshot", at_field(two_holds, 7, 3),
     BROKEN(ll40g_model, copy.give(0x845, 3, MACSTATS_ROLE_DUMP);)},
    {"a bit that enables no maximum", at_field(role_incomplete, 0, 0),
     BROKEN(decrement_model, copy.give(0x0c, 0, MACSTATS_ROLE_MAX_FRAME_ENABLE);)},
    {"a parity error that cannot be cleared", at_field(role_incomplete, 15, 0),
     BROKEN(ll40g_model, copy.drop(MACSTATS_ROLE_PARITY_CLEAR, 2);)},
    {"a clear of a parity error that cannot be seen", at_field(role_incomplete, 14, 1),
     BROKEN(ll40g_model, copy.drop(MACSTATS_ROLE_PARITY_ERROR, 2);)},
    {"a block with an option for something else", {block_option, Part::blocks, 1},
     BROKEN(ll40g_model, copy.model.blocks[1].option = MACSTATS_OPT_VLAN_DETECTION;)},
    {"a block that one of two options builds", {block_option, Part::blocks, 0},
     BROKEN(ll40g_model, copy.model.blocks[0].option |= MACSTATS_OPT_RX_STATISTICS;)},
    {"a block with an option that the model lacks", {block_option, Part::blocks, 1},
     BROKEN(ll40g_model, copy.model.options &= ~MACSTATS_OPT_RX_STATISTICS;
            copy.model.default_options = 0;)},
    {"an option for statistics of no block", {option_without_block, Part::model},
     BROKEN(ll40g_model, copy.model.options |= MACSTATS_OPT_STATISTICS;)},
    {"an option for one direction of a model with one block", {option_without_block, Part::model},
     BROKEN(clearing_model, copy.model.options |= MACSTATS_OPT_TX_STATISTICS;)},
    {"identities of one block only", {block_unidentified, Part::blocks, 1},
     BROKEN(ll40g_model, copy.drop(MACSTATS_ROLE_IDENTITY, 2);)},
    {"a block with an option, and nothing that shows whether it is there",
     {block_unidentified, Part::blocks, 0},
     BROKEN(clearing_model, copy.model.options = MACSTATS_OPT_TX_STATISTICS;
            copy.model.default_options = MACSTATS_OPT_TX_STATISTICS;
            copy.model.blocks[0].option = MACSTATS_OPT_TX_STATISTICS;)},
    {"a register of a block that is not there", {no_such_block, Part::registers, 4},
     BROKEN(ll40g_model, copy.registers[4].block = 2;)},
    {"a configuration register of the other block", at_field(role_twice, 14, 0),
     BROKEN(ll40g_model, copy.reg("CNTR_RX_CONFIG").block = 0; copy.latch_all();)},
    {"a status register of the other block", at_field(role_incomplete, 7, 1),
     BROKEN(ll40g_model, copy.reg("CNTR_TX_STATUS").block = 1;)},
    {"an identity in the first register, of one block only", {block_unidentified, Part::blocks, 1},
     BROKEN(ll40g_model, copy.registers[0].access = MACSTATS_RO;
            copy.field(0x407, 0).access = MACSTATS_RO; copy.drop(MACSTATS_ROLE_IDENTITY);
            copy.give(0x407, 0, MACSTATS_ROLE_IDENTITY);)},

    // Register dumps. A predicate that lies stands for a macstats_read_is_destructive()
    // that is broken; no model could make it so.
    {"a dump that reads what a read clears", {dumped, Part::counters, 0},
     [] {
         return dump_finding(clearing_model, [](const macstats_model*, u32) { return false; });
     }},
    {"a dump that reads the second word of a latch", {dumped, Part::counters, 0},
     [] {
         return dump_finding(latching_model,
                             [](const macstats_model*, u32 offset) { return offset != 0x104; });
     }},
    {"a dump that leaves out a harmless counter", {not_dumped, Part::counters, 28},
     [] {
         return dump_finding(ll40g_model,
                             [](const macstats_model*, u32 offset) { return offset == 0x861; });
     }},
    {"a dump that leaves out a register", {not_dumped, Part::registers, 2},
     [] {
         return dump_finding(ll40g_model,
                             [](const macstats_model*, u32 offset) { return offset == 0x840; });
     }},
};

// A model as large as they may become, to see that the compiler's steps suffice.
template <unsigned int Counters>
struct Large {
    std::array<std::array<char, 32>, Counters> names{};
    std::array<macstats_counter, Counters> counters{};
    std::array<macstats_register, MACSTATS_MAX_REGISTERS> registers{};
    std::array<std::array<char, 32>, MACSTATS_MAX_REGISTERS> register_names{};
    static constexpr u32 roles[MACSTATS_MAX_FIELDS] = {
        MACSTATS_ROLE_BUSY, MACSTATS_ROLE_HALF_FULL, MACSTATS_ROLE_IDENTITY};
    macstats_model model = synthetic("large", 8, 32);

    static constexpr u8 fed[MACSTATS_MAX_TERMS] = {
        MACSTATS_STD_FRAMES_RECEIVED_OK,
        MACSTATS_STD_MULTICAST_FRAMES_RECEIVED_OK,
        MACSTATS_STD_BROADCAST_FRAMES_RECEIVED_OK,
        MACSTATS_STD_MAC_CONTROL_FRAMES_RECEIVED,
        MACSTATS_STD_UNSUPPORTED_OPCODES_RECEIVED,
        MACSTATS_STD_RX_PAUSE_FRAMES,
        MACSTATS_STD_RTNL_RX_PACKETS,
        MACSTATS_STD_RTNL_RX_DROPPED};

    static constexpr void
    number(std::array<char, 32>& text, std::string_view prefix, unsigned int value) {
        std::size_t length = 0;

        for (char c : prefix)
            text[length++] = c;
        for (unsigned int unit = 100; unit; unit /= 10)
            text[length++] = static_cast<char>('0' + value / unit % 10);
    }

    constexpr Large() {
        for (unsigned int i = 0; i < Counters; i++) {
            number(names[i], "rx_a_name_of_full_length_no_", i);
            counters[i].name = names[i].data();
            counters[i].reg = names[i].data();
            counters[i].help = "help";
            counters[i].offset = 0x1000 + 8 * i;
            counters[i].bits = 64;
            counters[i].latch = true;
            counters[i].unit = MACSTATS_FRAMES;
            for (macstats_when& when : counters[i].when)
                when.direction = MACSTATS_RX;
            for (unsigned int t = 0; t < MACSTATS_MAX_TERMS; t++)
                counters[i].standard[t] = {fed[t], 1};
        }
        for (unsigned int i = 0; i < MACSTATS_MAX_REGISTERS; i++) {
            number(register_names[i], "A_REGISTER_OF_SOME_LENGTH_", i);
            registers[i].name = register_names[i].data();
            registers[i].help = "help";
            registers[i].offset = 4 * i;
            for (unsigned int k = 0; k < MACSTATS_MAX_FIELDS; k++)
                registers[i].fields[k] =
                    field_of(MACSTATS_RO, 2 * k, 2, i + 1 == MACSTATS_MAX_REGISTERS ? roles[k] : 0);
        }
        model.counters = counters.data();
        model.n_counters = Counters;
        model.registers = registers.data();
        model.n_registers = MACSTATS_MAX_REGISTERS;
        for (u32 i = 0; i < MACSTATS_MAX_RESERVED; i++)
            model.reserved[i] = {0x800 + 8 * i, 0x803 + 8 * i, MACSTATS_READS_ZERO};
        model.n_reserved = MACSTATS_MAX_RESERVED;
    }

    Large(const Large&) = delete;
    Large& operator=(const Large&) = delete;
};

template <unsigned int Counters>
constexpr Large<Counters> large;

template <std::size_t Group>
constexpr Finding group_in_large = find_in_group<Group>(large<MACSTATS_MAX_COUNTERS>.model);

template <std::size_t... Group>
constexpr bool large_groups_hold(std::index_sequence<Group...>) {
    return (!group_in_large<Group> && ...);
}

MACSTATS_MODEL_BEGIN

// A copy of a model. Each table has a row behind its last one that keeps no rule, where it has
// room for one.
struct Enclosed {
    explicit Enclosed(const macstats_model& base)
        : counters(base.counters, base.counters + base.n_counters),
          registers(base.registers, base.registers + base.n_registers),
          descriptor(base),
          model(base) {
        // Without texts, at the place of the first counter, in two histograms.
        counters.push_back(
            {.offset = base.counters[0].offset,
             .bits = 65,
             .block = 3,
             .unit = 99,
             .onread = 7,
             .port_stride = 1,
             .when = {{.direction = MACSTATS_RX, .size = 1}},
             .standard = {{MACSTATS_STD_HIST_RX, 2}, {MACSTATS_STD_HIST_TX, 2}}});
        registers.push_back(
            {.offset = base.counters[0].offset,
             .access = 2,
             .roles = ~0u,
             .fields = {{.bits = 33, .access = 2, .roles = ~0u}}});
        descriptor.tx.push_back({.bits = 32});
        descriptor.rx.push_back({.bits = 32});
        model.counters = counters.data();
        model.registers = registers.data();
        model.descriptor = &descriptor;
        if (base.n_blocks < MACSTATS_MAX_BLOCKS)
            model.blocks[base.n_blocks] = {.option = 0xffff};
        if (base.n_reserved < MACSTATS_MAX_RESERVED)
            model.reserved[base.n_reserved] = {0, ~0u, 9};
        if (base.n_regions < MACSTATS_MAX_REGIONS)
            model.regions[base.n_regions] = {nullptr, 1, 0};
    }

    Enclosed(const Enclosed&) = delete;
    Enclosed& operator=(const Enclosed&) = delete;

    std::vector<macstats_counter> counters;
    std::vector<macstats_register> registers;
    DescriptorCopy descriptor;
    macstats_model model;
};

MACSTATS_MODEL_END

// The compiler's message on a model after @change.
template <typename Change>
std::string message_after(Change change, const macstats_model& base = ll40g_model) {
    Copy copy(base);

    change(copy);
    return message(copy.model, find_violation(copy.model)).text;
}

// The same on the first model, whose tables end as those of Enclosed.
template <typename Change>
std::string enclosed_message_after(Change change) {
    Enclosed enclosed(ll40g_model);

    change(enclosed);
    return message(enclosed.model, find_violation(enclosed.model)).text;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_model_broken_in_one_place_is_found_out_there) {
    for (const Case& one : bad)
        BOOST_TEST_CONTEXT(one.what)
    BOOST_TEST(one.find() == one.expected);
}

BOOST_AUTO_TEST_CASE(allowed_models_have_no_violation) {
    for (const Case& one : good)
        BOOST_TEST_CONTEXT(one.what)
    BOOST_TEST(one.find() == one.expected);
}

BOOST_AUTO_TEST_CASE(a_row_behind_the_end_of_its_table_is_no_part_of_the_model) {
    for (const macstats_model* model : macstats_models) {
        const Enclosed enclosed(*model);

        BOOST_TEST(find_violation(enclosed.model) == Finding{}, model->name);
        BOOST_TEST(macstats_used_roles(&enclosed.model) == macstats_used_roles(model));
    }

    // The row behind the last counter lies apart, the reserved range behind it does not.
    Enclosed enclosed(clearing_model);
    enclosed.counters[1].offset = 0x31;
    enclosed.counters[1].port_stride = 1;
    enclosed.counters[2].port_stride = 1;
    enclosed.model.n_counters = 2;
    enclosed.model.ports = 2;
    enclosed.model.port_stride = 0x10;
    enclosed.model.reserved[0] = {0x30, 0x30, MACSTATS_READS_ZERO};
    BOOST_TEST(finding_of(macstats__rules_ports(&enclosed.model)) == at_counter(apart, 1));
}

// The messages that the compiler prints.
BOOST_AUTO_TEST_CASE(a_message_names_model_row_rule_and_other_row) {
    BOOST_TEST(message_after([](auto&) {}) == "");
    BOOST_TEST(message_after([](auto& copy) {
                   copy.counters[2].offset = 0x803;
               }) == "ll40g: tx_fcs: overlaps tx_jabbers");
    BOOST_TEST(message_after([](auto& copy) {
                   copy.counters[2].offset = 0x700;
               }) == "ll40g: tx_fcs: does not ascend by address after tx_jabbers");
    BOOST_TEST(message_after([](auto& copy) {
                   copy.registers[3].name = "CNTR_TX_FCS";
               }) == "ll40g: CNTR_TX_FCS: has the same datasheet name as tx_fcs");
    BOOST_TEST(message_after([](auto& copy) {
                   copy.registers[3].offset = 0x840;
               }) == "ll40g: TXSTAT_SCRATCH: overlaps TXSTAT_REVID");
    BOOST_TEST(message_after([](auto& copy) {
                   copy.registers[3].offset = 0x507;
               }) == "ll40g: TXSTAT_SCRATCH: does not ascend by address after TXSTAT_REVID");
    BOOST_TEST(message_after([](auto& copy) {
                   copy.registers[1].offset = 0x820;
               }) == "ll40g: MAX_RX_SIZE_CONFIG: overlaps tx_1024to1518b");
    BOOST_TEST(message_after([](auto& copy) {
                   copy.registers[7].fields[3].lsb = 2;
               }) == "ll40g: reserved: shares bits with shadow_request");
    BOOST_TEST(message_after([](auto& copy) {
                   copy.counter("tx_runt").name = "tx_rx_st";
                   copy.counter("tx_st").name = "tx_received_st";
               }) == "ll40g: tx_received_st: has the same name in metrics as tx_rx_st");
    BOOST_TEST(message_after([](auto& copy) {
                   copy.model.reserved[3] = copy.model.reserved[2];
               }) == "ll40g: reserved: overlaps another reserved range");
    // A reserved range on the first register, on a later one, and on the first counter.
    BOOST_TEST(enclosed_message_after([](Enclosed& copy) {
                   copy.model.reserved[0] = {0x407, 0x407, MACSTATS_READS_ZERO};
               }) == "ll40g: reserved: overlaps MAX_TX_SIZE_CONFIG");
    BOOST_TEST(enclosed_message_after([](Enclosed& copy) {
                   copy.model.reserved[0] = {0x506, 0x506, MACSTATS_READS_ZERO};
               }) == "ll40g: reserved: overlaps MAX_RX_SIZE_CONFIG");
    BOOST_TEST(enclosed_message_after([](Enclosed& copy) {
                   copy.model.reserved[0] = {0x801, 0x801, MACSTATS_READS_ZERO};
               }) == "ll40g: reserved: overlaps tx_fragments");
    BOOST_TEST(
        enclosed_message_after([](Enclosed& copy) {
            copy.registers[10].name = "MAX_TX_SIZE_CONFIG";
        }) == "ll40g: MAX_TX_SIZE_CONFIG: has the same datasheet name as MAX_TX_SIZE_CONFIG");
    BOOST_TEST(message_after([](auto& copy) {
                   copy.counters[1].reg = "CNTR_TX_FRAGMENTS";
               }) == "ll40g: tx_jabbers: has the same datasheet name as tx_fragments");
    BOOST_TEST(message_after([](auto& copy) {
                   copy.model.n_registers = 65;
               }) == "ll40g: registers: has no rows, or more than MACSTATS_MAX_* allows");
    BOOST_TEST(message_after([](auto& copy) {
                   copy.model.registers = nullptr;
               }) == "ll40g: registers: is a table that is not set");
    BOOST_TEST(
        message_after([](auto& copy) { copy.model.regions[1].last = 0x4a100d83; }, cpsw_model) ==
        "cpsw: sl1: overlaps ss");
    BOOST_TEST(
        message_after(
            [](auto& copy) { std::swap(copy.model.regions[2], copy.model.regions[3]); },
            cpsw_model) == "cpsw: sl1: does not ascend by address after wr");
    BOOST_TEST(
        message_after(
            [](auto& copy) {
                copy.counters[5].name = "tx_before";
                copy.counters[6].name = "tx_behind";
                copy.counters[6].status.mask = 0;
            },
            rc32438_model) == "rc32438: tx_before: does not ascend by address after tx_behind");
    BOOST_TEST(message_after([](auto& copy) {
                   copy.counters[5].name = nullptr;
               }) == "ll40g: CNTR_TX_BCAST_DATA_ERR: lacks a name or a help text");
    BOOST_TEST(message_after([](auto& copy) {
                   copy.drop(MACSTATS_ROLE_MAX_FRAME_RX);
                   copy.give(0x845, 2, MACSTATS_ROLE_MAX_FRAME_RX);
               }) == "ll40g: shadow_request: has too few bits for a frame of 1518 octets");
    BOOST_TEST(message_after([](auto& copy) {
                   copy.give(0x845, 2, MACSTATS_ROLE_SETTING);
                   copy.give(0x945, 3, MACSTATS_ROLE_SETTING);
               }) == "ll40g: reserved: has the same role as shadow_request");
    BOOST_TEST(
        message_after(
            [](auto& copy) { copy.counter("tx_pri3_frames").latch = true; }, am65_cpsw_model) ==
        "am65_cpsw: tx_pri3_frames: differs in more than its index, place, presence and texts from "
        "tx_pri2_frames");
    BOOST_TEST(message_after([](auto& copy) {
                   copy.model.name = nullptr;
               }) == "a model: the model: lacks a name or a help text");
    BOOST_TEST(
        message_after([](auto& copy) { copy.model.revisions[1] = "82574"; }, e1000e_model) ==
        "e1000e: 82574: has the same name as 82574");
    BOOST_TEST(
        message_after([](auto& copy) { copy.model.revisions[2] = ""; }, e1000e_model) ==
        "e1000e: revisions: lacks a name or a help text");
    BOOST_TEST(
        message_after([](auto& copy) { copy.counters[0].revisions = 1; }, gem_model) ==
        std::string("gem: ") + gem_model.counters[0].name +
            ": is in revisions that the model lacks, or in some without a register");
    BOOST_TEST(
        message_after(
            [](auto& copy) { copy.counter("tx_host_discarded").revisions = 1; }, e1000e_model) ==
        "e1000e: tx_host_discarded: overlaps rx_carrier_extension_errors");
}

// In a constant expression the call ends the compilation.
BOOST_AUTO_TEST_CASE(only_a_finding_ends_a_constant_expression) {
    BOOST_TEST(report(ll40g_model, {}));
    BOOST_CHECK_THROW(report(ll40g_model, {no_ports}), std::logic_error);
    BOOST_TEST(!rule_broken("", "", "", ""));
    BOOST_CHECK_THROW(rule_broken("a", "", "", ""), std::logic_error);
    BOOST_CHECK_THROW(rule_broken("", "a", "", ""), std::logic_error);
    BOOST_CHECK_THROW(rule_broken("", "", "a", ""), std::logic_error);
    BOOST_CHECK_THROW(rule_broken("", "", "", "a"), std::logic_error);
}

// Without a field for bit 0.
BOOST_AUTO_TEST_CASE(a_status_has_the_bits_of_its_fields) {
    const macstats_status fields[] = {
        {.name = "b",
         .lsb = 1,
         .bits = 2,
         .when = {},
         .unless = 0,
         .copy = {},
         .collisions = false,
         .octets = false,
         .help = "two bits"},
        {.name = "c",
         .lsb = 31,
         .bits = 1,
         .when = {},
         .unless = 0,
         .copy = {},
         .collisions = false,
         .octets = false,
         .help = "one bit"}};

    BOOST_TEST(macstats__status_mask(fields, 2) == 0x80000006u);
}

BOOST_AUTO_TEST_CASE(every_rule_is_shown_to_fire) {
    std::set<Violation> fired = {none};

    for (const Case& one : bad)
        fired.insert(one.expected.violation);
    for (Violation violation = none; violation <= not_dumped;
         violation = static_cast<Violation>(static_cast<int>(violation) + 1))
        BOOST_TEST(fired.contains(violation), describe(violation));
}

// A change of a row, and its text.
#define CHANGED(...)                                                \
    {                                                               \
        "" #__VA_ARGS__, [](macstats_counter& row) { __VA_ARGS__; } \
    }

BOOST_AUTO_TEST_CASE(a_row_of_a_family_differs_from_the_one_before_in_its_place_alone) {
    const std::pair<const char*, void (*)(macstats_counter&)> differences[] = {
        CHANGED(row.lsb = 1),
        CHANGED(row.bits = 31),
        CHANGED(row.block = 1),
        CHANGED(row.unit = MACSTATS_OCTETS),
        CHANGED(row.onread = MACSTATS_ONREAD_RCLR),
        CHANGED(row.onwrite = MACSTATS_ONWRITE_NONE),
        CHANGED(row.overflow = MACSTATS_SATURATE),
        CHANGED(row.latch = true),
        CHANGED(row.reread = true),
        CHANGED(row.good_frames = 1),
        CHANGED(row.frame_limit = 1),
        CHANGED(row.mac = MACSTATS_MAC_EXPRESS),
        CHANGED(row.port_stride = 4),
        CHANGED(row.status.mask = 1),
        CHANGED(row.never = true),
        CHANGED(row.errors_only = true),
        CHANGED(row.when[0].direction = MACSTATS_RX),
        CHANGED(row.when[0].destination = MACSTATS_UNICAST),
        CHANGED(row.when[0].kind = MACSTATS_DATA),
        CHANGED(row.when[0].origin = MACSTATS_BY_MAC),
        CHANGED(row.when[0].tags = MACSTATS_UNTAGGED),
        CHANGED(row.when[0].excess = MACSTATS_OVER_MAX),
        CHANGED(row.when[0].collisions = MACSTATS_NO_COLLISION),
        CHANGED(row.when[0].deferred = true),
        CHANGED(row.when[0].size = MACSTATS_SIZE_64),
        CHANGED(row.when[0].errors = MACSTATS_ERR_FCS),
        CHANGED(row.when[0].no_errors = 0),
        CHANGED(row.when[0].with = MACSTATS_OPT_10M),
        CHANGED(row.when[0].without = MACSTATS_OPT_10M),
        CHANGED(row.when[MACSTATS_MAX_WHEN - 1].errors = 1),
        CHANGED(row.standard[0].id = MACSTATS_STD_RTNL_TX_PACKETS),
        CHANGED(row.standard[0].factor = 1),
        CHANGED(row.standard[MACSTATS_MAX_TERMS - 1].id = 1),
    };
    const std::pair<const char*, void (*)(macstats_counter&)> places[] = {
        CHANGED(row.reg = "THIRD"),
        CHANGED(row.offset += 0x1000),
        CHANGED(row.revisions = 1),
        CHANGED(row.present = {0x20014, 1}),
        CHANGED(row.help = "Frames of the third priority"),
    };

    for (const auto& [what, change] : differences) {
        Copy copy(am65_cpsw_model);
        change(copy.counter("tx_pri3_frames"));
        BOOST_TEST(
            finding_of(macstats__rules_index(&copy.model)) == at_counter(index_row, 66), what);
    }
    for (const auto& [what, change] : places) {
        Copy copy(am65_cpsw_model);
        change(copy.counter("tx_pri3_frames"));
        BOOST_TEST(finding_of(macstats__rules_index(&copy.model)) == Finding{}, what);
    }
}

#undef CHANGED

BOOST_AUTO_TEST_CASE(a_model_of_the_largest_size_can_be_checked_while_compiling) {
    static_assert(find_violation(large<64>.model) == Finding{});
    static_assert(large_groups_hold(std::make_index_sequence<std::size(macstats_rule_groups)>{}));
    BOOST_TEST(find_violation(large<MACSTATS_MAX_COUNTERS>.model) == Finding{});
}

// The collector's regular expressions, each applied to what no match before it has taken:
// (^|_)rx(_|$) is received, (^|_)tx(_|$) is transmitted. Seven names that it knows by heart end in
// _total. Others, which replace letters and signs, find none in the name of a counter.
BOOST_AUTO_TEST_CASE(names_are_renamed_as_node_exporter_does) {
    const struct {
        std::string_view name;
        std::string_view renamed;
    } names[] = {
        {"rx_64b", "received_64b"},
        {"tx_pause", "transmitted_pause"},
        {"rxtx_octets", "rxtx_octets"},
        {"tx_rxerr", "transmitted_rxerr"},
        {"rx_dma_tx", "received_dma_transmitted"},
        {"rx_bytes", "received_bytes_total"},
        {"tx_packets", "transmitted_packets_total"},
        {"tx_dropped", "transmitted_dropped"},
        {"tx_tx_tx_t", "transmitted_tx_transmitted_t"},
        {"rx_tx_rx_tx_rx_tx_rx_tx_rx_tx_rx",
         "received_transmitted_received_transmitted_received_transmitted_received_transmitted_"
         "received_transmitted_received"},
    };

    for (const auto& one : names) {
        macstats_metric_name renamed{};

        macstats__spell_out(&renamed, one.name.data());
        BOOST_TEST(std::string_view(renamed.text) == one.renamed);
    }
}

BOOST_AUTO_TEST_CASE(bits_of_the_same_register_may_differ) {
    constexpr macstats_bit low{8, 1}, high{8, 2}, elsewhere{12, 1};

    BOOST_TEST(macstats_is_same_bit(&low, &low));
    BOOST_TEST(!macstats_is_same_bit(&low, &high));
    BOOST_TEST(!macstats_is_same_bit(&low, &elsewhere));
}

BOOST_AUTO_TEST_SUITE_END()
