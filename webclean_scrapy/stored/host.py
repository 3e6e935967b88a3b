"""The host of an address, and which part of many pages it belongs to."""

from __future__ import annotations

import zlib
from urllib.parse import urlsplit

from webclean_scrapy.errors import ConfigError


def host_of(url: str) -> str:
    """Return the host of an address with its port; "" when it is no valid one."""
    try:
        return urlsplit(url).netloc
    except ValueError:  # such as an IPv6 address without its bracket
        return ""


def host_name(url: str) -> str:
    """Return the name of the host alone, in lower case: all pages with one have to be together.

    >>> host_name("https://me@A.example:444/2")
    'a.example'
    """
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def host_partition(url: str, partitions: int) -> int:
    """Return the number of the part, 0 to *partitions* - 1, that all pages of a host are in.

    The same in every run and on every machine.
    """
    return zlib.crc32(host_name(url).encode("utf-8", "replace")) % partitions


def check_partitions(partitions: object) -> int:
    """Return the number of parts. Raises ConfigError when it is none."""
    if not isinstance(partitions, int) or not 1 <= partitions <= 100_000:
        raise ConfigError(f"partitions must be a number from 1 to 100,000, got {partitions!r}")
    return partitions
