from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webclean_scrapy.cleaning.metadata.authors import find_authors
from webclean_scrapy.cleaning.metadata.head import Head


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        (("Ann Lee",), ["Ann Lee"]),
        (("By Ann Lee and Bo Ek",), ["Ann Lee", "Bo Ek"]),
        (("王小明 李红",), ["王小明", "李红"]),
        (("王小明、李红", "王小明"), ["王小明", "李红"]),
        (("https://post.invalid/people/ann", "Ann Lee"), ["Ann Lee"]),
        (("admin", "1234", "ann@post.invalid", "post.com"), []),
        (("港湾网编辑",), []),
        (("12 minutes", "Ann Lee"), ["Ann Lee"]),
        (("Words: Ann Lee",), ["Ann Lee"]),
        (("Текст: Анна Ли",), ["Анна Ли"]),
    ],
)
def test_declared_names_are_taken_apart(declared: tuple[str, ...], expected: list[str]) -> None:
    assert find_authors(Head(authors=declared)) == expected


def test_the_site_is_no_author() -> None:
    titles = ("渡船晚点两小时_港湾网",)

    assert find_authors(Head(authors=("港湾",), titles=titles)) == []
    assert find_authors(Head(authors=("Harbour Post",), site_name="The Harbour Post")) == []


def test_who_publishes_is_an_author_only_when_nobody_else_is() -> None:
    publishers = ("Harbour Post", "Ann Lee")

    assert find_authors(Head(authors=("Bo Ek, Harbour Post",), publishers=publishers)) == ["Bo Ek"]
    assert find_authors(Head(authors=("Ann Lee",), publishers=publishers)) == ["Ann Lee"]


@pytest.mark.parametrize("line", ["责任编辑：王小明", "(责编：李红、王小明)", "編輯 王小明"])
def test_whom_the_page_calls_its_editor_is_no_author(line: str) -> None:
    declared = Head(authors=("王小明",))

    assert find_authors(declared, near=[line]) == []
    assert find_authors(declared, near=[line, "作者：李红"]) == ["李红"]
    assert find_authors(declared, near=["责任编辑：赵六"]) == ["王小明"]


def test_the_byline_near_the_article_is_read_before_others() -> None:
    assert find_authors(Head(), ["By Teaser Ted", "By Ann Lee"], ["By Ann Lee"]) == ["Ann Lee"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("作者：王小明 来源：港湾网", ["王小明"]),
        ("2026-02-03 记者 王小明 李 红", ["王小明", "李红"]),
        ("（港湾网记者 王小明）", ["王小明"]),
        ("文/王小明、李红 编辑/张三", ["王小明", "李红"]),
        ("By Ann Lee", ["Ann Lee"]),
        ("By Ann Lee and Bo Ek", ["Ann Lee", "Bo Ek"]),
        ("记者了解到，渡船晚点。", []),
        ("Stand by for news", []),
        ("By the sea", []),
        ("Posted by Ann Lee on 3 February 2026 at 04:05", ["Ann Lee"]),
        ("作者 王小明 李 红", ["王小明", "李红"]),
        ("作者︱王小明", ["王小明"]),
        ("港灣記者 王小明", ["王小明"]),
        ("港湾小明 于 2026-02-03 04:05:06 发布", ["港湾小明"]),
        ("最新推荐文章于 2026-02-03 04:05:06 发布", []),
        ("渡船公司于 2026 年成立", []),
        ("图片来源：港湾记者 王小明", []),
        ("港湾记者 王小明 摄", []),
        ("By Ann Lee " * 40, []),
    ],
)
def test_a_byline_is_read_when_nothing_is_declared(line: str, expected: list[str]) -> None:
    assert find_authors(Head(), ["渡船晚点两小时", line, "正文。"]) == expected


@given(st.lists(st.text()), st.lists(st.text()))
def test_any_text_gives_names_without_blanks_around(declared: list[str], lines: list[str]) -> None:
    found = find_authors(Head(authors=tuple(declared)), lines)

    assert all(name == name.strip() and name for name in found)


@pytest.mark.parametrize(
    "unit", ["记者 王 ", "By Ann ", "A and ", "， ", "文/", "编辑 ", "王于2026-"]
)
@pytest.mark.cpu_seconds(5)
def test_long_texts_take_no_long_time(unit: str) -> None:
    lines = [unit * 20] * 50_000
    find_authors(Head(authors=(unit * 50_000,)), lines, [*lines[:100], unit * 50_000])
