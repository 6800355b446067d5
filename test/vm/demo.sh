#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Shows emulated ports at work: two linked ports, each in its own network namespace,
# with real traffic and faulty frames. Requires root, both modules and `macstats` in the
# PATH; leaves nothing behind.

set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")"

headline() { printf '\n=== %s\n' "$*"; }

# Shows a command and runs it; the prompt names the network namespace.
run() {
	printf '\n# %s\n' "$*"
	"$@"
}

inside() {
	local namespace=$1
	shift
	printf '\n%s# %s\n' "$namespace" "$*"
	ip netns exec "$namespace" "$@"
}

# Shows a command and runs it, with the output in columns.
inside_in_columns() {
	local namespace=$1
	shift
	printf '\n%s# %s | pr\n' "$namespace" "$*"
	ip netns exec "$namespace" "$@" | sed 's/^ *//' | pr -t -3 -w 100 -l 20 | expand
}

# The ports are deleted with their namespaces.
clean_up() {
	ip netns delete left 2>/dev/null || true
	ip netns delete right 2>/dev/null || true
	ip netns delete models 2>/dev/null || true
}

set_up() {
	ip netns add left
	ip netns add right
	inside right macstats emu add ll40g --name left0
	inside right macstats emu add ll40g --name right0
	inside right macstats emu link left0 right0
	inside right ip link set left0 netns left
	bring_up left 1 2
	bring_up right 2 1
}

# bring_up SIDE HOST PEER: fixed neighbours, so that the kernel sends no other frames.
bring_up() {
	# User-mode Linux has no IPv6.
	[ ! -e /proc/sys/net/ipv6 ] || ip -n "$1" link set "${1}0" addrgenmode none
	ip -n "$1" -batch - <<-END
		link set ${1}0 address 02:00:00:00:00:0$2 mtu 9578
		link set ${1}0 up
		address add 192.0.2.$2/24 dev ${1}0
		neighbour add 192.0.2.$3 lladdr 02:00:00:00:00:0$3 dev ${1}0
	END
}

traffic() {
	inside left ping -q -c 5 -i 0.1 192.0.2.2
	inside left ping -q -c 5 -i 0.1 -s 9000 192.0.2.2
	inside left lib/send_frames.py left0
}

faults() {
	inside right macstats emu inject right0 --direction rx --length 40 --errors fcs --count 3
	inside right macstats emu inject right0 --direction rx --length 40 --count 4
	inside right macstats emu inject right0 --direction rx --length 1000 --errors fcs --count 5
	inside right macstats emu inject right0 --direction rx --length 9700 --errors fcs --count 6
	inside right macstats emu inject right0 --direction rx --length 9700 --count 7
	inside right macstats emu inject right0 --direction rx --length 200 --errors payload_length --count 8
}

# Good frames, bad ones and a pause frame, at the first port of each.
all_models() {
	local model
	ip netns add models
	run macstats models
	for model in $(macstats models | awk 'NR > 1 { print $1 }'); do
		ip netns exec models macstats emu add "$model" --name "${model:0:10}-%d" >/dev/null
		inject_mixture "${model:0:10}-0"
	done
	inside models macstats show --nonzero
}

inject_mixture() {
	ip netns exec models macstats emu inject "$1" --direction rx --length 100 --count 5
	ip netns exec models macstats emu inject "$1" --direction rx --length 200 --errors fcs --count 2
	ip netns exec models macstats emu inject "$1" --direction rx --kind pause --destination multicast
	ip netns exec models macstats emu inject "$1" --direction tx --length 300 --count 3
}

trap clean_up EXIT
clean_up

headline 'Two emulated Low Latency 40GbE ports, linked, each in its own network namespace'
set_up
headline 'Real traffic: ping, and frames of every size class and destination'
traffic
headline 'Faulty frames, which no driver can send: the port on the right receives them'
faults
headline 'Every counter of the hardware, with ethtool -S'
inside_in_columns right ethtool -S right0
headline 'The standard statistics, which are sums of the same counters'
inside right ethtool -S right0 --groups eth-mac eth-ctrl rmon
inside right ethtool -I -a right0
headline 'The same in ip (dropped: no program listened for these frames)'
inside right ip -s -s link show right0
headline 'The driver of the port'
inside right ethtool -i right0
headline 'The same port with macstats show'
inside right macstats show right0 --nonzero
headline 'One port of every MAC, each after the same frames'
all_models
