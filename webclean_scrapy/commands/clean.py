"""Print or write the article of each page: files, folders, WARCs, URLs.

Takes saved pages, folders of them, WARC files, any of these as .gz, and addresses.
Pages of one folder or of one host show each other what is template. Every page named is
written; with -s WEBCLEAN_DROP_NON_ARTICLES=True, only articles. Inside a project nothing of
it is touched.

examples:
  webclean clean page.html
  webclean clean https://www.example.com/story --format markdown
  webclean clean saved/ --json -o articles.jsonl --parallel 4
  webclean clean crawl.warc.gz --format xml-tei -o articles/
  webclean clean --urls list.txt -o articles.parquet
  webclean clean saved/ --chunks 400 -o pieces.jsonl
  webclean clean - --url https://www.example.com/story < page.html
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import zlib
from array import array
from collections import Counter, deque
from contextlib import suppress
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from scrapy import signals
from scrapy.exceptions import UsageError

from webclean_scrapy import stats
from webclean_scrapy.cleaning.templates.sibling_links import rank_siblings
from webclean_scrapy.commands.fetching import (
    ISOLATED_SETTINGS,
    AskingSpider,
    address_problem,
    command_settings,
    is_url,
    read_config,
    read_url_list,
    run_crawl,
    scheme_hint,
)
from webclean_scrapy.commands.page_formats import (
    ONE_A_FILE,
    WITH_FIELDS,
    ArticleWriter,
    add_front_matter_argument,
    format_name,
    format_of,
    is_folder,
)
from webclean_scrapy.commands.run_state import RunState
from webclean_scrapy.commands.terminal import crawl_progress, progress, say
from webclean_scrapy.crawl.documents import FORMATS, DocumentNames
from webclean_scrapy.crawl.named_files import PARQUET, check_pyarrow, read_profile
from webclean_scrapy.crawl.worker_process import (
    EXIT_S,
    WorkerFailedError,
    WorkerLostError,
    WorkerProcess,
    close_all,
)
from webclean_scrapy.engines.page_cleaner import (
    PageCleaner,
    PartIndex,
    ShapeIndex,
    Task,
    clean_in_worker,
    host_partition,
    read_file,
    start_worker,
    without_page,
)
from webclean_scrapy.engines.warc_pages import WARC_MARK, Place, is_warc_name, read_warc
from webclean_scrapy.errors import WebcleanError
from webclean_scrapy.items import CHUNKS
from webclean_scrapy.settings import WebcleanConfig

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from concurrent.futures import Future

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import Settings

    from webclean_scrapy.items import ArticleItem

USAGE = "FILE|FOLDER|URL|- ... [options]"
#: Names of pages in a folder, with or without .gz.
PAGE_SUFFIXES = frozenset({".htm", ".html", ".shtml", ".xhtml"})
SIBLINGS = 2  # of a file that is in one folder with others
_NEARBY = 200  # files before and behind one in its folder that are ranked by name
_IN_FLIGHT = 8  # pages for each process that wait for their turn


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    what = "what to clean; '-' is a page or a WARC on standard input"
    add("sources", nargs="*", metavar="FILE|FOLDER|URL|-", help=what)
    add("--urls", metavar="FILE", help="addresses, one a line ('-': stdin)")
    add("--url", help="the address of the one page that is a file or on stdin")
    add(
        "--format",
        type=format_name,
        choices=FORMATS,
        help="default: by the suffix of FILE, or text; json is JSON lines",
    )
    add("--json", action="store_const", const="json", dest="format", help="as --format json")
    add_front_matter_argument(parser)
    size = "write the body in pieces of at most N tokens, each a line of JSON; sets WEBCLEAN_CHUNKS"
    add("--chunks", type=int, default=0, metavar="N", help=size)
    place = "one file, or a folder with a file for each page; default: standard output"
    add("-o", "--output", metavar="FILE|FOLDER/", help=place)
    many = "processes that clean; all pages of a host go to one; default: 1"
    add("--parallel", type=int, default=1, metavar="N", help=many)


def run(opts: argparse.Namespace, settings: Settings) -> int:
    """Write the article of each page, files first, and return the exit code.

    It is 1 when a page could not be read or cleaned.
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
    except KeyboardInterrupt:
        job.save()
        raise
    job.state.path.unlink(missing_ok=True)
    print(job.summary(), file=sys.stderr)
    return int(job.refused > 0)


