from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webclean_scrapy.cleaning.page.visible_source import visible_source, without_scripts

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
        b"<textarea><p>x</textarea>",
        b"<select><option>a<option>b</select>",
        b"<svg><text>x</text></svg>",
        b"<noscript><img src=x></noscript>",
        b"<template><p>x</p><p>y</p></template>",
    ],
)
def test_what_no_reader_sees_is_taken_out(unseen: bytes) -> None:
    assert visible_source(KEPT + unseen + KEPT).html == KEPT + KEPT


@pytest.mark.parametrize(
    "left_open",
    [b"<!--", b"<script>", b"<style", b"<svg>", b"<button class=x>", b"<noscript>", b"<select>",
     b"<template>", b"<a title='", b'<a title="', b"<a", b"<", b"</", b"<textarea>", b"<iframe>",
     b"<object>", b"<map name=m>", b"<video>", b"<!", b"<?"],
)  # fmt: skip
def test_what_is_left_open_keeps_the_text_after_it(left_open: bytes) -> None:
    assert KEPT in visible_source(b"<div>" + left_open + b"<div>" + KEPT).html
    assert KEPT in visible_source(b"<div>" + left_open * 3 + b"<div>" + KEPT).html


def test_an_element_that_has_swallowed_paragraphs_keeps_them() -> None:
    html = b"<svg><path>" + KEPT * 2 + b"<svg></svg>"

    assert KEPT * 2 in visible_source(html).html


def test_angle_brackets_in_values_do_not_end_a_tag() -> None:
    html = b"<a title=\"a > b\" data-x='<p>y</p>' href=/c>text</a>"

    assert visible_source(html).html == (
        b"<a title=\"a &gt; b\" data-x='&lt;p&gt;y&lt;/p&gt;' href=/c>text</a>"
    )


def test_a_script_in_a_value_begins_no_script() -> None:
    html = b"<a title='<script>'>one</a><p>two</p><script>x</script>"

    assert visible_source(html).html == b"<a title='&lt;script&gt;'>one</a><p>two</p>"


def test_the_title_and_json_ld_are_handed_on() -> None:
    ld = b"<script type='application/ld+json'>{}</script>"
    html = b"<title>One</title>" + ld + b"<p>x"

    assert visible_source(html) == (b"<p>x", [b"<title>One</title>", ld])


def test_without_scripts_json_ld_and_everything_else_stays() -> None:
    ld = b"<script type='application/ld+json'>{}</script>"
    rest = b"<title>One</title>" + ld + b"<svg></svg><select></select>" + KEPT

    assert without_scripts(b"<script>1</script><style>2</style><!-- 3 -->" + rest) == rest


def test_a_script_in_plain_text_begins_no_script() -> None:
    html = b"<textarea><script></textarea>" + KEPT + b"<script>x</script>"

    assert without_scripts(html) == b"<textarea><script></textarea>" + KEPT


_PIECES = [
    b"<!--", b"-->", b"<script>", b"</script>", b"<svg>", b"</svg>", b"<a title='", b'="', b"'",
    b'"', b">", b"<", b"<p>", b"</p>", b"x", b"</", b"<!", b"=", b" ", b"<noscript>", b"<title>",
    b"</title>", b"<textarea>", b"/",
]  # fmt: skip


@given(st.lists(st.sampled_from(_PIECES)).map(b"".join))
def test_any_soup_comes_out_with_no_more_than_it_had(html: bytes) -> None:
    for found in (visible_source(html).html, without_scripts(html)):
        assert len(found.replace(b"&lt;", b"<").replace(b"&gt;", b">")) <= len(html)


@given(st.binary())
def test_bytes_without_an_angle_bracket_are_text(html: bytes) -> None:
    html = html.replace(b"<", b"")
    assert visible_source(html).html == html


def test_a_long_run_of_tags_without_an_end_is_one_line_break() -> None:
    html = b"<p>before" + b"<b " * 1_000 + b"<p>after"
    assert visible_source(html).html == b"<p>before<br><p>after"


@pytest.mark.parametrize(
    "kept",
    [
        b"<b " * 50 + b"<p>",  # a few are left to the steps that follow
        b"<b " + b"<3 " * 1_000 + b"<p>",  # hearts are text
    ],
)
def test_what_is_no_long_run_of_open_tags_is_kept(kept: bytes) -> None:
    assert visible_source(kept).html == kept
