/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The rules that every model keeps, checked by the C++ compiler. Including this header
 * checks every model of models.h. A model of your own takes one line:
 *
 *	static_assert(macstats::model_holds<tse_model>);
 *
 * The compiler's error names the model, the row and the rule: g++ as one text ("tse:
 * rx_fcs_errors: overlaps rx_jabbers"), clang++ as the arguments of rule_broken() in its
 * notes. The header is empty in C.
 */
#ifndef MACSTATS_CHECK_H
#define MACSTATS_CHECK_H

#ifdef __cplusplus

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <type_traits>
#include <utility>

#include "emulator.h"
#include "models.h"
#include "standard.h"

namespace macstats {

/* Each rule as what its row does wrong: the text follows the row's name in the message. */
#define MACSTATS_VIOLATION_LIST(X)                                                            \
    X(none, "breaks no rule")                                                                 \
    X(too_many_rows, "has no rows, or more than MACSTATS_MAX_* allows")                       \
    X(table_missing, "is a table that is not set")                                            \
    X(text_missing, "lacks a name or a help text")                                            \
    X(bus_width, "needs a bus of 8, 16, 32 or 64 bits, a whole number of address units")      \
    X(line_rate, "needs a line rate of at least 1 Mb/s")                                      \
    X(no_ports, "needs at least one port")                                                    \
    X(lines_of_ports, "has several ports, or over 16 lines, that feed one block")             \
    X(no_half_duplex, "has collisions in half duplex only, and no option for half duplex")    \
    X(region_ports, "has regions and several ports")                                          \
    X(no_such_region, "lies in no region, or in several")                                     \
    X(port_stride, "has two ports whose registers overlap")                                   \
    X(apart, "lies apart, but is not cleared by a read, or not behind all other registers")   \
    X(edge_order, "does not ascend, for tagged and untagged frames")                          \
    X(edge_range, "lies beyond the longest frame")                                            \
    X(edge_crowd, "is the third edge within a power of two, of which the emulator sees two")  \
    X(no_variant, "has a rule for a variant that does not exist")                             \
    X(padding, "pads frames to less than the shortest frame that it sends")                   \
    X(unknown_option, "names an option that the model lacks")                                 \
    X(speed, "has a speed option that is not below the line rate, or is a default")           \
    X(variant_unexplained, "has a variant without an explanation")                            \
    X(unknown_fault, "names a fault that the model does not support")                         \
    X(unknown_value, "has a member that is not one of its enumerators")                       \
    X(name_too_long, "has a name of over 31 characters")                                      \
    X(name_not_snake_case, "has a name that is not lower snake_case")                         \
    X(name_prefix, "has a name that does not start with rx_, tx_ or rxtx_ as the row counts") \
    X(name_twice, "has the same name as")                                                     \
    X(register_name_twice, "has the same datasheet name as")                                  \
    X(renamed_name_twice, "has the same name, once node_exporter renamed it, as")             \
    X(bits, "has a width or a reset value out of range")                                      \
    X(alignment, "has an offset that is no multiple of the bus width")                        \
    X(order, "does not ascend by offset behind")                                              \
    X(overlap, "overlaps")                                                                    \
    X(no_such_block, "belongs to a block that does not exist")                                \
    X(block_option, "is built by something else than an option of the model for that")        \
    X(option_without_block, "has an option for statistics that builds no block")              \
    X(block_unidentified, "can be left out, but no identity register of the model shows it")  \
    X(other_option, "is in a register that another option builds")                            \
    X(block_of_register, "names a block, but does not need its counters")                     \
    X(gap_in_list, "has an entry behind the end of its list")                                 \
    X(size_mask, "has size classes that are not contiguous or not in the model")              \
    X(decrement_words, "is decremented by a write, but has several bus words")                \
    X(two_writes, "is decremented by a write that the write-enable bit lets store")          \
    X(two_side_effects, "is cleared by a read and decremented by a write")                    \
    X(snapshot_side_effect, "has side effects, but is read under a snapshot")                 \
    X(torn, "has several bus words, but neither a snapshot nor a latch")                      \
    X(setting_on_good_frames, "applies a setting to frames without errors or collisions")     \
    X(status_row_with_frames, "is a software counter, but states which frames it counts")     \
    X(latch_order, "latches, but its low word is not read first")                             \
    X(unknown_term, "feeds an unknown standard statistic, or adds 0 to it")                   \
    X(term_twice, "feeds a standard statistic twice")                                         \
    X(histogram_direction, "counts one direction in the histogram of the other")              \
    X(histogram_row, "feeds a histogram, but not with frames of one range of sizes")          \
    X(histogram_gap, "leaves a gap, an overlap or no open end in the histogram")              \
    X(too_many_buckets, "has a histogram of over 10 buckets")                                 \
    X(field_without_register, "is a field of no register")                                    \
    X(field_width, "does not fit into its register")                                          \
    X(field_overlap, "shares bits with")                                                      \
    X(field_access, "is writable in a read-only register")                                    \
    X(singlepulse_read_only, "is a command that cannot be written")                           \
    X(rule_without_register, "refers to no register")                                         \
    X(rule_not_a_field, "refers to bits that are not exactly a field")                        \
    X(rule_access, "refers to a field of the wrong access")                                   \
    X(rule_incomplete, "is a request without grant, or an error that cannot be cleared")      \
    X(max_frame_width, "has too few bits for a frame of 1518 octets")                         \
    X(retry_width, "has more bits than there are retransmissions: at most 15")                \
    X(status_bits, "needs bits of the status, each one named once")                          \
    X(two_maxima, "is a second rule for the maximum frame length")                           \
    X(switched_lengths, "needs two lengths that differ, from 1518 to 65535 octets")          \
    X(identity_value, "differs from its register's reset value")                              \
    X(dumped, "is in register dumps, although a read changes it")                             \
    X(not_dumped, "is kept out of register dumps, although a read changes nothing")

enum class Violation {
#define MACSTATS_VIOLATION_ENUM(name, text) name,
    MACSTATS_VIOLATION_LIST(MACSTATS_VIOLATION_ENUM)
#undef MACSTATS_VIOLATION_ENUM
};

/* The rest of a sentence about a row that breaks a rule: "overlaps". */
constexpr std::string_view describe(Violation violation) {
    constexpr std::string_view texts[] = {
#define MACSTATS_VIOLATION_TEXT(name, text) text,
        MACSTATS_VIOLATION_LIST(MACSTATS_VIOLATION_TEXT)
#undef MACSTATS_VIOLATION_TEXT
    };

    return texts[static_cast<std::size_t>(violation)];
}

/* The member of macstats_model that breaks a rule; a member that is a table has rows. */
enum class Part {
    model,
    counters,
    registers,
    fields,
    blocks,
    reserved,
    identity,
    sizes,
    snapshot_request, /* the row is the block's, as in the next four */
    snapshot_granted,
    clear,
    parity_error,
    parity_clear,
    scratch,
    gate,
    max_frame_rx,
    max_frame_tx,
    any_length_tx,
    busy,
    half_full_pending,
    half_full_enable,
    setting,
    tx_status,
    max_frame_switch,
    increment,
    write_enable,
    flow_control,
    regions,
    rx_status,
    rx_described,
    descriptor,
    retry_limit,
};

/* The rule that is broken, the row that breaks it, and the row that it collides with. */
struct Finding {
    Violation violation = Violation::none;
    Part place = Part::model;
    unsigned int row = 0;
    const char* other = "";

