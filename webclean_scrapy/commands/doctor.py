"""Diagnose settings and machine, with a remedy for each problem.

Nothing is changed, nothing is fetched from the web. The exit code is 1 when something is wrong.

examples:
  webclean doctor
  webclean doctor -s WEBCLEAN_DEDUP_URI=redis://localhost/0?prefix=news
"""

from __future__ import annotations

import platform
from contextlib import suppress
from importlib import metadata
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from packaging.requirements import Requirement
from scrapy.exceptions import UsageError
from scrapy.spiderloader import get_spider_loader
from scrapy.utils.conf import closest_scrapy_cfg
from scrapy.utils.misc import load_object

from webclean_scrapy.addon import COMPONENTS, Addon
from webclean_scrapy.crawl.pipeline_order import early_pipelines
from webclean_scrapy.crawl.settings_files import checks_of
from webclean_scrapy.dedup.config import sqlite_file
from webclean_scrapy.errors import ConfigError, StoreUnavailableError
from webclean_scrapy.file_modes import why_unwritable
from webclean_scrapy.redis_server import RedisAddress, RedisClient, is_redis
from webclean_scrapy.safe_text import first_line
from webclean_scrapy.settings import SETTINGS, WebcleanConfig, idle_settings, usable_cores

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from scrapy.settings import BaseSettings, Settings

USAGE = "[SPIDER] [options]"

DISTRIBUTION = "webclean-scrapy"


class Finding(NamedTuple):
    """A problem (*what*) and its remedy (*change*)."""

    check: str  # such as "settings"
    what: str
    change: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    of_all = "look at the settings of this spider alone; default: of the project and all spiders"
    parser.add_argument("spider", nargs="?", metavar="SPIDER", help=of_all)


def run(opts: argparse.Namespace, settings: Settings) -> int:
    """Print the problems; return 1 if there are any."""
    in_project, cpus = bool(closest_scrapy_cfg()), usable_cores()
    findings = [*check_versions()]
    if broken := getattr(opts, "broken_settings", ""):
        findings.append(Finding("settings", broken, "correct that file"))
    else:
        findings += examine(settings, in_project=in_project, cpus=cpus)
        for name, own in spider_settings(settings, opts.spider or ""):
            more = examine(own, in_project=in_project, cpus=cpus)
            findings += [one._replace(check=f"{one.check} of spider {name}") for one in more
                         if one not in findings]  # fmt: skip
    names = [DISTRIBUTION, *sorted({"twisted", *(one.name for one in _requirements())})]
    versions = {"Python": platform.python_version()}
    versions |= {name: version for name in names if (version := _version(name))}
    print(", ".join(f"{name} {version}" for name, version in versions.items()))
    print(f"processors: {cpus}; {'in' if in_project else 'outside of'} a project")
    for one in findings:
        print(f"{one.check}: {one.what}; {one.change}")
    print(f"{len(findings)} wrong")
    return int(bool(findings))


def _requirements() -> list[Requirement]:
    return list(map(Requirement, metadata.requires(DISTRIBUTION) or ()))


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
            wanted = f"{one.name}{one.specifier}"
            what = f"{one.name} {version or 'is not installed'}; {wanted} is needed"
            yield Finding("versions", what, f"pip install -U '{wanted}'")


def examine(settings: BaseSettings, *, in_project: bool, cpus: int) -> list[Finding]:
    """Return all problems of settings and of the objects they name."""
    config, unreadable = _read_settings(settings)
    findings = [*_check_components(settings, in_project=in_project), *unreadable]
    for check in checks_of(config, settings):
        try:
            check()
        except ConfigError as error:  # noqa: PERF203, five tries
            change = "correct the value, or remove the setting"
            findings.append(Finding("settings", first_line(error), change))
    if config.workers > cpus:
        what = f"WEBCLEAN_WORKERS is {config.workers}, and there are {cpus} processors"
        change = f"set WEBCLEAN_WORKERS to {max(1, cpus - 1)}; the crawl needs one too"
        findings.append(Finding("processors", what, change))
    findings += check_pipelines(settings)
    uri = config.dedup_uri
    places = {"JOBDIR": settings.get("JOBDIR"), "WEBCLEAN_DEDUP_URI": sqlite_file(uri)}
    for name, place in places.items():
        if place and (problem := why_unwritable(place, is_folder=name == "JOBDIR")):
            change = "make it writable, or name another place"
            findings.append(Finding("places", f"{name}: {problem}", change))
    return list(dict.fromkeys([*findings, *check_redis(uri)]))


def spider_settings(settings: BaseSettings, name: str) -> Iterator[tuple[str, BaseSettings]]:
    """Yield the settings of the spider *name*, by default of all, each with its name.

    Raises UsageError.
    """
    loader = get_spider_loader(settings)
    known = sorted(loader.list())
    if name and name not in known:
        raise UsageError(f"there is no spider {name!r}; spiders: {', '.join(known) or 'none'}")
    for one in [name] if name else known:
        own = settings.copy()
        loader.load(one).update_settings(own)
        yield one, own


def check_pipelines(settings: BaseSettings) -> Iterator[Finding]:
    """Yield pipelines that see items before they are filled and compared."""
    with suppress(Exception):  # what cannot be imported is found elsewhere
        for one in early_pipelines(settings):
            what = f"{one.name} has {one.place:g} in ITEM_PIPELINES and sees {one.sees}"
            yield Finding("pipelines", what, f"with a number above {one.above:g} it sees articles")


def _read_settings(settings: BaseSettings) -> tuple[WebcleanConfig, list[Finding]]:
    """Read the settings with defaults for bad values; return them with bad and unknown ones."""
    values = {}
    findings = [Finding("settings", *said) for said in idle_settings(settings)]
    for one in SETTINGS:
        try:
            values[one.path] = one.read(settings)
        except ConfigError as error:  # noqa: PERF203, a few dozen settings
            values[one.path] = one.default
            change = f"set {one.name} to {one.expected}; its default is {one.default!r}"
            findings.append(Finding("settings", str(error), change))
    try:
        return WebcleanConfig.from_values(values), findings
    except ConfigError as error:
        findings.append(Finding("settings", str(error), "change one of the two"))
    return WebcleanConfig(), findings


def _check_components(settings: BaseSettings, *, in_project: bool) -> Iterator[Finding]:
    addons = settings.getdict("ADDONS")
    groups = [settings.getwithbase(group) for group in {group for group, _, _ in COMPONENTS}]
    try:
        classes = {load_object(key): key for key in chain(addons, *groups)}
    except Exception as error:  # noqa: BLE001, whatever a module raises
        what = f"an add-on or a component cannot be imported: {first_line(error)}"
        yield Finding("components", what, "correct its path, or install what it needs")
        return
    if in_project and addons.get(classes.get(Addon)) is None:
        what = "ADDONS of the project does not have the add-on: crawls are not cleaned"
        line = 'ADDONS = {"webclean_scrapy.Addon": 500}'
        yield Finding("add-on", what, f"add to the settings of the project: {line}")


def check_redis(uri: str) -> Iterator[Finding]:
    """Check that a Redis server answers and does not evict pages. Only reads."""
    if not is_redis(uri):
        return
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
