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
from webclean_scrapy.cleaning.templates.aligned_lines import paired_lines
from webclean_scrapy.cleaning.templates.alignment import AlignConfig
from webclean_scrapy.cleaning.templates.feature_tree import build_features
from webclean_scrapy.cleaning.templates.learner import TemplateLearner
from webclean_scrapy.cleaning.templates.template import PAGES_KEPT
from webclean_scrapy.errors import PageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchmarks.data import Page, Sets
    from benchmarks.scoring import SetScore
    from webclean_scrapy.cleaning.page.parsed_page import ParsedPage
    from webclean_scrapy.cleaning.templates.feature_tree import FeatureTree

DENOISERS = ("off", "template", "lcs")
COSTED_PAGES = 40  # of a set
ROUNDS = 5


@dataclass(slots=True)
class Costs:
    """What templates cost on the pages of a set that have a sibling; times are lxml parses.

    Each part is timed apart: none of them holds another, but `sibling` holds two of `read`.
    """

    read: list[float] = field(default_factory=list)  # bytes to table: what every page costs
    sibling: list[float] = field(default_factory=list)  # page and sibling read, its body found
    keys: list[float] = field(default_factory=list)  # of a page, to learn it and to compare it
    learn: list[float] = field(default_factory=list)  # the sketch of a page whose body was found
    align: list[float] = field(default_factory=list)  # two trees made and aligned, once a template
    use: list[float] = field(default_factory=list)  # a later page: nothing is aligned any more
    use_lcs: list[float] = field(default_factory=list)  # a page by the denoiser "lcs": aligned
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
    """Return the F1 of `score_pages`."""
    return score_pages(config, pages, alone=alone).f1


def score_pages(config: CleanConfig, pages: Mapping[str, Page], *, alone: bool = False) -> SetScore:
    """Return the score of a set's articles, one at least; each page is given one sibling.

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
    return set_score(pairs)


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
    """Add what the templates of a page cost; nothing where no sibling is of use for it."""
    sibling_url = "https://site.example/news/{}.html"
    text, raw = as_utf8(page.html), RawPage(page.html, url)
    siblings = [RawPage(s.html, sibling_url.format(10_000 + n)) for n, s in enumerate(near)]
    known, aligning = _known_template(raw, siblings), Cleaner(CleanConfig(denoise="lcs"))
    for sibling in siblings:
        aligning.learn(sibling.html, sibling.url)
    parsed, fresh = parse_page(raw, GuardConfig()), Cleaner()
    other = parse_page(siblings[0], GuardConfig())
    comparison = known.compare(parsed)  # its keys are kept from now on: they are timed apart
    if comparison.method != "template":
        return
    body, aligned_texts = known.extract(parsed, comparison).body, comparison.aligned_texts
    learner = TemplateLearner(1, AlignConfig(), keeps_trees=False, denoise="template")
    calls = {
        "read": lambda: parse_page(raw, GuardConfig()),
        "sibling": lambda: fresh.learn_sibling(raw, siblings[0]),
        "keys": lambda: page_keys(parsed.table),
        "learn": lambda: learner.sketch(parsed, body, aligned_texts),
        "align": lambda: _align(parsed, other),
        "use": lambda: known.compare(parsed),
        "use_lcs": lambda: aligning.compare(parsed),
    }
    spent = best_of({"parse": lambda: parse(text), **calls}, ROUNDS)
    for name in calls:
        getattr(costs, name).append(spent[name] / spent["parse"])
    costs.memory.append(max(template.nbytes for template in known.templates))
    costs.memory_lcs.append(max(template.nbytes for template in aligning.templates))


def _known_template(raw: RawPage, siblings: list[RawPage]) -> Cleaner:
    """Return a cleaner that has learned *siblings* when they were aligned with the page already.

    The page itself is not kept, so that it is a later page of its template.
    """
    cleaner = Cleaner()
    for sibling in siblings:
        cleaner.clean(sibling.html, sibling.url, [(raw.html, raw.url)])
    return cleaner


def _align(page: ParsedPage, sibling: ParsedPage) -> object:
    """Do what is done once for a template: make the trees of two pages and align them."""
    config = AlignConfig()
    tree, other = (_tree(one, config) for one in (page, sibling))
    return paired_lines(page.table, tree, [other], config)


def _tree(page: ParsedPage, config: AlignConfig) -> FeatureTree:
    return build_features(page.table, config.similarity, page.table.layout)


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
            each.read, each.sibling, each.keys, each.learn, each.align, each.use, each.use_lcs))]
        + [f"{median(part) / 1000:.1f} / {max(part) / 1000:.1f}"
           for part in (each.memory, each.memory_lcs)]
        for name, each in costs.items()
        if each.read
    ]  # fmt: skip
    parts = ["read", "sibling", "keys", "learn", "align", "use", "use, lcs"]
    return table(["set", "pages", *parts, "kB", "kB, lcs"], rows)
