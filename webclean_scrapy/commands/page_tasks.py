"""Choose the files to clean and the files to learn from, and run the cleaning processes."""

from __future__ import annotations

import zlib
from collections import deque
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from webclean_scrapy.cleaning.templates.sibling_links import rank_siblings
from webclean_scrapy.crawl.worker_process import (
    EXIT_S,
    WorkerFailedError,
    WorkerLostError,
    WorkerProcess,
    close_all,
)
from webclean_scrapy.engines.page_cleaner import (
    Outcome,
    PageCleaner,
    ShapeIndex,
    Task,
    host_partition,
    read_file,
)
from webclean_scrapy.engines.warc_pages import WARC_MARK, Place, is_warc_name, read_warc
from webclean_scrapy.errors import WebcleanError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from concurrent.futures import Future

    from webclean_scrapy.cleaning.config import CleanConfig

    Report = Callable[[str, str], None]  # name of a file or page, what is wrong with it

#: Names of pages in a folder, with or without .gz.
PAGE_SUFFIXES = frozenset({".htm", ".html", ".shtml", ".xhtml"})
SIBLINGS = 2  # of a file that is in one folder with others
_NEARBY = 200  # files before and behind one in its folder that are ranked by name
_IN_FLIGHT = 8  # pages for each process that wait for their turn


class Found(NamedTuple):
    """A file to clean, or an archive of pages."""

    name: str  # for people, "-" for standard input
    path: str


def expand_names(
    names: Iterable[str], report: Report, *, stdin: str = "", output: str | None = None
) -> Iterator[Found]:
    """Yield each file once; of a folder, the pages and archives in it and below, sorted.

    ``-`` is the file *stdin*. Of the folder *output* no file is taken. A folder without a page is
    reported.
    """
    written = Path(output).resolve() if output else None
    seen: set[str] = set()
    for name in names:
        found = [Found(name, stdin if name == "-" else name)]
        if Path(name).is_dir():
            files = filter(Path.is_file, sorted(Path(name).rglob("*")))
            taken = (file for file in files if _is_page_name(file.name) or is_warc_name(file.name))
            found = [
                Found(str(file), str(file))
                for file in taken
                if written is None or written not in file.resolve().parents
            ]
            if not found:
                kinds = ", ".join(sorted(PAGE_SUFFIXES))
                report(name, f"no page is in this folder; looked for {kinds}, .warc and .gz")
        for one in found:
            if one.path not in seen:
                seen.add(one.path)
                yield one


def _is_page_name(name: str) -> bool:
    return Path(name.lower().removesuffix(".gz")).suffix in PAGE_SUFFIXES


def collect_tasks(found: Iterable[Found], report: Report, url: str) -> tuple[Iterator[Task], int]:
    """Return a task for each page, those of archives last, and their number.

    *url* is the address of a single file. Archives that cannot be read are reported. Memory: the
    names of files, and a few places of each URL shape in the archives.
    """
    pages: list[Found] = []
    archives: list[Found] = []
    for one in found:
        (archives if _is_archive(one) else pages).append(one)
    index, total = ShapeIndex(), len(pages)
    for archive in archives:
        try:
            for page in read_warc(archive.path):
                index.add(page)
                total += 1
        except (OSError, WebcleanError) as error:  # noqa: PERF203, a few archives
            report(archive.name, str((isinstance(error, OSError) and error.strerror) or error))
    if url and len(pages) == 1:
        return iter([Task(url, Place(pages[0].path, url=url))]), total
    return chain(_file_tasks(pages), _archive_tasks(archives, index)), total


def _is_archive(one: Found) -> bool:
    """True if a file is a WARC, by its name or, where that says nothing, by its first bytes."""
    if is_warc_name(one.name):
        return True
    try:
        return not _is_page_name(one.name) and read_file(one.path, 4) == WARC_MARK
    except (OSError, EOFError, zlib.error):
        return False  # reported when it is read as a page


def _archive_tasks(archives: Sequence[Found], index: ShapeIndex) -> Iterator[Task]:
    """Yield a task for each page of the archives; others of its URL shape are its siblings."""
    for archive in archives:
        with suppress(OSError, WebcleanError):  # reported before
            for page in read_warc(archive.path):
                yield index.task(page)


def _file_tasks(found: Sequence[Found]) -> Iterator[Task]:
    """Yield a task for each file; files of one folder are siblings of each other."""
    folders: dict[str, list[str]] = {}
    for one in found:
        folders.setdefault(str(Path(one.path).parent), []).append(one.path)
    done = dict.fromkeys(folders, 0)
    for one in found:
        folder = str(Path(one.path).parent)
        siblings = _likely_siblings(folders[folder], done[folder])
        done[folder] += 1
        yield Task(one.name, Place(one.path), tuple(map(Place, siblings)))


def _likely_siblings(names: Sequence[str], index: int) -> list[str]:
    """Return the files that are most likely of the template of one: their names as addresses."""

    def address(name: str) -> str:
        return "http://folder.example/" + quote(Path(name).name)

    near = [*names[max(0, index - _NEARBY) : index], *names[index + 1 : index + 1 + _NEARBY]]
    by_address = {address(name): name for name in near}
    ranked = rank_siblings(by_address, address(names[index]))
    best = [by_address[one.url] for one in ranked if not one.why and one.url in by_address]
    others = sorted(near, key=lambda name: abs(len(name) - len(names[index])))
    return list(dict.fromkeys([*best, *others]))[:SIBLINGS]


def clean_all(
    tasks: Iterable[Task],
    config: CleanConfig,
    *,
    articles_only: bool,
    processes: int,
    timeout_s: float,
    fields: frozenset[str] | None = None,
) -> Iterator[Outcome]:
    """Yield what becomes of each page, in the order of *tasks*.

    *fields* are those that are computed, by default all, see ``CleanedPage.to_dict``. With several
    *processes*, all pages of a host go to one, which learns their templates. *timeout_s*: time
    limit of a page in these, in seconds.
    """
    if processes <= 1:
        yield from map(PageCleaner(config, articles_only=articles_only, fields=fields).clean, tasks)
        return
    setup = config, articles_only, fields
    workers = [
        WorkerProcess(_start_worker, *setup, timeout_s=timeout_s, forget=lambda: None)
        for _ in range(processes)
    ]
    waiting: deque[tuple[Task, Future[Outcome]]] = deque()
    try:
        for number, task in enumerate(tasks):
            url = task.place.url
            worker = workers[host_partition(url, processes) if url else number % processes]
            waiting.append((task, worker.submit(_clean_here, task)))
            if len(waiting) >= _IN_FLIGHT * processes:
                yield _outcome(*waiting.popleft())
        while waiting:
            yield _outcome(*waiting.popleft())
    finally:
        close_all([(worker, None) for worker in workers], EXIT_S)


def _outcome(task: Task, future: Future[Outcome]) -> Outcome:
    try:
        return future.result()
    except WorkerFailedError as error:
        problem = f"its process {error}"
    except WorkerLostError:
        problem = "no process could be started for it"
    return Outcome(task, task.place.url or task.name, problem=problem)


_CLEANERS: list[PageCleaner] = []  # of a worker process: one


def _start_worker(config: CleanConfig, articles_only: bool, fields: frozenset[str] | None) -> None:
    _CLEANERS[:] = [PageCleaner(config, articles_only=articles_only, fields=fields)]


def _clean_here(task: Task) -> Outcome:
    return _CLEANERS[0].clean(task)
