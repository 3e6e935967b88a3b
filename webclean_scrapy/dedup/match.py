"""The answer of an index to a page that is not new."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A page of the index, and what the new page is to it."""

    key: str  # of the page of the index
    similarity: float  # 0..1; 1.0 for equal texts
    verdict: str  # "duplicate" or "update"
