# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# For warnings alone: the compilers check each source file and make no code. Objects, libraries and
# programs are empty files. A preset names this file in CMAKE_PROJECT_INCLUDE.
set(MACSTATS_SYNTAX_ONLY ON)
foreach(language C CXX)
	set(CMAKE_${language}_COMPILE_OBJECT
		"<CMAKE_${language}_COMPILER> <DEFINES> <INCLUDES> <FLAGS> -fsyntax-only <SOURCE>"
		"<CMAKE_COMMAND> -E touch <OBJECT>")
	set(CMAKE_${language}_CREATE_STATIC_LIBRARY "<CMAKE_COMMAND> -E touch <TARGET>")
	set(CMAKE_${language}_LINK_EXECUTABLE "<CMAKE_COMMAND> -E touch <TARGET>")
endforeach()
