// SPDX-License-Identifier: GPL-2.0 OR MIT
// Register dumps (`ethtool -d PORT raw on`), decoded by the datasheet's names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <macstats/schema.h>

#include "libmacstats/core/index.hpp"
#include "libmacstats/core/result.hpp"

namespace macstats {

/// The version of a dump's format: ethtool_regs.version.
inline constexpr std::uint32_t dump_version = 2;

/// The longest dump that is read from a file, in octets: no port has as many registers.
inline constexpr std::size_t most_dump_octets = std::size_t{16} << 20;

/// One bus word of a dump.
struct DumpedWord {
    std::uint32_t address; ///< including the base of its port
    std::uint32_t value;
};

/// Read the octets of a dump from the kernel, as `ethtool -d IFNAME raw on` does. Needs
/// CAP_NET_ADMIN; blocks while the driver reads the registers. EBADMSG for another
/// dump_version, otherwise the errno of the system call.
Result<std::vector<std::byte>> read_dump(const std::string& ifname);

/// The words of a dump: pairs of an address and a value of 32 bits each, little-endian.
/// EINVAL for octets that are not such a list.
Result<std::vector<DumpedWord>> parse_dump(std::span<const std::byte> octets);

struct DecodedField {
    const macstats_field* field;
    std::uint32_t value;
};

/// A register or a counter of a dump, or a word that the model does not have.
struct DecodedRegister {
    std::uint32_t offset; ///< from the port's base
    std::uint64_t value;
    const macstats_register* reg;    ///< or nullptr
    const macstats_counter* counter; ///< or nullptr
    std::vector<DecodedField> fields;
};

struct DecodedDump {
    PortIndex port;
    std::vector<DecodedRegister> registers;
    /// Counters that no dump contains, since a read changes them.
    std::vector<const macstats_counter*> skipped;
};

/// Decode the words of a port of @model. EINVAL for the dump of another model or a part of one: a
/// register or counter that is missing, or addresses of two ports.
/// @absent: counters that the hardware lacks, ascending, which are left out.
Result<DecodedDump> decode_dump(
    const macstats_model& model, std::span<const DumpedWord> words,
    std::span<const CounterIndex> absent = {});

} // namespace macstats
