"""Every ``WEBCLEAN_`` setting, once: the fields of one dataclass are the table and the record.

A field has the name of its setting without the prefix, in lower case; its metadata are the unit,
the meaning, and what the value may be. Components read :class:`WebcleanConfig` and never a
settings object. A value of a wrong type or range is a
:class:`~webclean_scrapy.errors.ConfigError` that names the setting; the crawl stops before its
first request.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, TypeVar

from webclean_scrapy.cleaning.method_names import DENOISERS, EXTRACTORS
from webclean_scrapy.dedup.config import METHODS as DEDUP_METHODS
from webclean_scrapy.dedup.config import UPDATES
from webclean_scrapy.dedup.redis.client import RedisAddress, is_redis
from webclean_scrapy.errors import ConfigError
from webclean_scrapy.keywords.ranker_names import METHODS as KEYWORD_METHODS
from webclean_scrapy.keywords.word_files import read_idf, read_words

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings
    from typing_extensions import Self

    from webclean_scrapy.cleaning.config import CleanConfig

PREFIX = "WEBCLEAN_"

_T = TypeVar("_T", bool, int, float, str)
_TYPES = {bool: "True or False", int: "a whole number", float: "a number", str: "a string"}
_TRUE = frozenset({"1", "true", "yes", "on"})
_FALSE = frozenset({"0", "false", "no", "off", ""})


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting by its full name; the type of its default is the type of its value."""

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
        """What a valid value looks like, for messages and documentation."""
        if self.choices:
            return "one of " + ", ".join(map(repr, self.choices))
        text = _TYPES[type(self.default)]
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


def setting(default: _T, unit: str, meaning: str, **allowed: Any) -> _T:
    """Return the dataclass field of a setting; *allowed* are `low`, `high` or `choices`."""
    metadata = {"default": default, "unit": unit, "meaning": meaning, **allowed}
    made: _T = field(default=default, metadata=metadata)
    return made


