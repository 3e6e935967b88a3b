from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webclean_scrapy.page.authors import find_authors
from webclean_scrapy.page.metadata import Head


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
    ],
)
def test_declared_names_are_taken_apart(declared: tuple[str, ...], expected: list[str]) -> None:
    assert find_authors(Head(authors=declared)) == expected


def test_the_site_is_no_author() -> None:
    titles = ("渡船晚点两小时_港湾网",)

    assert find_authors(Head(authors=("港湾",), titles=titles)) == []
    assert find_authors(Head(authors=("Harbour Post",), site_name="The Harbour Post")) == []


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
        ("By Ann Lee " * 40, []),
    ],
)
def test_a_byline_is_read_when_nothing_is_declared(line: str, expected: list[str]) -> None:
    assert find_authors(Head(), ["渡船晚点两小时", line, "正文。"]) == expected


@given(st.lists(st.text()), st.lists(st.text()))
def test_any_text_gives_names_without_blanks_around(declared: list[str], lines: list[str]) -> None:
    found = find_authors(Head(authors=tuple(declared)), lines)

    assert all(name == name.strip() and name for name in found)


@pytest.mark.parametrize("unit", ["记者 王 ", "By Ann ", "A and ", "， ", "文/"])
@pytest.mark.timeout(5)
def test_long_texts_take_no_long_time(unit: str) -> None:
    find_authors(Head(authors=(unit * 50_000,)), [unit * 20] * 50_000)
