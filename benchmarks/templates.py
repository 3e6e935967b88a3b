"""Templates: what a sibling is worth to each extractor and denoiser, and what a template costs."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.data import ARTICLE
from benchmarks.markdown import share, signed, table, times
from benchmarks.scoring import precision_recall, set_score
from benchmarks.timing import best_of
from webclean_scrapy.cleaning.cleaner import CleanConfig, Cleaner, clean
from webclean_scrapy.cleaning.method_names import EXTRACTORS
from webclean_scrapy.cleaning.page.charset import as_utf8
from webclean_scrapy.cleaning.page.guard import GuardConfig
from webclean_scrapy.cleaning.page.keys import page_keys
from webclean_scrapy.cleaning.page.parse import parse
from webclean_scrapy.cleaning.page.parsed_page import parse_page
from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.cleaning.templates.template import PAGES_KEPT
from webclean_scrapy.errors import PageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchmarks.data import Page, Sets

DENOISERS = ("off", "template", "lcs")
COSTED_PAGES = 40  # of a set
ROUNDS = 5


@dataclass(slots=True)
class Costs:
    """What templates cost on the pages of a set that have a sibling; times are lxml parses."""

    read: list[float] = field(default_factory=list)  # bytes to table: what every page costs
    learn: list[float] = field(default_factory=list)  # page and sibling read, its body found
    keys: list[float] = field(default_factory=list)  # of a page, to learn it and to compare it
    use: list[float] = field(default_factory=list)  # a known template asked about a page
    use_lcs: list[float] = field(default_factory=list)  # the same by alignment
    memory: list[int] = field(default_factory=list)  # bytes of a template with all its pages
    memory_lcs: list[int] = field(default_factory=list)  # and a feature tree


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
    """Return the F1 of a set's articles; each page is given one sibling.

    *alone*: a page that the method left to the default one counts as empty.
    """
    pairs = []
    for page in (page for page in pages.values() if page.kind == ARTICLE):
        near = [pages[key] for key in page.siblings if key in pages][:1]
        siblings = [(sibling.html, sibling.url) for sibling in near]
        found = clean(page.html, url=page.url, siblings=siblings, config=config)
        text = f"{found.title}\n{found.text}" if page.title_in_gold else found.text
        text = "" if alone and found.fallback else text
        pairs.append(precision_recall(page.gold, text, page.optional))
    return set_score(pairs).f1


def measure_costs(pages: Mapping[str, Page]) -> Costs:
    """Return what it costs to learn and to use templates, least of ROUNDS for each page."""
    costs = Costs()
    for number, page in enumerate(pages.values()):
        near = [pages[key] for key in page.siblings if key in pages][:PAGES_KEPT]
        if not near or page.kind != ARTICLE or len(costs.read) >= COSTED_PAGES:
            continue
        try:
            _measure_page(costs, page, near, f"https://site.example/news/{number}.html")
        except PageError:
            continue
    return costs


def _measure_page(costs: Costs, page: Page, near: list[Page], url: str) -> None:
    sibling_url = "https://site.example/news/{}.html"
    text = as_utf8(page.html)
    plain, aligned = (Cleaner(CleanConfig(denoise=how)) for how in DENOISERS[1:])
    for cleaner in (plain, aligned):
        for at, sibling in enumerate(near):
            cleaner.learn(sibling.html, sibling_url.format(10_000 + at))
    raw = RawPage(page.html, url)
    parsed = parse_page(raw, GuardConfig())
    plain.compare(parsed)  # the keys of the page are timed apart
    fresh = Cleaner()
    other = RawPage(near[0].html, sibling_url.format(10_000))
    spent = best_of(
        {
            "parse": lambda: parse(text),
            "read": lambda: parse_page(raw, GuardConfig()),
            "learn": lambda: fresh.learn_sibling(raw, other),
            "keys": lambda: page_keys(parsed.table),
            "use": lambda: plain.compare(parsed),
            "use_lcs": lambda: aligned.compare(parsed),
        },
        ROUNDS,
    )
    for name in ("read", "learn", "keys", "use", "use_lcs"):
        getattr(costs, name).append(spent[name] / spent["parse"])
    costs.memory.append(max(template.nbytes for template in plain.templates))
    costs.memory_lcs.append(max(template.nbytes for template in aligned.templates))


def worth_section(worth: Mapping[tuple[str, str], Mapping[str, float]]) -> str:
    """Return the table of F1 with one sibling, and what it adds to none."""
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


def costs_section(costs: Mapping[str, Costs]) -> str:
    """Return the table of costs: medians, of memory the largest too."""
    rows = [
        [name, str(len(each.read)), *(times(median(part)) for part in (
            each.read, each.learn, each.keys, each.use, each.use_lcs))]
        + [f"{median(part) / 1000:.1f} / {max(part) / 1000:.1f}"
           for part in (each.memory, each.memory_lcs)]
        for name, each in costs.items()
        if each.read
    ]  # fmt: skip
    head = ["set", "pages", "read", "learn", "keys", "use", "use, lcs", "kB", "kB, lcs"]
    return table(head, rows)
