from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webclean_scrapy.cleaning.page.nesting import flatten
from webclean_scrapy.cleaning.page.parse import parse
from webclean_scrapy.cleaning.page.table import build_table

NAMES = ("div", "b", "p", "ul", "li", "table", "td", "i", "section", "br")


def lines(html: bytes) -> list[str]:
    return [line.strip() for line in build_table(parse(html)).lines.text]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (b"<div><div><div><i>a</i></div></div></div>", b"<div><br><div><i>a</i></div><br></div>"),
        (b"<p>a<p>b<p>c<p>d", b"<p>a<p>b<p>c<p>d"),  # a paragraph ends the one before it
        (b"<ul><li>a<li>b<li>c</ul>", b"<ul><li>a<li>b<li>c</ul>"),
        (b"<b><i><u><s>a</s></u></i></b>", b"<b><u><s>a</s></u></b>"),
        (b"<b><br><img><hr>a</b>", b"<b><br><img><hr>a</b>"),
        (b"<title><b><b><b></title><p>a", b"<title><b><b><b></title><p>a"),
        (b"</i></b>a</p>", b"</i></b>a</p>"),
        (b"<b><div></b>a</div>", b"<b><div></b>a</div>"),  # not ended from within a div
    ],
)
def test_only_levels_in_the_middle_are_left_out(html: bytes, expected: bytes) -> None:
    assert flatten(html, outer=1, inner=2) == expected


def test_texts_of_blocks_that_are_left_out_stay_lines_of_their_own() -> None:
    html = b"".join(b"<div>text %d" % at for at in range(20)) + b"</div>" * 20

    flat = flatten(html, outer=2, inner=2)

    assert flat.count(b"<div>") == 4
    assert lines(flat) == lines(html)


@pytest.mark.parametrize("unit", [b"<div>", b"<b>", b"<ul><li>", b"<table><tr><td>", b"<x-y><p>"])
def test_any_depth_can_be_parsed_then(unit: bytes) -> None:
    assert "the end" in lines(flatten(unit * 20_000 + b"the end"))


@given(st.lists(st.sampled_from([*(f"<{n}>" for n in NAMES), *(f"</{n}>" for n in NAMES), "x "])))
def test_text_is_kept_in_its_order(parts: list[str]) -> None:
    html = "".join(f"{part}{at} " if part == "x " else part for at, part in enumerate(parts))

    flat = flatten(html.encode(), outer=1, inner=1)

    assert " ".join(lines(flat)).split() == " ".join(lines(html.encode())).split()


@pytest.mark.parametrize(
    "unit",
    [b"<i><div></i>", b"<b></i>", b"<b><div>", b"</b>", b"<textarea>", b"<p><li>", b"<title", b"<"],
)
@pytest.mark.no_cover
def test_the_cost_is_linear(unit: bytes) -> None:
    def seconds(count: int) -> float:
        start = time.process_time()
        flatten(unit * count)
        return time.process_time() - start

    assert seconds(12_000) < 10 * seconds(3_000) + 0.05
