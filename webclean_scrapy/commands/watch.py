"""Write each new article of many sites once, in rounds.

One round by default: what is new since the last round is added to the output, and the exit code is
0, also when nothing is. What a killed round has not written, the next one does.

examples:
  webclean watch https://www.example.com/ -o news.jsonl
  webclean watch --sites sites.txt -o news/ --every 30m
  webclean watch --sites sites.txt -o news/ --format markdown
  webclean watch --sites subscriptions.opml -o news.jsonl --since 2026-11-01
"""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from argparse import ArgumentTypeError
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import UsageError

from webclean_scrapy.commands import article_output
from webclean_scrapy.commands.command_line import STOPPED, shard, whole_number
from webclean_scrapy.commands.crawl import crawl_settings
from webclean_scrapy.commands.fetching import run_crawl
from webclean_scrapy.commands.sources import address_problem, read_url_list
from webclean_scrapy.crawl.disk_guard import UNFINISHED
from webclean_scrapy.crawl.summary import Summary
from webclean_scrapy.crawl.workers.process import python_command
from webclean_scrapy.export.formats import DOCUMENT_FORMATS
from webclean_scrapy.safe_text import hide_login, visible_line
from webclean_scrapy.spiders.documents import read_opml
from webclean_scrapy.spiders.watch.spider import WatchSpider
from webclean_scrapy.spiders.watch.state_file import index_beside
from webclean_scrapy.spiders.written_dates import read_dates
from webclean_scrapy.web_addresses import plain_address

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from scrapy.settings import Settings

    from webclean_scrapy.items import ArticleItem

USAGE = "URL ... | --sites FILE [-o FILE|FOLDER/] [--every 30m] [--shard 2/8]"
STATE = ".watch.db"
MAX_SHOWN = 200  # characters of an address in a message
INDEX_DAYS = 90  # that the index remembers a page; news is copied within days
SHOWN, MAX_TITLE = 10, 100  # headlines of a round, and characters of one
_LINES = {".jsonl": "jsonlines", ".jl": "jsonlines", ".csv": "csv"}  # what can be appended to
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("urls", nargs="*", metavar="URL", help="first page of a site, or of a part of it")
    add("--sites", metavar="FILE", help="addresses, one a line ('-': stdin), or an OPML file")
    output = "file to add to, .jsonl or .csv, or a folder with a file for each round"
    add("-o", "--output", default="watch.jsonl", metavar="FILE|FOLDER/", help=output)
    documents = "with -o FOLDER/: a document for each article"
    article_output.add_format_arguments(parser, DOCUMENT_FORMATS, documents)
    add("--state", metavar="FILE.db", help=f"default: {STATE} beside the output")
    part = "take the second of eight parts of the sites, by host, with a state file of its own"
    add("--shard", type=shard, default="", metavar="2/8", help=part)
    add("--every", type=_seconds, metavar="TIME", help="a round every 90s, 30m, 6h or 1d")
    add("--since", default="", metavar="DATE", help="leave out what is dated earlier: 2026-11-30")
    most = "most pages of a site in one round, the latest first; default: 500; 0: no limit"
    add("--max-pages", type=whole_number, default=500, metavar="N", help=most)
    longest = "longest time of a site in one round, the rest follows in the next; default: 10m"
    add("--site-time", type=_seconds, default="10m", metavar="TIME", help=longest)
    within = "only pages whose path starts with PATH; default: that of a URL that ends with a slash"
    add("--within", default="/", metavar="PATH", help=within)


def _seconds(text: str) -> int:
    """Return the seconds of a time such as 90s, 30m, 6h or 1d; a number alone is minutes."""
    match = re.fullmatch(r"(\d+)\s*([smhd]?)", text.strip())
    if not match or not int(match[1]):
        raise ArgumentTypeError(f"give a time such as 30m or 6h, got {text!r}")
    return min(int(match[1]) * _UNITS[match[2] or "m"], 366 * 86_400)


def run(opts: argparse.Namespace, settings: Settings) -> int:
    """Watch for one round, or until stopped; return the exit code."""
    sites = _read_sites(opts)
    if opts.since and read_dates([opts.since]) == [None]:
        raise UsageError(f"--since {opts.since}: give a date such as 2026-11-30")
    return _run_rounds(opts.every) if opts.every else _run_round(opts, settings, sites)


