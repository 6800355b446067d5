// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Any text is a scenario or is rejected with a reason in one line; a scenario is
// written out such that it reads as the same again.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "libmacstats/scenario/scenario.hpp"
#include "require.hpp"

using namespace macstats;
using macstats::test::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto scenario = parse_scenario(text, "file");
    if (!scenario) {
        const std::string& message = scenario.error().message;
        require(message.starts_with("file: "), "a rejection names the file: " + message);
        require(message.find('\n') == message.npos, "a rejection is one line: " + message);
        require(message.size() < 4096, "a rejection is short: " + message);
        return 0;
    }
    const std::string written = scenario_text(*scenario);
    const auto again = parse_scenario(written, "file");
    require(again.has_value(), "what was written can be read: " + written);
    require(scenario_text(*again) == written, "what was written reads the same: " + written);
    return 0;
}
