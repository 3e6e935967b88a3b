"""The comparison finds each kind of fault in an export, and none in a perfect one."""

from typing import Any

import pytest

from spiders.demo import Portal, compare

Records = list[dict[str, Any]]
TEXTS = 65  # copies aside


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
    assert (result.expected, result.exported_once, result.reposts_dropped) == (TEXTS, TEXTS, 13)
    assert (result.bodies, result.bodies_equal, result.titles_equal) == (TEXTS, TEXTS, TEXTS)
    assert result.body_share == 1.0
    assert result.differences == {}
    assert (result.quoting, result.quoting_whole) == (2, 2)


def test_a_missing_article_is_named(portal: Portal, records: Records) -> None:
    result = compare(records[1:], portal.articles)
    assert result.missing == (next(iter(portal.groups)),)
    assert not result.complete
    assert (result.exported_once, result.reposts_dropped) == (TEXTS - 1, 13)


def test_a_list_page_is_extra_and_an_article_is_doubled(portal: Portal, records: Records) -> None:
    given = [*records, {"url": "http://h/harbour/news?page=2"}, records[5]]
    result = compare(given, portal.articles)
    assert result.extra == ("/harbour/news?page=2",)
    assert result.doubled == (records[5]["url"][len("http://h:8") :],)
    assert not result.complete
    assert (result.exported_once, result.bodies) == (TEXTS - 1, TEXTS)


def test_a_repost_beside_its_original_is_kept_by_mistake(
    portal: Portal, records: Records, group: tuple[str, ...]
) -> None:
    result = compare([*records, record(portal, group[1])], portal.articles)
    assert result.reposts_kept == (group[1],)
    assert result.reposts_dropped == 12
    assert not result.complete


def test_an_article_without_a_quoted_paragraph_is_cut(portal: Portal, records: Records) -> None:
    quoted = next(str(gold.quotes) for gold in portal.articles.values() if gold.quotes)
    place = list(portal.groups).index(quoted)
    records[place]["articleBody"] = "\n".join(portal.articles[quoted].paragraphs[1:])
    assert compare(records, portal.articles).quoting_whole == 1


def test_a_teaser_does_not_stand_for_its_article(portal: Portal, records: Records) -> None:
    teaser = next(path for path in portal.articles if "thursdays-paper" in path)
    article = portal.articles[teaser].repost_of
    alone = [item for item in records if not item["url"].endswith(str(article))]
    result = compare([*alone, record(portal, teaser)], portal.articles)
    assert result.missing == (article,)
    update = {**record(portal, str(article)), "webclean": {"duplicate_of": f"http://h:8{teaser}"}}
    assert compare([*alone, record(portal, teaser), update], portal.articles).complete


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
def test_other_bodies_are_located(portal: Portal, records: Records, change: Any, said: str) -> None:
    path = next(iter(portal.groups))
    assert " " not in portal.articles[path].text[:41].strip(), "pick another article"
    records[0]["articleBody"] = change(records[0]["articleBody"])
    result = compare(records, portal.articles)
    assert list(result.differences) == [path]
    assert said in result.differences[path]
    assert result.bodies_equal == TEXTS - 1
    assert result.complete


@pytest.mark.parametrize(("is_marked", "is_cut"), [(True, True), (False, True), (True, False)])
def test_a_longer_version_beside_a_shortened_repost_is_an_update_when_it_is_marked(
    portal: Portal, records: Records, is_marked: bool, is_cut: bool
) -> None:
    texts = {path: len(gold.text) for path, gold in portal.articles.items()}
    original, repost = next(
        (members[0], path)
        for members in portal.groups.values()
        for path in members[1:]
        if (texts[path] < 0.8 * texts[members[0]]) == is_cut
    )
    if is_marked:
        place = list(portal.groups).index(original)
        records[place]["webclean"] = {"duplicate_of": f"http://h:8{repost}"}
    result = compare([*records, record(portal, repost)], portal.articles)
    is_update = is_marked and is_cut
    assert (result.complete, bool(result.reposts_kept)) == (is_update, not is_update)
    assert result.updates == ((original,) if is_update else ())
