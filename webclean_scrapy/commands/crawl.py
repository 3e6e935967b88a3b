"""``webclean crawl URL``: the articles of a site."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrapy.exceptions import UsageError
from scrapy.http import HtmlResponse

from webclean_scrapy.commands.command_line import STOPPED
from webclean_scrapy.commands.crawl_output import CrawlOutput
from webclean_scrapy.commands.failures import describe_content, describe_error
from webclean_scrapy.commands.fetching import command_settings, fetching_process, run_crawl
from webclean_scrapy.commands.terminal import crawl_progress
from webclean_scrapy.crawl.disk_guard import UNFINISHED
from webclean_scrapy.crawl.responses import readable
from webclean_scrapy.report.summary import Summary, summarize
from webclean_scrapy.spiders import CRAWL_SETTINGS, SiteSpider
from webclean_scrapy.stats import has_lost_feed

if TYPE_CHECKING:
    import argparse
    from collections.abc import AsyncIterator, Iterator

    from scrapy.http import Request, Response
    from scrapy.settings import Settings
    from twisted.python.failure import Failure

USAGE = "URL [-o FILE] [--max-pages N] [--within PATH]"
DETAILS = """Follows the links within the site and obeys robots.txt. The result is written to
FILE.part and replaces FILE when the crawl has an article; otherwise the exit code is 1."""
EXAMPLES = (
    "https://www.example.com/ -o articles.jsonl",
    "https://www.example.com/ --within /news/ --max-pages 100 -o news.csv",
    "https://www.example.com/ -o articles.jsonl -s JOBDIR=.jobs/example",
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


class Site(SiteSpider):
    """The spider under the name of the command; it notes why the first page gave nothing."""

    name = "webclean"
    problem = ""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.places: Counter[str] = Counter()  # links of the first page by where they lead

    async def start(self) -> AsyncIterator[Request]:
        """Yield the first request."""
        async for request in super().start():
            yield request.replace(errback=self.note_failure)

    def note_failure(self, failure: Failure) -> None:
        """Note why the first page could not be fetched."""
        self.problem = describe_error(failure.value)

    def parse(self, response: Response) -> Iterator[Any]:
        """Yield what the site spider does, and look at the links of the first page."""
        if not response.meta.get("depth"):
            self.problem = describe_content(response)
            if isinstance(response, HtmlResponse) and not self.problem:
                host = urlsplit(response.url).netloc
                page = readable(response)
                for href in page.xpath("//a/@href").getall()[:1000]:
                    self._note_place(page, href, host)
        yield from super().parse(response)

    def _note_place(self, response: Response, href: str, host: str) -> None:
        try:
            parts = urlsplit(response.urljoin(href.strip()))
        except ValueError:  # such as an IPv6 address without its bracket
            return
        first, slash, _ = parts.path[1:].partition("/")
        if parts.netloc == host and slash:
            self.places[f"/{first}/"] += 1


def run(opts: argparse.Namespace, settings: Settings) -> int:
    """Crawl, print a summary and return the exit code."""
    url = _check(opts)
    asked = _settings_of(settings)
    output = CrawlOutput(opts.output, asked)
    output.prepare()
    asked.set("FEEDS", output.feeds, priority="cmdline")
    with crawl_progress(opts.max_pages or None, prints=output.path is None) as watch:
        crawler = run_crawl(
            fetching_process(asked), Site, watch,
            url=url, max_pages=str(opts.max_pages), within=opts.within,
        )  # fmt: skip
    found = crawler.stats.get_stats()
    summary = summarize(found)
    is_whole = found.get("finish_reason") not in UNFINISHED
    lost = has_lost_feed(found)
    has_articles = summary.articles > 0 and not lost
    place = output.settle(has_articles=has_articles, is_whole=is_whole)
    if place:
        end = "" if is_whole else "; stopped before the end"
        print(f"{summary.line()}; result: {place}{end}", file=sys.stderr)
        return 0 if is_whole else STOPPED
    problem = "the result could not be stored, see the log" if lost else ""
    problem = problem or _why_nothing(crawler.spider, summary, opts)
    kept = f"; {output.path} is as it was" if output.path and output.path.exists() else ""
    print(summary.line(), file=sys.stderr)
    print(f"webclean crawl: {url}: {problem}{kept}", file=sys.stderr)
    return 1 if is_whole else STOPPED


def _check(opts: argparse.Namespace) -> str:
    """Return the URL. Raises UsageError."""
    if len(opts.urls) != 1:
        raise UsageError("crawl needs exactly one URL")
    url = str(opts.urls[0])
    try:
        host = urlsplit(url if "://" in url else f"http://{url}").hostname
    except ValueError:
        host = None
    if not host:
        raise UsageError(f"{url!r} is not a URL, such as https://www.example.com/")
    if opts.max_pages < 0:
        raise UsageError("--max-pages must be at least 0")
    return url


def _settings_of(given: Settings) -> Settings:
    """Return the settings of the crawl; what a project says about fetching takes precedence."""
    settings = command_settings(given)
    settings.set("FEED_EXPORT_ENCODING", "utf-8", priority="command")
    for name, value in CRAWL_SETTINGS.items():
        if name != "ADDONS":  # `fetching_process` adds it
            settings.set(name, value, priority="command")
    return settings


def _why_nothing(spider: Any, summary: Summary, opts: argparse.Namespace) -> str:
    """Return why the crawl has no article, and what to do."""
    if spider is None or spider.problem:
        return getattr(spider, "problem", "") or "the crawl could not begin"
    inside = "/" + opts.within.lstrip("/")
    if summary.pages <= 1 and inside != "/":
        places = ", ".join(place for place, _ in spider.places.most_common(5))
        where = f"; its links lead to {places}" if places else ""
        return f"no link of this page leads to --within {inside}{where}"
    if summary.reposts:
        return f"every article was seen before; duplicates dropped: {summary.reposts}"
    return (
        f"no article on {summary.pages} page(s); webclean explain URL shows what a page is taken"
        " for, and -s WEBCLEAN_DROP_NON_ARTICLES=False keeps every page"
    )
