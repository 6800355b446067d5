# SPDX-License-Identifier: GPL-2.0
# What described a register in ethtool -S, beside its name
/^\/\* Describes the name and offset/,/\*\/$/d
/^struct gem_statistic {/,/^}/{/int offset;\|u32 stat_bits;/d}
/^#define GEM_STAT_TITLE_BITS/,/^}/d
