"""What a worker process does for the crawl: tasks of `webclean_scrapy.crawl.workers`.

Loads what cleaning needs, and nothing of Scrapy, which takes 40 MB in every process.
"""

from __future__ import annotations

import gc
import pickle
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from webclean_scrapy.cleaning.templates.url_shapes import url_shape
from webclean_scrapy.crawl.cleaning_backend import (
    MARKED_TEXTS,
    add_template_data,
    clean_source_to_fields,
    clean_to_fields,
    make_cleaner,
)
from webclean_scrapy.report.template_report import list_templates

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from webclean_scrapy.cleaning.cleaner import Cleaner
    from webclean_scrapy.cleaning.config import CleanConfig
    from webclean_scrapy.cleaning.page.raw_page import RawPage
    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.dedup.fingerprint_methods import PageFingerprinter
    from webclean_scrapy.report.template_report import TemplateView

GC_THRESHOLD = 5_000  # objects more than before, until cycles are looked for; 700 by default

_T = TypeVar("_T")
# Set once, in a worker.
_CLEANER: ContextVar[Cleaner] = ContextVar("webclean_cleaner")
_FINGERPRINTER: ContextVar[PageFingerprinter] = ContextVar("webclean_fingerprinter")


def start(config: CleanConfig, directory: Path | None, dedup: DedupConfig | None) -> None:
    """Set up a worker; what only some pages need (Chinese: 60 MB) waits for the first of them."""
    _CLEANER.set(make_cleaner(config, directory, whole=False))
    if dedup is not None:
        from webclean_scrapy.dedup.fingerprint_methods import PageFingerprinter

        _FINGERPRINTER.set(PageFingerprinter(dedup))
    # What is loaded stays, and pages leave few cycles: 3 % of the time, and pauses of 30 ms.
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD)


def work(
    function: Callable[..., _T], page: RawPage, *arguments: Any
) -> tuple[_T, bool, bytes | None]:
    """Return the result of *function*, whether the template of *page* is known now, and None."""
    cleaner = _CLEANER.get()
    result: _T = function(cleaner, page, *arguments)
    return result, cleaner.knows_template(page.url), None


def work_and_share(
    function: Callable[..., _T], page: RawPage, *arguments: Any
) -> tuple[_T, bool, bytes | None]:
    """Return what `work` does, in the end what was learned, for `add_learned` of other workers.

    Packed here, so that the process of the crawl only passes it on: 30 us for 5 kB.
    """
    templates = _CLEANER.get().templates
    templates.take_added()
    result, is_known, _ = work(function, page, *arguments)
    added = templates.take_added()
    return result, is_known, pickle.dumps(added) if added is not None else None


def add_learned(packed: bytes) -> None:
    """Learn what another worker has learned."""
    _CLEANER.get().templates.add(pickle.loads(packed))  # noqa: S301, from our own worker


def pack_templates(cleaner: Cleaner, page: RawPage) -> bytes:
    """Return the templates of the page's host, those that were used last."""
    return pickle.dumps(cleaner.templates.of_host(urlsplit(url_shape(page.url)).netloc))


def add_templates(packed: bytes) -> None:
    """Add what `pack_templates` has returned in another worker, in the order of their use."""
    for template in reversed(pickle.loads(packed)):  # noqa: S301, from our own worker
        _CLEANER.get().templates.put(template)


def import_data(page: RawPage, templates: list[dict[str, Any]]) -> None:
    """Add templates that came from elsewhere, see `add_template_data`."""
    add_template_data(_CLEANER.get(), page, templates)


def clean(
    cleaner: Cleaner, page: RawPage, articles_only: bool, fields: frozenset[str]
) -> dict[str, Any]:
    """Return *fields* of the page and its fingerprint."""
    return _with_fingerprint(clean_to_fields(cleaner, page, articles_only, fields))


def clean_source(
    cleaner: Cleaner, page: RawPage, articles_only: bool, reason: str, *, fields: frozenset[str]
) -> dict[str, Any]:
    """Return what `clean` does, read from the source alone."""
    return _with_fingerprint(
        clean_source_to_fields(cleaner.config, page, articles_only, reason, fields=fields)
    )


def do_nothing(cleaner: Cleaner, page: RawPage) -> None:
    """Take the place of work: the answer says that the process has started."""


def views_of(cleaner: Cleaner, page: RawPage) -> list[TemplateView]:
    """Return what this process has learned, for people."""
    return list(list_templates(cleaner.templates))


def save(path: Path) -> None:
    """Write the templates that this process has learned."""
    _CLEANER.get().save(path)


def _with_fingerprint(fields: dict[str, Any]) -> dict[str, Any]:
    """Return *fields* and the fingerprint of the text, which costs the event loop nothing here."""
    maker = _FINGERPRINTER.get(None)
    if maker is not None and fields.get("text") and MARKED_TEXTS in fields:
        text, title, marked = fields["text"], fields["title"] or "", fields[MARKED_TEXTS]
        fields["fingerprint"] = maker.make(text, title=title, marked=marked)
    return fields
