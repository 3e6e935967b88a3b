import pytest

from tests.reading import OTHER_PARAGRAPH, PARAGRAPH, page_of, trace_of
from webclean_scrapy.cleaning.kind.page_signs import control_signs, element_signs
from webclean_scrapy.cleaning.page.guard import GuardConfig
from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.cleaning.parsed_page import parse_page

TEXT = PARAGRAPH + OTHER_PARAGRAPH


def signs_of(html: str) -> dict[str, float]:
    trace = trace_of(page_of(html))
    return element_signs(trace.evidence, trace.body)


@pytest.mark.parametrize("price", ["$4.50", "1.299,00 €", "45元"])
def test_a_number_beside_a_currency_is_a_price(price: str) -> None:
    assert signs_of(f"<div>{TEXT}</div><b>{price}</b>")["prices among the paragraphs"] == 0.25


def test_the_price_of_a_product_is_below_its_title() -> None:
    title, name = "Brass bell of the lightship", "price below the title"

    def priced(html: str) -> float:
        trace = trace_of(page_of(html, titles=[title]))
        return element_signs(trace.evidence, trace.body)[name]

    assert priced(f"<h1>{title}</h1><p>$40</p><div>{TEXT}</div>")
    assert not priced(f"<p>$40</p><h1>{title}</h1><div>{TEXT}</div>")


def test_a_date_beside_the_body_is_the_text_s() -> None:
    date, name = "<p>4 March 2026</p>", "date at title or body"

    assert signs_of(f"{date}<div>{TEXT}</div>")[name]
    assert not signs_of(f"<div>{TEXT}</div>{'<p>No</p>' * 20}{date}")[name]


def test_code_and_pictures_are_counted() -> None:
    assert signs_of(f"<div>{TEXT}<pre>a = 1</pre></div>")["code"] > 0.2
    linked = signs_of(f"<div>{TEXT}</div>" + "<a href=/a><img src=a></a>" * 3)
    plain = signs_of(f"<div>{TEXT}</div>" + "<img src=a>" * 3)
    assert linked["pictures that are links"] == 0.5
    assert plain["pictures that are links"] == 0.0
    assert plain["pictures among the paragraphs"] == 0.5


def controls_of(html: str) -> dict[str, float]:
    page = parse_page(RawPage(html), GuardConfig())
    assert "button" not in page.table.tag
    return control_signs(page.controls)


def test_buttons_fields_and_areas_are_counted_apart() -> None:
    html = (
        "<form><input><input type=hidden><input type=SUBMIT value=Go><select></select>"
        "<textarea></textarea><button>Send</button></form>"
    )

    assert controls_of(html) == {
        "buttons": 2 / 12,
        "fields to fill in": 2 / 7,
        "field for a text": True,
        "button that sells": False,
    }
    assert set(controls_of("<p>Text").values()) == {0.0}


@pytest.mark.parametrize(
    "button",
    [
        "<button>Add to cart</button>",
        "<button name=add-to-cart>加</button>",
        "<button><span>加入购物车</span></button>",
    ],
)
def test_a_button_that_sells_says_so_to_readers_or_in_the_code(button: str) -> None:
    assert controls_of(button)["button that sells"]


def test_a_link_to_the_cart_sells_nothing() -> None:
    assert not controls_of("<a href=/cart>Cart</a><button>Open the cart</button>")[
        "button that sells"
    ]
