// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Models with one rule changed: what a collection of scenarios has to notice. And
// whether such a change makes a difference at all, which is found out by holding the
// changed row and the right one against every frame that their rules can tell apart.
#ifndef MACSTATS_TEST_MUTANT_HPP
#define MACSTATS_TEST_MUTANT_HPP

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <macstats/emulate/emulator.h>
#include <macstats/poll.h>
#include <macstats/rules/names.h>
#include <macstats/standard.h>

#include "descriptors.hpp"
#include "libmacstats/core/names.hpp"
#include "roles.hpp"

namespace macstats::test {

// A copy of a model whose rules can be changed. It stays where it is.
class Subject {
public:
    explicit Subject(const macstats_model& model)
        : original(model),
          counters(model.counters, model.counters + model.n_counters),
          registers(model.registers, model.registers + model.n_registers),
          descriptor(model),
          changed(model) {
        changed.counters = counters.data();
        changed.registers = registers.data();
        changed.descriptor = &descriptor;
    }
    Subject(const Subject&) = delete;
    Subject& operator=(const Subject&) = delete;

    const macstats_model& original;
    std::vector<macstats_counter> counters;
    std::vector<macstats_register> registers;
    DescriptorCopy descriptor;
    macstats_model changed;
};

// The subject of a rule.
enum class About {
    counting,    // which frames a row counts, and how much of them
    standard,    // the statistics that it feeds
    beyond,      // what its register does when it has counted much
    access,      // what its register does when it is read or written
    descriptors, // the status of a frame
    described,   // which rows count it
    model,       // none of these
};

// Visits each change: makes it, calls @visit with a description of it and the index of
// the row, and takes it back.
class Mutations {
public:
    using Visit = std::function<void(const std::string& what, About about, std::size_t row)>;

    Mutations(Subject& subject, Visit visit) : subject_(subject), visit_(std::move(visit)) {}

    void all() {
        for (const macstats_counter& row : subject_.counters)
            for (const macstats_when& rule : row.when)
                if ((rule.errors | rule.no_errors) &
                    (MACSTATS_ERR_CHECKSUM | MACSTATS_ERR_NO_BUFFER))
                    error_bits_ = 12;
        for (row_ = 0; row_ < subject_.counters.size(); row_++)
            counter(subject_.counters[row_]);
        row_ = 0;
        about_ = About::descriptors;
        for (macstats_status& field : subject_.descriptor.tx)
            status(field, "tx_status ");
        for (macstats_status& field : subject_.descriptor.rx)
            status(field, "rx_status ");
        descriptors(subject_.descriptor);
        about_ = About::model;
        model(subject_.changed);
    }

private:
    template <typename Field, typename Value>
    void change(Field& field, Value value, const std::string& what) {
        const Field right = field;
        field = static_cast<Field>(value);
        if (field != right)
            visit_(what, about_, row_);
        field = right;
    }

    // No field has a role any more, of those of a block if it is one of a block.
    void without_role(std::uint32_t role, const std::string& what, unsigned int blocks = ~0u) {
        const std::vector<macstats_register> right = subject_.registers;
        if (drop_role(subject_.registers, role, blocks))
            visit_(what, about_, row_);
        std::copy(right.begin(), right.end(), subject_.registers.begin());
    }

    // Every bit of a mask, and no mask at all.
    template <typename Field>
    void mask(Field& field, unsigned int bits, const std::string& what) {
        for (unsigned int bit = 0; bit < bits; bit++)
            change(field, field ^ (1u << bit), what + " ^ " + std::to_string(1u << bit));
        change(field, 0, what + " = 0");
    }

