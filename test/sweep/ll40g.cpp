// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Both Low Latency 40GbE cores, whose pages of counters differ in few registers.
#include <string>
#include <utility>

#include "sweep.hpp"

namespace macstats::sweep::ll40g {

namespace {

const Frames sizes = frames("9, 64, 65, 128, 256, 512, 1024, 1519, 9601");
const Frames sorts =
    frames("64 data, 64 control, 64 pause") * frames("unicast, multicast, broadcast");
const Frames good_and_bad = frames(", fcs");

// Frames for every counter of a direction.
const Frames one_of_everything = frames(
    "64, multicast 65, broadcast 128, control 256, multicast control 512, broadcast control 1024,"
    "multicast pause 1519, 63, 9601, 64 fcs, multicast 127 fcs, broadcast 255 fcs,"
    "control 511 fcs, multicast control 1023 fcs, broadcast control 1518 fcs,"
    "multicast pause 9600 fcs, broadcast 63 fcs, 9601 fcs");

// The lower and the upper end of every size class, in turns.
const Frames ends = frames("9, 64, 65, 255, 256, 1023, 1024, 9600, 9601");
const Frames other_ends = frames("63, 64, 127, 128, 511, 512, 1518, 1519, 65535");
const Frames every_size = ends + frames("multicast") * other_ends + frames("broadcast") * ends +
                          frames("pause") * other_ends + frames("multicast pause") * ends +
                          frames("broadcast pause") * other_ends + frames("control") * other_ends;

// Where the datasheet has it, with the marks that Direction::filled() replaces.
struct Places {
    std::string whole_page;
    std::string clear;
    std::string snapshot;
    std::string counting_on;
    std::string read_only;
    std::string size_classes;
    std::string size_classes_and_runts;
    std::string destinations;
    std::string octets;
    std::string addresses;
    std::string crc_error;
    std::string tags;
};

struct Core {
    Mac mac;
    std::string tx_section;
    std::string rx_section;
    Places places;
    std::vector<std::string> never_transmitted; // counters of the page that count no such frame
};

// The names of the registers of a page.
struct Page {
    std::string before;
    std::string fcs;
    std::string runt;
    std::string after_control;
    std::string octets;
    std::string bytes;     // rtnl has them without FCS,
    std::string of_frames; // as a sum of these and so many for each frame
};

void add_page(std::vector<Statistic>& all, const Page& page, bool tx) {
    const auto at = [&](const std::string& name) { return page.before + name; };
    const std::string ok = tx ? "FramesTransmittedOK" : "FramesReceivedOK";
    const std::string control = tx ? "MACControlFramesTransmitted" : "MACControlFramesReceived";
    const std::string rtnl = tx ? "tx_" : "rx_";

    all.push_back(
        {"eth-ctrl",
         control,
         {at("MCAST_CTRL" + page.after_control), at("BCAST_CTRL" + page.after_control),
          at("UCAST_CTRL" + page.after_control)}});
    // Good frames of any length, without those that are too short or too long.
    all.push_back(
        {"eth-mac",
         ok,
         {control, at("MCAST_DATA_OK"), at("BCAST_DATA_OK"), at("UCAST_DATA_OK"), at("FRAGMENTS"),
          at("JABBERS"), '-' + at("OVERSIZE"), '-' + at(page.runt)}});
    all.push_back({"eth-mac", tx ? "OctetsTransmittedOK" : "OctetsReceivedOK", {page.octets}});
    all.push_back({"pause", rtnl + "pause_frames", {at("PAUSE")}});
    all.push_back(
        {"rmon",
         rtnl.substr(0, 2) + "-pktsNtoM",
         {},
         {{64, 64, at("64B")},
          {65, 127, at("65to127B")},
          {128, 255, at("128to255B")},
          {256, 511, at("256to511B")},
          {512, 1023, at("512to1023B")},
          {1024, 1518, at("1024to1518B")},
          {1519, 65535, at("1519toMAXB")}}});
    all.push_back({"rtnl", rtnl + "packets", {ok}});
    all.push_back({"rtnl", rtnl + "bytes", {page.bytes, page.of_frames + ok}});
    all.push_back(
        {"rtnl",
         rtnl + "errors",
         {at(page.fcs), at("OVERSIZE"), at(page.runt), '-' + at("FRAGMENTS"),
          '-' + at("JABBERS")}});
    if (tx)
        return;
    all.push_back({"eth-mac", "FrameTooLongErrors", {at("OVERSIZE")}});
    all.push_back(
        {"eth-mac",
         "FrameCheckSequenceErrors",
         {at(page.fcs), '-' + at("FRAGMENTS"), '-' + at("JABBERS")}});
    all.push_back({"rmon", "etherStatsUndersizePkts", {at(page.runt), '-' + at("FRAGMENTS")}});
    all.push_back({"rmon", "etherStatsOversizePkts", {at("OVERSIZE"), '-' + at("JABBERS")}});
    all.push_back({"rmon", "etherStatsFragments", {at("FRAGMENTS")}});
    all.push_back({"rmon", "etherStatsJabbers", {at("JABBERS")}});
    all.push_back(
        {"rtnl", "multicast", {at("MCAST_DATA_OK"), at("MCAST_CTRL" + page.after_control)}});
    all.push_back({"rtnl", "rx_length_errors", {at("OVERSIZE")}});
    all.push_back({"rtnl", "rx_crc_errors", {"FrameCheckSequenceErrors"}});
}

std::vector<Statistic> statistics(const Page& tx, const Page& rx) {
    std::vector<Statistic> all;
    add_page(all, tx, true);
    add_page(all, rx, false);
    return all;
}

const Core stratix10 = {
    .mac =
        {.model = "ll40g",
         .registers =
             {{"CNTR_TX_CONFIG", 0x845},
              {"CNTR_RX_CONFIG", 0x945},
              {"MAX_TX_SIZE_CONFIG", 0x407},
              {"MAX_RX_SIZE_CONFIG", 0x506}},
         .standard = statistics(
             {"CNTR_TX_", "FCS", "RUNT", "", "TxOctetsOK", "TxOctetsOK", "14*"},
             {"CNTR_RX_", "FCS", "RUNT", "", "RxOctetsOK", "RxOctetsOK", "14*"})},
    .tx_section = "Intel 683745 (2021-03-08), 3.4.1.6, table 44, ",
    .rx_section = "Intel 683745 (2021-03-08), 3.4.1.7, ",
    .places =
        {.whole_page = "$0x#00 to 0x#61",
         .clear = "$CNTR_@X_CONFIG[0]",
         .snapshot = "$CNTR_@X_CONFIG[2]",
         .counting_on =
             "Intel 683745 (2021-03-08), 3.4.1.~, \"the counters continue to increment\"",
         .read_only = "$access RO",
         .size_classes = "$0x#16 to 0x#24",
         .size_classes_and_runts = "$0x#16 to 0x#34",
         .destinations = "$0x#08 to 0x#32",
         .octets = "$0x#60 @xOctetsOK",
         .addresses = "$0x#00 to 0x#61",
         .crc_error = "$0x#00 to 0x#61: a CRC error",
         .tags = "$0x#00 to 0x#61"},
    .never_transmitted = {"CNTR_TX_FRAGMENTS", "CNTR_TX_RUNT"},
};

const Core agilex5 = {
    .mac =
        {.model = "ll40g_agilex5",
         .registers =
             {{"TX CNTR_CONFIG", 0x845},
              {"RX CNTR_CONFIG", 0x945},
              {"MAX_TX_SIZE_CONFIG", 0x407},
              {"MAX_RX_SIZE_CONFIG", 0x506}},
         .standard = statistics(
             {"TX ", "FCSERR", "RNT", "_OK", "TX Payload OctetsOK", "TX Frame OctetsOK", "-4*"},
             {"RX ", "FCSERR", "RNT", "_OK", "RX Payload OctetsOK", "RX Frame OctetsOK", "-4*"})},
    .tx_section = "Intel 813652, 7.5, ",
    .rx_section = "Intel 813652, 7.5, ",
    .places =
        {.whole_page = "$0x0 FRAGMENTS to 0x62 Frame OctetsOK",
         .clear = "$0x45 CNTR_CONFIG",
         .snapshot = "Intel 813652, 7.6 (shadow register)",
         .counting_on = "Intel 813652, 7.6 (shadow register)",
         .read_only = "$type RO",
         .size_classes = "$0x16 64B to 0x24 OVERSIZE",
         .size_classes_and_runts = "$0x16 64B to 0x34 RNT",
         .destinations = "$0x8 MCAST_DATA_ERR to 0x32 PAUSE",
         .octets = "$0x60 Payload OctetsOK and 0x62 Frame OctetsOK",
         .addresses = "$word offsets 0x0 to 0x62; BCAST_CTRL_OK is at 0x2e, which is misprinted as "
                      "0x23",
         .crc_error = "$0x0 FRAGMENTS to 0x62 Frame OctetsOK: an FCS error",
         .tags = "$VLAN detection"},
    .never_transmitted =
        {"TX FRAGMENTS", "TX JABBERS", "TX FCSERR", "TX CRCERR_OKPKT", "TX MCAST_DATA_ERR",
         "TX BCAST_DATA_ERR", "TX UCAST_DATA_ERR", "TX MCAST_CTRL_ERR", "TX BCAST_CTRL_ERR",
         "TX UCAST_CTRL_ERR", "TX PAUSE_ERR", "TX RNT"},
};

// The sweeps of one direction of a core.
class Direction {
public:
    Direction(Sweeps& all, const Core& core, bool tx) : all_(all), core_(core), tx_(tx) {}

