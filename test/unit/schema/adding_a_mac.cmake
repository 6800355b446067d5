# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Takes the example out of docs/adding-a-mac.md: the code block behind each
# `<!-- example: NAME -->` becomes a file that adding_a_mac.cpp includes.

set(page "${PROJECT_SOURCE_DIR}/docs/adding-a-mac.md")
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
	# The page's header lies in shared/macstats/model/, this copy does not.
	string(REPLACE "\"../schema.h\"" "<macstats/schema.h>" code "${code}")
	file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/adding_a_mac_example/${file}"
		 CONTENT "${code}\n" @ONLY)
endfunction()

take_example(model tse.h)
take_example(check check.inc)
take_example(program try_tse.cpp)
take_example(scenario scenario.json)
target_compile_definitions(unit-schema PRIVATE
	MACSTATS_EXAMPLE_SCENARIO="${CMAKE_CURRENT_BINARY_DIR}/adding_a_mac_example/scenario.json")
target_include_directories(unit-schema PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")

# Checks the compilers' messages about a model that breaks a rule.
add_test(NAME unit.compiler_messages
	 COMMAND /usr/bin/python3 -B ${CMAKE_CURRENT_SOURCE_DIR}/schema/compiler_messages.py
		 ${PROJECT_SOURCE_DIR}/shared)
set_tests_properties(unit.compiler_messages PROPERTIES LABELS unit)
