// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Sweeps: scenarios that go through one dimension (sizes, destinations, tags, errors, registers,
// ...). A function of each MAC states the steps; the expected values come from its slow reference
// in ../reference, which was written from the datasheet alone. Nothing of the library or of the
// models takes part: the files name counters and registers as the datasheet does.
#ifndef MACSTATS_TEST_SWEEP_HPP
#define MACSTATS_TEST_SWEEP_HPP

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "../reference/interface.hpp"

namespace macstats::sweep {

using nlohmann::ordered_json;
using reference::u32;
using reference::u64;

// Frames in words that frames.cpp lists: "rx multicast 64 fcs x3", three of which follow each
// other. Errors and counts add up; of other words the last one holds.
using Frames = std::vector<std::string>;

// Of a text with commas between frames.
Frames frames(const std::string& text);
// Each of some with each of others, and some followed by others.
Frames operator*(const Frames& some, const Frames& others);
Frames operator+(Frames some, const Frames& others);
// The first one @first times more, the next one once more than that.
Frames counted(Frames some, u64 first);

struct Frame {
    macstats_frame frame{};
    u64 count = 0; // 0: not in the words
    ordered_json json = ordered_json::object();
};

Frame frame_of(const std::string& words);

// Counters and their values.
using Values = std::vector<std::pair<std::string, u64>>;

std::string hex(u32 address);

// A statistic of Linux, as a sum of counters, or of statistics before it. A factor may precede a
// name, as in "-GPTC" or "-4*GPTC". A histogram has buckets instead. With neither, the statistic
// must not be reported.
struct Bucket {
    u32 low;
    u32 high;
    std::string counter;
};

struct Statistic {
    std::string group;
    std::string name;
    std::vector<std::string> counters;
    std::vector<Bucket> buckets{};
};

struct Mac {
    std::string model;
    unsigned int ports = 1;
    std::map<std::string, u32> registers; // those beside the counters, which sweeps name
    std::vector<Statistic> standard;
    std::vector<std::string> revisions{};
};

struct Device {
    std::string name = "mac";
    ordered_json options = ordered_json::object(); // as in the file
    std::vector<std::pair<std::string, u32>> registers{};
};

enum class State {
    none,
    discontinuities,
    all
};

class Sweep {
public:
    Sweep(
        const Mac& mac, std::string name, const std::string& claim, const std::string& reference,
        const std::vector<Device>& devices = {{}});

    // Frames are counted from @first on: 5 of the first one, 6 of the next.
    Sweep& from(u64 first);
    // Or in primes, from the first one not below @first, or all alike.
    Sweep& primes(u64 first = 2);
    Sweep& each(u64 count);
    Sweep& send(const Frames& some, const std::string& port = "mac");

    // By name or address. A read expects what the reference returns.
    Sweep& read(const std::string& place, const std::string& port = "mac");
    Sweep& write(const std::string& place, u32 value, const std::string& port = "mac");
    Sweep& preset(const Values& values, const std::string& port = "mac");
    Sweep& poll(const std::string& port = "mac");
    // All totals, and the standard statistics of the MAC.
    Sweep& expect(const std::string& port = "mac", State state = State::none);

    // Those that the MAC has, in the order of the datasheet.
    [[nodiscard]] std::vector<reference::Counter> counters() const;

    [[nodiscard]] const std::string& folder() const { return mac_.model; }
    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] std::string text() const;

private:
    enum class Counting {
        from,
        primes,
        each
    };

    struct Port {
        std::unique_ptr<reference::Reference> reference;
        std::map<std::size_t, u64> preset;
    };

    void add_device(const Device& device);
    Port& at(const std::string& port);
    u64 next_count();
    [[nodiscard]] u32 address_of(const std::string& place) const;
    [[nodiscard]] ordered_json standard_of(const reference::Reference& reference) const;
    void step(const char* kind, const std::string& port, ordered_json members);

    const Mac& mac_;
    std::string name_;
    ordered_json head_;
    std::vector<std::string> steps_;
    std::map<std::string, Port> ports_;
    Counting counting_ = Counting::from;
    u64 next_ = 1;
};

using Sweeps = std::list<Sweep>;

inline const std::vector<Device> full_duplex = {{}};
inline const std::vector<Device> half_duplex = {{.options = {{"duplex", "half"}}}};

inline const Frames each_error =
    frames("fcs, alignment, code, payload_length, late_collision, excessive_collisions,"
           "excessive_deferral, carrier_loss, underrun, overrun, checksum, no_buffer");

// What is known of a MAC by the names of its counters, for sweeps in both directions.
struct BothWays {
    const Mac& mac;
    std::string reference;
    Frames received;
    Frames sent;
    Frames collided;             // of 100 octets
    std::string received_errors; // claims
    std::string sent_errors;
    std::string two_errors;
};
void add_both_ways(
    Sweeps& all, const BothWays& of, const std::string& duplex, const std::vector<Device>& devices);

// Each adds those of its MACs.
namespace altera_tse {
void add(Sweeps& all);
}
namespace alx {
void add(Sweeps& all);
}
namespace cpsw {
void add(Sweeps& all);
}
namespace dwmac {
void add(Sweeps& all);
}
namespace e1000 {
void add(Sweeps& all);
}
namespace gem {
void add(Sweeps& all);
}
namespace ixf1104 {
void add(Sweeps& all);
}
namespace k1_emac {
void add(Sweeps& all);
}
namespace lan743x {
void add(Sweeps& all);
}
namespace ll40g {
void add(Sweeps& all);
}
namespace mt7530 {
void add(Sweeps& all);
}
namespace netc {
void add(Sweeps& all);
}
namespace rc32438 {
void add(Sweeps& all);
}
namespace rtl_tally {
void add(Sweeps& all);
}
namespace unimac {
void add(Sweeps& all);
}

} // namespace macstats::sweep

#endif // MACSTATS_TEST_SWEEP_HPP
