"""Render the article as TEI P5 (Text Encoding Initiative), for corpora.

Each heading begins a ``div``, as TEI has headings only at the start of one; a heading in a quote,
a list or a table is an ``ab``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lxml import etree

from webclean_scrapy.cleaning.output.html_output import walk_html
from webclean_scrapy.cleaning.page.tags import HEADING_TAGS
from webclean_scrapy.cleaning.page.units import NOT_XML

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.etree import _Element

NAMESPACE = "http://www.tei-c.org/ns/1.0"
#: The TEI element for each tag of the clean HTML, and its attributes.
_ELEMENTS = dict.fromkeys(HEADING_TAGS, "ab type=heading") | {
    "a": "ref", "b": "hi rend=bold", "blockquote": "quote", "br": "lb", "caption": "head",
    "code": "code", "dd": "item", "del": "del", "dl": "list type=gloss", "dt": "label",
    "em": "hi rend=italic", "figcaption": "head", "figure": "figure", "i": "hi rend=italic",
    "img": "graphic", "kbd": "code", "li": "item", "ol": "list rend=numbered", "p": "p",
    "pre": "ab type=code", "q": "q", "s": "del", "samp": "code", "strong": "hi rend=bold",
    "sub": "hi rend=sub", "sup": "hi rend=sup", "table": "table", "td": "cell",
    "th": "cell role=label", "tr": "row", "u": "hi rend=underline", "ul": "list rend=bulleted",
}  # fmt: skip
_DATE = re.compile(
    r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?)?\Z", re.ASCII
)  # what the attribute when may hold


def render_tei(
    html: str,
    *,
    title: str = "",
    url: str = "",
    date: str = "",
    authors: Sequence[str] = (),
    language: str = "",
    keywords: Sequence[str] = (),
) -> str:
    """Render clean *html* and its metadata as a TEI document. Cost: O(length)."""
    tei = etree.Element(f"{{{NAMESPACE}}}TEI", nsmap={None: NAMESPACE})
    header = _add(tei, "teiHeader")
    description = _add(header, "fileDesc")
    _describe(_add(description, "titleStmt"), title, authors)
    _add(_add(description, "publicationStmt"), "p", "Extracted from a web page.")
    source = _add(_add(description, "sourceDesc"), "bibl")
    _describe(source, title, authors)
    if date:
        _add(source, "date", date, **({"when": date} if _DATE.match(date) else {}))
    if url:
        _add(source, "ref", url, target=_pointer(url))
    profile = _add(header, "profileDesc") if language or keywords else header
    text = _add(tei, "text")
    if language:
        _add(_add(profile, "langUsage"), "language", language, ident=language)
        text.set("{http://www.w3.org/XML/1998/namespace}lang", language)
    words = _add(_add(profile, "textClass"), "keywords") if keywords else profile
    for keyword in keywords:
        _add(words, "term", keyword)
    _fill_body(_add(text, "body"), html)
    document = etree.tostring(tei, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{document}\n'


def _describe(parent: _Element, title: str, authors: Sequence[str]) -> None:
    _add(parent, "title", title)
    for author in authors:
        _add(parent, "author", author)


def _fill_body(body: _Element, html: str) -> None:
    division = _add(body, "div")
    open_elements = [division]  # the last one takes what comes
    for event, element in walk_html(html):
        tag = str(element.tag)
        if event == "end":
            if tag in _ELEMENTS:
                open_elements.pop()
        elif tag in HEADING_TAGS and len(open_elements) == 1:
            division = division if not len(division) else _add(body, "div")
            open_elements = [division, _add(division, "head")]
        elif tag in _ELEMENTS:
            open_elements.append(_convert(open_elements[-1], element))
        _append_text(open_elements[-1], element.text if event == "start" else element.tail)
    if not len(division):
        _add(division, "p")


def _convert(parent: _Element, element: _Element) -> _Element:
    tag = str(element.tag)
    name, *attributes = _ELEMENTS[tag].split()
    added = _add(parent, name, **dict(attribute.split("=") for attribute in attributes))
    if tag == "a" and (href := element.get("href")):
        added.set("target", _pointer(href))
    elif tag == "img":
        added.set("url", _pointer(element.get("src") or ""))
        if alt := element.get("alt"):
            _add(added, "desc", alt)
    for name, other in (("rowspan", "rows"), ("colspan", "cols")):
        if tag in {"td", "th"} and (element.get(name) or "").isdigit():
            added.set(other, str(element.get(name)))
    return added


def _add(parent: _Element, name: str, content: str = "", **attributes: str) -> _Element:
    added = etree.SubElement(parent, f"{{{NAMESPACE}}}{name}", attributes)
    added.text = NOT_XML.sub("", content) or None
    return added


def _append_text(element: _Element, text: str | None) -> None:
    text = NOT_XML.sub("", text or "")
    if not text:
        return
    if len(element):
        element[-1].tail = (element[-1].tail or "") + text
    elif text.strip() or not str(element.tag).endswith("}div"):
        element.text = (element.text or "") + text


def _pointer(url: str) -> str:
    return NOT_XML.sub("", "%20".join(url.split()))
