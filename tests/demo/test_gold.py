"""The gold holds the text of the pages, without text outside of the bodies."""

from itertools import combinations

from lxml import html

from spiders.demo import Portal
from spiders.demo.articles import load_articles
from spiders.demo.model import Article
from tests.demo.test_portal import page_text
from tests.reading import squeeze


def shingles(text: str) -> set[str]:
    flat = squeeze(text)
    return {flat[n : n + 6] for n in range(len(flat) - 5)}


def likeness(one: Article, other: Article) -> float:
    """Share of the smaller text's six-character runs that the other has too."""
    left, right = shingles(" ".join(one.paragraphs)), shingles(" ".join(other.paragraphs))
    return len(left & right) / min(len(left), len(right))


def test_every_gold_paragraph_stands_in_its_page_in_order(portal: Portal) -> None:
    for path, gold in portal.articles.items():
        parts = [path, *(f"{path}?page={number}" for number in (2, 3))]
        found = [portal.pages[part] for part in parts if part in portal.pages]
        texts = [html.fromstring(page_text(page)).text_content() for page in found]
        text = squeeze("".join(texts))
        place = text.find(squeeze(gold.paragraphs[0]))
        for paragraph in gold.paragraphs:
            place = text.find(squeeze(paragraph), place)
            assert place >= 0, (path, paragraph)
        assert squeeze(gold.title) in text


def test_originals_are_not_near_duplicates_of_each_other() -> None:
    originals = [article for article in load_articles() if not article.repost_of]
    for one, other in combinations(originals, 2):
        related = one.family and one.family == other.family
        if not related and one.quotes != other.key and other.quotes != one.key:
            assert likeness(one, other) < 0.1, (one.key, other.key)
