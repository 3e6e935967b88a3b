"""All ``WEBCLEAN_`` settings: the record that components read, and the table of its settings.

A setting of the method is an option of `CleanConfig` or `DedupConfig`, where its name, default and
bounds stand; what is a crawl's alone is a field of `WebcleanConfig`. Components never read a
settings object. No file is opened here: `webclean_scrapy.crawl.settings_files` does that.
"""

from __future__ import annotations

import difflib
import os
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from webclean_scrapy.cleaning.config import CleanConfig
from webclean_scrapy.cleaning.method_names import EXTRACTORS, go_together
from webclean_scrapy.dedup.config import VERSIONS, DedupConfig
from webclean_scrapy.errors import ConfigError
from webclean_scrapy.items import (
    ARTICLE_FIELDS,
    CHUNKS,
    COMMENTS,
    LINK_BLOCKS,
    MARKDOWN,
    ON_REQUEST,
    article_class,
)
from webclean_scrapy.options import limit, setting
from webclean_scrapy.redis_server import RedisAddress, is_redis
from webclean_scrapy.settings.setting import PREFIX, find_settings, read_dict, with_values

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from scrapy.settings import BaseSettings
    from typing_extensions import Self

    from webclean_scrapy.items import ArticleItem
    from webclean_scrapy.keywords.interest_profile import InterestProfile

#: Settings that are dicts, and what their keys are.
DICTS = {
    "PAPERS": "constants of the published methods",
    "LIMITS": "limits that few crawls change",
}
MOST_WORKERS = 4  # by default: one process crawls for so many
ALL_FIELDS = "all"  # in WEBCLEAN_FIELDS, beside fields that are made on request only


