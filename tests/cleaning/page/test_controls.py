from __future__ import annotations

import pytest

from webclean_scrapy.cleaning.page.controls import NO_CONTROLS, Controls, count_controls
from webclean_scrapy.cleaning.page.guard import GuardConfig
from webclean_scrapy.cleaning.page.parse import parse
from webclean_scrapy.cleaning.page.parsed_page import parse_page
from webclean_scrapy.cleaning.page.raw_page import RawPage


def test_buttons_fields_and_areas_are_counted_apart() -> None:
    html = (
        "<form><input><input type=hidden><input type=SUBMIT value=Go><select></select>"
        "<textarea></textarea><button>Send</button></form>"
    )

    assert count_controls(parse(html)) == Controls(buttons=2, fields=2, areas=1, buys=0)
    assert count_controls(parse("<p>Text")) == NO_CONTROLS


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
    assert count_controls(parse(button)).buys == 1


def test_a_link_to_the_cart_sells_nothing() -> None:
    html = "<a href=/cart>Cart</a><button>Open the cart</button>"

    assert count_controls(parse(html)).buys == 0


def test_controls_are_counted_before_the_table_drops_them() -> None:
    page = parse_page(RawPage("<p>Text</p><button>Buy now</button>"), GuardConfig())

    assert page.controls.buys == 1
    assert "button" not in page.table.tag
