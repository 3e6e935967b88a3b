"""Accuracy of the kinds of pages on sites and sets that had no part in the fit."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.markdown import share, table
from webclean_scrapy.cleaning.kind.page_kind import ARTICLE, KINDS, OTHER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.fitting.kind_examples import KindExample
    from benchmarks.fitting.kind_weights import FittedKinds
    from webclean_scrapy.cleaning.kind.page_kind import Kind


def kinds_page(examples: Sequence[KindExample], fitted: FittedKinds) -> Iterator[str]:
    """Yield the parts of the measurement, as Markdown."""
    yield _confusion(examples, fitted.by_site)
    yield _figures(examples, fitted)
    yield _articles(examples, fitted)


def _confusion(examples: Sequence[KindExample], told: Sequence[Kind]) -> str:
    counts = Counter((one.label, kind.name) for one, kind in zip(examples, told, strict=True))
    names = (*KINDS, OTHER)
    rows = []
    for label in sorted({one.label for one in examples}):
        row = [counts[label, name] for name in names]
        said = row[names.index(ARTICLE)] / sum(row)
        rows.append([label, *(str(n) if n else "" for n in row), share(said)])
    return table(["labelled", *names, "said article"], rows)


def _figures(examples: Sequence[KindExample], fitted: FittedKinds) -> str:
    others = [
        (one.kind, kind)
        for one, kind in zip(examples, fitted.by_site, strict=True)
        if one.kind != ARTICLE
    ]
    right = [kind.name == name for name, kind in others]
    return (
        f"Of {len(others)} pages that are not articles the kind is right for "
        f"{share(float(np.mean(right)))}; an article is what is {fitted.weights.threshold} likely."
    )


def _articles(examples: Sequence[KindExample], fitted: FittedKinds) -> str:
    """Return the share of recognised articles by set, with site or set held out."""
    rows = []
    for group in sorted({one.group for one in examples if one.kind == ARTICLE}):
        at = [n for n, e in enumerate(examples) if e.group == group and e.kind == ARTICLE]
        cells = [
            share(sum(told[n].name == ARTICLE for n in at) / len(at))
            for told in (fitted.by_site, fitted.by_set)
        ]
        rows.append([group, str(len(at)), *cells])
    return table(["articles of", "pages", "sites left out", "set left out"], rows)