@dataclass(frozen=True, slots=True, kw_only=True)
class WebcleanConfig:
    """The checked value of every setting."""

    # fmt: off
    enabled: bool = setting(True, "bool", "Turns the add-on on or off.")

    # The ready-made crawl.
    shorten_addresses: bool = setting(
        True, "bool", "The ready-made crawl takes tracking parameters, sessions and default ports "
        "off addresses, and leaves calendars and copies without end.")

    # Siblings.
    sibling_enabled: bool = setting(
        True, "bool", "Fetches a similar page of the same site to learn its template.")
    sibling_max_fetches: int = setting(
        2, "requests", "Most sibling requests per template, failed ones included.",
        low=0, high=100)
    sibling_timeout_s: float = setting(
        10.0, "seconds", "Time limit for one sibling request, or to wait for a page of the crawl.",
        low=0.1, high=180)

    # Articles in parts.
    parts: bool = setting(
        False, "bool", "Downloads the further pages of an article in several pages, and joins "
        "them; True in the ready-made crawls.")

    # Rendering.
    render: str = setting(
        "off", "name", "Which pages a browser renders (extra render): none, those with "
        "webclean_render in request.meta, or all.", choices=("off", "marked", "all"))
    render_timeout_s: float = setting(
        20.0, "seconds", "Time limit for rendering one page; then the page is used as downloaded.",
        low=1, high=300)
    render_tabs: int = limit(
        4, "pages", "Most pages rendered in parallel.", low=1, high=64)

    # Cleaning.
    clean_enabled: bool = setting(
        True, "bool", "Fills each item with the article extracted from its page.")
    items: tuple[Any, ...] = setting(
        (), "classes", "Further item classes, or their import paths, that are filled: "
        "docs/item.md. dict: all dicts.")
    names: tuple[tuple[str, str | None], ...] = setting(
        (), "names", "Further names of fields: "
        '{"story": "articleBody"}, docs/item.md. None: the name means no field.',
        choices=(*ARTICLE_FIELDS, *ON_REQUEST), is_dict=True)
    fields: tuple[str, ...] = setting(
        (), "fields", "The fields that are filled, by their names in docs/item.md; others are "
        "not computed. Empty, or with all: all but those on request.",
        choices=(ALL_FIELDS, *ARTICLE_FIELDS, MARKDOWN, COMMENTS, LINK_BLOCKS))
    clean: CleanConfig = field(default_factory=CleanConfig)
    drop_non_articles: bool = setting(
        False, "bool", "Drops the items of lists and of other pages that are not articles.")
    min_confidence: float = setting(
        0.0, "probability", "Marks, or by WEBCLEAN_LOW_CONFIDENCE drops, items with a confidence "
        "below this. 0: off.", low=0, high=1)
    low_confidence: str = setting(
        "flag", "name", "What happens to items below WEBCLEAN_MIN_CONFIDENCE.",
        choices=("flag", "drop"))
    interest_profile: str = setting(
        "", "path", "Profile that webclean profile has written; items then have an interest, "
        "and the ready-made crawl follows promising links first.")
    min_interest: float = setting(
        0.0, "cosine", "Drops items with an interest below this. 0: off.", low=0, high=1)
    workers: int = setting(
        -1, "processes", "Most processes that clean pages; each starts once the others do not keep "
        "up. -1: one fewer than the cores, from 1 to 4; 0: the crawl's own process cleans.",
        low=-1, high=64)
    worker_timeout_s: float = setting(
        60.0, "seconds", "Time limit for one page in a worker process; then the process is "
        "replaced, and the page is read without a parser.", low=0.1, high=86_400)
    min_free_mb: float = limit(
        20.0, "MB", "The crawl ends in good order when the disk of JOBDIR, a local feed or an "
        "SQLite index has less left, and can be resumed; 0: never.", low=0.0, high=1e6)

    # The report.
    report: str = setting(
        "", "path", "File of the report that the crawl writes at its end: .html is the page, "
        ".json its data for webclean report.")

    # The database.
    store: str = setting(
        "", "URI", "Database of articles (extra store), beside feeds: sqlite:///FILE or "
        "postgresql+psycopg://USER@HOST/NAME, docs/database.md.", shown=False)
    store_wait_s: float = limit(
        60.0, "seconds", "Time that articles wait for a database that does not answer; then the "
        "crawl ends with an error.", low=0, high=86_400)

    # Classes.
    class_model: str = setting(
        "", "path", "Model of webclean train; each item is given one of its classes.")
    classes: tuple[str, ...] = setting(
        (), "classes", "Drops items that the model gives another class than these.")

    # De-duplication.
    dedup_enabled: bool = setting(
        True, "bool", "Detects items that are near-duplicates of earlier items.")
    dedup_uri: str = setting(
        "", "URI", "Where fingerprints are stored: sqlite:///FILE or redis://HOST/0?prefix=NAME "
        "(redis+sentinel, redis+cluster, TLS: docs/several-machines.md); empty: in JOBDIR if that "
        "is set, else in memory.", shown=False)
    dedup_run: str = setting(
        "", "name", "With Redis: name of the run of the processes that share one request queue; "
        "empty: each process is a run of its own.")
    dedup_stop_words: str = setting(
        "", "path", "File of further stop words that fingerprints ignore, one per line.")
    dedup_user_words: str = setting(
        "", "path", "User dictionary in jieba's format, to segment text for fingerprints.")
    dedup_idf: str = setting(
        "", "path", "Inverse document frequencies in jieba's format, which override the built-in "
        "ones.")
    dedup_duplicate: str = setting(
        "drop", "name", "A copy is dropped, or kept with the URL of the original in its record.",
        choices=("drop", "keep"))
    dedup_short: str = setting(
        "keep", "name", "A text of fewer than 40 words that equals no other is kept and marked as "
        "short, or dropped.", choices=("keep", "drop"))
    versions: str = setting(
        "all", "name", "A new text at a known address is exported again (all, last; with last a "
        "database keeps the latest text only) or never (first).",
        choices=VERSIONS)
    dedup_on_error: str = setting(
        "stop", "name", "If the fingerprint store cannot be opened, the crawl does not start, or "
        "continues without de-duplication.", choices=("stop", "continue"))
    dedup: DedupConfig = field(default_factory=DedupConfig)
    # fmt: on

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Self:
        """Read all *settings*. Raises: ConfigError for the first invalid one."""
        for name in DICTS:
            keys = {one.key for one in SETTINGS if one.of == name}
            for key in read_dict(settings, name).keys() - keys:
                raise ConfigError(f"{PREFIX}{name} has no key {key!r}; {_hint(key, keys)}")
        config = cls.from_values({one.path: one.read(settings) for one in SETTINGS})
        if is_redis(config.dedup_uri):
            try:
                RedisAddress.parse(config.dedup_uri)
            except ConfigError as error:
                raise ConfigError(f"{PREFIX}DEDUP_URI: {error}") from error
        for name, needed in (("min_interest", "interest_profile"), ("classes", "class_model")):
            if getattr(config, name) and not getattr(config, needed):
                raise ConfigError(f"{PREFIX}{name.upper()} needs {PREFIX}{needed.upper()}")
        return config

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        """Return the record with checked *values*, by the paths of their settings.

        Raises: ConfigError if the methods of cleaning do not go together.
        """
        if not go_together(values["clean.extractor"], values["clean.denoise"]):
            raise ConfigError(
                f"{PREFIX}DENOISE must be 'template' or 'lcs' with {PREFIX}EXTRACTOR = 'lcs',"
                " got 'off'"
            )
        return with_values(cls(), values)

    @property
    def article_fields(self) -> tuple[str, ...]:
        """The article fields that items are filled with."""
        every = not self.fields or ALL_FIELDS in self.fields
        named = [*self.fields, *([CHUNKS] if self.clean.chunks else [])]
        asked = [*(ARTICLE_FIELDS if every else ()), *(one for one in named if one != ALL_FIELDS)]
        return tuple(dict.fromkeys(asked))

    def new_item(self, url: str) -> ArticleItem:
        """Return an empty item with these fields."""
        return article_class(self.article_fields)(url=url)

    @property
    def most_workers(self) -> int:
        """The largest number of worker processes; 0: the crawl's own process cleans."""
        fitting = min(max(1, usable_cores() - 1), MOST_WORKERS)
        return fitting if self.workers < 0 else self.workers

    @property
    def learns(self) -> bool:
        """True if pages teach templates for later pages."""
        return self.clean_enabled and self.clean.learns

    def clean_config(self, profile: InterestProfile | None = None) -> CleanConfig:
        """Return the configuration of the `Cleaner`, with the loaded interest profile."""
        comments, link_groups = (name in self.article_fields for name in (COMMENTS, LINK_BLOCKS))
        return replace(
            self.clean, interest_profile=profile, comments=comments, link_groups=link_groups
        )

    def dedup_options(self) -> dict[str, Any]:
        """Return the options of the `DuplicateIndex`, without words from files."""
        options = {one.name: getattr(self.dedup, one.name) for one in fields(self.dedup)}
        return options | {"versions": self.versions}