    void add_frames();
    void add_registers();

private:
    Sweep&
    add(const std::string& name, const std::string& claim, const std::string& place,
        const Device& device = {}) {
        return all_.emplace_back(
            core_.mac, way() + "_" + name, "sweep: " + filled(claim), filled(place),
            std::vector<Device>{device});
    }

    [[nodiscard]] std::string way() const { return tx_ ? "tx" : "rx"; }
    [[nodiscard]] Frames one_way(const Frames& some) const { return frames(way()) * some; }
    [[nodiscard]] Frames other_way(const Frames& some) const {
        return frames(tx_ ? "rx" : "tx") * some;
    }

    // "%": transmitted or received; "$": the section of the page, whose addresses begin with 8 or
    // 9;
    // "@": T or R; "~": the last digit of its section.
    [[nodiscard]] std::string filled(std::string text) const {
        const std::pair<char, std::string> replacements[] = {
            {'$', tx_ ? core_.tx_section : core_.rx_section},
            {'%', tx_ ? "transmitted" : "received"},
            {'#', tx_ ? "8" : "9"},
            {'@', tx_ ? "T" : "R"},
            {'~', tx_ ? "6" : "7"}};
        for (const auto& [mark, replacement] : replacements)
            for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark))
                text.replace(at, 1, replacement);
        return text;
    }

