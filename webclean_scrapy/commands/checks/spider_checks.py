"""What the spiders of a project set for themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.settings import Settings
from scrapy.spiderloader import SpiderLoader

from webclean_scrapy.commands.checks.finding import Finding, first_line
from webclean_scrapy.commands.checks.setting_checks import check_values

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scrapy.settings import BaseSettings


def check_spiders(settings: BaseSettings) -> Iterator[Finding]:
    """Yield unknown settings and bad values of each spider, or why spiders cannot be loaded."""
    try:
        loader = SpiderLoader.from_settings(settings)
        spiders = [loader.load(name) for name in sorted(loader.list())]
    except Exception as error:  # noqa: BLE001, whatever a module of the project raises
        yield Finding(
            check="spiders",
            what=f"spiders cannot be loaded: {type(error).__name__}: {first_line(error)}",
            change="correct that module, or SPIDER_MODULES",
        )
        return
    for spider in spiders:
        yield from check_custom_settings(spider.name, spider.custom_settings or {})


def check_custom_settings(name: str, custom: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield what is wrong in the settings of the spider *name*."""
    for finding in check_values(Settings(dict(custom), priority="spider")):
        yield Finding(check="spiders", what=f"spider {name}: {finding.what}", change=finding.change)
