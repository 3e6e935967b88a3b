"""Find the title of an article, without the names of its site and section.

Deviation from Features 3 (papers.md): the paper cuts at the last separator. Here a heading of the
page that begins or ends the title decides first; else parts at its end are cut while they are short
beside the rest, and parts at either end that name the site.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.page.units import letters

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webclean_scrapy.cleaning.metadata.head import Head

MAX_LENGTH = 500  # characters of a title that are looked at
_MIN_KEPT = 12  # units (a CJK character counts 3) that a title has at least
_MAX_TAIL = 0.7  # a part at the end is a name when it has at most this share of the rest's units
_MAX_SITE = 40  # units of a site's name behind a short title
_MOST_ABOVE = 3  # headings, among which a short title is: those of menus may stand above it
_MIN_SHARE = 0.4  # of the title that a heading has at least which replaces it

# "|" and "_" separate names; hyphens and dashes do between blanks, doubled, or when the
# title beside them is not written in Latin letters, whose words have hyphens of their own.
_SEPARATOR = re.compile(
    r"\s*[_|｜¦›»]+\s*|\s+(?:[-–—·•<>]+|::)\s+|\s*-{2,}\s*|(?<=[^\x00-\x7f])\s*-\s*|\s*-(?=[^\x00-\x7f])"
)
#: Before the site's name other signs may stand, too.
_BEFORE_SITE = re.compile(
    r"\s*(?:[|｜¦_›»<>：·•–—]+|[:,;]+(?=\s)|(?<=\s)[:~/\\@]+|(?<=\s)-+(?=\s)|-{2,})\s*"
)
_LEFT_EMPTY = re.compile(r"\s*[-–—|｜_]")  # "- Harbour Post": nothing was filled in
_COUNT = re.compile(r"^\(\d{1,3}\+?\)\s")  # of what a reader has not read
_BULLETS = "·•■◆●▪▶» "  # of lists that repeat the title
_WIDE = re.compile("[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff01-\uff60]")


def title_forms(head: Head) -> tuple[str, ...]:
    """Return the declared titles, each as written and without the site's name."""
    forms: dict[str, None] = {}
    for title in head.titles:
        forms[clean_title(title, head.site_name)] = None
        forms[title] = None
    return tuple(forms)


def page_title(head: Head, headings: Iterable[str] = (), sole: str = "") -> str:
    """Find the title of the article; "" if there is none.

    *headings* are the texts of the page's headings, the likeliest first. An article's *sole*
    heading of the first level is its title where the declared ones are others, for search engines.
    """
    site = letters(head.site_name or "")
    first = [heading for heading in headings if letters(heading) != site]
    titles = tuple(_COUNT.sub("", title) for title in head.titles)
    if titles and all(map(_LEFT_EMPTY.match, titles)):
        sites = {key for title in titles if (key := letters(title))}
        named = [text for text in first if not any(key in letters(text) for key in sites)]
        if named:
            return named[0]
    for title in titles:
        if units(title) >= _MIN_KEPT and (heading := _heading_in(title, first)) is not None:
            return heading
    # A short heading, as encyclopedias have, is the title before what describes its subject.
    for heading in first[:_MOST_ABOVE]:
        others = titles if heading == first[0] else (*titles, *first)
        if any(_is_before_site(title, heading, others) for title in titles):
            return heading.lstrip(_BULLETS)
    if not titles:
        return first[0] if first else ""
    cleaned = clean_title(titles[0], head.site_name)
    if cleaned.endswith(("...", "…")) and units(key := letters(cleaned)) >= _MIN_KEPT:
        cleaned = next((text for text in first if letters(text).startswith(key)), cleaned)
    written, known = letters(sole), [*map(letters, titles), site]
    is_other = not any(written in each for each in known) and letters(cleaned) not in written
    if units(sole) >= _MIN_KEPT and is_other:
        return sole
    # A quotation mark inside content="..." ends an og:title too soon; <title> has the rest.
    longer = clean_title(titles[-1], head.site_name)
    if longer.startswith(cleaned) and longer[len(cleaned) :].lstrip()[:1] in ('"', "“"):
        return longer
    return cleaned


def clean_title(title: str, site_name: str | None = None) -> str:
    """Return *title* without the site's and section's names.

    Never empty unless *title* is; white space is squeezed. Cost: linear in *title*, which is cut at
    500 characters.

    >>> clean_title("Ferry arrives two hours late | News | Harbour Post")
    'Ferry arrives two hours late'
    """
    title = " ".join(title[:MAX_LENGTH].split())
    kept = _without_site(title, site_name)
    while cuts := [
        cut for cut in _SEPARATOR.finditer(kept) if cut.start() and cut.end() < len(kept)
    ]:
        cut = cuts[-1]
        rest, tail = kept[: cut.start()], kept[cut.end() :]
        share = 1 if "|" in cut[0] else _MAX_TAIL
        if units(rest) < _MIN_KEPT or units(tail) > share * units(rest):
            break
        kept = rest
    return kept.strip(" _|-–—") or title


def units(text: str) -> int:
    """Return the length of *text* in units: characters, a CJK one counting 3."""
    return len(text) + 2 * len(_WIDE.findall(text))


def _heading_in(title: str, headings: Iterable[str]) -> str | None:
    """Return the heading that begins or ends *title*, which then is the article's title.

    Of two that are all of it, the one that stands above the other is the name of the site, of a
    manual or book.
    """
    squeezed = letters(title)
    headings = list(headings)
    for heading in headings:
        text = " ".join(heading[:MAX_LENGTH].split())
        key = letters(text)
        long_enough = units(key) >= max(_MIN_KEPT, _MIN_SHARE * units(squeezed))
        if long_enough and (squeezed.startswith(key) or squeezed.endswith(key)):
            rest = squeezed.removesuffix(key)
            # The likeliest is there again.
            others = headings[1:] if units(rest) >= _MIN_KEPT else ()
            in_order = [letters(one) for one in others]
            if rest in in_order and key in in_order[: in_order.index(rest)]:
                text = headings[1 + in_order.index(rest)]
            return text.lstrip(_BULLETS)
    return None


def _is_before_site(title: str, heading: str, titles: Iterable[str]) -> bool:
    """True if *title* is *heading*, alone or followed by a short site name."""
    key = letters(heading)
    whole = letters(title)
    if not key or not whole.startswith(key):
        return False
    rest = whole[len(key) :]
    if not rest:
        return True
    ends = (letters(title[: cut.start()]) == key for cut in _SEPARATOR.finditer(title))
    others = (letters(other) for other in titles if other != title)
    return units(rest) <= _MAX_SITE and any(ends) and not any(rest in other for other in others)


def _without_site(title: str, site_name: str | None) -> str:
    """Return *title* without the site's name at its end or start."""
    if not (key := letters(site_name or "")):
        return title
    for cut in _BEFORE_SITE.finditer(title):
        if letters(title[cut.end() :]) == key and cut.start():
            return title[: cut.start()]
    first = _SEPARATOR.search(title)
    if first and letters(title[: first.start()]) == key and first.end() < len(title):
        return title[first.end() :]
    return title
