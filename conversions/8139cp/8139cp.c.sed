# SPDX-License-Identifier: GPL-2.0
# A register that nobody reads, and its comment
/^\tRxMissed\t/d
