"""The configuration of cleaning: the parameters of every step in one record."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.body.models import BodyConfig
from webclean_scrapy.cleaning.method_names import DENOISERS, EXTRACTORS, FAVORS, go_together
from webclean_scrapy.cleaning.papers.decay import DecayConfig, DecayMethod
from webclean_scrapy.cleaning.papers.entropy_path import EntropyConfig, EntropyMethod
from webclean_scrapy.cleaning.papers.lcs_clusters import LcsMethod, ScoreConfig
from webclean_scrapy.cleaning.papers.title_relevance import RelevanceConfig, RelevanceMethod
from webclean_scrapy.cleaning.templates.alignment import AlignConfig
from webclean_scrapy.errors import ConfigError, check_range
from webclean_scrapy.keywords.ranker import METHODS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from webclean_scrapy.cleaning.papers.paper_method import PaperMethod
    from webclean_scrapy.keywords.interest_profile import InterestProfile


@dataclass(frozen=True, slots=True, kw_only=True)
class PapersConfig:
    """The constants of the papers' methods."""

    decay: DecayConfig = field(default_factory=DecayConfig)
    entropy: EntropyConfig = field(default_factory=EntropyConfig)
    relevance: RelevanceConfig = field(default_factory=RelevanceConfig)
    score: ScoreConfig = field(default_factory=ScoreConfig)  # of the method "lcs"
    # of the page's paragraph weight, 0..1: a method that keeps less gives way to the default one
    min_kept_share: float = 0.1

    def __post_init__(self) -> None:
        check_range(self, 0, 1, "min_kept_share")


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanConfig:
    """The configuration of cleaning. The defaults are meant for everybody."""

    extractor: str = "webclean"  # one of EXTRACTORS
    denoise: str = "template"  # one of DENOISERS
    favor: str = "balanced"  # one of FAVORS; the extractor "webclean" alone reads it
    link_blocks: bool = True  # remove logical link blocks; the extractor "webclean" alone does
    max_body_bytes: int = 5_000_000  # larger pages are not parsed
    max_tags: int = 200_000  # pages with more are not parsed
    max_scan_bytes: int = 60_000_000  # pages that are not parsed are refused above it; 0: all are
    keywords: int = 10  # of the Top-N on a page; 0: none
    keyword_method: str = "tfidf"  # one of `keywords.ranker.METHODS`
    interest_profile: InterestProfile | None = None  # a page's interest is the cosine with it
    chunks: int = 0  # tokens of a chunk of the body, at most; 0: no chunks
    comments: bool = False  # find comments too: every page is read whole
    max_templates: int = 500  # kept between pages; the least used goes first
    body: BodyConfig = field(default_factory=BodyConfig)
    papers: PapersConfig = field(default_factory=PapersConfig)  # of the other extractors
    align: AlignConfig = field(default_factory=AlignConfig)  # of denoiser and extractor "lcs"

    @property
    def learns(self) -> bool:
        """True if pages teach templates for later pages."""
        return self.denoise != "off" or self.extractor == "entropy"  # that one learns paths

    @property
    def keeps_trees(self) -> bool:
        """True if pages are kept with the feature trees that alignment needs."""
        return "lcs" in {self.denoise, self.extractor}

    def __post_init__(self) -> None:
        choices = {"extractor": EXTRACTORS, "denoise": DENOISERS, "favor": FAVORS}
        for name, allowed in {**choices, "keyword_method": METHODS}.items():
            if getattr(self, name) not in allowed:
                raise ConfigError(f"{name} must be one of {allowed}, got {getattr(self, name)!r}")
        if not go_together(self.extractor, self.denoise):
            raise ConfigError(
                "denoise must be 'template' or 'lcs' with the extractor 'lcs', got 'off'"
            )
        check_range(self, 1, math.inf, "max_body_bytes", "max_tags", "max_templates")
        check_range(self, 0, math.inf, "max_scan_bytes", "keywords", "chunks")


#: The published methods by name, each made from the configuration.
_PAPER_METHODS: Mapping[str, Callable[[CleanConfig], PaperMethod]] = {
    "decay": lambda config: DecayMethod(config.papers.decay),
    "entropy": lambda config: EntropyMethod(config.papers.entropy, config.max_templates),
    "relevance": lambda config: RelevanceMethod(config.papers.relevance),
    "lcs": lambda config: LcsMethod(config.papers.score, config.align),
}


def make_method(config: CleanConfig) -> PaperMethod | None:
    """Return the paper's method named by *config*, or None for the default method."""
    make = _PAPER_METHODS.get(config.extractor)
    return None if make is None else make(config)