def usable_cores() -> int:
    """Return the number of cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


SETTINGS = tuple(find_settings(WebcleanConfig))


#: Which methods read a constant of a paper, by the beginning of its path; others any does.
_READERS = {
    "clean.papers.decay": ["decay"],
    "clean.papers.entropy": ["entropy"],
    "clean.papers.relevance": ["relevance"],
    "clean.papers.score": ["lcs"],
    "clean.papers.min_kept_share": [*EXTRACTORS[1:]],
    "dedup.keywords": ["keywords", "feature-string"],
    "dedup.indexed_keywords": ["keywords"],
    "dedup.min_cosine": ["keywords"],
    "dedup.min_run": ["feature-string"],
    "dedup.minhash_jaccard": ["minhash"],
}


def idle_settings(settings: BaseSettings) -> list[tuple[str, str]]:
    """Return what is said of each ``WEBCLEAN_`` setting without effect, and what to change.

    They are unknown, or constants of a method that is not selected.
    """
    known = {*DICTS, *(one.key.upper() for one in SETTINGS if not one.of)}
    given = {str(name).removeprefix(PREFIX) for name in settings if str(name).startswith(PREFIX)}
    found = [
        (f"{PREFIX}{name} is unknown and ignored", _hint(name, known, PREFIX))
        for name in sorted(given - known)
    ]
    with suppress(ConfigError):  # which is said elsewhere
        constants = read_dict(settings, "PAPERS")
        for one in SETTINGS if constants else ():
            readers = next((of for path, of in _READERS.items() if one.path.startswith(path)), None)
            selector = f"{PREFIX}{'DEDUP_METHOD' if one.path.startswith('dedup') else 'EXTRACTOR'}"
            if one.key in constants and readers and settings.get(selector) not in readers:
                change = f"set {selector} to {' or '.join(map(repr, readers))}"
                found.append((f"{one.name} has no effect: no selected method reads it", change))
    return found


def _hint(name: str, known: Collection[str], prefix: str = "") -> str:
    near = [f"{name}_ENABLED"] if f"{name}_ENABLED" in known else []
    near = near or difflib.get_close_matches(name, known, n=1)
    return f"did you mean {prefix}{near[0]}?" if near else "docs/settings.md lists all settings"
