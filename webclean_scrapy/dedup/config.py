"""What can be set about finding near-duplicates."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields
from typing import Any

from webclean_scrapy.errors import ConfigError

METHODS = ("codes", "keywords", "feature-string", "minhash")
UPDATES = ("drop", "keep", "replace")


@dataclass(frozen=True, slots=True, kw_only=True)
class DedupConfig:
    """Options of a `DuplicateIndex`. Shares are 0..1 of weighted feature codes."""

    method: str = "codes"  # one of METHODS; the options below are those of "codes"

    # The fingerprint: changing one of these makes an index that is not compatible.
    sample: int = 64  # codes kept of a page
    numbers: int = 24  # numbers kept of a page, each with its left context
    title_weight: float = 2.0  # of a code in the title; one in the text has 1; at most 16
    max_chars: int = 1_000_000  # characters of a text that are looked at
    stop_words: tuple[str, ...] = ()  # besides the built-in ones
    user_words: tuple[str, ...] = ()  # lines of jieba's user dictionary
    idf: tuple[tuple[str, float], ...] = ()  # words and values, instead of and besides the own ones
    min_codes: int = 8  # a text with fewer is short: only an equal one is its duplicate

    # The search.
    indexed: int = 16  # codes by which a page can be found
    probes: int = 32  # codes with which a page looks for others
    votes: int = 2  # shared codes that make a candidate
    max_pages_per_code: int = 48  # a code of more pages than this is boilerplate
    max_candidates: int = 8  # pages compared at most

    # The decision.
    min_jaccard: float = 0.30
    min_containment: float = 0.45
    whole_page_jaccard: float = 0.55  # when no body was found and the text is the whole page
    whole_page_containment: float = 0.75
    number_places: int = 3  # other numbers in as many places ...
    number_share: float = 0.4  # ... and in this share of the shared places: another report
    update_contained: float = 0.75  # share of the old page that an update still holds
    update_new: float = 0.45  # share of an update that the old page did not have
    # "drop": an update is not remembered; "keep": it can be found as well as the older page;
    # "replace": once confirmed it is found in the place of the older one.
    updates: str = "keep"

    def __post_init__(self) -> None:
        for name in (
            "sample",
            "indexed",
            "probes",
            "votes",
            "max_pages_per_code",
            "max_candidates",
        ):
            self._check(name, getattr(self, name) >= 1, "at least 1")
        for name in ("numbers", "min_codes", "number_places"):
            self._check(name, getattr(self, name) >= 0, "at least 0")
        for field in fields(self):
            if field.name.endswith(("jaccard", "containment", "share", "contained", "update_new")):
                self._check(
                    field.name, 0.0 < getattr(self, field.name) <= 1.0, "above 0 and at most 1"
                )
        self._check("method", self.method in METHODS, f"one of {METHODS}")
        self._check("sample", self.sample <= 255, "at most 255")
        self._check("numbers", self.numbers <= 255, "at most 255")
        self._check("indexed", self.indexed <= self.sample, "at most sample")
        self._check("title_weight", 0 < self.title_weight <= 16, "above 0 and at most 16")
        self._check("max_chars", self.max_chars >= 1000, "at least 1000")
        self._check("updates", self.updates in UPDATES, f"one of {UPDATES}")

    def _check(self, name: str, right: bool, wanted: str) -> None:
        if not right:
            raise ConfigError(f"{name} must be {wanted}, got {getattr(self, name)!r}")

    @classmethod
    def from_options(cls, options: dict[str, Any]) -> DedupConfig:
        """Return the config of keyword options. Raises: ConfigError for a name it lacks."""
        known = [field.name for field in fields(cls)]
        for name in options:
            if name not in known:
                raise ConfigError(f"unknown option {name!r}; known options: {', '.join(known)}")
        given = dict(options)
        for name in ("stop_words", "user_words"):
            if name in given:
                given[name] = tuple(given[name])
        if "idf" in given:
            given["idf"] = tuple(sorted(dict(given["idf"]).items()))
        return cls(**given)

    @property
    def idf_table(self) -> dict[str, float]:
        """Return the values of `idf` by word."""
        return dict(self.idf)

    def scheme(self) -> dict[str, str]:
        """Return what two fingerprints must have in common to be comparable."""
        table = (f"{word} {value!r}" for word, value in self.idf)
        words = "\n".join((*sorted(self.stop_words), "", *self.user_words, "", *table)).encode()
        return {
            "scheme": self.method,
            "version": "2",
            "sample": str(self.sample),
            "numbers": str(self.numbers),
            "title_weight": repr(float(self.title_weight)),
            "max_chars": str(self.max_chars),
            "min_codes": str(self.min_codes),
            "words": hashlib.blake2b(words, digest_size=8).hexdigest(),
        }
