from __future__ import annotations

import pytest

from webclean_scrapy.cleaning.kind.controls import control_signs
from webclean_scrapy.cleaning.page.guard import GuardConfig
from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.cleaning.parsed_page import parse_page


def signs_of(html: str) -> dict[str, float]:
    page = parse_page(RawPage(html), GuardConfig())
    assert "button" not in page.table.tag
    return control_signs(page.controls)


def test_buttons_fields_and_areas_are_counted_apart() -> None:
    html = (
        "<form><input><input type=hidden><input type=SUBMIT value=Go><select></select>"
        "<textarea></textarea><button>Send</button></form>"
    )

    assert signs_of(html) == {
        "buttons": 2 / 12,
        "fields to fill in": 2 / 7,
        "field for a text": True,
        "button that sells": False,
    }
    assert set(signs_of("<p>Text").values()) == {0.0}


@pytest.mark.parametrize(
    "button",
    [
        "<button>Add to cart</button>",
        "<button class=btn-addtocart>Nu kopen</button>",
        "<button name=add-to-cart>加</button>",
        "<input type=submit value='In den Warenkorb'>",
        "<button><span>加入购物车</span></button>",
    ],
)
def test_a_button_that_sells_says_so_to_readers_or_in_the_code(button: str) -> None:
    assert signs_of(button)["button that sells"]


def test_a_link_to_the_cart_sells_nothing() -> None:
    assert not signs_of("<a href=/cart>Cart</a><button>Open the cart</button>")["button that sells"]
