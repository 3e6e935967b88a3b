"""The gold says what is in the pages, and nothing that does not belong to the body."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

from lxml import html

from spiders.demo.articles import load_articles
from tests.reading import squeeze

if TYPE_CHECKING:
    from collections.abc import Callable

    from spiders.demo import DemoPage, Portal
    from spiders.demo.model import Article

_FURNITURE = re.compile(
    r"责编|责任编辑|原标题|編輯：|稿件來源|相关阅读|延伸閱讀|APP|客户端|分享|ads\.example"
    r"|Advertisement|Photograph:|First seen in|Read more|Sign up|\[\[|\*\*"
)


def shingles(text: str) -> set[str]:
    flat = squeeze(text)
    return {flat[n : n + 6] for n in range(len(flat) - 5)}


def likeness(one: Article, other: Article) -> float:
    """Share of the smaller text's six-character runs that the other has too."""
    left, right = shingles(" ".join(one.paragraphs)), shingles(" ".join(other.paragraphs))
    return len(left & right) / min(len(left), len(right))


def test_the_portal_has_originals_reposts_families_and_quotes(portal: Portal) -> None:
    articles = load_articles()
    reposts = [article for article in articles if article.repost_of]
    families = Counter(article.family for article in articles if article.family)
    assert (len(articles), len(reposts), len(portal.articles)) == (77, 13, 77)
    assert families == {"hexi-weather": 3, "quay-market": 3}  # one of each counts as an original
    assert sum(gold.repost_of is not None for gold in portal.articles.values()) == 13
    assert sorted(map(len, portal.groups.values()))[-13:] == [1] + 11 * [2] + [3]


def test_every_gold_paragraph_stands_in_its_page_in_order(
    portal: Portal, page_text: Callable[[DemoPage], str]
) -> None:
    for path, gold in portal.articles.items():
        document = html.fromstring(page_text(portal.pages[path]))
        text = squeeze(document.text_content())
        place = text.find(squeeze(gold.paragraphs[0]))
        for paragraph in gold.paragraphs:
            place = text.find(squeeze(paragraph), place)
            assert place >= 0, (path, paragraph)
        assert squeeze(gold.title) in text


def test_no_caption_editor_line_or_prompt_is_gold(portal: Portal) -> None:
    for article in load_articles():
        captions = {block.text for block in article.blocks if block.kind == "figure"}
        assert not captions & set(article.paragraphs)
    for path, gold in portal.articles.items():
        assert not _FURNITURE.search(gold.text), path


def test_the_pages_do_carry_what_the_gold_leaves_out(
    portal: Portal, page_text: Callable[[DemoPage], str]
) -> None:
    texts = [page_text(portal.pages[path]) for path in portal.articles]
    marks = ("责编", "责任编辑", "原标题", "編輯：", "相关阅读", "延伸閱讀", "APP", "Read more",
             "Advertisement", "Comments", "ads.example.invalid", "figcaption")  # fmt: skip
    for mark in marks:
        assert any(mark in text for text in texts), mark


def test_texts_are_of_every_shape() -> None:
    articles = load_articles()
    kinds = {block.kind for article in articles for block in article.blocks}
    assert kinds == {"p", "h", "li", "row", "quote", "code", "figure"}
    lengths = sorted(len(squeeze(" ".join(article.paragraphs))) for article in articles)
    assert lengths[0] < 150
    assert lengths[-1] > 1000


def test_originals_are_not_near_duplicates_of_each_other() -> None:
    originals = [article for article in load_articles() if not article.repost_of]
    for one, other in combinations(originals, 2):
        if not one.family or one.family != other.family:
            assert likeness(one, other) < 0.1, (one.key, other.key)


def test_a_teaser_is_the_beginning_of_an_article_and_links_to_it(
    portal: Portal, page_links: Callable[[Portal, str], set[str]]
) -> None:
    teaser = next(article for article in load_articles() if article.key.endswith("-teaser"))
    path = next(p for p, gold in portal.articles.items() if gold.title == teaser.title)
    original = portal.articles[path].repost_of
    assert original in page_links(portal, path)
    assert teaser.paragraphs == portal.articles[original].paragraphs[:2]


def test_reports_of_a_family_share_their_wording_and_not_their_numbers() -> None:
    families = [article for article in load_articles() if article.family]
    for one, other in combinations(families, 2):
        if one.family != other.family:
            continue
        words = [re.sub(r"\d+", "#", " ".join(report.paragraphs)) for report in (one, other)]
        assert len(shingles(words[0]) & shingles(words[1])) / len(shingles(words[0])) > 0.85
        numbers = [re.findall(r"\d[\d.]*", " ".join(report.paragraphs)) for report in (one, other)]
        same = sum(left == right for left, right in zip(*numbers, strict=True))
        assert same <= 0.2 * len(numbers[0]), (one.key, other.key)


def test_reposts_differ_from_their_original_and_still_tell_it() -> None:
    articles = {article.key: article for article in load_articles()}
    scripts = Counter[str]()
    for repost in articles.values():
        if not repost.repost_of or repost.key.endswith("-teaser"):
            continue
        original = articles[repost.repost_of]
        assert repost.site != original.site
        assert repost.title != original.title
        assert repost.date > original.date
        assert repost.paragraphs != original.paragraphs
        if repost.site == "gangdao":
            scripts["traditional"] += 1
            assert likeness(repost, original) < 0.3, "not in the other script"
        else:
            scripts["same"] += 1
            assert 0.6 < likeness(repost, original) <= 1.0, repost.key
    assert scripts == {"traditional": 4, "same": 8}


def test_some_reposts_are_cut_to_about_seventy_percent() -> None:
    articles = {article.key: article for article in load_articles()}
    shares = [
        len("".join(repost.paragraphs)) / len("".join(articles[repost.repost_of].paragraphs))
        for repost in articles.values()
        if repost.repost_of and not repost.key.endswith("-teaser")
    ]
    assert sum(0.55 < share < 0.8 for share in shares) >= 3
    assert min(shares) > 0.5


def test_gold_states_language_and_day(portal: Portal) -> None:
    languages = Counter(gold.language for gold in portal.articles.values())
    assert languages == {"zh": 46, "en": 31}
    assert all(re.fullmatch(r"2026-0[1-3]-\d\d", gold.date) for gold in portal.articles.values())
    assert {gold.author is None for gold in portal.articles.values()} == {True, False}
