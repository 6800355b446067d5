// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The octets of netlink messages, laid out by hand from the kernel's headers, so that the tests
// do not compare the library with itself. Octets is any vector of octets.
#ifndef MACSTATS_TEST_NETLINK_OCTETS_HPP
#define MACSTATS_TEST_NETLINK_OCTETS_HPP

#include <cstddef>
#include <cstdint>

#include <linux/netlink.h>

namespace macstats::test::octets {

template <typename Octets, typename T>
void append(Octets& to, const T& value) {
    const auto* octets = reinterpret_cast<const typename Octets::value_type*>(&value);
    to.insert(to.end(), octets, octets + sizeof(value));
}

template <typename Octets>
void pad(Octets& to, typename Octets::value_type padding = {}) {
    to.resize((to.size() + 3) / 4 * 4, padding);
}

template <typename Octets, typename Parts>
Octets joined(const Parts& parts) {
    Octets all;
    for (const Octets& part : parts)
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

template <typename Octets>
Octets
attribute(std::uint16_t type, const Octets& value, typename Octets::value_type padding = {}) {
    Octets out;
    append(out, static_cast<std::uint16_t>(4 + value.size()));
    append(out, type);
    out.insert(out.end(), value.begin(), value.end());
    pad(out, padding);
    return out;
}

template <typename Octets>
Octets message(
    std::uint16_t type, std::uint16_t flags, std::uint32_t sequence, std::uint32_t portid,
    const Octets& payload) {
    Octets out;
    append(out, static_cast<std::uint32_t>(sizeof(nlmsghdr) + payload.size()));
    append(out, type);
    append(out, flags);
    append(out, sequence);
    append(out, portid);
    out.insert(out.end(), payload.begin(), payload.end());
    pad(out);
    return out;
}

// The payload of a generic netlink message.
template <typename Octets>
Octets command(std::uint8_t number, std::uint8_t version, const Octets& attributes) {
    Octets out;
    for (const std::uint8_t octet : {number, version, std::uint8_t{0}, std::uint8_t{0}})
        append(out, octet);
    out.insert(out.end(), attributes.begin(), attributes.end());
    return out;
}

} // namespace macstats::test::octets

#endif // MACSTATS_TEST_NETLINK_OCTETS_HPP
