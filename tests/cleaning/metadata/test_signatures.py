"""Authors are read from signatures: in brackets, in the dateline, or apart at the end."""

import pytest

from webclean_scrapy import clean
from webclean_scrapy.cleaning.metadata.authors import find_authors
from webclean_scrapy.cleaning.metadata.head import Head


@pytest.mark.parametrize(
    ("tail", "expected"),
    [
        ("（王小明）", ["王小明"]),
        ("（王小明 李红）", ["王小明", "李红"]),
        ("（完）", []),
        ("（全文完）", []),
        ("（来源）", []),
        ("（责任编辑 王小明）", []),
        ("（易车网）", []),
    ],
)
def test_a_report_may_be_signed_in_brackets_at_its_end(tail: str, expected: list[str]) -> None:
    assert find_authors(Head(), tail=[tail]) == expected


@pytest.mark.parametrize(
    ("tail", "expected"),
    [
        ("（森川大樹）", ["森川大樹"]),
        ("（佐々木 涼）", ["佐々木 涼"]),
        ("（共同通信）", []),
        ("（終わり）", []),
        ("（社会部）", []),
    ],
)
def test_a_japanese_report_is_signed_in_brackets(tail: str, expected: list[str]) -> None:
    assert find_authors(Head(lang="ja"), tail=[tail]) == expected
    assert find_authors(Head(lang="zh"), tail=[tail]) == []


@pytest.mark.parametrize(
    ("lead", "expected"),
    [
        ("港湾日报讯（记者 王小明 李红）渡船晚点两小时。", ["王小明", "李红"]),
        ("港湾日报讯（记者 王 明、李红）渡船晚点两小时。", ["王明", "李红"]),
        ("港湾社2月3日电 (王小明)渡船晚点两小时。", ["王小明"]),
        ("（港灣社記者王小明台北3日電）渡船晚點。", ["王小明"]),
        ("【王小明╱港灣報導】渡船晚點。", ["王小明"]),
        ("港湾日报讯（记者/王小明 通讯员/李红）渡船晚点。", ["王小明"]),
        ("港湾社2月3日电 (获悉)渡船晚点两小时。", []),
        ("渡船（王小明）晚点两小时。", []),
    ],
)
def test_a_report_may_name_its_author_where_it_begins(lead: str, expected: list[str]) -> None:
    assert find_authors(Head(), lead=lead) == expected


GERMAN = "".join(
    f"<p>{line * 3}</p>" for line in (
    "Die Fähre verließ den Kai eine Stunde zu spät und kam nur mit ihrer Mannschaft zurück. ",
    "Das Hafenamt will den Fahrplan vor dem Winter noch einmal ansehen und dann ändern. ",
))  # fmt: skip


@pytest.mark.parametrize(
    ("end", "expected"),
    [
        ("<p><b>Anna Lee</b></p><p>Themen</p>", ["Anna Lee"]),
        ("<p style='text-align: right'>Anna Lee</p><p>Themen</p>", ["Anna Lee"]),
        ("<p>Anna Lee</p><p>Themen</p>", []),
        ("<p><a href=/t><b>Anna Lee</b></a></p><p>Themen</p>", []),
        ("<p><b>Mehr aus dem Hafen</b></p><p>Themen</p>", []),
        (
            "<p align=right>Anna Lee</p><p><a href=/o>Ofen unter der Schule</a></p>",
            ["Anna Lee"],
        ),
        ("<p><b>Neue Boote</b></p><p><a href=/o>Ofen unter der Schule</a></p>", []),
    ],
)
def test_a_name_that_stands_apart_signs_a_text(end: str, expected: list[str]) -> None:
    page = f"<body><article><h1>Fähre zu spät</h1>{GERMAN}</article>{end}</body>"

    assert clean(page).authors == expected
