"""Write the articles of a site, without near-duplicates.

Follows the links within the site and obeys robots.txt. The result replaces FILE when the crawl has
an article. Otherwise the exit code is 1, or 0 when an earlier crawl has had every article.

examples:
  webclean crawl https://www.example.com/ -o articles.jsonl
  webclean crawl https://www.example.com/ --within /news/ --max-pages 100 -o news.csv
  webclean crawl https://www.example.com/ -o articles/ --format markdown
  webclean crawl https://www.example.com/ -o articles.jsonl -s JOBDIR=.jobs/example
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import UsageError
from scrapy.utils.conf import feed_process_params_from_cli

from webclean_scrapy.commands import article_output, fetching
from webclean_scrapy.commands.command_line import STOPPED, whole_number
from webclean_scrapy.commands.sources import address_problem
from webclean_scrapy.crawl.disk_guard import UNFINISHED
from webclean_scrapy.crawl.service import WebcleanService
from webclean_scrapy.crawl.summary import Summary
from webclean_scrapy.export.formats import DOCUMENT_FORMATS
from webclean_scrapy.file_modes import Draft
from webclean_scrapy.safe_text import hide_login
from webclean_scrapy.spiders import CRAWL_SETTINGS, SiteSpider
from webclean_scrapy.spiders.site_spider import PLACES
from webclean_scrapy.stats import DEDUP_NOT_EXPORTED, has_lost_feed
from webclean_scrapy.web_addresses import plain_address

if TYPE_CHECKING:
    import argparse
    from collections.abc import AsyncIterator

    from scrapy.http import Request, Response
    from scrapy.settings import BaseSettings, Settings
    from twisted.python.failure import Failure

USAGE = "URL [-o FILE|FOLDER/] [--max-pages N] [--within PATH]"
_FILES = ".jsonl, .json, .csv, .parquet or .xml"
_LINES = frozenset({"csv", "jsonl", "jsonlines", "jl"})  # what can be appended to


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("urls", nargs="*", metavar="URL", help="first page")
    output = f"output file, {_FILES}; default: JSON lines to standard output"
    add("-o", "--output", metavar="FILE|FOLDER/", help=output)
    documents = "with -o FOLDER/: a document for each article"
    article_output.add_format_arguments(parser, DOCUMENT_FORMATS, documents, chunks=False)
    add("--max-pages", type=whole_number, default=0, metavar="N", help="default: no limit")
    add("--within", default="/", metavar="PATH", help="only URLs whose path starts with PATH")
    add("--discover", default="links", metavar="WHERE", help="links (default), feeds, sitemaps")


class CommandSpider(SiteSpider):
    """The site spider under the command's name; records why the first page gave nothing."""

    name = "webclean"
    problem = ""

    async def start(self) -> AsyncIterator[Request]:
        async for request in super().start():
            yield request if request.callback else request.replace(errback=self.note_failure)

    def note_failure(self, failure: Failure) -> None:
        self.problem = fetching.describe_error(failure.value)

    async def parse(self, response: Response) -> AsyncIterator[Any]:
        if not response.meta.get("depth"):
            self.problem = fetching.describe_content(response)
        async for made in super().parse(response):
            yield made


def run(opts: argparse.Namespace, settings: Settings) -> int:
    """Crawl, print a summary and return the exit code."""
    url = _check(opts)
    asked = crawl_settings(settings)
    output = CrawlOutput(opts.output, asked, article_output.document_feed(opts))
    asked.set("FEEDS", output.feeds, priority="cmdline")
    options: dict[str, Any] = {"total": opts.max_pages or None, "prints": output.path is None}
    options |= {"max_pages": str(opts.max_pages), "within": opts.within, "discover": opts.discover}
    crawler = fetching.run_crawl(asked, CommandSpider, url=url, **options)
    found = crawler.stats.get_stats()
    if f"{DEDUP_NOT_EXPORTED}/{BrokenPipeError.__name__}" in found:
        raise BrokenPipeError
    summary = Summary(found)
    line, reason = summary.line(), found.get("finish_reason")
    problem = summary.loss or getattr(crawler.spider, "problem", "the crawl could not begin")
    lost = has_lost_feed(found)
    # An uncleaned page is no article, and one that could not be written is not in the result.
    outcomes = summary.outcomes
    has_any = outcomes["article"] + outcomes["update"] > summary.unwritten
    has_articles = not lost and (has_any or (not problem and output.is_job and output.has_lines))
    is_whole = reason not in UNFINISHED
    place = output.settle(has_articles=has_articles, is_whole=is_whole)
    kept = f"; {output.path} is as it was" if output.path and output.path.exists() else ""
    service = crawler.get_extension(WebcleanService)
    is_known = summary.copies or summary.known or (service and service.is_job_over())
    if place:
        end = "" if is_whole else "; stopped before the end"
        line += f"; result: {place}{end}"
        problem = summary.loss or ("most pages failed" if summary.most_failed else "")
    elif is_whole and is_known and not problem:
        line += f"; nothing new: all articles are known{kept}"
    else:
        problem = f"{problem or _why_nothing(summary, opts)}{kept}"
    print(line, file=sys.stderr)
    if problem:
        print(f"webclean crawl: {url}: {problem}", file=sys.stderr)
    return int(bool(problem)) if is_whole else STOPPED


