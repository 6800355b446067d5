// SPDX-License-Identifier: GPL-2.0
//
// Generates damaged requests from the specifications of the netlink families. It sends nothing.
#ifndef MACSTATS_TEST_NETLINK_GENERATOR_HPP
#define MACSTATS_TEST_NETLINK_GENERATOR_HPP

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "../../unit/support/random.hpp"
#include "bytes.hpp"
#include "table.hpp"

namespace macstats::test::netlink {

inline constexpr std::size_t largest_request = 1 << 14;

class Generator {
public:
    Generator(const Table& of, Random& source) : table(of), random(source) {}

    std::vector<std::uint32_t> ports, devices; // the last known ones

    // Requests for one send, of these families only. At most one adds a device, if @add.
    Bytes batch(bool add);

private:
    const Table& table;
    Random& random;
    std::uint32_t sequence = 1;

    const Operation& choose();
    std::uint16_t flags(const Operation& operation);
    std::uint16_t type(const Family& family);
    std::uint32_t length(std::size_t right);
    void message(Bytes& out);
    std::vector<unsigned> some_of(const std::set<unsigned>& wanted, const Set& known);
    void attributes(Bytes& out, std::size_t set, const std::set<unsigned>& wanted, int depth);
    void name_port_once(std::vector<unsigned>& chosen, std::size_t set);
    void attribute(Bytes& out, std::size_t set, unsigned number, int depth);
    void content(Bytes& out, const Attribute* known, unsigned number, int depth);
    void end_attribute(Bytes& out, std::size_t start);
    std::uint64_t number();
    std::uint64_t known_id();
    std::uint64_t good(const Attribute& attribute);
    void value(Bytes& out, const Attribute& attribute);
    void text(Bytes& out, Role role);
    void list(Bytes& out);
    void octets(Bytes& out);
    void damage(Bytes& out);
    void restrict_to_families(Bytes& data, bool add) const;
};

} // namespace macstats::test::netlink

#endif // MACSTATS_TEST_NETLINK_GENERATOR_HPP
