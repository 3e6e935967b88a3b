"""The configuration of cleaning: the parameters of every step in one record."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.body.models import BodyConfig
from webclean_scrapy.cleaning.method_names import DENOISERS, EXTRACTORS, FAVORS, go_together
from webclean_scrapy.cleaning.page.guard import GuardConfig
from webclean_scrapy.cleaning.papers.decay import DecayConfig, DecayMethod
from webclean_scrapy.cleaning.papers.entropy_path import EntropyConfig, EntropyMethod
from webclean_scrapy.cleaning.papers.lcs_clusters import LcsMethod, ScoreConfig
from webclean_scrapy.cleaning.papers.title_relevance import RelevanceConfig, RelevanceMethod
from webclean_scrapy.cleaning.templates.alignment import AlignConfig
from webclean_scrapy.errors import ConfigError
from webclean_scrapy.keywords.ranker import METHODS
from webclean_scrapy.options import CheckedOptions, check_options, constant, limit, option, setting

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from webclean_scrapy.cleaning.papers.paper_method import PaperMethod
    from webclean_scrapy.keywords.interest_profile import InterestProfile


_GUARD = GuardConfig()


@dataclass(frozen=True, slots=True, kw_only=True)
class PapersConfig(CheckedOptions):
    """The constants of the papers' methods."""

    min_kept_share: float = constant(
        0.1,
        "share",
        "A method that keeps less than this share of a page's paragraphs leaves the page to the "
        "default extractor. The papers know no other method: 0.",
        key="extractor_min_share",
    )
    decay: DecayConfig = field(default_factory=DecayConfig)
    entropy: EntropyConfig = field(default_factory=EntropyConfig)
    relevance: RelevanceConfig = field(default_factory=RelevanceConfig)
    score: ScoreConfig = field(default_factory=ScoreConfig)  # of the method "lcs"


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanConfig:
    """The configuration of cleaning. The defaults are meant for everybody."""

    # fmt: off
    extractor: str = setting(
        "webclean", "name", "Method that detects the body of a page.", choices=EXTRACTORS)
    denoise: str = setting(
        "template", "name", "How template text is removed: by learned keys, by alignment with a "
        "sibling, or not at all.", choices=DENOISERS)
    favor: str = setting(
        "balanced", "name", "Prefers less noise (precision) or less missing text (recall); "
        "extractor webclean only.", choices=FAVORS)
    link_blocks: bool = setting(
        True, "bool", "Removes groups of adjacent links from the body (extractor webclean only).")
    chunks: int = setting(
        0, "tokens", "Largest size of the pieces of the body in the field chunks. Estimated: a "
        "token is 4 letters, or 1.3 Chinese characters; 0: none.", low=0, high=100_000)
    keywords: int = setting(
        10, "keywords", "Most keywords per item; 0: none.", low=0, high=100)
    keyword_method: str = setting(
        "tfidf", "name", "How keywords are ranked: by frequency, by several features, or by the "
        "network of words (extra network).", choices=METHODS)
    max_templates: int = limit(
        500, "templates", "Most templates kept; the least recently used is removed first.",
        key="templates_max", low=1, high=1_000_000)
    max_body_bytes: int = limit(
        _GUARD.max_bytes, "bytes", "Size limit of a page that is parsed; a larger page is read "
        "without a parser.", low=1, high=100_000_000)
    max_scan_bytes: int = limit(
        60_000_000, "bytes", "Size limit of a page that is read without a parser; a larger page is "
        "not cleaned; 0: none is read so.", low=0, high=1_000_000_000)
    # fmt: on
    max_tags: int = option(_GUARD.max_tags, low=1)  # pages with more are not parsed
    comments: bool = False  # find comments too: every page is read whole
    link_groups: bool = False  # give out link blocks too: every page is read whole
    interest_profile: InterestProfile | None = None  # a page's interest is the cosine with it
    papers: PapersConfig = field(default_factory=PapersConfig)  # of the other extractors
    align: AlignConfig = field(default_factory=AlignConfig)  # of denoiser and extractor "lcs"
    body: BodyConfig = field(default_factory=BodyConfig)

    @property
    def learns(self) -> bool:
        """True if pages teach templates for later pages."""
        return self.denoise != "off" or self.extractor == "entropy"  # that one learns paths

    @property
    def keeps_trees(self) -> bool:
        """True if pages are kept with the feature trees that alignment needs."""
        return "lcs" in {self.denoise, self.extractor}

    def __post_init__(self) -> None:
        check_options(self)
        if not go_together(self.extractor, self.denoise):
            raise ConfigError(
                "denoise must be 'template' or 'lcs' with the extractor 'lcs', got 'off'"
            )


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
