import pytest

from tests.reading import LONG_PARAGRAPH, OTHER_PARAGRAPH, PARAGRAPH, page_of, trace_of
from webclean_scrapy.cleaning.kind.page_signs import element_signs
from webclean_scrapy.cleaning.page.guard import GuardConfig
from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.cleaning.parsed_page import parse_page

TEXT = PARAGRAPH + OTHER_PARAGRAPH


def signs_of(html: str, *titles: str) -> dict[str, float]:
    page = page_of(html, titles=titles)
    trace = trace_of(page)
    return element_signs(page, trace.evidence, trace.body)


@pytest.mark.parametrize("price", ["$4.50", "1.299,00 €", "45元"])
def test_a_number_beside_a_currency_is_a_price(price: str) -> None:
    assert signs_of(f"<div>{TEXT}</div><b>{price}</b>")["prices among the paragraphs"] == 0.25


def test_the_price_of_a_product_is_below_its_title() -> None:
    title, name = "Brass bell of the lightship", "price below the title"

    assert signs_of(f"<h1>{title}</h1><p>$40</p><div>{TEXT}</div>", title)[name]
    assert not signs_of(f"<p>$40</p><h1>{title}</h1><div>{TEXT}</div>", title)[name]


def test_a_date_beside_the_body_is_the_text_s() -> None:
    date, name = "<p>4 March 2026</p>", "date at title or body"

    assert signs_of(f"{date}<div>{TEXT}</div>")[name] == 1.0
    assert not signs_of(f"<div>{TEXT}</div>{'<p>No</p>' * 20}{date}")[name]
    assert signs_of(f"{date}<div>{f'{TEXT}{date}' * 3}{TEXT}</div>")[name] < 0.6  # of entries
    assert signs_of(TEXT)["no date on the page"] > signs_of(f"{date}{TEXT}")["no date on the page"]


def test_who_offers_something_names_itself_and_says_we() -> None:
    offer = f"<p>Quay Divers: we look after boats. {PARAGRAPH[3:]}"
    named, spoken = "paragraphs that name the site", "paragraphs that say we"

    for title, share in (("Boats | Quay Divers", 0.25), ("Quay Divers", 0.0)):
        signs = signs_of(f"<div>{offer}{PARAGRAPH}</div>", title)
        assert [signs[named], signs[spoken]] == pytest.approx([share, 1 / 3])


def test_code_and_linked_pictures_are_counted() -> None:
    assert signs_of(f"<div>{TEXT}<pre>a = 1</pre></div>")["code"] > 0.2
    linked = signs_of(f"<div>{TEXT}</div>" + "<a href=/a><img src=a></a>" * 3)
    plain = signs_of(f"<div>{TEXT}</div>" + "<img src=a>" * 3)
    assert linked["pictures that are links"] == 0.5
    assert plain["pictures that are links"] == 0.0


def test_fields_are_counted_and_neither_buttons_nor_areas() -> None:
    fields = "<input><input type=hidden><input type=SUBMIT value=Go><select></select>"
    html = f"<form>{fields}<textarea></textarea><button>Send</button></form>"
    page = parse_page(RawPage(html), GuardConfig())

    assert "button" not in page.table.tag
    assert page.fields == 2


@pytest.mark.parametrize(
    ("text", "share"), [("I wait.", 1 / 3), ("等我。", 1 / 3), ("等我们。", 0.0)]
)
def test_who_posts_says_i(text: str, share: float) -> None:
    told = LONG_PARAGRAPH.replace("</p>", f" {text}</p>")

    signs = signs_of(f"<div>{told}{LONG_PARAGRAPH}</div>")
    assert signs["paragraphs that say I"] == pytest.approx(share)


def test_i_is_a_word_of_other_languages_too() -> None:
    text = "<p>Statek czeka w porcie i nie odpływa, bo wieje wiatr i pada deszcz od rana.</p>" * 2

    assert signs_of(f"<div>{text}</div>")["paragraphs that say I"] == 0.0


def test_a_headline_says_more_than_a_name() -> None:
    for title, value in (("Pier 4", 6 / 120), ("The harbour is closed again " * 8, 1.0)):
        signs = signs_of(f"<h1>{title}</h1><div>{TEXT}</div>", title)
        assert signs["a long headline"] == pytest.approx(value)
    assert signs_of(TEXT)["a long headline"] == 0.0


def test_one_article_element_is_one() -> None:
    article = f"<article>{TEXT}</article>"

    counts = [signs_of(html)["one article element"] for html in (TEXT, article, article * 2)]
    assert counts == [False, True, False]
