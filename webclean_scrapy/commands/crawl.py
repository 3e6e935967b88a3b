"""``scrapy webclean crawl URL``: the articles of a site."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.exceptions import UsageError
from scrapy.utils.conf import feed_process_params_from_cli

from webclean_scrapy.commands.fetching import command_settings, fetching_process
from webclean_scrapy.spiders import CRAWL_SETTINGS, SiteSpider

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import Settings


class Site(SiteSpider):
    """The spider under the name of the command."""

    name = "webclean"


USAGE = "URL [-o FILE] [--max-pages N] [--within PATH]"
DETAILS = "The links within the site are followed; robots.txt is obeyed."
EXAMPLES = (
    "https://www.example.com/ -o articles.jsonl",
    "https://www.example.com/ --within /news/ --max-pages 100 -o news.csv",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the URL and the options of this subcommand."""
    parser.add_argument("urls", nargs="*", metavar="URL", help="first page")
    output = "output file, .jsonl, .json, .csv or .xml; default: JSON lines to standard output"
    parser.add_argument("-o", "--output", metavar="FILE", help=output)
    parser.add_argument(
        "--max-pages", type=int, default=0, metavar="N",
        help="maximum number of pages; 0 (default): no limit",
    )  # fmt: skip
    parser.add_argument(
        "--within", default="/", metavar="PATH", help="follow only URLs whose path starts with PATH"
    )


def _settings_of(opts: argparse.Namespace, given: Settings) -> Settings:
    """Return the settings of the crawl; what a project says about fetching takes precedence."""
    settings = command_settings(given)
    feeds: dict[str, Any] = {"stdout:": {"format": "jsonlines"}}
    if opts.output:
        feeds = feed_process_params_from_cli(settings, [opts.output])
    for name, value in {**CRAWL_SETTINGS, "FEEDS": feeds}.items():
        if name != "ADDONS":  # `fetching_process` adds it
            settings.set(name, value, priority="command")
    return settings


def run(opts: argparse.Namespace, settings: Settings) -> int:
    """Crawl and return the exit code."""
    urls: list[str] = opts.urls
    if len(urls) != 1:
        raise UsageError("crawl needs exactly one URL")
    process = fetching_process(_settings_of(opts, settings))
    process.crawl(Site, urls[0], max_pages=str(opts.max_pages), within=opts.within)
    process.start()
    return int(process.bootstrap_failed)
