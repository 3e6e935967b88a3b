import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webclean_scrapy.cleaning.cleaner import CleanConfig, Cleaner
from webclean_scrapy.errors import ProfileFileError
from webclean_scrapy.keywords.interest_profile import (
    FILE_FORMAT,
    FILE_VERSION,
    MAX_BYTES,
    TERMS,
    InterestProfile,
    make_profile,
)
from webclean_scrapy.keywords.tfidf import KeywordRanker

vectors = st.dictionaries(st.text(min_size=1, max_size=3), st.floats(1e-3, 1e4), max_size=40)
RIGHT = {"format": FILE_FORMAT, "version": FILE_VERSION, "pages": 1, "terms": {"bridge": 1.0}}
WRONG: tuple[dict[str, Any], ...] = (
    {"format": "webclean templates"}, {"version": 2}, {"version": None}, {"pages": 0},
    {"pages": True}, {"pages": "1"}, {"terms": {}}, {"terms": ["bridge"]},
    {"terms": {"bridge": "1"}}, {"terms": {"bridge": True}}, {"terms": {"bridge": -1}},
    {"terms": {"bridge": math.nan}}, {"terms": {"bridge": math.inf}},
)  # fmt: skip


def test_terms_are_summed_and_the_heaviest_come_first() -> None:
    profile = make_profile([{"bridge": 3.0, "amber": 4.0}, {}, {"bridge": 2.0}])
    assert profile.pages == 2
    assert [word for word, _ in profile.terms] == ["bridge", "amber"]
    assert [weight for _, weight in profile.terms] == pytest.approx([1.6, 0.8])


def test_a_long_page_does_not_outweigh_two_short_ones() -> None:
    pages = [{"harbour": 500.0}, {"bridge": 2.0}, {"bridge": 3.0}]
    assert make_profile(pages).terms[0][0] == "bridge"


@given(st.lists(vectors.filter(bool), min_size=1, max_size=4), vectors, st.floats(0.01, 100))
def test_interest_is_a_share_that_no_length_of_a_page_changes(
    pages: list[dict[str, float]], page: dict[str, float], factor: float
) -> None:
    profile = make_profile(pages)
    interest = profile.interest(page)
    assert 0.0 <= interest <= 1.0
    longer = {word: weight * factor for word, weight in page.items()}
    assert math.isclose(profile.interest(longer), interest, abs_tol=1e-9)
    assert (interest > 0) == any(word in page for word, _ in profile.terms)


@given(vectors.filter(lambda page: 0 < len(page) <= TERMS))
def test_the_kept_page_itself_has_all_the_interest(page: dict[str, float]) -> None:
    assert make_profile([page]).interest(page) == pytest.approx(1.0)


@given(st.lists(vectors.filter(bool), min_size=1, max_size=3))
def test_a_saved_profile_is_read_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, pages: list[dict[str, float]]
) -> None:
    path = tmp_path_factory.mktemp("profile") / "p.json"
    profile = make_profile(pages)
    if profile.terms[-1][1] < 1e-6:
        return  # the file has six digits
    profile.save(path)
    again = InterestProfile.load(path)
    assert again.pages == profile.pages
    assert dict(again.terms) == pytest.approx(dict(profile.terms), abs=1e-6)


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"{", b"[]", b"5", b'"x"', b"\xff\xfe", b"<html>"),
        *(b"[" * 100_000, b" " * (MAX_BYTES + 1)),
        *(json.dumps({**RIGHT, **wrong}).encode() for wrong in WRONG),
    ],
)
def test_a_damaged_or_foreign_file_is_an_error_naming_it(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "p.json"
    path.write_bytes(content)
    with pytest.raises(ProfileFileError, match=r"cannot read an interest profile from .*p\.json: "):
        InterestProfile.load(path)


def test_a_clean_page_has_an_interest_only_with_a_profile() -> None:
    body = "<p>Engineers of the harbour repaired the bridge over the Amber in two weeks.</p>" * 4
    html = f"<title>The bridge is open</title><h1>The bridge is open</h1>{body}"
    profile = InterestProfile((("bridge", 1.0),), pages=1)
    page = Cleaner(CleanConfig(interest_profile=profile)).clean(html)
    vector = KeywordRanker().vector(page.weighted_blocks)
    assert page.interest == page.to_dict()["interest"] == round(profile.interest(vector), 4) > 0
    plain = Cleaner().clean(html)
    assert plain.interest is None
    record: dict[str, Any] = page.to_dict()
    del record["interest"]
    assert record == plain.to_dict()
