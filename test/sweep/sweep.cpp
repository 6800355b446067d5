// SPDX-License-Identifier: GPL-2.0 OR MIT
#include <algorithm>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "../reference/reference.hpp"
#include "sweep.hpp"

namespace macstats::sweep {

namespace {

using Kind = reference::Answer::Kind;

reference::Options options_of(const Mac& mac, const ordered_json& given) {
    reference::Options options;
    for (const auto& [name, value] : given.items())
        if (name == "duplex")
            options.half_duplex = value == "half";
        else if (name == "speed")
            options.slowness = 1000 / value.get<u32>(); // of a MAC for 1000 Mb/s
        else if (name == "medium")
            options.fiber = value == "fiber";
        else if (name == "vlan_detection")
            options.vlan_detection = value;
        else if (name == "variant")
            options.as_released = value;
        else if (name == "revision")
            options.revision =
                1u
                << (std::find(
                        mac.revisions.begin(), mac.revisions.end(), value.get<std::string>()) -
                    mac.revisions.begin());
        else if (name == "statistics")
            options.statistics = value;
        else
            throw std::invalid_argument("no option " + name);
    return options;
}

// 0x900, whatever it is called.
bool is_address(const std::string& place) {
    return place.starts_with("0x");
}

bool is_prime(u64 number) {
    for (u64 i = 2; i * i <= number; i++)
        if (number % i == 0)
            return false;
    return number >= 2;
}

// "-4*GPTC": minus four times that counter, or the statistic of that name. Nothing, if the MAC
// lacks the counter.
std::optional<std::int64_t> product(
    const reference::Reference& reference, const std::map<std::string, std::int64_t>& statistics,
    std::string text) {
    const std::int64_t sign = text.starts_with('-') ? -1 : 1;
    if (sign < 0)
        text.erase(0, 1);
    std::int64_t factor = 1;
    if (const auto star = text.find_first_not_of("0123456789"); star && text[star] == '*') {
        factor = std::stol(text);
        text.erase(0, star + 1);
    }
    if (const auto known = statistics.find(text); known != statistics.end())
        return sign * factor * known->second;
    if (reference.lacks(reference.index(text)))
        return {};
    const auto total = reference.total(reference.index(text));
    return sign * factor * static_cast<std::int64_t>(total.value());
}

} // namespace

std::string hex(u32 address) {
    std::ostringstream text;
    text << "0x" << std::hex << address;
    return text.str();
}

Sweep::Sweep(
    const Mac& mac, std::string name, const std::string& claim, const std::string& reference,
    const std::vector<Device>& devices)
    : mac_(mac),
      name_(std::move(name)),
      head_({{"name", claim}, {"reference", reference}}) {
    for (const Device& device : devices)
        add_device(device);
}

void Sweep::add_device(const Device& device) {
    ordered_json& json = head_["devices"][device.name] = {{"model", mac_.model}};
    if (!device.options.empty())
        json["options"] = device.options;
    for (const auto& [name, value] : device.registers)
        json["registers"][name] = value;
    for (unsigned int i = 0; i < mac_.ports; i++) {
        Port port{reference::make_reference(mac_.model, options_of(mac_, device.options)), {}};
        for (const auto& [name, value] : device.registers)
            if (port.reference->write(address_of(name), value) != Kind::value)
                throw std::logic_error("nobody is at " + name);
        port.reference->poll();
        ports_.emplace(i ? device.name + '/' + std::to_string(i) : device.name, std::move(port));
    }
}

Sweep::Port& Sweep::at(const std::string& port) {
    return ports_.at(port);
}

u32 Sweep::address_of(const std::string& place) const {
    if (is_address(place))
        return static_cast<u32>(std::stoul(place, nullptr, 16));
    if (const auto known = mac_.registers.find(place); known != mac_.registers.end())
        return known->second;
    if (ports_.empty())
        throw std::logic_error(mac_.model + " has no register " + place);
    const reference::Reference& reference = *ports_.begin()->second.reference;
    return reference.counters()[reference.index(place)].address;
}

std::vector<reference::Counter> Sweep::counters() const {
    const reference::Reference& reference = *ports_.begin()->second.reference;
    std::vector<reference::Counter> all;
    for (std::size_t i = 0; i < reference.counters().size(); i++)
        if (!reference.lacks(i))
            all.push_back(reference.counters()[i]);
    return all;
}

void Sweep::step(const char* kind, const std::string& port, ordered_json members) {
    ordered_json all = {{"port", port}};
    all.update(members);
    steps_.push_back(ordered_json{{kind, std::move(all)}}.dump());
}

Sweep& Sweep::from(u64 first) {
    counting_ = Counting::from;
    next_ = first;
    return *this;
}

Sweep& Sweep::primes(u64 first) {
    counting_ = Counting::primes;
    next_ = first;
    return *this;
}

Sweep& Sweep::each(u64 count) {
    counting_ = Counting::each;
    next_ = count;
    return *this;
}

u64 Sweep::next_count() {
    if (counting_ == Counting::each)
        return next_;
    while (counting_ == Counting::primes && !is_prime(next_))
        next_++;
    return next_++;
}

Sweep& Sweep::send(const Frames& some, const std::string& port) {
    for (const std::string& words : some) {
        Frame frame = frame_of(words);
        const u64 count = frame.count ? frame.count : next_count();
        at(port).reference->send(frame.frame, count);
        if (count != 1)
            frame.json["count"] = count;
        step("send", port, std::move(frame.json));
    }
    return *this;
}

// A counter by its name has as many words as it needs.
Sweep& Sweep::read(const std::string& place, const std::string& port) {
    const u32 address = address_of(place);
    const auto all = counters();
    const bool two_words =
        !is_address(place) && std::any_of(all.begin(), all.end(), [&](const auto& counter) {
            return counter.name == place && counter.bits == 64;
        });
    u64 value = 0;
    for (u32 word = 0; word < (two_words ? 2 : 1); word++) {
        const reference::Answer answer = at(port).reference->read(address + word);
        if (answer.kind != Kind::value || answer.certain != ~u32{0})
            throw std::logic_error("the reference does not know what " + place + " returns");
        value |= u64{answer.value} << (32 * word);
    }
    step("read", port, {{"register", place}, {"expect", value}});
    return *this;
}

Sweep& Sweep::write(const std::string& place, u32 value, const std::string& port) {
    if (at(port).reference->write(address_of(place), value) != Kind::value)
        throw std::logic_error("nobody is at " + place);
    step("write", port, {{"register", place}, {"value", value}});
    return *this;
}

Sweep& Sweep::preset(const Values& values, const std::string& port) {
    ordered_json json;
    Port& given = at(port);
    for (const auto& [name, value] : values) {
        const std::size_t i = given.reference->index(name);
        given.reference->preset(i, value);
        given.preset[i] = value;
        json[name] = value;
    }
    step("preset", port, {{"counters", std::move(json)}});
    return *this;
}

Sweep& Sweep::poll(const std::string& port) {
    at(port).reference->poll();
    step("poll", port, ordered_json::object());
    return *this;
}

ordered_json Sweep::standard_of(const reference::Reference& reference) const {
    ordered_json all = ordered_json::object();
    std::map<std::string, std::int64_t> known;
    for (const Statistic& statistic : mac_.standard) {
        ordered_json& place = all[statistic.group][statistic.name];
        for (const Bucket& bucket : statistic.buckets)
            place.push_back(
                {{"low", bucket.low},
                 {"high", bucket.high},
                 {"val", product(reference, known, bucket.counter).value()}});
        if (statistic.counters.empty())
            continue;
        std::int64_t sum = 0;
        const bool is_known = std::ranges::all_of(statistic.counters, [&](const auto& counter) {
            const auto one = product(reference, known, counter);
            sum += one.value_or(0);
            return one.has_value();
        });
        if (is_known)
            place = known[statistic.name] = sum;
    }
    return all;
}

Sweep& Sweep::expect(const std::string& port, State state) {
    Port& given = at(port);
    const reference::Reference& reference = *given.reference;
    given.reference->poll();
    ordered_json json = {{"totals", ordered_json::object()}, {"others", "zero"}};
    ordered_json saturated = ordered_json::array();
    for (std::size_t i = 0; i < reference.counters().size(); i++) {
        const reference::Counter& counter = reference.counters()[i];
        if (reference.lacks(i)) {
            json["totals"][counter.name] = nullptr;
            continue;
        }
        const auto total = reference.total(i);
        if (!total || !reference.is_certain(i))
            throw std::logic_error("the reference does not know " + counter.name);
        if (*total)
            json["totals"][counter.name] = *total;
        if (const auto preset = given.preset.find(i); preset != given.preset.end())
            if (counter.saturates && preset->second + *total == (u64{1} << counter.bits) - 1)
                saturated.push_back(counter.name);
    }
    if (!mac_.standard.empty())
        json["standard"] = standard_of(reference);
    if (state == State::all)
        json["state"] = {
            {"stale", reference.state().stale},
            {"possible_loss", reference.state().possible_loss.value()}};
    if (state != State::none)
        json["state"]["discontinuities"] = reference.state().discontinuities;
    if (!saturated.empty())
        json["state"]["saturated"] = std::move(saturated);
    step("expect", port, std::move(json));
    return *this;
}

// One step a line.
std::string Sweep::text() const {
    std::string text = head_.dump(2);
    text.erase(text.rfind("\n}"));
    text += ",\n  \"steps\": [";
    for (std::size_t i = 0; i < steps_.size(); i++)
        text += (i ? ",\n    " : "\n    ") + steps_[i];
    return text + "\n  ]\n}\n";
}

} // namespace macstats::sweep
