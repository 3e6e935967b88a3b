"""The options of near-duplicate detection."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any
from urllib.parse import unquote

from webclean_scrapy.errors import ConfigError, StoreSchemeError
from webclean_scrapy.options import check_options, constant, option, setting
from webclean_scrapy.safe_text import truncate

METHODS = ("codes", "keywords", "feature-string", "minhash")
UPDATES = ("keep", "replace", "drop")
VERSIONS = ("all", "last", "first")
_DAY_S = 86_400
_MOST_SHOWN = 80  # characters of a value in a message


@dataclass(frozen=True, slots=True, kw_only=True)
class DedupConfig:
    """Options of a `DuplicateIndex`. Shares are 0..1."""

    # fmt: off
    method: str = setting(
        "codes", "name", "How near-duplicates are detected.", key="dedup_method", choices=METHODS)
    # fmt: on

    # The fingerprint of "codes". An index made with other values of these is refused.
    sample: int = option(48, low=1, high=255)  # codes kept of a page, by which it is found
    # terms kept of a page at most, by which it is compared
    terms: int = option(416, low=16, high=65_535)
    numbers: int = option(24, low=0, high=255)  # numbers kept of a page, each with its left context
    # weight of a code of the title; a code of the text has 1
    title_weight: float = option(2.0, low=0.01, high=16)
    max_chars: int = option(1_000_000, low=1000, high=1e9)  # characters of a text that are read
    stop_words: tuple[str, ...] = ()  # added to the built-in ones
    user_words: tuple[str, ...] = ()  # lines of jieba's user dictionary
    idf: tuple[tuple[str, float], ...] = ()  # (word, value): replaces or adds built-in values
    # keywords of a text; the title of one with fewer counts as a part of it
    min_codes: int = option(8, low=0, high=255)

    # The search.
    indexed: int = option(16, low=1, high=255)  # codes that a page is indexed under
    probes: int = option(32, low=1, high=255)  # codes of a page that are looked up
    votes: int = option(2, low=1, high=255)  # shared codes that make a candidate
    # a code that this many pages have is boilerplate
    max_pages_per_code: int = option(48, low=1, high=2**31)
    max_candidates: int = option(8, low=1, high=2**31)  # pages that are compared at most

    # The decision.
    # fmt: off
    own_share: float = setting(
        0.25, "share", "A page that brings less than this share of its own is a copy; one that "
        "holds an older page and brings more is an update.", key="dedup_own_share", low=0.01,
        high=0.9)
    # "replace": once confirmed it represents the older page
    updates: str = setting(
        "keep", "name", "An update is kept and marked, takes the place of the older item, or is "
        "dropped.", key="dedup_update", choices=UPDATES)
    # fmt: on
    # a text with fewer is a copy of equal texts only
    short_words: int = option(40, low=0, high=1000)
    # A known key with another text, in a run. "all", "last": it is a version, unless it is a copy
    # of another page; "first": a duplicate of itself; "none": it is compared like any other page.
    versions: str = option("none", choices=("none", *VERSIONS))
    # share of the lines of both that a version has changed
    min_change: float = option(0.0, low=0, high=1)

    # The other methods. An index made with other values of the first two and of minhash_jaccard is
    # refused by its method. With 3 of 10 keywords a ninth (English) to a half (Chinese) of the
    # pairs are compared, and every labelled copy is found that 10 find.
    # fmt: off
    keywords: int = constant(
        10, "keywords", "Methods keywords and feature-string: heaviest keywords of a page that are "
        "used.", key="dedup_keywords", low=1, high=255, printed="10")
    indexed_keywords: int = constant(
        3, "keywords", "Method keywords: how many of them find candidates.",
        key="dedup_indexed_keywords", low=1, high=255, printed="10")
    min_cosine: float = constant(
        0.8, "cosine", "Method keywords: similarity from which two pages are near-duplicates.",
        key="dedup_cosine", low=0.01, printed="0.8")
    min_run: float = constant(
        0.5, "share", "Method feature-string: longest common run, as a share of the shorter "
        "string, from which two pages are near-duplicates.", key="dedup_common_run", low=0.01)
    minhash_jaccard: float = constant(
        0.7, "share", "Method minhash: estimated Jaccard similarity that the bands are made for.",
        key="dedup_minhash_jaccard", low=0.1, high=0.95)

    expire_days: float = setting(
        0.0, "days", "Age at which a page is forgotten, so that later copies pass; 0: never. The "
        "ttl of a Redis URI takes precedence.", key="dedup_expire_days", low=0, high=36_500)
    # fmt: on

    def __post_init__(self) -> None:
        check_options(self)
        if self.indexed > self.sample:
            raise ConfigError(f"indexed must be at most sample, got {self.indexed}")

    @classmethod
    def from_options(cls, options: dict[str, Any]) -> DedupConfig:
        """Return the config with *options*. Raises: ConfigError for an unknown name."""
        known = [field.name for field in fields(cls)]
        for name in options:
            if name not in known:
                raise ConfigError(f"unknown option {name!r}; known options: {', '.join(known)}")
        frozen = {"stop_words": (), "user_words": (), "idf": (), **options}
        for name in ("stop_words", "user_words"):
            frozen[name] = tuple(frozen[name])
        frozen["idf"] = tuple(sorted(dict(frozen["idf"]).items()))
        return cls(**frozen)

    @property
    def expire_s(self) -> int:
        """Whole seconds after which a page is forgotten; 0: never."""
        return math.ceil(self.expire_days * _DAY_S)


def check_header(
    stored: dict[str, Any], wanted: dict[str, str], *, place: object, other: str
) -> None:
    """Check that the header of the store at *place* equals *wanted*. Raises StoreSchemeError."""
    if stored == wanted:
        return
    names = [n for n in {*stored, *wanted} if stored.get(n) != wanted.get(n)]
    differences = ", ".join(
        f"{_shown(n)} {_shown(stored.get(n))} (now {wanted.get(n)})" for n in sorted(names, key=str)
    )
    raise StoreSchemeError(
        f"{place} was created with other settings: {differences}; "
        f"use the same settings or {other} to start again"
    )


def _shown(value: object) -> str:
    """Return a printable form of a header's value; damaged ones hold bytes."""
    text = value if isinstance(value, str) and value.isprintable() else repr(value)
    return truncate(text, _MOST_SHOWN)


def sqlite_file(uri: str) -> str:
    """Return the path of ``sqlite:///PATH``; "" for other URIs."""
    scheme, _, path = uri.partition(":///")
    path = unquote(path)
    return path if scheme == "sqlite" and "\0" not in path else ""
