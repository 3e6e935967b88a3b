"""``scrapy webclean``: clean a site or single pages without a project.

Every ``scrapy`` call loads this module, so it imports nothing of ours before it runs.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from scrapy.crawler import CrawlerProcessBase
    from scrapy.settings import Settings

    from webclean_scrapy.items import ArticleItem


class Command(ScrapyCommand):
    """One command with a subcommand for each thing that it can do."""

    default_settings: ClassVar[dict[str, Any]] = {"LOG_LEVEL": "WARNING"}

    def syntax(self) -> str:
        return "[options] crawl URL | clean FILE|URL|- ..."

    def short_desc(self) -> str:
        return "Turn a site, or single pages, into clean articles"

    def long_desc(self) -> str:
        return (
            "crawl URL: follow the links of a site and write its articles, near-duplicates left"
            " out. clean FILE|URL|-: print the article of each page ('-' is standard input)."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        group = parser.add_argument_group("Options of crawl")
        output = "append to FILE (.jsonl, .json, .csv, .xml) instead of printing JSON lines"
        group.add_argument("-o", "--output", metavar="FILE", help=output)
        group.add_argument("--max-pages", type=int, default=0, metavar="N", help="0: all")
        group.add_argument("--within", default="/", metavar="PATH", help="follow only such paths")
        group = parser.add_argument_group("Options of clean")
        group.add_argument("--json", action="store_true", help="print the whole record")

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Put the settings of the subcommand in place before the crawler process is made."""
        super().process_options(args, opts)
        from webclean_scrapy.addon import Addon
        from webclean_scrapy.spider import CRAWL_SETTINGS

        settings = self._settings()
        settings.setdefault_in_component_priority_dict("ADDONS", Addon, 500)
        wanted = {**CRAWL_SETTINGS, "FEEDS": self._feeds(opts)}
        if args[:1] != ["crawl"]:
            wanted = {"WEBCLEAN_DEDUP_ENABLED": False}  # pages asked for by name are all shown
        for name, value in wanted.items():
            if name != "ADDONS":
                settings.set(name, value, priority="command")  # a project's own settings win

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        subcommands: dict[str, Callable[[list[str], argparse.Namespace], None]] = {
            "crawl": self._crawl,
            "clean": self._clean,
        }
        if len(args) < 2 or args[0] not in subcommands:
            raise UsageError
        if strange := [arg for arg in args[1:] if arg.startswith("-") and arg != "-"]:
            raise UsageError(f"unknown option: {strange[0]}")
        subcommands[args[0]](args[1:], opts)

    def _crawl(self, urls: list[str], opts: argparse.Namespace) -> None:
        from webclean_scrapy.spider import SiteSpider

        class Site(SiteSpider):
            name = "webclean"

        if len(urls) > 1:
            raise UsageError("crawl takes one URL")
        process = self._process()
        process.crawl(Site, urls[0], max_pages=str(opts.max_pages), within=opts.within)
        process.start()
        self.exitcode = int(process.bootstrap_failed)

    def _clean(self, sources: list[str], opts: argparse.Namespace) -> None:
        """Print the article of each source: files first, then URLs as their pages come in."""
        urls = [source for source in sources if source.startswith(("http://", "https://"))]
        shown = self._clean_files([source for source in sources if source not in urls], opts)
        if urls:
            shown += self._clean_urls(urls, opts)
        self.exitcode = int(shown < len(sources))

    def _clean_files(self, names: list[str], opts: argparse.Namespace) -> int:
        """Print the article of each file and return how many there were."""
        from itemadapter import ItemAdapter

        from webclean_scrapy.cleaner import Cleaner
        from webclean_scrapy.config import WebcleanConfig
        from webclean_scrapy.errors import PageError
        from webclean_scrapy.items import ArticleItem, fill_item

        cleaner = Cleaner(WebcleanConfig.from_settings(self._settings()).clean_config())
        shown = 0
        for name in names:
            try:
                html = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
                article = cleaner.clean(html)
            except (OSError, PageError) as error:
                print(f"{name}: {error}", file=sys.stderr)
                continue
            item = ArticleItem(url=name)
            fill_item(ItemAdapter(item), article.to_dict(), None)
            _show(item, opts)
            shown += 1
        return shown

    def _clean_urls(self, urls: list[str], opts: argparse.Namespace) -> int:
        """Print the article of each page as it comes in and return how many there were."""
        from scrapy import signals

        from webclean_scrapy.spider import PagesSpider

        shown = []

        def show(item: ArticleItem) -> None:
            _show(item, opts)
            shown.append(item.url)

        process = self._process()
        crawler = process.create_crawler(PagesSpider)
        crawler.signals.connect(show, signal=signals.item_scraped)
        process.crawl(crawler, urls)
        process.start()
        return len(shown)

    def _feeds(self, opts: argparse.Namespace) -> dict[str, Any]:
        from scrapy.utils.conf import feed_process_params_from_cli

        if not opts.output:
            return {"stdout:": {"format": "jsonlines"}}
        return feed_process_params_from_cli(self._settings(), [opts.output])

    def _settings(self) -> Settings:
        assert self.settings is not None  # noqa: S101, set by scrapy.cmdline
        return self.settings

    def _process(self) -> CrawlerProcessBase:
        assert self.crawler_process is not None  # noqa: S101, set by scrapy.cmdline
        return self.crawler_process


def _show(item: ArticleItem, opts: argparse.Namespace) -> None:
    """Print one article: its title and text, or all of its record as one line of JSON."""
    if opts.json:
        print(json.dumps(asdict(item), ensure_ascii=False))
    else:
        print(item.headline or "", item.articleBody or "", "", sep="\n")
