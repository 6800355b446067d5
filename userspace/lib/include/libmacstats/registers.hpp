// SPDX-License-Identifier: GPL-2.0 OR MIT
// Register dumps (`ethtool -d PORT raw on`) in the datasheet's words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <macstats/schema.h>
#include <nlohmann/json.hpp>

#include "result.hpp"

namespace macstats {

/// The version of a dump's format: ethtool_regs.version.
inline constexpr std::uint32_t dump_version = 1;

/// One bus word of a dump.
struct DumpedWord {
    std::uint32_t address; ///< with the base of its port
    std::uint32_t value;
};

/// The words in the octets of a dump: pairs of 32 bits, address and value, in the
/// byte order of the machine that made it. EINVAL if it is no such list.
Result<std::vector<DumpedWord>> parse_dump(std::span<const std::byte> octets);

struct DecodedField {
    const macstats_field* field;
    std::uint32_t value;
};

/// A register or counter that a dump holds.
struct DecodedRegister {
    std::uint32_t offset; ///< from the port's base
    std::uint64_t value;
    const macstats_register* reg;    ///< or
    const macstats_counter* counter; ///< this one
    std::vector<DecodedField> fields;
};

struct DecodedDump {
    unsigned int port = 0; ///< of the device
    std::vector<DecodedRegister> registers;
    /// Counters that are in no dump, since reading them changes something.
    std::vector<const macstats_counter*> skipped;
};

/// What @words mean for a port of @model. EINVAL if they are those of another
/// model: an address where this one has no register, a counter of which a word is
/// missing, or addresses of two ports.
Result<DecodedDump> decode_dump(const macstats_model& model, std::span<const DumpedWord> words);

/// {"model", "port_index", "registers": [{"name", "offset", "value", "fields":
/// [...]}], "counters": {name: value}, "skipped": [names]}
nlohmann::ordered_json dump_json(const macstats_model& model, const DecodedDump& dump);
std::string dump_text(const macstats_model& model, const DecodedDump& dump, bool descriptions);

} // namespace macstats
