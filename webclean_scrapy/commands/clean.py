"""Print or write the article of each page: files, folders, WARCs, URLs.

Pages of one host show each other what is template; a file is of the host of the address that
its page names, else files of one folder belong together. Keywords are found only when they are
asked for: -s WEBCLEAN_FIELDS=all.

examples:
  webclean clean page.html
  webclean clean https://www.example.com/story --format markdown
  webclean clean saved/ -o articles.jsonl.gz
  webclean clean saved/ --shard 2/8 -o articles-2.jsonl.zst
  webclean clean crawl.warc.gz --format xml-tei -o articles/
  webclean clean pages.jsonl.gz --json  (lines with url and html)
  webclean clean --urls list.txt -o articles.parquet
  webclean clean saved/ --chunks 400 -o pieces.jsonl
  webclean clean - --url https://www.example.com/story < page.html
  webclean clean saved/ --gold corrected.jsonl
"""

from __future__ import annotations

import sys
import tempfile
from array import array
from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from scrapy.exceptions import UsageError

from webclean_scrapy import stats
from webclean_scrapy.cleaning.method_names import SOURCE
from webclean_scrapy.commands.article_output import (
    ONE_A_FILE,
    WITH_FIELDS,
    ArticleWriter,
    add_format_arguments,
    document_format,
    is_folder,
    packing_of,
)
from webclean_scrapy.commands.command_line import shard, whole_number
from webclean_scrapy.commands.gold import GoldTexts
from webclean_scrapy.commands.page_workers import clean_all
from webclean_scrapy.commands.run_state import RunState
from webclean_scrapy.commands.sources import (
    address_problem,
    is_piped,
    read_config,
    read_url_list,
    scheme_hint,
)
from webclean_scrapy.commands.stored_pages import StoredPages
from webclean_scrapy.commands.terminal import progress, say
from webclean_scrapy.export.formats import CHUNK_FIELDS, FORMATS, DocumentNames
from webclean_scrapy.export.parquet import PARQUET, check_pyarrow
from webclean_scrapy.settings import WebcleanConfig, usable_cores
from webclean_scrapy.web_addresses import is_of_shard, is_web, number_of

if TYPE_CHECKING:
    import argparse

    from scrapy.http import Response
    from scrapy.settings import Settings

    from webclean_scrapy.items import ArticleItem

USAGE = "FILE|FOLDER|URL|- ... [options]"
_A_PROCESS = 200  # pages for each process at least; its start costs as much as 40


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("sources", nargs="*", metavar="FILE|FOLDER|URL|-", help="'-': a page or a WARC on stdin")
    add("--urls", metavar="FILE", help="addresses, one a line ('-': stdin)")
    add("--url", help="the address of the one page that is a file or on stdin")
    add("--json", action="store_const", const="json", dest="format", help="as --format json")
    formats = "default: by the suffix of FILE, or text; json is JSON lines"
    add_format_arguments(parser, FORMATS, formats)
    place = "a file, packed if it ends in .gz or .zst, or a folder with a file for each page"
    add("-o", "--output", metavar="FILE|FOLDER/", help=f"{place}; default: standard output")
    many = "processes that clean; default: as many as cores, fewer for a few pages"
    add("--parallel", type=partial(whole_number, least=1), metavar="N", help=many)
    part = "take the second of eight parts: of files by name, of archives and URLs by host"
    add("--shard", type=shard, default="", metavar="2/8", help=part)
    gold = "compare with the corrected texts of FILE: a table by site, in place of articles"
    add("--gold", metavar="FILE", help=gold)


def run(opts: argparse.Namespace, settings: Settings) -> int:
    """Write the article of each page, files first; return the exit code.

    It is 1 when a page could not be read or cleaned, or none could be compared.
    """
    files, urls = _check(opts)
    if opts.chunks:
        settings.set("WEBCLEAN_CHUNKS", opts.chunks, priority="cmdline")
    job = _Job(opts, settings, files)
    try:
        with job.writer.opened():
            if files:
                job.clean_files(files)
            if urls:
                job.clean_urls(urls)
    except BaseException:  # what is written can be resumed, whatever stopped the run
        try:
            job.save()
        except OSError as error:
            say(f"{job.state.path}: {error.strerror or error}; the run cannot be resumed")
        raise
    if job.writer.place:
        job.state.path.unlink(missing_ok=True)
    unlabelled = job.gold.problem if job.gold else ""
    if unlabelled:
        say(unlabelled)
    elif job.gold:
        print(job.gold.report())
    print(job.summary(), file=sys.stderr)
    return int(job.failed > 0 or bool(unlabelled))