    void when(macstats_when& rule, const std::string& what) {
        mask(rule.direction, 2, what + "direction");
        mask(rule.destination, 3, what + "destination");
        mask(rule.kind, 4, what + "kind");
        mask(rule.origin, 2, what + "origin");
        mask(rule.tags, 3, what + "tags");
        mask(rule.excess, 3, what + "excess");
        mask(rule.collisions, 4, what + "collisions");
        change(rule.deferred, !rule.deferred, what + "deferred");
        mask(rule.size, macstats_size_classes(&subject_.original.sizes), what + "size");
        // The last two errors only where the model knows them: no frame of the others has one.
        mask(rule.errors, error_bits_, what + "errors");
        mask(rule.no_errors, error_bits_, what + "no_errors");
        // Of speeds only those that the row names: no scenario has each frame at each speed.
        mask(rule.with, 8, what + "with");
        mask(rule.without, 8, what + "without");
        change(rule.with, rule.with & ~MACSTATS_OPT_SPEEDS, what + "with any speed");
        change(rule.without, rule.without & ~MACSTATS_OPT_SPEEDS, what + "without no speed");
    }

    void all_when(macstats_when (&rules)[MACSTATS_MAX_WHEN], const std::string& what) {
        for (unsigned int i = 0; i < MACSTATS_MAX_WHEN && rules[i].direction; i++)
            when(rules[i], what + "when[" + std::to_string(i) + "] ");
    }

    void counter(macstats_counter& row) {
        const std::string what = std::string(row.name) + ": ";

        about_ = About::standard;
        terms(row, what);
        if (macstats_is_software_counter(&row)) {
            from_status(row.status, what);
            return;
        }
        about_ = About::counting;
        all_when(row.when, what);
        for (unsigned int unit = MACSTATS_FRAMES; unit <= MACSTATS_EARLY_COLLISIONS; unit++)
            change(row.unit, unit, what + "unit " + std::to_string(unit));
        for (const int limit : {0, 1518, 1522})
            change(row.frame_limit, limit, what + "frame_limit " + std::to_string(limit));

        about_ = About::beyond;
        // Nothing ever counts to 2^64.
        if (row.bits < 64)
            change(row.overflow, !row.overflow, what + "overflow");
        change(row.good_frames, 0, what + "good_frames 0");
        change(row.good_frames, row.good_frames + 1, what + "good_frames + 1");

        about_ = About::access;
        for (const int bits : {16, 31, 32, 33, 48, 63, row.bits - 1, row.bits + 1})
            if (bits >= 1 && bits <= 64)
                change(row.bits, bits, what + "bits " + std::to_string(bits));
        change(row.onread, !row.onread, what + "onread");
        change(row.onwrite, !row.onwrite, what + "onwrite");
        if (macstats_words(&subject_.original, &row) > 1)
            change(row.latch, !row.latch, what + "latch");
        for (unsigned int block = 0; block < subject_.original.n_blocks; block++)
            change(row.block, block, what + "block " + std::to_string(block));
        const unsigned int all = (1u << macstats__count_revisions(&subject_.original)) - 1;
        for (unsigned int revision = 1; revision <= all; revision <<= 1)
            change(
                row.revisions, (row.revisions ? row.revisions : all) ^ revision,
                what + "revisions ^ " + std::to_string(revision));
    }

    void from_status(macstats_from_status& rule, const std::string& what) {
        about_ = About::described;
        // With no mask at all it would be a register's row.
        for (unsigned int bit = 0; bit < 32; bit++) {
            change(rule.mask, rule.mask ^ (1u << bit), what + "mask ^ " + std::to_string(bit));
            change(rule.value, rule.value ^ (1u << bit), what + "value ^ " + std::to_string(bit));
        }
        for (const int number : {0, 1, 2, 14, 15}) {
            change(rule.low, number, what + "low " + std::to_string(number));
            change(rule.high, number, what + "high " + std::to_string(number));
        }
        change(rule.received, !rule.received, what + "received");
        change(rule.adds_collisions, !rule.adds_collisions, what + "adds_collisions");
        change(rule.adds_attempts, !rule.adds_attempts, what + "adds_attempts");
        change(rule.adds_octets, !rule.adds_octets, what + "adds_octets");
    }