    // The counters of this direction's page, or of the other one.
    [[nodiscard]] std::vector<reference::Counter>
    page(const Sweep& sweep, bool other = false) const {
        auto counters = sweep.counters();
        std::erase_if(counters, [&](const reference::Counter& counter) {
            return (counter.address < 0x900) == (other == tx_);
        });
        return counters;
    }

    void read_page(Sweep& sweep, bool other = false) const {
        for (const auto& counter : page(sweep, other))
            sweep.read(counter.name);
    }

    [[nodiscard]] std::string config() const {
        for (const auto& [name, address] : core_.mac.registers)
            if (address == (tx_ ? 0x845 : 0x945))
                return name;
        return "";
    }

    Sweeps& all_;
    const Core& core_;
    bool tx_;
};

void Direction::add_frames() {
    const Places& places = core_.places;

    add("edges_of_the_size_classes", "% frames at both sides of every edge of the size classes",
        places.size_classes)
        .primes()
        .send(one_way(frames("1, 8, 9, 17, 63, 64, 65, 127, 128, 255, 256, 511, 512, 1023, 1024,"
                             "1518, 1519, 1522, 1523, 9599, 9600, 9601, 65535")))
        .expect()
        .primes(11)
        .send(one_way(
            frames("1, 63, 64, 65, 127, 128, 255, 256, 511, 512, 1023, 1024, 1518, 1519, 9600,"
                   "9601, 65535") *
            frames("fcs")))
        .expect();
    for (const std::string kind : {"good", "bad"})
        add("every_size_" + kind, "% " + kind + " frames of every size class, destination and sort",
            places.whole_page)
            .primes()
            .send(one_way(every_size) * frames(kind == "bad" ? "fcs" : ""))
            .expect();
    add("all_sizes_over_a_tiny_maximum",
        "% frames of every size class, all over the maximum length", places.size_classes,
        {.registers = {{"MAX_" + filled("@") + "X_SIZE_CONFIG", 40}}})
        .primes()
        .send(one_way(
            frames("41, multicast 64, broadcast 65, 128, multicast 256, broadcast 512, 1024,"
                   "multicast 1519, broadcast 9601, multicast 63 fcs, broadcast 64 fcs, 127 fcs,"
                   "multicast 255 fcs, broadcast 511 fcs, 1023 fcs, multicast 1518 fcs,"
                   "broadcast 9600 fcs, 65535 fcs") +
            frames("pause") *
                frames("broadcast 41, 64, multicast 65, broadcast 128, 256, multicast 512,"
                       "broadcast 1024, 1519, multicast 9601, 63 fcs, multicast 64 fcs,"
                       "broadcast 127 fcs, 255 fcs, multicast 511 fcs, broadcast 1023 fcs,"
                       "1518 fcs, multicast 9600 fcs, broadcast 65535 fcs")))
        .expect();
    add("sizes_of_frames_by_the_mac", "% frames of every size class that a MAC made",
        places.size_classes_and_runts)
        .primes()
        .send(
            one_way(frames("pause by_mac")) *
            (sizes + frames("63, 64, 127, 255, 511, 1023, 1518, 9600, 65535") * frames("fcs")))
        .expect();
    add("destinations_and_kinds",
        "% frames of every destination and kind, by software and by the MAC, good and bad",
        places.destinations)
        .primes()
        .send(one_way(good_and_bad) * sorts * frames(", by_mac"))
        .expect();
    add("tags", "% frames of every destination and size class with one tag and two",
        "IEEE 802.1Q 9.6; " + places.tags)
        .primes()
        .send(
            one_way(frames("tag, tags")) * good_and_bad *
            (frames("9, multicast 64, broadcast 65, 128, multicast 256, broadcast 512, 1024,"
                    "multicast 1519, broadcast 9601") +
             frames("control 80, pause 80, 100") * frames("unicast, multicast, broadcast")))
        .expect();
    add("errors_that_do_not_matter", "% frames with errors that this MAC does not look at",
        places.crc_error)
        .primes()
        .send(
            one_way(good_and_bad) *
            frames("alignment code late_collision excessive_collisions excessive_deferral "
                   "carrier_loss underrun overrun") *
            (sorts + sizes))
        .expect();
    add("payload_length_errors",
        "a payload length error keeps the octets of a % frame out of the sum and nothing else",
        places.octets)
        .primes()
        .send(
            one_way(frames("1518 x1000")) +
            one_way(good_and_bad) * frames("payload_length") * (sorts + sizes))
        .expect();
    add("collisions_and_deferral_do_not_matter",
        "what only half duplex knows changes no counter of % frames",
        places.whole_page + ": a full-duplex MAC")
        .primes()
        .send(
            one_way(good_and_bad) *
            (frames("64 data, 64 pause") * frames("unicast, multicast, broadcast") *
                 frames("c1, c7 deferred, c16") +
             frames("deferred") * frames("9 c1, 64 c15, 65 c16, 128 c1, 256 c15, 512 c16, 1024 c1,"
                                         "1519 c15, 9601 c16") +
             frames("63 c16, 64 c1, 127 c2, 255 c16, 511 c1, 1023 c2, 1518 c16, 9600 c1, 65535 c2,"
                    "63 c2, 64 c16, 127 c1, 255 c2, 511 c16, 1023 c1, 1518 c2, 9600 c16,"
                    "65535 c1")))
        .expect();
}

