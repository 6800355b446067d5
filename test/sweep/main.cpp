// SPDX-License-Identifier: GPL-2.0 OR MIT
//
//     make-sweeps FOLDER
//
// Makes FOLDER/MODEL/sweep_NAME.json of every sweep.
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>

#include "sweep.hpp"

using namespace macstats::sweep;

namespace {

void make(const std::filesystem::path& folder, const Sweep& sweep) {
    const auto path = folder / sweep.folder() / ("sweep_" + sweep.name() + ".json");
    std::filesystem::create_directories(path.parent_path());
    if (std::filesystem::exists(path))
        throw std::logic_error("two sweeps are called " + path.string());
    std::ofstream file(path, std::ios::binary);
    file << sweep.text();
    if (!file.flush())
        throw std::runtime_error("cannot write " + path.string());
}

} // namespace

int main(int argc, char** argv) {
    try {
        if (argc != 2)
            throw std::invalid_argument("usage: make-sweeps FOLDER");
        Sweeps all;
        for (const auto add :
             {altera_tse::add, alx::add, cpsw::add, dwmac::add, e1000::add, gem::add, ixf1104::add,
              k1_emac::add, lan743x::add, ll40g::add, mt7530::add, netc::add, rc32438::add,
              rtl_tally::add, unimac::add})
            add(all);
        for (const Sweep& sweep : all)
            make(argv[1], sweep);
        return 0;
    } catch (const std::exception& error) {
        std::cerr << "make-sweeps: " << error.what() << '\n';
        return 1;
    }
}
