"""The papers' tables beside ours: right pages by set and site, and curves over their constants.

The papers count pages. Ours count as right from an F1 of .95, and as nearly right from .85; a page
that a method leaves to the default extractor is not right. Any folder of labelled sets will do,
such as a user's own: `benchmarks.data` says what is in it.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.classes import FOLDS, MIN_PAGES, count_pages
from benchmarks.data import ARTICLE
from benchmarks.markdown import share, table
from webclean_scrapy.classify.class_model import TrainingParameters
from webclean_scrapy.classify.training import make_machine
from webclean_scrapy.cleaning.body.link_blocks import LinkBlockConfig
from webclean_scrapy.cleaning.cleaner import CleanConfig, Cleaner
from webclean_scrapy.cleaning.config import PapersConfig
from webclean_scrapy.cleaning.kind.page_kind import kind_in_template
from webclean_scrapy.cleaning.page.guard import GuardConfig
from webclean_scrapy.cleaning.papers.decay import DecayConfig
from webclean_scrapy.cleaning.parsed_page import parse_page
from webclean_scrapy.cleaning.result import CleanedPage
from webclean_scrapy.cleaning.templates.alignment import AlignConfig, SimilarityConfig
from webclean_scrapy.errors import PageError
from webclean_scrapy.keywords.tag_weights import TITLE
from webclean_scrapy.report.text_scores import BAD, GOOD, harmonic, right_share

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from benchmarks.classes import ClassPage
    from benchmarks.data import Page, Sets

    Scores = dict[str, list[float]]  # F1 of the articles, by set or site

METHODS = ("decay", "lcs", "entropy", "relevance", "webclean")
SITE_PAGES = 4  # articles of a site that has a line of its own
NO_SITE = "(no site)"


def score_pages(config: CleanConfig, sets: Sets, siblings: int) -> tuple[Scores, Scores]:
    """Return F1 of every article, by set and by site; each page is given so many siblings."""
    by_set, by_site = defaultdict(list), defaultdict(list)
    for name, pages in sets.items():
        for page in (page for page in pages.values() if page.kind == ARTICLE):
            near = [pages[key] for key in page.siblings if key in pages][:siblings]
            f1 = _score(Cleaner(config), page, near)
            by_set[name].append(f1)
            by_site[page.site or NO_SITE].append(f1)
    return by_set, by_site


def _score(cleaner: Cleaner, page: Page, near: Iterable[Page]) -> float:
    try:
        found = cleaner.clean(page.html, page.url, [(one.html, one.url) for one in near])
    except PageError:
        return 0.0
    return _score_found(page, found)


def _score_found(page: Page, found: CleanedPage) -> float:
    if found.fallback:
        return 0.0
    return harmonic(*page.score(found.title, found.text))


def methods_sections(sets: Sets) -> Iterator[str]:
    """Yield the table of right pages by set, then that by site."""
    rows: list[list[str]] = []
    sites: dict[str, dict[str, list[float]]] = {}
    for method in METHODS:
        for siblings in (0, 1) if method != "lcs" else (1,):  # lcs is nothing alone
            by_set, by_site = score_pages(CleanConfig(extractor=method), sets, siblings)
            name = f"{method}, {'with' if siblings else 'no'} sibling"
            rows.append([name, *_both(by_set)])
            sites[name] = by_site
    head = ["right pages", *(f"{name} >= {low}" for name in sets for low in (".95", ".85"))]
    yield table(head, rows)
    counts = {site: len(scores) for site, scores in next(iter(sites.values())).items()}
    named = [site for site, count in sorted(counts.items()) if count >= SITE_PAGES]
    lines = [
        [site, str(counts[site]), *(share(right_share(found[site])) for found in sites.values())]
        for site in named
    ]
    if lines:
        yield table(["F1 >= .95 by site", "pages", *sites], lines)


def _both(scores: Mapping[str, Sequence[float]]) -> list[str]:
    return [share(right_share(found, low)) for found in scores.values() for low in (GOOD, BAD)]


def curves(only: str | None) -> Iterator[tuple[str, int, dict[str, CleanConfig]]]:
    """Yield each curve: of which constant, with how many siblings, configurations by value."""
    found: dict[str, tuple[int, dict[str, CleanConfig]]] = {
        "decay: T": (
            0,
            {
                f"{t:.2f}": decay_config(t)
                for t in (0.2, 0.26, 0.3, 0.34, 0.38, 0.42, 0.46, 0.5, 0.56)
            },
        ),
        "lcs: Ts": (
            1,
            {f"{ts:.2f}": lcs_config(ts) for ts in (0.3, 0.4, 0.5, 0.6, 0.67, 0.75, 0.9)},
        ),
        "webclean: Ct": (0, {f"{n}": _blocks(min_links=n) for n in range(2, 13)}),
        "webclean: dt, text": (0, {f"{n}": _blocks(max_distance=n) for n in (5, 10, 20, 40)}),
        "webclean: dt, code": (
            0,
            {f"{n}": _blocks(distance="code", max_distance=n) for n in (10, 40, 80, 120)},
        ),
    }
    for name, (siblings, configs) in found.items():
        if only is None or only in name:
            yield name, siblings, configs


def decay_config(limit: float) -> CleanConfig:
    papers = PapersConfig(decay=DecayConfig(max_decay=limit))
    return CleanConfig(extractor="decay", papers=papers)


def lcs_config(limit: float) -> CleanConfig:
    align = AlignConfig(similarity=SimilarityConfig(similar_above=limit))
    return CleanConfig(extractor="lcs", align=align)


def _blocks(**values: int | str) -> CleanConfig:
    given = CleanConfig()
    link_blocks = LinkBlockConfig(**values)  # type: ignore[arg-type]
    return replace(given, body=replace(given.body, link_blocks=link_blocks))


def curve_section(name: str, siblings: int, configs: Mapping[str, CleanConfig], sets: Sets) -> str:
    """Return the table of one curve: a line a value."""
    if siblings:
        found = {value: score_pages(of, sets, siblings)[0] for value, of in configs.items()}
    else:
        found = _score_alone(configs, sets)
    rows = [[value, *_both(scores)] for value, scores in found.items()]
    return table([name, *(f"{set_} >= {low}" for set_ in sets for low in (".95", ".85"))], rows)


def _score_alone(configs: Mapping[str, CleanConfig], sets: Sets) -> dict[str, Scores]:
    """Return F1 of every article by set, for each configuration; a page is parsed once."""
    cleaners = {value: Cleaner(config) for value, config in configs.items()}
    found: dict[str, Scores] = {value: defaultdict(list) for value in configs}
    for name, pages in sets.items():
        for page in (page for page in pages.values() if page.kind == ARTICLE):
            parsed = parse_page(page.raw, GuardConfig())
            for value, cleaner in cleaners.items():
                trace = cleaner.extract(parsed)
                cleaned = CleanedPage(trace, kind_in_template(1.0), None, None)
                found[value][name].append(_score_found(page, cleaned))
    return found


def threshold_section(tasks: Mapping[str, Sequence[ClassPage]], seed: int = 0) -> str:
    """Return the accuracy of page classes and the terms left, over th, the smallest UM of a term.

    `benchmarks.classes` has UM beside the other measures.
    """
    from sklearn.model_selection import StratifiedKFold

    rows = []
    for limit in (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6):
        cells = []
        for pages in tasks.values():
            frequencies = count_pages(pages, TITLE)
            _, classes = np.unique([page.label for page in pages], return_inverse=True)
            folds = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)
            guessed, terms = np.empty_like(classes), []
            for seen, unseen in folds.split(np.zeros(len(classes)), classes):
                given = TrainingParameters(threshold=limit, min_pages=MIN_PAGES)
                machine = make_machine(given).fit(frequencies[seen], classes[seen])
                terms.append(machine[:-1].transform(frequencies[:1]).shape[1])
                guessed[unseen] = machine.predict(frequencies[unseen])
            cells += [share(float((guessed == classes).mean())), f"{np.mean(terms):,.0f}"]
        rows.append([f"{limit:.1f}", *cells])
    return table(
        ["UM: th", *(f"{task}: {what}" for task in tasks for what in ("accuracy", "terms"))], rows
    )