@dataclass(frozen=True, slots=True, kw_only=True)
class WebcleanConfig:
    """The checked value of every setting."""

    # fmt: off
    enabled: bool = setting(True, "bool", "Turns the whole extension on or off.")

    # Siblings.
    sibling_enabled: bool = setting(
        True, "bool", "Fetches a similar page of the same site to learn its template.")
    sibling_max_fetches: int = setting(
        2, "requests", "Maximum number of sibling requests per template, failed ones included.",
        low=0, high=100)
    sibling_timeout_s: float = setting(
        10.0, "seconds", "Time limit for one sibling request, or to wait for a page of the crawl.",
        low=0.1, high=180)
    sibling_max_bytes: int = setting(
        5_000_000, "bytes", "Size limit of a sibling; the download of a larger one is cancelled.",
        low=1_000, high=100_000_000)

    # Rendering.
    render: str = setting(
        "off", "name", "Which pages a browser renders (extra render): none, those with "
        "webclean_render in request.meta, or all.", choices=("off", "marked", "all"))
    render_timeout_s: float = setting(
        20.0, "seconds", "Time limit for rendering one page; then the page is used as downloaded.",
        low=1, high=300)
    render_tabs: int = setting(
        4, "pages", "Maximum number of pages rendered in parallel.", low=1, high=64)

    # Cleaning.
    clean_enabled: bool = setting(
        True, "bool", "Fills each item with the article extracted from its page.")
    extractor: str = setting(
        "webclean", "name", "Method that detects the body of a page.", choices=EXTRACTORS)
    denoise: str = setting(
        "template", "name", "How template text is removed: by learned keys, by alignment with a "
        "sibling, or not at all.", choices=DENOISERS)
    link_blocks: bool = setting(
        True, "bool", "Removes groups of adjacent links from the body (extractor webclean only).")
    drop_non_articles: bool = setting(
        False, "bool", "Drops the items of lists and of other pages that are not articles.")
    keywords: int = setting(
        10, "keywords", "Maximum number of keywords per item.", low=1, high=100)
    keyword_method: str = setting(
        "tfidf", "name", "How keywords are ranked: by frequency, or by the network of words (extra "
        "network).", choices=KEYWORD_METHODS)
    templates_max: int = setting(
        500, "templates", "Maximum number of templates kept; the least recently used is removed "
        "first.", low=1, high=1_000_000)
    max_body_bytes: int = setting(
        5_000_000, "bytes", "Size limit of a page; a larger page is not cleaned.",
        low=1_000, high=100_000_000)
    workers: int = setting(
        0, "processes", "Number of processes that clean pages in parallel; 0 uses the crawl's own "
        "process.", low=0, high=64)

    # De-duplication.
    dedup_enabled: bool = setting(
        True, "bool", "Detects items that are near-duplicates of earlier items.")
    dedup_uri: str = setting(
        "", "URI", "Where fingerprints are stored: sqlite:///FILE or redis://HOST/0?prefix=NAME; "
        "empty: in JOBDIR if that is set, else in memory.")
    dedup_run: str = setting(
        "", "name", "Run name shared by the processes that work on one request queue; empty: each "
        "process is a run of its own.")
    dedup_method: str = setting(
        "codes", "name", "How near-duplicates are detected; Redis supports only codes, and minhash "
        "works only in memory.", choices=DEDUP_METHODS)
    dedup_stop_words: str = setting(
        "", "path", "File of stop words, one per line, that fingerprints ignore in addition to the "
        "built-in ones.")
    dedup_user_words: str = setting(
        "", "path", "User dictionary in jieba's format, one word per line, to segment text for "
        "fingerprints.")
    dedup_idf: str = setting(
        "", "path", "Inverse document frequencies in jieba's format, a word and its value per "
        "line; they override the built-in ones.")
    dedup_idf_count: str = setting(
        "", "path", "File to which the crawl adds its document counts of words; a new index can "
        "use it as WEBCLEAN_DEDUP_IDF.")
    dedup_update: str = setting(
        "drop", "name", "An item that contains an older one and much new text is dropped, kept as "
        "well, or replaces the older one.", choices=UPDATES)
    dedup_duplicate: str = setting(
        "drop", "name", "Any other near-duplicate is dropped, or kept with the URL of the original "
        "in its record.", choices=("drop", "keep"))
    dedup_short: str = setting(
        "keep", "name", "A text too short to compare, if no exact copy, is kept and marked as "
        "short, or dropped.", choices=("keep", "drop"))
    dedup_on_error: str = setting(
        "stop", "name", "If the fingerprint store cannot be opened, the crawl does not start, or "
        "continues without de-duplication.", choices=("stop", "continue"))
    # fmt: on

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Self:
        """Return the record of *settings*, read once and checked whole.

        Raises:
            ConfigError: the first invalid setting, by name, and what would be valid.
        """
        config = cls(**{one.field: one.read(settings) for one in SETTINGS})
        if is_redis(config.dedup_uri):
            try:
                RedisAddress.parse(config.dedup_uri)
            except ConfigError as error:
                raise ConfigError(f"WEBCLEAN_DEDUP_URI: {error}") from error
        config.dedup_options()
        if config.keyword_method == "network":
            config.check_network()
        return config

    @staticmethod
    def check_network() -> None:
        """Raise ConfigError when the extra `network` is not installed."""
        from webclean_scrapy.keywords.word_network import load_igraph

        try:
            load_igraph()
        except ConfigError as error:
            raise ConfigError(f"WEBCLEAN_KEYWORD_METHOD: {error}") from error

    def dedup_options(self) -> dict[str, Any]:
        """Return the options of the `DuplicateIndex`, files read.

        Raises:
            ConfigError: a file cannot be read, by the name of its setting.
        """
        options: dict[str, Any] = {"method": self.dedup_method, "updates": self.dedup_update}
        readers = {"stop_words": read_words, "user_words": read_words, "idf": read_idf}
        for name, read in readers.items():
            path = getattr(self, f"dedup_{name}")
            if path:
                try:
                    options[name] = read(path)
                except ConfigError as error:
                    raise ConfigError(f"{PREFIX}DEDUP_{name.upper()}: {error}") from error
        return options

    @property
    def learns(self) -> bool:
        """Whether a page can help to clean other pages of its template."""
        return self.clean_enabled and self.clean_config().learns

    def clean_config(self) -> CleanConfig:
        """Return the configuration of the `Cleaner`."""
        from webclean_scrapy.cleaning.config import CleanConfig

        return CleanConfig(
            extractor=self.extractor,
            denoise=self.denoise,
            link_blocks=self.link_blocks,
            max_body_bytes=self.max_body_bytes,
            keywords=self.keywords,
            keyword_method=self.keyword_method,
            max_templates=self.templates_max,
        )


SETTINGS = tuple(
    Setting(name=f"{PREFIX}{one.name.upper()}", **one.metadata) for one in fields(WebcleanConfig)
)


def unknown_settings(settings: BaseSettings) -> list[tuple[str, str]]:
    """Return (name, nearest known name or "") of each unknown ``WEBCLEAN_`` setting, sorted."""
    known = {one.name.removeprefix(PREFIX): one.name for one in SETTINGS}
    given = {str(name).removeprefix(PREFIX) for name in settings if str(name).startswith(PREFIX)}
    unknown = sorted(given - set(known))
    near = {name: difflib.get_close_matches(name, known, n=1) for name in unknown}
    return [(PREFIX + name, known[near[name][0]] if near[name] else "") for name in unknown]
