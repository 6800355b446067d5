// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Fields, and what they are for, in a copy of a model's registers.
#ifndef MACSTATS_TEST_ROLES_HPP
#define MACSTATS_TEST_ROLES_HPP

#include <cstdint>
#include <stdexcept>

#include <macstats/roles.h>

namespace macstats::test {

constexpr macstats_field
field_of(macstats_access access, unsigned int lsb, unsigned int bits, std::uint32_t roles = 0) {
    return {
        .name = "field",
        .lsb = static_cast<std::uint8_t>(lsb),
        .bits = static_cast<std::uint8_t>(bits),
        .access = static_cast<std::uint8_t>(access),
        .singlepulse = false,
        .help = "A field",
        .roles = roles};
}

// No field of these blocks has any of the roles any more. Return: whether one had.
template <typename Registers>
bool drop_role(Registers& registers, std::uint32_t roles, unsigned int blocks = ~0u) {
    std::uint32_t dropped = 0;

    for (macstats_register& reg : registers) {
        if (!(blocks >> reg.block & 1))
            continue;
        dropped |= reg.roles & roles;
        reg.roles &= ~roles;
        for (macstats_field& field : reg.fields) {
            dropped |= field.roles & roles;
            field.roles &= ~roles;
        }
    }
    return dropped != 0;
}

// The field of the register at @offset that begins with bit @lsb has the role, too.
template <typename Registers>
void give_role(Registers& registers, std::uint32_t offset, unsigned int lsb, std::uint32_t role) {
    for (macstats_register& reg : registers)
        for (macstats_field& field : reg.fields)
            if (reg.offset == offset && field.bits && field.lsb == lsb) {
                field.roles |= role;
                return;
            }
    throw std::logic_error("there is no such field");
}

} // namespace macstats::test

#endif
