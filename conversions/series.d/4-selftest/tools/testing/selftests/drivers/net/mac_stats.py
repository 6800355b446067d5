#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0

"""
Standard statistics of the MAC keep the rules of
Documentation/networking/statistics.rst, whatever the hardware has counted.
"""

from lib.py import ksft_run, ksft_exit
from lib.py import ksft_eq, ksft_ge, ksft_lt
from lib.py import ksft_disruptive
from lib.py import CmdExitFailure, KsftSkipEx
from lib.py import NetDrvEnv
from lib.py import bkg, defer, ethtool, ip

RX_DETAILS = ("length_errors", "crc_errors", "frame_errors")
TX_DETAILS = ("aborted_errors", "carrier_errors", "fifo_errors",
              "heartbeat_errors", "window_errors")


def link_stats(cfg) -> dict:
    """ Returns {"rx": {"errors": ...}, "tx": ...}. """
    return ip(f"-s -s link show dev {cfg.ifname}", json=True)[0]["stats64"]


def groups(cfg) -> dict:
    """
    Returns {group: {statistic: value, or a list of buckets}}, which is empty
    for a device without standard statistics of the MAC.
    """
    try:
        stats = ethtool(f"-S {cfg.ifname} --all-groups", json=True)[0]
    except CmdExitFailure:
        return {}
    stats.pop("ifname")
    return stats


def flat(stats) -> dict:
    """ Returns {(group, statistic, ...): value}. """
    values = {}
    for group, members in stats.items():
        for name, value in members.items():
            if isinstance(value, list):
                for bucket in value:
                    key = (group, name, bucket["low"], bucket["high"])
                    values[key] = bucket["val"]
            else:
                values[(group, name)] = value
    return values


def all_stats(cfg) -> dict:
    """ Returns all of a device, with one key for each. """
    return flat(groups(cfg)) | flat(link_stats(cfg))


def check_increase(old, new) -> None:
    """ Checks that nothing is gone, went back, or jumped by a wrap. """
    ksft_eq(old.keys(), new.keys(), "the set of statistics has changed")
    for key in old.keys() & new.keys():
        ksft_ge(new[key], old[key], comment=f"{key} went backwards")
        ksft_lt(new[key] - old[key], 1 << 31, comment=f"{key} has jumped")


def errors_include_details(cfg) -> None:
    """ Check that each detailed counter is part of rx_errors or tx_errors. """
    stats = link_stats(cfg)
    for direction, details in (("rx", RX_DETAILS), ("tx", TX_DETAILS)):
        for name in details:
            ksft_ge(stats[direction]["errors"], stats[direction][name],
                    comment=f"{direction}_{name} is not in the errors")


def buckets_are_ascending(cfg) -> None:
    """ Check that the ranges of the RMON histograms do not overlap. """
    found = False
    for name, value in groups(cfg).get("rmon", {}).items():
        if not isinstance(value, list):
            continue
        found = True
        last = -1
        for bucket in value:
            ksft_ge(bucket["low"], last + 1, comment=f"low end in {name}")
            ksft_ge(bucket["high"], bucket["low"], comment=f"range in {name}")
            last = bucket["high"]
    if not found:
        raise KsftSkipEx("no histogram")


def readers_meet(cfg) -> None:
    """ Check that concurrent readers do not disturb each other. """
    before = all_stats(cfg)
    read_all = f"for i in $(seq 20); do ethtool -S {cfg.ifname} --all-groups;" \
        "cat /proc/net/dev; done"
    with bkg(read_all, shell=True, exit_wait=True), \
         bkg(read_all, shell=True, exit_wait=True):
        for _ in range(20):
            after = all_stats(cfg)
            check_increase(before, after)
            before = after


@ksft_disruptive
def down_and_up(cfg) -> None:
    """ Check that statistics survive the resets of ifdown and ifup. """
    before = all_stats(cfg)
    for state in ("down", "up"):
        if state == "down":
            defer(ip, f"link set dev {cfg.ifname} up")
        ip(f"link set dev {cfg.ifname} {state}")
        after = all_stats(cfg)
        check_increase(before, after)
        before = after


def main() -> None:
    """ Ksft boiler plate main """

    with NetDrvEnv(__file__) as cfg:
        ksft_run([errors_include_details, buckets_are_ascending, readers_meet,
                  down_and_up], args=(cfg, ))
    ksft_exit()


if __name__ == "__main__":
    main()
