"""Templates: the gain of each extractor and denoiser by a sibling."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.data import ARTICLE
from benchmarks.markdown import share, signed, table
from webclean_scrapy.cleaning.cleaner import CleanConfig, clean
from webclean_scrapy.cleaning.method_names import EXTRACTORS
from webclean_scrapy.report.text_scores import set_score

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchmarks.data import Page, Sets

DENOISERS = ("off", "template", "lcs")


def measure_worth(sets: Sets) -> dict[tuple[str, str], dict[str, float]]:
    """Return the F1 of each set by extractor and denoiser; each page is given one sibling."""
    return {
        (extractor, denoise): {
            name: score_config(CleanConfig(extractor=extractor, denoise=denoise), pages)
            for name, pages in sets.items()
        }
        for extractor in EXTRACTORS
        for denoise in (DENOISERS if extractor != "lcs" else DENOISERS[1:2])
    }


def score_config(config: CleanConfig, pages: Mapping[str, Page], *, alone: bool = False) -> float:
    """Return the F1 of a set's articles, one at least; each page is given one sibling.

    *alone*: a page that the method left to the default one counts as empty.
    """
    pairs = []
    for page in (page for page in pages.values() if page.kind == ARTICLE):
        near = [pages[key] for key in page.siblings if key in pages][:1]
        siblings = [(sibling.html, sibling.url) for sibling in near]
        found = clean(page.html, url=page.url, siblings=siblings, config=config)
        is_empty = alone and found.fallback
        pairs.append(page.score("", "") if is_empty else page.score(found.title, found.text))
    return set_score(pairs).f1


def worth_section(worth: Mapping[tuple[str, str], Mapping[str, float]]) -> str:
    """Return the table of F1 with one sibling, and the gain over none."""
    names = list(next(iter(worth.values())))
    rows = []
    for (extractor, denoise), scores in worth.items():
        alone = worth.get((extractor, "off"), {})  # one that compares is nothing alone
        cells = [
            share(scores[name])
            + (f" ({signed(scores[name] - alone[name])})" if denoise != "off" and alone else "")
            for name in names
        ]
        rows.append([f"`{extractor}`, `{denoise}`", *cells])
    return table(["extractor, denoiser", *names], rows)