def _run_round(opts: argparse.Namespace, settings: Settings, sites: dict[str, list[str]]) -> int:
    output, feeds = _feeds(opts)
    folder = output if opts.format else output.parent
    folder.mkdir(parents=True, exist_ok=True)
    own = f".watch-{opts.shard.replace('/', '-of-')}.db" if opts.shard else STATE
    state = Path(opts.state) if opts.state else folder / own
    asked = crawl_settings(settings)
    if opts.chunks:
        asked.set("WEBCLEAN_CHUNKS", opts.chunks, priority="cmdline")
    asked.set("FEEDS", feeds, priority="cmdline")
    if not asked.get("WEBCLEAN_DEDUP_URI"):
        index = index_beside(state).resolve()
        asked.set("WEBCLEAN_DEDUP_URI", f"sqlite:///{index}", priority="command")
    if opts.shard and not asked.get("WEBCLEAN_DEDUP_RUN"):  # reposts in two processes at once
        asked.set("WEBCLEAN_DEDUP_RUN", "watch", priority="command")
    asked.set("WEBCLEAN_DEDUP_EXPIRE_DAYS", INDEX_DAYS, priority="command")  # else it only grows
    asked.set("WEBCLEAN_DROP_NON_ARTICLES", True, priority="cmdline")  # lists are found by it
    headlines: list[str] = []

    def note(item: ArticleItem) -> None:
        headlines.append((item.headline or hide_login(item.url))[:MAX_TITLE])

    names = ("since", "within", "shard", "max_pages", "site_time")
    arguments: dict[str, Any] = {name: str(getattr(opts, name)) for name in names}
    arguments |= {"name": "webclean", "sites": sites, "state": str(state)}
    crawler = run_crawl(asked, WatchSpider, on_item=note, **arguments)
    crawl_stats, spider = crawler.stats.get_stats(), crawler.spider
    shown = [f"  {one}" for one in headlines[:SHOWN]]
    if len(headlines) > SHOWN:
        shown.append(f"  and {len(headlines) - SHOWN:,} more")
    for line in (*_site_lines(getattr(spider, "lines", ())), *shown):
        print(visible_line(line), file=sys.stderr)
    summary = Summary(crawl_stats)
    end = f"new: {summary.articles:,}"
    if problem := getattr(spider, "problem", "") or summary.loss:
        print(f"webclean watch: {end}; {problem}", file=sys.stderr)
        return 1
    is_whole = crawl_stats.get("finish_reason") not in UNFINISHED
    end += f"; result: {output}" if output.exists() else ""
    print(end if is_whole else f"{end}; stopped before the end", file=sys.stderr)
    return 0 if is_whole else STOPPED


def _feeds(opts: argparse.Namespace) -> tuple[Path, dict[str, dict[str, Any]]]:
    """Return the file or folder that is written to, and the ``FEEDS``. Raises UsageError."""
    output = Path(opts.output)
    if documents := article_output.document_feed(opts):
        if opts.chunks:
            raise UsageError("--chunks writes lines of JSON, no documents")
        return output, documents
    if article_output.is_folder(opts.output):
        output = output / time.strftime("%Y-%m-%dT%H%M%S.jsonl", time.gmtime())
    if output.suffix not in _LINES:
        raise UsageError(
            article_output.name_problem(opts.output, "a .jsonl or .csv file, a folder")
        )
    form = "chunks" if opts.chunks else _LINES[output.suffix]
    if opts.chunks and output.suffix == ".csv":
        raise UsageError("--chunks writes lines of JSON: -o FILE.jsonl, or a folder")
    feed = {"format": form, "overwrite": False, "store_empty": False}
    return output, {str(output).replace("%", "%%"): feed}


def _site_lines(lines: Sequence[tuple[bool, str]]) -> Iterator[str]:
    """Yield lines on sites with news or problems, and one line on all others."""
    yield from (line for says, line in lines if says)
    if quiet := sum(not says for says, _ in lines):
        other = "other " * (quiet < len(lines))
        yield f"{quiet:,} {other}site{'s' * (quiet > 1)}: nothing new, nothing wrong"


def _run_rounds(pause: float) -> int:
    """Run each round in a new process until one is stopped; return the exit code.

    Memory that a round took is given back, and a round that dies takes no other with it.
    """
    words = sys.argv[2:] if sys.argv[1:2] == ["webclean"] else sys.argv[1:]  # scrapy webclean
    for place, word in enumerate(words):
        if word == "--every" or word.startswith("--every="):
            del words[place : place + (2 if word == "--every" else 1)]
            break
    run_again = "from webclean_scrapy.__main__ import main; sys.exit(main())"
    command = python_command(run_again, *words)
    child: subprocess.Popen[bytes] | None = None
    try:
        while True:
            began = time.monotonic()
            # A session of its own: Ctrl-C reaches this process alone, which passes it on once.
            child = subprocess.Popen(command, start_new_session=True)  # noqa: S603
            if (code := child.wait()) == 2:
                return code
            time.sleep(max(0.0, pause - (time.monotonic() - began)))
    except KeyboardInterrupt:
        if child:
            child.send_signal(signal.SIGTERM)
            child.wait()
        return 0


def _read_sites(opts: argparse.Namespace) -> dict[str, list[str]]:
    sites: dict[str, list[str]] = {}
    for url in map(plain_address, opts.urls):
        if Path(url).is_file():
            raise UsageError(f"{url} is a file: --sites {url} reads the sites in it")
        sites[url if "://" in url else f"https://{url}"] = []
    name = opts.sites
    if name and name != "-" and b"<opml" in (text := Path(name).read_bytes())[:4096].lower():
        try:
            named, unread = read_opml(text)
        except ValueError as error:
            raise UsageError(f"--sites {name}: {error}") from error
        sites |= named
        for url in unread:
            print(
                f"webclean watch: {name}: not read: {hide_login(url)[:MAX_SHOWN]}", file=sys.stderr
            )
    elif name:
        sites |= {url: [] for url in read_url_list(name)}
    for url in chain(sites, *sites.values()):
        if problem := address_problem(url):
            raise UsageError(f"{hide_login(url)[:MAX_SHOWN]}: {problem}")
    if not sites:
        empty = f"--sites {name} names no site" if name else ""
        raise UsageError(empty or "watch needs a URL or --sites FILE")
    return sites
