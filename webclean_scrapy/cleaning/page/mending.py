"""Normalise markup that hides or repeats text, before the page is measured.

Questions of accordions are buttons; headings have a link to themselves, footnotes one back to the
text; pictures that are loaded late are in a ``noscript``, and parts of a page are sent behind it.
What a reader gets of each is left.
"""

from __future__ import annotations

import re
from itertools import chain, islice
from typing import TYPE_CHECKING

from lxml import etree

from webclean_scrapy.cleaning.page.footnotes import drop_link, mend_notes
from webclean_scrapy.cleaning.page.formulas import mend_formula
from webclean_scrapy.cleaning.page.listings import find_listing, mend_listing
from webclean_scrapy.cleaning.page.media import (
    HIDDEN,
    empty_player,
    part_caption,
    show_caption,
    show_picture,
    show_sign,
    write_amp,
)
from webclean_scrapy.cleaning.page.row_flags import hidden_names
from webclean_scrapy.cleaning.page.rows import Mended
from webclean_scrapy.cleaning.page.tags import BLOCK_TAGS, DROPPED, HEADING_TAGS, PLAYERS
from webclean_scrapy.cleaning.page.units import text_of, text_units
from webclean_scrapy.cleaning.words.phrases import any_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from lxml.etree import _Element

    from webclean_scrapy.cleaning.page.walk import Elements

_LEAST_TEXT = 80  # characters in an ``object``; fewer say that nothing can be shown
_MOST_INSIDE = 1_000  # elements of a button or a figure that are looked at
_PERMALINK = re.compile(
    r"(?:^|[\s_-])(?:headerlink|perma-?link|anchor|hash-?link|direct-link)", re.IGNORECASE
)
#: Addresses at which a section is edited; a red link of a wiki leads to a page that is not there.
_EDITS = re.compile(r"^[\w -]*editsection|[?&](?:(?:ve)?action|do)=edit(?:&(?!.*redlink=)|$)")
_MOST_LINKS = 100  # of a heading, and elements of a poll
_POLL_TEXT, _POLL_LINE = 600, 80  # units of a poll, and of a text above its last choice
_STATEMENT = re.compile(r"[^\n.?!]{25}\.(?!\d)|[^\n。？！]{10}。").search
_TOOL = re.compile(rf"(?:{any_of('page_word')}\W{{0,3}}){{1,3}}").fullmatch
_MOST_POLLS, _POLL_LEVELS = 20, 8  # levels above a choice
_ROLES = {
    "heading": "h2", "list": "ul", "listitem": "li", "table": "table", "grid": "table",
    "rowgroup": "tbody", "row": "tr", "cell": "td", "gridcell": "td", "columnheader": "th",
    "rowheader": "th",
}  # fmt: skip
_APART = re.compile(r"(?:^|[\s:])(?:d-)?(?:block|flex|grid)(?=[\s;]|$)")
_SENTENCE = 25  # characters; a custom element with fewer is a word of a line
_NEUTRAL = frozenset({"div", "li", "p", "section", "span", "ul"})
_HEADS = HEADING_TAGS | {"th"}  # whose words may be a button
_PANELS = ("article", "dd", "form", "main")  # what else opens as the panel of a tab
_MARKS = (("“", "”"), ("‘", "’"))  # of a quotation, and of one in another
_QUOTES = frozenset("\"'“”„«»‹›‘’「」『』")
_LEVELS = 5  # above and in a quotation that are looked at
#: React sends parts of a page later, and moves each to the ``template`` that holds its place.
_STREAMED = re.compile(r"""\$R([CS])\(["']([\w:-]{1,40})["'],\s?["']([\w:-]{1,40})["']""")
_MAX_STREAMED = 100


def mend(elements: Elements) -> Mended:
    """Normalise the tree of *elements* in place. Cost: O(elements)."""
    moves: list[tuple[str, str, str]] = []
    has_places = next(elements.tagged(DROPPED), None) is not None
    for script in elements.tagged("script") if has_places else ():
        moves += _STREAMED.findall(script.text or "")
    sheets = (sheet for sheet in elements.tagged("style") if sheet.get("media") != "print")
    styles = [sheet.text or "" for sheet in sheets]
    named = [element for element in elements.tagged(*_NEUTRAL, *_PANELS) if element.get("role")]
    for element in named:
        _follow_role(element)
    for element in elements.scripted():
        _set_apart(element)
    boxes = (box for box in elements.tagged("input") if box.get("type") == "radio")
    choices = {choice.get("name"): choice for choice in boxes}
    polls = {*chain.from_iterable(map(_polls, islice(choices.values(), _MOST_POLLS)))}
    if sum(map("".join(map(text_of, polls)).count, "?？؟")) < 2:  # else a quiz
        for poll in polls:
            poll.tag = "form"
    for picture in elements.tagged("img"):
        part_caption(picture)
    for element in dict.fromkeys((*elements.in_order(_MENDERS), *named)):
        if mender := _MENDERS.get(element.tag):  # type: ignore[arg-type]
            mender(element)
    for span in elements.tagged("span"):
        if (before := span.getprevious()) is not None and before.tag == "span" and not before.tail:
            _part(before, span)
    if moves:
        _move_parts(elements.root, islice(moves, _MAX_STREAMED))
    return Mended(hidden_names(styles), mend_notes(elements))


