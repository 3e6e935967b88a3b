"""Each kind of fault in an export is found, and a perfect export has none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from spiders.demo import compare

if TYPE_CHECKING:
    from spiders.demo import Portal

Records = list[dict[str, Any]]


def record(portal: Portal, path: str) -> dict[str, Any]:
    gold = portal.articles[path]
    return {"url": f"http://h:8{path}", "headline": gold.title, "articleBody": gold.text}


@pytest.fixture
def records(portal: Portal) -> Records:
    """A perfect export: the first page of each group."""
    return [record(portal, path) for path in portal.groups]


@pytest.fixture
def group(portal: Portal) -> tuple[str, ...]:
    """The paths of a text that is on three pages."""
    return next(members for members in portal.groups.values() if len(members) == 3)


def test_a_perfect_export_has_no_fault(portal: Portal, records: Records) -> None:
    result = compare(records, portal.articles)
    assert result.complete
    assert (result.expected, result.exported_once, result.reposts_dropped) == (64, 64, 12)
    assert (result.bodies, result.bodies_equal, result.titles_equal) == (64, 64, 64)
    assert result.body_share == 1.0
    assert result.differences == {}


def test_any_member_of_a_group_may_stand_for_it(
    portal: Portal, records: Records, group: tuple[str, ...]
) -> None:
    others = [item for item in records if not item["url"].endswith(group[0])]
    result = compare([*others, record(portal, group[2])], portal.articles)
    assert result.complete
    assert result.bodies_equal == 64


def test_white_space_does_not_count(portal: Portal, records: Records) -> None:
    records[0]["articleBody"] = "\n\n " + records[0]["articleBody"].replace("\n", " \n\u3000\u3000")
    assert compare(records, portal.articles).body_share == 1.0


def test_a_line_that_readers_may_want_or_not_is_no_difference(portal: Portal) -> None:
    path, gold = next((path, gold) for path, gold in portal.articles.items() if gold.optional)
    with_it = {"url": f"http://x{path}", "articleBody": "\n".join([gold.text, *gold.optional])}
    without_it = {"url": f"http://x{path}", "articleBody": gold.text}
    assert compare([with_it], portal.articles).bodies_equal == 1
    assert compare([without_it], portal.articles).bodies_equal == 1
    assert gold.optional[0].encode() in portal.pages[path].body


def test_a_missing_article_is_named(portal: Portal, records: Records) -> None:
    result = compare(records[1:], portal.articles)
    assert result.missing == (next(iter(portal.groups)),)
    assert not result.complete
    assert (result.exported_once, result.reposts_dropped) == (63, 12)


def test_a_list_page_in_the_export_is_extra(portal: Portal, records: Records) -> None:
    result = compare([*records, {"url": "http://h/harbour/news?page=2"}], portal.articles)
    assert result.extra == ("/harbour/news?page=2",)
    assert not result.complete


def test_an_article_exported_twice_is_doubled(portal: Portal, records: Records) -> None:
    result = compare([*records, records[5]], portal.articles)
    assert result.doubled == (records[5]["url"][len("http://h:8") :],)
    assert result.exported_once == 63
    assert result.bodies == 64


def test_a_repost_beside_its_original_is_kept_by_mistake(
    portal: Portal, records: Records, group: tuple[str, ...]
) -> None:
    result = compare([*records, record(portal, group[1])], portal.articles)
    assert result.reposts_kept == (group[1],)
    assert result.reposts_dropped == 11
    assert not result.complete


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda body: body + "\n责编：某人", "got ' 责编：某人', expected ''"),
        (lambda body: body[3:], "expected"),
        (lambda body: "", "at character 0: got ''"),
        (lambda body: None, "at character 0: got ''"),
        (lambda body: body[:40] + "X" + body[41:], "at character 40: got 'X'"),
    ],
)
def test_another_body_is_a_difference_that_says_where(
    portal: Portal, records: Records, change: Any, said: str
) -> None:
    path = next(iter(portal.groups))
    assert " " not in portal.articles[path].text[:41].strip(), "pick another article"
    records[0]["articleBody"] = change(records[0]["articleBody"])
    result = compare(records, portal.articles)
    assert list(result.differences) == [path]
    assert said in result.differences[path]
    assert result.bodies_equal == 63
    assert result.complete


def test_another_headline_is_counted(portal: Portal, records: Records) -> None:
    records[0]["headline"] = "Wrong"
    del records[1]["headline"]
    assert compare(records, portal.articles).titles_equal == 62


def test_an_empty_export_misses_everything(portal: Portal) -> None:
    result = compare([], portal.articles)
    assert len(result.missing) == result.expected == 64
    assert (result.body_share, result.bodies) == (1.0, 0)
