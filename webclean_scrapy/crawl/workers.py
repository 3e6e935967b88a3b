"""Cleaning in worker processes, so that the event loop is free to crawl.

Processes are new ones, never forked (a fork would copy a running reactor), begin with the first
page and live as long as the crawl. All pages of a host go to one worker, which learns and keeps
their templates. A worker that dies, or that needs longer for a page than the time limit, is
replaced: the new one reads that page from its source alone, which costs little whatever the page
is, and the other pages wait. What the old process had learned is learned again. A page on which
the second process fails too is passed through unchanged.
"""

from __future__ import annotations

import zlib
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from scrapy.utils.datatypes import LocalCache

from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.cleaning.templates.url_shapes import url_shape
from webclean_scrapy.crawl.cleaning_backend import (
    ALL_FIELDS,
    MARKED_TEXTS,
    TEMPLATE_FILES,
    add_template_data,
    clean_source_to_fields,
    clean_to_fields,
    is_recognised,
    learn_or_refuse,
    make_cleaner,
    templates_as_data,
)
from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.crawl.pending import wait_for_result
from webclean_scrapy.crawl.worker_process import (
    DIED,
    TIMEOUT,
    WorkerFailedError,
    WorkerLostError,
    WorkerProcess,
    close_all,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from webclean_scrapy.cleaning.cleaner import Cleaner
    from webclean_scrapy.cleaning.config import CleanConfig
    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.dedup.fingerprint_methods import PageFingerprinter

logger = safe_logger(__name__)

CLOSE_S = 10.0  # seconds that the workers have to write their templates when the crawl ends
MESSAGES = {
    DIED: "a worker process died while it cleaned this page",
    TIMEOUT: "a worker process needed longer than WEBCLEAN_WORKER_TIMEOUT_S for this page",
}

_T = TypeVar("_T")
# Set once, in a worker.
_CLEANER: ContextVar[Cleaner] = ContextVar("webclean_cleaner")
_FINGERPRINTER: ContextVar[PageFingerprinter] = ContextVar("webclean_fingerprinter")


class _Worker:
    """A process, and the URL shapes of which it knows the template."""

    def __init__(self, setup: tuple[Any, ...], timeout_s: float, max_templates: int) -> None:
        self._max_templates = max_templates
        self.forget()
        self.process = WorkerProcess(_start, *setup, timeout_s=timeout_s, forget=self.forget)

    def forget(self) -> None:
        """Know no template: another process begins."""
        self.known: LocalCache[str, None] = LocalCache(limit=self._max_templates)


class WorkerBackend:
    """Spreads hosts over worker processes.

    Where none can be started, pages are cleaned in this process, with one warning.
    *dedup*: of the fingerprints that are made where the page is cleaned; None: none are.
    """

    def __init__(
        self,
        config: CleanConfig,
        directory: Path | None,
        *,
        count: int,
        max_templates: int,
        timeout_s: float,
        dedup: DedupConfig | None = None,
    ) -> None:
        self._config, self._directory = config, directory
        setup = config, directory, dedup
        self._workers = [_Worker(setup, timeout_s, max_templates) for _ in range(count)]
        self._cleaner: Cleaner | None = None  # in this process, once a worker was lost

    def knows_template(self, url: str) -> bool:
        if self._cleaner is not None and self._cleaner.knows_template(url):
            return True
        return url_shape(url) in self._worker_of(url).known

    async def wait_until_ready(self, url: str) -> None:
        if not self._worker_of(url).process.is_ready:
            await self._call(lambda _: None, _do_nothing, RawPage(b"", url, None), urgent=True)

    async def recognises_template(self, page: RawPage) -> bool:
        return await self._call(lambda _: False, is_recognised, page, urgent=True)

    async def clean_page(
        self, page: RawPage, *, articles_only: bool, fields: frozenset[str] = ALL_FIELDS
    ) -> dict[str, Any]:
        def pass_through(reason: str) -> dict[str, Any]:
            return {"error": reason, "message": MESSAGES[reason]}

        found = await self._call(pass_through, _clean, page, articles_only, fields)
        reason = found.get("error")
        if reason in MESSAGES:
            source = partial(_clean_source, fields=fields)
            return await self._call(pass_through, source, page, articles_only, reason)
        return found

    async def learn_sibling(self, page: RawPage, sibling: RawPage) -> str | None:
        return await self._call(str, learn_or_refuse, page, sibling, urgent=True)

    async def export_templates(self, url: str) -> list[dict[str, Any]]:
        about = RawPage(b"", url, None)
        return await self._call(lambda _: [], templates_as_data, about, urgent=True)

    async def import_templates(self, url: str, templates: list[dict[str, Any]]) -> int:
        about = RawPage(b"", url, None)
        return await self._call(lambda _: 0, add_template_data, about, templates, urgent=True)

    def close(self, directory: Path | None) -> None:
        """Write the templates and end the processes, which are killed after `CLOSE_S`."""
        lasts = [
            (_save, (directory / TEMPLATE_FILES.format(number),)) if directory else None
            for number in range(len(self._workers))
        ]
        processes = [worker.process for worker in self._workers]
        killed = close_all(list(zip(processes, lasts, strict=True)), CLOSE_S)
        if killed:
            logger.warning("%d worker processes did not end in %g s and were killed; templates "
                           "that they had learned may be lost", killed, CLOSE_S)  # fmt: skip

    async def _call(
        self,
        failed: Callable[[str], _T],
        function: Callable[..., _T],
        page: RawPage,
        *arguments: Any,
        urgent: bool = False,
    ) -> _T:
        """Return ``function(cleaner, page, *arguments)``, computed by the worker of the host.

        What pages wait for before they are cleaned is *urgent*.
        ``failed(reason)`` is returned when the worker died, or took too long, on this page.
        """
        worker = self._worker_of(page.url)
        try:
            answer: tuple[_T, bool] = await wait_for_result(
                worker.process.submit(_work, function, page, *arguments, urgent=urgent)
            )
        except WorkerFailedError as error:
            return failed(error.reason)
        except WorkerLostError:
            return function(self._fall_back(), page, *arguments)
        result, is_known = answer
        if is_known:
            worker.known[url_shape(page.url)] = None
        return result

    def _worker_of(self, url: str) -> _Worker:
        host = urlsplit(url).netloc.encode()
        return self._workers[zlib.crc32(host) % len(self._workers)]

    def _fall_back(self) -> Cleaner:
        """Return the cleaner of this process, which does the work of a worker that is lost."""
        if self._cleaner is None:
            logger.warning("A worker process cannot be started; the main process cleans its pages")
            self._cleaner = make_cleaner(self._config, self._directory)
        return self._cleaner


def _start(config: CleanConfig, directory: Path | None, dedup: DedupConfig | None) -> None:
    """Set up a worker."""
    _CLEANER.set(make_cleaner(config, directory))
    if dedup is not None:
        from webclean_scrapy.dedup.fingerprint_methods import PageFingerprinter

        _FINGERPRINTER.set(PageFingerprinter(dedup))


def _clean(
    cleaner: Cleaner, page: RawPage, articles_only: bool, fields: frozenset[str]
) -> dict[str, Any]:
    return _with_fingerprint(clean_to_fields(cleaner, page, articles_only, fields))


def _clean_source(
    cleaner: Cleaner, page: RawPage, articles_only: bool, reason: str, *, fields: frozenset[str]
) -> dict[str, Any]:
    return _with_fingerprint(
        clean_source_to_fields(cleaner.config, page, articles_only, reason, fields=fields)
    )


def _with_fingerprint(fields: dict[str, Any]) -> dict[str, Any]:
    """Return *fields* and the fingerprint of the text, which costs the event loop nothing here."""
    maker = _FINGERPRINTER.get(None)
    if maker is not None and fields.get("text") and MARKED_TEXTS in fields:
        text, title, marked = fields["text"], fields["title"] or "", fields[MARKED_TEXTS]
        fields["fingerprint"] = maker.make(text, title=title, marked=marked)
    return fields


def _work(function: Callable[..., _T], page: RawPage, *arguments: Any) -> tuple[_T, bool]:
    """Return the result of *function*, and whether the template of *page* is known now."""
    cleaner = _CLEANER.get()
    result: _T = function(cleaner, page, *arguments)
    return result, cleaner.knows_template(page.url)


def _do_nothing(cleaner: Cleaner, page: RawPage) -> None:
    """Take the place of work: the answer says that the process has started."""


def _save(path: Path) -> None:
    _CLEANER.get().save(path)
