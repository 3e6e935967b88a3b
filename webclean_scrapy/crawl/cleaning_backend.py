"""How the components of a crawl reach its Cleaner: the interface, and the work in this process.

Arguments and results are plain values, so that the work can be done in this process
(`InlineBackend`) or in others (`webclean_scrapy.crawl.workers`).
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from webclean_scrapy.cleaning.method_names import SOURCE
from webclean_scrapy.cleaning.output.plain_record import FIELDS
from webclean_scrapy.cleaning.templates.url_shapes import url_shape
from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.errors import PageError, TemplateFileError

if TYPE_CHECKING:
    from pathlib import Path

    from webclean_scrapy.cleaning.cleaner import Cleaner
    from webclean_scrapy.cleaning.config import CleanConfig
    from webclean_scrapy.cleaning.page.raw_page import RawPage

logger = safe_logger(__name__)

MARKED_TEXTS = "marked_texts"  # what fingerprints are made of beside title and text
ALL_FIELDS = frozenset({*FIELDS, MARKED_TEXTS})
TEMPLATE_FILES = "webclean-templates-{}.json"  # in JOBDIR, one for each process


class CleaningBackend(Protocol):
    """What the components of a crawl call."""

    def knows_template(self, url: str) -> bool:
        """Whether the template of *url* is known, so that no sibling need be fetched."""

    async def wait_until_ready(self, url: str) -> None:
        """Return when work for *url* begins at once: a process takes seconds to start."""

    async def recognises_template(self, page: RawPage) -> bool:
        """Whether *page* has a template known from other URLs of its host. Cost: a parse."""

    async def clean_page(
        self, page: RawPage, *, articles_only: bool, fields: frozenset[str] = ALL_FIELDS
    ) -> dict[str, Any]:
        """Return *fields* of the clean page, see `clean_to_fields`."""

    async def learn_sibling(self, page: RawPage, sibling: RawPage) -> str | None:
        """Learn the template of *page* from *sibling*, or return the reason of the refusal."""

    async def export_templates(self, url: str) -> list[dict[str, Any]]:
        """Return the learned templates of the shape of *url*."""

    async def import_templates(self, url: str, templates: list[dict[str, Any]]) -> int:
        """Add what `export_templates` returned elsewhere; return how many were valid."""

    def close(self, directory: Path | None) -> None:
        """Write the learned templates into *directory*, if there is one, and end the work."""


class InlineBackend:
    """Cleans in this process, while the event loop waits."""

    def __init__(self, config: CleanConfig, directory: Path | None) -> None:
        self._cleaner = make_cleaner(config, directory)

    def knows_template(self, url: str) -> bool:
        return self._cleaner.knows_template(url)

    async def wait_until_ready(self, url: str) -> None:
        pass

    async def recognises_template(self, page: RawPage) -> bool:
        return is_recognised(self._cleaner, page)

    async def clean_page(
        self, page: RawPage, *, articles_only: bool, fields: frozenset[str] = ALL_FIELDS
    ) -> dict[str, Any]:
        return clean_to_fields(self._cleaner, page, articles_only, fields)

    async def learn_sibling(self, page: RawPage, sibling: RawPage) -> str | None:
        return learn_or_refuse(self._cleaner, page, sibling)

    async def export_templates(self, url: str) -> list[dict[str, Any]]:
        return templates_as_data(self._cleaner, url)

    async def import_templates(self, url: str, templates: list[dict[str, Any]]) -> int:
        return add_template_data(self._cleaner, url, templates)

    def close(self, directory: Path | None) -> None:
        if directory is not None:
            self._cleaner.save(directory / TEMPLATE_FILES.format(0))


def make_cleaner(config: CleanConfig, directory: Path | None, *, whole: bool = True) -> Cleaner:
    """Return a Cleaner with the templates that the last run of this job left in *directory*.

    A file that cannot be read costs a warning. Dictionaries and models are loaded now; at the first
    page that would block the event loop. Without *whole*, what only some pages need waits for them.
    """
    from webclean_scrapy.cleaning.cleaner import Cleaner  # numpy, jieba: only where a crawl runs

    cleaner = Cleaner(config)
    for path in sorted(directory.glob(TEMPLATE_FILES.format("*"))) if directory else ():
        try:
            cleaner.load(path)
        except TemplateFileError as error:  # noqa: PERF203, a few files
            logger.warning("Templates of the previous run are skipped: %s", error)
    cleaner.warm_up(whole=whole)
    return cleaner


def clean_to_fields(
    cleaner: Cleaner, page: RawPage, articles_only: bool, fields: frozenset[str] = ALL_FIELDS
) -> dict[str, Any]:
    """Return *fields* of ``CleanedPage.to_dict()``, and ``marked_texts``; no other is computed.

    For a page that exceeds a limit: ``error`` and ``message``. With *articles_only*, for a page
    that is not an article: ``is_article``, ``kind`` and ``kind_reason`` only.
    """
    try:
        cleaned = cleaner.clean(page.html, page.url, charset=page.charset)
    except PageError as error:
        return {"error": error.reason, "message": str(error)}
    if articles_only and not cleaned.is_article:
        return {name: getattr(cleaned, name) for name in ("is_article", "kind", "kind_reason")}
    found = cleaned.to_dict(fields - {MARKED_TEXTS})
    return {**found, MARKED_TEXTS: cleaned.marked_texts} if MARKED_TEXTS in fields else found


def clean_source_to_fields(
    config: CleanConfig, page: RawPage, articles_only: bool, fields: frozenset[str], reason: str
) -> dict[str, Any]:
    """Return what `clean_to_fields` does, read from the source of *page* alone.

    *reason*, in the record as ``fallback``: why its tree is not read.
    """
    from webclean_scrapy.cleaning.cleaner import Cleaner

    cleaner = Cleaner(replace(config, max_body_bytes=1))
    found = clean_to_fields(cleaner, page, articles_only, fields)
    return {**found, "fallback": reason} if found.get("extractor") == SOURCE else found


def learn_or_refuse(cleaner: Cleaner, page: RawPage, sibling: RawPage) -> str | None:
    """Let *cleaner* learn from *sibling*, or return why it is refused for *page*."""
    try:
        return cleaner.learn_sibling(page, sibling)
    except PageError as error:
        return error.reason


def is_recognised(cleaner: Cleaner, page: RawPage) -> bool:
    """Whether *page* has a template that *cleaner* knows from other URLs of its host."""
    try:
        return cleaner.recognises_template(page)
    except PageError:
        return False


def templates_as_data(cleaner: Cleaner, url: str) -> list[dict[str, Any]]:
    """Return the templates with a body for the shape of *url*, as plain values."""
    templates = cleaner.templates.of_shape(url_shape(url))
    return [template.to_data() for template in templates if template.has_body]


def add_template_data(cleaner: Cleaner, url: str, templates: list[dict[str, Any]]) -> int:
    """Add templates for the shape of *url*; return how many were valid."""
    from webclean_scrapy.cleaning.templates.template import Template

    added = 0
    for data in templates:
        with suppress(ValueError, TypeError, KeyError, OverflowError):
            template = Template.from_data(data)
            if template.shape == url_shape(url):
                cleaner.templates.put(template)
                added += 1
    return added
