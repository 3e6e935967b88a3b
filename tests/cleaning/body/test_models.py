from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given

from tests.reading import SENTENCE, evidence_of, trees
from webclean_scrapy.cleaning.body.decay_walk import DecayWalk, walk_down
from webclean_scrapy.cleaning.body.evidence import Evidence
from webclean_scrapy.cleaning.body.features import estimate_lines
from webclean_scrapy.cleaning.body.models import Weights, default_weights, favoring
from webclean_scrapy.cleaning.body.selection import Selection, apply_rules, select_lines

WEIGHTS = default_weights()
NARROW_TO_WIDE = ("precision", "balanced", "recall")


@pytest.mark.parametrize("model", ["line", "step", "inner"])
def test_weights_of_unknown_features_are_refused_by_name(model: str) -> None:
    data = {"line": {}, "step": {}, "inner": {}, "threshold": 0} | {model: {"luck": 1.0}}

    with pytest.raises(ValueError, match="luck"):
        Weights.from_dict(data)


def select(
    html: str, titles: Sequence[str] = (), weights: Weights = WEIGHTS
) -> tuple[Evidence, DecayWalk, Selection]:
    evidence = evidence_of(html, titles=titles)
    lines = estimate_lines(evidence, weights.line)
    walk = walk_down(evidence, lines.probability, weights.step)
    return evidence, walk, select_lines(evidence, walk.row, lines, weights)


def kept_by(selection: Selection) -> set[int]:
    return {
        line
        for line, likely in zip(selection.lines, selection.probability, strict=True)
        if likely > 0.5
    }


@given(trees())
def test_precision_keeps_less_and_recall_more_of_the_same_subtree(html: str) -> None:
    found = [select(html, weights=favoring(WEIGHTS, one, False)) for one in NARROW_TO_WIDE]

    for (_, narrow_walk, narrow), (_, wide_walk, wide) in pairwise(found):
        assert narrow_walk.rows == wide_walk.rows
        assert narrow_walk.stop >= wide_walk.stop
        if narrow_walk.stop == wide_walk.stop:
            assert kept_by(narrow) <= kept_by(wide)


GROUPED = f"<p>{SENTENCE * 9}</p><ul><li>One<li>Two<li>Three</ul><p>Tail</p>"


def test_a_list_is_settled_by_the_mean_of_its_lines() -> None:
    evidence = evidence_of(GROUPED)

    ruled = apply_rules(np.array([4.0, 3.0, -2.0, -4.0, 2.0]), evidence, range(5))[0]

    assert ruled.tolist() == [4.0, -1.0, -1.0, -1.0, 2.0]


@pytest.mark.parametrize(
    ("address", "after", "ruled"),
    [
        ("http://tide.example/", 2.0, 1.0),  # half of the way to the lines around
        ("//tide.example/", 4.0, 1.5),
        ("http://www.pier.example/", 2.0, -1.0),  # the site's own
        ("/", 2.0, -1.0),
    ],
)
def test_a_list_of_links_to_other_sites_follows_the_text(
    address: str, after: float, ruled: float
) -> None:
    items = "".join(f"<li><a href={address}{n}>Table {n}</a>" for n in range(3))
    html = f"<p>{SENTENCE * 9}</p><ul>{items}</ul><p>Tail</p>"
    evidence = evidence_of(html, url="http://pier.example/a")

    found = apply_rules(np.array([4.0, -1.0, -1.0, -1.0, after]), evidence, range(5))[0]

    assert found.tolist() == [4.0, ruled, ruled, ruled, after]


LINKS = [f"<a href=/{n}>Map {n}</a>" for n in range(5)]  # close enough for a block
NOTES = [f"{SENTENCE} Note {n}." for n in range(6)]


@pytest.mark.parametrize(
    ("items", "stays"),
    [
        ([*NOTES[:5], *LINKS, NOTES[5]], True),
        ([*NOTES, *LINKS], False),  # nothing behind them
        ([*NOTES[:3], *LINKS, NOTES[3]], False),  # more links than notes
    ],
)
def test_links_among_lines_of_their_markup_are_no_block(items: list[str], *, stays: bool) -> None:
    kept = kept_of(f"<p>{SENTENCE * 9}</p>" + "".join(f"<p class=note>{item}" for item in items))

    assert len(kept) == 1 + len(items) - (0 if stays else len(LINKS))


def kept_of(html: str, titles: Sequence[str] = ()) -> list[str]:
    """Return the lines of *html* that the rules leave to the model."""
    evidence = evidence_of(html, titles=titles)
    size = len(evidence.weights)
    ruled = apply_rules(np.full(size, 5.0), evidence, range(size))[0]
    return [evidence.table.lines.text[line] for line in range(size) if ruled[line] == 5.0]
