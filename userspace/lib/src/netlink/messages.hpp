// SPDX-License-Identifier: GPL-2.0 OR MIT
// Decodes replies and notifications.
#pragma once

#include <utility>
#include <vector>

#include "libmacstats/core/try.hpp"
#include "libmacstats/netlink/client.hpp"

namespace macstats {

PortInfo read_port(Attributes& from);

template <typename Read>
auto decode(const Reply& reply, Read read) -> Result<decltype(read(std::declval<Attributes&>()))> {
    MACSTATS_TRY(auto attributes, Attributes::parse(reply.payload));
    auto value = read(attributes);
    if (attributes.error())
        return *attributes.error();
    return value;
}

template <typename Read>
auto decode_all(Result<std::vector<Reply>> result, Read read)
    -> Result<std::vector<decltype(read(std::declval<Attributes&>()))>> {
    MACSTATS_TRY(const auto replies, std::move(result));
    std::vector<decltype(read(std::declval<Attributes&>()))> values;
    values.reserve(replies.size());
    for (const Reply& reply : replies) {
        MACSTATS_TRY(auto value, decode(reply, read));
        values.push_back(std::move(value));
    }
    return values;
}

template <typename Read>
auto decode_one(Result<Reply> reply, Read read) -> decltype(decode(*reply, read)) {
    return std::move(reply).and_then([&read](const Reply& answer) { return decode(answer, read); });
}

} // namespace macstats
