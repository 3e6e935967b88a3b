"""``scrapy webclean clean FILE|URL|-``: the article of each page."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from itemadapter import ItemAdapter
from scrapy import signals
from scrapy.exceptions import UsageError

from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.commands.fetching import LEAVES_NO_TRACE, command_settings, fetching_process
from webclean_scrapy.commands.page_sources import is_url, read_page
from webclean_scrapy.errors import PageError
from webclean_scrapy.items import ArticleItem, fill_item
from webclean_scrapy.settings import WebcleanConfig
from webclean_scrapy.spiders import PagesSpider

if TYPE_CHECKING:
    import argparse

    from scrapy.crawler import CrawlerProcessBase
    from scrapy.settings import BaseSettings, Settings


USAGE = "FILE|URL|- ... [options]"
DETAILS = ""
EXAMPLES = ("page.html", "https://www.example.com/story --json", "- < page.html")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the pages and the options of this subcommand."""
    parser.add_argument("sources", nargs="*", metavar="FILE|URL|-", help="what to clean")
    parser.add_argument("--json", action="store_true", help="print the whole record as JSON")


def run(opts: argparse.Namespace, settings: Settings) -> int:
    """Print the article of each source, files first, and return the exit code.

    It is 1 when a source could not be read or cleaned.
    """
    sources: list[str] = opts.sources
    if not sources:
        raise UsageError("clean needs at least one FILE, URL or -")
    files = [source for source in sources if not is_url(source)]
    urls = [source for source in sources if is_url(source)]
    shown = _clean_files(files, opts, settings)
    if urls:
        shown += _clean_urls(
            urls, opts, fetching_process(command_settings(settings, **LEAVES_NO_TRACE))
        )
    return int(shown < len(sources))


def _clean_files(names: list[str], opts: argparse.Namespace, settings: BaseSettings) -> int:
    """Print the article of each file; return the number printed."""
    cleaner = Cleaner(WebcleanConfig.from_settings(settings).clean_config())
    shown = 0
    for name in names:
        try:
            article = cleaner.clean(read_page(name))
        except (OSError, PageError) as error:
            print(f"{name}: {error}", file=sys.stderr)
            continue
        item = ArticleItem(url=name)
        fill_item(ItemAdapter(item), article.to_dict(), None)
        _show(item, opts)
        shown += 1
    return shown


def _clean_urls(urls: list[str], opts: argparse.Namespace, process: CrawlerProcessBase) -> int:
    """Print the article of each page when its response arrives; return the number printed."""
    shown = []

    def show(item: ArticleItem) -> None:
        _show(item, opts)
        shown.append(item.url)

    crawler = process.create_crawler(PagesSpider)
    crawler.signals.connect(show, signal=signals.item_scraped)
    process.crawl(crawler, urls)
    process.start()
    return len(shown)


def _show(item: ArticleItem, opts: argparse.Namespace) -> None:
    """Print one article: its title and text, or all of its record as one line of JSON."""
    if opts.json:
        print(json.dumps(asdict(item), ensure_ascii=False))
    else:
        print(item.headline or "", item.articleBody or "", "", sep="\n")
