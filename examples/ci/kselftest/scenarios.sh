#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Runs the scenarios on the kernel's modules or, without them, in the command's own process.
# TAP version 13 on standard output; exit status of kselftest: 0 passed, 1 failed, 4 skipped.

skip() {
	echo "TAP version 13"
	echo "1..0 # SKIP $1"
	exit 4
}

command -v "${MACSTATS:=macstats}" > /dev/null || skip "there is no command macstats"
# By default, those that are installed with the command.
prefix=$(dirname "$(dirname "$(realpath "$(command -v "$MACSTATS")")")")
[ -d "${SCENARIOS:=$prefix/share/macstats/scenario}" ] || skip "there is no folder $SCENARIOS"
# Built by this target, in this order.
for module in macstats macstats_emu; do
	file=$(dirname "$0")/modules/$module.ko
	[ ! -e "$file" ] || [ -d "/sys/module/$module" ] || insmod "$file" || {
		echo "TAP version 13"
		echo "1..1"
		echo "not ok 1 - insmod $file"
		exit 1
	}
done
[ -n "$BACKEND" ] || { "$MACSTATS" emu list > /dev/null 2>&1 && BACKEND=kernel; }

"$MACSTATS" run "$SCENARIOS" --backend "${BACKEND:-builtin}" ${SHARD:+--shard "$SHARD"}
case $? in
0) exit 0 ;;
3) exit 4 ;;
*) exit 1 ;;
esac
