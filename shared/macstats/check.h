/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * What must hold of a model, checked while C++ compiles. Including this header
 * checks every model of models.h; one that breaks a rule does not compile, and
 * the message says which rule and where: g++ by name, clang by number, as a
 * Finding{violation, place, row}. C sees nothing of it.
 */
#ifndef MACSTATS_CHECK_H
#define MACSTATS_CHECK_H

#ifdef __cplusplus

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>

#include "emulator.h"
#include "models.h"
#include "standard.h"

namespace macstats {

#define MACSTATS_VIOLATION_LIST(X)                                                    \
    X(none, "nothing is wrong")                                                       \
    X(too_many_rows, "there are no rows, or more than MACSTATS_MAX_* allows")         \
    X(text_missing, "a name or a help text is empty")                                 \
    X(bus_width, "the bus is 8, 16, 32 or 64 bits wide and a whole number of "        \
                 "address units")                                                     \
    X(line_rate, "the line rate is at least 1 Mb/s")                                  \
    X(no_ports, "there is at least one port")                                         \
    X(port_stride, "the registers of two ports overlap")                              \
    X(edge_order, "edges of the size classes ascend, for tagged frames too")          \
    X(edge_range, "an edge of the size classes is beyond the longest frame")          \
    X(edge_crowd, "more edges within a power of two than the emulator looks at")      \
    X(padding, "frames are padded to no less than the shortest one that is sent")     \
    X(unknown_option, "an option, or a default, that the model does not have")        \
    X(variant_unexplained, "a variant is explained")                                  \
    X(unknown_fault, "a fault that the model cannot suffer")                          \
    X(unknown_value, "a member holds none of its enumerators")                        \
    X(name_too_long, "a counter's name has over 31 characters")                       \
    X(name_not_snake_case, "a counter's name is not lower snake_case")                \
    X(name_prefix, "a name starts with rx_, tx_ or rxtx_ as the row counts")          \
    X(name_twice, "two counters have the same name")                                  \
    X(register_name_twice, "two counters or registers share a datasheet name")        \
    X(renamed_name_twice, "two names are the same after node_exporter's renaming")    \
    X(bits, "a counter has 1 to 64 bits, a register's reset value fits the bus")      \
    X(alignment, "an offset is no multiple of the bus width")                         \
    X(order, "rows do not ascend by offset")                                          \
    X(overlap, "two counters, registers or reserved ranges overlap")                  \
    X(no_such_block, "a counter belongs to a block that is not there")                \
    X(gap_in_list, "an alternative or term behind the end of its list")               \
    X(size_mask, "size classes of a row are not contiguous, or not in the model")     \
    X(decrement_words, "a write decrements a counter of more than one bus word")      \
    X(two_side_effects, "a counter is cleared on read and decremented on write")      \
    X(snapshot_side_effect, "a counter with side effects in a snapshot")              \
    X(torn, "a counter of several bus words, without a snapshot or a latch")          \
    X(status_row_with_frames, "a row that descriptors feed says which frames it counts") \
    X(latch_order, "a latching counter whose low word is not read first")             \
    X(unknown_term, "a term of no standard statistic, or one that adds 0")            \
    X(term_twice, "a row feeds a standard statistic twice")                           \
    X(histogram_direction, "a row of one direction in the histogram of the other")    \
    X(histogram_row, "a histogram row counts frames of one list of sizes, once")      \
    X(histogram_gap, "the histogram has a gap, an overlap or no open end")            \
    X(too_many_buckets, "the histogram has over 10 buckets")                          \
    X(field_without_register, "a field of no register")                               \
    X(field_width, "a field does not fit into its register")                          \
    X(field_overlap, "two fields overlap")                                            \
    X(field_access, "a writable field of a read-only register")                       \
    X(singlepulse_read_only, "a command that cannot be written")                      \
    X(rule_without_register, "a rule about bits of no register")                      \
    X(rule_not_a_field, "a rule about bits that are not exactly a field")             \
    X(rule_access, "a rule about a field of the wrong access")                        \
    X(rule_incomplete, "a request without grant, or an error that cannot be cleared") \
    X(identity_value, "an identity that differs from the register's reset value")     \
    X(dumped, "a read with side effects is not kept out of register dumps")           \
    X(not_dumped, "a read without side effects is kept out of register dumps")

enum class Violation {
#define MACSTATS_VIOLATION_ENUM(name, text) name,
    MACSTATS_VIOLATION_LIST(MACSTATS_VIOLATION_ENUM)
#undef MACSTATS_VIOLATION_ENUM
};

/* The rule that is broken, as a sentence. */
constexpr std::string_view describe(Violation violation) {
    constexpr std::string_view texts[] = {
#define MACSTATS_VIOLATION_TEXT(name, text) text,
        MACSTATS_VIOLATION_LIST(MACSTATS_VIOLATION_TEXT)
#undef MACSTATS_VIOLATION_TEXT
    };

    return texts[static_cast<std::size_t>(violation)];
}

/* Which member of macstats_model; those that are tables have rows. */
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
};

