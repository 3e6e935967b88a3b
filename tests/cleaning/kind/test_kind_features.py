import dataclasses

import pytest
from hypothesis import given

from tests.reading import (
    LONG_PARAGRAPH,
    OTHER_PARAGRAPH,
    PARAGRAPH,
    SENTENCE,
    row_of,
    trace_of,
    trees,
)
from webclean_scrapy.cleaning.kind.page_kind import FEATURES, ONE, KindFeatures, kind_features
from webclean_scrapy.cleaning.metadata.head import read_head
from webclean_scrapy.cleaning.page.parse import parse
from webclean_scrapy.cleaning.page.table import build_table
from webclean_scrapy.cleaning.page.walk import Elements
from webclean_scrapy.cleaning.parsed_page import ParsedPage

TITLE = "Northern pier closed after divers found a crack"
TEXT = PARAGRAPH + OTHER_PARAGRAPH + LONG_PARAGRAPH


def features_of(html: str, title: str = TITLE, *, list_url: bool = False) -> KindFeatures:
    root = parse(f"<title>{title}</title>{html}")
    head = read_head(Elements(root))
    table = build_table(root)
    url = "http://a.example/news/" if list_url else None
    page = ParsedPage(url, head, head.titles, table)
    trace = trace_of(page)
    body = trace.body
    if "text" in table.ident:  # whatever the extractor thinks of it
        row = row_of(table, "text")
        body = dataclasses.replace(body, row=row, lines=tuple(table.lines_in(row)))
    return kind_features(page, trace.evidence, body)


@given(trees())
def test_the_signs_of_any_tree_are_those_of_the_model_and_shares(html: str) -> None:
    signs = features_of(html, list_url=True).signs

    assert {ONE, *signs} == set(FEATURES)
    assert all(0.0 <= sign <= 1.0 for sign in signs.values())


def test_a_short_body_that_only_speaks_of_the_page_is_no_text() -> None:
    foot = "<p>关于我们 | 广告服务 | 联系我们</p><p>版 权 所 有，未 经 授 权 禁 止 转 载</p>"

    assert features_of(f"<div id=text>{foot}</div>").body_units == 0
    assert features_of(f"<div id=text>{foot}<p>渡船晚了两个小时。</p></div>").body_units > 0


def test_a_body_of_names() -> None:
    names = "".join(f"<p>A name and a place, number {number}</p>" for number in range(20))

    assert features_of(f"<div id=text>{PARAGRAPH}{names}</div>").names
    assert not features_of(f"<div id=text>{TEXT}</div>").names


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        ("", True),
        ("<meta name=author content='Ann Lee'>", False),
        ("<meta property=article:published_time content=2026-03-12>", False),
        (f"<h1>{TITLE}</h1><p>12 March 2026</p>", False),
    ],
)
def test_a_list_with_a_text_before_it_has_no_date_or_author(own: str, expected: bool) -> None:
    entries = "".join(f"<h3><a href=/{n}>{TITLE} {n}</a></h3>{PARAGRAPH}" for n in range(8))
    page = f"{own}<div id=text>{PARAGRAPH}{entries}</div>"

    assert features_of(page, list_url=True).teasers is expected


@pytest.mark.parametrize("count", ["3 answers", "4个回答", "3 Antworten"])
def test_a_count_of_answers_before_the_body_is_noticed(count: str) -> None:
    assert features_of(f"<h1>{TITLE}</h1><h2>{count}</h2><div>{TEXT}</div>").answers


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Sign in to continue", True),
        ("用户注册", True),
        ("Page not found – Blog", True),
        ("百度安全验证", True),
        ("Body not found in river", False),
        ("How to log in without a password", False),
        ("Nie znaleziono strony - Port", True),
        ("Sayfa bulunamadı", True),
        ("페이지를 찾을 수 없습니다", True),
        ("That page can’t be found.", True),
    ],
)
def test_titles_of_pages_that_are_in_the_way(title: str, expected: bool) -> None:
    assert features_of(TEXT, title).is_interstitial is expected


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Privacy policy", True),
        ("Terms of Use | Harbour Post", True),
        ("Häufige Fragen - Hafenpost", True),
        ("Mentions légales", True),
        ("Политика конфиденциальности — Порт", True),
        ("隐私政策_港口网", True),
        ("Privacy policy: what the tax office now keeps", False),
        ("FAQ: what the closed pier means for anglers", False),
        ("About us and the sea", False),
    ],
)
def test_titles_of_pages_about_the_site(title: str, expected: bool) -> None:
    assert features_of(TEXT, title).is_of_the_site is expected


def test_the_heading_of_a_page_about_the_site_names_it() -> None:
    page = f"<h1>Privacy notice</h1>{TEXT}"

    assert features_of(page, "Harbour Post | Privacy notice").is_of_the_site


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        (f"{SENTENCE[:30]}... - Shortly", True),
        (f"{SENTENCE[:-4]}...", False),  # the body does not go on
        ("Another beginning of a text... - Shortly", False),
        (f"Harbour office on Shortly: “{SENTENCE}” / Shortly", True),
        ("News - @harbour_office - Shortly", True),
        ("What @harbour_office wrote", False),
    ],
)
def test_titles_that_are_made_for_a_message(title: str, expected: bool) -> None:
    assert features_of(f"<div id=text>{TEXT}</div>", title).message is expected
