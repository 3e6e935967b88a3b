"""Relations of other pages to an article by title and text; joined articles."""

import pytest

from tests.pages import article_text, sentences
from webclean_scrapy import Cleaner
from webclean_scrapy.cleaning.joined_parts import LAST, PART, SAME, WHOLE, relation
from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.cleaning.result import CleanedPage

TITLE = "The old harbour bridge is closed"
URL = "https://a.example/bridge"
LEAD = "This lead stands on every page of the article and says what it is about."


def page(paragraphs: list[str], title: str = TITLE, heading: str = "", end: str = "") -> str:
    body = "".join(f"<p>{text}</p>" for text in paragraphs)
    return (
        f"<html lang=en><head><title>{title} - Ostwick Post</title></head><body><main>"
        f"<h1>{heading or title}</h1><article>{body}</article>{end}</main></body></html>"
    )


def relate(first: str, other: str) -> str:
    cleaner = Cleaner()
    return relation(cleaner.inspect(RawPage(first)), cleaner.inspect(RawPage(other)))


FIRST = page(article_text(1))


@pytest.mark.parametrize(
    ("other", "is_what"),
    [
        (page(article_text(2)), PART),
        (page([LEAD, *article_text(2)]), PART),
        (page(article_text(2), f"{TITLE} (2)"), PART),
        (page(article_text(2), f"{TITLE}（第2页）"), PART),
        (page(article_text(2), f"{TITLE} - Page 2 of 3"), PART),
        (page(sentences(2, 1)), LAST),
        (page(article_text(1)), SAME),
        (page(article_text(1)[:4]), SAME),
        (page([*article_text(1), *article_text(2)]), WHOLE),
        (page(article_text(2), "Another bridge is opened"), ""),
        (page(article_text(2), "Chapter 2"), ""),
        (page(["A view of it."]), ""),
    ],
)
def test_title_and_text_say_what_another_page_is(other: str, is_what: str) -> None:
    assert relate(FIRST, other) == is_what


def test_chapters_are_articles_of_their_own() -> None:
    first, second = page(article_text(1), "Chapter 1"), page(article_text(2), "Chapter 2")
    assert relate(first, second) == ""
    assert (
        relate(page(article_text(1), "Bridges 1/2"), page(article_text(2), "Bridges 2/2")) == PART
    )


def joined(*pages: str) -> CleanedPage:
    cleaner = Cleaner()
    others = tuple(
        RawPage(html, f"{URL}?page={number}") for number, html in enumerate(pages[1:], 2)
    )
    return cleaner.inspect(RawPage(pages[0], URL, None, others), remember=True)


def test_an_article_in_parts_has_the_text_of_all_in_order_and_what_repeats_once() -> None:
    texts = [article_text(1), article_text(2), article_text(3)]
    found = joined(*(page([LEAD, *text]) for text in texts))
    assert found.parts == 3
    whole = [LEAD, *texts[0], *texts[1], *texts[2]]
    assert found.text.split("\n") == whole
    for output in (found.html, found.markdown):
        at = [output.index(text) for text in whole]
        assert at == sorted(at)
        assert output.count(LEAD) == 1
    repeated = [removed for removed in found.removed if removed.what == "parts"]
    assert [removed.why for removed in repeated] == ["repeated"] * 2
    assert sum(removed.how_much for removed in repeated) == 2 * len(LEAD)
    assert found.to_dict(["parts", "text"])["parts"] == 3


def test_the_outputs_of_an_article_in_parts_agree() -> None:
    found = joined(FIRST, page(article_text(2)), page(article_text(3)))
    cleaner = Cleaner(chunks=100)
    parts = (RawPage(page(article_text(2))), RawPage(page(article_text(3))))
    chunked = cleaner.inspect(RawPage(FIRST, URL, None, parts))
    assert "".join(chunk.text for chunk in chunked.chunks).replace("\n", "") == (
        found.text.replace("\n", "")
    )
    alone = cleaner.inspect(RawPage(FIRST, URL))
    assert alone.parts == 1
    assert found.confidence <= alone.confidence


def test_a_page_that_is_no_part_ends_the_article() -> None:
    found = joined(FIRST, page(article_text(2), "Another title of a page"), page(article_text(3)))
    assert (found.parts, found.text) == (1, "\n".join(article_text(1)))
    assert joined(FIRST, "%PDF-1.4").parts == 1


def test_only_the_first_page_teaches_a_template() -> None:
    cleaner = Cleaner()
    parts = (RawPage(page(article_text(2)), f"{URL}?page=2"),)
    cleaner.inspect(RawPage(FIRST, URL, None, parts), remember=True)
    assert cleaner.templates.knows_template("https://a.example/tower")
    assert not cleaner.templates.knows_template("https://a.example/tower?page=2")
