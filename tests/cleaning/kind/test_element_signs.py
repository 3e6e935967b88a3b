import pytest

from tests.reading import OTHER_PARAGRAPH, PARAGRAPH, page_of, trace_of
from webclean_scrapy.cleaning.kind.page_signs import control_signs, element_signs
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


def test_who_offers_something_names_itself_and_speaks_to_the_reader() -> None:
    offer = f"<p>Quay Divers look after your boat. {PARAGRAPH[3:]}"
    named, spoken = "paragraphs that name the site", "paragraphs that speak to the reader"

    for title, share in (("Boats | Quay Divers", 0.25), ("Quay Divers", 0.0)):
        signs = signs_of(f"<div>{offer}{PARAGRAPH}</div>", title)
        assert [signs[named], signs[spoken]] == pytest.approx([share, 1 / 3])


def test_code_and_linked_pictures_are_counted() -> None:
    assert signs_of(f"<div>{TEXT}<pre>a = 1</pre></div>")["code"] > 0.2
    linked = signs_of(f"<div>{TEXT}</div>" + "<a href=/a><img src=a></a>" * 3)
    plain = signs_of(f"<div>{TEXT}</div>" + "<img src=a>" * 3)
    assert linked["pictures that are links"] == 0.5
    assert plain["pictures that are links"] == 0.0


def test_pictures_count_where_the_body_is() -> None:
    name, text, pictures = "pictures in the body", PARAGRAPH * 2, "<img src=a>" * 3

    assert signs_of(f"<p>Menu</p><div>{text}{pictures}</div>")[name] == 0.5
    assert signs_of(f"<p>Menu{pictures}</p><div>{text}</div>")[name] == 0.0


def test_what_a_form_asks_counts_but_not_at_the_edges_of_a_page() -> None:
    form, name = "<form><p>Your name<p>Your boat</form>", "lines in forms"

    assert signs_of(f"<div>{TEXT}</div>{form}")[name] == pytest.approx(2 / 7)
    assert signs_of(f"<header>{form}</header><div>{TEXT}</div><footer>{form}</footer>")[name] == 0.0


def test_a_page_without_a_heading_of_the_first_level_says_so() -> None:
    assert signs_of(f"<h2>Tides</h2>{TEXT}")["no main heading"]
    assert not signs_of(f"<h1>Tides</h1>{TEXT}")["no main heading"]


def test_fields_are_counted_and_neither_buttons_nor_areas() -> None:
    fields = "<input><input type=hidden><input type=SUBMIT value=Go><select></select>"
    html = f"<form>{fields}<textarea></textarea><button>Send</button></form>"
    page = parse_page(RawPage(html), GuardConfig())

    assert "button" not in page.table.tag
    assert control_signs(page.controls) == {"fields to fill in": 2 / 7}
