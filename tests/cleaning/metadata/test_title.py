from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webclean_scrapy.cleaning.metadata.head import Head
from webclean_scrapy.cleaning.metadata.title import clean_title, page_title


@pytest.mark.parametrize(
    ("title", "site_name", "expected"),
    [
        ("Ferry arrives two hours late | News | Post", None, "Ferry arrives two hours late"),
        ("渡船晚点两小时_社会新闻_港湾网", None, "渡船晚点两小时"),
        ("渡船晚点两小时-港湾网", None, "渡船晚点两小时"),
        ("Harbour Post | Ferry late", "harbour post", "Ferry late"),
        ("Ferry - The Long Name of a Harbour Post", "The Long Name of a Harbour Post", "Ferry"),
        ("A well-known two-hour delay", None, "A well-known two-hour delay"),
        ("Part one - the much longer second part of it", None, None),
        ("Sea tales | News", None, None),  # too little would be left to be sure
        ("_", None, "_"),
        ("  Ferry \n late  ", None, "Ferry late"),
    ],
)
def test_names_of_site_and_section_are_cut(
    title: str, site_name: str | None, expected: str | None
) -> None:
    assert clean_title(title, site_name) == (title if expected is None else expected)


def test_a_heading_that_begins_the_title_is_the_title() -> None:
    title = "Sea - land: a story of two ferries - Harbour Post"

    assert page_title(Head(titles=(title,)), ["Menu", "Sea – Land: a story of two ferries"]) == (
        "Sea – Land: a story of two ferries"
    )


def test_the_title_of_a_page_is_its_heading_if_that_is_in_any_title() -> None:
    head = Head(titles=("Catchy words for sharing", "Ferry arrives late | Harbour Post"))

    assert page_title(head, ["Harbour Post", "Ferry arrives late"]) == "Ferry arrives late"
    assert page_title(head) == "Catchy words for sharing"


def test_the_name_of_the_site_as_heading_is_not_the_title() -> None:
    head = Head(titles=("Ferry late | The Harbour Post",), site_name="The Harbour Post")

    assert page_title(head, ["The Harbour Post"]) == "Ferry late"


def test_a_title_that_a_quotation_mark_has_cut_is_taken_whole_from_the_title_tag() -> None:
    head = Head(titles=("渡船晚点 船长", '渡船晚点 船长"道歉"两次_港湾网'))

    assert page_title(head) == '渡船晚点 船长"道歉"两次'


def test_without_a_title_the_first_heading_or_nothing_is_it() -> None:
    assert page_title(Head(), ["Ferry late", "More"]) == "Ferry late"
    assert page_title(Head()) == ""


@pytest.mark.parametrize(
    ("title", "first"), [("- Harbour Post", "Welcome to Harbour Post!"), ("_港湾网", "港湾网首页")]
)
def test_a_title_left_empty_by_its_template_is_none(title: str, first: str) -> None:
    assert page_title(Head(titles=(title,)), [first, "Ferry late"]) == "Ferry late"
    assert page_title(Head(titles=("|",)), ["Ferry late"]) == "Ferry late"


def test_a_heading_that_is_an_entry_of_a_list_loses_its_bullet() -> None:
    head = Head(titles=("渡船晚点两小时_港湾网",))

    assert page_title(head, ["·渡船晚点两小时"]) == "渡船晚点两小时"


@given(st.text(), st.none() | st.text())
def test_a_title_that_holds_something_is_never_cut_to_nothing(
    title: str, site_name: str | None
) -> None:
    assert bool(clean_title(title, site_name)) == bool(title.split())


@pytest.mark.parametrize("unit", ["- ", " -", "_", "-", "文-", "a | "])
@pytest.mark.cpu_seconds(5)
def test_long_titles_take_no_long_time(unit: str) -> None:
    assert len(clean_title(unit * 200_000, unit * 100_000)) <= 500
