# SPDX-License-Identifier: GPL-2.0 OR MIT
# Installs what is built in BUILD, then configures, builds and runs the project
# CONSUMER against that. FOLDER is emptied and used for it.
file(REMOVE_RECURSE ${FOLDER})

function(run)
	execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${FOLDER}/prefix)
run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${FOLDER}/build -G ${GENERATOR}
	-D CMAKE_PREFIX_PATH=${FOLDER}/prefix
	-D CMAKE_C_COMPILER=${C_COMPILER} -D CMAKE_CXX_COMPILER=${CXX_COMPILER}
	-D CMAKE_C_FLAGS=${C_FLAGS} -D CMAKE_CXX_FLAGS=${CXX_FLAGS})
run(${CMAKE_COMMAND} --build ${FOLDER}/build)
run(${FOLDER}/build/use-schema)
run(${FOLDER}/build/use-library)
run(${FOLDER}/build/driver-test)
