# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Takes the example out of docs/adding-a-mac.md: the code block behind each
# `<!-- example: NAME -->` becomes a file that adding_a_mac.cpp includes.

set(page "${CMAKE_SOURCE_DIR}/docs/adding-a-mac.md")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${page}")
file(READ "${page}" text)

function(take_example name file)
	string(FIND "${text}" "<!-- example: ${name} -->" start)
	if(start EQUAL -1)
		message(FATAL_ERROR "${page} has no example \"${name}\"")
	endif()
	string(SUBSTRING "${text}" ${start} -1 rest)
	# From behind the line that opens the block to before the one that closes it.
	string(FIND "${rest}" "```" start)
	string(SUBSTRING "${rest}" ${start} -1 rest)
	string(FIND "${rest}" "\n" start)
	math(EXPR start "${start} + 1")
	string(SUBSTRING "${rest}" ${start} -1 rest)
	string(FIND "${rest}" "\n```" end)
	string(SUBSTRING "${rest}" 0 ${end} code)
	file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/adding_a_mac_example/${file}"
		 CONTENT "${code}\n" @ONLY)
endfunction()

take_example(model tse.h)
take_example(check check.inc)
take_example(test test.inc)
take_example(scenario scenario.json)
target_compile_definitions(unit_adding_a_mac PRIVATE
	MACSTATS_EXAMPLE_SCENARIO="${CMAKE_CURRENT_BINARY_DIR}/adding_a_mac_example/scenario.json")
target_include_directories(unit_adding_a_mac PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
