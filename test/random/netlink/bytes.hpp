// SPDX-License-Identifier: GPL-2.0
//
// The octets of netlink messages, of the fuzzer of netlink requests.
#ifndef MACSTATS_TEST_NETLINK_BYTES_HPP
#define MACSTATS_TEST_NETLINK_BYTES_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace macstats::test::netlink {

using Bytes = std::vector<std::uint8_t>;
using View = std::span<const std::uint8_t>;

// The kernel's answer is not one that the specification allows.
class Wrong : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

template <class T>
T get(View data, std::size_t at = 0) {
    T value;
    if (at + sizeof value > data.size())
        throw Wrong("an answer that ends too early");
    std::memcpy(&value, data.data() + at, sizeof value);
    return value;
}

template <class T>
void put(Bytes& to, T value) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(&value);
    to.insert(to.end(), bytes, bytes + sizeof value);
}

template <class T>
void put_at(Bytes& to, std::size_t at, T value) {
    std::memcpy(to.data() + at, &value, sizeof value);
}

inline void put_bytes(Bytes& to, View bytes) {
    to.insert(to.end(), bytes.begin(), bytes.end());
}

inline void put_text(Bytes& to, const std::string& text) {
    to.insert(to.end(), text.begin(), text.end());
}

inline std::size_t align(std::size_t length) {
    return (length + 3) & ~std::size_t{3};
}

inline std::string hex(View data) {
    constexpr std::size_t most = 4096;
    std::string text;
    for (std::size_t i = 0; i < std::min(data.size(), most); i++)
        text += fmt::format("{}{:02x}", i && i % 4 == 0 ? " " : "", data[i]);
    return data.size() > most ? text + fmt::format(" ... ({} octets)", data.size()) : text;
}

} // namespace macstats::test::netlink

#endif // MACSTATS_TEST_NETLINK_BYTES_HPP