    constexpr explicit operator bool() const { return violation != Violation::none; }
    constexpr bool operator==(const Finding& that) const {
        return violation == that.violation && place == that.place && row == that.row;
    }
};

/* ETHTOOL_RMON_HIST_MAX: kernels up to 6.17 have room for no more. */
inline constexpr unsigned int max_buckets = 10;

/* Compilers limit the steps of a constant expression (clang: 2^20): nothing here is cubic. */
namespace checks {

using namespace std::string_view_literals;

struct Extent {
    std::uint64_t first;
    std::uint64_t end;

    constexpr bool overlaps(const Extent& other) const {
        return first < other.end && other.first < end;
    }
};

/*
 * Under -fsanitize=undefined, g++ 12 cannot compare the address of an object with null in a
 * constant expression. Such an address is not null.
 */
template <typename T>
constexpr bool is_null(const T* pointer) {
    if (std::is_constant_evaluated())
        return __builtin_constant_p(pointer == nullptr) && pointer == nullptr;
    return pointer == nullptr;
}

constexpr bool empty(const char* text) {
    return is_null(text) || !*text;
}

constexpr bool is_one_of(unsigned int value, unsigned int first, unsigned int last) {
    return value >= first && value <= last;
}

constexpr bool is_subset(unsigned int mask, unsigned int of) {
    return !(mask & ~of);
}

constexpr bool is_contiguous(unsigned int mask) {
    unsigned int shifted = mask ? mask >> macstats_bit_shift(mask) : 0;

    return mask && !(shifted & (shifted + 1));
}

constexpr std::uint64_t hash(std::string_view text) {
    std::uint64_t value = 0xcbf29ce484222325u; /* FNV-1a */

    for (char c : text)
        value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return value;
}

/*
 * The name that node_exporter's ethtool collector gives to a lower snake_case name. The
 * collector spells out the tokens rx and tx, and appends "_total" to the names in its
 * own list.
 */
struct Renamed {
    static constexpr std::array by_heart = {"rx_bytes"sv,   "rx_dropped"sv, "rx_errors"sv,
                                            "rx_packets"sv, "tx_bytes"sv,   "tx_errors"sv,
                                            "tx_packets"sv};

    /* The worst case is "tx_tx_...": twelve characters for every three. */
    std::array<char, 4 * (MACSTATS_NAME_LEN + 1) + 8> text{};
    std::size_t length = 0;

    constexpr explicit Renamed(std::string_view name) {
        std::size_t start = 0;

        while (start < name.size()) {
            std::size_t end = start;

            while (end < name.size() && name[end] != '_')
                end++;
            if (start)
                put("_"sv);
            put(word(name.substr(start, end - start)));
            start = end + 1;
        }
        for (std::string_view known : by_heart)
            if (name == known)
                put("_total"sv);
    }

    constexpr std::string_view view() const { return {text.data(), length}; }

private:
    static constexpr std::string_view word(std::string_view token) {
        return token == "rx"sv ? "received"sv : token == "tx"sv ? "transmitted"sv : token;
    }

    constexpr void put(std::string_view more) {
        for (char c : more)
            text[length++] = c;
    }
};

/*
 * Index of the first of @n texts that equals an earlier one, or @n. It uses a hash table,
 * since comparing all pairs would exceed the compiler's limit of steps.
 */
template <typename TextAt>
constexpr unsigned int first_twin(unsigned int n, TextAt text_at) {
    constexpr std::size_t slots = 1024;
    std::array<std::uint16_t, slots> taken_by{}; /* index + 1 */

    static_assert(slots > 2 * (MACSTATS_MAX_COUNTERS + MACSTATS_MAX_REGISTERS));
    for (unsigned int i = 0; i < n; i++) {
        const auto text = text_at(i);
        std::size_t slot = hash(text.view()) % slots;

        for (; taken_by[slot]; slot = (slot + 1) % slots)
            if (text_at(taken_by[slot] - 1u).view() == text.view())
                return i;
        taken_by[slot] = static_cast<std::uint16_t>(i + 1);
    }
    return n;
}

struct Text {
    std::string_view text;

