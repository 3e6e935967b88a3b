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

What each paper of [papers.md](papers.md) measured, measured here. Made by `python -m benchmarks papers DATA -o docs/method/papers-tables.md`; nothing here is written by
hand. A part alone: `--only NAME`, the name above its table.

The pages of the papers are not published, and none of them says in a number when a page counts as right. Here that is F1 of 4-token shingles of .85 or more (most of the
text, little else), and of .95 or more (next to no fault). So a share of ours beside theirs says whether the method works, not which is better.
What each step of our own method is worth is in [ablations.md](ablations.md).
"""  # noqa: E501, a paragraph is a line
_DECAY = """
## Chen et al. 2012: information decay

`python -m benchmarks papers DATA --only decay`. Theirs: 95.12 % of 3,718 pages right at T = .34, which was the best of .20 to .50.

The extractor `decay` over T, each page by itself, beside the default method, which walks over a learned weight with a limit for each step. F1 by set, then the share of all
pages that are right. "Given way": pages on which the method keeps next to nothing, so that the default did them.
"""  # noqa: E501
_ALIGNMENT = """
## Song et al. 2011: alignment with a similar page

`python -m benchmarks papers DATA --only alignment`. Theirs: 95.1 % of 2,458 pages of portals right. Ts is not printed.

Articles that have another page of the site, by site: the share that is right (F1 of .85 or more), the extractor `lcs` over Ts and the default method beside one page of the
site, and the default method without. "Given way": pages whose sibling was refused or on which little was found, so that the default did them.
Nodes have no boxes here, so three features are compared (id, class, depth): Ts below .67 asks for two of them to be equal, a larger one for all three.
"""  # noqa: E501
_ENTROPY = """
## Entropy path against the alignment of whole trees

`python -m benchmarks papers DATA --only entropy`. Theirs: 94 % of 2,000 pages of 15 sites right, by one path for each cluster of pages.

"Alone": the page by itself, "with a sibling": one other page of the site, read anew for each page; "as in a crawl": one cleaner that remembers all pages before, in random order.
A path needs three pages of its cluster, so only the last of these shows it, and only where a set has several pages of a site ({portals}). `lcs` aligns whole trees.
CPU time of one run whose turns alternate.
"""  # noqa: E501
_LINKS = """
## Wang et al. 2014: link blocks

`python -m benchmarks papers DATA --only links`. Theirs: curves of LCR and CCR over dt that rise and flatten, and 2 to 3 blocks on pages with content.

LCR (links in blocks by links of the page), CCR (code in blocks by code of the page) and blocks of a page: means, of blocks the median too. dt counts tokens of text or
characters of code between two links, Ct is the least number of links. Index pages are lists, forums and pages of questions, listings and collections.
"""  # noqa: E501
_DUPLICATES = """
## Features 2 and Features 7: near-duplicates

`python -m benchmarks duplicates DATA`. Theirs: Features 7, 94 % found, with .04 % of all comparisons; Features 2, no figure.

Recall is the share of copies that are found, FPR that of other pages that are taken for copies. `feature-string` is Features 2, `keywords` is Features 7, `codes` the default.
Features 7 as printed finds candidates by all ten keywords of a page; the method `keywords` by three of them.
"""  # noqa: E501
_KEYWORDS = """
## Features 5: tag weights

`python -m benchmarks keywords DATA --sets zh`. Theirs: precision and recall rise with the weights; no figure.

A page's own keywords against those that are found, with the weights of tags and without.
"""  # noqa: E501


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
        yield _ENTROPY.format(portals=" and ".join(PORTALS))
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
            found = duplicates.measure_indexed_keywords(texts)
            yield duplicates.keywords_section(texts, found)
            yield ""
    if data and only in (None, "keywords"):
        yield _KEYWORDS
        by_set = keywords.load_keyword_pages(data, names or ["zh"])
        pages = [page for pages in by_set.values() for page in pages]
        yield keywords.keywords_section(keywords.measure_keywords(pages))
