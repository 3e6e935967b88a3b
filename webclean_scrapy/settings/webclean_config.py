"""All ``WEBCLEAN_`` settings: the fields of one dataclass are table and record.

A field has the name of its setting without the prefix, in lower case, or that of a key of one of
the `DICTS`; its metadata are those of `Setting`. Components read :class:`WebcleanConfig` and never
a settings object. No file is opened here: `webclean_scrapy.crawl.settings_files` does that.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass, fields
from functools import partial
from typing import TYPE_CHECKING, Any

from webclean_scrapy.cleaning.method_names import (
    DENOISERS,
    DISTANCES,
    EXTRACTORS,
    FAVORS,
    go_together,
)
from webclean_scrapy.dedup.config import METHODS, MOST_DAYS, UPDATES, VERSIONS
from webclean_scrapy.errors import ConfigError
from webclean_scrapy.items import (
    ARTICLE_FIELDS,
    CHUNKS,
    COMMENTS,
    MARKDOWN,
    ON_REQUEST,
    article_class,
)
from webclean_scrapy.keywords.ranker import METHODS as KEYWORD_METHODS
from webclean_scrapy.redis_server import RedisAddress, is_redis
from webclean_scrapy.settings.setting import (
    NOT_PRINTED,
    PREFIX,
    Setting,
    read_dict,
    setting,
    with_value,
)

if TYPE_CHECKING:
    from collections.abc import Collection

    from scrapy.settings import BaseSettings
    from typing_extensions import Self

    from webclean_scrapy.cleaning.config import CleanConfig
    from webclean_scrapy.items import ArticleItem
    from webclean_scrapy.keywords.interest_profile import InterestProfile

#: Settings that are dicts, and what their keys are.
DICTS = {
    "PAPERS": "constants of the published methods",
    "LIMITS": "limits that few crawls change",
}
ALL_FIELDS = "all"  # in WEBCLEAN_FIELDS, beside fields that are made on request only
SONG, CHEN, WANG = "Song et al. 2011", "Chen et al. 2012", "Wang et al. 2014"
ENTROPY_PATH, FEATURES_3, FEATURES_7 = "Entropy path", "Features 3", "Features 7"

limit = partial(setting, of="LIMITS")
constant = partial(setting, of="PAPERS", low=0, high=1)  # most are shares


@dataclass(frozen=True, slots=True, kw_only=True)
class WebcleanConfig:
    """The checked value of every setting."""

    # fmt: off
    enabled: bool = setting(True, "bool", "Turns the whole extension on or off.")

    # The ready-made crawl.
    shorten_addresses: bool = setting(
        True, "bool", "The ready-made crawl takes tracking parameters, sessions and default ports "
        "off the addresses it follows, and leaves calendars and copies without end.")

    # Siblings.
    sibling_enabled: bool = setting(
        True, "bool", "Fetches a similar page of the same site to learn its template.")
    sibling_max_fetches: int = setting(
        2, "requests", "Maximum number of sibling requests per template, failed ones included.",
        low=0, high=100)
    sibling_timeout_s: float = setting(
        10.0, "seconds", "Time limit for one sibling request, or to wait for a page of the crawl.",
        low=0.1, high=180)

    # Articles in parts.
    parts: bool = setting(
        False, "bool", "Downloads the further pages of an article that is published in several, "
        "and joins them; True in the ready-made crawls.")

    # Rendering.
    render: str = setting(
        "off", "name", "Which pages a browser renders (extra render): none, those with "
        "webclean_render in request.meta, or all.", choices=("off", "marked", "all"))
    render_timeout_s: float = setting(
        20.0, "seconds", "Time limit for rendering one page; then the page is used as downloaded.",
        low=1, high=300)
    render_tabs: int = limit(
        4, "pages", "Maximum number of pages rendered in parallel.", low=1, high=64)

    # Cleaning.
    clean_enabled: bool = setting(
        True, "bool", "Fills each item with the article extracted from its page.")
    items: tuple[Any, ...] = setting(
        (), "classes", "Item classes, or their import paths, that are filled and de-duplicated "
        "beside those that have a place for the body: docs/item.md; dict means all dicts.")
    names: tuple[tuple[str, str | None], ...] = setting(
        (), "names", "Names that fields of your items have for those of an article, beside the "
        'usual ones: {"story": "articleBody"}, see docs/item.md; None: the name means none.',
        choices=(*ARTICLE_FIELDS, *ON_REQUEST), is_dict=True)
    fields: tuple[str, ...] = setting(
        (), "fields", "The fields that items are filled with, names of docs/item.md; the "
        "others are not computed. Empty, or with all: all but the last two.",
        choices=(ALL_FIELDS, *ARTICLE_FIELDS, MARKDOWN, COMMENTS))
    chunks: int = setting(
        0, "tokens", "Largest size of the chunks that the body is cut into, for retrieval: the "
        "field chunks. Estimated: a token is 4 letters, or 1.3 Chinese characters; 0: none.",
        low=0, high=100_000)
    extractor: str = setting(
        "webclean", "name", "Method that detects the body of a page.", choices=EXTRACTORS)
    denoise: str = setting(
        "template", "name", "How template text is removed: by learned keys, by alignment with a "
        "sibling, or not at all.", choices=DENOISERS)
    favor: str = setting(
        "balanced", "name", "Prefer less noise (precision) or less missing text (recall); "
        "extractor webclean only.", choices=FAVORS)
    link_blocks: bool = setting(
        True, "bool", "Removes groups of adjacent links from the body (extractor webclean only).")
    drop_non_articles: bool = setting(
        False, "bool", "Drops the items of lists and of other pages that are not articles.")
    min_confidence: float = setting(
        0.0, "probability", "Marks (or drops, see WEBCLEAN_LOW_CONFIDENCE) items with a confidence "
        "below this. 0: off.", low=0, high=1)
    low_confidence: str = setting(
        "flag", "name", "What happens to items below WEBCLEAN_MIN_CONFIDENCE.",
        choices=("flag", "drop"))
    keywords: int = setting(
        10, "keywords", "Maximum number of keywords per item; 0: none.", low=0, high=100)
    keyword_method: str = setting(
        "tfidf", "name", "How keywords are ranked: by frequency, by several features, or by the "
        "network of words (extra network).", choices=KEYWORD_METHODS)
    interest_profile: str = setting(
        "", "path", "Interest profile that scrapy webclean profile has written; items then carry "
        "their interest, and the ready-made crawl follows promising links first.")
    min_interest: float = setting(
        0.0, "cosine", "Drops items with an interest below this (WEBCLEAN_INTEREST_PROFILE). "
        "0: off.", low=0, high=1)
    templates_max: int = limit(
        500, "templates", "Maximum number of templates kept; the least recently used is removed "
        "first.", low=1, high=1_000_000)
    max_body_bytes: int = limit(
        5_000_000, "bytes", "Size limit of a page that is parsed; a larger page is read without a "
        "parser.", low=1_000, high=100_000_000)
    max_scan_bytes: int = limit(
        60_000_000, "bytes", "Size limit of a page that is read without a parser; a larger page is "
        "not cleaned; 0: none is read so.", low=0, high=1_000_000_000)
    workers: int = setting(
        1, "processes", "Number of processes that clean pages, so that the event loop is free to "
        "crawl; 0 uses the crawl's own process.", low=0, high=64)
    worker_timeout_s: float = setting(
        60.0, "seconds", "Time limit for one page in a worker process (WEBCLEAN_WORKERS); then the "
        "process is replaced, and the page is read without a parser.", low=0.1, high=86_400)
    min_free_mb: float = limit(
        20.0, "MB", "The crawl ends in good order when the disk of JOBDIR, a local feed or an "
        "SQLite index has less left, and can be resumed; 0: never.", low=0.0, high=1e6)

    # The report.
    report: str = setting(
        "", "path", "File to which the crawl writes a report at its end: .html is "
        "the page, .json its data for webclean report. Empty: none.")

    # The database.
    store: str = setting(
        "", "URI", "Database that articles are written to (extra store), beside feeds: "
        "sqlite:///FILE or postgresql+psycopg://USER@HOST/NAME, see docs/database.md. "
        "Empty: none.", shown=False)
    store_wait_s: float = limit(
        60.0, "seconds", "Time that articles wait for a database that does not answer; then the "
        "crawl ends with an error.", low=0, high=86_400)

    # Classes.
    class_model: str = setting(
        "", "path", "Model file of scrapy webclean train; each item is given one of its classes. "
        "Empty: none.")
    classes: tuple[str, ...] = setting(
        (), "classes", "Drops items that the model gives another class than these. Empty: none.")

    # Constants of the papers' methods; docs/method/constants.md is made from them.
    extractor_min_share: float = constant(
        0.1, "share", "All extractors but webclean: share of a page's paragraphs; a method that "
        "keeps less leaves the page to webclean. The papers know no other method: 0.",
        option="clean.papers.min_kept_share")

    # Chen et al. 2012.
    decay_t: float = constant(
        0.46, "share", "Extractor decay: T, the share of the text that a step down may lose. "
        "The extractor webclean learns the limit of each step instead.", paper=(CHEN, "0.34"),
        option="clean.papers.decay.max_decay")
    decay_dlmax: float = constant(
        0.65, "share", "Extractor decay: DLmax, the share of its text inside links above which a "
        "block is removed.", paper=(CHEN, "0.65"), option="clean.papers.decay.max_link_density")
    decay_min_links: int = constant(
        2, "links", "Extractor decay: a block with fewer links is not removed.", low=1, high=100,
        paper=(CHEN, "1"), option="clean.papers.decay.min_links")

    # Wang et al. 2014.
    link_block_distance: str = constant(
        "text", "name", "What is counted between two links: tokens of text, or characters of code "
        "with tags but without their attributes.", choices=DISTANCES, paper=(WANG, "text or code"),
        option="clean.body.link_blocks.distance")
    link_block_dt: int = constant(
        5, "tokens", "dt, the distance below which two links are of one link block; characters "
        "if the distance is that of code.", low=1, high=10_000,
        paper=(WANG, "5 to 40 in text, 10 to 120 in code"),
        option="clean.body.link_blocks.max_distance")
    link_block_ct: int = constant(
        5, "links", "Ct, the number of links from which they are a link block. The patent counts "
        "the gaps between links: its 3 gaps are 4 links.", low=2, high=1_000, paper=(WANG, "3"),
        option="clean.body.link_blocks.min_links")
    link_stream_dt: int = constant(
        60, "tokens", "dt of the second scan, for streams of headlines with teasers between them "
        "(extractor webclean only).", low=1, high=10_000, paper=(WANG, "40"),
        option="clean.body.link_blocks.stream_distance")
    link_stream_ct: int = constant(
        4, "links", "Ct of the second scan (extractor webclean only).", low=2, high=1_000,
        paper=(WANG, NOT_PRINTED), option="clean.body.link_blocks.min_headlines")

    # Song et al. 2011.
    lcs_ts: float = constant(
        0.6, "share", "Alignment of two pages: Ts, the share of equal features above which two "
        "nodes are similar.", low=0, high=0.99, paper=(SONG, NOT_PRINTED),
        option="clean.align.similarity.similar_above")
    lcs_content_rate: float = constant(
        0.75, "share", "Alignment of two pages: textRate, the share of its text directly in a "
        "node above which it is a content node.", low=0, high=0.99, paper=(SONG, "0.75"),
        option="clean.align.similarity.content_rate")
    lcs_close: float = constant(
        0.6, "share", "Extractor lcs: share of the best score from which a cluster is content.",
        low=0.01, high=1, paper=(SONG, NOT_PRINTED), option="clean.papers.score.close")
    lcs_middle: float = constant(
        0.6, "share", "Extractor lcs: share of the page's width and height that is its main visual "
        "area.", low=0.01, high=1, paper=(SONG, NOT_PRINTED), option="clean.papers.score.middle")

    # Entropy path.
    entropy_similarity: float = constant(
        0.8, "share", "Extractor entropy: similarity of two simple trees from which two pages are "
        "of one cluster.", low=0.01, high=1, paper=(ENTROPY_PATH, "0.8"),
        option="clean.papers.entropy.same_from")
    entropy_depth: int = constant(
        3, "levels", "Extractor entropy: levels of a simple tree below the body.", low=1, high=100,
        paper=(ENTROPY_PATH, "1"), option="clean.papers.entropy.depth")
    entropy_t: float = constant(
        0.34, "share", "Extractor entropy: T, the importance that a step down may leave behind.",
        low=0.01, high=0.99, paper=(ENTROPY_PATH, NOT_PRINTED),
        option="clean.papers.entropy.max_loss")
    entropy_variance: float = constant(
        0.0, "variance", "Extractor entropy: variance of the children's importance above which "
        "the walk stops, in place of T; 0: T is used. The printed rule stops early, because one "
        "dominating child has the largest variance.", paper=(ENTROPY_PATH, "0.1"),
        option="clean.papers.entropy.stop_variance")
    entropy_pages: int = constant(
        3, "pages", "Extractor entropy: pages of a cluster that must have voted before their path "
        "is used.", low=1, high=100, paper=(ENTROPY_PATH, "1"),
        option="clean.papers.entropy.min_pages")

    # Features 3.
    relevance_p: float = constant(
        0.03, "share", "Extractor relevance: p, the share of its text inside links up to which a "
        "block is kept, in text of Han characters.", paper=(FEATURES_3, "0.03"),
        option="clean.papers.relevance.max_links_han")
    relevance_p_latin: float = constant(
        0.3, "share", "Extractor relevance: p in other text.", paper=(FEATURES_3, "0.03"),
        option="clean.papers.relevance.max_links_latin")
    relevance_m: float = constant(
        0.03, "share", "Extractor relevance: m, the number of punctuation marks a character from "
        "which a block is kept, in text of Han characters.", paper=(FEATURES_3, "0.1"),
        option="clean.papers.relevance.min_marks_han")
    relevance_m_latin: float = constant(
        0.01, "share", "Extractor relevance: m in other text.", paper=(FEATURES_3, "0.1"),
        option="clean.papers.relevance.min_marks_latin")
    relevance_s: float = constant(
        1.0, "hits", "Extractor relevance: s, the hits of words of the title from which a block is "
        "kept.", low=0, high=1_000, paper=(FEATURES_3, "1"),
        option="clean.papers.relevance.min_title_hits")

    # De-duplication.
    dedup_enabled: bool = setting(
        True, "bool", "Detects items that are near-duplicates of earlier items.")
    dedup_uri: str = setting(
        "", "URI", "Where fingerprints are stored: sqlite:///FILE or redis://HOST/0?prefix=NAME "
        "(redis+sentinel, redis+cluster, TLS: docs/several-machines.md); empty: in JOBDIR if that "
        "is set, else in memory.", shown=False)
    dedup_run: str = setting(
        "", "name", "Run name shared by the processes that work on one request queue, with Redis; "
        "empty: each process is a run of its own.")
    dedup_expire_days: float = setting(
        0.0, "days", "Age at which a page is forgotten, so that later copies pass; 0: never. The "
        "ttl of a Redis URI takes precedence.", low=0, high=MOST_DAYS, option="dedup.expire_days")
    dedup_stop_words: str = setting(
        "", "path", "File of stop words, one per line, that fingerprints ignore in addition to the "
        "built-in ones.")
    dedup_user_words: str = setting(
        "", "path", "User dictionary in jieba's format, one word per line, to segment text for "
        "fingerprints.")
    dedup_idf: str = setting(
        "", "path", "Inverse document frequencies in jieba's format, a word and its value per "
        "line; they override the built-in ones.")
    dedup_own_share: float = setting(
        0.25, "share", "A page is a copy when it brings less than this share of its own beside an "
        "older page; an update when it holds the older page and brings more.", low=0.01, high=0.9,
        option="dedup.own_share")
    dedup_update: str = setting(
        "keep", "name", "What to do with an updated, longer copy: keep and mark it, let it "
        "replace the older item, or drop it.",
        choices=UPDATES, option="dedup.updates")
    dedup_duplicate: str = setting(
        "drop", "name", "A copy is dropped, or kept with the URL of the original in its record.",
        choices=("drop", "keep"))
    dedup_short: str = setting(
        "keep", "name", "A text of fewer than 40 words that equals no other is kept and marked as "
        "short, or dropped.", choices=("keep", "drop"))
    versions: str = setting(
        "all", "name", "An article whose address is known and whose text has changed is exported "
        "again, as a version (all); the same, and a database keeps the latest text only (last); or "
        "is never exported again (first).", choices=VERSIONS, option="dedup.versions")
    dedup_on_error: str = setting(
        "stop", "name", "If the fingerprint store cannot be opened, the crawl does not start, or "
        "continues without de-duplication.", choices=("stop", "continue"))

    # The methods.
    dedup_method: str = setting(
        "codes", "name", "How near-duplicates are detected.",
        choices=METHODS, option="dedup.method")
    dedup_keywords: int = constant(
        10, "keywords", "Methods keywords and feature-string: heaviest keywords of a page that are "
        "used. An index made with another value is refused.", low=1, high=255,
        paper=(FEATURES_7, "10"), option="dedup.keywords")
    dedup_indexed_keywords: int = constant(
        3, "keywords", "Method keywords: how many of them find candidates. An index made with "
        "another value is refused.", low=1, high=255, paper=(FEATURES_7, "10"),
        option="dedup.indexed_keywords")
    dedup_cosine: float = constant(
        0.8, "cosine", "Method keywords: similarity from which two pages are near-duplicates.",
        low=0.01, high=1, paper=(FEATURES_7, "0.8"), option="dedup.min_cosine")
    dedup_common_run: float = constant(
        0.5, "share", "Method feature-string: longest common run, as a share of the shorter "
        "string, from which two pages are near-duplicates.", low=0.01, high=1,
        paper=("Features 2", NOT_PRINTED), option="dedup.min_run")
    dedup_minhash_jaccard: float = constant(
        0.7, "share", "Method minhash: estimated Jaccard similarity that the bands are made for. "
        "An index made with another value is refused.", low=0.1, high=0.95,
        option="dedup.minhash_jaccard")
    # fmt: on

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Self:
        """Read all *settings*. Raises: ConfigError for the first invalid one."""
        for name in DICTS:
            keys = {one.field for one in SETTINGS if one.of == name}
            for key in read_dict(settings, name).keys() - keys:
                raise ConfigError(f"{PREFIX}{name} has no key {key!r}; {_hint(key, keys)}")
        config = cls(**{one.field: one.read(settings) for one in SETTINGS})
        if is_redis(config.dedup_uri):
            try:
                RedisAddress.parse(config.dedup_uri)
            except ConfigError as error:
                raise ConfigError(f"{PREFIX}DEDUP_URI: {error}") from error
        if not go_together(config.extractor, config.denoise):
            raise ConfigError(
                f"{PREFIX}DENOISE must be 'template' or 'lcs' with {PREFIX}EXTRACTOR = 'lcs',"
                " got 'off'"
            )
        for name, needed in (("min_interest", "interest_profile"), ("classes", "class_model")):
            if getattr(config, name) and not getattr(config, needed):
                raise ConfigError(f"{PREFIX}{name.upper()} needs {PREFIX}{needed.upper()}")
        return config

    @property
    def article_fields(self) -> tuple[str, ...]:
        """The article fields that items are filled with."""
        every = not self.fields or ALL_FIELDS in self.fields
        named = [*self.fields, *([CHUNKS] if self.chunks else [])]
        asked = [*(ARTICLE_FIELDS if every else ()), *(one for one in named if one != ALL_FIELDS)]
        return tuple(dict.fromkeys(asked))

    def new_item(self, url: str) -> ArticleItem:
        """Return an empty item with these fields."""
        return article_class(self.article_fields)(url=url)

    @property
    def learns(self) -> bool:
        """True if pages teach templates for later pages."""
        return self.clean_enabled and self.clean_config().learns

    def clean_config(self, profile: InterestProfile | None = None) -> CleanConfig:
        """Return the configuration of the `Cleaner`, with the loaded interest profile."""
        from webclean_scrapy.cleaning.config import CleanConfig

        same = {one.name for one in fields(CleanConfig)} & {one.name for one in fields(self)}
        options = {name: getattr(self, name) for name in same}
        options |= {"interest_profile": profile, "max_templates": self.templates_max}
        options["comments"] = COMMENTS in self.article_fields
        config = CleanConfig(**options)
        for path, value in self._options("clean").items():
            config = with_value(config, path, value)
        return config

    def dedup_options(self) -> dict[str, Any]:
        """Return the options of the `DuplicateIndex`, without words from files."""
        return self._options("dedup")

    def _options(self, start: str) -> dict[str, Any]:
        paths = {one.name: one.metadata.get("option", "").partition(".") for one in fields(self)}
        return {path: getattr(self, name) for name, (of, _, path) in paths.items() if of == start}


SETTINGS = tuple(Setting(field=one.name, **one.metadata) for one in fields(WebcleanConfig))


def unknown_settings(settings: BaseSettings) -> list[tuple[str, str]]:
    """Return each unknown ``WEBCLEAN_`` setting, sorted, with a suggestion."""
    known = {*DICTS, *(one.field.upper() for one in SETTINGS if not one.of)}
    given = {str(name).removeprefix(PREFIX) for name in settings if str(name).startswith(PREFIX)}
    return [(PREFIX + name, _hint(name, known, PREFIX)) for name in sorted(given - known)]


def _hint(name: str, known: Collection[str], prefix: str = "") -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f"did you mean {prefix}{near[0]}?" if near else "docs/all-settings.md lists all settings"
