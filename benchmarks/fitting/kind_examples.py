"""Labelled pages as the model of page kinds sees them."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import numpy as np

from benchmarks.data import ARTICLE_KINDS
from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.cleaning.kind.page_kind import ARTICLE, FEATURES, KINDS, LISTING, kind_features

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from benchmarks.data import Page, Sets
    from webclean_scrapy.cleaning.kind.page_kind import KindFeatures

FOLDS = 5
#: What the labels of the sets are called by the package; other labels are of no kind of the model.
KIND_OF_LABEL = {
    **dict.fromkeys(ARTICLE_KINDS, ARTICLE),
    **{kind: kind for kind in KINDS},
    **dict.fromkeys(("list", "collection"), LISTING),
    "qa": "forum",
}


@dataclass(frozen=True, slots=True)
class KindExample:
    """A labelled page."""

    group: str  # name of the set
    label: str  # of the page, as the set has it
    kind: str  # one of KINDS
    site: str
    features: KindFeatures

    @property
    def fold(self) -> int:
        """The fold of its site, 0 to FOLDS - 1."""
        return zlib.crc32(self.site.encode()) % FOLDS


def read_kind_examples(sets: Sets) -> list[KindExample]:
    """Return the pages of the model's kinds, each without siblings.

    Raises:
        PageError: a page breaks a limit.
    """
    cleaner = Cleaner()
    return [
        KindExample(name, page.kind, kind, _site(page, name, key), _features(cleaner, page))
        for name, pages in sets.items()
        for key, page in pages.items()
        if (kind := KIND_OF_LABEL.get(page.kind))
    ]


def columns(examples: Sequence[KindExample]) -> NDArray[np.float64]:
    """Return the signs of the examples: examples x FEATURES."""
    return np.array(
        [[1.0, *(float(one.features.signs[name]) for name in FEATURES[1:])] for one in examples]
    )


def numbers(examples: Sequence[KindExample]) -> NDArray[np.int64]:
    """Return the kind of each example as its place in KINDS."""
    return np.array([KINDS.index(one.kind) for one in examples], np.int64)


def _features(cleaner: Cleaner, page: Page) -> KindFeatures:
    """Return the features as the kind is decided by: of the page read as an article."""
    trace = cleaner.inspect(page.raw).trace
    trace = cleaner.extract(trace.page, trace.comparison)
    return kind_features(trace.page, trace.evidence, trace.body)


def _site(page: Page, group: str, key: str) -> str:
    """Return the last two names of the host; where it is unknown each page is a site."""
    host = urlsplit(page.url or "").hostname or ""
    return ".".join(host.split(".")[-2:]) if host else f"{group}/{key}"
