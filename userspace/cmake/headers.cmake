# SPDX-License-Identifier: GPL-2.0 OR MIT
# Proof that every header compiles alone: a source file for each, which includes
# nothing else. They belong to the target "all" of the preset that only checks syntax.

# macstats_headers_compile_alone(TARGET C|CXX ROOT LIBRARY HEADER...)
# HEADERs lie below ROOT, from where they are included; LIBRARY has the folder.
function(macstats_headers_compile_alone target language root library)
	if(NOT MACSTATS_SYNTAX_ONLY)
		return()
	endif()
	set(suffix_C c)
	set(suffix_CXX cpp)
	cmake_path(ABSOLUTE_PATH root NORMALIZE)
	set(sources)
	foreach(header ${ARGN})
		cmake_path(RELATIVE_PATH header
			BASE_DIRECTORY ${root} OUTPUT_VARIABLE name)
		string(MAKE_C_IDENTIFIER ${name} identifier)
		set(source ${CMAKE_CURRENT_BINARY_DIR}/${target}/${identifier}.${suffix_${language}})
		# The declaration: ISO C has no empty translation unit.
		file(CONFIGURE OUTPUT ${source} @ONLY
			CONTENT "#include <@name@>\nextern int @identifier@_compiles_alone;\n")
		list(APPEND sources ${source})
	endforeach()
	add_library(${target} OBJECT ${sources})
	target_link_libraries(${target} PRIVATE ${library})
endfunction()
