from __future__ import annotations

import dataclasses

import pytest

from webclean_scrapy.report.explain import (
    BodyView,
    Explanation,
    SiblingView,
    StepView,
    render_text,
)
from webclean_scrapy.report.explain_lines import LineView
from webclean_scrapy.report.wording import MIN_WIDTH, columns_of


def line(number: int, text: str, step: str = "", reason: str = "", *notes: str) -> LineView:
    return LineView(
        number=number, text=text, kept=not step, step=step, reason=reason, sibling=notes, tag="p",
        path="p", units=9, link_share=0, likely=None, log_odds=None, terms=(),
    )  # fmt: skip


def step(
    xpath: str, weight: int, decay: float | None, limit: float | None, **of: float
) -> StepView:
    features = {name.replace("_", " "): value for name, value in of.items()}
    return StepView(
        name="div", xpath=xpath, first=1, lines=2, weight=weight, share=1, decay=decay,
        limit=limit, features=features,
    )  # fmt: skip


FOUND = Explanation(
    name="http://a.example/news/1.html", url=None, kind="article",
    kind_reason="a stretch of paragraphs", kind_confidence=0.95, extractor="webclean",
    fallback="little", denoised="lcs", title="渡船码头修好了", date_published="2026-03-05",
    authors=["Mara Lund", "Olli Vane"], source=None, language="zh", keywords=["渡船"],
    body=BodyView(
        xpath="/html/body/div[2]", confidence=0.7, signs={}, lines=(2, 4), anchor=2,
        steps=(
            step("/html", 1340, 0.01, 0.974, one=1.0),
            step("/html/body/div[2]", 1333, 0.35, 0.304, one=1.0, lost_density=0.21,
                 lost_alike=0.29, title_before=1.0),
            step("/html/body/div[2]/div", 860, None, None),
        ),
        stop=1, link_blocks=2, link_block_links=0.79, link_block_code=0.634,
    ),
    siblings=(
        SiblingView(name="2.html", refused=None, repeated=3, foreign=1, familiar=1),
        SiblingView(name="3.html", refused="same_article"),
        SiblingView(name="4.html", refused="status_404"),
    ),
    requests={"requested": 2, "learned": 1},
    lines=(
        line(1, "Home", "template", "repeated in sibling", "repeated"),
        line(2, "渡船码头修好了", "record", "title"),
        line(3, "码头从星期一起重新开放，渡船照旧每小时一班，" * 6, "", "", "familiar"),
        line(4, "More", "link_block", "close_links", "repeated", "familiar"),
        line(5, "\x1b[31mImprint", "outside", "outside the body"),
    ),
)  # fmt: skip

SHOWN = """\
http://a.example/news/1.html
kind        article (0.95): a stretch of paragraphs
title       渡船码头修好了
date        2026-03-05
authors     Mara Lund, Olli Vane
source      -
language    zh
keywords    渡船
method      webclean (fallback: the configured method kept little); c…

Body
xpath       /html/body/div[2]
kept        1 of 5 lines of the page
confidence  0.70
title line  2: 渡船码头修好了
link blocks 2, with 79% of the links and 63% of the code
Decay walk: weight; decay, limit of the next step; * body
     1340  0.01  0.97   /html
*    1333  0.35  0.30   /html/body/div[2]
                        lost density 0.21, lost alike 0.29,
                        title before 1.00
      860               /html/body/div[2]/div

Siblings
2.html
  used: 3 lines repeated,
  1 where it has other text outside its body (foreign),
  1 where it has its body (familiar)
3.html
  refused: it contains the same article
4.html
  refused: status_404
requests    learned 1, requested 2

Lines: + kept, = record, - removed (reason), in siblings
1 - template: repeated in sib…  repeated           Home
2 = record: title                                  渡船码头修好了
3 +                             familiar           码头从星期一起重新…
4 - link block                  repeated+familiar  More
5 - outside the body                                [31mImprint
"""


def test_an_explanation_is_shown_in_the_columns_of_the_terminal() -> None:
    assert render_text(FOUND, 70).splitlines() == SHOWN.splitlines()


@pytest.mark.parametrize("width", [10, 60, 61, 80, 133])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    lines = render_text(FOUND, width).splitlines()
    assert max(map(columns_of, lines)) <= max(width, MIN_WIDTH)


def test_parts_without_values_are_left_out() -> None:
    body = dataclasses.replace(
        FOUND.body, xpath=None, anchor=None, steps=(), stop=None, link_blocks=0
    )
    bare = dataclasses.replace(
        FOUND, body=body, siblings=(), requests={}, lines=(), fallback=None, denoised=None
    )
    shown = render_text(bare, 80)

    assert "none: no text looks like a body" in shown
    assert "method      webclean\n" in shown
    for word in ("title line", "Decay", "link blocks", "Siblings"):
        assert word not in shown
