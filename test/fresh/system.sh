#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Functions that make a fresh Debian 12 with mmdebstrap. Scripts read this file.

readonly CODENAME=bookworm

as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	else
		sudo "$@"
	fi
}

# The host's sources of Debian itself, in the old format.
sources() {
	# shellcheck disable=SC2016 # apt-get expands it
	apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' \
		'Created-By: Packages' 'Origin: Debian' | grep " $CODENAME" | sort -u
}

# How the host reaches them.
apt_options() {
	apt-config dump Acquire | grep -E '^Acquire::(https?|ftp|Check-|Retries|Force|Max|Languages)' |
		grep -v '^[^ ]* "";'
}

# make_system WORK SYSTEM [PACKAGE...]: in the folder SYSTEM, with these packages beside the
# essential ones. WORK: a folder for what is needed to make it.
make_system() {
	local folder=$1 target=$2 options=("${@:3}") file
	options=("${options[@]/#/--include=}")

	sources >"$folder/sources.list"
	[ -s "$folder/sources.list" ] || { as_root apt-get -qq update; sources >"$folder/sources.list"; }
	[ -s "$folder/sources.list" ] || { echo "no source of Debian $CODENAME"; return 1; }
	apt_options >"$folder/apt.conf" || true
	# Keys of mirrors that sign on their own, and authorities of their proxies.
	for file in /etc/apt/trusted.gpg.d /etc/apt/keyrings; do
		[ ! -d "$file" ] || options+=("--setup-hook=mkdir -p \"\$1/etc/apt\" && cp -rLn $file \"\$1/etc/apt/\"")
	done
	if grep -q '^deb https:' "$folder/sources.list"; then
		options+=(--include=ca-certificates
			"--customize-hook=cp /etc/ssl/certs/ca-certificates.crt \"\$1/etc/ssl/certs/\"")
	fi
	mmdebstrap --quiet --variant=minbase --mode=root --format=directory \
		--aptopt="$folder/apt.conf" "${options[@]}" "$CODENAME" "$target" "$folder/sources.list"
}
