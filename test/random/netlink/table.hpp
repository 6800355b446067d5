// SPDX-License-Identifier: GPL-2.0
//
// The specifications of the netlink families, as test/vm/tests/netlink_fuzz.py writes them into
// a file: a word for the kind of each line, and its fields in the order of the structures below.
#ifndef MACSTATS_TEST_NETLINK_TABLE_HPP
#define MACSTATS_TEST_NETLINK_TABLE_HPP

#include <cstddef>
#include <cstdint>
#include <istream>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace macstats::test::netlink {

// The words of the specification; u32s and u64s: binary with that sub-type.
enum class Type {
    u8,
    u32,
    u64,
    u32s,
    u64s,
    string,
    flag,
    nest,
    pad
};

// Good values of an attribute. port, peer: an ifindex; fault, flag: one of the bits from 0 to
// high; active, range: from low to high.
enum class Role {
    any,
    port,
    peer,
    device,
    model,
    name,
    address,
    fault,
    active,
    flag,
    range,
};

struct Attribute {
    Type type = Type::pad;
    int nested = -1; // the set of a nest
    bool repeated = false;
    bool free = false; // an administrator chooses the value: it may look like anything
    Role role = Role::any;
    std::uint64_t low = 0, high = 0;
};

using Set = std::map<unsigned, Attribute>;

enum class Way {
    request,
    dump,
    event
};

// The fuzzer itself uses some operations: to list the ids of ports and devices, to add and delete
// a device, to end faults.
enum class Purpose {
    none,
    list,
    add,
    remove,
    fault
};

struct Operation {
    std::string name;
    unsigned family = 0;
    unsigned command = 0;
    Way way = Way::request;
    bool privileged = false;
    Purpose purpose = Purpose::none;
    std::size_t set = 0;
    std::set<unsigned> request;
    std::set<unsigned> reply;
};

struct Family {
    std::string name;
    std::uint16_t id = 0;
    std::uint8_t version = 0;
    std::uint32_t group = 0; // 0: none
};

struct Table {
    std::vector<Family> families;
    std::vector<Set> sets;
    std::vector<Operation> operations;
    std::vector<std::uint64_t> numbers, addresses;
    std::vector<std::string> models, names;

    // Throws std::runtime_error.
    const Operation& operation(Purpose purpose) const;
    unsigned attribute(std::size_t set, Role role) const;
};

// "stats-get dump"
std::string title(const Operation& operation);

// Throws std::runtime_error if the table is not complete.
Table read_table(std::istream& in);

} // namespace macstats::test::netlink

#endif // MACSTATS_TEST_NETLINK_TABLE_HPP
