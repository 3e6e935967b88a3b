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
from collections import Counter, deque
from concurrent.futures import Future
from dataclasses import replace
from functools import cache, partial
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
from webclean_scrapy.commands.run_state import RunState
from webclean_scrapy.commands.sources import (
    address_problem,
    is_piped,
    is_url,
    read_config,
    read_url_list,
    scheme_hint,
)
from webclean_scrapy.commands.stored_pages import StoredPages
from webclean_scrapy.commands.terminal import progress, say
from webclean_scrapy.crawl.settings_files import read_profile
from webclean_scrapy.crawl.workers.backend import MOST_FAILURES
from webclean_scrapy.crawl.workers.process import (
    DIED,
    ERROR,
    EXIT_S,
    FAILING_HOST,
    REASON_TEXT,
    TIMEOUT,
    WorkerFailedError,
    WorkerLostError,
    WorkerProcess,
    close_all,
)
from webclean_scrapy.engines.page_cleaner import (
    clean_in_worker,
    clean_source_in_worker,
    host_partition,
    place_address,
    start_worker,
    without_page,
)
from webclean_scrapy.export.formats import CHUNK_FIELDS, FORMATS, DocumentNames
from webclean_scrapy.export.parquet import PARQUET, check_pyarrow
from webclean_scrapy.settings import WebcleanConfig, usable_cores
from webclean_scrapy.web_addresses import host_name, is_of_shard, number_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Iterator

    from scrapy.http import Response
    from scrapy.settings import Settings

    from webclean_scrapy.engines.page_cleaner import Task
    from webclean_scrapy.engines.warc_pages import Place
    from webclean_scrapy.items import ArticleItem

USAGE = "FILE|FOLDER|URL|- ... [options]"
_IN_FLIGHT = 16  # pages for each process that wait for their turn
_AHEAD = 8  # pages that the process of a host may be given more than another one
_COSTLY = frozenset({DIED, TIMEOUT})  # reasons of failures that cost a process
_CLEANED_A_FAILURE = 10  # pages of a host that are cleaned for each failure beyond the first ones
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
    files = [source for source in sources if not is_url(source)]
    urls = [source for source in sources if is_url(source)]
    if opts.urls:
        urls += read_url_list(opts.urls)
    if not files and not urls:
        empty = f"{opts.urls} holds no URL" if opts.urls else ""
        raise UsageError(empty or "clean needs at least one FILE, FOLDER, URL or -")
    one = len(files) == 1 and not urls and not Path(files[0]).is_dir()
    if opts.url and not (one and is_url(opts.url) and not address_problem(opts.url)):
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
        """Skip the pages written by a stopped run of the same command."""
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
            len(self._shown),
            to.written,
            self.articles,
            to.end,
            len(to.names.taken),
            self.sources,
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


def clean_all(
    tasks: Iterable[Task], config: WebcleanConfig, names: tuple[str, ...], processes: int
) -> Iterator[ArticleItem | None]:
    """Yield the result of `PageCleaner.clean` for each page, in the order of *tasks*.

    The processes are made at once, before this one has another thread.
    """
    return _clean_in(_PagesInWorkers(config, names, processes), tasks)


def _clean_in(pages: _PagesInWorkers, tasks: Iterable[Task]) -> Iterator[ArticleItem | None]:
    try:
        for task in tasks:
            pages.give(task)
            if len(pages.waiting) >= _IN_FLIGHT * len(pages.workers):
                yield pages.take()
        while pages.waiting:
            yield pages.take()
    finally:
        close_all([(worker, None) for worker in pages.workers], EXIT_S)


class _Given(NamedTuple):
    """A page that a worker process was given."""

    task: Task
    worker: WorkerProcess
    future: Future[ArticleItem | None]


