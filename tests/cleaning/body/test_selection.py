from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.reading import LONG_PARAGRAPH, PARAGRAPH, evidence_of, table_of, template_of, trees
from webclean_scrapy.cleaning.body.evidence import Evidence
from webclean_scrapy.cleaning.body.features import INNER_FEATURES, line_features
from webclean_scrapy.cleaning.body.models import Weights
from webclean_scrapy.cleaning.body.selection import Selection, remove_excluded, remove_lines
from webclean_scrapy.cleaning.page.removals import KeptRows
from webclean_scrapy.cleaning.page.table import PageTable


def selection_of(evidence: Evidence, log_odds: list[float]) -> Selection:
    """Return the selection of the whole page, with given log_odds and features as they are."""
    features = np.hstack(
        [line_features(evidence), np.zeros((len(log_odds), len(INNER_FEATURES)), np.float32)]
    )
    values = np.array(log_odds)
    return Selection(range(len(log_odds)), features, values, values, evidence.excluded)


def weights_of(**inner: float) -> Weights:
    return Weights.from_dict(
        {
            "line": {},
            "step": {},
            "inner": {name.replace("_", " "): weight for name, weight in inner.items()},
            "threshold": -0.5,
        }
    )


def reasons(evidence: Evidence, log_odds: list[float], **inner: float) -> dict[str, list[str]]:
    """Return the texts that go, by reason."""
    texts: dict[str, list[str]] = {}
    for removal in remove_lines(evidence, selection_of(evidence, log_odds), weights_of(**inner)):
        kept_rows = KeptRows(evidence.table)
        kept_rows.remove([removal])
        lines = range(len(evidence.table.lines))
        texts[removal.why] = [
            evidence.table.lines.text[line] for line in lines if not kept_rows.has_line(line)
        ]
    return texts


def test_the_reason_is_the_feature_that_weighs_most_against_the_line() -> None:
    evidence = evidence_of("<p>By Ann Lee</p><p>on 2026-03-02</p><h2>Pier</h2>")

    found = reasons(evidence, [-9, -9, -9], credit=-3.0, under_25=-1.0, date=-2.0, heading=-1.0)

    assert found == {"credit": ["By Ann Lee"], "date": ["on 2026-03-02"], "heading": ["Pier"]}


def excluded(html: str | PageTable, **options: Any) -> list[tuple[str, str, list[str]]]:
    """Return step, reason and texts of the exclusions in the whole page."""
    evidence = evidence_of(html, **options)
    table = evidence.table
    found = []
    for removal in remove_excluded(evidence, selection_of(evidence, [9.0] * len(table.lines))):
        kept = KeptRows(table)
        kept.remove([removal])
        texts = [text for n, text in enumerate(table.lines.text) if not kept.has_line(n)]
        found.append((removal.what, removal.why, texts))
    return sorted(found)


def test_link_blocks_and_templates_are_steps_of_their_own() -> None:
    links = " ".join(f"<a href=/{n}>Story {n}</a>" for n in range(6))
    notice = "<div class=note><p>The notebook is kept by volunteers.</p></div>"
    table = table_of(f"<div id=text>{LONG_PARAGRAPH * 3}</div><p>{links}</p>{notice}")
    template = template_of(table, f"<div id=text>{PARAGRAPH}</div><p>-</p>{notice}", "text")

    assert excluded(table, template=template) == [
        ("link_block", "close_links", [f"{' '.join(f'Story {n}' for n in range(6))}"]),
        ("template", "template", ["The notebook is kept by volunteers."]),
    ]


@given(trees(), st.lists(st.floats(-9, 9), min_size=60, max_size=60))
def test_exactly_the_lines_under_the_threshold_go_on_any_tree(
    html: str, log_odds: list[float]
) -> None:
    evidence = evidence_of(html)
    lines = range(min(len(evidence.table.lines), 60))
    features = selection_of(evidence, [0.0] * len(evidence.table.lines)).features
    values = np.array(log_odds[: len(lines)])
    selection = Selection(
        lines, features[: len(lines)], values, values, evidence.excluded[: len(lines)]
    )
    kept_rows = KeptRows(evidence.table)

    removals = remove_lines(evidence, selection, weights_of(date=-1.0, stream=-2.0))
    kept_rows.remove(removals)

    assert [kept_rows.has_line(line) for line in lines] == [
        log_odds[line] > -0.5 or evidence.excluded[line] > 0 for line in lines
    ]
    assert len({removal.why for removal in removals}) == len(removals)
    kept_rows.remove(remove_excluded(evidence, selection))
    assert [kept_rows.has_line(line) for line in lines] == [
        log_odds[line] > -0.5 and not evidence.excluded[line] for line in lines
    ]
