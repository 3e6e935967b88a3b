"""Diagnose settings and machine, with a remedy for each problem.

Looks at versions, at the settings and the add-on of the project, at places that a crawl writes to
and at the Redis server. Nothing is changed, nothing is fetched from the web. The exit code is 1
when something is wrong.

examples:
  webclean doctor
  webclean doctor --json
  webclean doctor -s WEBCLEAN_DEDUP_URI=redis://localhost/0?prefix=news
"""

from __future__ import annotations

import json
import os
import platform
from dataclasses import asdict, dataclass
from importlib import metadata
from typing import TYPE_CHECKING, Any

from packaging.requirements import Requirement
from scrapy.utils.conf import closest_scrapy_cfg
from scrapy.utils.misc import load_object

from webclean_scrapy.addon import COMPONENTS, Addon
from webclean_scrapy.crawl.settings_files import checks_of
from webclean_scrapy.dedup.config import sqlite_file
from webclean_scrapy.errors import ConfigError, StoreUnavailableError
from webclean_scrapy.file_modes import why_unwritable
from webclean_scrapy.redis_server import RedisAddress, RedisClient, is_redis
from webclean_scrapy.safe_text import first_line
from webclean_scrapy.settings import SETTINGS, WebcleanConfig, unknown_settings

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from scrapy.settings import BaseSettings, Settings

USAGE = "[--json]"

DISTRIBUTION = "webclean-scrapy"
LINE = 'ADDONS = {"webclean_scrapy.Addon": 500}'


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem (*what*) and its remedy (*change*)."""

    check: str  # such as "settings"
    what: str
    change: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print findings and versions as JSON")


def run(opts: argparse.Namespace, settings: Settings) -> int:
    """Print the problems; return 1 if there are any."""
    in_project = bool(closest_scrapy_cfg())
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    broken = getattr(opts, "broken_settings", "")
    found = [Finding("settings", broken, "correct that file")] if broken else []
    found = found or examine(settings, in_project=in_project, cpus=cpus)
    findings = [*check_versions(), *found]
    names = [DISTRIBUTION, *sorted({"twisted", *(one.name for one in _requirements())})]
    versions = {"Python": platform.python_version()}
    versions |= {name: version for name in names if (version := _version(name))}
    if opts.json:
        report = {
            "findings": list(map(asdict, findings)), "versions": versions, "processors": cpus,
            "in_project": in_project,
        }  # fmt: skip
        print(json.dumps(report, ensure_ascii=False, indent=1))
        return int(bool(findings))
    print(", ".join(f"{name} {version}" for name, version in versions.items()))
    print(f"processors: {cpus}; {'in' if in_project else 'outside of'} a project")
    for one in findings:
        print(f"{one.check}: {one.what}; {one.change}")
    print(f"{len(findings)} wrong")
    return int(bool(findings))


def _requirements() -> Iterator[Requirement]:
    return map(Requirement, metadata.requires(DISTRIBUTION) or ())


def _version(name: str) -> str:
    """Return the version of a distribution; "" if it is not installed."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def check_versions() -> Iterator[Finding]:
    """Yield requirements that are missing or too old."""
    for one in _requirements():
        version = _version(one.name)
        is_needed = one.marker is None or one.marker.evaluate({"extra": ""})
        if is_needed and not (version and one.specifier.contains(version, prereleases=True)):
            what = f"{one.name} {version or 'is not installed'}"
            wanted = f"{one.name}{one.specifier}"
            yield Finding("versions", f"{what}; {wanted} is needed", f"pip install -U '{wanted}'")


def examine(settings: BaseSettings, *, in_project: bool, cpus: int) -> list[Finding]:
    """Return all problems. Nothing is changed."""
    config, unreadable = _read_settings(settings)
    found = [*_check_components(settings, in_project=in_project), *unreadable]
    found += _check_together(config, settings, cpus)
    found += _check_places(settings, config.dedup_uri)
    return list(dict.fromkeys(found))


