// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Any file is a tag, or is rejected with a reason in one line. The tag of a file is saved such
// that it loads as the same again. The counts of a port since any tag are no more than its
// totals, and whole ones are exactly what the totals have grown by.
//
// inputs: 5000
#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "require.hpp"
#include "tag_store.hpp"

using namespace macstats;
using namespace macstats::cli;
using macstats::test::require;

namespace {

constexpr const char* boot = "11111111-2222-3333-4444-555555555555";

// One for the process, in memory if the system has such a folder.
const std::filesystem::path& folder() {
    static const std::filesystem::path made = [] {
        const char* parent = std::filesystem::exists("/dev/shm") ? "/dev/shm" : "/tmp";
        std::string name = std::string(parent) + "/macstats-fuzz-XXXXXX";
        require(mkdtemp(name.data()) != nullptr, "a temporary folder");
        std::atexit([] { std::filesystem::remove_all(folder()); });
        return std::filesystem::path(name);
    }();
    return made;
}

// Names of models and counters are C identifiers. Only those of ports may have a backslash,
// which JSON has escaped.
bool has_possible_names(const TaggedPort& port) {
    const auto is_possible = [](const std::string& name) {
        return name.find('\\') == std::string::npos;
    };
    const auto are_possible = [&is_possible](const auto& totals) {
        return std::all_of(totals.begin(), totals.end(), [&is_possible](const auto& total) {
            return is_possible(total.first);
        });
    };
    return is_possible(port.statistics.model) && are_possible(port.totals) &&
           are_possible(port.saturated);
}

bool same(const TaggedPort& one, const TaggedPort& other) {
    const Statistics &a = one.statistics, &b = other.statistics;
    return one.name == other.name && one.totals == other.totals &&
           one.saturated == other.saturated && a.ifindex == b.ifindex && a.model == b.model &&
           a.start_ns == b.start_ns && a.time_ns == b.time_ns && a.generation == b.generation &&
           a.discontinuities == b.discontinuities && a.discontinuity_ns == b.discontinuity_ns;
}

// The corpus has tags of such a port.
std::vector<PortView> views(const CounterInfos& counters) {
    PortView view;
    view.name = "mac0";
    view.infos = counters;
    view.statistics.ifindex = IfIndex(7);
    view.statistics.model = "some_mac";
    view.statistics.generation = 1000;
    view.statistics.time_ns = 20'000'000'000;
    view.statistics.start_ns = 1'000;
    view.statistics.values = {500, 1ULL << 63};
    return {view};
}

void check_since(const Tag& tag) {
    std::vector<CounterInfo> counters(2);
    counters[0].name = "tx_a";
    counters[1].name = "rx_b";
    auto now = views(counters);
    const auto missing = add_since(now, tag, boot);
    const PortView& view = now.front();
    require(view.since.has_value() == missing.empty(), "a port is in the tag or it is reported");
    if (!view.since)
        return;
    const Difference& since = *view.since;
    require(since.seconds >= 0, "time does not go back");
    require(since.values.size() == view.statistics.values.size(), "there is one for each counter");
    for (std::size_t i = 0; i < since.values.size(); i++)
        require(
            since.values[i] <= view.statistics.values[i], "counts since a tag are in the total");
    if (since.continuity != Continuity::whole)
        return;
    bool found = false;
    for (const TaggedPort& port : tag.ports)
        found |= port.totals.contains("tx_a") && port.totals.contains("rx_b") &&
                 port.totals.at("tx_a") + since.values[0] == view.statistics.values[0] &&
                 port.totals.at("rx_b") + since.values[1] == view.statistics.values[1];
    require(found, "whole counts are those since a port of the tag");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const TagStore store(folder());
    std::ofstream(folder() / "tag.json", std::ios::binary) << text;
    const auto tag = store.load("tag");
    if (!tag) {
        const std::string& message = tag.error().message;
        require(tag.error().errnum == EBADMSG, "a file that is no tag is malformed: " + message);
        require(
            message.find("tag.json: is not a tag: ") != message.npos,
            "a rejection names the file: " + message);
        return 0;
    }
    require(store.save(*tag).has_value(), "a tag can be saved");
    const auto again = store.load("tag");
    require(again.has_value(), "a saved tag can be loaded");
    require(again->ports.size() == tag->ports.size(), "a saved tag has the same ports");
    for (std::size_t i = 0; i < tag->ports.size(); i++)
        require(
            !has_possible_names(tag->ports[i]) || same(tag->ports[i], again->ports[i]),
            "a saved port is the same");
    check_since(*tag);
    return 0;
}
