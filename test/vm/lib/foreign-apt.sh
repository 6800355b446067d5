# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# To be sourced by scripts that read package lists of another architecture, or download packages.

# Where $APT_PROGRESS is set, these options let apt-get print its progress on standard output.
progress=()
if [ -n "${APT_PROGRESS:-}" ]; then
	exec 4>&1
	# shellcheck disable=SC2034 # the script uses it
	progress=(-o APT::Status-Fd=4)
fi

# use_architecture NAME FOLDER: reads these lists into a folder, which is to be removed after
# use, and sets the array apt: the options by which apt uses them. No architecture is added to
# dpkg, and no root is needed. An archive may be out of reach, as most packages are in several:
# the messages about that are in FOLDER/update.log.
use_architecture() {
	apt=(-o APT::Architecture="$1" -o APT::Architectures="$1" -o APT::Sandbox::User=
		-o "Dir::State::Lists=$2" -o "Dir::Cache=$2/cache" -o Dir::State::status=/dev/null
		-o Debug::NoLocking=true)
	mkdir -p "$2/partial" "$2/cache/archives/partial"
	apt-get "${apt[@]}" -qq update >"$2/update.log" 2>&1 || true
}
