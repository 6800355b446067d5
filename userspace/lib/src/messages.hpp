// SPDX-License-Identifier: GPL-2.0 OR MIT
// Replies and notifications of the kernel's provider become structs.
#pragma once

#include <utility>
#include <vector>

#include "libmacstats/client.hpp"

namespace macstats {

PortInfo read_port(Attributes& from);
Threshold read_threshold(Attributes& from);

template <typename Read>
auto decode(const Reply& reply, Read read) -> Result<decltype(read(std::declval<Attributes&>()))> {
    auto attributes = Attributes::parse(reply.payload);
    if (!attributes)
        return attributes.error();
    auto value = read(*attributes);
    if (attributes->error())
        return *attributes->error();
    return value;
}

template <typename Read>
auto decode_all(const Result<std::vector<Reply>>& replies, Read read)
    -> Result<std::vector<decltype(read(std::declval<Attributes&>()))>> {
    if (!replies)
        return replies.error();
    std::vector<decltype(read(std::declval<Attributes&>()))> values;
    values.reserve(replies->size());
    for (const Reply& reply : *replies) {
        auto value = decode(reply, read);
        if (!value)
            return value.error();
        values.push_back(std::move(*value));
    }
    return values;
}

template <typename Read>
auto decode_one(const Result<Reply>& reply, Read read) -> decltype(decode(*reply, read)) {
    if (!reply)
        return reply.error();
    return decode(*reply, read);
}

} // namespace macstats
