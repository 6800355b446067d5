// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// A folder that goes with the test.
#ifndef MACSTATS_TEST_FOLDER_HPP
#define MACSTATS_TEST_FOLDER_HPP

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace macstats::test {

struct Folder {
    std::filesystem::path path;

    Folder() {
        std::string name = std::filesystem::temp_directory_path() / "macstats-test-XXXXXX";
        if (!mkdtemp(name.data()))
            throw std::runtime_error("no folder");
        path = name;
    }
    ~Folder() { std::filesystem::remove_all(path); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    // Makes a file, and the folders above it. Returns its path.
    std::string file(const std::string& name, const std::string& text) const {
        std::filesystem::create_directories((path / name).parent_path());
        std::ofstream(path / name, std::ios::binary) << text;
        return path / name;
    }

    [[nodiscard]] std::string content(const std::string& name) const {
        std::ifstream in(path / name);
        return {std::istreambuf_iterator<char>(in), {}};
    }
};

} // namespace macstats::test

#endif // MACSTATS_TEST_FOLDER_HPP
