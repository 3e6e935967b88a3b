from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.toml_files import read_toml
from webclean_scrapy.cleaning.page.guard import visible_source

TABLES = read_toml(Path(__file__).with_name("tables.toml"))
KEPT = b"<p>The pier is closed.</p>"


@pytest.mark.parametrize("unseen", TABLES["unseen"])
def test_what_no_reader_sees_is_taken_out(unseen: str) -> None:
    assert visible_source(KEPT + unseen.encode() + KEPT) == KEPT + KEPT


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