def _read_settings(settings: BaseSettings) -> tuple[WebcleanConfig, list[Finding]]:
    """Read the settings with defaults for bad values; return them with bad and unknown ones."""
    values, found = {}, []
    for name, hint in unknown_settings(settings):
        found.append(Finding("settings", f"{name} is unknown and ignored", hint))
    for one in SETTINGS:
        try:
            values[one.field] = one.read(settings)
        except ConfigError as error:  # noqa: PERF203, a few dozen settings
            values[one.field] = one.default
            change = f"set {one.name} to {one.expected}; its default is {one.default!r}"
            found.append(Finding("settings", str(error), change))
    return WebcleanConfig(**values), found


def _check_together(config: WebcleanConfig, settings: BaseSettings, cpus: int) -> Iterator[Finding]:
    """Check that files, libraries and processors named by settings exist."""
    for check in checks_of(config, settings):
        try:
            check()
        except ConfigError as error:  # noqa: PERF203, five tries
            yield Finding("settings", first_line(error), "correct the value, or remove the setting")
    if config.workers > cpus:
        what = f"WEBCLEAN_WORKERS is {config.workers}, and there are {cpus} processors"
        change = f"set WEBCLEAN_WORKERS to {max(1, cpus - 1)}; the crawl needs one too"
        yield Finding("processors", what, change)


def _check_components(settings: BaseSettings, *, in_project: bool) -> Iterator[Finding]:
    """Yield which add-ons and components are turned off or cannot be imported."""
    groups: dict[str, Any] = {group: settings.getwithbase(group) for group, _, _ in COMPONENTS}
    groups["ADDONS"] = settings.getdict("ADDONS")
    try:
        placed: dict[str, dict[Any, Any]] = {
            group: {load_object(key): position for key, position in positions.items()}
            for group, positions in groups.items()
        }
    except Exception as error:  # noqa: BLE001, whatever a module raises
        what = f"an add-on or a component cannot be imported: {first_line(error)}"
        yield Finding("components", what, "correct its path, or install what it needs")
        return
    if Addon not in placed["ADDONS"] and in_project:
        what = "ADDONS of the project does not have the add-on: crawls are not cleaned"
        yield Finding("add-on", what, f"add to the settings of the project: {LINE}")
    elif placed["ADDONS"].get(Addon, 0) is None:
        yield Finding("add-on", "ADDONS turns the add-on off with None", f"write {LINE}")
    elif len(placed["ADDONS"]) < len(groups["ADDONS"]):
        yield Finding("add-on", "ADDONS has an add-on twice: Scrapy does not start", "keep one")
    for group, component, position in COMPONENTS:
        if placed[group].get(component, position) is None:
            what = f"{group} sets {component.__name__} to None: what it does is left out"
            change = "remove that line; docs/all-settings.md has settings that turn steps off"
            yield Finding("components", what, change)


def _check_places(settings: BaseSettings, uri: str) -> Iterator[Finding]:
    """Yield each path that cannot be written to."""
    places = {"JOBDIR": settings.get("JOBDIR"), "WEBCLEAN_DEDUP_URI": sqlite_file(uri)}
    for name, place in places.items():
        if place and (problem := why_unwritable(place, is_folder=name == "JOBDIR")):
            yield Finding("places", f"{name}: {problem}", "make it writable, or name another place")
    if is_redis(uri):
        yield from _check_redis(uri)


def _check_redis(uri: str) -> Iterator[Finding]:
    """Check that the Redis server answers and does not evict pages. Only reads."""
    try:
        client = RedisClient(RedisAddress.parse(uri), "the Redis server of")
        memory = client.info("memory")
        client.disconnect()
    except (ConfigError, StoreUnavailableError) as error:
        change = "start the server, correct WEBCLEAN_DEDUP_URI, or pip install redis"
        yield Finding("Redis", first_line(error), change)
        return
    policy = memory.get("maxmemory_policy", "noeviction")
    if policy != "noeviction":
        what = f"the Redis server has maxmemory-policy {policy}: it may evict fingerprints"
        change = "redis-cli config set maxmemory-policy noeviction, and in redis.conf"
        yield Finding("Redis", f"{what}, and their duplicates are not detected", change)
