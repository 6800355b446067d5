// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Every model against the slow reference of ../reference, which was written from its
// datasheet alone: the same random frames, register accesses, presets, faults and polls
// into both, and all that can be seen compared. Then the other way round: would a wrong
// row be noticed?
#include "boost_test.hpp"
#include <boost/test/data/test_case.hpp>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <map>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "comparison.hpp"
#include "models.hpp"

BOOST_AUTO_TEST_SUITE(unit_reference)

using namespace macstats::test;

namespace {

constexpr u16 half_duplex = MACSTATS_OPT_HALF_DUPLEX;
constexpr u16 fiber = MACSTATS_OPT_FIBER;
constexpr u16 vlan_detection = MACSTATS_OPT_VLAN_DETECTION;
constexpr u16 statistics = all_statistics;
constexpr u16 tx_statistics = MACSTATS_OPT_TX_STATISTICS;
constexpr u16 rx_statistics = MACSTATS_OPT_RX_STATISTICS;

// Counters more often than the rest, and addresses where nothing is.
const ComparedMac ll40g_mac = {
    .model = ll40g_model,
    .variants =
        {{"as it is", {}, {}},
         {"powered up at random", {.random = true}, {.random = true}},
         {"as the released core", {.with = MACSTATS_OPT_VARIANT}, {.as_released = true}},
         {"without VLAN detection", {.without = vlan_detection}, {.vlan_detection = false}},
         {"without statistics", {.without = statistics}, {.statistics = false}},
         {"without TX statistics", {.without = tx_statistics}, {.tx_statistics = false}},
         {"without RX statistics",
          {.without = rx_statistics, .random = true},
          {.rx_statistics = false, .random = true}}},
    .reads =
        {{0x800, 0x100},
         {0x900, 0x100},
         {0x800, 0x38},
         {0x900, 0x38},
         {0x840, 8},
         {0x940, 8},
         {0x860, 2},
         {0x960, 2},
         {0x845, 2},
         {0x945, 2},
         {0, 0x1000}},
    .writes = {{0x845}, {0x945}, {0x845}, {0x945}, {0x407}, {0x506}, {0x841}, {0x941}},
    .values = {9600, 9600, 1518, 1519, 1522, 65535, 63, 64, 100, 0, 1, 2, 4, 5},
};

const ComparedMac ll40g_agilex5_mac = {
    .model = ll40g_agilex5_model,
    .variants =
        {{"as it is", {}, {}},
         {"powered up at random", {.random = true}, {.random = true}},
         {"without VLAN detection", {.without = vlan_detection}, {.vlan_detection = false}},
         {"without statistics", {.without = statistics}, {.statistics = false}},
         {"without TX statistics", {.without = tx_statistics}, {.tx_statistics = false}},
         {"without RX statistics",
          {.without = rx_statistics, .random = true},
          {.rx_statistics = false, .random = true}}},
    .reads =
        {{0x800, 0x100},
         {0x900, 0x100},
         {0x800, 0x36},
         {0x900, 0x36},
         {0x860, 4},
         {0x960, 4},
         {0x845, 2},
         {0x945, 2},
         {0x407},
         {0x506},
         {0, 0x1000}},
    .writes = {{0x845}, {0x945}, {0x845}, {0x945}, {0x407}, {0x506}},
    .values = {9600, 9600, 1518, 1519, 2000, 65535, 1, 63, 64, 65, 100, 2, 4, 5},
};

const ComparedMac ixf1104_mac = {
    .model = ixf1104_model,
    .variants =
        {{"copper", {}, {}},
         {"half duplex", {.with = half_duplex}, {.half_duplex = true}},
         {"fiber", {.with = fiber}, {.fiber = true}},
         {"fiber, half duplex",
          {.with = half_duplex | fiber},
          {.half_duplex = true, .fiber = true}},
         {"powered up at random", {.random = true}, {.random = true}},
         {"without statistics", {.without = statistics}, {.statistics = false}}},
    .reads =
        {{0x20, 0x1a},
         {0x40, 0x19},
         {0x20, 0x1a},
         {0x40, 0x19},
         {0x594},
         {0x622},
         {0, 0x80},
         {0x200, 0x80}},
    .writes = {{0x0f}, {0x19}, {0x594}},
    .values = {1518,  1518,  1518, 1522, 2000, 3125, 3126, 5000, 8191, 8192, 9831,
               16383, 16383, 1000, 64,   40,   0,    0x20, 0x3f, 0x20, 0x3f},
};

const ComparedMac rc32438_mac = {
    .model = rc32438_model,
    .variants =
        {{"as it is", {}, {}},
         {"half duplex", {.with = half_duplex}, {.half_duplex = true}},
         {"powered up at random", {.random = true}, {.random = true}},
         {"without statistics", {.without = statistics}, {.statistics = false}}},
    .reads =
        {{0x120, 5, 4},
         {0x120, 5, 4},
         {0x120, 5, 4},
         {0, 0x260},
         {0, 0x98, 4},
         {0x200, 6, 4},
         {0x10000, 0x260}},
    .writes = {{0x214}, {0x214}, {0x204}, {0x000}},
    .values = {0, 1, 63, 64, 100, 1518, 1522, 1536, 1536, 9000, 65534, 65535, 1 << 2, 1 << 4},
};

const ComparedMac cpsw_mac = {
    .model = cpsw_model,
    .variants =
        {{"full duplex", {}, {}},
         {"half duplex", {.with = half_duplex}, {.half_duplex = true}},
         {"powered up at random", {.random = true}, {.random = true}},
         {"without statistics", {.without = statistics}, {.statistics = false}}},
    .reads =
        {{0x00, 36, 4},
         {0x00, 36, 4},
         {0x00, 36, 4},
         {0x00, 36, 4},
         {0x00, 36, 4},
         {0, 0xa0},
         {0x4a100000},
         {0x4a10000c},
         {0x4a100d84},
         {0x4a100d90},
         {0x4a10121c},
         {0x4a10124c}},
    .writes =
        {{0x00, 36, 4}, {0x00, 36, 4}, {0x4a10000c}, {0x4a100d84}, {0x4a100d90}, {0x4a10121c}},
    .values = {7, 7, 7, 1518, 1518, 600, 1024, 0x3fff, 0, 8, 16, 24, 0xffffffff, 0xfffffffe},
};

const ComparedMac am65_cpsw_mac = {
    .model = am65_cpsw_model,
    .variants = cpsw_mac.variants,
    .reads =
        {{0x3a200, 56, 4},
         {0x3a200, 56, 4},
         {0x3a200, 56, 4},
         {0x3a340, 48, 4},
         {0x3a1f8, 0x210},
         {0x20000},
         {0x20014},
         {0x22024},
         {0x22330}},
    .writes = {{0x3a200, 56, 4}, {0x3a340, 48, 4}, {0x20014}, {0x22024}, {0x22330}, {0x22330}},
    .values = cpsw_mac.values,
};

// Most often with one of the checks that discard frames.
const ComparedMac gem_mac = {
    .model = gem_model,
    .variants =
        {{"full duplex", {}, {}},
         {"half duplex", {.with = half_duplex}, {.half_duplex = true}},
         {"half duplex, 100 Mb/s",
          {.with = half_duplex | MACSTATS_OPT_100M},
          {.half_duplex = true, .slowness = 10}},
         {"half duplex, 10 Mb/s",
          {.with = half_duplex | MACSTATS_OPT_10M},
          {.half_duplex = true, .slowness = 100}},
         {"powered up at random", {.random = true}, {.random = true}},
         {"without statistics", {.without = statistics}, {.statistics = false}}},
    .reads = {{0x100, 45, 4}, {0x100, 45, 4}, {0x100, 45, 4}, {0, 0x40, 4}, {0, 0x200}},
    .writes = {{0x04}, {0x04}, {0x04}, {0x04}, {0x00}, {0x48}},
    // The low bits are a maximum in jumbo_max_length, and mean nothing elsewhere.
    .values =
        {1 << 16 | 10240, 1 << 24 | 10240, 1 << 16 | 10496, 1 << 24 | 10496, 1 << 16 | 10248,
         1 << 24 | 10248, 1 << 16 | 10240, 1 << 24 | 10240, 1 << 16 | 1 << 24 | 10240, 1 << 7,
         1 << 6, 1 << 5, 1519, 1536},
    .weight = 20,
    .together = MACSTATS_ERR_PAYLOAD_LENGTH | MACSTATS_ERR_CHECKSUM,
};

// A model without a line below: all of its addresses, registers, options and reset values.
ComparedMac subject_of(const macstats_model& model) {
    ComparedMac subject = {
        .model = model,
        .variants =
            {{"as it is", {}, {}}, {"powered up at random", {.random = true}, {.random = true}}},
        .reads = {},
        .writes = {},
        .values = {0, 1, 2, 4, 63, 64, 1518, 1522, 0xffffffff}};

    if (model.options & half_duplex)
        subject.variants.push_back({"half duplex", {.with = half_duplex}, {.half_duplex = true}});
    if (model.options & fiber)
        subject.variants.push_back({"fiber", {.with = fiber}, {.fiber = true}});
    if (model.options & vlan_detection)
        subject.variants.push_back(
            {"without VLAN detection", {.without = vlan_detection}, {.vlan_detection = false}});
    if (model.options & MACSTATS_OPT_VARIANT)
        subject.variants.push_back(
            {"the variant", {.with = MACSTATS_OPT_VARIANT}, {.as_released = true}});
    if (model.options & statistics)
        subject.variants.push_back(
            {"without statistics", {.without = statistics}, {.statistics = false}});
    if (model.options & tx_statistics)
        subject.variants.push_back(
            {"without TX statistics", {.without = tx_statistics}, {.tx_statistics = false}});
    if (model.options & rx_statistics)
        subject.variants.push_back(
            {"without RX statistics", {.without = rx_statistics}, {.rx_statistics = false}});
    for (unsigned int later = MACSTATS_OPT_REVISION_2; later & model.options; later <<= 1)
        for (const u16 half : {u16{0}, half_duplex})
            subject.variants.push_back(
                {"another revision",
                 {.with = static_cast<u16>(later | (half & model.options))},
                 {.half_duplex = half != 0, .revision = macstats_revision(later)}});
    for (unsigned int i = 0; i < macstats_register_counters(&model); i++)
        subject.reads.push_back(
            {model.counters[i].offset, macstats_words(&model, &model.counters[i]),
             macstats_word_offset(&model, &model.counters[i], 1) - model.counters[i].offset});
    for (unsigned int i = 0; i < model.n_registers; i++) {
        subject.reads.push_back({model.registers[i].offset});
        subject.writes.push_back({model.registers[i].offset});
        subject.values.push_back(model.registers[i].reset);
    }
    if (subject.writes.empty())
        subject.writes.push_back({model.counters[0].offset});
    return subject;
}

// With bits that switch how the counters behave, and with the maximum lengths that others set.
ComparedMac dwmac_of(const macstats_model& model, std::initializer_list<u32> maxima) {
    ComparedMac subject = subject_of(model);

    subject.values = {0, 0, 0, 0, 1, 2, 4, 4, 6, 8, 12, 0xffffffff};
    subject.values.insert(subject.values.end(), maxima);
    return subject;
}

const ComparedMac dwmac_mac = dwmac_of(dwmac_mmc_model, {1 << 20, 1 << 20});
const ComparedMac dwmac4_mac =
    dwmac_of(dwmac4_mmc_model, {1 << 16, 1 << 23, 1 << 16 | 1 << 23, 2000, 2000, 100});
const ComparedMac dwxgmac_mac =
    dwmac_of(dwxgmac_mmc_model, {1 << 8, 1 << 6 | 2000 << 16, 1 << 6 | 100 << 16, 1 << 6 | 1 << 8});

// Every model of models.h that has a reference.
std::vector<const ComparedMac*> all_subjects() {
    static std::vector<std::unique_ptr<const ComparedMac>> others;
    std::vector<const ComparedMac*> all;

    for (const macstats_model* model : macstats::all_models()) {
        const ComparedMac* found = nullptr;
        for (const ComparedMac* one :
             {&ll40g_mac, &ll40g_agilex5_mac, &ixf1104_mac, &rc32438_mac, &cpsw_mac, &am65_cpsw_mac,
              &gem_mac, &dwmac_mac, &dwmac4_mac, &dwxgmac_mac})
            if (&one->model == model)
                found = one;
        if (!found && macstats::reference::has_reference(model->name))
            found =
                others.emplace_back(std::make_unique<const ComparedMac>(subject_of(*model))).get();
        if (found && is_wanted(model->name))
            all.push_back(found);
    }
    return all;
}

const std::vector<const ComparedMac*> subjects = all_subjects();

// Ten million take about five seconds for a model.
u64 frames_and_accesses() {
    return is_full() ? 10'000'000 : is_long() ? 2'000'000 : 100'000;
}

// One row in so many is spoilt, others with each seed.
unsigned int rows_for_one() {
    return is_full() ? 1 : is_long() ? 24 : 96;
}

// Most are noticed within some dozens of frames; a class that is met rarely takes more.
bool is_noticed(const ComparedMac& subject, const macstats_model& model, u64 most = 3'200'000) {
    for (u64 many : {1000u, 10000u, 100000u, 400000u, 3200000u})
        for (const Variant& variant : subject.variants)
            if (many <= most && variant.options.statistics &&
                Comparison(subject, model, variant, many).run(many))
                return true;
    return false;
}

// A frame that crossed the wire of a device, as its rows see it.
struct Crossed {
    u64 class_;
    bool collided; // before it was late
};

// Frames of all sorts, while registers are set to this and that.
std::vector<Crossed> frames_of(const ComparedMac& subject) {
    std::vector<Crossed> frames;
    Random random(seed_of(1));

    for (const Variant& variant : subject.variants) {
        Port port(subject.model, variant.setup);
        const macstats_emulator& emulator = port.emulator();

        for (unsigned int i = 0; i < 5000; i++) {
            const Frame frame = random_frame(
                random,
                random.one_in(2) ? emulator.settings.max_frame_rx : emulator.settings.max_frame_tx);
            const u32 length = macstats__length_on_wire(&subject.model, &frame);

            if (random.one_in(20))
                port.try_write(random.of(subject.writes).first, random.of(subject.values));
            if (!length)
                continue;
            const u64 frame_class = macstats_see(&emulator, &frame).frame_class;
            const unsigned int late = macstats__class_get(frame_class, MACSTATS_CLASS_ERRORS) &
                                      MACSTATS_ERR_LATE_COLLISION;
            frames.push_back(
                {frame_class,
                 macstats__class_get(frame_class, MACSTATS_CLASS_COLLISION_COUNT) > !!late});
        }
    }
    return frames;
}

// A change that makes a row count other frames.
struct Mistake {
    const char* what;
    std::function<void(macstats_when&)> make;
};

template <typename Mask>
Mistake turn(const char* what, Mask macstats_when::*mask, unsigned int domain, unsigned int bit) {
    // 0 stands for the whole domain, and no mask can stand for nothing.
    return {what, [=](macstats_when& when) {
                const unsigned int all = when.*mask ? when.*mask : domain;
                const unsigned int other = all ^ bit;

                if (other)
                    when.*mask = static_cast<Mask>(other == domain ? 0 : other);
            }};
}

std::vector<Mistake> mistakes_of(const ComparedMac& subject) {
    const unsigned int sizes = (1u << macstats_size_classes(&subject.model.sizes)) - 1;
    std::vector<Mistake> mistakes;
    auto turn_each = [&](const char* what, auto mask, unsigned int domain) {
        for (unsigned int bit = 1; bit <= domain; bit <<= 1)
            mistakes.push_back(turn(what, mask, domain, bit));
    };

    turn_each("destination", &macstats_when::destination, 7);
    turn_each("kind", &macstats_when::kind, 15);
    turn_each("tags", &macstats_when::tags, 7);
    turn_each("excess", &macstats_when::excess, 7);
    turn_each("collisions", &macstats_when::collisions, 15);
    turn_each("origin", &macstats_when::origin, 3);
    turn_each("size", &macstats_when::size, sizes);
    for (unsigned int bit = 1; bit <= MACSTATS_ERR_ALL; bit <<= 1) {
        mistakes.push_back({"errors", [bit](macstats_when& when) {
                                when.errors = static_cast<u16>(when.errors ^ bit);
                            }});
        mistakes.push_back({"no_errors", [bit](macstats_when& when) {
                                when.no_errors = static_cast<u16>(when.no_errors ^ bit);
                            }});
    }
    mistakes.push_back({"deferred", [](macstats_when& when) { when.deferred = !when.deferred; }});
    mistakes.push_back(
        {"direction", [](macstats_when& when) { when.direction ^= MACSTATS_RX | MACSTATS_TX; }});
    mistakes.push_back({"with", [](macstats_when& when) { when.with = 0; }});
    mistakes.push_back({"without", [](macstats_when& when) { when.without = 0; }});
    return mistakes;
}

bool counts(const macstats_counter& row, const Crossed& frame) {
    const bool adds = row.unit == MACSTATS_EARLY_COLLISIONS ? frame.collided
                      : row.unit == MACSTATS_COLLISIONS
                          ? macstats__class_get(frame.class_, MACSTATS_CLASS_COLLISION_COUNT) != 0
                          : true;

    return adds && macstats_counts(&row, frame.class_);
}

bool counts_any(const std::vector<Crossed>& frames, const macstats_counter& row) {
    return std::any_of(
        frames.begin(), frames.end(), [&](const Crossed& frame) { return counts(row, frame); });
}

// Is there a frame that one row counts and the other one does not?
bool tells_apart(
    const std::vector<Crossed>& frames, const macstats_counter& row,
    const macstats_counter& other) {
    return std::any_of(frames.begin(), frames.end(), [&](const Crossed& frame) {
        return counts(row, frame) != counts(other, frame);
    });
}

} // namespace

