"""The fields of a cleaned page as plain values: all of them, or those that are asked for."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection

_PLAIN_FIELDS = (
    "url", "title", "text", "html", "is_article", "kind", "kind_reason", "kind_confidence",
    "kind_probabilities", "confidence", "canonical_url", "description", "main_image", "images",
    "site_name", "date_published", "date_modified", "authors", "source", "language", "keywords",
    "body_xpath", "sibling_url", "denoised", "extractor", "fallback", "link_blocks", "repaired",
)  # fmt: skip
_INTEREST, _REMOVED = "interest", "removed"
#: All fields; ``interest`` is there with an interest profile only.
FIELDS = (*_PLAIN_FIELDS, _INTEREST, _REMOVED)


def plain_record(page: Any, wanted: Collection[str] | None = None) -> dict[str, Any]:
    """Return the *wanted* fields of a `CleanedPage`, by default all; no other is computed.

    Raises:
        ValueError: a name in *wanted* is none of `FIELDS`.
    """
    wanted = FIELDS if wanted is None else wanted
    if unknown := [name for name in wanted if name not in FIELDS]:
        raise ValueError(f"no field of a page: {unknown[0]!r}; known: {', '.join(FIELDS)}")
    record = {name: getattr(page, name) for name in _PLAIN_FIELDS if name in wanted}
    if _INTEREST in wanted and (interest := page.interest) is not None:
        record[_INTEREST] = interest
    if _REMOVED in wanted:
        record[_REMOVED] = [asdict(removed) for removed in page.removed]
    return record
