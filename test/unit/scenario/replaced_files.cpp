// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Files that are replaced as a whole.
#include "boost_test.hpp"

#include <cerrno>
#include <filesystem>
#include <string>

#include "folder.hpp"
#include "scenario/file.hpp"

BOOST_AUTO_TEST_SUITE(unit_replaced_files)

using namespace macstats;
using macstats::test::Folder;
namespace fs = std::filesystem;

BOOST_FIXTURE_TEST_SUITE(links, Folder)

BOOST_AUTO_TEST_CASE(a_link_stays_and_its_file_is_replaced) {
    file("there/text", "old");
    fs::create_symlink("there/text", path / "link");
    BOOST_TEST(replace_file(path / "link", "new", 0644).has_value());
    BOOST_TEST(fs::is_symlink(path / "link"));
    BOOST_TEST(content("there/text") == "new");
}

BOOST_AUTO_TEST_CASE(a_link_stays_and_its_file_is_made) {
    fs::create_directory(path / "there");
    fs::create_symlink("there/second", path / "first");
    fs::create_symlink(path / "text", path / "there/second");
    BOOST_TEST(replace_file(path / "first", "new", 0644).has_value());
    BOOST_TEST(fs::is_symlink(path / "first"));
    BOOST_TEST(fs::is_symlink(path / "there/second"));
    BOOST_TEST(content("text") == "new");
}

BOOST_AUTO_TEST_CASE(a_link_to_a_folder_that_is_not_there_and_one_to_itself_are_errors) {
    fs::create_symlink("there/text", path / "link");
    BOOST_TEST(replace_file(path / "link", "new", 0644).error().errnum == ENOENT);
    fs::create_symlink("loop", path / "loop");
    BOOST_TEST(replace_file(path / "loop", "new", 0644).error().errnum == ELOOP);
    BOOST_TEST(fs::is_symlink(path / "loop"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
