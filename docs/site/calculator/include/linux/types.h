/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* The types of the kernel alone: WebAssembly has no headers of a system. */
typedef signed char __s8;
typedef unsigned char __u8;
typedef unsigned short __u16;
typedef unsigned int __u32;
typedef unsigned long long __u64;
