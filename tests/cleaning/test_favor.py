from dataclasses import replace

import pytest

from tests.cleaning.test_cleaner import NOTICE, page, text
from webclean_scrapy.cleaning.body.models import BodyConfig
from webclean_scrapy.cleaning.cleaner import CleanConfig, Cleaner, clean
from webclean_scrapy.cleaning.method_names import FAVORS

DOUBTFUL = "The harbour office, 3 May 2026"
PAGE = page("pier").replace(NOTICE, DOUBTFUL)
#: A list of a site: its lines are those of other pages.
LISTING = "<title>News</title>" + "".join(
    f"<div class=teaser><h2><a href=/news/{n}.html>Report number {n} of the harbour office</a></h2>"
    f"<p>What the office said on day {n}, in a few words and no more.</p><p>{n} May 2026</p></div>"
    for n in range(1, 12)
)


def log_odds(html: str, line: str) -> float:
    trace = clean(html).trace
    assert trace.selection is not None
    at = trace.page.table.lines.text.index(line) - trace.selection.lines.start
    return float(trace.selection.log_odds[at])


def config(favor: str, threshold: float) -> CleanConfig:
    body = BodyConfig()
    weights, page_weights = (
        replace(each, threshold=threshold) for each in (body.weights, body.page_weights)
    )
    return CleanConfig(favor=favor, body=BodyConfig(weights=weights, page_weights=page_weights))


@pytest.mark.parametrize(
    ("beyond", "kept_by"), [(0.3, {"balanced", "recall"}), (-0.3, {"recall"}), (3.0, set(FAVORS))]
)
def test_a_doubtful_line_stays_or_goes_by_what_is_favored(beyond: float, kept_by: set[str]) -> None:
    threshold = log_odds(PAGE, DOUBTFUL) - beyond

    found = {favor: clean(PAGE, config=config(favor, threshold)) for favor in FAVORS}

    assert {favor for favor, one in found.items() if DOUBTFUL in one.text} == kept_by
    assert all(text("pier") in one.text for one in found.values())


def test_pages_that_are_no_articles_are_narrowed_too() -> None:
    line = "5 May 2026"
    threshold = log_odds(LISTING, line) - 0.3

    found = {favor: clean(LISTING, config=config(favor, threshold)) for favor in FAVORS}

    assert not any(one.is_article for one in found.values())
    assert {favor for favor, one in found.items() if line in one.text} == {"balanced", "recall"}
    assert all("in a few words" in one.text for one in found.values())


def test_other_extractors_read_no_favor() -> None:
    bodies = {
        clean(PAGE, config=CleanConfig(extractor="decay", favor=favor)).text for favor in FAVORS
    }

    assert len(bodies) == 1


def test_a_favor_changes_neither_the_kind_nor_what_is_learned() -> None:
    threshold = log_odds(PAGE, DOUBTFUL) - 0.3
    found = {}
    for favor in FAVORS:
        cleaner = Cleaner(config(favor, threshold))
        cleaned = cleaner.clean(PAGE, "https://harbour.invalid/news/1.html")
        learned = [sketch.to_data() for one in cleaner.templates for sketch in one.pages]
        found[favor] = cleaned.kind, cleaned.kind_confidence, learned

    assert found["precision"] == found["balanced"] == found["recall"]
    assert found["balanced"][2]
