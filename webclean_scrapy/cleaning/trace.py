"""The trace of cleaning a page: the result of every step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.confidence.body_confidence import ModelViews

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.body.decay_walk import DecayWalk
    from webclean_scrapy.cleaning.body.evidence import Evidence
    from webclean_scrapy.cleaning.body.features import LineEstimate
    from webclean_scrapy.cleaning.body.models import Body
    from webclean_scrapy.cleaning.body.selection import Selection
    from webclean_scrapy.cleaning.parsed_page import ParsedPage
    from webclean_scrapy.cleaning.templates.known_reading import Reading
    from webclean_scrapy.cleaning.templates.learner import Comparison


@dataclass(frozen=True, slots=True)
class Trace:
    """The results of all steps for one page, for `explain`, fitting and benchmarks."""

    page: ParsedPage
    comparison: Comparison  # with other pages of its site
    evidence: Evidence
    body: Body
    walk: DecayWalk | None = None  # where another method found the body, or there is no text
    selection: Selection | None = None
    lines: LineEstimate | None = None  # of all lines, by the model
    # Why the selected method of a paper found no body ("nothing", "little"), or why the page was
    # not parsed ("bytes", "tags", "attributes", "levels").
    fallback: str | None = None
    # Why a page at an address of a known template was read whole, one of known_reading.UNLIKE.
    unlike: str | None = None
    reading: Reading | None = None  # of a page of a known template: the skipped regions

    @property
    def models(self) -> ModelViews | None:
        """The results of the body's models; None if they were not used."""
        if self.walk is None or self.selection is None or self.lines is None:
            return None
        return ModelViews(self.walk, self.selection, self.lines)
