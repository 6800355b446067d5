# SPDX-License-Identifier: GPL-2.0
# The macro of the rows that have gone
/^\/\* HW MAC Management counters/,/^$/d