def _follow_role(element: _Element) -> None:
    role = element.get("role") or ""
    if role == "tabpanel":
        _unhide(element)
    elif role == "button" and "aria-controls" in element.attrib:
        _show_opener(element)
    elif element.tag in _NEUTRAL and role in _ROLES:
        level = f"h{element.get('aria-level')}" if role == "heading" else ""
        near = (element, element.getparent(), next(iter(element), None))
        if level or sum(one is not None and one.get("role") in _ROLES for one in near) > 1:
            element.tag = level if level in HEADING_TAGS else _ROLES[role]


def _set_apart(element: _Element) -> None:
    """Make a block of an element with a sentence that the page's script shows before another."""
    beside = element.getnext()
    is_followed = beside is not None and beside.tag == element.tag
    if is_followed and len(text_of(element)) >= _SENTENCE and not (element.tail or "").strip():
        element.tag = "div"


def _unhide(panel: _Element) -> None:
    for key in ("hidden", "aria-hidden"):
        panel.attrib.pop(key, None)
    if "style" in panel.attrib:
        panel.set("style", HIDDEN.sub("", panel.get("style", "")))


def _part(before: _Element, span: _Element) -> None:
    """Part two spans in a block that touch, but are shown apart."""
    above, written, behind = span.getparent(), text_of(before), text_of(span)
    is_part = len(written) > 1 and above is not None and above.tag in BLOCK_TAGS - {"pre"}
    if above is None or not is_part:  # of a line of words, not of code or below a large letter
        return
    if _APART.search(f"{span.get('class')} {span.get('style')}"):
        before.addnext(etree.Element("br"))
    elif above.tag != "p" and not ((above.text or "").strip() or (span.tail or "").strip()):
        is_new = written[-1].islower() and (behind[:1].isupper() or behind[:1].isdigit())
        if is_new or _APART.search(above.get("class") or ""):
            before.tail = " "


def _move_parts(root: _Element, moves: Iterable[tuple[str, str, str]]) -> None:
    named = {name: one for one in root.iter("*") if (name := one.get("id"))}
    for kind, *names in moves:
        place, part = map(named.get, names if kind == "C" else reversed(names))
        if place is None or part is None or place.tag != DROPPED or part in place.iterancestors():
            continue
        place.tag, place.text, part.text = "div", part.text, None
        place.extend(part)


def _show_content(element: _Element) -> None:
    """Rename an element of a dropped kind whose content browsers show."""
    if element.tag == "object":
        if len(text_of(element)) >= _LEAST_TEXT:
            element.tag = "div"
    elif {"shadowrootmode", "shadowroot"} & {*element.keys()}:
        element.tag = "span"
        _fill_slots(element)


def _fill_slots(shadow: _Element) -> None:
    """Move the children of the element with a *shadow* root to where that shows them."""
    host = shadow.getparent()
    slots = {slot.get("name", ""): slot for slot in reversed(list(shadow.iter("slot")))}
    children: dict[str, list[_Element]] = {}
    for child in host if slots and host is not None else ():
        if child is not shadow:
            children.setdefault(child.get("slot") or "", []).append(child)
    has_text = "" in slots and bool((shadow.tail or "").strip())
    for name, slot in slots.items():
        if name in children or (has_text and not name):
            del slot[:]  # its fallback content
            slot.text = None
            slot.extend(children.get(name, ()))
    if has_text:
        slots[""].text, shadow.tail = shadow.tail, None


def _write_box(box: _Element) -> None:
    """Replace a check box in front of an item by a sign."""
    if box.get("type", "").lower() != "checkbox":
        return
    inner = box
    for above in islice(box.iterancestors(), 3):
        if (above.text or "").strip() or inner.getprevious() is not None:
            return
        if above.tag == "li":
            break
        inner = above
    else:
        return
    if next(box.iterancestors("form"), None) is None:
        box.tag, box.text = "span", "☑" if "checked" in box.attrib else "☐"
        box.tail = f" {box.tail or ''}"
        box.attrib.clear()


def _polls(choice: _Element) -> list[_Element]:
    """Return the small element around the choices of a poll, without text above or statements."""
    poll = choice
    for above in islice(choice.iterancestors(), _POLL_LEVELS):
        before = islice(poll.itersiblings(preceding=True), _MOST_LINKS)
        texts = [above.text or "", *chain.from_iterable((text_of(a), a.tail or "") for a in before)]
        is_long = text_units(text_of(above)) > _POLL_TEXT
        is_long |= sum(map(bool, map(_STATEMENT, islice(above.itertext(), _MOST_LINKS)))) > 1
        if is_long or max(map(text_units, texts)) > _POLL_LINE or above.tag in {"form", "body"}:
            break
        poll = above
    parts = [(one.tag, one.get("type")) for one in islice(poll.iter("*"), _MOST_LINKS)]
    is_poll = parts.count(("input", "radio")) > 1 and {("img", None), ("pre", None)}.isdisjoint(
        parts
    )
    return [poll] if is_poll else []


