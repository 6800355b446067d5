# SPDX-License-Identifier: GPL-2.0
# The comment of a call that has gone
/^\t\/\* Clear all of the statistics registers/,/\*\/$/d
