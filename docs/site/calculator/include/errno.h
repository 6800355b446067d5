/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* The errors of the kernel alone: WebAssembly has no C library. */
#include <asm-generic/errno.h>