def _check(opts: argparse.Namespace) -> tuple[list[str], list[str]]:
    """Return the names of files and the URLs. Raises UsageError, OSError."""
    if opts.chunks < 0:
        raise UsageError("--chunks must be at least 1")
    opts.format = opts.format or ("json" if opts.chunks else format_of(opts.output))
    if opts.chunks and opts.format != "json":
        raise UsageError(f"--chunks writes lines of JSON, not {opts.format}")
    files = [source for source in opts.sources if not is_url(source)]
    urls = [source for source in opts.sources if is_url(source)]
    if opts.urls:
        urls += read_url_list(opts.urls)
    if not files and not urls:
        empty = f"{opts.urls} holds no URL" if opts.urls else ""
        raise UsageError(empty or "clean needs at least one FILE, FOLDER, URL or -")
    one = len(files) == 1 and not urls and not Path(files[0]).is_dir()
    if opts.url and not (one and is_url(opts.url) and not address_problem(opts.url)):
        raise UsageError("--url is the http address of one page that is a file or on stdin")
    if opts.parallel < 1:
        raise UsageError("--parallel must be at least 1")
    if opts.format in ONE_A_FILE and not (one or len(urls) == 1) and not is_folder(opts.output):
        raise UsageError(f"several pages as {opts.format} need -o FOLDER/, a file for each")
    if opts.format == PARQUET:
        check_pyarrow("--format parquet")
        if opts.output in {None, "-"} or is_folder(opts.output):
            raise UsageError("parquet needs -o FILE, one for all pages")
    return files, urls