    // A histogram takes each of its rows as it is, and only those of a size class. A MAC without
    // the sublayer has nothing to feed the statistics of the sublayer with.
    void terms(macstats_counter& row, const std::string& what) {
        unsigned int n = 0;

        for (; n < MACSTATS_MAX_TERMS && row.standard[n].id; n++) {
            macstats_term& term = row.standard[n];
            const std::string which = what + std::string(standard_name(term.id).name);
            change(term.id, MACSTATS_STD_NONE, which + " and what follows");
            if (macstats_is_histogram(term.id))
                continue;
            for (const int factor : {0, -term.factor, term.factor + 1, term.factor - 1})
                change(term.factor, factor, which + " times " + std::to_string(factor));
        }
        if (n == MACSTATS_MAX_TERMS)
            return;
        row.standard[n].factor = 1;
        for (unsigned int id = 1; id < MACSTATS_STD_COUNT; id++)
            if (!macstats_is_histogram(id) &&
                (macstats_merges(&subject_.original) || standard_name(id).group != "mm"))
                change(
                    row.standard[n].id, id,
                    what + "also feeds " + std::string(standard_name(id).name));
        row.standard[n].factor = 0;
    }

    void status(macstats_status& field, const std::string& table) {
        const std::string what = table + field.name + ": ";

        all_when(field.when, what);
        mask(field.unless, field.unless ? 32 : 0, what + "unless");
        change(field.collisions, !field.collisions, what + "collisions");
        change(field.octets, !field.octets, what + "octets");
        if (field.copy.mask)
            change(field.copy.mask, 0, what + "copy");
    }

    void descriptors(macstats_descriptor& bits) {
        for (std::uint32_t* bit : {&bits.last, &bits.override, &bits.append_crc, &bits.huge})
            change(*bit, 0, "descriptor without bit " + std::to_string(*bit));
        all_when(bits.rx_described, "rx_described ");
        without_role(MACSTATS_ROLE_RETRY_LIMIT, "retry_limit");
    }

    void model(macstats_model& model) {
        for (unsigned int i = 0; i < MACSTATS_MAX_EDGES && model.sizes.edge[i]; i++) {
            if (!matters(i))
                continue;
            const std::string what = "edge " + std::to_string(model.sizes.edge[i]);
            change(model.sizes.edge[i], model.sizes.edge[i] + 1, what + " + 1");
            change(model.sizes.edge[i], model.sizes.edge[i] - 1, what + " - 1");
            change(
                model.sizes.tagged_edges, model.sizes.tagged_edges ^ (1u << i), what + " tagged");
        }
        for (const macstats_role role :
             {MACSTATS_ROLE_MAX_FRAME_RX, MACSTATS_ROLE_MAX_FRAME_TX, MACSTATS_ROLE_ANY_LENGTH_TX,
              MACSTATS_ROLE_GATE, MACSTATS_ROLE_BUSY, MACSTATS_ROLE_SETTING,
              MACSTATS_ROLE_SETTING_2, MACSTATS_ROLE_FLOW_CONTROL})
            without_role(role, "model: no field with role " + std::to_string(role));
        change(model.tag_over_max, !model.tag_over_max, "tag_over_max");
        change(model.cut_at_max, !model.cut_at_max, "cut_at_max");
        change(model.deferral_aborts, !model.deferral_aborts, "deferral_aborts");
        change(model.ieee_own_pause, !model.ieee_own_pause, "ieee_own_pause");
        if (model.variant_control_overhead)
            change(model.variant_control_overhead, 0, "variant_control_overhead");
        if (model.very_long_least)
            change(model.very_long_least, 0, "very_long_least");
        change(model.tx_shortest, model.tx_shortest + 1, "tx_shortest + 1");
        change(model.tx_pad_to, model.tx_pad_to + 1, "tx_pad_to + 1");
        if (model.needs_clocks)
            change(model.needs_clocks, false, "needs_clocks");
        for (unsigned int i = 0; i < model.n_blocks; i++) {
            macstats_block& block = model.blocks[i];
            const std::string what = "block " + std::to_string(i) + ": ";
            for (const macstats_role role :
                 {MACSTATS_ROLE_SNAPSHOT_REQUEST, MACSTATS_ROLE_CLEAR, MACSTATS_ROLE_PARITY_ERROR,
                  MACSTATS_ROLE_PARITY_CLEAR})
                without_role(role, what + "no field with role " + std::to_string(role), 1u << i);
            if (macstats_find_roles(&model).blocks[i].parity_error.mask)
                change(
                    block.clear_clears_parity, !block.clear_clears_parity, what + "clears parity");
            constexpr unsigned int both = MACSTATS_OPT_TX_STATISTICS | MACSTATS_OPT_RX_STATISTICS;
            if (block.option) {
                change(block.option, 0, what + "no option");
                change(block.option, block.option ^ both, what + "option of the other direction");
            }
        }
    }