void Direction::add_registers() {
    const Places& places = core_.places;
    const Frames some = one_way(one_of_everything);

    Sweep& addresses =
        add("every_counter_at_its_address",
            "every counter of % frames has 64 bits, the low half at the lower address",
            places.addresses);
    // Each half of each counter has a value of its own.
    Values values;
    for (const auto& counter : page(addresses))
        values.emplace_back(counter.name, 0xffffff00'ffffffff - values.size() * 0x1'00000101);
    addresses.preset(values);
    for (const auto& counter : page(addresses))
        addresses.read(hex(counter.address + 1)).read(hex(counter.address)).read(counter.name);
    addresses.expect("mac", State::all);

    Sweep& carries =
        add("every_counter_carries_into_its_high_half",
            "without a snapshot every counter of % frames carries between the reads of its halves",
            places.counting_on);
    for (auto& [name, value] : values)
        value = 0xffffffff;
    carries.preset(values);
    for (const auto& counter : page(carries))
        carries.read(hex(counter.address));
    carries.each(1).send(some);
    for (const auto& counter : page(carries))
        carries.read(hex(counter.address + 1));
    carries.expect("mac", State::all);

    Sweep& accessed =
        add("no_counter_changes_when_accessed",
            "reads and writes leave every counter of % frames as it is", places.read_only);
    u64 next = 1'000'003;
    for (auto& [name, value] : values)
        value = next++;
    accessed.preset(values);
    for (const auto& counter : page(accessed)) {
        const std::string low = hex(counter.address);
        const std::string high = hex(counter.address + 1);
        accessed.read(low).write(low, 3).write(high, 1).read(low).read(high);
    }
    accessed.expect("mac", State::all);

    Sweep& frozen =
        add("a_snapshot_freezes_every_counter",
            "a snapshot freezes every counter of % frames and no other", places.snapshot);
    frozen.each(2).send(some).write(config(), 4).each(3).send(some);
    frozen.each(5).send(other_way(one_of_everything));
    read_page(frozen);
    read_page(frozen, true);
    frozen.write(config(), 0);
    read_page(frozen);
    frozen.expect("mac", State::all);

    Sweep& cleared =
        add("a_clear_clears_every_counter", "a clear clears every counter of % frames and no other",
            places.clear);
    cleared.each(2).send(some).each(5).send(other_way(one_of_everything));
    if (tx_) {
        // A clear takes these, too.
        values.clear();
        for (const std::string& name : core_.never_transmitted)
            values.emplace_back(name, 77);
        cleared.preset(values);
    }
    cleared.poll().write(config(), 1);
    read_page(cleared);
    read_page(cleared, true);
    cleared.expect("mac", State::discontinuities).each(1).send(some);
    cleared.expect("mac", State::discontinuities);
}

