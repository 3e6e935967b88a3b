"""The papers' own tables, made with our pages, one part a paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks import duplicates, keywords
from benchmarks.data import load_articles, load_sets
from benchmarks.paper_bodies import alignment_table, decay_table, entropy_tables
from benchmarks.paper_links import link_blocks_table, measure_link_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

PARTS = ("decay", "alignment", "entropy", "links", "duplicates", "keywords")
SETS = ("zh", "aeb", "intl", "portal", "wcxb")
PORTALS = ("zh", "portal")  # sets with several pages of a site
INDEX_SETS = ("zh", "types")  # with pages that are not articles
_TOP = """# The papers' tables, with our pages

What each paper of docs/method/papers.md measured, measured here. The papers' pages are not
published, and none says when a page counts as right: here F1 of .85 or more, or of .95 or more.
"""
_DECAY = """
## Chen et al. 2012: information decay

Theirs: 95.12 % of 3,018 pages right at T = .34. "Given way": little was kept, the default did it.
"""
_ALIGNMENT = """
## Song et al. 2011: alignment with a similar page

Theirs: 95.1 % of 2,458 pages of portals right. Ts is not printed.
"""
_ENTROPY = """
## Entropy path against the alignment of whole trees

Theirs: 94 % of 2,000 pages of 15 sites right. A path needs three pages of its cluster.
"""
_LINKS = """
## Wang et al. 2014: link blocks

LCR: links in blocks by links of the page; CCR: code in blocks by code of the page. Means.
"""
_DUPLICATES = """
## Features 2 and Features 7: near-duplicates

Theirs: Features 7, 94 % found with .04 % of all comparisons; Features 2, no figure.
"""
_KEYWORDS = """
## Features 5: tag weights

Theirs: precision and recall rise with the weights; no figure.
"""


def papers_page(data: Path | None, names: Sequence[str] | None, only: str | None) -> Iterator[str]:
    """Yield the parts of the page as they are measured, those with the name *only* if given."""
    wanted = names or (SETS if data else None)
    near = names or (PORTALS if data else None)
    yield _TOP
    if only in (None, "decay"):
        yield _DECAY
        yield decay_table(load_articles(data, wanted))
    if only in (None, "alignment"):
        yield _ALIGNMENT
        yield alignment_table(load_articles(data, near))
    if only in (None, "entropy"):
        yield _ENTROPY
        yield entropy_tables(load_articles(data, wanted))
    if only in (None, "links"):
        yield _LINKS
        sets = load_sets(data, names or (dict.fromkeys((*SETS, *INDEX_SETS)) if data else None))
        yield link_blocks_table(measure_link_blocks(sets))
    if data and only in (None, "duplicates"):
        yield _DUPLICATES
        for language, texts in duplicates.load_texts(data).items():
            yield f"{language}:\n"
            yield duplicates.duplicates_section(texts, duplicates.measure_duplicates(texts))
            yield ""
    if data and only in (None, "keywords"):
        yield _KEYWORDS
        by_set = keywords.load_keyword_pages(data, names or ["zh"])
        pages = [page for pages in by_set.values() for page in pages]
        yield keywords.keywords_section(keywords.measure_keywords(pages))
