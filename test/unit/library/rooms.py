#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The rooms of the library, as its includes show them: each uses only those before it.

Usage: rooms.py SOURCE_FOLDER COMPILER
COMPILER preprocesses the header of TestDevice, for its size.
"""

import pathlib
import re
import subprocess
import sys
import unittest

# The rooms and those that each may use.
ROOMS = {
    "core": {"core"},
    "netlink": {"core", "netlink"},
    "device": {"core", "netlink", "device"},
    "scenario": {"core", "netlink", "device", "scenario"},
}

# Headers of functions that read or write outside of the process.
INPUT_OUTPUT = re.compile(
    r"<(cstdio|fstream|iostream|filesystem|fcntl\.h|unistd\.h|poll\.h|netlink/.*|sys/.*|net/.*)>")

# Lines of the header of TestDevice after preprocessing. The standard library's <memory>
# alone has 52,000 with g++ 12.
MOST_LINES = 70_000

SOURCE, COMPILER = pathlib.Path(sys.argv[1]), sys.argv[2]
USERSPACE = SOURCE / "userspace"


def files(*folders):
    return sorted(
        path for folder in folders for path in folder.rglob("*.?pp") if path.is_file())


def includes(path):
    return re.findall(r'^\s*#\s*include\s*([<"][^>"]+[>"])', path.read_text(), re.MULTILINE)


def room_of(include):
    """The room that "libmacstats/ROOM/..." or "ROOM/..." lies in; None for others."""
    match = re.match(r'[<"](?:libmacstats/)?(\w+)/[^>"]+\.hpp[>"]', include)
    return match[1] if match and match[1] in ROOMS else None


def room_files(room):
    library = USERSPACE / "lib"
    return files(library / "include/libmacstats" / room, library / "src" / room)


class Rooms(unittest.TestCase):
    def test_every_file_of_the_library_is_in_a_room(self):
        known = [path for room in ROOMS for path in room_files(room)]
        self.assertEqual(sorted(known), files(USERSPACE / "lib"))
        self.assertGreater(len(known), 40)

    def test_a_room_uses_only_those_before_it(self):
        for room, allowed in ROOMS.items():
            for path in room_files(room):
                for include in includes(path):
                    with self.subTest(file=str(path), include=include):
                        self.assertIn(room_of(include) or "core", allowed)
                        self.assertNotRegex(include, r'[<"](present|cli)/')

    def test_core_does_no_input_or_output(self):
        for path in room_files("core"):
            for include in includes(path):
                with self.subTest(file=str(path)):
                    self.assertNotRegex(include, INPUT_OUTPUT)

    def test_only_the_command_and_tests_use_what_presents(self):
        for path in files(USERSPACE / "lib", SOURCE / "test/consumer"):
            self.assertNotIn('"present/', path.read_text(), str(path))
        for path in files(USERSPACE / "present"):
            for include in includes(path):
                with self.subTest(file=str(path)):
                    self.assertNotRegex(include, r'[<"]cli')

    def test_what_presents_gets_data_and_does_no_input_or_output(self):
        for path in files(USERSPACE / "present"):
            self.assertNotRegex(path.read_text(), r"\bClient\b", str(path))
            for include in includes(path):
                with self.subTest(file=str(path)):
                    self.assertNotRegex(include, INPUT_OUTPUT)

    def test_no_installed_header_includes_the_json_library(self):
        for path in files(USERSPACE / "lib/include"):
            self.assertNotIn("nlohmann", path.read_text(), str(path))

    def test_the_header_of_test_devices_stays_small(self):
        preprocessed = subprocess.run(
            [COMPILER, "-std=c++20", "-E", "-x", "c++", f"-I{SOURCE}/shared",
             f"-I{USERSPACE}/lib/include", "-"],
            input="#include <libmacstats/scenario/test_device.hpp>\n",
            capture_output=True, text=True, check=True).stdout
        self.assertLess(preprocessed.count("\n"), MOST_LINES)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
