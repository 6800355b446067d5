# SPDX-License-Identifier: GPL-2.0 OR MIT
# Installs what is built in BUILD and runs its command, then configures, builds and runs the
# project CONSUMER against that. FOLDER is emptied and used for it.
file(REMOVE_RECURSE ${FOLDER})

function(run)
	execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${FOLDER}/prefix)
run(${FOLDER}/prefix/bin/macstats models)
run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${FOLDER}/build -G ${GENERATOR}
	-D CMAKE_PREFIX_PATH=${FOLDER}/prefix -D CMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON
	-D CMAKE_C_COMPILER=${C_COMPILER} -D CMAKE_CXX_COMPILER=${CXX_COMPILER}
	-D CMAKE_C_FLAGS=${C_FLAGS} -D CMAKE_CXX_FLAGS=${CXX_FLAGS})
run(${CMAKE_COMMAND} --build ${FOLDER}/build)
run(${FOLDER}/build/use-schema)
run(${FOLDER}/build/use-library)
run(${FOLDER}/build/one-counter)
run(${FOLDER}/build/reader-test)

# A project that can do without macstats asks for it with QUIET and goes on.
# look(FOUND|MISSING OPTION...): what find_package() has to answer.
function(look answer)
	file(REMOVE_RECURSE ${FOLDER}/look)
	list(JOIN ARGN "," options)
	run(${CMAKE_COMMAND} -E env ${LOOK_ENVIRONMENT}
		${CMAKE_COMMAND} -S ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/look -B ${FOLDER}/look -G ${GENERATOR}
		-D CMAKE_PREFIX_PATH=${FOLDER}/prefix -D ANSWER=${answer} -D OPTIONS=${options}
		-D CMAKE_C_COMPILER=${C_COMPILER} -D CMAKE_CXX_COMPILER=${CXX_COMPILER})
endfunction()
look(FOUND macstats)
look(MISSING macstats COMPONENTS nonsense)
look(FOUND macstats OPTIONAL_COMPONENTS nonsense)
look(MISSING macstats-schema COMPONENTS nonsense)
if(NOT SHARED)
	set(LOOK_ENVIRONMENT PKG_CONFIG_LIBDIR=/nonexistent)
	look(MISSING macstats)
endif()

# pkg-config finds both, too, wherever the prefix is.
file(GLOB_RECURSE files ${FOLDER}/prefix/*.pc)
set(folders)
foreach(file IN LISTS files)
	cmake_path(GET file PARENT_PATH folder)
	list(APPEND folders ${folder})
endforeach()
list(JOIN folders ":" folders)
set(ENV{PKG_CONFIG_PATH} ${folders})
# by_pkg_config(PACKAGE SOURCE COMPILER...): builds one file, and runs it.
function(by_pkg_config package source)
	execute_process(COMMAND pkg-config --cflags --libs ${package}
		OUTPUT_VARIABLE options OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
	execute_process(COMMAND pkg-config --variable=libdir ${package}
		OUTPUT_VARIABLE libraries OUTPUT_STRIP_TRAILING_WHITESPACE)
	separate_arguments(options UNIX_COMMAND "${options}")
	run(${ARGN} ${CONSUMER}/${source} ${options} -Wl,-rpath,${libraries}
		-o ${FOLDER}/by-pkg-config)
	run(${FOLDER}/by-pkg-config)
endfunction()
separate_arguments(c_flags UNIX_COMMAND "${C_FLAGS}")
separate_arguments(cxx_flags UNIX_COMMAND "${CXX_FLAGS}")
by_pkg_config(macstats-schema schema.c ${C_COMPILER} -std=c11 ${c_flags})
by_pkg_config(libmacstats reader_test.cpp ${CXX_COMPILER} -std=c++20 ${cxx_flags})

# An archive of CPack has the same files.
file(REMOVE_RECURSE ${FOLDER}/archive)
run(${CMAKE_CPACK_COMMAND} -G TGZ --config ${BUILD}/CPackConfig.cmake -B ${FOLDER}/archive)
file(GLOB archive ${FOLDER}/archive/*.tar.gz)
file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${FOLDER}/archive)
file(GLOB unpacked ${FOLDER}/archive/macstats-*/bin)
run(${unpacked}/macstats models)
