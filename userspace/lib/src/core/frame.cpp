// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "libmacstats/core/frame.hpp"

#include <limits>
#include <string_view>
#include <utility>

#include <macstats/emulate/emulator.h>

#include "core/accepted.hpp"
#include "core/error.hpp"
#include "libmacstats/core/names.hpp"

namespace macstats {

namespace {

class Narrowing {
public:
    template <typename T>
    void operator()(std::string_view member, std::uint32_t from, T& to) {
        to = static_cast<T>(from);
        if (!std::in_range<T>(from) && !error_)
            error_ = failure(
                ERANGE, "{}: {} is not in 0 to {}", member, from,
                std::uint32_t{std::numeric_limits<T>::max()});
    }

    [[nodiscard]] const std::optional<Error>& error() const { return error_; }

private:
    std::optional<Error> error_;
};

std::optional<bool> choice_of(std::uint8_t control) {
    if (control == MACSTATS_BY_REGISTER)
        return {};
    return control == MACSTATS_CONTROL_ON;
}

std::uint8_t control_of(std::optional<bool> choice) {
    if (!choice)
        return MACSTATS_BY_REGISTER;
    return *choice ? MACSTATS_CONTROL_ON : MACSTATS_CONTROL_OFF;
}

} // namespace

FrameRequest request_of(const macstats_frame& frame) {
    return {
        .direction = frame.direction,
        .length = frame.length,
        .destination = frame.destination,
        .kind = frame.kind,
        .origin = frame.origin,
        .vlan_tags = frame.vlan_tags,
        .errors = frame.errors,
        .collisions = frame.collisions,
        .deferred = frame.deferred,
        .descriptors = frame.descriptors,
        .append_crc = choice_of(frame.append_crc),
        .huge = choice_of(frame.huge),
    };
}

Result<macstats_frame> frame_of(const FrameRequest& request, const macstats_model& model) {
    macstats_frame frame{};
    Narrowing narrow;
    narrow("direction", request.direction, frame.direction);
    narrow("length", request.length, frame.length);
    narrow("kind", request.kind, frame.kind);
    narrow("origin", request.origin, frame.origin);
    narrow(
        "destination", request.destination.value_or(macstats_default_destination(&model, &frame)),
        frame.destination);
    narrow("vlan_tags", request.vlan_tags, frame.vlan_tags);
    narrow("errors", request.errors, frame.errors);
    narrow("collisions", request.collisions, frame.collisions);
    frame.deferred = request.deferred;
    narrow("descriptors", request.descriptors, frame.descriptors);
    frame.append_crc = control_of(request.append_crc);
    frame.huge = control_of(request.huge);
    if (narrow.error())
        return *narrow.error();
    return frame;
}

Result<void> check_own_pause(const macstats_frame& frame, const macstats_model& model) {
    if (macstats_valid_own_pause(&model, &frame))
        return {};
    return invalid(
        "pause frames that a MAC of model {} makes have {} octets and a multicast destination, not "
        "{} octets and {}",
        model.name, MACSTATS_FRAME_MIN, frame.length,
        name_of(destination_names, frame.destination));
}

} // namespace macstats
