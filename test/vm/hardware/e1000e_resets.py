#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Resets of the converted driver e1000e under traffic, as those of e1000 in e1000_resets.py."""

# nic: e1000e

from nic_resets import lose_nothing, unload_and_load
from tap import case, main


@case
def resets_of_the_driver_lose_nothing():
    lose_nothing('e1000e')


@case
def driver_is_unloaded_and_loaded_under_traffic():
    unload_and_load('e1000e')


main()
