// SPDX-License-Identifier: GPL-2.0 OR MIT
// The program macstats-exporter.
#include "program.hpp"

int main(int argc, char** argv) {
    return macstats::cli::run(macstats::cli::exporter(), argc, argv);
}
