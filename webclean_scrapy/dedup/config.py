"""The options of near-duplicate detection."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any
from urllib.parse import unquote

from webclean_scrapy.errors import ConfigError, StoreSchemeError
from webclean_scrapy.safe_text import truncate

METHODS = ("codes", "keywords", "feature-string", "minhash")
UPDATES = ("keep", "replace", "drop")
VERSIONS = ("all", "last", "first")
MOST_DAYS = 36_500  # a century
_DAY_S = 86_400
_MOST_SHOWN = 80  # characters of a value in a message
_CHOICES = {"method": METHODS, "updates": UPDATES, "versions": ("none", *VERSIONS)}
_LIMITS: dict[str, tuple[float, float]] = {  # of numbers; those that are not here are shares
    "min_change": (0, 1),
    "sample": (1, 255), "numbers": (0, 255), "terms": (16, 65535), "title_weight": (0.01, 16),
    "max_chars": (1000, 1e9), "min_codes": (0, 255), "indexed": (1, 255), "probes": (1, 255),
    "votes": (1, 255), "max_pages_per_code": (1, 2**31), "max_candidates": (1, 2**31),
    "short_words": (0, 1000),
    "keywords": (1, 255), "indexed_keywords": (1, 255), "minhash_jaccard": (0.1, 0.95),
    "expire_days": (0, MOST_DAYS),
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class DedupConfig:
    """Options of a `DuplicateIndex`. Shares are 0..1."""

    method: str = "codes"  # one of METHODS; the options below are those of "codes"

    # The fingerprint. An index made with other values of these is refused.
    sample: int = 48  # codes kept of a page, by which it is found
    terms: int = 416  # terms kept of a page at most, by which it is compared
    numbers: int = 24  # numbers kept of a page, each with its left context
    title_weight: float = 2.0  # of a code of the title; a code of the text has 1; at most 16
    max_chars: int = 1_000_000  # characters of a text that are read
    stop_words: tuple[str, ...] = ()  # added to the built-in ones
    user_words: tuple[str, ...] = ()  # lines of jieba's user dictionary
    idf: tuple[tuple[str, float], ...] = ()  # (word, value): replaces or adds built-in values
    min_codes: int = 8  # keywords; of a text with fewer the title is a part

    # The search.
    indexed: int = 16  # codes that a page is indexed under
    probes: int = 32  # codes of a page that are looked up
    votes: int = 2  # shared codes that make a candidate
    max_pages_per_code: int = 48  # a code that this many pages have is boilerplate
    max_candidates: int = 8  # pages that are compared at most

    # The decision.
    own_share: float = 0.25  # of a page, from which on it is no copy
    short_words: int = 40  # a text with fewer is a copy of equal texts only
    # "drop": an update is not kept; "keep": it is kept beside the older page; "replace": once
    # confirmed it represents the older page.
    updates: str = "keep"
    # A known key with another text, in a run. "all", "last": it is a version, unless it is a copy
    # of another page; "first": a duplicate of itself; "none": it is compared like any other page.
    versions: str = "none"
    min_change: float = 0.0  # share of the lines of both that a version has changed

    # The other methods. An index made with other values of these is refused by its method.
    keywords: int = 10  # "keywords" and "feature-string": heaviest keywords that are used
    # "keywords": how many, the heaviest, find candidates. With 3 of 10 a ninth (English) to a half
    # (Chinese) of the pairs are compared, and every labelled copy is found that 10 find.
    indexed_keywords: int = 3
    minhash_jaccard: float = 0.7  # "minhash": estimated similarity from which pages match

    # Their decision.
    min_cosine: float = 0.8  # "keywords"
    min_run: float = 0.5  # "feature-string": longest common run, as a share of the shorter string

    # Days after which a page is forgotten; 0: never.
    expire_days: float = 0.0

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                self._refuse(name, f"one of {choices}")
        for field in fields(self):
            low, high = _LIMITS.get(field.name, (0.01, 1.0))
            value = getattr(self, field.name)
            if isinstance(value, (int, float)) and not low <= value <= high:
                self._refuse(field.name, f"{low} to {high}")
        if self.indexed > self.sample:
            self._refuse("indexed", "at most sample")

    def _refuse(self, name: str, wanted: str) -> None:
        raise ConfigError(f"{name} must be {wanted}, got {getattr(self, name)!r}")

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
