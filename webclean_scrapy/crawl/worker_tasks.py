"""What a worker process does for the crawl: tasks of `webclean_scrapy.crawl.workers`.

Loads what cleaning needs, and nothing of Scrapy, which takes 40 MB in every process.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TypeVar

from webclean_scrapy.crawl.cleaning_backend import (
    clean_source_to_fields,
    clean_to_fields,
    make_cleaner,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from webclean_scrapy.cleaning.cleaner import Cleaner
    from webclean_scrapy.cleaning.config import CleanConfig
    from webclean_scrapy.cleaning.page.raw_page import RawPage
    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.dedup.fingerprint_methods import PageFingerprinter

_T = TypeVar("_T")
# Set once, in a worker.
_CLEANER: ContextVar[Cleaner] = ContextVar("webclean_cleaner")
_FINGERPRINTER: ContextVar[PageFingerprinter] = ContextVar("webclean_fingerprinter")


def start(config: CleanConfig, directory: Path | None, dedup: DedupConfig | None) -> None:
    """Set up a worker. What Chinese alone needs (70 MB) waits for a page: nothing else does."""
    _CLEANER.set(make_cleaner(config, directory, chinese=False))
    if dedup is not None:
        from webclean_scrapy.dedup.fingerprint_methods import PageFingerprinter

        _FINGERPRINTER.set(PageFingerprinter(dedup))


def work(function: Callable[..., _T], page: RawPage, *arguments: Any) -> tuple[_T, bool]:
    """Return the result of *function*, and whether the template of *page* is known now."""
    cleaner = _CLEANER.get()
    result: _T = function(cleaner, page, *arguments)
    return result, cleaner.knows_template(page.url)


def clean(cleaner: Cleaner, page: RawPage, articles_only: bool) -> dict[str, Any]:
    """Return the fields of the page and its fingerprint."""
    return _with_fingerprint(clean_to_fields(cleaner, page, articles_only))


def clean_source(
    cleaner: Cleaner, page: RawPage, articles_only: bool, reason: str
) -> dict[str, Any]:
    """Return what `clean` does, read from the source alone."""
    return _with_fingerprint(clean_source_to_fields(cleaner.config, page, articles_only, reason))


def do_nothing(cleaner: Cleaner, page: RawPage) -> None:
    """Take the place of work: the answer says that the process has started."""


def save(path: Path) -> None:
    """Write the templates that this process has learned."""
    _CLEANER.get().save(path)


def _with_fingerprint(fields: dict[str, Any]) -> dict[str, Any]:
    """Return *fields* and the fingerprint of the text, which costs the event loop nothing here."""
    maker = _FINGERPRINTER.get(None)
    if maker is not None and fields.get("text"):
        text, title, marked = fields["text"], fields["title"] or "", fields["marked_texts"]
        fields["fingerprint"] = maker.make(text, title=title, marked=marked)
    return fields
