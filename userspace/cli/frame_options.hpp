// SPDX-License-Identifier: GPL-2.0 OR MIT
// The options that describe frames and devices, for the subcommands that count frames.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "libmacstats/core/frame.hpp"
#include "libmacstats/core/result.hpp"

namespace macstats::cli {

/// The options of identical frames, as typed.
struct FrameOptions {
    std::string direction = "tx";
    std::string length = "64";
    std::string destination; // "": the default
    std::string kind = "data";
    std::string origin = "software";
    std::string vlan_tags = "0";
    std::vector<std::string> errors;
    std::string collisions = "0";
    bool deferred = false;
    std::string descriptors; // empty: not given, as are the next two
    std::string append_crc;
    std::string huge;
    std::string count = "1";
};

/// Add all of them. @counts: how many frames --count may ask for, for the help.
void add_frame_options(CLI::App& command, FrameOptions& options, std::string_view counts);

/// One of the frames. Words and ranges are checked; whether the frame makes sense is not.
Result<FrameRequest> frame_from(const FrameOptions& options);

/// Add --option NAME=VALUE, which sets an option of a device; repeatable.
void add_device_option(CLI::App& command, std::vector<std::string>& options);

} // namespace macstats::cli
