"""Features of buttons, fields and forms, for the kind of a page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webclean_scrapy.cleaning.parsed_page import Control

CONTROLS = ("buttons", "fields to fill in", "field for a text", "button that sells")
_PRESSED = frozenset({"submit", "button", "image"})  # types of input that are buttons
#: Words on or in the name of a button that sells. Shops everywhere name it in English in the code.
_BUY = re.compile(
    r"add.{0,4}to.{0,4}(?:cart|bag|basket|trolley)|addtocart|buy.?it.?now|buy.?now|cart.?add"
    r"|warenkorb|ajouter au panier|añadir al carrito|aggiungi al carrello|в корзину|do koszyka"
    r"|加入购物车|加入購物車|立即购买|カートに入れる|장바구니"
)
#: One is in every match; to look for these first is quicker.
_BUY_PARTS = (
    "cart", "bag", "basket", "trolley", "buy", "korb", "panier", "carri", "carrello", "корзин",
    "koszyk", "购", "購", "カート", "장바구니",
)  # fmt: skip


def control_signs(controls: Sequence[Control]) -> dict[str, float]:
    """Return what there is to press, by feature, 0..1."""
    buttons = fields = areas = 0
    sells = False
    for control in controls:
        if control.tag == "button" or control.type in _PRESSED:
            buttons += 1
            sells = sells or _sells(control.names)
        elif control.tag == "textarea":
            areas += 1
        elif control.type != "hidden":
            fields += 1
    return {
        "buttons": buttons / (buttons + 10),
        "fields to fill in": fields / (fields + 5),
        "field for a text": areas > 0,
        "button that sells": sells,
    }


def _sells(names: str) -> bool:
    return True in map(names.__contains__, _BUY_PARTS) and _BUY.search(names) is not None
