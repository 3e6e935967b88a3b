"""Clean pages and learn templates, in any process: without Scrapy, which takes 40 MB in each."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from webclean_scrapy.cleaning.joined_parts import relation
from webclean_scrapy.cleaning.method_names import FIELDS, SOURCE
from webclean_scrapy.cleaning.part_links import PartLinks, part_links
from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.errors import PageError, TemplateFileError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from webclean_scrapy.cleaning.cleaner import Cleaner
    from webclean_scrapy.cleaning.config import CleanConfig
    from webclean_scrapy.cleaning.page.raw_page import RawPage
    from webclean_scrapy.cleaning.templates.template import Template
    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.dedup.fingerprint_methods import PageFingerprinter

logger = safe_logger(__name__)

MARKED_TEXTS = "marked_texts"  # what fingerprints are made of beside title and text
PART_LINKS = "part_links"  # to other pages of the article, see `part_links`
ALL_FIELDS = frozenset({*FIELDS, MARKED_TEXTS})
TEMPLATE_FILES = "webclean-templates-{}.json"  # in JOBDIR, one for each process

_T = TypeVar("_T")


class _Own:
    """The objects of a worker process; set once, by `start`."""

    cleaner: ClassVar[Cleaner]
    fingerprinter: ClassVar[PageFingerprinter | None] = None


def make_cleaner(config: CleanConfig, directory: Path | None, *, whole: bool = True) -> Cleaner:
    """Return a warm Cleaner with the templates saved in *directory* by the last run of the job.

    A file that cannot be read costs a warning. *whole*: also load what only some pages need.
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


def clean(
    cleaner: Cleaner, page: RawPage, articles_only: bool, fields: frozenset[str] = ALL_FIELDS
) -> dict[str, Any]:
    """Clean a page; return *fields* of ``CleanedPage.to_dict()``, and ``marked_texts``.

    For a page that exceeds a limit: ``error`` and ``message``. With *articles_only*, for a page
    that is not an article: its kind only. In a worker also the fingerprint of the text. The links
    to other parts of an article, if these are asked for and the page has some.
    """
    try:  # with its parts, it has been read before
        cleaned = cleaner.inspect(page, remember=page.parts is None)
    except PageError as error:
        return {"error": error.reason, "message": str(error)}
    if articles_only and not cleaned.is_article:
        return {name: getattr(cleaned, name) for name in ("is_article", "kind", "kind_reason")}
    found = cleaned.to_dict(fields - {MARKED_TEXTS, PART_LINKS})
    is_alone = PART_LINKS in fields and cleaned.is_article and page.parts is None
    if is_alone and (links := part_links(page, cleaned.links)):
        found[PART_LINKS] = links
    if MARKED_TEXTS in fields:
        found[MARKED_TEXTS] = marked = cleaned.marked_texts
        if _Own.fingerprinter is not None and (text := found.get("text")):
            title = found["title"] or ""
            found["fingerprint"] = _Own.fingerprinter.make(text, title=title, marked=marked)
    return found


def clean_source(
    cleaner: Cleaner, page: RawPage, articles_only: bool, fields: frozenset[str], reason: str
) -> dict[str, Any]:
    """Clean without parsing (source scan); *reason* is recorded as ``fallback``."""
    from webclean_scrapy.cleaning.cleaner import Cleaner

    reader = Cleaner(replace(cleaner.config, max_body_bytes=1))
    found = clean(reader, page, articles_only, fields)
    return {**found, "fallback": reason} if is_read_from_source(found) else found


def is_read_from_source(found: dict[str, Any]) -> bool:
    """True if no tree of the page was read."""
    return found.get("extractor") == SOURCE


def relate(cleaner: Cleaner, first: RawPage, other: RawPage) -> tuple[str, PartLinks]:
    """Return the `relation` of *other* to the article of *first*, and its links to parts.

    The relation is empty if *first* is not an article. Raises PageError.
    """
    page = cleaner.inspect(first)
    found = relation(page, cleaner.inspect(other)) if page.is_article else ""
    return found, part_links(other)


def copy_templates(cleaner: Cleaner, shape: str) -> list[Template]:
    """Return the templates of the addresses of a shape, for another worker."""
    return cleaner.templates.of_shape(shape)


def add_templates(cleaner: Cleaner, templates: list[Template]) -> None:
    """Add the templates of a shape, unless the worker has some of its own."""
    if templates and not cleaner.templates.of_shape(templates[0].shape):
        for template in reversed(templates):
            cleaner.templates.put(template)


# In a worker process.
def start(config: CleanConfig, directory: Path | None, dedup: DedupConfig | None) -> None:
    """Set up a worker; resources for few pages (Chinese: 60 MB) are loaded on demand."""
    _Own.cleaner = make_cleaner(config, directory, whole=False)
    if dedup is not None:
        from webclean_scrapy.dedup.fingerprint_methods import PageFingerprinter

        _Own.fingerprinter = PageFingerprinter(dedup)


def work(url: str, function: Callable[..., _T], *arguments: Any) -> tuple[_T, bool]:
    """Return ``function(cleaner, *arguments)``, and whether *url* has a known template now."""
    result = function(_Own.cleaner, *arguments)
    return result, _Own.cleaner.templates.knows_template(url)


def save(path: Path) -> None:
    """Save the templates learned by this process."""
    _Own.cleaner.save(path)
