"""Every ``WEBCLEAN_`` setting: name, default, unit and meaning in one table, and its typed record.

Components read :class:`WebcleanConfig` and never a settings object. A value of a wrong type or
range is a :class:`~webclean_scrapy.errors.ConfigError` that names the setting; the crawl stops
before its first request.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from webclean_scrapy.dedup.config import METHODS
from webclean_scrapy.dedup.stores.redis_address import RedisAddress, is_redis
from webclean_scrapy.errors import ConfigError
from webclean_scrapy.keywords.word_files import read_idf, read_words

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings
    from typing_extensions import Self

    from webclean_scrapy.clean_config import CleanConfig

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
        choices=("webclean", "decay", "entropy", "relevance", "lcs"),
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


@dataclass(frozen=True, slots=True, kw_only=True)
class WebcleanConfig:
    """The checked value of every setting of :data:`TABLE`, under its name without the prefix."""

    enabled: bool
    sibling_enabled: bool
    sibling_max_fetches: int
    sibling_timeout_s: float
    sibling_max_bytes: int
    render: str
    render_timeout_s: float
    render_tabs: int
    clean_enabled: bool
    extractor: str
    denoise: str
    link_blocks: bool
    drop_non_articles: bool
    keywords: int
    keyword_method: str
    templates_max: int
    max_body_bytes: int
    workers: int
    dedup_enabled: bool
    dedup_uri: str
    dedup_run: str
    dedup_method: str
    dedup_stop_words: str
    dedup_user_words: str
    dedup_idf: str
    dedup_idf_count: str
    dedup_update: str
    dedup_duplicate: str
    dedup_short: str
    dedup_on_error: str

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Self:
        """Return the record of *settings*, read once and checked whole.

        Raises:
            ConfigError: the first setting that cannot be used, by name, and what would be right.
        """
        config = cls(**{setting.field: setting.read(settings) for setting in TABLE})
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
        from webclean_scrapy.keywords.network import load_igraph

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
        """Whether a page can be of use to others of its template."""
        return self.clean_enabled and self.clean_config().learns

    def clean_config(self) -> CleanConfig:
        """Return what the method needs of these settings."""
        from webclean_scrapy.clean_config import CleanConfig

        return CleanConfig(
            extractor=self.extractor,
            denoise=self.denoise,
            link_blocks=self.link_blocks,
            max_body_bytes=self.max_body_bytes,
            keywords=self.keywords,
            keyword_method=self.keyword_method,
            max_templates=self.templates_max,
        )


def unknown_settings(settings: BaseSettings) -> list[tuple[str, str]]:
    """Return (name, nearest known name or "") of each ``WEBCLEAN_`` setting that is not ours."""
    known = {setting.name.removeprefix(PREFIX): setting.name for setting in TABLE}
    strangers = sorted(
        str(name).removeprefix(PREFIX) for name in settings if str(name).startswith(PREFIX)
    )
    near = {name: difflib.get_close_matches(name, known, n=1) for name in strangers}
    return [
        (PREFIX + name, known[near[name][0]] if near[name] else "")
        for name in strangers
        if name not in known
    ]
