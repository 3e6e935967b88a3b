import pytest
from hypothesis import given
from hypothesis import strategies as st

from webclean_scrapy.cleaning.page.guard import visible_source

KEPT = b"<p>The pier is closed.</p>"


@pytest.mark.parametrize(
    "unseen",
    [
        b"<!-- a comment with <p>a paragraph</p> -->",
        b"<!---->",
        b"<!-->",
        b"<script>if (a < b) document.write('<p>x</p>')</script>",
        b"<SCRIPT type='a > b'>x</ScRiPt >",
        b"<style>p > a { color: red }</style>",
        b"<textarea><script></textarea>",
        b"<select><option>a<option>b</select>",
        b"<template><p>x</p><p>y</p></template>",
    ],
)
def test_what_no_reader_sees_is_taken_out(unseen: bytes) -> None:
    assert visible_source(KEPT + unseen + KEPT) == KEPT + KEPT


@pytest.mark.parametrize("left_open", [b"<!--", b"<script>", b"<style", b"<select>", b"<iframe>"])
def test_what_is_left_open_keeps_the_text_after_it(left_open: bytes) -> None:
    assert KEPT in visible_source(b"<div>" + left_open * 3 + b"<div>" + KEPT)


def test_json_ld_stays_or_is_handed_on() -> None:
    ld = b"<script type='application/ld+json'>{}</script>"
    json_ld: list[bytes] = []

    assert visible_source(ld + KEPT) == ld + KEPT
    assert visible_source(ld + KEPT, json_ld) == KEPT
    assert json_ld == [ld]


@given(st.binary())
def test_bytes_without_an_angle_bracket_are_text(html: bytes) -> None:
    html = html.replace(b"<", b"")
    assert visible_source(html) == html
