"""The body of a page: its subtree and its lines, after the removals of each step."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.body.link_blocks import LinkBlockConfig
from webclean_scrapy.cleaning.body.models import Weights, default_weights
from webclean_scrapy.errors import ConfigError

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.body.evidence import Evidence
    from webclean_scrapy.cleaning.page.removals import Removal


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyConfig:
    link_blocks: LinkBlockConfig | None = field(default_factory=LinkBlockConfig)
    weights: Weights = field(default_factory=default_weights)  # for articles
    page_weights: Weights = field(  # for forums, products, lists and all other pages
        default_factory=partial(default_weights, "page_weights.json")
    )
    min_kept_share: float = 0.3  # a step that leaves less of the weight is undone, 0..1

    def __post_init__(self) -> None:
        if not 0.0 <= self.min_kept_share <= 1.0:
            raise ConfigError(
                f"min_kept_share must be between 0 and 1, got {self.min_kept_share!r}"
            )


@dataclass(frozen=True, slots=True)
class Body:
    """The body: its subtree and the lines kept of it."""

    row: int | None  # of the subtree; None when the page has no text
    lines: tuple[int, ...]  # rising
    paragraphs: int  # among the lines
    title_line: int | None  # line that repeats the title
    removals: tuple[Removal, ...]
    extractor: str = "webclean"  # the method that found it


def empty_body(evidence: Evidence) -> Body:
    """Return the body of a page without text."""
    return Body(None, (), 0, evidence.signs.title_line, ())