    // Does a rule tell the size classes on both sides of an edge apart?
    [[nodiscard]] bool matters(unsigned int edge) const {
        const auto parts = [edge](const macstats_when& rule) {
            return ((rule.size >> edge ^ rule.size >> (edge + 1)) & 1) != 0;
        };
        for (const macstats_counter& row : subject_.counters)
            if (std::any_of(std::begin(row.when), std::end(row.when), parts))
                return true;
        return false;
    }

    Subject& subject_;
    Visit visit_;
    About about_ = About::counting;
    std::size_t row_ = 0;
    unsigned int error_bits_ = 10;
};

// Of which properties of a frame rules know.
struct Mentioned {
    bool few_lengths = false; // those around the shortest and the maximum are enough
    bool destination = false, kind = false, origin = false, tags = false, length = false;
    bool collisions = false, deferred = false;
    std::uint16_t errors = 0;
    std::uint16_t options = 0;

    void add(const macstats_when& rule) {
        destination |= rule.destination;
        kind |= rule.kind;
        origin |= rule.origin;
        // Only pause frames to a multicast address are told apart by it.
        destination |= origin;
        kind |= origin;
        length |= rule.size || rule.excess;
        tags |= rule.tags || length || kind;
        collisions |= rule.collisions;
        deferred |= rule.deferred;
        errors = static_cast<std::uint16_t>(errors | rule.errors | rule.no_errors);
        options = static_cast<std::uint16_t>(options | rule.with | rule.without);
    }

    void add(const macstats_counter& row) {
        for (const macstats_when& rule : row.when)
            add(rule);
        if (row.unit != MACSTATS_FRAMES)
            length = tags = kind = true;
        if (row.unit == MACSTATS_PAYLOAD)
            options |= MACSTATS_OPT_VLAN_DETECTION;
        if (row.unit >= MACSTATS_COLLISIONS)
            collisions = true;
        if (row.unit == MACSTATS_WIRE_OCTETS)
            options |= MACSTATS_OPT_HALF_DUPLEX;
        if (collisions)
            errors |= MACSTATS_ERR_LATE_COLLISION | MACSTATS_ERR_EXCESSIVE_COLLISIONS |
                      MACSTATS_ERR_EXCESSIVE_DEFERRAL;
    }
};

// Every frame that rules which mention these properties can tell apart, under every
// setting of the options and of the maximum frame length that they know of.
class Frames {
public:
    // True as answer: enough.
    using Visit = std::function<bool(const macstats_emulator& emu, const macstats_frame& frame)>;
    using VisitSettings = std::function<bool(const macstats_emulator& emu, std::uint32_t max)>;
    using VisitFrame = std::function<bool(const macstats_frame& frame)>;

    Frames(const macstats_model& model, const Mentioned& mentioned)
        : model_(model),
          mentioned_(mentioned) {}

    // True if a visit returned true; the search ends there.
    bool any(const Visit& visit) const {
        return any_settings([&](const macstats_emulator& emu, std::uint32_t max) {
            return any_frame(max, [&](const macstats_frame& frame) { return visit(emu, frame); });
        });
    }

