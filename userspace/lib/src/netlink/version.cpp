// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "libmacstats/netlink/version.hpp"

#include <fstream>

namespace macstats {

std::string_view library_version() {
    return MACSTATS_VERSION;
}

std::vector<ModuleVersion> module_versions() {
    std::vector<ModuleVersion> modules;
    for (const char* name : {"macstats", "macstats_emu"}) {
        ModuleVersion module{.name = name};
        std::string version;
        if (std::ifstream file("/sys/module/" + module.name + "/version"); file >> version)
            module.loaded = version;
        modules.push_back(module);
    }
    return modules;
}

} // namespace macstats