class _Job:
    """Cleans and counts."""

    def __init__(self, opts: argparse.Namespace, settings: Settings, files: list[str]) -> None:
        self._opts, self._settings = opts, settings
        self._config = (read_config if files else WebcleanConfig.from_settings)(settings)
        fields = self._config.article_fields
        if opts.chunks:
            fields = ("headline", CHUNKS)
        options = {"front_matter": opts.front_matter, "chunks": opts.chunks > 0}
        self.writer = ArticleWriter(opts.format, opts.output, fields, **options)
        if opts.format not in WITH_FIELDS:
            fields = FORMATS[opts.format][2]
        self._fields = tuple(dict.fromkeys((*fields, "articleBody", "webclean")))
        self.pages = self.articles = self.refused = self.siblings = 0
        head = [opts.sources, opts.urls, opts.url, opts.format, opts.output, [*self._fields]]
        self.state = RunState(self.writer.shown, head)
        self._done = array("Q")  # codes of the pages that were shown
        self._at = [0, 0, 0, 0, 0]  # after the last of them, see `show`
        self._before = Counter[int]()
        self.state.load(self._resume)

    def _resume(self, at: list[int], done: list[int], names: list[str]) -> None:
        """Go on behind the pages that a stopped run of the same command has written."""
        _, self.pages, self.articles, self.writer.end, _ = self._at = at
        self._done, self._before = array("Q", done), Counter(done)
        self.refused, self.writer.written = len(done) - self.pages, self.pages
        self.writer.names = DocumentNames(names)
        say(f"resumed; pages kept: {self.pages:,}; delete {self.state.path} to start anew")

    def save(self) -> None:
        """Save how far a stopped run has come, and say where its pages are, if there are any."""
        done, pages, _, _, names = self._at
        if pages and (place := self.writer.place):
            named = list(self.writer.names.taken)[:names]
            self.state.save(at=self._at, done=list(self._done[:done]), names=named)
            say(f"pages in {place}: {pages:,}; the same command resumes")

    def _is_new(self, page: str) -> bool:
        """False once for each time that a stopped run has shown *page*."""
        if self._before[code := _code(page)]:
            self._before[code] -= 1
            return False
        return True

    def clean_files(self, names: list[str]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            tasks, total = self._tasks(self._find_files(names, folder))
            tasks = (task for task in tasks if self._is_new(task.place.url or task.name))
            with progress(total, " pages", prints=self.writer.prints) as more:
                more(len(self._done))
                for item in clean_all(tasks, self._config, self._fields, self._opts.parallel):
                    self.show(item)
                    more(1)

    def _find_files(self, names: Iterable[str], folder: str) -> dict[str, str]:
        """Return the path of each file, with its name for people; standard input is in *folder*.

        Of a named folder, the pages and archives in it and below are taken, sorted; without one it
        is reported. No file is taken of the folder that is written to.
        """
        written = Path(self._opts.output).resolve() if is_folder(self._opts.output) else None
        found: dict[str, str] = {}
        for name in names:
            if name == "-":
                path = Path(folder, "standard input")  # an archive is read at any place
                with path.open("wb") as file:
                    shutil.copyfileobj(sys.stdin.buffer, file)
                found[str(path)] = name
                continue
            files = [name]
            if Path(name).is_dir():
                files = [
                    str(one)
                    for one in sorted(Path(name).rglob("*"))
                    if (_is_page_name(one.name) or is_warc_name(one.name)) and one.is_file()
                    if written not in one.resolve().parents
                ]
            if not files:
                kinds = ", ".join(sorted(PAGE_SUFFIXES))
                self.report(name, f"no page is in this folder; looked for {kinds}, .warc and .gz")
            found.update(zip(files, files, strict=True))
        return found

    def _tasks(self, found: Mapping[str, str]) -> tuple[Iterator[Task], int]:
        """Return a task for each page, those of archives last, and their number.

        Archives that cannot be read are reported. Memory: the names of files, and a few places of
        each URL shape.
        """
        archives = [path for path, name in found.items() if _is_archive(path, name)]
        pages = {path: name for path, name in found.items() if path not in set(archives)}
        index, total, url = ShapeIndex(), len(pages), self._opts.url
        for archive in archives:
            try:
                for page in read_warc(archive):
                    index.add(page)
                    total += 1
            except (OSError, WebcleanError) as error:  # noqa: PERF203, a few archives
                self.report(found[archive], getattr(error, "strerror", None) or str(error))
        if url and len(pages) == 1:
            return (Task(url, Place(path, url=url)) for path in pages), total
        return chain(_file_tasks(pages), _archive_tasks(archives, index)), total

    def show(self, item: ArticleItem | None, response: Response | None = None) -> None:
        """Write an article, or say why it is none. *response*: of a page that was fetched."""
        if item is None:
            self.pages += 1
            return
        if "error" in item.webclean:
            self.report(item.url, item.webclean["message"])
        elif not (item.articleBody or "").strip():
            self.report(item.url, "no text was found on the page")
        else:
            try:
                self.writer.write(item)
            except OSError as error:
                if not self.writer.is_folder:
                    raise
                self.report(item.url, f"cannot be written: {error.strerror or error}")
            else:
                self.pages += 1
                self.articles += bool(item.webclean.get("is_article"))
        self._done.append(_code(response.cb_kwargs["asked"] if response else item.url))
        # One step, so that a run stopped anywhere resumes behind a whole page.
        to = self.writer
        self._at = [len(self._done), to.written, self.articles, to.end, len(to.names.taken)]

    def report(self, name: str, problem: str) -> None:
        """Print why a page has no article, and count it."""
        self.refused += 1
        say(f"{name}: {problem}{scheme_hint(name)}")

    def clean_urls(self, urls: list[str]) -> None:
        """Fetch pages and clean each when it arrives, with its sibling."""
        values = ISOLATED_SETTINGS | {"WEBCLEAN_FIELDS": self._fields}
        values["WEBCLEAN_WORKERS"] = self._opts.parallel if self._opts.parallel > 1 else 0
        asked = command_settings(self._settings, **values)
        urls = list(filter(self._is_new, urls))
        with crawl_progress(len(urls), prints=self.writer.prints) as count:

            def watch(crawler: Crawler) -> None:
                count(crawler)
                crawler.signals.connect(self.show, signal=signals.item_scraped)

            crawler = run_crawl(asked, AskingSpider, watch, urls=urls, report=self.report)
        found = crawler.stats.get_stats()
        self.siblings = found.get(stats.SIBLING_REQUESTED, 0)
        self.pages += found.get(stats.CLEAN_DROPPED, 0)

    def summary(self) -> str:
        counts = f"pages: {self.pages:,}, articles: {self.articles:,}, refused: {self.refused:,}"
        if self.siblings:
            counts += f", sibling requests: {self.siblings:,}"
        return f"{counts}; result: {self.writer.shown}" if self.writer.written else counts


def _code(page: str) -> int:
    """Return a number for the address or the name of a page: many of them need little memory."""
    digest = blake2b(page.encode(errors="surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big")


def _is_page_name(name: str) -> bool:
    return Path(name.lower().removesuffix(".gz")).suffix in PAGE_SUFFIXES


def _is_archive(path: str, name: str) -> bool:
    """True if a file is a WARC, by its name or, where that says nothing, by its first bytes."""
    if is_warc_name(name) or _is_page_name(name):
        return is_warc_name(name)
    try:
        return read_file(path, 4) == WARC_MARK
    except (OSError, EOFError, zlib.error):
        return False  # reported when it is read as a page


def _archive_tasks(archives: Iterable[str], index: ShapeIndex) -> Iterator[Task]:
    """Yield a task for each page of the archives; others of its URL shape are its siblings.

    Pages that may be later parts of an article come last.
    """
    later = []
    for archive in archives:
        with suppress(OSError, WebcleanError):  # reported before
            for place in read_warc(archive):
                if index.parts.is_later(place.url):
                    later.append(place)
                else:
                    yield index.task(place)
    yield from map(index.task, later)


def _file_tasks(pages: Mapping[str, str]) -> Iterator[Task]:
    """Yield a task for each file; files of one folder are siblings of each other.

    Those whose names go on, as ``story.html`` and ``story_2.html``, may be parts of one article.
    """
    folders: dict[Path, list[str]] = {}
    parts = PartIndex()
    for path in pages:
        folders.setdefault(Path(path).parent, []).append(path)
        parts.add(_address(path), Place(path))
    for path in pages:
        parts.find(_address(path), Place(path))  # first pages are known from here on
    done = Counter[Path]()
    for path, name in pages.items():
        folder = Path(path).parent
        siblings = _likely_siblings(folders[folder], done[folder])
        done[folder] += 1
        place = Place(path)
        more, article = parts.find(_address(path), place)
        # Parts share what is no template. Files 1.html and 2.html are pages like all others.
        left_out = set() if Path(path).stem.isdigit() else {*more, *article}
        others = tuple(one for one in map(Place, siblings) if one not in left_out)
        yield Task(name, place, others, more, article)


def _address(path: str) -> str:
    """Return the path of a file as an address."""
    return "http://folder.example/" + quote(path.lstrip("/"))


def _likely_siblings(names: Sequence[str], index: int) -> list[str]:
    """Return the files that are most likely of the template of one: their names as addresses."""
    near = [*names[max(0, index - _NEARBY) : index], *names[index + 1 : index + 1 + _NEARBY]]
    by_address = {_address(Path(name).name): name for name in near}
    ranked = rank_siblings(by_address, _address(Path(names[index]).name))
    best = [by_address[url] for url in ranked if url in by_address]
    others = sorted(near, key=lambda name: abs(len(name) - len(names[index])))
    return list(dict.fromkeys([*best, *others]))[:SIBLINGS]


def clean_all(
    tasks: Iterable[Task], config: WebcleanConfig, names: tuple[str, ...], processes: int
) -> Iterator[ArticleItem | None]:
    """Yield what `PageCleaner.clean` makes of each page, in the order of *tasks*.

    With several *processes*, all pages of a host go to one, which learns their templates.
    """
    cleaning, articles_only = config.clean_config(read_profile(config)), config.drop_non_articles
    if processes <= 1:
        cleaner = PageCleaner(cleaning, names, articles_only=articles_only)
        yield from map(cleaner.clean, tasks)
        return
    setup = start_worker, cleaning, names, articles_only
    workers = [WorkerProcess(*setup, timeout_s=config.worker_timeout_s) for _ in range(processes)]
    waiting: deque[tuple[Task, Future[ArticleItem | None]]] = deque()
    try:
        for number, task in enumerate(tasks):
            url = task.place.url
            worker = workers[host_partition(url, processes) if url else number % processes]
            waiting.append((task, worker.submit(clean_in_worker, task)))
            if len(waiting) >= _IN_FLIGHT * processes:
                yield _result(*waiting.popleft())
        while waiting:
            yield _result(*waiting.popleft())
    finally:
        close_all([(worker, None) for worker in workers], EXIT_S)


def _result(task: Task, future: Future[ArticleItem | None]) -> ArticleItem | None:
    try:
        return future.result()
    except WorkerFailedError as error:
        problem = f"its process {error}"
    except WorkerLostError:
        problem = "no process could be started for it"
    return without_page(task.place.url or task.name, "worker", problem)
