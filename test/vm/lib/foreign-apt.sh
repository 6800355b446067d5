# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# To be sourced by scripts that read package lists of another architecture or suite, or download
# packages.

as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	else
		sudo "$@"
	fi
}

# use_architecture NAME FOLDER: reads these lists into a folder, which is to be removed after
# use, and sets the array apt: the options by which apt uses them. No architecture is added to
# dpkg, and no root is needed. An archive may be out of reach, as most packages are in several:
# the messages about that are in FOLDER/update.log.
use_architecture() { use_lists "$2" -o APT::Architecture="$1" -o APT::Architectures="$1"; }

# use_suite SUITE FOLDER: the same with the lists of a suite of Debian. They may stay in the folder.
use_suite() {
	local sources

	sources=$(sources_of "$1" "$2") || return
	printf '%s\n' "$sources" >"$2/sources.list"
	use_lists "$2" -o "Dir::Etc::SourceList=$2/sources.list" -o Dir::Etc::SourceParts=/dev/null
}

# use_lists FOLDER OPTION...
use_lists() {
	apt=("${@:2}" -o APT::Sandbox::User= -o "Dir::State::Lists=$1/lists" -o "Dir::Cache=$1/cache"
		-o Dir::State::status=/dev/null -o Debug::NoLocking=true)
	mkdir -p "$1/lists/partial" "$1/cache/archives/partial"
	apt-get "${apt[@]}" -qq update >"$1/update.log" 2>&1 || true
}

# This system's archives of Debian: lines of ARCHIVE and SUITE.
debian_archives() {
	# shellcheck disable=SC2016 # apt-get expands it
	apt-get "${apt[@]}" indextargets --format '$(REPO_URI) $(RELEASE)' \
		'Created-By: Packages' 'Origin: Debian' | sort -u
}

# sources_of SUITE FOLDER: prints a sources.list of the suite: its packages, updates, security fixes
# and backports, which apt installs on demand. From the archives that this system has.
sources_of() {
	local suite=$1 apt=() archives archive release name

	mkdir -p "$2"
	archives=$(debian_archives)
	if [ -z "$archives" ]; then  # this system's lists were never read
		use_lists "$2"
		archives=$(debian_archives)
	fi
	[ -n "$archives" ] || { echo 'no archive of Debian in the sources of apt' >&2; return 1; }
	while read -r archive release; do
		case $release in
		*-security) set -- -security ;;
		*-*) continue ;;
		*) set -- '' -updates -backports ;;
		esac
		for name; do
			[ "$suite$name" = "$suite" ] || [ "$suite" != sid ] || continue
			echo "deb $archive $suite$name main"
		done
	done <<<"$archives"
}
