"""``scrapy webclean crawl URL``: the articles of a site."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.exceptions import UsageError
from scrapy.utils.conf import feed_process_params_from_cli

from webclean_scrapy.spiders import CRAWL_SETTINGS, SiteSpider

if TYPE_CHECKING:
    import argparse

    from scrapy.crawler import CrawlerProcessBase
    from scrapy.settings import Settings


class Site(SiteSpider):
    """The spider under the name of the command."""

    name = "webclean"


def prepare(settings: Settings, opts: argparse.Namespace) -> None:
    """Set the settings of the crawl; settings of a project take precedence."""
    feeds: dict[str, Any] = {"stdout:": {"format": "jsonlines"}}
    if opts.output:
        feeds = feed_process_params_from_cli(settings, [opts.output])
    for name, value in {**CRAWL_SETTINGS, "FEEDS": feeds}.items():
        if name != "ADDONS":  # already added by `webclean.Command`
            settings.set(name, value, priority="command")


def run(urls: list[str], opts: argparse.Namespace, process: CrawlerProcessBase) -> int:
    """Crawl and return the exit code."""
    if len(urls) != 1:
        raise UsageError("crawl needs exactly one URL")
    process.crawl(Site, urls[0], max_pages=str(opts.max_pages), within=opts.within)
    process.start()
    return int(process.bootstrap_failed)
