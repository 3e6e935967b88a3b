"""Settings of ours that are unknown, wrong, or name what is not there."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from webclean_scrapy.commands.checks.finding import Finding, first_line
from webclean_scrapy.crawl.named_files import (
    check_network,
    dedup_options,
    load_class_model,
    read_profile,
)
from webclean_scrapy.dedup.redis.address import RedisAddress, is_redis
from webclean_scrapy.errors import ConfigError
from webclean_scrapy.settings import SETTINGS, WebcleanConfig, unknown_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scrapy.settings import BaseSettings

    from webclean_scrapy.commands.checks.machine import Machine


def check_settings(settings: BaseSettings) -> Iterator[Finding]:
    """Yield each unknown setting and each bad value, not only the first."""
    yield from check_values(settings)
    yield from _check_together(readable_config(settings))


def check_values(settings: BaseSettings) -> Iterator[Finding]:
    """Yield each unknown setting, and each value of a wrong type or range."""
    for name, nearest in unknown_settings(settings):
        change = f"write {nearest}" if nearest else "remove it; docs/settings.md lists all settings"
        yield Finding(check="settings", what=f"{name} is unknown and ignored", change=change)
    for one in SETTINGS:
        try:
            one.read(settings)
        except ConfigError as error:  # noqa: PERF203, a hundred settings
            yield Finding(
                check="settings",
                what=str(error),
                change=f"set {one.name} to {one.expected}; its default is {one.default!r}",
            )


def readable_config(settings: BaseSettings) -> WebcleanConfig:
    """Return the settings, with the default in place of each bad value."""
    values = {}
    for one in SETTINGS:
        try:
            values[one.field] = one.read(settings)
        except ConfigError:  # noqa: PERF203, each is said by `check_settings`
            values[one.field] = one.default
    return WebcleanConfig(**values)


def _check_together(config: WebcleanConfig) -> Iterator[Finding]:
    """Yield what a value names and is not there: files, extras, parts of a URI."""
    tries: list[Callable[[], object]] = [
        partial(check, config)
        for check in (dedup_options, load_class_model, read_profile, check_network)
    ]
    if is_redis(config.dedup_uri):
        tries.append(lambda: RedisAddress.parse(config.dedup_uri))
    for attempt in tries:
        try:
            attempt()
        except ConfigError as error:  # noqa: PERF203, five tries
            yield Finding(
                check="settings",
                what=first_line(error),
                change="correct the value, or remove the setting",
            )


def check_switches(settings: BaseSettings, machine: Machine) -> Iterator[Finding]:
    """Yield what is turned off, and more workers than processors."""
    config = readable_config(settings)
    if not config.enabled:
        yield Finding(
            check="settings",
            what="WEBCLEAN_ENABLED is False: nothing is cleaned",
            change="remove it to clean pages",
            is_wrong=False,
        )
    if config.workers > machine.cpus:
        yield Finding(
            check="processors",
            what=f"WEBCLEAN_WORKERS is {config.workers}, and there are {machine.cpus} processors:"
            " more workers are slower and take 150 MB each",
            change=f"set WEBCLEAN_WORKERS to {max(1, machine.cpus - 1)}; the crawl needs one too",
        )


def check_manners(settings: BaseSettings) -> Iterator[Finding]:
    """Yield what sites may not like; sibling requests follow the same rules as the crawl."""
    if not settings.getbool("ROBOTSTXT_OBEY"):
        yield Finding(
            check="politeness",
            what="ROBOTSTXT_OBEY is off: pages and siblings that sites close to robots are fetched",
            change="set ROBOTSTXT_OBEY = True",
            is_wrong=False,
        )
    delay = settings.getfloat("DOWNLOAD_DELAY")
    at_once = settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN")
    if not settings.getbool("AUTOTHROTTLE_ENABLED") and not delay and at_once > 1:
        yield Finding(
            check="politeness",
            what=f"each site gets {at_once} requests at once, without a delay",
            change="set AUTOTHROTTLE_ENABLED = True, or a DOWNLOAD_DELAY",
            is_wrong=False,
        )
    if "scrapy.org" in str(settings.get("USER_AGENT")):
        yield Finding(
            check="politeness",
            what="USER_AGENT is Scrapy's own: sites cannot tell who crawls",
            change="set USER_AGENT to a name with an address, such as 'mybot (+https://me.example)'",
            is_wrong=False,
        )
