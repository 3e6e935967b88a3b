"""What kind of page it is: an article, a list, or neither; with confidence and a reason.

LCR (share of the page's text that is links) after patent CN103942332A: index pages are mostly
links in blocks, content pages have two or three blocks.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """The verdict: ``article``, ``list`` or ``other``, sure to *confidence* (0..1), and why."""

    name: str
    confidence: float
    reason: str


def judge_kind(
    *, body_units: int, paragraphs: int, page_units: int, link_units: int, body_link_share: float
) -> Kind:
    """Return the kind of a page from what its body and its links amount to.

    *body_units* is the text of the extracted body and *paragraphs* the number of its good
    paragraphs; *page_units* and *link_units* are of the whole page.
    """
    link_share = link_units / page_units if page_units else 0.0
    if not body_units:
        if link_share > 0.5:
            return Kind("list", min(1.0, link_share), "links and no paragraphs")
        return Kind("other", 0.9, "no text that reads like a body")
    if paragraphs == 0 and link_share > 0.6:
        return Kind("list", link_share, "links and no paragraphs")
    if body_link_share > 0.5:
        return Kind("list", body_link_share, "the body is mostly links")
    share = body_units / page_units
    if link_share > 0.8 and share < 0.08:
        return Kind("list", link_share, "hardly any text beside the links")
    return Kind("article", min(1.0, 0.5 + share / 2 + min(paragraphs, 10) / 40), "paragraphs")