class _PagesInWorkers:
    """Gives pages to worker processes and takes the articles in the same order.

    The pages of a host go to one process, which learns their templates, and to others when it has
    been given more than they have. That depends on no clock, so the same pages are cleaned alike
    each time, unless a process fails. It may have failed on a sibling of the page in hand, so that
    is cleaned once more alone. A page that fails alone is read from its source, and later ones are
    not compared with it. All pages of a host are read from their source once MOST_FAILURES of them
    cost their process, and one more for each ten that are cleaned.
    """

    def __init__(self, config: WebcleanConfig, names: tuple[str, ...], processes: int) -> None:
        cleaning = config.clean_config(read_profile(config))
        options = cleaning, names, config.drop_non_articles
        seconds = config.worker_timeout_s
        self.workers = [
            WorkerProcess(start_worker, *options, timeout_s=seconds).fork()
            for _ in range(processes)
        ]
        self.waiting: deque[_Given] = deque()
        self._given = [0] * processes
        #: Pages on which a process failed; sent with each task, as it is then.
        self._failed: list[Place] = []
        #: By host; of files without an address none is known.
        self._failures, self._cleaned = Counter[str](), Counter[str]()
        self._start_here = cache(partial(start_worker, *options))  # if no process can be started

    def give(self, task: Task) -> None:
        least = self._given.index(min(self._given))
        many = len(self._given)
        chosen = least if task.is_alone else host_partition(place_address(task.place), many)
        if self._given[chosen] >= self._given[least] + _AHEAD:
            chosen = least
        self._given[chosen] += 1
        self.waiting.append(self._ask(task, self.workers[chosen]))

    def _ask(self, task: Task, worker: WorkerProcess) -> _Given:
        if self._is_failing(host_name(task.place.url)):
            return _Given(task, worker, worker.submit(clean_source_in_worker, task, FAILING_HOST))
        given = _Given(task, worker, Future())
        self._try(given, task)
        return given

    def _try(self, given: _Given, task: Task, *, urgent: bool = False) -> None:
        future = given.worker.submit(clean_in_worker, task, self._failed, urgent=urgent)
        future.add_done_callback(partial(self._judge, given, task))

    def _judge(self, given: _Given, tried: Task, future: Future[ArticleItem | None]) -> None:
        """Pass the article on, or try its page once more alone, before the worker's next task."""
        error, host = future.exception(), host_name(tried.place.url)
        alone = replace(tried, siblings=(), parts=(), article=())
        if error is None:
            self._cleaned[host] += 1
            given.future.set_result(future.result())
        elif _is_blamed(error) and alone != tried:
            self._try(given, alone, urgent=True)
        else:
            given.future.set_exception(error)
            if _is_blamed(error):
                self._failed.append(tried.place)
            if host and isinstance(error, WorkerFailedError) and error.reason in _COSTLY:
                self._count_failure(host)

    def _count_failure(self, host: str) -> None:
        """Read the queued pages of *host* from their source, after several failures."""
        was_failing = self._is_failing(host)
        self._failures[host] += 1
        if self._is_failing(host) and not was_failing:
            for one in self.workers:
                one.fail_queued(FAILING_HOST, lambda call: self._is_of(host, call))
            say(f"{host}: its process {REASON_TEXT[FAILING_HOST]}; their source is read")

    def _is_failing(self, host: str) -> bool:
        return self._failures[host] >= MOST_FAILURES + self._cleaned[host] // _CLEANED_A_FAILURE

    @staticmethod
    def _is_of(host: str, call: Any) -> bool:
        function, (task, *_) = call
        return function is clean_in_worker and host_name(task.place.url) == host

    def take(self) -> ArticleItem | None:
        """Wait for the article of the page that was given first."""
        task, worker, future = self.waiting.popleft()
        try:
            return self._answer(future, clean_in_worker, task, self._failed)
        except WorkerFailedError as error:
            reason = error.reason
        except Exception as error:  # noqa: BLE001, the other pages go on
            say(f"{task.name or task.place.url}: {error!r:.200}; its source is read")
            reason = ERROR
        try:
            again = worker.submit(clean_source_in_worker, task, reason, urgent=True)
            return self._answer(again, clean_source_in_worker, task, reason)
        except Exception:  # noqa: BLE001, the same again
            problem = f"its process {REASON_TEXT[reason]}"
            return without_page(task.name or task.place.url, "worker", problem)

    def _answer(
        self,
        future: Future[ArticleItem | None],
        function: Callable[..., ArticleItem | None],
        *arguments: Any,
    ) -> ArticleItem | None:
        """Wait for the result of *function*; call it here if there is no process any more."""
        try:
            return future.result()
        except WorkerLostError:
            self._start_here()
            return function(*arguments)


def _is_blamed(error: BaseException) -> bool:
    """True for an error that a page, or one that it was compared with, has caused."""
    if isinstance(error, WorkerFailedError):
        return error.reason in _COSTLY
    return not isinstance(error, WorkerLostError)