    // The same for the settings alone, and for the frames of one maximum length.
    bool any_settings(const VisitSettings& visit) const {
        macstats_emulator emu{};
        macstats_cell_set none{nullptr, 0};
        for (const std::uint16_t options : option_sets()) {
            macstats_emulator_power_up(&emu, &model_, &none, options, false, 0);
            emu.settings.options = options;
            // Pause frames of the MAC exist while flow control is on, whatever its reset value. Its
            // bit may be a setting, too, and one that rules mention.
            const macstats_roles& roles = emu.roles;
            emu.settings.flow_control = true;
            for (unsigned int i = 0; i < MACSTATS_MAX_SETTINGS && roles.flow_control.mask; i++)
                if (macstats_is_same_bit(&roles.setting[i], &roles.flow_control) &&
                    (mentioned_.options & MACSTATS_OPT_SETTING << i))
                    emu.settings.flow_control = (options & MACSTATS_OPT_SETTING << i) != 0;
            for (const std::uint32_t max : maxima(emu)) {
                if (roles.max_frame_rx.mask)
                    emu.settings.max_frame_rx = max;
                if (roles.max_frame_tx.mask)
                    emu.settings.max_frame_tx = max;
                if (visit(emu, max))
                    return true;
            }
        }
        return false;
    }

    bool any_frame(std::uint32_t max, const VisitFrame& visit) const {
        using Bytes = std::vector<std::uint8_t>;
        const Bytes destinations = all_or_one<std::uint8_t>(
            mentioned_.destination, {MACSTATS_UNICAST, MACSTATS_MULTICAST, MACSTATS_BROADCAST});
        const Bytes kinds = all_or_one<std::uint8_t>(
            mentioned_.kind, {MACSTATS_DATA, MACSTATS_CONTROL, MACSTATS_PAUSE, MACSTATS_PFC});
        const Bytes origins =
            all_or_one<std::uint8_t>(mentioned_.origin, {MACSTATS_BY_SOFTWARE, MACSTATS_BY_MAC});
        const Bytes tags = all_or_one<std::uint8_t>(mentioned_.tags, {0, 1, 2});
        const Bytes collisions = all_or_one<std::uint8_t>(mentioned_.collisions, {0, 1, 2, 15, 16});
        const Bytes deferrals = all_or_one<std::uint8_t>(mentioned_.deferred, {0, 1});
        const auto errors = error_sets();

        macstats_frame frame{};
        for (frame.direction = MACSTATS_RX; frame.direction <= MACSTATS_TX; frame.direction++)
            for (const std::uint32_t length : lengths(max))
                for (const std::uint8_t destination : destinations)
                    for (const std::uint8_t kind : kinds)
                        for (const std::uint8_t origin : origins)
                            for (const std::uint8_t vlan_tags : tags)
                                for (const std::uint8_t collided : collisions)
                                    for (const std::uint8_t deferred : deferrals)
                                        for (const std::uint16_t error : errors) {
                                            frame.length = length;
                                            frame.destination = destination;
                                            frame.kind = kind;
                                            frame.origin = origin;
                                            frame.vlan_tags = vlan_tags;
                                            frame.collisions = collided;
                                            frame.deferred = deferred;
                                            frame.errors = error;
                                            if (macstats_valid_own_pause(&model_, &frame) &&
                                                visit(frame))
                                                return true;
                                        }
        return false;
    }

private:
    template <typename Value>
    static std::vector<Value> all_or_one(bool all, std::vector<Value> values) {
        return all ? values : std::vector<Value>{values.front()};
    }

    std::vector<std::uint16_t> option_sets() const {
        const macstats_roles roles = macstats_find_roles(&model_);
        const unsigned int switched = macstats__settings_in(&roles);
        // Without half duplex no row sees a collision, whether it names the option or not, and
        // with it the MAC sends no pause frame.
        const unsigned int free = (mentioned_.options | MACSTATS_OPT_HALF_DUPLEX) &
                                  (model_.options | switched) &
                                  ~macstats_statistics_options(&model_);
        const unsigned int fixed = model_.default_options & ~free;
        std::vector<std::uint16_t> sets;
        for (unsigned int some = free;; some = (some - 1) & free) {
            if (macstats_valid_options(&model_, (fixed | some) & model_.options))
                sets.push_back(static_cast<std::uint16_t>(fixed | some));
            if (!some)
                return sets;
        }
    }