def _check(opts: argparse.Namespace) -> tuple[list[str], list[str]]:
    """Split the sources into files and URLs. Raises UsageError, OSError."""
    if opts.gold and (opts.output or opts.format or opts.chunks):
        raise UsageError("--gold prints a table in place of articles; it takes no output or format")
    named = opts.format or document_format(opts.output)
    opts.format = "json" if opts.chunks and not opts.format and named == "text" else named
    if opts.chunks and opts.format != "json":
        raise UsageError(f"--chunks writes lines of JSON, not {opts.format}")
    sources = opts.sources or ([] if opts.urls or not is_piped() else ["-"])
    files = [source for source in sources if not is_web(source)]
    urls = [source for source in sources if is_web(source)]
    if opts.urls:
        urls += read_url_list(opts.urls)
    if not files and not urls:
        empty = f"{opts.urls} holds no URL" if opts.urls else ""
        raise UsageError(empty or "clean needs at least one FILE, FOLDER, URL or -")
    one = len(files) == 1 and not urls and not Path(files[0]).is_dir()
    if opts.url and not (one and is_web(opts.url) and not address_problem(opts.url)):
        raise UsageError("--url is the http address of one page that is a file or on stdin")
    if opts.format in ONE_A_FILE and not (one or len(urls) == 1) and not is_folder(opts.output):
        raise UsageError(f"several pages as {opts.format} need -o FOLDER/, a file for each")
    if opts.format == PARQUET:
        check_pyarrow("--format parquet")
        if opts.output in {None, "-"} or is_folder(opts.output) or packing_of(opts.output):
            raise UsageError(
                "parquet is packed inside and needs -o FILE.parquet, one for all pages"
            )
    return files, urls


class Checkpoint(NamedTuple):
    """How far a run has come: behind the last page that is written in whole."""

    shown: int = 0  # pages
    written: int = 0
    articles: int = 0
    end: int = 0  # bytes of the draft
    names: int = 0  # of files in a folder
    sources: int = 0  # articles that were read from their source


