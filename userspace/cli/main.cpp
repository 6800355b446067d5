// SPDX-License-Identifier: GPL-2.0 OR MIT
// The program macstats.
#include "program.hpp"

int main(int argc, char** argv) {
    return macstats::cli::run(macstats::cli::command(), argc, argv);
}
