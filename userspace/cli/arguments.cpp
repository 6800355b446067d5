// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "arguments.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <iterator>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "libmacstats/core/try.hpp"
#include "libmacstats/netlink/netlink.hpp"

namespace macstats::cli {

namespace {

struct Unit {
    std::string_view suffix;
    double seconds;
};

constexpr Unit units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"m", 60}, {"h", 3600}};

std::optional<double> seconds_in(std::string_view text) {
    double number = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || text.find_first_of("0123456789") == std::string_view::npos)
        return std::nullopt;
    const std::string_view suffix(stop, static_cast<std::size_t>(end - stop));
    for (const Unit& unit : units)
        if (unit.suffix == suffix)
            return number * unit.seconds;
    return std::nullopt;
}

// The netlink attributes that messages of the kernel name, and what the user typed.
struct UserWord {
    std::string_view attribute;
    std::string_view word;
};

constexpr UserWord user_words[] = {
    {"DEVICE_ID", "DEVICE"},
    {"DEVICE_LINE_RATE_BOUND", "--line-rate-bound"},
    {"DEVICE_MODEL", "MODEL"},
    {"DEVICE_NAME", "--name"},
    {"DEVICE_NETDEVS", "--netdevs"},
    {"DEVICE_OPTIONS", "--option"},
    {"DEVICE_POWER_UP_RANDOM", "--power-up"},
    {"DEVICE_PRIVATE_ONLY", "--private-only"},
    {"DEVICE_SEED", "--seed"},
    {"FRAME_APPEND_CRC", "--append-crc"},
    {"FRAME_COLLISIONS", "--collisions"},
    {"FRAME_DEFERRED", "--deferred"},
    {"FRAME_DESCRIPTORS", "--descriptors"},
    {"FRAME_DESTINATION", "--destination"},
    {"FRAME_DIRECTION", "--direction"},
    {"FRAME_ERRORS", "--errors"},
    {"FRAME_HUGE", "--huge"},
    {"FRAME_KIND", "--kind"},
    {"FRAME_LENGTH", "--length"},
    {"FRAME_ORIGIN", "--origin"},
    {"FRAME_VLAN_TAGS", "--vlan-tags"},
    {"PORT_ACTIVE", "--off"},
    {"PORT_ADDRESS", "REGISTER"},
    {"PORT_ANNOUNCED", "--announced"},
    {"PORT_COUNT", "--count"},
    {"PORT_COUNTER", "COUNTER"},
    {"PORT_DURING_READ", "--during-read"},
    {"PORT_FAULT", "NAME"},
    {"PORT_GET", "`macstats ports`"},
    {"PORT_IFINDEX", "PORT"},
    {"PORT_PEER", "B"},
    {"PORT_VALUE", "VALUE"},
    {"STATS_IFINDEX", "PORT"},
};

bool is_word_character(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

std::string_view user_word(std::string_view word) {
    const auto* found =
        std::find_if(std::begin(user_words), std::end(user_words), [word](const UserWord& known) {
            return known.attribute == word;
        });
    return found == std::end(user_words) ? word : found->word;
}

} // namespace

Result<std::uint64_t> parse_number(
    std::string_view option, std::string_view text, std::uint64_t least, std::uint64_t most) {
    MACSTATS_TRY(const auto value, parse_number(option, text, UINT64_MAX));
    if (value >= least && value <= most)
        return value;
    return failure(
        ERANGE, "{}: {} is out of range: {} to {} are accepted", option, value, least, most);
}

Result<std::uint64_t>
parse_count(std::string_view option, std::string_view what, std::string_view text) {
    if (const auto number = parse_number(option, text, UINT64_MAX); number && *number)
        return *number;
    return invalid("{}: \"{}\" is not a number of {}; give 1 or more", option, text, what);
}

Result<bool> parse_switch(std::string_view option, std::string_view word) {
    static constexpr Name words[] = {{"on", 1}, {"off", 0}};
    MACSTATS_TRY(const auto value, value_of(words, option, word));
    return value == 1;
}

bool is_duration(std::string_view text) {
    return seconds_in(text).has_value();
}

Result<double> parse_seconds(std::string_view option, std::string_view text, Seconds range) {
    const auto seconds = seconds_in(text);
    if (!seconds)
        return invalid(
            "{}: \"{}\" is not a duration; give seconds, for example 10, 0.5s, 200ms or 2m", option,
            text);
    if (!(*seconds >= range.least && *seconds <= range.most))
        return failure(
            ERANGE, "{}: {} is not in {:.12g} to {:.12g} seconds", option, text, range.least,
            range.most);
    return *seconds;
}

Error in_user_words(Error error) {
    std::string text;
    const std::string_view message = error.message;
    for (std::size_t at = 0; at < message.size();) {
        std::size_t end = at;
        while (end < message.size() && is_word_character(message[end]))
            end++;
        text += user_word(message.substr(at, end - at));
        if (end < message.size())
            text += message[end++];
        at = end;
    }
    const std::string errno_words = fmt::format(" ({})", errno_text(error.errnum));
    if ((error.errnum == EINVAL || error.errnum == ERANGE) && text.ends_with(errno_words))
        text.resize(text.size() - errno_words.size());
    error.message = std::move(text);
    return error;
}

} // namespace macstats::cli
