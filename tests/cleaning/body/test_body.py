import dataclasses
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.reading import (
    LONG_PARAGRAPH,
    OTHER_PARAGRAPH,
    PARAGRAPH,
    SENTENCE,
    evidence_of,
    page_of,
    table_of,
    trace_of,
    trees,
)
from webclean_scrapy.cleaning.body.decay_walk import STEP_FEATURES, walk_down
from webclean_scrapy.cleaning.body.models import Body, BodyConfig
from webclean_scrapy.cleaning.body.selection import trim_body
from webclean_scrapy.cleaning.page.removals import Removal, line_spans
from webclean_scrapy.cleaning.page.table import PageTable
from webclean_scrapy.cleaning.templates.template import TemplateEvidence

CONFIG = BodyConfig()
NO_LINK_BLOCKS = BodyConfig(link_blocks=None)
LINKS = "".join(f"<a href=/{n}>Story {n}</a> " for n in range(8))


def body_of(
    html: str | PageTable,
    *,
    titles: Sequence[str] = (),
    template: TemplateEvidence | None = None,
    declared: Sequence[str] = (),
    config: BodyConfig = CONFIG,
) -> Body:
    page = page_of(html, titles=titles, declared=declared)
    return trace_of(page, template=template, config=config).body


PAGE = (
    f"<div class=menu>{LINKS}</div><div class=article><h1>Crack closes the pier</h1>"
    f"{LONG_PARAGRAPH}{PARAGRAPH}{OTHER_PARAGRAPH}</div><div class=sidebar><ul><li><a>A bridge</a>"
    "<li><a>A cup</a></ul></div><div class=footer>All rights reserved</div>"
)


def test_a_page_without_text_has_no_body() -> None:
    for html in ("", "<div></div>", "<p>\u200b</p>", f"<div>{LINKS}</div>"):
        body = body_of(html)
        assert (body.row, body.lines, body.paragraphs) == (None, (), 0)
        assert body.removals == ()


@pytest.mark.parametrize(("share", "left"), [(0.3, [0]), (0.31, [0, 1])])
def test_a_step_must_leave_its_share_of_the_walks_weight(share: float, left: list[int]) -> None:
    evidence = evidence_of(f"<p>{'x' * 30}</p><p>{'y' * 70}</p>")
    walk = walk_down(evidence, np.ones(2), np.zeros(len(STEP_FEATURES)))
    removal = Removal("line", "short", line_spans(evidence.table, [1]))

    assert list(trim_body(evidence, walk, ([removal],), share).lines) == left


def test_nothing_is_left_empty_even_when_any_share_may_go() -> None:
    strict = dataclasses.replace(CONFIG.weights, threshold=100.0)
    config = BodyConfig(weights=strict, min_kept_share=0.0)

    assert body_of(PAGE, config=config).lines


@given(trees(), st.sampled_from([CONFIG, NO_LINK_BLOCKS]))
def test_a_body_lies_in_its_subtree_on_any_tree(html: str, config: BodyConfig) -> None:
    table = table_of(html)

    body = body_of(table, titles=["The northern pier"], config=config)

    assert list(body.lines) == sorted(set(body.lines))
    assert 0 <= body.paragraphs <= len(body.lines)
    if body.row is None:
        assert not body.lines
    else:
        inside = table.lines_in(body.row)
        assert all(line in inside for line in body.lines)
        assert body.lines
    for removal in body.removals:
        assert removal.why
        assert all(0 <= start < stop <= len(table) for start, stop in removal.spans)


@example(f"<p>{SENTENCE}</p><h1><div>", 1.0)  # a heading left open is the last paragraph
@example("<div>one</div>编辑：王小明</div>", 1.0)  # a label of what a step removed goes with it
@given(trees(), st.floats(0.0, 1.0))
def test_each_step_leaves_the_share_of_the_walks_weight_that_is_asked_for(
    html: str, share: float
) -> None:
    page = page_of(f"<div>{html}{PARAGRAPH}</div>")

    trace = trace_of(page, config=dataclasses.replace(CONFIG, min_kept_share=share))

    body, walk = trace.body, trace.walk
    if walk is None:  # a title that is left open holds the rest of the page
        assert body.row is None
        return
    whole = walk.weights[walk.stop]
    spans = [of for one in body.removals if one.why == "empty section" for of in one.spans]
    labels = [page.table.line_of[start] for start, _ in spans]
    kept = walk.line_weights[[*body.lines, *labels]].sum()
    assert kept >= share**2 * whole - 1e-9  # two steps


@given(trees())
def test_a_page_with_a_good_paragraph_has_a_body(html: str) -> None:
    trace = trace_of(page_of(html + "</p></a></table>" + LONG_PARAGRAPH))

    if any(trace.evidence.weights):
        assert trace.body.lines
