"""What a worker process does for the crawl: tasks of `webclean_scrapy.crawl.workers`.

Loads what cleaning needs, and nothing of Scrapy, which takes 40 MB in every process.
"""

from __future__ import annotations

import gc
import pickle
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from webclean_scrapy.crawl.cleaning_backend import (
    MARKED_TEXTS,
    add_template_data,
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

    Answer = tuple[Any, bool, bytes | None]  # result, whether the template is known, what is new

GC_THRESHOLD = 5_000  # objects more than before, until cycles are looked for; 700 by default

_T = TypeVar("_T")


class _Own:
    """What this process works with; set once, by `start`."""

    cleaner: ClassVar[Cleaner]
    fingerprinter: ClassVar[PageFingerprinter | None] = None


def start(config: CleanConfig, directory: Path | None, dedup: DedupConfig | None) -> None:
    """Set up a worker; what only some pages need (Chinese: 60 MB) waits for the first of them."""
    _Own.cleaner = make_cleaner(config, directory, whole=False)
    if dedup is not None:
        from webclean_scrapy.dedup.fingerprint_methods import PageFingerprinter

        _Own.fingerprinter = PageFingerprinter(dedup)
    # What is loaded stays, and pages leave few cycles: 3 % of the time, and pauses of 30 ms.
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD)


def work(url: str, shares: bool, function: Callable[..., _T], *arguments: Any) -> Answer:
    """Return ``function(cleaner, *arguments)`` and whether the template of *url* is known now.

    With *shares*, in the end what was learned, for `add_learned` of other workers. Packed here, so
    that the process of the crawl only passes it on: 30 us for 5 kB.
    """
    cleaner = _Own.cleaner
    cleaner.templates.take_added()
    result = function(cleaner, *arguments)
    added = cleaner.templates.take_added() if shares else None
    return result, cleaner.knows_template(url), pickle.dumps(added) if added is not None else None


def add_learned(packed: bytes) -> None:
    """Learn what another worker has learned."""
    _Own.cleaner.templates.add(pickle.loads(packed))  # noqa: S301, from our own worker


def pack_templates(cleaner: Cleaner, host: str) -> bytes:
    """Return the templates of *host*, those that were used last."""
    return pickle.dumps(cleaner.templates.of_host(host))


def add_templates(packed: bytes) -> None:
    """Add what `pack_templates` has returned in another worker, in the order of their use."""
    for template in reversed(pickle.loads(packed)):  # noqa: S301, from our own worker
        _Own.cleaner.templates.put(template)


def import_data(url: str, templates: list[dict[str, Any]]) -> None:
    """Add templates that came from elsewhere, see `add_template_data`."""
    add_template_data(_Own.cleaner, url, templates)


def clean(
    cleaner: Cleaner, page: RawPage, articles_only: bool, fields: frozenset[str]
) -> dict[str, Any]:
    """Return *fields* of the page and its fingerprint."""
    return _with_fingerprint(clean_to_fields(cleaner, page, articles_only, fields))


def clean_source(
    cleaner: Cleaner, page: RawPage, articles_only: bool, fields: frozenset[str], reason: str
) -> dict[str, Any]:
    """Return what `clean` does, read from the source alone."""
    return _with_fingerprint(
        clean_source_to_fields(cleaner.config, page, articles_only, fields, reason)
    )


def do_nothing(cleaner: Cleaner) -> None:
    """Take the place of work: the answer says that the process has started."""


def save(path: Path) -> None:
    """Write the templates that this process has learned."""
    _Own.cleaner.save(path)


def _with_fingerprint(fields: dict[str, Any]) -> dict[str, Any]:
    """Return *fields* and the fingerprint of the text, which costs the event loop nothing here."""
    maker = _Own.fingerprinter
    if maker is not None and fields.get("text") and MARKED_TEXTS in fields:
        text, title, marked = fields["text"], fields["title"] or "", fields[MARKED_TEXTS]
        fields["fingerprint"] = maker.make(text, title=title, marked=marked)
    return fields
