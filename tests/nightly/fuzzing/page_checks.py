"""Checks that hold for every cleaned page."""

from __future__ import annotations

import json
import math
from datetime import datetime
from typing import TYPE_CHECKING, Any
from unicodedata import category

from lxml import etree
from lxml import html as lxml_html

from tests.nightly.fuzzing.target import BrokenError, expect
from webclean_scrapy.cleaning.output.markdown_output import render_markdown
from webclean_scrapy.cleaning.output.tei_output import render_tei

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.result import CleanedPage

_FORBIDDEN = frozenset("script style iframe object embed form input link meta base".split())
_SHOWN = "//text()[not(ancestor::script or ancestor::style or ancestor::title)]"
_URL_ATTRIBUTES = ("href", "src", "cite", "poster", "action", "formaction")


def check_record(page: CleanedPage) -> dict[str, Any]:
    """Return the record of a page after a look at every field."""
    record = page.to_dict()
    try:
        again = json.loads(json.dumps(record, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise BrokenError(f"the record is no JSON: {error}") from error
    expect(set(again) == set(record), "JSON changes the names of the record")
    for name in ("confidence", "kind_confidence"):
        expect(0.0 <= record[name] <= 1.0, f"{name} is {record[name]}")
    shares = record["kind_probabilities"].values()
    expect(all(0.0 <= share <= 1.0 for share in shares), f"probabilities {shares}")
    expect(not shares or math.isclose(sum(shares), 1.0, abs_tol=0.02), "they do not sum to 1")
    expect(page.text.strip() or record["kind_reason"], "no text and no reason")
    for field in ("title", "text", "description", "site_name", "source"):
        check_string(field, record[field])
    for name in ("date_published", "date_modified"):
        check_date(record[name])
    for word in (*record["authors"], *record["keywords"]):
        check_string("a word", word)
    return record


def check_date(date: str | None) -> None:
    """Raise Broken for a date that is not in ISO 8601."""
    if date is not None:
        try:
            datetime.fromisoformat(date)
        except ValueError as error:
            raise BrokenError(f"{date!r} is no date") from error


def check_string(name: str, value: str | None) -> None:
    """Raise BrokenError for a string that cannot be written as UTF-8."""
    if value is None:
        return
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise BrokenError(f"{name} is no UTF-8: {error}") from error


def check_text(page: CleanedPage) -> None:
    """Raise BrokenError when the text has a word that the page has not."""
    if page.repaired or page.extractor == "source":
        return
    root = page.trace.page.table.node[0]
    # With comments, which is more than is shown; and without what can stand inside of a word.
    shown = _seen("".join(root.itertext())) + "\n" + _seen("".join(root.xpath(_SHOWN)))
    for line in page.text.split("\n"):
        for word in map(_seen, line.split()):
            expect(word in shown, f"{word!r} of the text is not on the page")


def _seen(text: str) -> str:
    """Return *text* without white space and invisible characters."""
    return "".join(char for char in text if not char.isspace() and category(char)[0] != "C")


def check_html(page: CleanedPage) -> None:
    """Raise BrokenError when the HTML does not parse, or could run something."""
    if not page.html.strip():
        return
    try:
        root = lxml_html.fragment_fromstring(page.html, create_parent="div")
    except (etree.LxmlError, ValueError) as error:
        raise BrokenError(f"the HTML does not parse: {error}") from error
    for node in root.iter():
        expect(isinstance(node.tag, str), "the HTML has a comment")
        expect(node.tag not in _FORBIDDEN, f"the HTML has <{node.tag!r}>")
        for name, value in node.attrib.items():
            expect(not str(name).lower().startswith("on"), f"the HTML has {name!r}")
            if name in _URL_ATTRIBUTES:
                start = "".join(str(value).split()).lower()
                expect(not start.startswith(("javascript:", "data:text", "vbscript:")), start[:60])


def check_formats(page: CleanedPage) -> None:
    """Raise BrokenError when a format of the page cannot be written or read again."""
    check_string("Markdown", render_markdown(page.html, page.title))
    for link in (link for group in page.link_groups or () for link in group.links):
        check_string("the text of a link", link.text)
        check_string("the address of a link", link.url)
    tei = render_tei(
        page.html, title=page.title, url=page.url or "", date=page.date_published or "",
        authors=page.authors, language=page.language or "", keywords=page.keywords,
    )  # fmt: skip
    try:
        etree.fromstring(tei.encode())
    except (etree.XMLSyntaxError, ValueError) as error:
        raise BrokenError(f"the TEI is no XML: {error}") from error


def check_same(left: dict[str, Any], right: dict[str, Any], what: str) -> None:
    """Raise BrokenError when two records differ."""
    for name, value in left.items():
        if value != right.get(name):
            raise BrokenError(f"{what}: {name} is {value!r:.200} and {right.get(name)!r:.200}")
