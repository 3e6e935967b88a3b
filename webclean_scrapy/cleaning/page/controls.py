"""What a reader can press or fill in on a page, counted before the page table drops it."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from lxml.etree import _Element

MAX_ELEMENTS = 2_000  # controls that are looked at
_MAX_NAME = 200  # characters of a control's names and text
_PRESSED = frozenset({"submit", "button", "image"})  # types of input that are buttons
_UNSEEN = frozenset({"hidden"})
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


class Controls(NamedTuple):
    """Numbers of the controls of a page."""

    buttons: int
    fields: int  # to write in or to choose from
    areas: int  # to write a text in
    buys: int  # buttons that put a thing into a cart


NO_CONTROLS = Controls(0, 0, 0, 0)


def count_controls(root: _Element) -> Controls:
    """Return what there is to press under *root*, which is not changed. Cost: O(nodes), in lxml."""
    buttons = fields = areas = buys = 0
    elements = root.iter("button", "input", "select", "textarea")
    for element in islice(elements, MAX_ELEMENTS):
        kind = (element.get("type") or "").lower()
        if element.tag == "button" or kind in _PRESSED:
            buttons += 1
            buys += _sells(_names(element))
        elif element.tag == "textarea":
            areas += 1
        elif kind not in _UNSEEN:
            fields += 1
    return Controls(buttons, fields, areas, buys)


def _sells(names: str) -> bool:
    return True in map(names.__contains__, _BUY_PARTS) and _BUY.search(names) is not None


def _names(button: _Element) -> str:
    """Return what a button is called, for readers and in the code, in lower case."""
    own = map(button.get, ("class", "id", "name", "value", "aria-label"))
    shown = islice(button.itertext(), 5)
    return " ".join(name[:_MAX_NAME] for name in (*own, *shown) if name).lower()