BOOST_AUTO_TEST_SUITE_END()

namespace boost::test_tools::tt_detail {

template <>
struct print_log_value<const macstats::test::ComparedMac*> {
    void operator()(std::ostream& out, const macstats::test::ComparedMac* subject) {
        out << subject->model.name;
    }
};

} // namespace boost::test_tools::tt_detail

BOOST_AUTO_TEST_SUITE(unit_reference)

// The other tests skip a model without a reference; this one fails and lists the files
// to add.
BOOST_AUTO_TEST_CASE(every_model_has_a_reference_that_it_is_compared_with) {
    for (const macstats_model* model : macstats::all_models())
        if (is_wanted(model->name))
            BOOST_TEST(
                std::any_of(
                    std::begin(subjects), std::end(subjects),
                    [model](const ComparedMac* subject) { return &subject->model == model; }),
                macstats::reference::missing_reference(model->name));
}

BOOST_DATA_TEST_CASE(millions_of_random_frames_and_accesses_make_no_difference, subjects, subject) {
    const u64 many = frames_and_accesses();
    Seen seen;

    for (const Variant& variant : subject->variants) {
        Comparison comparison(*subject, subject->model, variant, seed_of(0));
        const auto difference = comparison.run(many / subject->variants.size() + 1);

        BOOST_TEST(!difference.has_value(), variant.what << ", " << difference.value_or(""));
        seen += comparison.seen();
    }
    BOOST_TEST(seen.frames + seen.reads + seen.writes > many);
    BOOST_TEST(seen.frames > many / 2);
    BOOST_TEST(seen.reads > many / 10);
    BOOST_TEST(seen.writes > many / 30);
    BOOST_TEST(seen.good_polls > many / 500);
    // There are few in a short run.
    BOOST_TEST(seen.stale_polls > many / (is_long() ? 5000 : 20'000));
}

// Frames of most classes have no cell: they count the same.
BOOST_DATA_TEST_CASE(frames_of_more_classes_than_cells_make_no_difference, subjects, subject) {
    for (const Variant& variant : subject->variants) {
        Comparison comparison(*subject, subject->model, variant, seed_of(0));
        const auto difference = comparison.run_classes();

        BOOST_TEST(!difference.has_value(), variant.what << ", " << difference.value_or(""));
        BOOST_TEST(comparison.fills_all_cells() == variant.options.statistics, variant.what);
    }
}

// Tests of the references themselves: which of their values are unknown or uncertain. A
// comparison cannot show it.
BOOST_AUTO_TEST_SUITE(references)

using macstats::reference::Answer;
using macstats::reference::Fault;
using macstats::reference::make_reference;

BOOST_DATA_TEST_CASE(random_counters_are_known_once_a_driver_has_cleared_them, subjects, subject) {
    const auto port = make_reference(subject->model.name, {.random = true});
    const macstats_model& model = subject->model;
    const macstats_roles roles = macstats_find_roles(&model);
    // By a read, or by the command of its block.
    const auto is_cleared = [&](const macstats_counter& row) {
        return row.onread == MACSTATS_ONREAD_RCLR || roles.blocks[row.block].clear.mask;
    };
    // In two models, after a command.
    const auto read = [&](const auto& counter) {
        const std::string_view name = model.name;
        if (name == "rtl_tally")
            port->write(0x10, 1u << 3);
        if (name != "k1_emac")
            return port->read(counter.address).kind;
        const u32 window = counter.name.starts_with("tx") ? 0x1b4 : 0x1a8;
        const u32 first = window == 0x1b4 ? 0 : 12;
        port->write(window, 1u << 15 | (static_cast<u32>(port->index(counter.name)) - first));
        return port->read(window + 8).kind;
    };

    for (const auto& counter : port->counters())
        if (!counter.described && !port->lacks(port->index(counter.name)))
            BOOST_TEST((read(counter) == Answer::Kind::anything), counter.name);
    BOOST_TEST(port->poll());
    for (unsigned int i = 0; i < macstats_register_counters(&model); i++)
        if (const macstats_counter& row = model.counters[i];
            is_cleared(row) && !port->lacks(port->index(row.reg)))
            BOOST_TEST(
                (read(port->counters()[port->index(row.reg)]) == Answer::Kind::value), row.reg);
    for (std::size_t i = 0; i < port->counters().size(); i++)
        BOOST_TEST(port->total(i).value() == 0u);
}

BOOST_DATA_TEST_CASE(a_port_is_stale_while_its_bus_fails, subjects, subject) {
    const auto port = make_reference(subject->model.name);

    BOOST_TEST(port->poll());
    port->send(rx(64), 3);
    port->fault(Fault::bus_error, true);
    BOOST_TEST(!port->poll());
    BOOST_TEST(port->state().stale);
    BOOST_TEST((port->read(port->counters()[0].address).kind == Answer::Kind::bus_error));
    port->fault(Fault::bus_error, false);
    BOOST_TEST(port->poll());
    BOOST_TEST(!port->state().stale);
    BOOST_TEST((port->state().possible_loss == false));
}

// 2^32 octets: 34.36 s at 1 Gb/s, ten times that at 100 Mb/s, a sixth in both directions of
// three ports.
BOOST_AUTO_TEST_CASE(a_poll_after_more_than_a_wrap_time_is_a_possible_loss) {
    const std::pair<const char*, u64> seconds[] = {{"ixf1104", 34}, {"rc32438", 343}, {"cpsw", 5}};

    for (const auto& [model, before] : seconds) {
        const auto port = make_reference(model);

        port->poll();
        port->advance(before * 1000000000);
        port->poll();
        BOOST_TEST((port->state().possible_loss == false), model);
        port->advance((before + 1) * 1000000000);
        port->poll();
        BOOST_TEST((port->state().possible_loss == true), model);
    }
}

BOOST_AUTO_TEST_CASE(a_total_is_uncertain_once_somebody_stored_a_value) {
    const auto cpsw = make_reference("cpsw");
    const std::size_t good = cpsw->index("Good Rx Frames");

    cpsw->poll();
    cpsw->send(rx(64), 3);
    cpsw->write(0x00, 2);
    BOOST_TEST(cpsw->poll());
    BOOST_TEST(cpsw->total(good).value() == 1u);
    BOOST_TEST(cpsw->is_certain(good));
    cpsw->write(0x4a10000c, 0); // STAT_PORT_EN: a write does not subtract now
    cpsw->write(0x00, 7);
    BOOST_TEST(!cpsw->is_certain(good));
}

BOOST_AUTO_TEST_CASE(what_somebody_takes_of_a_preset_is_a_discontinuity) {
    const auto ixf1104 = make_reference("ixf1104");
    const std::size_t unicast = ixf1104->index("RxUCPkts");

    ixf1104->poll();
    ixf1104->send(rx(64), 3);
    BOOST_TEST(ixf1104->poll());
    ixf1104->preset(unicast, 100);
    ixf1104->read(0x22);
    BOOST_TEST(ixf1104->poll());
    BOOST_TEST(ixf1104->total(unicast).value() == 3u);
    BOOST_TEST(ixf1104->is_certain(unicast));
    BOOST_TEST(ixf1104->state().discontinuities == 1u);
}

BOOST_AUTO_TEST_CASE(a_total_is_unknown_after_a_write_to_an_unknown_counter) {
    const auto port = make_reference("cpsw", {.random = true});
    const std::size_t good = port->index("Good Rx Frames");

    port->poll();
    port->write(0x00, 1);
    BOOST_TEST(!port->total(good).has_value());
    BOOST_TEST(port->total(port->index("Rx Octets")).has_value());
}

// A preset shows that a block was cleared, and so does the next good poll.
BOOST_AUTO_TEST_CASE(a_poll_that_fails_leaves_it_open_whether_a_block_was_cleared) {
    const auto netc = make_reference("netc", {.random = true});

    netc->poll();
    netc->write(0x0e0, 1u << 3); // WEN
    netc->write(0x120, 0);       // RFRM, which may have gone back
    netc->preset(netc->index("PM0_RFRM"), 100);
    netc->fault(Fault::bus_error, true);
    BOOST_TEST(!netc->poll());
    netc->take_discontinuities(1);
    BOOST_TEST(netc->state().discontinuities == 1u);
    netc->fault(Fault::bus_error, false);
    BOOST_TEST(netc->poll());
    netc->take_discontinuities(2);
    BOOST_TEST(netc->state().discontinuities == 2u);
}

BOOST_AUTO_TEST_CASE(there_is_no_reference_of_an_unknown_model) {
    BOOST_CHECK_THROW(make_reference("ll100g"), std::out_of_range);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(wrong_models)

// The comparison must detect every mistake that changes the count of some frame.
BOOST_DATA_TEST_CASE(a_row_that_counts_other_frames_is_noticed, subjects, subject) {
    const std::vector<Crossed> frames = frames_of(*subject);
    Random random(seed_of(2));
    std::map<std::string_view, unsigned int> noticed;

    for (unsigned int i = 0; i < macstats_register_counters(&subject->model); i++) {
        const macstats_counter& row = subject->model.counters[i];

        if (!random.one_in(rows_for_one()))
            continue;
        for (unsigned int w = 0; w < MACSTATS_MAX_WHEN && row.when[w].direction; w++) {
            for (const Mistake& mistake : mistakes_of(*subject)) {
                Copy copy(subject->model);

                mistake.make(copy.rows[i].when[w]);
                if (!tells_apart(frames, row, copy.rows[i]))
                    continue;
                noticed[mistake.what]++;
                BOOST_TEST(
                    is_noticed(*subject, copy.model()),
                    row.reg << ", alternative " << w << ": " << mistake.what);
            }
        }
    }
    if (is_full())
        for (const char* what : {"size", "errors", "no_errors", "destination", "direction"})
            BOOST_TEST(noticed[what] > 0u, what);
}

BOOST_DATA_TEST_CASE(a_row_of_another_unit_or_width_is_noticed, subjects, subject) {
    const std::vector<Crossed> frames = frames_of(*subject);
    Random random(seed_of(3));

    for (unsigned int i = 0; i < macstats_register_counters(&subject->model); i++) {
        const macstats_counter& row = subject->model.counters[i];

        if (!random.one_in(rows_for_one()) || !counts_any(frames, row))
            continue;
        BOOST_TEST_CONTEXT(row.reg) {
            Copy unit(subject->model);
            Copy width(subject->model);

            unit.rows[i].unit = row.unit == MACSTATS_FRAMES ? MACSTATS_OCTETS : MACSTATS_FRAMES;
            width.rows[i].bits--;
            BOOST_TEST(is_noticed(*subject, unit.model()));
            BOOST_TEST(is_noticed(*subject, width.model()));
        }
    }
}

// No octets beyond the fortieth, none of the tags, none of what collided.
BOOST_DATA_TEST_CASE(a_row_that_misses_octets_is_noticed, subjects, subject) {
    unsigned int found = 0;

    for (unsigned int i = 0; i < macstats_register_counters(&subject->model); i++) {
        Copy copy(subject->model);
        macstats_counter& row = copy.rows[i];

        if (row.never || row.index || row.mac == MACSTATS_MAC_PREEMPTIBLE)
            continue;
        if (row.unit == MACSTATS_OCTETS)
            row.frame_limit = 40;
        else if (row.unit == MACSTATS_PAYLOAD)
            copy.model().data_overhead += MACSTATS_TAG_LEN;
        else if (row.unit == MACSTATS_WIRE_OCTETS)
            row.unit = MACSTATS_OCTETS;
        else
            continue;
        found++;
        BOOST_TEST(is_noticed(*subject, copy.model()), row.reg);
    }
    // One of them counts no octets.
    BOOST_TEST((found > 0u || subject->model.name == std::string_view("rtl_tally")));
}

// Mistakes in other parts of a model.
const struct {
    const ComparedMac& subject;
    const char* what;
    std::function<void(Copy&)> spoil;
} wrong[] = {
    {ll40g_mac, "frames have a header of 10 octets",
     [](Copy& copy) { copy.model().data_overhead = 14; }},
    {ll40g_mac, "the opcode of control frames is no payload",
     [](Copy& copy) { copy.model().control_overhead = 20; }},
    {ll40g_mac, "the opcode of control frames is payload as released",
     [](Copy& copy) { copy.model().variant_control_overhead = 18; }},
    {ll40g_mac, "frames of 8 octets are sent", [](Copy& copy) { copy.model().tx_shortest = 8; }},
    {ll40g_mac, "frames are padded to 60 octets", [](Copy& copy) { copy.model().tx_pad_to = 60; }},
    {ll40g_mac, "a clear leaves the parity error",
     [](Copy& copy) { copy.model().blocks[0].clear_clears_parity = false; }},
    {ll40g_mac, "a size class ends 4 octets up",
     [](Copy& copy) { copy.model().sizes.edge[6] = 1523; }},
    {ll40g_mac, "a counter of the other page's snapshot",
     [](Copy& copy) { copy.rows[5].block ^= 1; }},

    {ll40g_agilex5_mac, "FCSERR counts on transmit",
     [](Copy& copy) {
         copy.row("TX FCSERR").when[0].direction = MACSTATS_TX;
         copy.row("TX FCSERR").when[0].errors = MACSTATS_ERR_FCS;
     }},
    {ll40g_agilex5_mac, "tags make a frame longer",
     [](Copy& copy) { copy.model().tag_over_max = true; }},
    {ll40g_agilex5_mac, "a clear clears the parity error",
     [](Copy& copy) { copy.model().blocks[1].clear_clears_parity = true; }},
    {ll40g_agilex5_mac, "a grant is of all banks",
     [](Copy& copy) { copy.model().blocks[0].grant_leads = false; }},
    {ll40g_agilex5_mac, "no padding", [](Copy& copy) { copy.model().tx_pad_to = 0; }},
    {ll40g_agilex5_mac, "control frames have no opcode",
     [](Copy& copy) { copy.model().control_overhead = 18; }},

    {ixf1104_mac, "a write to a counter decrements it",
     [](Copy& copy) { copy.rows[0].onwrite = MACSTATS_ONWRITE_DECREMENT; }},
    {ixf1104_mac, "a read clears nothing",
     [](Copy& copy) { copy.rows[0].onread = MACSTATS_ONREAD_NONE; }},
    {ixf1104_mac, "runts show after one good frame",
     [](Copy& copy) { copy.row("RxRuntErrors").good_frames = 1; }},
    {ixf1104_mac, "no limit to the octets of a bad frame",
     [](Copy& copy) { copy.row("RxOctetsBAD").frame_limit = 0; }},
    {ixf1104_mac, "late collisions among the others",
     [](Copy& copy) { copy.row("TxTotalCollisions").unit = MACSTATS_COLLISIONS; }},
    {ixf1104_mac, "6250 octets are very long",
     [](Copy& copy) { copy.model().very_long_least = 6249; }},
    {ixf1104_mac, "very long frames up to a maximum of 8192",
     [](Copy& copy) { copy.model().very_long_limit = 8192; }},
    {ixf1104_mac, "tags do not make a frame longer",
     [](Copy& copy) { copy.model().tag_over_max = false; }},
    {ixf1104_mac, "frames with a wrong length are bad",
     [](Copy& copy) { copy.model().good_despite = 0; }},
    {ixf1104_mac, "size classes ignore tags",
     [](Copy& copy) { copy.model().sizes.tagged_edges = 0; }},
    {ixf1104_mac, "bit 5 of the filter means nothing",
     [](Copy& copy) { copy.drop(MACSTATS_ROLE_SETTING); }},

    {rc32438_mac, "TBC is not cleared",
     [](Copy& copy) { copy.row("TBC").onread = MACSTATS_ONREAD_NONE; }},
    {rc32438_mac, "nothing is cut", [](Copy& copy) { copy.model().cut_at_max = false; }},
    {rc32438_mac, "a deferred frame is sent",
     [](Copy& copy) { copy.model().deferral_aborts = false; }},
    {rc32438_mac, "HFE means nothing", [](Copy& copy) { copy.drop(MACSTATS_ROLE_ANY_LENGTH_TX); }},
    {rc32438_mac, "RIP is another bit",
     [](Copy& copy) {
         copy.drop(MACSTATS_ROLE_BUSY);
         give_role(copy.registers, 0x000, 3, MACSTATS_ROLE_BUSY);
     }},
    {rc32438_mac, "ETHMAXF starts elsewhere", [](Copy& copy) { copy.registers[21].reset = 1518; }},
    {rc32438_mac, "TOK ignores late collisions",
     [](Copy& copy) { copy.descriptor.tx[6].unless &= ~(1u << 13); }},
    {rc32438_mac, "TOK is not set after a CRC error",
     [](Copy& copy) { copy.descriptor.tx[6].unless |= 1u << 15; }},
    {rc32438_mac, "MP is set for broadcast",
     [](Copy& copy) {
         copy.descriptor.tx[7].when[0].destination = MACSTATS_MULTICAST | MACSTATS_BROADCAST;
     }},
    {rc32438_mac, "CEN is a copy of HFE",
     [](Copy& copy) { copy.descriptor.tx[4].copy.mask = 1 << 2; }},
    {rc32438_mac, "CRC is counted whoever appends it",
     [](Copy& copy) { copy.row("CRC").status.mask &= ~(1u << 4); }},
    {rc32438_mac, "CC is counted without TOK",
     [](Copy& copy) {
         copy.row("CC").status.mask = 1 << 1;
         copy.row("CC").status.value = 1 << 1;
     }},

    {cpsw_mac, "a write is ignored",
     [](Copy& copy) { copy.rows[3].onwrite = MACSTATS_ONWRITE_NONE; }},
    {cpsw_mac, "a read clears", [](Copy& copy) { copy.rows[3].onread = MACSTATS_ONREAD_RCLR; }},
    {cpsw_mac, "a counter stops at its end",
     [](Copy& copy) { copy.rows[11].overflow = MACSTATS_SATURATE; }},
    {cpsw_mac, "the gate is one port's",
     [](Copy& copy) {
         copy.drop(MACSTATS_ROLE_GATE);
         give_role(copy.registers, 0x4a10000c, 1, MACSTATS_ROLE_GATE);
     }},
    {cpsw_mac, "no counter is ever half full", [](Copy& copy) { copy.model().half_full = 0; }},
    {cpsw_mac, "the interrupt needs no enabling",
     [](Copy& copy) { copy.drop(MACSTATS_ROLE_HALF_FULL_ENABLE); }},
    {cpsw_mac, "tags make a frame longer", [](Copy& copy) { copy.model().tag_over_max = true; }},
    {cpsw_mac, "the maximum has 12 bits",
     [](Copy& copy) { copy.registers[3].fields[0].bits = 12; }},
};

BOOST_AUTO_TEST_CASE(a_model_with_another_mistake_is_noticed) {
    for (const auto& [subject, what, spoil] : wrong) {
        Copy copy(subject.model);

        spoil(copy);
        BOOST_TEST(is_noticed(subject, copy.model()), subject.model.name << ": " << what);
    }
}

BOOST_DATA_TEST_CASE(an_unspoilt_copy_is_not_taken_for_a_wrong_one, subjects, subject) {
    Copy copy(subject->model);

    BOOST_TEST(!is_noticed(*subject, copy.model(), is_long() ? 100'000 : 10'000));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