def _show_opener(button: _Element) -> None:
    """Show the words of a button that is or is in a heading, or opens text, and what it opens."""
    opened, names = button.get("aria-controls"), button.get("class") or ""
    near = chain(islice(button.iterancestors(), 2), islice(button.iter("*"), _MOST_INSIDE))
    heading = next((element for element in near if element.tag in _HEADS), None)
    whole = button if heading is None else heading
    for element in (whole, *islice(whole.iterancestors(), 1)):
        panel = element.getnext()
        if panel is None or not (panel.get("id") == opened if opened else "accordion" in names):
            continue
        if heading is not None or _opens_text(button, panel):
            button.tag = "p" if button.tag == "button" else button.tag
            _unhide(panel)
    if heading is not None:
        button.tag = "span"


def _opens_text(button: _Element, panel: _Element) -> bool:
    """True if a panel makes a statement, and its button names no tool of the page."""
    is_tool = _TOOL(text_of(button).strip().lower()[:_SENTENCE])
    return not is_tool and _STATEMENT(text_of(panel)[:_POLL_TEXT]) is not None


def _drop_links(heading: _Element) -> None:
    """Remove links in a heading that are not part of its words."""
    links = list(islice(heading.iter("a"), _MOST_LINKS)) if len(heading) else []
    if len(heading) and heading[0].tag in {"ol", "ul"} and heading.tag in HEADING_TAGS:
        for part in heading.iter("ol", "ul", "li"):
            part.tag = "span"
    if links:
        _drop_permalinks(heading, links)
    if (beside := heading.getnext()) is not None:
        if beside.tag == "span":
            links += islice(beside.iter("a"), _MOST_LINKS)
        elif beside.tag == "a" and beside.get("href") == f"#{heading.get('id')}":
            beside.tag = DROPPED
        elif (beside.get("style") or beside.get("hidden") is not None) and (
            (after := beside.getnext()) is None or after.tag == heading.tag
        ):
            _unhide(beside)  # the whole section: a click on the heading shows it
    for link in links:  # as wikis have at each section
        above = link.getparent()
        if _EDITS.search(f"{'' if above is None else above.get('class')} {link.get('href')}"):
            drop_link(link)


def _drop_permalinks(heading: _Element, links: list[_Element]) -> None:
    """Remove the links of a heading to itself; the words of a whole heading stay.

    Links behind its words that lead nowhere are tools of its section: edit, read aloud.
    """
    whole = left = text_of(heading)
    for link in reversed(links):
        href, shown = link.get("href") or "", text_of(link)
        is_sign = len(shown) < 3 and not any(map(str.isalnum, shown))
        is_named = is_sign or _PERMALINK.search(link.get("class") or "")
        leads_nowhere = href in {"", "#"} or href.startswith("javascript:")
        if shown == whole and href.startswith("#") and heading.tag in HEADING_TAGS:
            link.tag = "span"
        elif shown == whole or not ("#" in href or leads_nowhere):
            continue
        elif is_named:
            link.tag = DROPPED
        elif leads_nowhere and left.endswith(shown) and not {"id", "name"} & {*link.keys()}:
            left = left.removesuffix(shown).rstrip()
            link.tag = DROPPED


def _show_source(footer: _Element) -> None:
    if next(footer.iterancestors("blockquote"), None) is not None:
        footer.tag = "div"


def _bracket(reading: _Element) -> None:
    """Put the reading of a word, which stands above it, in brackets if it has none."""
    before = reading.getprevious()
    if reading.text and not len(reading) and (before is None or before.tag != "rp"):
        reading.text = f"({reading.text})"


def _write_quotes(quote: _Element) -> None:
    begins = "".join(one.text or "" for one in islice(quote.iter("*"), _LEVELS))
    if begins.lstrip()[:1] in _QUOTES:
        return
    is_inner = any(above.tag == "q" for above in islice(quote.iterancestors(), _LEVELS))
    opening, closing = _MARKS[is_inner]
    quote.text = f"{opening}{quote.text or ''}"
    if len(quote):
        quote[-1].tail = f"{quote[-1].tail or ''}{closing}"
    else:
        quote.text += closing


_MENDERS: Mapping[str, Callable[[_Element], None]] = {
    **dict.fromkeys((*HEADING_TAGS, "caption", "dt"), _drop_links),
    **dict.fromkeys(("code", "ol", "table"), find_listing),
    **dict.fromkeys(("annotation", "math", "script"), mend_formula),
    **dict.fromkeys(("a-img", "amp-img", "amp-anim"), write_amp),
    **dict.fromkeys(PLAYERS, empty_player),
    **dict.fromkeys(("object", "template"), _show_content),
    "button": _show_opener,
    "figure": show_caption,
    "footer": _show_source,
    "img": show_sign,
    "input": _write_box,
    "noscript": show_picture,
    **dict.fromkeys(("listing", "pre", "xmp"), mend_listing),
    "q": _write_quotes,
    "rt": _bracket,
}