    constexpr std::string_view view() const { return text; }
};

constexpr Finding limits(const macstats_model& model) {
    auto too_many = [](Part place) { return Finding{Violation::too_many_rows, place}; };

    if (!is_one_of(model.n_counters, 1, MACSTATS_MAX_COUNTERS))
        return too_many(Part::counters);
    if (model.n_registers > MACSTATS_MAX_REGISTERS)
        return too_many(Part::registers);
    if (!is_one_of(model.n_blocks, 1, MACSTATS_MAX_BLOCKS))
        return too_many(Part::blocks);
    if (model.n_reserved > MACSTATS_MAX_RESERVED)
        return too_many(Part::reserved);
    if (model.n_regions > MACSTATS_MAX_REGIONS)
        return too_many(Part::regions);
    if (model.n_identity > MACSTATS_MAX_IDENTITY)
        return too_many(Part::identity);
    if (is_null(model.counters))
        return {Violation::table_missing, Part::counters};
    if (model.n_registers && is_null(model.registers))
        return {Violation::table_missing, Part::registers};
    if (model.n_fields && is_null(model.fields))
        return {Violation::table_missing, Part::fields};
    if (model.n_tx_status && is_null(model.tx_status))
        return {Violation::table_missing, Part::tx_status};
    if (model.n_rx_status && is_null(model.rx_status))
        return {Violation::table_missing, Part::rx_status};
    return {};
}

constexpr Finding texts(const macstats_model& model) {
    auto missing = [](Part place, unsigned int row) {
        return Finding{Violation::text_missing, place, row};
    };

    if (empty(model.name) || empty(model.title) || empty(model.datasheet))
        return missing(Part::model, 0);
    for (unsigned int i = 0; i < model.n_counters; i++) {
        const macstats_counter& counter = model.counters[i];

        if (empty(counter.name) || empty(counter.reg) || empty(counter.help))
            return missing(Part::counters, i);
    }
    for (unsigned int i = 0; i < model.n_registers; i++)
        if (empty(model.registers[i].name) || empty(model.registers[i].help))
            return missing(Part::registers, i);
    for (unsigned int i = 0; i < model.n_fields; i++)
        if (empty(model.fields[i].name) || empty(model.fields[i].help))
            return missing(Part::fields, i);
    for (unsigned int i = 0; i < model.n_blocks; i++)
        if (empty(model.blocks[i].name))
            return missing(Part::blocks, i);
    for (unsigned int i = 0; i < model.n_regions; i++)
        if (empty(model.regions[i].name))
            return missing(Part::regions, i);
    for (unsigned int i = 0; i < model.n_tx_status; i++)
        if (empty(model.tx_status[i].name) || empty(model.tx_status[i].help))
            return missing(Part::tx_status, i);
    for (unsigned int i = 0; i < model.n_rx_status; i++)
        if (empty(model.rx_status[i].name) || empty(model.rx_status[i].help))
            return missing(Part::rx_status, i);
    return {};
}

constexpr Finding sizes(const macstats_model& model) {
    const macstats_sizes& sizes = model.sizes;
    unsigned int edges = macstats_size_classes(&sizes) - 1;

    for (unsigned int i = 0; i < MACSTATS_MAX_EDGES; i++) {
        unsigned int lift = sizes.tagged_edges >> i & 1 ? MACSTATS_TAG_LEN : 0;
        unsigned int next = sizes.tagged_edges >> (i + 1) & 1 ? MACSTATS_TAG_LEN : 0;

        /* Behind the end of the list nothing may follow. */
        if (i >= edges && (sizes.edge[i] || lift))
            return {Violation::edge_order, Part::sizes, i};
        if (sizes.edge[i] + lift > MACSTATS_FRAME_MAX)
            return {Violation::edge_range, Part::sizes, i};
        if (i + 1 < edges && (sizes.edge[i] >= sizes.edge[i + 1] ||
                              sizes.edge[i] + lift >= sizes.edge[i + 1] + next))
            return {Violation::edge_order, Part::sizes, i + 1};
    }
    return {};
}

/* Does the emulator's way of finding a class agree with the list, on both sides of each edge? */
constexpr Finding octaves(const macstats_model& model) {
    unsigned int edges = macstats_size_classes(&model.sizes) - 1;

    for (bool tagged : {false, true}) {
        macstats_octave octaves[MACSTATS_OCTAVES] = {};

        macstats_octaves(octaves, &model.sizes, tagged);
        for (unsigned int i = 0; i < edges; i++) {
            std::uint32_t edge = macstats_edge(&model.sizes, i, tagged);

            if (macstats_octave_class(octaves, edge) != i + 1 ||
                (edge > 1 && macstats_octave_class(octaves, edge - 1) != i))
                return {Violation::edge_crowd, Part::sizes, i};
        }
    }
    return {};
}

constexpr Finding settings(const macstats_model& model) {
    unsigned int faults =
        MACSTATS_FAULT_BUS_ERROR | MACSTATS_FAULT_RESET_IN_PROGRESS | MACSTATS_FAULT_CLOCK_STOPPED;

    if ((model.bus_bits != 8 && model.bus_bits != 16 && model.bus_bits != 32 &&
         model.bus_bits != 64) ||
        !model.address_unit_bits || model.bus_bits % model.address_unit_bits)
        return {Violation::bus_width};
    if (model.line_rate_bps < 1000000)
        return {Violation::line_rate};
    if (!model.ports)
        return {Violation::no_ports};
    if (model.block_lines > 16 || (model.block_lines > 1 && model.ports > 1))
        return {Violation::lines_of_ports};
    if (model.half_duplex_collisions && !(model.options & MACSTATS_OPT_HALF_DUPLEX))
        return {Violation::no_half_duplex};
    if (model.tx_pad_to < model.tx_shortest)
        return {Violation::padding};
    if (!is_subset(model.options, MACSTATS_OPT_ALL) ||
        !is_subset(model.default_options, model.options))
        return {Violation::unknown_option};
    if ((model.default_options & MACSTATS_OPT_SPEEDS) ||
        ((model.options & MACSTATS_OPT_100M) && model.line_rate_bps <= 100000000) ||
        ((model.options & MACSTATS_OPT_10M) && model.line_rate_bps <= 10000000))
        return {Violation::speed};
    if (model.variant_control_overhead && !(model.options & MACSTATS_OPT_VARIANT))
        return {Violation::no_variant};
    if ((model.options & MACSTATS_OPT_VARIANT) && empty(model.variant))
        return {Violation::variant_unexplained};
    if (model.power_up > MACSTATS_POWER_UP_RANDOM)
        return {Violation::unknown_value};

    for (unsigned int i = 0; i < model.n_blocks; i++) {
        if (model.blocks[i].parity_error.mask)
            faults |= MACSTATS_FAULT_PARITY_ERROR;
        if (model.blocks[i].snapshot_request.mask)
            faults |= MACSTATS_FAULT_SNAPSHOT_STUCK | MACSTATS_FAULT_SNAPSHOT_SLOW;
    }
    if (!is_subset(model.faults, faults))
        return {Violation::unknown_fault};

    Finding finding = sizes(model);
    return finding ? finding : octaves(model);
}

constexpr bool is_snake_case(std::string_view name) {
    char before = '_';

    for (char c : name) {
        bool letter = c >= 'a' && c <= 'z';
        bool digit = c >= '0' && c <= '9';

        if (!letter && !digit && !(c == '_' && before != '_'))
            return false;
        before = c;
    }
    return before != '_';
}

constexpr bool has_prefix(std::string_view name, unsigned int direction) {
    switch (direction) {
    case MACSTATS_RX:
        return name.starts_with("rx_");
    case MACSTATS_TX:
        return name.starts_with("tx_");
    case MACSTATS_RX | MACSTATS_TX:
        return name.starts_with("rxtx_");
    default:
        return name.starts_with("rx_") || name.starts_with("tx_") || name.starts_with("rxtx_");
    }
}

/* Length of a text, but no further than it matters. */
constexpr std::string_view at_most(const char* text, std::size_t length) {
    std::size_t n = 0;

    while (n < length && text[n])
        n++;
    return {text, n};
}

constexpr Violation counter_name(const macstats_counter& counter) {
    std::string_view name = at_most(counter.name, MACSTATS_NAME_LEN + 1);

    if (name.size() > MACSTATS_NAME_LEN)
        return Violation::name_too_long;
    if (!is_snake_case(name))
        return Violation::name_not_snake_case;
    if (!has_prefix(name, macstats_counter_direction(&counter)))
        return Violation::name_prefix;
    return Violation::none;
}

constexpr bool is_empty(const macstats_when& when) {
    return !when.direction && !when.destination && !when.kind && !when.origin && !when.tags &&
           !when.excess && !when.collisions && !when.deferred && !when.size && !when.errors &&
           !when.no_errors && !when.with && !when.without;
}

/* The cells of common frames do not remember how a setting was, see emulator.h. */
constexpr bool is_always_rare(const macstats_when& when) {
    return when.errors || when.deferred || (when.kind && !(when.kind & MACSTATS_DATA)) ||
           (when.collisions && !(when.collisions & MACSTATS_NO_COLLISION));
}

constexpr Violation alternative(const macstats_model& model, const macstats_when& when) {
    unsigned int classes = macstats_size_classes(&model.sizes);

    if (!is_subset(when.direction, MACSTATS_RX | MACSTATS_TX) ||
        !is_subset(when.destination, MACSTATS_UNICAST | MACSTATS_MULTICAST | MACSTATS_BROADCAST) ||
        !is_subset(when.kind, MACSTATS_ANY_KIND) ||
        !is_subset(when.origin, MACSTATS_ANY_ORIGIN | MACSTATS_FORCED_COLLISION) ||
        !is_subset(when.tags, MACSTATS_UNTAGGED | MACSTATS_TAGGED | MACSTATS_DOUBLE_TAGGED) ||
        !is_subset(when.excess, MACSTATS_WITHIN_MAX | MACSTATS_OVER_MAX | MACSTATS_VERY_LONG) ||
        !is_subset(
            when.collisions, MACSTATS_NO_COLLISION | MACSTATS_ONE_COLLISION |
                                 MACSTATS_SEVERAL_COLLISIONS | MACSTATS_SIXTEEN_COLLISIONS) ||
        !is_subset(when.errors, MACSTATS_ERR_ALL) || !is_subset(when.no_errors, MACSTATS_ERR_ALL))
        return Violation::unknown_value;
    if (when.size && (!is_contiguous(when.size) || when.size >> classes))
        return Violation::size_mask;
    if (!is_subset(
            when.with | when.without,
            0u + model.options + macstats_model_settings(&model)) ||
        (when.with & when.without))
        return Violation::unknown_option;
    if (((when.with | when.without) & MACSTATS_OPT_SETTINGS) && !is_always_rare(when))
        return Violation::setting_on_good_frames;
    return Violation::none;
}

constexpr Violation alternatives(const macstats_model& model, const macstats_counter& counter) {
    for (unsigned int i = 0; i < MACSTATS_MAX_WHEN; i++) {
        Violation violation = alternative(model, counter.when[i]);

        if (violation != Violation::none)
            return violation;
        if (is_empty(counter.when[i]))
            continue;
        /* The first one without a direction ends the list. */
        if (!counter.when[i].direction || (i && !counter.when[i - 1].direction))
            return Violation::gap_in_list;
    }
    return Violation::none;
}

/* May all words of a counter be read, one after the other, and be of one instant? */
constexpr Violation reading(const macstats_model& model, const macstats_counter& counter) {
    bool snapshot = model.blocks[counter.block].snapshot_request.mask;
    bool effects = counter.onread || counter.onwrite;
    bool several = macstats_words(&model, &counter) > 1;

    if (counter.onwrite && several)
        return Violation::decrement_words;
    if (counter.onwrite && model.write_enable.mask)
        return Violation::two_writes;
    if (counter.onread && counter.onwrite)
        return Violation::two_side_effects;
    if (snapshot && effects)
        return Violation::snapshot_side_effect;
    if (several && !snapshot && !counter.latch)
        return Violation::torn;
    /* Words are read in address order, and the low one takes hold of the rest. */
    if (several && counter.latch && counter.high_first)
        return Violation::latch_order;
    return Violation::none;
}

/* The bits of a status that have a name. */
constexpr std::uint32_t status_mask(const macstats_status* fields, unsigned int n) {
    std::uint32_t known = 0;

    for (unsigned int i = 0; i < n; i++)
        known |=
            static_cast<std::uint32_t>(macstats_bits_mask(fields[i].bits) << fields[i].lsb);
    return known;
}

/* A row that descriptors feed: it has no register, and counts statuses that there can be. */
constexpr Violation description(const macstats_model& model, const macstats_counter& counter) {
    const macstats_from_status& status = counter.status;
    std::uint32_t known = status.received ? status_mask(model.rx_status, model.n_rx_status)
                                          : status_mask(model.tx_status, model.n_tx_status);

    if (!is_subset(status.mask, known) || !is_subset(status.value, status.mask) ||
        (status.high && status.high < status.low) ||
        status.adds_collisions + status.adds_attempts + status.adds_octets > 1)
        return Violation::unknown_value;
    /* Only the transmit status has collisions. */
    if (status.received &&
        (status.low || status.high || status.adds_collisions || status.adds_attempts))
        return Violation::unknown_value;
    return counter.when[0].direction ? Violation::status_row_with_frames : Violation::none;
}

constexpr Violation counter_row(const macstats_model& model, const macstats_counter& counter) {
    Violation violation = counter_name(counter);

    if (violation != Violation::none)
        return violation;
    if (!is_one_of(counter.unit, MACSTATS_FRAMES, MACSTATS_EARLY_COLLISIONS) ||
        counter.onread > MACSTATS_ONREAD_RCLR || counter.onwrite > MACSTATS_ONWRITE_DECREMENT ||
        counter.overflow > MACSTATS_SATURATE)
        return Violation::unknown_value;
    if (!is_one_of(counter.bits, 1, 64))
        return Violation::bits;
    if (macstats_is_software_counter(&counter))
        return description(model, counter);
    if (counter.offset % macstats_word_step(&model))
        return Violation::alignment;
    if (counter.block >= model.n_blocks)
        return Violation::no_such_block;
    violation = alternatives(model, counter);
    if (violation != Violation::none)
        return violation;
    return reading(model, counter);
}

/* The bits of descriptors exist, and each has one meaning. */
constexpr Finding descriptors(const macstats_model& model) {
    const macstats_descriptor& bits = model.descriptor;
    std::uint32_t transmitted = status_mask(model.tx_status, model.n_tx_status);
    std::uint32_t received = status_mask(model.rx_status, model.n_rx_status);
    const std::uint32_t all[] = {bits.first, bits.last, bits.override, bits.append_crc, bits.huge};
    std::uint32_t seen = 0;

    for (std::uint32_t one : all) {
        if ((one & seen) || (one & (one - 1)) || !is_subset(one, transmitted))
            return {Violation::status_bits, Part::descriptor};
        seen |= one;
    }
    if (((model.n_tx_status || model.n_rx_status) && (!bits.first || !bits.last)) ||
        (model.n_rx_status && !is_subset(bits.first | bits.last, received)) ||
        !bits.override != !(bits.append_crc | bits.huge))
        return {Violation::status_bits, Part::descriptor};
    for (unsigned int i = 0; i < MACSTATS_MAX_WHEN; i++) {
        const macstats_when& when = model.rx_described[i];
        Violation violation = alternative(model, when);

        /* A descriptor is written with its frame, so it knows how a register is set then. */
        if (violation != Violation::none && violation != Violation::setting_on_good_frames)
            return {violation, Part::rx_described, i};
        if (!is_empty(when) &&
            (!when.direction || (i && !model.rx_described[i - 1].direction)))
            return {Violation::gap_in_list, Part::rx_described, i};
    }
    return {};
}

constexpr Finding counters(const macstats_model& model) {
    for (unsigned int i = 0; i < model.n_counters; i++) {
        const macstats_counter& counter = model.counters[i];
        Violation violation = counter_row(model, counter);

        if (violation != Violation::none)
            return {violation, Part::counters, i};
        /* Rows that descriptors feed have no place among the registers: they are last. */
        if (macstats_is_software_counter(&counter) && i + 1 < model.n_counters &&
            !macstats_is_software_counter(&model.counters[i + 1]))
            return {Violation::order, Part::counters, i, model.counters[i + 1].name};
        if (!i || macstats_is_software_counter(&counter))
            continue;
        const macstats_counter& before = model.counters[i - 1];

        if (counter.offset == before.offset)
            return {Violation::overlap, Part::counters, i, before.name};
        if (counter.offset < before.offset)
            return {Violation::order, Part::counters, i, before.name};
        if (counter.offset < macstats_counter_end(&model, &before))
            return {Violation::overlap, Part::counters, i, before.name};
    }
    return {};
}

/* Bits that a register can have. */
constexpr std::uint64_t register_mask(const macstats_model& model) {
    return macstats_bits_mask(model.bus_bits < 32 ? model.bus_bits : 32);
}

constexpr Finding registers(const macstats_model& model) {
    std::uint32_t step = macstats_word_step(&model);

    for (unsigned int i = 0; i < model.n_registers; i++) {
        const macstats_register& reg = model.registers[i];

        if (reg.access > MACSTATS_RW)
            return {Violation::unknown_value, Part::registers, i};
        if (reg.reset & ~register_mask(model))
            return {Violation::bits, Part::registers, i};
        if (reg.offset % step)
            return {Violation::alignment, Part::registers, i};
        if (reg.block >= model.n_blocks)
            return {Violation::no_such_block, Part::registers, i};
        if (reg.block && !reg.statistics_only)
            return {Violation::block_of_register, Part::registers, i};
        if (!i)
            continue;
        const macstats_register& before = model.registers[i - 1];

        if (reg.offset == before.offset)
            return {Violation::overlap, Part::registers, i, before.name};
        if (reg.offset < before.offset)
            return {Violation::order, Part::registers, i, before.name};
        if (reg.offset < before.offset + step)
            return {Violation::overlap, Part::registers, i, before.name};
    }
    return {};
}

/* Counters, registers and reserved ranges, one after the other. */
constexpr unsigned int extents(const macstats_model& model) {
    return macstats_register_counters(&model) + model.n_registers + model.n_reserved;
}

constexpr Extent extent(const macstats_model& model, unsigned int i) {
    unsigned int n_counters = macstats_register_counters(&model);

    if (i < n_counters)
        return {model.counters[i].offset, macstats_counter_end(&model, &model.counters[i])};
    i -= n_counters;
    if (i < model.n_registers)
        return {
            model.registers[i].offset,
            std::uint64_t{model.registers[i].offset} + macstats_word_step(&model)};
    i -= model.n_registers;
    return {model.reserved[i].first, std::uint64_t{model.reserved[i].last} + 1};
}

/* The name of the counter, or with @or_register the register, that lies in @range, or null. */
constexpr const char* taken_by(const macstats_model& model, const Extent& range, bool or_register) {
    unsigned int counters = macstats_register_counters(&model);
    unsigned int n = counters + (or_register ? 0u + model.n_registers : 0u);

    for (unsigned int i = 0; i < n; i++)
        if (extent(model, i).overlaps(range))
            return i < counters ? model.counters[i].name : model.registers[i - counters].name;
    return nullptr;
}

constexpr Finding overlaps(const macstats_model& model) {
    unsigned int n_counters = macstats_register_counters(&model);
    unsigned int before = n_counters + model.n_registers;

    for (unsigned int i = 0; i < model.n_registers; i++)
        if (const char* other = taken_by(model, extent(model, n_counters + i), false))
            return {Violation::overlap, Part::registers, i, other};
    for (unsigned int i = 0; i < model.n_reserved; i++) {
        if (model.reserved[i].content > MACSTATS_READS_RANDOM)
            return {Violation::unknown_value, Part::reserved, i};
        if (model.reserved[i].first > model.reserved[i].last)
            return {Violation::order, Part::reserved, i};
        if (const char* other = taken_by(model, extent(model, before + i), true))
            return {Violation::overlap, Part::reserved, i, other};
        for (unsigned int k = 0; k < i; k++)
            if (extent(model, before + i).overlaps(extent(model, before + k)))
                return {Violation::overlap, Part::reserved, i, "another reserved range"};
    }
    return {};
}

/* The place and the row of extent @i. */
constexpr Finding at_extent(const macstats_model& model, unsigned int i, Violation violation) {
    unsigned int n_counters = macstats_register_counters(&model);

    if (i < n_counters)
        return {violation, Part::counters, i};
    i -= n_counters;
    if (i < model.n_registers)
        return {violation, Part::registers, i};
    return {violation, Part::reserved, i - model.n_registers};
}

constexpr Finding regions(const macstats_model& model) {
    for (unsigned int i = 0; i < model.n_regions; i++) {
        const macstats_region& region = model.regions[i];

        if (region.first > region.last)
            return {Violation::order, Part::regions, i};
        if (region.first % macstats_word_step(&model))
            return {Violation::alignment, Part::regions, i};
        for (unsigned int k = 0; k < i; k++) {
            const macstats_region& before = model.regions[k];

            if (std::string_view(before.name) == region.name)
                return {Violation::name_twice, Part::regions, i, before.name};
        }
        if (!i || region.first > model.regions[i - 1].last)
            continue;
        return {
            region.last < model.regions[i - 1].first ? Violation::order : Violation::overlap,
            Part::regions, i, model.regions[i - 1].name};
    }
    if (model.n_regions && model.ports > 1)
        return {Violation::region_ports};
    for (unsigned int i = 0; model.n_regions && i < extents(model); i++) {
        Extent one = extent(model, i);
        int region = macstats_region_at(&model, static_cast<std::uint32_t>(one.first));

        if (region < 0 || one.end > std::uint64_t{model.regions[region].last} + 1)
            return at_extent(model, i, Violation::no_such_region);
    }
    return {};
}

/* The addresses from extent @i of a port to that of the next one. */
constexpr std::uint64_t stride_of(const macstats_model& model, unsigned int i) {
    std::uint64_t apart = i < macstats_register_counters(&model) ? model.counters[i].port_stride : 0;

    return apart ? apart : model.port_stride;
}

/* Counters that lie apart from their port: an address there tells the port by their stride. */
constexpr Finding counters_apart(const macstats_model& model) {
    unsigned int n = macstats_register_counters(&model);
    std::uint64_t end = 0;

    for (unsigned int i = 0; i < extents(model); i++)
        if (i >= n || !model.counters[i].port_stride) {
            Extent one = extent(model, i);
            std::uint64_t last = one.end + std::uint64_t{model.port_stride} * (model.ports - 1u);

            end = last > end ? last : end;
        }
    for (unsigned int i = 0; i < n; i++) {
        const macstats_counter& counter = model.counters[i];

        if (!counter.port_stride)
            continue;
        if (counter.onread != MACSTATS_ONREAD_RCLR || !model.port_stride || counter.offset < end ||
            macstats_counter_end(&model, &counter) - counter.offset > counter.port_stride)
            return {Violation::apart, Part::counters, i};
    }
    return {};
}

constexpr Finding ports(const macstats_model& model) {
    unsigned int n = extents(model);
    Extent span = extent(model, 0);
    Finding apart = counters_apart(model);

    if (apart)
        return apart;
    for (unsigned int i = 1; i < n; i++) {
        Extent one = extent(model, i);

        span.first = one.first < span.first ? one.first : span.first;
        span.end = one.end > span.end ? one.end : span.end;
    }
    /* Ports that interleave are the rare case, and the costly one. */
    for (unsigned int port = 1; port < model.ports; port++) {
        if (!model.port_stride)
            return {Violation::port_stride};
        for (unsigned int i = 0; i < n; i++) {
            std::uint64_t shift = stride_of(model, i) * port;
            Extent moved = extent(model, i);

            if (shift >= span.end - span.first)
                continue;
            moved.first += shift;
            moved.end += shift;
            for (unsigned int k = 0; k < n; k++)
                if (moved.overlaps(extent(model, k)))
                    return {Violation::port_stride};
        }
    }
    return {};
}

constexpr std::uint64_t field_mask(const macstats_field& field) {
    return macstats_bits_mask(field.bits) << field.lsb;
}

constexpr Finding fields(const macstats_model& model) {
    for (unsigned int i = 0; i < model.n_fields; i++) {
        const macstats_field& field = model.fields[i];
        int reg = macstats_register_at(&model, field.offset);

        if (reg < 0)
            return {Violation::field_without_register, Part::fields, i};
        if (field.access > MACSTATS_RW)
            return {Violation::unknown_value, Part::fields, i};
        if (!field.bits || field.lsb + field.bits > (model.bus_bits < 32 ? model.bus_bits : 32))
            return {Violation::field_width, Part::fields, i};
        if (field.access == MACSTATS_RW && model.registers[reg].access == MACSTATS_RO)
            return {Violation::field_access, Part::fields, i};
        if (field.singlepulse && field.access != MACSTATS_RW)
            return {Violation::singlepulse_read_only, Part::fields, i};
        for (unsigned int k = 0; k < i; k++)
            if (model.fields[k].offset == field.offset &&
                (field_mask(model.fields[k]) & field_mask(field)))
                return {Violation::field_overlap, Part::fields, i, model.fields[k].name};
    }
    return {};
}

enum class Access {
    any,
    read_only,
    stored,
    command
};

constexpr bool has_access(Access access, unsigned int actual, bool singlepulse) {
    switch (access) {
    case Access::read_only:
        return actual == MACSTATS_RO;
    case Access::stored:
        return actual == MACSTATS_RW && !singlepulse;
    case Access::command:
        return singlepulse;
    default:
        return true;
    }
}

/*
 * Is the rule @bit about one whole field (or, with @several, about whole fields
 * of one register)? A register without fields is one field.
 */
constexpr Violation
rule(const macstats_model& model, const macstats_bit& bit, Access access, bool several = false) {
    int reg = macstats_register_at(&model, bit.offset);
    std::uint64_t covered = 0;
    unsigned int matches = 0;
    bool has_fields = false;

    if (!bit.mask)
        return Violation::none;
    if (reg < 0)
        return Violation::rule_without_register;
    for (unsigned int i = 0; i < model.n_fields; i++) {
        const macstats_field& field = model.fields[i];

        if (field.offset != bit.offset)
            continue;
        has_fields = true;
        if (!(field_mask(field) & bit.mask))
            continue;
        covered |= field_mask(field);
        matches++;
    }
    if (!has_fields) {
        covered = register_mask(model);
        matches = 1;
    }
    if (covered != bit.mask || (matches > 1 && !several))
        return Violation::rule_not_a_field;
    if (!has_fields)
        return has_access(access, model.registers[reg].access, false) ? Violation::none
                                                                      : Violation::rule_access;
    for (unsigned int i = 0; i < model.n_fields; i++) {
        const macstats_field& field = model.fields[i];

        if (field.offset == bit.offset && (field_mask(field) & bit.mask) &&
            !has_access(access, field.access, field.singlepulse))
            return Violation::rule_access;
    }
    return Violation::none;
}

constexpr Finding block_rules(const macstats_model& model, unsigned int i) {
    const macstats_block& block = model.blocks[i];
    const struct {
        Part place;
        macstats_bit bit;
        Access access;
    } rules[] = {
        {Part::snapshot_request, block.snapshot_request, Access::stored},
        {Part::snapshot_granted, block.snapshot_granted, Access::read_only},
        {Part::clear, block.clear, Access::command},
        {Part::increment, block.increment, Access::command},
        {Part::parity_error, block.parity_error, Access::read_only},
        {Part::parity_clear, block.parity_clear, Access::command},
    };

    for (const auto& one : rules) {
        Violation violation = rule(model, one.bit, one.access);

        if (violation != Violation::none)
            return {violation, one.place, i};
    }
    if (!block.snapshot_request.mask != !block.snapshot_granted.mask)
        return {Violation::rule_incomplete, Part::snapshot_request, i};
    if (!block.parity_error.mask != !block.parity_clear.mask)
        return {Violation::rule_incomplete, Part::parity_error, i};
    for (const auto& one : rules) {
        int reg = one.bit.mask ? macstats_register_at(&model, one.bit.offset) : -1;

        if (reg >= 0 && model.registers[reg].statistics_only &&
            macstats_block_option(&model, model.registers[reg].block) !=
                macstats_block_option(&model, i))
            return {Violation::other_option, one.place, i};
    }
    return {};
}

/* The options that build the blocks, and how hardware shows that it lacks one. */
constexpr Finding block_options(const macstats_model& model) {
    constexpr unsigned int directions = MACSTATS_OPT_TX_STATISTICS | MACSTATS_OPT_RX_STATISTICS;
    constexpr unsigned int all = MACSTATS_OPT_STATISTICS | directions;
    unsigned int identified = 0;

    for (unsigned int i = 0; i < model.n_blocks; i++) {
        unsigned int option = model.blocks[i].option;

        if (option && (!is_subset(option, directions) || (option & (option - 1)) ||
                       !is_subset(option, model.options)))
            return {Violation::block_option, Part::blocks, i};
    }
    if (!is_subset(model.options & all, macstats_statistics_options(&model)))
        return {Violation::option_without_block};
    for (unsigned int i = 0; i < model.n_identity && i < MACSTATS_MAX_IDENTITY; i++) {
        int reg = macstats_register_at(&model, model.identity[i].offset);

        if (reg >= 0)
            identified |= macstats_block_option(&model, model.registers[reg].block);
    }
    for (unsigned int i = 0; i < model.n_blocks; i++)
        if (identified ? !is_subset(macstats_block_option(&model, i), identified)
                       : model.blocks[i].option && !model.blocks[i].snapshot_request.mask)
            return {Violation::block_unidentified, Part::blocks, i};
    return {};
}

constexpr Finding rules(const macstats_model& model) {
    const struct {
        Part place;
        macstats_bit bit;
        Access access;
    } single[] = {
        {Part::gate, model.gate, Access::stored},
        {Part::max_frame_rx, model.max_frame_rx, Access::any},
        {Part::max_frame_tx, model.max_frame_tx, Access::any},
        {Part::any_length_tx, model.any_length_tx, Access::stored},
        {Part::write_enable, model.write_enable, Access::stored},
        {Part::flow_control, model.flow_control, Access::stored},
        {Part::max_frame_switch, model.max_frame_switch.bit, Access::stored},
        {Part::busy, model.busy, Access::any},
        {Part::half_full_pending, model.half_full_pending, Access::read_only},
        {Part::half_full_enable, model.half_full_enable, Access::stored},
        {Part::retry_limit, model.retry_limit, Access::stored},
    };

    for (unsigned int i = 0; i < model.n_blocks; i++) {
        Finding finding = block_rules(model, i);

        if (finding)
            return finding;
    }
    for (unsigned int i = 0; i < MACSTATS_MAX_BLOCKS; i++) {
        Violation violation = rule(model, model.scratch[i], Access::stored);

        if (violation != Violation::none)
            return {violation, Part::scratch, i};
    }
    for (unsigned int i = 0; i < MACSTATS_MAX_SETTINGS; i++) {
        Violation violation = rule(model, model.setting[i], Access::stored);

        if (violation != Violation::none)
            return {violation, Part::setting, i};
    }
    for (const auto& one : single) {
        /* A gate may have a bit for each port of a switch. */
        Violation violation = rule(model, one.bit, one.access, one.place == Part::gate);

        if (violation != Violation::none)
            return {violation, one.place};
        bool is_max = one.place == Part::max_frame_rx || one.place == Part::max_frame_tx;

        if (is_max && one.bit.mask && one.bit.mask >> macstats_bit_shift(one.bit.mask) < 1518)
            return {Violation::max_frame_width, one.place};
    }
    if (model.retry_limit.mask >> macstats_bit_shift(model.retry_limit.mask) >=
        MACSTATS_ATTEMPT_LIMIT)
        return {Violation::retry_width, Part::retry_limit};
    if (model.max_frame_switch.bit.mask) {
        const macstats_switch& lengths = model.max_frame_switch;

        /* One rule for the maximum, with two lengths that differ. */
        if (model.max_frame_rx.mask || model.max_frame_tx.mask || model.default_max_frame)
            return {Violation::two_maxima, Part::max_frame_switch};
        if (lengths.off == lengths.on || lengths.off < 1518 || lengths.on < 1518 ||
            lengths.off > MACSTATS_FRAME_MAX || lengths.on > MACSTATS_FRAME_MAX)
            return {Violation::switched_lengths, Part::max_frame_switch};
    }
    return {};
}

constexpr Finding identity(const macstats_model& model) {
    for (unsigned int i = 0; i < model.n_identity; i++) {
        int reg = macstats_register_at(&model, model.identity[i].offset);

        if (reg < 0)
            return {Violation::rule_without_register, Part::identity, i};
        if (model.registers[reg].access != MACSTATS_RO)
            return {Violation::rule_access, Part::identity, i};
        if (model.registers[reg].reset != model.identity[i].value)
            return {Violation::identity_value, Part::identity, i};
    }
    return {};
}

/* Rows of a histogram stand for one range of sizes in one direction. */
constexpr Violation histogram_row(const macstats_counter& counter, unsigned int id, int factor) {
    unsigned int direction = id == MACSTATS_STD_HIST_RX ? MACSTATS_RX : MACSTATS_TX;

    if (macstats_counter_direction(&counter) != direction)
        return Violation::histogram_direction;
    if (factor != 1 || counter.unit != MACSTATS_FRAMES)
        return Violation::histogram_row;
    for (unsigned int i = 0; i < MACSTATS_MAX_WHEN && counter.when[i].direction; i++)
        if (!counter.when[i].size || counter.when[i].size != counter.when[0].size)
            return Violation::histogram_row;
    return Violation::none;
}

constexpr Violation terms(const macstats_counter& counter) {
    for (unsigned int i = 0; i < MACSTATS_MAX_TERMS; i++) {
        const macstats_term& term = counter.standard[i];
        Violation violation = Violation::none;

        if (term.id >= MACSTATS_STD_COUNT || (term.id && !term.factor))
            return Violation::unknown_term;
        if (!term.id) {
            if (term.factor)
                return Violation::unknown_term;
            continue;
        }
        if (i && !counter.standard[i - 1].id)
            return Violation::gap_in_list;
        for (unsigned int k = 0; k < i; k++)
            if (counter.standard[k].id == term.id)
                return Violation::term_twice;
        if (macstats_is_histogram(term.id))
            violation = histogram_row(counter, term.id, term.factor);
        if (violation != Violation::none)
            return violation;
    }
    return Violation::none;
}

constexpr Finding histogram(const macstats_model& model, unsigned int id) {
    std::array<macstats_bucket, max_buckets> buckets{};
    unsigned int n = macstats_histogram(&model, id, 0, buckets.data(), max_buckets);
    std::uint32_t expected = MACSTATS_FRAME_MIN;

    if (n > max_buckets)
        return {Violation::too_many_buckets};
    for (unsigned int i = 0; i < n; i++) {
        bool last = i + 1 == n;

        if (buckets[i].low != expected || !buckets[i].high != last)
            return {Violation::histogram_gap, Part::counters, buckets[i].counter};
        expected = buckets[i].high + 1;
    }
    return {};
}

constexpr Finding standard(const macstats_model& model) {
    for (unsigned int i = 0; i < model.n_counters; i++) {
        Violation violation = terms(model.counters[i]);

        if (violation != Violation::none)
            return {violation, Part::counters, i};
    }
    for (unsigned int id : {MACSTATS_STD_HIST_RX, MACSTATS_STD_HIST_TX}) {
        Finding finding = histogram(model, id);

        if (finding)
            return finding;
    }
    return {};
}

constexpr Finding names(const macstats_model& model) {
    unsigned int counters = model.n_counters;
    unsigned int all = counters + model.n_registers;
    unsigned int twin = 0;

    auto name = [&](unsigned int i) { return Text{model.counters[i].name}; };
    auto reg = [&](unsigned int i) {
        return Text{i < counters ? model.counters[i].reg : model.registers[i - counters].name};
    };
    auto renamed = [&](unsigned int i) { return Renamed(model.counters[i].name); };
    /* The earlier one of the two. */
    auto other = [&](unsigned int i, auto text_at) {
        unsigned int k = 0;

        while (text_at(k).view() != text_at(i).view())
            k++;
        return k < counters ? model.counters[k].name : model.registers[k - counters].name;
    };

    twin = first_twin(counters, name);
    if (twin < counters)
        return {Violation::name_twice, Part::counters, twin, other(twin, name)};
    twin = first_twin(all, reg);
    if (twin < counters)
        return {Violation::register_name_twice, Part::counters, twin, other(twin, reg)};
    if (twin < all)
        return {Violation::register_name_twice, Part::registers, twin - counters, other(twin, reg)};
    twin = first_twin(counters, renamed);
    if (twin < counters)
        return {Violation::renamed_name_twice, Part::counters, twin, other(twin, renamed)};
    return {};
}

/* @is_destructive decides what a register dump leaves out. */
template <typename Predicate>
constexpr Finding dump(const macstats_model& model, Predicate is_destructive) {
    for (unsigned int i = 0; i < macstats_register_counters(&model); i++) {
        const macstats_counter& counter = model.counters[i];
        bool effects = counter.onread != MACSTATS_ONREAD_NONE || counter.latch;

        for (unsigned int word = 0; word < macstats_words(&model, &counter); word++) {
            std::uint32_t at = counter.offset + word * macstats_word_step(&model);

            if (is_destructive(&model, at) != effects)
                return {effects ? Violation::dumped : Violation::not_dumped, Part::counters, i};
        }
    }
    for (unsigned int i = 0; i < model.n_registers; i++)
        if (is_destructive(&model, model.registers[i].offset))
            return {Violation::not_dumped, Part::registers, i};
    return {};
}

constexpr Finding dump_is_harmless(const macstats_model& model) {
    return dump(model, macstats_read_is_destructive);
}

/* In this order: later ones rely on what earlier ones found to be in order. */
inline constexpr Finding (*const groups[])(const macstats_model&) = {
    limits,    texts, settings, counters, descriptors, registers,     overlaps,
    regions,   ports, fields,   rules,    identity,    block_options, standard,
    names,     dump_is_harmless,
};

} /* namespace checks */

/* The first rule that @model breaks, and where. */
constexpr Finding find_violation(const macstats_model& model) {
    for (auto* group : checks::groups) {
        Finding finding = group(model);

        if (finding)
            return finding;
    }
    return {};
}

constexpr Violation check(const macstats_model& model) {
    return find_violation(model).violation;
}

static_assert(64 / 8 <= MACSTATS_MAX_WORDS, "a counter fits on the narrowest bus");

/* The name of the row that a finding is about; a member without rows names itself. */
constexpr const char* row_name(const macstats_model& model, const Finding& finding) {
    constexpr const char* parts[] = {
        "the model",        "counters",         "registers", "fields",
        "blocks",           "reserved",         "identity",  "sizes",
        "snapshot_request", "snapshot_granted", "clear",     "parity_error",
        "parity_clear",     "scratch",          "gate",      "max_frame_rx",
        "max_frame_tx",     "any_length_tx",    "busy",      "half_full_pending",
        "half_full_enable", "setting",          "tx_status", "max_frame_switch", "increment",
        "write_enable",     "flow_control",     "regions",   "rx_status",        "rx_described",
        "descriptor",       "retry_limit",
    };
    const char* part = parts[static_cast<std::size_t>(finding.place)];
    const char* name = part;

    if (finding.violation == Violation::too_many_rows ||
        finding.violation == Violation::table_missing)
        return part;
    if (finding.place == Part::counters)
        name = checks::empty(model.counters[finding.row].name) ? model.counters[finding.row].reg
                                                               : model.counters[finding.row].name;
    if (finding.place == Part::registers)
        name = model.registers[finding.row].name;
    if (finding.place == Part::fields)
        name = model.fields[finding.row].name;
    if (finding.place == Part::tx_status)
        name = model.tx_status[finding.row].name;
    if (finding.place == Part::regions)
        name = model.regions[finding.row].name;
    if (finding.place == Part::rx_status)
        name = model.rx_status[finding.row].name;
    return checks::empty(name) ? part : name;
}

/* A text that can be a template argument, so that g++ prints it. */
struct Message {
    char text[192] = {};

