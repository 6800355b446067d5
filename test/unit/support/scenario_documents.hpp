// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Scenario documents in few words, for the tests of what reads and writes them.
#ifndef MACSTATS_TEST_SCENARIO_DOCUMENTS_HPP
#define MACSTATS_TEST_SCENARIO_DOCUMENTS_HPP

#include <string>

#include "libmacstats/scenario/scenario.hpp"

namespace macstats::test {

// Ports of all sorts: shared counters, four ports, 64-bit counters, two ports
// with counters that no register holds, counters behind a window.
inline const std::string devices = R"("devices": {"mac": {"model": "cpsw"},
    "quad": {"model": "ixf1104"}, "core": {"model": "ll40g"}, "pair": {"model": "rc32438"},
    "late": {"model": "k1_emac"}})";

inline std::string with_steps(const std::string& steps) {
    return R"({"name": "test", )" + devices + R"(, "steps": [)" + steps + "]}";
}

inline std::string with_device(const std::string& device) {
    return R"({"name": "test", "devices": {"mac": )" + device + R"(}, "steps": []})";
}

// The message about a rejected document, without the name of the file.
inline std::string rejection(const std::string& text) {
    const auto scenario = parse_scenario(text, "f.json");
    if (scenario)
        return "(accepted)";
    const std::string& message = scenario.error().message;
    return message.starts_with("f.json: ") ? message.substr(8) : "(no file) " + message;
}

inline std::string rejection_of_step(const std::string& step) {
    const std::string place = "/steps/0/";
    const std::string message = rejection(with_steps(step));
    return message.starts_with(place) ? message.substr(place.size()) : message;
}

inline std::string rejection_of_device(const std::string& device) {
    const std::string place = "/devices/mac";
    const std::string message = rejection(with_device(device));
    return message.starts_with(place) ? message.substr(place.size()) : message;
}

} // namespace macstats::test

#endif // MACSTATS_TEST_SCENARIO_DOCUMENTS_HPP