    std::vector<std::uint32_t> maxima(const macstats_emulator& emu) const {
        if (mentioned_.few_lengths)
            return {emu.settings.max_frame_rx, 40};
        return all_or_one<std::uint32_t>(
            mentioned_.length, {emu.settings.max_frame_rx, 40, 300, 1518, 1522, 9600});
    }

    std::vector<std::uint32_t> lengths(std::uint32_t max) const {
        if (mentioned_.few_lengths)
            return {64, 1, 8, 9, 20, 60, max, max + 1, max + 4, max + 5, 2 * max + 1, 9000};
        std::vector<std::uint32_t> around = {64, 8, 9, 17, 18, 60, 1518, 2 * max, 65535};
        for (unsigned int i = 0; i < MACSTATS_MAX_EDGES && model_.sizes.edge[i]; i++)
            around.push_back(model_.sizes.edge[i]);
        around.push_back(max);
        around.push_back(model_.very_long_least);
        std::vector<std::uint32_t> all = {64};
        for (const std::uint32_t middle : around)
            for (const int off : {-4, -1, 0, 1, 3, 4, 5})
                if (static_cast<int>(middle) + off >= 1 && middle + 5 <= MACSTATS_FRAME_MAX)
                    all.push_back(middle + static_cast<std::uint32_t>(off));
        return all_or_one(mentioned_.length, all);
    }

    // None, each one, and each two: a rule asks for any of some errors, or for none.
    std::vector<std::uint16_t> error_sets() const {
        std::vector<std::uint16_t> sets = {0};
        for (unsigned int a = 1; a < MACSTATS_ERR_ALL; a <<= 1)
            for (unsigned int b = a; b < MACSTATS_ERR_ALL; b <<= 1)
                if (((a | b) & mentioned_.errors) == (a | b))
                    sets.push_back(static_cast<std::uint16_t>(a | b));
        return sets;
    }

    const macstats_model& model_;
    const Mentioned& mentioned_;
};

// The increment of a counter for one frame.
inline std::uint64_t
added(const macstats_emulator& emu, const macstats_counter& row, const macstats_seen& seen) {
    if (!seen.length || !macstats_counts(&row, seen.frame_class))
        return 0;
    return macstats_amount(emu.model, &row, seen.frame_class, &seen.each);
}

// Is there a frame that this counter counts? One that descriptors feed has some.
inline bool can_count(const macstats_model& model, const macstats_counter& row) {
    if (macstats_is_software_counter(&row))
        return true;
    Mentioned mentioned;
    mentioned.add(row);
    return Frames(model, mentioned).any([&](const auto& emu, const auto& frame) {
        return added(emu, row, macstats_see(&emu, &frame)) != 0;
    });
}

// Is there a frame of which the two rows count something different?
inline bool
differ(const macstats_model& model, const macstats_counter& one, const macstats_counter& other) {
    Mentioned mentioned;
    mentioned.add(one);
    mentioned.add(other);
    return Frames(model, mentioned).any([&](const auto& emu, const auto& frame) {
        const macstats_seen seen = macstats_see(&emu, &frame);
        return added(emu, one, seen) != added(emu, other, seen);
    });
}

// A packet as words that can be compared.
using PacketWords = std::array<std::uint32_t, 5>;

inline PacketWords packet_words(const macstats_packet& packet) {
    return {packet.first, packet.last, packet.config, packet.octets, packet.attempts};
}

inline macstats_packet packet_of(const PacketWords& words) {
    return {words[0], words[1], words[2], words[3], static_cast<std::uint8_t>(words[4])};
}

// The contents of the descriptors of a frame.
struct Described {
    std::optional<PacketWords> packet;
    unsigned int descriptors = 0;
    std::array<std::uint32_t, 2> received{};

