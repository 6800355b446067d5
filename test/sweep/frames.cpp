// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Frames in words.
#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

#include "sweep.hpp"

namespace macstats::sweep {

namespace {

// In the order of the members of a file.
struct Described {
    macstats_frame frame{};
    u64 count = 0;
    std::string destination;
    std::string kind;
    std::vector<std::string> errors;
};

template <typename Value>
std::function<void(Described&)> set(Value macstats_frame::*member, int value) {
    return [=](Described& described) { described.frame.*member = static_cast<Value>(value); };
}

std::function<void(Described&)> destination(const char* name, macstats_destination value) {
    return [=](Described& described) {
        described.frame.destination = static_cast<__u8>(value);
        described.destination = name;
    };
}

std::function<void(Described&)> kind(const char* name, macstats_kind value) {
    return [=](Described& described) {
        described.frame.kind = static_cast<__u8>(value);
        described.kind = name;
    };
}

std::function<void(Described&)> error(const char* name, macstats_error value) {
    return [=](Described& described) {
        if (described.frame.errors & value)
            return;
        described.frame.errors = static_cast<__u16>(described.frame.errors | value);
        described.errors.emplace_back(name);
    };
}

const std::map<std::string, std::function<void(Described&)>>& words() {
    using frame = macstats_frame;
    static const std::map<std::string, std::function<void(Described&)>> all = {
        {"rx", set(&frame::direction, MACSTATS_RX)},
        {"tx", set(&frame::direction, MACSTATS_TX)},
        {"unicast", destination("unicast", MACSTATS_UNICAST)},
        {"multicast", destination("multicast", MACSTATS_MULTICAST)},
        {"broadcast", destination("broadcast", MACSTATS_BROADCAST)},
        {"data", kind("data", MACSTATS_DATA)},
        {"control", kind("control", MACSTATS_CONTROL)},
        {"pause", kind("pause", MACSTATS_PAUSE)},
        {"pfc", kind("pfc", MACSTATS_PFC)},
        {"by_mac", set(&frame::origin, MACSTATS_BY_MAC)},
        {"by_software", set(&frame::origin, MACSTATS_BY_SOFTWARE)},
        {"tag", set(&frame::vlan_tags, 1)},
        {"tags", set(&frame::vlan_tags, 2)},
        {"deferred", set(&frame::deferred, true)},
        {"append_crc", set(&frame::append_crc, MACSTATS_CONTROL_ON)},
        {"no_crc", set(&frame::append_crc, MACSTATS_CONTROL_OFF)},
        {"huge", set(&frame::huge, MACSTATS_CONTROL_ON)},
        {"not_huge", set(&frame::huge, MACSTATS_CONTROL_OFF)},
        {"two_descriptors", set(&frame::descriptors, 2)},
        {"fcs", error("fcs", MACSTATS_ERR_FCS)},
        {"alignment", error("alignment", MACSTATS_ERR_ALIGNMENT)},
        {"code", error("code", MACSTATS_ERR_CODE)},
        {"payload_length", error("payload_length", MACSTATS_ERR_PAYLOAD_LENGTH)},
        {"late_collision", error("late_collision", MACSTATS_ERR_LATE_COLLISION)},
        {"excessive_collisions", error("excessive_collisions", MACSTATS_ERR_EXCESSIVE_COLLISIONS)},
        {"excessive_deferral", error("excessive_deferral", MACSTATS_ERR_EXCESSIVE_DEFERRAL)},
        {"carrier_loss", error("carrier_loss", MACSTATS_ERR_CARRIER_LOSS)},
        {"underrun", error("underrun", MACSTATS_ERR_UNDERRUN)},
        {"overrun", error("overrun", MACSTATS_ERR_OVERRUN)},
        {"checksum", error("checksum", MACSTATS_ERR_CHECKSUM)},
        {"no_buffer", error("no_buffer", MACSTATS_ERR_NO_BUFFER)},
    };
    return all;
}

// A length, "c2" after two collisions, "x100" a hundred times, or one of words().
void take(Described& described, const std::string& word) {
    if (const auto known = words().find(word); known != words().end()) {
        known->second(described);
        return;
    }
    const bool is_count = word.front() == 'x';
    const bool is_collisions = word.front() == 'c';
    const std::string digits = word.substr(is_count || is_collisions);
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos)
        throw std::invalid_argument("no word of a frame: " + word);
    const auto number = std::stoul(digits);
    if (is_count)
        described.count += number;
    else if (is_collisions)
        described.frame.collisions = static_cast<__u8>(number);
    else
        described.frame.length = static_cast<__u32>(number);
}

} // namespace

Frames frames(const std::string& text) {
    Frames all;
    std::istringstream stream(text + ',');
    for (std::string one; std::getline(stream, one, ',');)
        all.push_back(one);
    return all;
}

Frames operator*(const Frames& some, const Frames& others) {
    Frames all;
    for (const std::string& one : some)
        for (const std::string& other : others)
            all.push_back(one + ' ' + other);
    return all;
}

Frames operator+(Frames some, const Frames& others) {
    some.insert(some.end(), others.begin(), others.end());
    return some;
}

Frames counted(Frames some, u64 first) {
    for (std::string& one : some)
        one += " x" + std::to_string(first++);
    return some;
}

Frame frame_of(const std::string& text) {
    Described described;
    described.frame.direction = MACSTATS_TX;
    described.frame.length = MACSTATS_FRAME_MIN;
    described.frame.destination = MACSTATS_UNICAST;
    described.frame.kind = MACSTATS_DATA;
    described.frame.origin = MACSTATS_BY_SOFTWARE;
    std::istringstream stream(text);
    for (std::string word; stream >> word;)
        take(described, word);

    Frame result{.frame = described.frame, .count = described.count};
    const macstats_frame& frame = result.frame;
    ordered_json& json = result.json;
    json["direction"] = frame.direction == MACSTATS_RX ? "rx" : "tx";
    json["length"] = frame.length;
    // Which one is left out depends on who makes the frame.
    if (frame.destination != MACSTATS_UNICAST || frame.origin == MACSTATS_BY_MAC)
        json["destination"] = described.destination.empty() ? "unicast" : described.destination;
    if (frame.kind != MACSTATS_DATA)
        json["kind"] = described.kind;
    if (frame.origin == MACSTATS_BY_MAC)
        json["origin"] = "mac";
    if (frame.vlan_tags)
        json["vlan_tags"] = frame.vlan_tags;
    if (!described.errors.empty())
        json["errors"] = described.errors;
    if (frame.collisions)
        json["collisions"] = frame.collisions;
    if (frame.deferred)
        json["deferred"] = true;
    if (frame.descriptors)
        json["descriptors"] = frame.descriptors;
    if (frame.append_crc)
        json["append_crc"] = frame.append_crc == MACSTATS_CONTROL_ON;
    if (frame.huge)
        json["huge"] = frame.huge == MACSTATS_CONTROL_ON;
    return result;
}

} // namespace macstats::sweep