// Frames for every counter of both directions.
void add_everything(
    Sweeps& all, const Mac& mac, const std::string& after, const std::string& claim,
    const std::string& place, const Device& device) {
    all.emplace_back(
           mac, "one_of_everything" + after, "sweep: one frame sort for every counter" + claim,
           place, std::vector<Device>{device})
        .primes()
        .send(
            frames("rx, tx") * (one_of_everything + frames("tag 68, tags 72, tag 1522, tags 1526")))
        .expect();
}

void add_priority_pause(
    Sweeps& all, const Mac& mac, const std::string& after, const std::string& claim,
    const std::string& place, const Device& device) {
    all.emplace_back(
           mac, "priority_pause_frames" + after,
           "sweep: priority pause frames of every sort" + claim, place, std::vector<Device>{device})
        .primes()
        .send(
            frames("rx, tx") * good_and_bad * frames("pfc") *
            (frames("63, multicast 64, broadcast 127, 128, multicast 511, broadcast 512, 1518,"
                    "multicast 1519, broadcast 9601") +
             frames("multicast 64") *
                 frames("by_mac, c1 deferred, c15 deferred, c16 deferred, alignment, code,"
                        "late_collision, excessive_collisions, excessive_deferral, carrier_loss,"
                        "underrun, overrun, payload_length")))
        .expect();
}

} // namespace

void add(Sweeps& all) {
    const Device as_released = {.options = {{"variant", true}}};
    const Device without_tags = {.options = {{"vlan_detection", false}}};

    for (const Core* core : {&stratix10, &agilex5})
        for (const bool tx : {false, true}) {
            Direction direction(all, *core, tx);
            direction.add_frames();
            direction.add_registers();
        }

    const std::string both_pages = "Intel 683745 (2021-03-08), 3.4.1.6 and 3.4.1.7, ";
    add_everything(
        all, stratix10.mac, "", " of both directions", both_pages + "0x800 to 0x961", {});
    add_everything(
        all, stratix10.mac, "_as_released", ", as the released core counts",
        both_pages + "0x800 to 0x961", as_released);
    add_everything(
        all, stratix10.mac, "_without_vlan_detection", ", with VLAN detection off",
        both_pages + "0x800 to 0x961", without_tags);
    add_everything(
        all, agilex5.mac, "", " of both directions", "Intel 813652, 7.5, 0x0 to 0x62", {});
    add_everything(
        all, agilex5.mac, "_without_vlan_detection", ", with VLAN detection off",
        "Intel 813652, 7.5, VLAN detection", without_tags);

    const std::string registers = "0x814 PAUSE_ERR and 0x832 PAUSE";
    add_priority_pause(all, stratix10.mac, "", "", both_pages + registers, {});
    add_priority_pause(
        all, stratix10.mac, "_as_released", ", as the released core counts", both_pages + registers,
        {.options = {{"variant", true}, {"vlan_detection", false}}});
    add_priority_pause(
        all, agilex5.mac, "", "", "Intel 813652, 7.5, 0x14 PAUSE_ERR and 0x32 PAUSE", {});
}

} // namespace macstats::sweep::ll40g
