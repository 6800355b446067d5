# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# A toolchain: Debian's compilers for another architecture, whose libraries are in
# CMAKE_SYSROOT. MACSTATS_TRIPLET is the prefix of these compilers.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES MACSTATS_TRIPLET)

set(CMAKE_SYSTEM_NAME Linux)
string(REGEX MATCH "^[^-]+" CMAKE_SYSTEM_PROCESSOR "${MACSTATS_TRIPLET}")
set(CMAKE_C_COMPILER ${MACSTATS_TRIPLET}-gcc-12)
set(CMAKE_CXX_COMPILER ${MACSTATS_TRIPLET}-g++-12)
set(CMAKE_LIBRARY_ARCHITECTURE ${MACSTATS_TRIPLET})

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
	set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${CMAKE_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR}
	${CMAKE_SYSROOT}/usr/lib/${MACSTATS_TRIPLET}/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig)

# Code of GCC 6 for ARM passes some parameters in another way, which needs no note here.
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-psabi>)