    constexpr void add(std::string_view more) {
        std::size_t length = std::string_view(text).size();

        for (char c : more)
            if (length + 1 < sizeof(text))
                text[length++] = c;
    }
};

/* "tse: rx_fcs_errors: overlaps rx_jabbers"; empty if there is no finding. */
constexpr Message message(const macstats_model& model, const Finding& finding) {
    Message all;

    if (!finding)
        return all;
    all.add(checks::empty(model.name) ? "a model" : model.name);
    all.add(": ");
    all.add(row_name(model, finding));
    all.add(": ");
    all.add(describe(finding.violation));
    if (*finding.other) {
        all.add(" ");
        all.add(finding.other);
    }
    return all;
}

/* Not constexpr: a constant expression that calls it ends in an error. */
void a_model_breaks_a_rule();

/* clang++ prints these arguments in a note. */
constexpr bool
rule_broken(const char* model, const char* row, const char* rule, const char* other) {
    if (*model || *row || *rule || *other)
        a_model_breaks_a_rule();
    return false;
}

constexpr bool report(const macstats_model& model, const Finding& finding) {
    return !finding ||
           rule_broken(
               checks::empty(model.name) ? "a model" : model.name, row_name(model, finding),
               describe(finding.violation).data(), finding.other);
}

/* g++ prints Text, clang++ the arguments of rule_broken(). */
template <const macstats_model& Model, std::size_t Group, Message Text>
constexpr void reject_model() {
#ifdef __clang__
    static_assert(report(Model, checks::groups[Group](Model)), "a model breaks a rule of check.h");
#else
    static_assert(!Text.text[0], "a model breaks the rule of check.h that Text names");
#endif
}

/*
 * The groups of rules from Group on. Each is a constant expression of its own, so that each
 * has all of the compiler's steps; those behind a finding are not looked at.
 */
template <const macstats_model& Model, std::size_t Group = 0>
constexpr bool groups_hold() {
    if constexpr (Group < std::size(checks::groups)) {
        constexpr Finding found = checks::groups[Group](Model);

        if constexpr (found)
            reject_model<Model, Group, message(Model, found)>();
        else
            return groups_hold<Model, Group + 1>();
    }
    return true;
}

/* Does a model keep all rules? If not, the compiler stops here and names the rule. */
template <const macstats_model& Model>
inline constexpr bool model_holds = groups_hold<Model>();

template <std::size_t... Index>
constexpr bool all_models_hold(std::index_sequence<Index...>) {
    return (model_holds<*macstats_models[Index]> && ...);
}

static_assert(all_models_hold(std::make_index_sequence<std::size(macstats_models)>{}));

} /* namespace macstats */

#endif /* __cplusplus */
#endif /* MACSTATS_CHECK_H */