def crawl_settings(settings: BaseSettings) -> Settings:
    """Return the settings of a crawling command: polite defaults and the user's options."""
    asked = fetching.command_settings(settings)
    asked.set("FEED_EXPORT_ENCODING", "utf-8", priority="command")
    for name, value in CRAWL_SETTINGS.items():
        if name != "ADDONS":  # `run_crawl` adds it
            asked.set(name, value, priority="command")
    return asked


def _check(opts: argparse.Namespace) -> str:
    if len(opts.urls) != 1:
        raise UsageError("crawl needs exactly one URL")
    url = plain_address(str(opts.urls[0]))
    whole = url if "://" in url else f"http://{url}"
    if problem := address_problem(whole):
        raise UsageError(f"{hide_login(whole)}: {problem}")
    if not PLACES.issuperset(opts.discover.split(",")):
        raise UsageError(f"--discover {opts.discover}: give some of links,feeds,sitemaps")
    return url


def _why_nothing(summary: Summary, opts: argparse.Namespace) -> str:
    if summary.most_failed:
        return "most pages failed"
    if summary.pages <= 1 and opts.within.strip("/"):
        return f"no link of this page leads to --within {opts.within}"
    return (
        f"no article on {summary.pages} page(s); webclean explain URL shows what a page is taken"
        " for, and -s WEBCLEAN_DROP_NON_ARTICLES=False keeps every page"
    )


class CrawlOutput:
    """The output of a crawl: a file moved into place at the end, or a feed written directly.

    Standard output, a FIFO, a device, a feed on a network and a name with ``%(time)s`` are written
    directly; an empty one is not stored.
    """

    def __init__(
        self, name: str | None, settings: BaseSettings, documents: dict[str, Any] | None = None
    ) -> None:
        """Parse *name* like Scrapy's ``-o``, and check that the file can be written.

        *documents*: the ``FEEDS`` of a folder of them, which are written directly.

        Raises OSError; UsageError for a format that is unknown, or that a job cannot continue.
        """
        self.is_job = bool(settings.get("JOBDIR"))
        self.path: Path | None = None
        self._draft: Draft | None = None
        try:
            feeds = documents or feed_process_params_from_cli(settings, [name or "-:jsonlines"])
        except UsageError:
            raise UsageError(
                article_output.name_problem(str(name), f"a file that ends with {_FILES}")
            ) from None
        ((place, options),) = feeds.items()
        self.name = str(name) if documents else place
        self.feeds = {place: {**options, "store_empty": False}}
        if documents or place == "stdout:" or "://" in place or "%" in place:
            return
        if self.is_job and options["format"] not in _LINES:
            raise UsageError(f"a job (JOBDIR) needs -o FILE.jsonl or FILE.csv, not {name}")
        self.path = Path(place)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._draft = Draft(self.path)
        options = {**options, "store_empty": False, "overwrite": not self.is_job}
        self.feeds = {str(self._draft.path): options}

    @property
    def has_lines(self) -> bool:
        """True if the partial file holds output, of this run or of an earlier one of its job."""
        return bool(self._draft and self._draft.path.exists() and self._draft.path.stat().st_size)

    def settle(self, *, has_articles: bool, is_whole: bool) -> str:
        """Move the written file into place, or leave all unchanged; return its path.

        A stopped crawl does not replace an earlier result; with JOBDIR the next run appends to its
        part. Empty when there is nothing. Raises OSError.
        """
        place = "standard output" if self.name == "stdout:" else hide_login(self.name)
        if self._draft:
            is_free = is_whole or not (self.is_job or self._draft.target.exists())
            replaces = has_articles and is_free
            self._draft.close(replaces=replaces, keeps=has_articles or self.has_lines)
            place = str(self.path if replaces else self._draft.path)
        return place if has_articles else ""
