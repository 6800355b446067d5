# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Makes a Debian system in a folder, from the archives that this system uses. To be sourced.

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

# make_debian WORK SYSTEM SUITES OPTION...: makes the folder SYSTEM with mmdebstrap's options
# from the suites that match the regular expression SUITES, and leaves lists of sources and
# options in the folder WORK.
make_debian() {
	local work=$1 system=$2 suites=$3 options=("${@:4}") file

	sources | grep -E " ($suites) " >"$work/sources.list" || {
		as_root apt-get -qq update
		sources | grep -E " ($suites) " >"$work/sources.list"
	} || { echo "no source of Debian $CODENAME"; return 1; }
	apt_options >"$work/apt.conf" || true
	# Keys of mirrors that sign on their own, and authorities of their proxies.
	for file in /etc/apt/trusted.gpg.d /etc/apt/keyrings; do
		[ ! -d "$file" ] || options+=("--setup-hook=mkdir -p \"\$1/etc/apt\" && cp -rLn $file \"\$1/etc/apt/\"")
	done
	if grep -q '^deb https:' "$work/sources.list"; then
		options+=(--include=ca-certificates
			"--customize-hook=cp /etc/ssl/certs/ca-certificates.crt \"\$1/etc/ssl/certs/\"")
	fi
	mmdebstrap --quiet --mode=root --format=directory --aptopt="$work/apt.conf" "${options[@]}" \
		"$CODENAME" "$system" "$work/sources.list"
}
