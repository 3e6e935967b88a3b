"""The published method that the configuration names, with the constants of all of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.papers.decay import DecayConfig, DecayMethod
from webclean_scrapy.cleaning.papers.entropy_path import EntropyMethod
from webclean_scrapy.cleaning.papers.entropy_walk import EntropyConfig
from webclean_scrapy.cleaning.papers.lcs_clusters import LcsMethod, ScoreConfig
from webclean_scrapy.cleaning.papers.title_relevance import RelevanceConfig, RelevanceMethod
from webclean_scrapy.errors import ConfigError

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.papers.paper_method import PaperMethod
    from webclean_scrapy.cleaning.papers.title_relevance import Segment
    from webclean_scrapy.cleaning.templates.alignment import AlignConfig


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
        if not 0.0 <= self.min_kept_share <= 1.0:
            raise ConfigError(
                f"min_kept_share must be between 0 and 1, got {self.min_kept_share!r}"
            )


def make_method(
    extractor: str,
    config: PapersConfig,
    *,
    align: AlignConfig,
    max_templates: int,
    segment: Segment,
) -> PaperMethod | None:
    """Return the method called *extractor*, None for the default one, ``webclean``.

    *max_templates* bounds what it learns; *segment* cuts a text into words.
    """
    if extractor == "decay":
        return DecayMethod(config.decay)
    if extractor == "entropy":
        return EntropyMethod(config.entropy, max_templates)
    if extractor == "relevance":
        return RelevanceMethod(config.relevance, segment)
    if extractor == "lcs":
        return LcsMethod(config.score, align)
    return None
