"""Settings of de-duplication: fields of :class:`~webclean_scrapy.settings.WebcleanConfig`."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from webclean_scrapy.dedup.config import METHODS, MOST_DAYS, UPDATES, VERSIONS
from webclean_scrapy.settings.method_settings import constant
from webclean_scrapy.settings.setting import NOT_PRINTED, setting

FEATURES_7 = "Features 7"


@dataclass(frozen=True, slots=True, kw_only=True)
class DedupSettings:
    """The checked values of the settings of de-duplication."""

    # fmt: off
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
        "ttl of a Redis URI takes precedence.", low=0, high=MOST_DAYS, option="expire_days")
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
        option="own_share")
    dedup_update: str = setting(
        "keep", "name", "What to do with an updated, longer copy: keep and mark it, let it "
        "replace the older item, or drop it.",
        choices=UPDATES, option="updates")
    dedup_duplicate: str = setting(
        "drop", "name", "A copy is dropped, or kept with the URL of the original in its record.",
        choices=("drop", "keep"))
    dedup_short: str = setting(
        "keep", "name", "A text of fewer than 40 words that equals no other is kept and marked as "
        "short, or dropped.", choices=("keep", "drop"))
    versions: str = setting(
        "all", "name", "An article whose address is known and whose text has changed is exported "
        "again, as a version (all); the same, and a database keeps the latest text only (last); or "
        "is never exported again (first).", choices=VERSIONS, option="versions")
    dedup_on_error: str = setting(
        "stop", "name", "If the fingerprint store cannot be opened, the crawl does not start, or "
        "continues without de-duplication.", choices=("stop", "continue"))

    # The methods.
    dedup_method: str = setting(
        "codes", "name", "How near-duplicates are detected.",
        choices=METHODS, option="method")
    dedup_keywords: int = constant(
        10, "keywords", "Methods keywords and feature-string: heaviest keywords of a page that are "
        "used. An index made with another value is refused.", low=1, high=255,
        paper=(FEATURES_7, "10"), option="keywords")
    dedup_indexed_keywords: int = constant(
        3, "keywords", "Method keywords: how many of them find candidates. An index made with "
        "another value is refused.", low=1, high=255, paper=(FEATURES_7, "10"),
        option="indexed_keywords")
    dedup_cosine: float = constant(
        0.8, "cosine", "Method keywords: similarity from which two pages are near-duplicates.",
        low=0.01, high=1, paper=(FEATURES_7, "0.8"), option="min_cosine")
    dedup_common_run: float = constant(
        0.5, "share", "Method feature-string: longest common run, as a share of the shorter "
        "string, from which two pages are near-duplicates.", low=0.01, high=1,
        paper=("Features 2", NOT_PRINTED), option="min_run")
    dedup_minhash_jaccard: float = constant(
        0.7, "share", "Method minhash: estimated Jaccard similarity that the bands are made for. "
        "An index made with another value is refused.", low=0.1, high=0.95,
        option="minhash_jaccard")
    # fmt: on

    def dedup_options(self) -> dict[str, Any]:
        """Return the options of the `DuplicateIndex`, without words from files."""
        named = (one for one in fields(DedupSettings) if "option" in one.metadata)
        return {one.metadata["option"]: getattr(self, one.name) for one in named}
