"""Places that a crawl writes to: the folder of its job, the index, the Redis server."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from webclean_scrapy.commands.checks.finding import Finding, first_line
from webclean_scrapy.commands.checks.setting_checks import readable_config
from webclean_scrapy.dedup.redis.address import RedisAddress, is_redis
from webclean_scrapy.dedup.redis.client import connect, disconnect, server_errors, server_info
from webclean_scrapy.errors import ConfigError, StoreUnavailableError, install_hint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.settings import BaseSettings

SQLITE = "sqlite:///"
KEEPS_ALL = "noeviction"


def check_places(settings: BaseSettings) -> Iterator[Finding]:
    """Yield each place that cannot be written to."""
    job = settings.get("JOBDIR")
    if job and (problem := _folder_problem(Path(job))):
        yield Finding(
            check="places",
            what=f"JOBDIR {job} {problem}: the crawl cannot be resumed",
            change="make the folder writable, or name another one",
        )
    uri = readable_config(settings).dedup_uri
    if uri.startswith(SQLITE):
        path = Path(unquote(uri.removeprefix(SQLITE)))
        if problem := _file_problem(path):
            yield Finding(
                check="places",
                what=f"WEBCLEAN_DEDUP_URI {uri}: {problem}",
                change="make it writable, or name another file",
            )
    if is_redis(uri):
        yield from check_redis(uri)


def _folder_problem(path: Path) -> str:
    """Return why *path* cannot be a folder that is written to; "" when it can."""
    if path.exists() and not path.is_dir():
        return "is a file"
    there = next((one for one in (path, *path.absolute().parents) if one.exists()), path)
    if not there.is_dir():
        return f"cannot be made: {there} is a file"
    return "" if os.access(there, os.W_OK | os.X_OK) else "cannot be written to"


def _file_problem(path: Path) -> str:
    if path.is_dir():
        return f"{path} is a folder"
    if path.exists():
        return "" if os.access(path, os.W_OK) else f"{path} cannot be written to"
    if not path.absolute().parent.is_dir():
        return f"there is no folder {path.parent}"
    return _folder_problem(path.absolute().parent).replace("cannot", f"{path.parent} cannot")


def check_redis(uri: str) -> Iterator[Finding]:
    """Yield whether the server answers, and whether it may forget pages. It is not written to."""
    try:
        address = RedisAddress.parse(uri)
        client = connect(address)
    except ConfigError as error:
        hint = install_hint("redis")
        if hint in str(error):  # what is wrong with the URI is said by the settings
            yield Finding(check="Redis", what="redis-py is not installed", change=hint)
        return
    try:
        with server_errors(client, address, "the Redis server of"):
            memory, role = server_info(client, "memory"), server_info(client, "replication")
    except StoreUnavailableError as error:
        yield Finding(
            check="Redis",
            what=first_line(error),
            change="start the server, or correct WEBCLEAN_DEDUP_URI",
        )
        return
    finally:
        disconnect(client)
    if role.get("role") == "slave" and role.get("slave_read_only"):
        yield Finding(
            check="Redis",
            what=f"the Redis server of {address} is a replica that takes no writes",
            change=f"name its primary in WEBCLEAN_DEDUP_URI: {role.get('master_host')}:"
            f"{role.get('master_port')}",
        )
    policy = memory.get("maxmemory_policy", KEEPS_ALL)
    if policy != KEEPS_ALL:
        yield Finding(
            check="Redis",
            what=f"the Redis server has maxmemory-policy {policy}: it may evict fingerprints, and"
            " their duplicates are not detected",
            change=f"redis-cli config set maxmemory-policy {KEEPS_ALL}, and in redis.conf",
        )