    bool operator==(const Described&) const = default;
};

// @frame: of up to two descriptors
inline Described described(const macstats_emulator& emu, const macstats_frame& frame) {
    Described seen;
    if (macstats_has_tx_status(emu.model, &frame))
        seen.packet = packet_words(macstats_tx_packet(&emu, &frame));
    std::uint32_t status = 0;
    if (macstats_rx_status(&emu, &frame, &status))
        for (; seen.descriptors < macstats_descriptors(&frame); seen.descriptors++)
            seen.received.at(seen.descriptors) =
                macstats_rx_descriptor(emu.model, &frame, status, seen.descriptors);
    return seen;
}

// The increments of all software counters for these descriptors.
inline std::vector<std::uint64_t> increments(const macstats_model& model, const Described& seen) {
    const unsigned int first = macstats_register_counters(&model);
    std::vector<std::uint64_t> counts(model.n_counters - first);
    for (unsigned int i = first; i < model.n_counters; i++) {
        if (seen.packet) {
            const macstats_packet packet = packet_of(*seen.packet);
            counts[i - first] += macstats_transmitted_increment(
                &model, i, &packet, macstats_packet_status(&model, &packet), 1);
        }
        for (const std::uint32_t status : std::span(seen.received).first(seen.descriptors))
            counts[i - first] += macstats_received_increment(&model, i, status, 1);
    }
    return counts;
}

// Calls @visit with every packet or frame that has descriptors, under any setting that
// matters to them, until it returns true. @visit gets an emulator of each model, set alike.
template <typename Visit>
bool any_with_descriptors(const macstats_model& model, const macstats_model& other, Visit visit) {
    Mentioned mentioned;
    mentioned.few_lengths = true;
    mentioned.collisions = mentioned.deferred = true;
    for (const macstats_model* one : {&model, &other}) {
        const macstats_descriptor& bits = *macstats_descriptor_of(one);
        for (const macstats_status& field : std::span(bits.tx_status, bits.n_tx_status))
            for (const macstats_when& rule : field.when)
                mentioned.add(rule);
        for (const macstats_status& field : std::span(bits.rx_status, bits.n_rx_status))
            for (const macstats_when& rule : field.when)
                mentioned.add(rule);
        for (const macstats_when& rule : bits.rx_described)
            mentioned.add(rule);
    }
    // Options that a register sets follow from its content.
    mentioned.options &= static_cast<std::uint8_t>(~MACSTATS_OPT_SETTINGS);
    struct Extra {
        std::uint8_t descriptors, append_crc, huge;
    };
    static constexpr Extra variants[] = {{1, 0, 0}, {2, 0, 0}, {1, 1, 0},
                                         {2, 2, 0}, {1, 0, 1}, {1, 0, 2}};
    const Frames frames(model, mentioned);
    return frames.any_settings([&](macstats_emulator emu, std::uint32_t max) {
        // All bits of the registers clear, set, and one bit of each.
        for (const std::uint32_t content : {0u, ~0u, 1u << 1, 1u << 2}) {
            for (unsigned int i = 0; i < model.n_registers; i++)
                emu.registers[i] = model.registers[i].offset == emu.roles.max_frame_rx.offset
                                       ? max << macstats_bit_shift(emu.roles.max_frame_rx.mask)
                                       : content;
            macstats__emulator_settings(&emu);
            macstats_emulator changed = emu;
            changed.model = &other;
            changed.roles = macstats_find_roles(&other);
            macstats__emulator_settings(&changed);
            const bool done = frames.any_frame(max, [&](macstats_frame frame) {
                const bool received = frame.direction == MACSTATS_RX;
                // Properties that no rule of the direction knows.
                if (received ? frame.collisions || frame.deferred
                             : frame.kind != MACSTATS_DATA || frame.vlan_tags)
                    return false;
                if (!received && content == 1u << 1)
                    return false;
                for (const Extra& variant : variants) {
                    if (received && (variant.append_crc || variant.huge))
                        continue;
                    frame.descriptors = variant.descriptors;
                    frame.append_crc = variant.append_crc;
                    frame.huge = variant.huge;
                    if (visit(emu, changed, frame))
                        return true;
                }
                return false;
            });
            if (done)
                return true;
        }
        return false;
    });
}

// All packets and words that any_with_descriptors() leads to.
struct Words {
    std::set<PacketWords> packets;
    std::set<std::uint32_t> received;
};

inline const Words& words_of(const macstats_model& model) {
    static std::map<std::string, Words> known;
    const auto [it, is_new] = known.try_emplace(model.name);
    Words& words = it->second;
    if (is_new)
        any_with_descriptors(model, model, [&](const auto& emu, const auto&, const auto& frame) {
            const Described seen = described(emu, frame);
            if (seen.packet)
                words.packets.insert(*seen.packet);
            words.received.insert(seen.received.begin(), seen.received.begin() + seen.descriptors);
            return false;
        });
    return words;
}

// Do the rows of the two models that descriptors feed differ for a descriptor of @one?
inline bool rows_differ(const macstats_model& one, const macstats_model& other) {
    const Words& words = words_of(one);
    for (unsigned int i = macstats_register_counters(&one); i < one.n_counters; i++) {
        for (const PacketWords& packet : words.packets) {
            const macstats_packet seen = packet_of(packet);
            if (macstats_transmitted_increment(
                    &one, i, &seen, macstats_packet_status(&one, &seen), 1) !=
                macstats_transmitted_increment(
                    &other, i, &seen, macstats_packet_status(&other, &seen), 1))
                return true;
        }
        for (const std::uint32_t status : words.received)
            if (macstats_received_increment(&one, i, status, 1) !=
                macstats_received_increment(&other, i, status, 1))
                return true;
    }
    return false;
}

// Is there a frame whose descriptors feed something different in the two models, which may
// also differ in the tables of their status?
inline bool descriptors_differ(const macstats_model& one, const macstats_model& other) {
    if (!macstats_descriptor_of(&one)->n_tx_status && !macstats_descriptor_of(&one)->n_rx_status)
        return false;
    if (rows_differ(one, other))
        return true;
    return any_with_descriptors(
        one, other, [&](const auto& emu, const auto& changed, const auto& frame) {
            const Described right = described(emu, frame);
            const Described wrong = described(changed, frame);
            // The increments of equal words were compared above.
            return right != wrong && increments(one, right) != increments(other, wrong);
        });
}

// The counter values of a port after one frame.
inline std::vector<std::uint64_t>
counted(const macstats_model& model, std::uint16_t options, const macstats_frame& frame) {
    macstats_emulator emu{};
    macstats_cpu_cells cpu_cells{};
    macstats_cpu_cells* list[] = {&cpu_cells};
    const macstats_cell_set cell_set{list, 1};
    macstats_emulator_power_up(&emu, &model, &cell_set, options, false, 0);
    macstats_emulator_count(&emu, &cell_set, &cpu_cells, &frame, 1);
    std::vector<std::uint64_t> values;
    for (unsigned int i = 0; i < macstats_register_counters(&model); i++)
        values.push_back(macstats__sum_counter(&emu, &cell_set, i) - emu.counters[i].base);
    return values;
}

// Is there a frame of which two models that differ in more than a row count something
// different? Looked for among data frames, as what is not in rows is about lengths,
// tags, and attempts to transmit.
inline bool models_differ(const macstats_model& one, const macstats_model& other) {
    Mentioned mentioned;
    mentioned.few_lengths = true;
    mentioned.tags = mentioned.collisions = mentioned.deferred = true;
    mentioned.errors = MACSTATS_ERR_FCS | MACSTATS_ERR_LATE_COLLISION |
                       MACSTATS_ERR_EXCESSIVE_COLLISIONS | MACSTATS_ERR_EXCESSIVE_DEFERRAL;
    mentioned.options = MACSTATS_OPT_HALF_DUPLEX | MACSTATS_OPT_FIBER;
    return Frames(one, mentioned).any([&](const macstats_emulator& emu, const auto& frame) {
        return counted(one, emu.settings.options, frame) !=
               counted(other, emu.settings.options, frame);
    });
}

} // namespace macstats::test

#endif // MACSTATS_TEST_MUTANT_HPP
