"""Every ``WEBCLEAN_`` setting in one table: name, default, unit, meaning, and what it may be.

A value of a wrong type or range is a :class:`~webclean_scrapy.errors.ConfigError` that names the
setting; the crawl stops before its first request.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from webclean_scrapy.cleaning.papers.paper_method import EXTRACTORS
from webclean_scrapy.dedup.config import METHODS
from webclean_scrapy.errors import ConfigError

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

PREFIX = "WEBCLEAN_"

_WORDS = {bool: "True or False", int: "a whole number", float: "a number", str: "a string"}
_TRUE = frozenset({"1", "true", "yes", "on"})
_FALSE = frozenset({"0", "false", "no", "off", ""})


class Setting(NamedTuple):
    """One setting; the type of its default is the type of its value."""

    name: str
    default: bool | int | float | str
    unit: str
    meaning: str
    low: float = float("-inf")  # smallest number allowed
    high: float = float("inf")  # largest number allowed
    choices: tuple[str, ...] = ()  # all strings allowed; () allows any

    @property
    def field(self) -> str:
        """The field of :class:`WebcleanConfig` that holds the value."""
        return self.name.removeprefix(PREFIX).lower()

    @property
    def expected(self) -> str:
        """What a right value looks like, for messages and documentation."""
        if self.choices:
            return "one of " + ", ".join(map(repr, self.choices))
        text = _WORDS[type(self.default)]
        if self.low == float("-inf"):
            return text
        if self.high == float("inf"):
            return f"{text} of at least {self.low:,g}"
        return f"{text} from {self.low:,.9g} to {self.high:,.9g}"

    def read(self, settings: BaseSettings) -> Any:
        """Return the checked value in the type of *default*; *default* for an unset one or None.

        Raises:
            ConfigError: another type, out of range, or none of the choices.
        """
        raw = settings.get(self.name)
        if raw is None:
            return self.default
        value = self._parse(raw)
        if value is None or not self._allows(value):
            raise ConfigError(f"{self.name} must be {self.expected}, got {raw!r}")
        return value

    def _parse(self, raw: object) -> bool | int | float | str | None:
        """Return *raw* as the type of *default*, else None; the command line gives strings."""
        kind = type(self.default)
        if kind is str:
            return raw if isinstance(raw, str) else None
        if kind is bool:
            word = str(raw).strip().lower()
            return word in _TRUE if word in _TRUE | _FALSE else None
        if isinstance(raw, bool) or not isinstance(raw, (int, float, str)):
            return None
        try:
            number = float(raw)
        except ValueError:
            return None
        if kind is int:
            return int(number) if number.is_integer() else None
        return number

    def _allows(self, value: bool | float | str) -> bool:
        if isinstance(value, str):
            return not self.choices or value in self.choices
        return self.low <= value <= self.high


TABLE = (
    Setting("WEBCLEAN_ENABLED", True, "bool", "Turn the whole extension on."),
    Setting("WEBCLEAN_SIBLING_ENABLED", True, "bool", "Fetch a similar page to learn a template."),
    Setting(
        "WEBCLEAN_SIBLING_MAX_FETCHES", 2, "requests",
        "At most so many siblings are fetched for a template, whatever becomes of them.", 0, 100,
    ),
    Setting(
        "WEBCLEAN_SIBLING_TIMEOUT_S", 10.0, "seconds", "A sibling may take so long.", 0.1, 180,
    ),
    Setting(
        "WEBCLEAN_SIBLING_MAX_BYTES", 5_000_000, "bytes", "A sibling may be so large.",
        1_000, 100_000_000,
    ),
    Setting(
        "WEBCLEAN_RENDER", "off", "name",
        "A browser renders no page, those whose request.meta has webclean_render, or all.",
        choices=("off", "marked", "all"),
    ),
    Setting(
        "WEBCLEAN_RENDER_TIMEOUT_S", 20.0, "seconds",
        "Rendering a page may take so long; then it passes on as it came.", 1, 300,
    ),
    Setting("WEBCLEAN_RENDER_TABS", 4, "pages", "So many are rendered at once.", 1, 64),
    Setting("WEBCLEAN_CLEAN_ENABLED", True, "bool", "Fill items with the article of their page."),
    Setting(
        "WEBCLEAN_EXTRACTOR", "webclean", "name", "How the body of a page is found.",
        choices=EXTRACTORS,
    ),
    Setting(
        "WEBCLEAN_DENOISE", "template", "name",
        "How the template is taken away from a page: by keys, by alignment, or not at all.",
        choices=("template", "lcs", "off"),
    ),
    Setting("WEBCLEAN_LINK_BLOCKS", True, "bool", "Remove runs of close links from the body."),
    Setting(
        "WEBCLEAN_DROP_NON_ARTICLES", False, "bool", "Drop the items of lists and other pages.",
    ),
    Setting("WEBCLEAN_KEYWORDS", 10, "keywords", "An item gets so many keywords.", 1, 100),
    Setting(
        "WEBCLEAN_KEYWORD_METHOD", "tfidf", "name",
        "How they are found: by frequency, or by the network of words (extra network).",
        choices=("tfidf", "network"),
    ),
    Setting(
        "WEBCLEAN_TEMPLATES_MAX", 500, "templates", "So many templates are kept, latest used.",
        1, 1_000_000,
    ),
    Setting(
        "WEBCLEAN_MAX_BODY_BYTES", 5_000_000, "bytes", "A larger page passes on as it came.",
        1_000, 100_000_000,
    ),
    Setting(
        "WEBCLEAN_WORKERS", 0, "processes",
        "Clean in so many processes beside the crawl's own; 0: in that one.", 0, 64,
    ),
    Setting("WEBCLEAN_DEDUP_ENABLED", True, "bool", "Drop near-duplicates of items seen before."),
    Setting(
        "WEBCLEAN_DEDUP_URI", "", "URI",
        "Where fingerprints are kept: sqlite:///FILE or redis://HOST/0?prefix=NAME; "
        "empty: in JOBDIR when there is one, else in memory.",
    ),
    Setting(
        "WEBCLEAN_DEDUP_RUN", "", "name",
        "The crawl that this process is part of, for processes that share its queue; "
        "empty: one of its own.",
    ),
    Setting(
        "WEBCLEAN_DEDUP_METHOD", "codes", "name",
        "How near-duplicates are told; codes alone works with Redis, minhash in memory alone.",
        choices=METHODS,
    ),
    Setting(
        "WEBCLEAN_DEDUP_STOP_WORDS", "", "path",
        "A file of words, one a line, that fingerprints pass over besides the built-in ones.",
    ),
    Setting(
        "WEBCLEAN_DEDUP_USER_WORDS", "", "path",
        "A dictionary in jieba's format: words, one a line, that fingerprints know besides.",
    ),
    Setting(
        "WEBCLEAN_DEDUP_IDF", "", "path",
        "A table in jieba's format: a word and its inverse document frequency a line, "
        "before the built-in ones.",
    ),
    Setting(
        "WEBCLEAN_DEDUP_IDF_COUNT", "", "path",
        "A file in which words of the pages that pass are counted, for WEBCLEAN_DEDUP_IDF of "
        "another index.",
    ),
    Setting(
        "WEBCLEAN_DEDUP_UPDATE", "drop", "name",
        "A page that holds an older one and much that is new is dropped, kept beside it, "
        "or kept in its place.",
        choices=("drop", "keep", "replace"),
    ),
    Setting(
        "WEBCLEAN_DEDUP_DUPLICATE", "drop", "name",
        "Other near-duplicates are dropped, or kept with the page they repeat in their record.",
        choices=("drop", "keep"),
    ),
    Setting(
        "WEBCLEAN_DEDUP_SHORT", "keep", "name",
        "Pages too short to be compared, but for equal ones, are kept with a mark, or dropped.",
        choices=("keep", "drop"),
    ),
    Setting(
        "WEBCLEAN_DEDUP_ON_ERROR", "stop", "name",
        "What follows when the store cannot be opened: no crawl, or one without de-duplication.",
        choices=("stop", "continue"),
    ),
)  # fmt: skip
