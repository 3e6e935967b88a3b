from __future__ import annotations

from collections import Counter

from benchmarks.made_texts import make_text
from webclean_scrapy.dedup.index import DuplicateIndex


def test_the_same_number_makes_the_same_page() -> None:
    assert make_text(298) == make_text(298)
    assert make_text(298).text != make_text(300).text


def test_of_a_hundred_pages_five_are_made_of_an_earlier_one() -> None:
    pages = [make_text(number) for number in range(200, 300)]
    assert Counter(page.kind for page in pages) == {"new": 95, "copy": 3, "update": 1, "sister": 1}
    assert all(page.origin < 200 for page in pages if page.kind != "new")


def test_their_copies_are_found_and_their_sisters_are_not() -> None:
    for number in (295, 296, 297, 298, 299):
        page = make_text(number)
        with DuplicateIndex() as index:
            index.add("origin", make_text(page.origin).text)
            match = index.find(page.text)
        assert (match is not None) == (page.kind != "sister")
