"""Features of a page beside its text: pictures, prices, code, dates, buttons, fields and forms."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body.wording import DATE
from webclean_scrapy.cleaning.page.row_flags import COMMENTS, IMAGE, RELATED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webclean_scrapy.cleaning.body.body import Body
    from webclean_scrapy.cleaning.body.evidence import Evidence
    from webclean_scrapy.cleaning.parsed_page import Control

ELEMENTS = (
    "prices among the paragraphs", "price below the title", "dates", "date at title or body",
    "code", "pictures among the paragraphs", "pictures that are links", "comments",
    "boxes of related pages",
)  # fmt: skip
_SHORT = 60  # units; a longer line is no price tag and no dateline
_AFTER_TITLE = 15  # lines in which the price of a product stands
_DATE_NEAR = ((-3, 8), (-8, 2))  # lines about the title, and about the first of the body
# A number with a currency beside it.
_PRICE = re.compile(
    r"(?:[$€£¥₹₩₽₺]|\b(?:usd|eur|gbp|aud|cad|chf|rs\.?|kr|zł))\s?\d"
    r"|\d[\d.,]{0,9}\s?(?:[€£₽]|元|円|zł|kr\b|eur\b|usd\b|руб)"
)


def element_signs(evidence: Evidence, body: Body) -> dict[str, float]:
    """Return what the elements of the page say of its kind, by feature. Cost: O(rows)."""
    table = evidence.table
    paragraphs = int(np.count_nonzero(evidence.weights))
    columns, starts, inside = table.columns, table.lines.lower_starts, table.flags.inside
    short = [line for line in table.lines.numbered if table.lines.units[line] <= _SHORT]
    prices = [line for line in short if _PRICE.search(starts[line])]
    plain, dated = columns.plain, evidence.signs.dated  # that of lines without a link is known
    dates = [n for n in short if dated[n] or (not plain[n] and DATE.search(starts[n]))]
    code = max(table.tag.count("code"), 2 * table.tag.count("pre"))
    pictures = np.flatnonzero(table.flags.own & IMAGE).tolist()
    linked = sum(table.link[row] for row in pictures)
    related = inside & RELATED > 0
    related[1:] &= ~related[table.arrays.parent[1:]]  # inside no other
    boxes = int(np.count_nonzero(related))
    commented = columns.units[inside[columns.block] & COMMENTS > 0].sum()
    title = body.title_line
    beside = [] if title is None else range(title + 1, title + _AFTER_TITLE + 1)
    return {
        "prices among the paragraphs": len(prices) / (len(prices) + paragraphs + 1),
        "price below the title": any(line in beside for line in prices),
        "dates": len(dates) / (len(dates) + 6),
        "date at title or body": _is_dated(dates, body),
        "pictures among the paragraphs": len(pictures) / (len(pictures) + paragraphs + 1),
        "pictures that are links": linked / (linked + paragraphs + 1),
        "code": code / (code + 5),
        "comments": float(commented / max(columns.units.sum(), 1)),
        "boxes of related pages": boxes / (boxes + 3),
    }


def _is_dated(dates: list[int], body: Body) -> bool:
    """True if one of the lines *dates* is beside the title or just before the body."""
    at = [(body.title_line, _DATE_NEAR[0])] if body.title_line is not None else []
    at += [(body.lines[0], _DATE_NEAR[1])] if body.lines else []
    return any(line + low <= date <= line + high for line, (low, high) in at for date in dates)


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
