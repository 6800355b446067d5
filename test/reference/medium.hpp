// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Errors of a frame, and what happens to it on a medium that nobody else uses.
#ifndef MACSTATS_TEST_REFERENCE_MEDIUM_HPP
#define MACSTATS_TEST_REFERENCE_MEDIUM_HPP

#include <macstats/frame.h>

namespace macstats {

inline bool has(const macstats_frame& frame, macstats_error error) {
    return (frame.errors & error) != 0;
}

// IEEE 802.3, 4.1.2.1.1: in full duplex a transmitter need not sense the carrier, does not wait for
// others, and its frames do not collide.
inline macstats_frame on_medium(macstats_frame frame, bool half_duplex) {
    if (half_duplex || frame.direction == MACSTATS_RX)
        return frame;
    frame.collisions = 0;
    frame.deferred = false;
    for (const auto error :
         {MACSTATS_ERR_LATE_COLLISION, MACSTATS_ERR_EXCESSIVE_COLLISIONS,
          MACSTATS_ERR_EXCESSIVE_DEFERRAL, MACSTATS_ERR_CARRIER_LOSS})
        frame.errors = static_cast<__u16>(frame.errors & ~error);
    return frame;
}

} // namespace macstats

#endif // MACSTATS_TEST_REFERENCE_MEDIUM_HPP
