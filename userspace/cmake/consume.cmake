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
	-D CMAKE_PREFIX_PATH=${FOLDER}/prefix
	-D CMAKE_C_COMPILER=${C_COMPILER} -D CMAKE_CXX_COMPILER=${CXX_COMPILER}
	-D CMAKE_C_FLAGS=${C_FLAGS} -D CMAKE_CXX_FLAGS=${CXX_FLAGS})
run(${CMAKE_COMMAND} --build ${FOLDER}/build)
run(${FOLDER}/build/use-schema)
run(${FOLDER}/build/use-library)
run(${FOLDER}/build/one-counter)
run(${FOLDER}/build/driver-test)

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