struct Finding {
    Violation violation = Violation::none;
    Part place = Part::model;
    unsigned int row = 0;

    constexpr explicit operator bool() const { return violation != Violation::none; }
    constexpr bool operator==(const Finding&) const = default;
};

/* ETHTOOL_RMON_HIST_MAX: kernels up to 6.17 have room for no more. */
inline constexpr unsigned int max_buckets = 10;

/* A compiler takes so many steps and no more (clang 2^20): nothing here is cubic. */
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
 * A missing text, like a missing table, is a null pointer, and following it ends the
 * compilation. It is not compared with one: under -fsanitize=undefined, g++ 12 has
 * no constant answer for the address of an object.
 */
constexpr bool empty(const char* text) {
    return !*text;
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
 * What node_exporter's ethtool collector makes of a lower snake_case name: the
 * tokens rx and tx are spelt out, and the names that it knows by heart get
 * "_total".
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
 * Index of the first of @n texts that equals an earlier one, or @n: a hash table,
 * as comparing each with each would cost the compiler more steps than it has.
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
    if (model.n_identity > MACSTATS_MAX_IDENTITY)
        return too_many(Part::identity);
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
        MACSTATS_FAULT_ALL & ~(MACSTATS_FAULT_PARITY_ERROR | MACSTATS_FAULT_SNAPSHOT_STUCK |
                               MACSTATS_FAULT_SNAPSHOT_SLOW);

    if ((model.bus_bits != 8 && model.bus_bits != 16 && model.bus_bits != 32 &&
         model.bus_bits != 64) ||
        !model.address_unit_bits || model.bus_bits % model.address_unit_bits)
        return {Violation::bus_width};
    if (model.line_rate_bps < 1000000)
        return {Violation::line_rate};
    if (!model.ports)
        return {Violation::no_ports};
    if (model.tx_pad_to < model.tx_shortest)
        return {Violation::padding};
    if (!is_subset(model.options, MACSTATS_OPT_ALL) ||
        !is_subset(model.default_options, model.options))
        return {Violation::unknown_option};
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

constexpr Violation alternative(const macstats_model& model, const macstats_when& when) {
    unsigned int classes = macstats_size_classes(&model.sizes);

    if (!is_subset(when.direction, MACSTATS_RX | MACSTATS_TX) ||
        !is_subset(when.destination, MACSTATS_UNICAST | MACSTATS_MULTICAST | MACSTATS_BROADCAST) ||
        !is_subset(when.kind, MACSTATS_ANY_KIND) ||
        !is_subset(when.origin, MACSTATS_BY_SOFTWARE | MACSTATS_BY_MAC) ||
        !is_subset(when.tags, MACSTATS_UNTAGGED | MACSTATS_TAGGED | MACSTATS_DOUBLE_TAGGED) ||
        !is_subset(when.excess, MACSTATS_WITHIN_MAX | MACSTATS_OVER_MAX | MACSTATS_VERY_LONG) ||
        !is_subset(
            when.collisions, MACSTATS_NO_COLLISION | MACSTATS_ONE_COLLISION |
                                 MACSTATS_SEVERAL_COLLISIONS | MACSTATS_SIXTEEN_COLLISIONS) ||
        !is_subset(when.errors, MACSTATS_ERR_ALL) || !is_subset(when.no_errors, MACSTATS_ERR_ALL))
        return Violation::unknown_value;
    if (when.size && (!is_contiguous(when.size) || when.size >> classes))
        return Violation::size_mask;
    if (!is_subset(when.with | when.without,
                   model.options | (model.setting.mask ? 0u + MACSTATS_OPT_SETTING : 0u)) ||
        (when.with & when.without))
        return Violation::unknown_option;
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

/* A row that descriptors feed: it has no register, and counts statuses that there can be. */
constexpr Violation description(const macstats_model& model, const macstats_counter& counter) {
    std::uint32_t known = 0;

    for (unsigned int i = 0; i < model.n_tx_status; i++)
        known |= static_cast<std::uint32_t>(macstats_bits_mask(model.tx_status[i].bits)
                                            << model.tx_status[i].lsb);
    if (!is_subset(counter.status.mask, known) ||
        !is_subset(counter.status.value, counter.status.mask) ||
        (counter.status.high && counter.status.high < counter.status.low))
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
    if (macstats_is_described(&counter))
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

constexpr Finding counters(const macstats_model& model) {
    for (unsigned int i = 0; i < model.n_counters; i++) {
        const macstats_counter& counter = model.counters[i];
        Violation violation = counter_row(model, counter);

        if (violation != Violation::none)
            return {violation, Part::counters, i};
        /* Rows that descriptors feed have no place among the registers: they are last. */
        if (macstats_is_described(&counter) && i + 1 < model.n_counters &&
            !macstats_is_described(&model.counters[i + 1]))
            return {Violation::order, Part::counters, i};
        if (!i || macstats_is_described(&counter))
            continue;
        if (counter.offset <= model.counters[i - 1].offset)
            return {Violation::order, Part::counters, i};
        if (counter.offset < macstats_counter_end(&model, &model.counters[i - 1]))
            return {Violation::overlap, Part::counters, i};
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
        if (!i)
            continue;
        if (reg.offset <= model.registers[i - 1].offset)
            return {Violation::order, Part::registers, i};
        if (reg.offset < model.registers[i - 1].offset + step)
            return {Violation::overlap, Part::registers, i};
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

/* Does a counter, or a register with @or_register, lie in @range? */
constexpr bool is_taken(const macstats_model& model, const Extent& range, bool or_register) {
    unsigned int n = macstats_register_counters(&model) +
                     (or_register ? 0u + model.n_registers : 0u);

    for (unsigned int i = 0; i < n; i++)
        if (extent(model, i).overlaps(range))
            return true;
    return false;
}

constexpr Finding overlaps(const macstats_model& model) {
    unsigned int n_counters = macstats_register_counters(&model);
    unsigned int before = n_counters + model.n_registers;

    for (unsigned int i = 0; i < model.n_registers; i++)
        if (is_taken(model, extent(model, n_counters + i), false))
            return {Violation::overlap, Part::registers, i};
    for (unsigned int i = 0; i < model.n_reserved; i++) {
        if (model.reserved[i].content > MACSTATS_READS_RANDOM)
            return {Violation::unknown_value, Part::reserved, i};
        if (model.reserved[i].first > model.reserved[i].last)
            return {Violation::order, Part::reserved, i};
        if (is_taken(model, extent(model, before + i), true))
            return {Violation::overlap, Part::reserved, i};
        for (unsigned int k = 0; k < i; k++)
            if (extent(model, before + i).overlaps(extent(model, before + k)))
                return {Violation::overlap, Part::reserved, i};
    }
    return {};
}

constexpr Finding ports(const macstats_model& model) {
    unsigned int n = extents(model);
    Extent span = extent(model, 0);

    for (unsigned int i = 1; i < n; i++) {
        Extent one = extent(model, i);

        span.first = one.first < span.first ? one.first : span.first;
        span.end = one.end > span.end ? one.end : span.end;
    }
    /* Ports that interleave are the rare case, and the costly one. */
    for (unsigned int port = 1; port < model.ports; port++) {
        std::uint64_t shift = std::uint64_t{model.port_stride} * port;

        if (!shift)
            return {Violation::port_stride};
        for (unsigned int i = 0; shift < span.end - span.first && i < n; i++) {
            Extent moved = extent(model, i);

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
                return {Violation::field_overlap, Part::fields, i};
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
        {Part::busy, model.busy, Access::any},
        {Part::half_full_pending, model.half_full_pending, Access::read_only},
        {Part::half_full_enable, model.half_full_enable, Access::stored},
        {Part::setting, model.setting, Access::stored},
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
    for (const auto& one : single) {
        /* A gate may have a bit for each port of a switch. */
        Violation violation = rule(model, one.bit, one.access, one.place == Part::gate);

        if (violation != Violation::none)
            return {violation, one.place};
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
    unsigned int n = macstats_histogram(&model, id, buckets.data(), max_buckets);
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

    twin = first_twin(counters, [&](unsigned int i) { return Text{model.counters[i].name}; });
    if (twin < counters)
        return {Violation::name_twice, Part::counters, twin};
    twin = first_twin(all, [&](unsigned int i) {
        return Text{i < counters ? model.counters[i].reg : model.registers[i - counters].name};
    });
    if (twin < counters)
        return {Violation::register_name_twice, Part::counters, twin};
    if (twin < all)
        return {Violation::register_name_twice, Part::registers, twin - counters};
    twin = first_twin(counters, [&](unsigned int i) { return Renamed(model.counters[i].name); });
    if (twin < counters)
        return {Violation::renamed_name_twice, Part::counters, twin};
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
    limits, texts, settings, counters, registers, overlaps,         ports,
    fields, rules, identity, standard, names,     dump_is_harmless,
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

/*
 * A constant expression for each group of rules, so that each has all of the
 * compiler's steps. Its message shows the finding: it is among the arguments.
 */
template <
    const macstats_model& Model, std::size_t Group, Finding Found = checks::groups[Group](Model)>
struct GroupHolds {
    static_assert(Found.violation == Violation::none, "a model breaks a rule of check.h");
    static constexpr bool value = true;
};

template <const macstats_model& Model, std::size_t... Group>
constexpr bool groups_hold(std::index_sequence<Group...>) {
    return (GroupHolds<Model, Group>::value && ...);
}

template <const macstats_model& Model>
inline constexpr bool
    model_holds = groups_hold<Model>(std::make_index_sequence<std::size(checks::groups)>{});

template <std::size_t... Index>
constexpr bool all_models_hold(std::index_sequence<Index...>) {
    return (model_holds<*macstats_models[Index]> && ...);
}

static_assert(all_models_hold(std::make_index_sequence<std::size(macstats_models)>{}));

} /* namespace macstats */

#endif /* __cplusplus */
#endif /* MACSTATS_CHECK_H */
