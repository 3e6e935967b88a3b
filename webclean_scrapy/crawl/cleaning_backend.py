"""The one Cleaner of a crawl at work: what components ask of it, and what they get.

Answers are plain values, so that it makes no difference whether the work is done in this process
(`InlineCleaning`) or in others (`webclean_scrapy.crawl.workers`).
"""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.cleaning.templates.url_shapes import url_shape
from webclean_scrapy.errors import PageError, TemplateFileError

if TYPE_CHECKING:
    from pathlib import Path

    from webclean_scrapy.cleaning.cleaner import Cleaner
    from webclean_scrapy.cleaning.config import CleanConfig

logger = logging.getLogger(__name__)

TEMPLATE_FILES = "webclean-templates-{}.json"  # in JOBDIR, one for each process


class Cleaning(Protocol):
    """What the components of a crawl ask for."""

    def knows(self, url: str) -> bool:
        """Whether the template of *url* is known, so that no sibling need be fetched."""

    async def recognises(self, page: RawPage) -> bool:
        """Whether *page* is of a template known from other addresses of its host. Cost: a parse."""

    async def clean(self, page: RawPage, *, articles_only: bool) -> dict[str, Any]:
        """Return the fields of the clean page, as `clean_page` does."""

    async def learn_sibling(self, page: RawPage, sibling: RawPage) -> str | None:
        """Learn the template of *page* from *sibling*, or return why that is no use."""

    async def give_templates(self, url: str) -> list[dict[str, Any]]:
        """Return what was learned of pages whose addresses have the shape of *url*."""

    async def take_templates(self, url: str, templates: list[dict[str, Any]]) -> int:
        """Add what `give_templates` returned elsewhere; return how many templates were right."""

    def close(self, directory: Path | None) -> None:
        """Write what was learned into *directory*, if there is one, and end the work."""


class InlineCleaning:
    """Cleans in this process, while the event loop waits."""

    def __init__(self, config: CleanConfig, directory: Path | None) -> None:
        self._cleaner = make_cleaner(config, directory)

    def knows(self, url: str) -> bool:
        return self._cleaner.knows(url)

    async def recognises(self, page: RawPage) -> bool:
        return recognises(self._cleaner, page)

    async def clean(self, page: RawPage, *, articles_only: bool) -> dict[str, Any]:
        return clean_page(self._cleaner, page, articles_only)

    async def learn_sibling(self, page: RawPage, sibling: RawPage) -> str | None:
        return learn_sibling(self._cleaner, page, sibling)

    async def give_templates(self, url: str) -> list[dict[str, Any]]:
        return give_templates(self._cleaner, RawPage(b"", url, None))

    async def take_templates(self, url: str, templates: list[dict[str, Any]]) -> int:
        return take_templates(self._cleaner, RawPage(b"", url, None), templates)

    def close(self, directory: Path | None) -> None:
        if directory is not None:
            self._cleaner.save(directory / TEMPLATE_FILES.format(0))


def make_cleaner(config: CleanConfig, directory: Path | None) -> Cleaner:
    """Return a Cleaner that has learned from the files in *directory*, the last run of this job.

    A file that cannot be read costs a warning. Tables are loaded now: at the first page they would
    hold up all that are on their way.
    """
    from webclean_scrapy.cleaning.cleaner import Cleaner  # numpy, jieba: only where a crawl runs

    cleaner = Cleaner(config)
    for path in sorted(directory.glob(TEMPLATE_FILES.format("*"))) if directory else ():
        try:
            cleaner.load(path)
        except TemplateFileError as error:  # noqa: PERF203, a few files
            logger.warning("Templates of the previous run are skipped: %s", error)
    cleaner.warm_up()
    return cleaner


def clean_page(cleaner: Cleaner, page: RawPage, articles_only: bool) -> dict[str, Any]:
    """Return ``CleanedPage.to_dict()`` and ``marked_lines``.

    For a page that breaks a limit: ``error`` and ``message``.

    With *articles_only*, another page gives its ``is_article``, ``kind`` and ``kind_reason`` only.
    """
    try:
        cleaned = cleaner.clean(page.html, page.url, charset=page.charset)
    except PageError as error:
        return {"error": error.reason, "message": str(error)}
    if articles_only and not cleaned.is_article:
        return {name: getattr(cleaned, name) for name in ("is_article", "kind", "kind_reason")}
    return cleaned.to_dict() | {"marked_lines": cleaned.marked_lines}


def learn_sibling(cleaner: Cleaner, page: RawPage, sibling: RawPage) -> str | None:
    """Let *cleaner* learn from *sibling*, or return why it is no use for *page*."""
    try:
        return cleaner.learn_sibling(page, sibling)
    except PageError as error:
        return error.reason


def recognises(cleaner: Cleaner, page: RawPage) -> bool:
    """Whether *page* is of a template that *cleaner* knows from other addresses of its host."""
    try:
        return cleaner.recognises(page)
    except PageError:
        return False


def give_templates(cleaner: Cleaner, page: RawPage) -> list[dict[str, Any]]:
    """Return the templates with a body of the shape of the page's address, as plain values."""
    own = cleaner.templates.of_shape(url_shape(page.url))
    return [template.to_data() for template in own if template.has_body]


def take_templates(cleaner: Cleaner, page: RawPage, templates: list[dict[str, Any]]) -> int:
    """Add templates of the shape of the page's address; return how many were right."""
    from webclean_scrapy.cleaning.templates.template import Template

    taken = 0
    for data in templates:
        with suppress(ValueError, TypeError, KeyError, OverflowError):
            template = Template.from_data(data)
            if template.shape == url_shape(page.url):
                cleaner.templates.put(template)
                taken += 1
    return taken