class _Job:
    """One run of the command: cleans pages, writes articles and counts."""

    def __init__(self, opts: argparse.Namespace, settings: Settings, files: list[str]) -> None:
        self._opts, self._settings = opts, settings
        self.gold = GoldTexts(opts.gold) if opts.gold else None
        self._config = (read_config if files else WebcleanConfig.from_settings)(settings)
        fields: tuple[str, ...] = CHUNK_FIELDS
        if opts.format not in WITH_FIELDS:
            fields = FORMATS[opts.format][2]
        elif not opts.chunks:
            fields = self._config.article_fields
            if not self._config.fields:  # the costliest field
                fields = tuple(name for name in fields if name != "keywords")
        options = {"front_matter": opts.front_matter, "chunks": opts.chunks > 0}
        self.writer = ArticleWriter(opts.format, opts.output, fields, **options)
        self._fields = tuple(dict.fromkeys((*fields, "articleBody", "webclean")))
        self.pages = self.articles = self.failed = self.siblings = self.sources = 0
        of_run = ("sources", "urls", "url", "format", "output", "shard")
        head = [*(getattr(opts, name) for name in of_run), [*self._fields]]
        self.state = RunState(self.writer.shown, head)
        self._shown = array("Q")  # codes of pages
        self._checkpoint = Checkpoint()
        self._shown_before = Counter[int]()
        if saved := self.state.load():
            self._resume(**saved)

    def _resume(self, at: list[int], done: list[int], names: list[str]) -> None:
        self._checkpoint = reached = Checkpoint(*at)
        self.pages, self.articles, self.writer.end = reached.written, reached.articles, reached.end
        self._shown, self._shown_before = array("Q", done), Counter(done)
        self.failed, self.writer.written = len(done) - self.pages, self.pages
        self.sources, self.writer.names = reached.sources, DocumentNames(names)
        say(f"resumed; pages kept: {self.pages:,}; delete {self.state.path} to start anew")

    def save(self) -> None:
        """Save the progress of a stopped run, and print where its pages are."""
        reached = self._checkpoint
        if reached.written and (place := self.writer.place):
            names = list(self.writer.names.taken)[: reached.names]
            self.state.save(at=reached, done=list(self._shown[: reached.shown]), names=names)
            say(f"pages in {place}: {reached.written:,}; the same command resumes")

    def _is_new(self, page: str) -> bool:
        """Return False once for each page that a stopped run has already written."""
        if self._shown_before[code := number_of(page, 8)]:
            self._shown_before[code] -= 1
            return False
        return True

    def clean_files(self, names: list[str]) -> None:
        pages = StoredPages(self.report, url=self._opts.url, shard=self._opts.shard)
        output = self._opts.output
        with tempfile.TemporaryDirectory() as folder:
            pages.find(names, folder, Path(output).resolve() if is_folder(output) else None)
            tasks, total = pages.tasks()
            tasks = (task for task in tasks if self._is_new(task.name or task.place.url))
            done = len(self._shown)
            useful = max(1, min(usable_cores(), (total - done) // _A_PROCESS))
            processes = self._opts.parallel or useful
            items = clean_all(tasks, self._config, self._fields, processes)
            with progress(total, " pages", prints=self.writer.prints, done=done) as more:
                for item in items:
                    self.show(item)
                    more(1)

    def show(self, item: ArticleItem | None, response: Response | None = None) -> None:
        """Write an article, or report why there is none. *response*: of a fetched page."""
        if item is None:
            self.pages += 1
            return
        name, problem = item.webclean.get("file") or item.url, item.webclean.get("message")
        if self.gold:
            self.gold.compare(item)
        try:
            if not problem and (item.articleBody or "").strip():
                if not self.gold:
                    self.writer.write(item)
                self.pages += 1
                self.articles += bool(item.webclean.get("is_article"))
                self.sources += item.webclean.get("extractor") == SOURCE
                if item.webclean.get("cut_off"):
                    say(f"{name}: its archive has only the beginning of the page")
            else:
                self.report(name, problem or "no text was found on the page")
        except OSError as error:
            if not self.writer.is_folder:
                raise
            self.report(name, f"cannot be written: {error.strerror or error}")
        self._shown.append(number_of(response.cb_kwargs["asked"] if response else name, 8))
        # One step, so that a run stopped anywhere resumes behind a whole page.
        to = self.writer
        self._checkpoint = Checkpoint(
            len(self._shown), to.written, self.articles, to.end, len(to.names.taken), self.sources
        )

    def report(self, name: str, problem: str) -> None:
        """Print why a page has no article, and count it."""
        self.failed += 1
        say(f"{name}: {problem}{scheme_hint(name)}")

    def clean_urls(self, urls: list[str]) -> None:
        """Fetch pages, and clean each with its sibling when it arrives."""
        from webclean_scrapy.commands import fetching

        values = fetching.ISOLATED_SETTINGS | {"WEBCLEAN_FIELDS": self._fields}
        values["WEBCLEAN_WORKERS"] = self._opts.parallel or 1
        asked = fetching.command_settings(self._settings, **values)
        urls = [url for url in urls if is_of_shard(url, self._opts.shard) and self._is_new(url)]
        options: dict[str, Any] = {"total": len(urls), "prints": self.writer.prints}
        options |= {"on_item": self.show, "report": self.report}
        crawler = fetching.run_crawl(asked, fetching.AskingSpider, urls=urls, **options)
        found = crawler.stats.get_stats()
        self.siblings = found.get(stats.SIBLING_REQUESTED, 0)
        self.pages += found.get(stats.CLEAN_DROPPED, 0)

    def summary(self) -> str:
        counts = f"pages: {self.pages:,}, articles: {self.articles:,}"
        if self.gold and self.gold.missing:
            counts += f", labelled pages that were not met: {self.gold.missing:,}"
        if self.failed:
            counts += f", failed: {self.failed:,}"
        if self.sources:
            counts += f", read from their source: {self.sources:,}"
        if self.siblings:
            counts += f", sibling requests: {self.siblings:,}"
        return f"{counts}; result: {self.writer.shown}" if self.writer.written else counts
