"""Find the title of an article, without the names of its site and section.

Deviation from Features 3 (papers.md): the paper cuts at the last separator. Here a heading of the
page that its address repeats, or that begins or ends the title, decides first; else parts at its
end are cut while they are short beside the rest, and parts at either end that name the site.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import combining, normalize
from urllib.parse import unquote

from webclean_scrapy.cleaning.page.units import letters, text_units
from webclean_scrapy.web_addresses import host_name, split

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from webclean_scrapy.cleaning.metadata.head import Head

MAX_LENGTH = 500  # characters of a title that are looked at
_MIN_KEPT = 12  # units (a CJK character counts 3) that a title has at least
_MAX_TAIL = 0.7  # a part at the end is a name when it has at most this share of the rest's units
_MAX_SITE = 40  # units of a site's name behind a short title
_MOST_ABOVE = 3  # headings, among which a short title is: those of menus may stand above it
_MIN_SHARE = 0.4  # of the title that a heading has at least which replaces it
_MIN_NAMED = 20  # letters of a heading below the first level that the address repeats
_SHORT_WORD = 3  # letters of words that addresses leave out

# "|" and "_" separate names; hyphens and dashes do between blanks, doubled, or when the
# title beside them is not written in Latin letters, whose words have hyphens of their own. White
# space is squeezed.
_SEPARATOR = re.compile(
    r"\s?[_|｜¦›»]+\s?|\s(?:[-–—·•<>]+|::)\s|\s?-{2,}\s?|(?<=[^\x00-\x7f])\s?-\s?|\s?-(?=[^\x00-\x7f])"
)
#: Before the site's name other signs may stand, too.
_BEFORE_SITE = re.compile(
    r"\s*(?:[|｜¦_›»<>：·•–—]+|[:,;]+(?=\s)|(?<=\s)[:~/\\@]+|(?<=\s)-+(?=\s)|-{2,})\s*"
)
_LEFT_EMPTY = re.compile(r"\s*[-–—|｜_]")  # "- Harbour Post": nothing was filled in
_COUNT = re.compile(r"^\(\d{1,3}\+?\)\s")  # of what a reader has not read
_BULLETS = "·•■◆●▪▶» "  # of lists that repeat the title
_WORD = re.compile(r"[^\W_]+")
_ENDING = re.compile(r"\.[a-z]{2,5}$|[-_.,][a-z]?\d{4,}(?:\.[a-z]{2,5})?$")  # ".html", "-48151"


class Heading(NamedTuple):
    """A heading of a page."""

    text: str
    is_first_level: bool = False
    is_above: bool = True  # the beginning of the text
    is_link: bool = False
    names_site: bool = False  # as a link to its start


def title_forms(head: Head) -> tuple[str, ...]:
    """Return the declared titles, each as written and without the site's name."""
    forms = ((clean_title(title, head.site_name), title) for title in head.titles)
    return tuple(dict.fromkeys(chain.from_iterable(forms)))


def page_title(
    head: Head,
    headings: Sequence[Heading] = (),
    *,
    address: str = "",
    is_article: bool = False,
) -> str:
    """Find the title of the article; "" if there is none.

    *headings* are those of the page, the likeliest first. What the *address* repeats is the title;
    an article's only heading of the first level is where the declared ones are others, for search
    engines.
    """
    host = host_name(address).removeprefix("www.")  # its parts are names of the site, too
    names = (head.site_name or "", host, *host.split("."))
    sites = (*names, *(heading.text for heading in headings if heading.names_site))
    known = {key for name in sites if (key := letters(name))}
    candidates = [heading for heading in headings if letters(heading.text) not in known]
    titles = tuple(_COUNT.sub("", title) for title in head.titles)
    if named := _named_in(address, candidates, titles, is_article=is_article):
        return named
    first = [heading.text for heading in candidates]
    if titles and all(map(_LEFT_EMPTY.match, titles)):
        empty = {key for title in titles if (key := letters(title))}
        others = [text for text in first if not any(key in letters(text) for key in empty)]
        if others:
            return others[0]
    # A card of the text may have a heading that begins the title, too.
    for among in ([heading.text for heading in candidates if heading.is_above], first):
        for title in titles:
            if text_units(title) >= _MIN_KEPT and (
                found := _heading_in(title, among, known, is_article=is_article)
            ):
                return found
    # A short heading, as encyclopedias have, is the title before what describes its subject.
    mains = (heading.text for heading in candidates if heading.is_first_level)
    for heading in dict.fromkeys((*first[:_MOST_ABOVE], *mains)):
        if any(_is_before_site(title, heading, titles) for title in titles):
            return heading.lstrip(_BULLETS)
    if not titles:
        return first[0] if first else ""
    declared = _declared(titles, first, head.site_name)
    sole = _sole_heading(headings, (*map(letters, titles), *known), declared)
    return (is_article and sole) or declared


def _declared(titles: Sequence[str], headings: Iterable[str], site_name: str | None) -> str:
    """Return the first of *titles* without its site; one that is cut short by what has the rest."""
    cleaned = clean_title(titles[0], site_name)
    if cleaned.endswith(("...", "…")) and text_units(key := letters(cleaned)) >= _MIN_KEPT:
        cleaned = next((text for text in headings if letters(text).startswith(key)), cleaned)
    # A quotation mark inside content="..." ends an og:title too soon; <title> has the rest.
    longer = clean_title(titles[-1], site_name)
    is_cut = longer.startswith(cleaned) and longer[len(cleaned) :].lstrip()[:1] in ('"', "“")
    return longer if is_cut else cleaned


def _sole_heading(headings: Iterable[Heading], known: Iterable[str], declared: str) -> str:
    """Return the only heading of the first level, above the text, if it is none of *known*."""
    mains = [*dict.fromkeys(heading for heading in headings if heading.is_first_level)]
    if len(mains) != 1 or not mains[0].is_above or mains[0].is_link:
        return ""
    key = letters(text := mains[0].text)
    is_other = not any(key in each for each in known) and letters(declared) not in key
    return text if is_other and text_units(text) >= _MIN_KEPT else ""


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
        if text_units(rest) < _MIN_KEPT or text_units(tail) > share * text_units(rest):
            break
        kept = rest
    return kept.strip(" _|-–—") or title


def _named_in(
    address: str, headings: Iterable[Heading], titles: Sequence[str], *, is_article: bool
) -> str:
    """Return the heading that an address ends with, "" if none; or part of a title of no article.

    Headings below the first level count where they are long, or end a title: those of sections are
    short.
    """
    last = unquote(split(address).path).rstrip("/").rpartition("/")[2]
    key = _in_address(_ENDING.sub("", last))
    if not key:
        return ""
    is_long, ends = len(key) >= _MIN_NAMED, [letters(title) for title in titles]
    repeating = (one for one in headings if not one.is_link and _in_address(one.text) == key)
    named = (
        text
        for text, is_main, is_above, *_ in repeating
        if is_main or (is_above and (is_long or any(end.endswith(letters(text)) for end in ends)))
    )
    cuts = ((title, cut) for title in titles for cut in _SEPARATOR.finditer(title[:MAX_LENGTH]))
    parts = (
        part for title, cut in cuts if " " in cut[0] and not is_article
        for part in (title[: cut.start()], title[cut.end() :]) if _in_address(part) == key
    )  # fmt: skip
    return next(chain(named, parts), "")


def _in_address(text: str) -> str:
    """Return *text* as addresses repeat it: without signs, accents and short words."""
    plain = text[:MAX_LENGTH].lower().replace("’", "").replace("'", "")
    if not plain.isascii():
        plain = "".join(sign for sign in normalize("NFKD", plain) if not combining(sign))
    words = _WORD.findall(plain)
    return "".join([w for w in words if len(w) > _SHORT_WORD or not w.isalpha()] or words)


def _heading_in(
    title: str, headings: Sequence[str], sites: Container[str], *, is_article: bool
) -> str | None:
    """Return the heading that begins or ends *title*, which then is the article's title.

    A short one does beside a name of the *sites*. Of two that are all of it, the one that stands
    above the other is the name of the site, of a manual or book; or of a product, the title.
    """
    squeezed = letters(title)
    for heading in headings:
        text = " ".join(heading[:MAX_LENGTH].split())
        key = letters(text)
        if not key or not (squeezed.startswith(key) or squeezed.endswith(key)):
            continue
        is_begin = squeezed.startswith(key)
        rest = squeezed[len(key) :] if is_begin else squeezed.removesuffix(key)
        # The likeliest is there again.
        others = headings[1:] if text_units(rest) >= _MIN_KEPT and not is_begin else ()
        in_order = [letters(one) for one in others]
        at = in_order.index(rest) if rest in in_order else -1
        long_enough = text_units(key) >= max(_MIN_KEPT, _MIN_SHARE * text_units(squeezed))
        if long_enough or rest in sites or at >= 0:
            is_below = at < 0 or (is_article and key not in in_order[:at])
            return (text if is_below else headings[1 + at]).lstrip(_BULLETS)
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
    is_short = text_units(rest) <= _MAX_SITE or text_units(key) >= _MIN_KEPT
    return is_short and any(ends) and not any(rest in other for other in others)


def _without_site(title: str, site_name: str | None) -> str:
    if not (key := letters(site_name or "")):
        return title
    for cut in _BEFORE_SITE.finditer(title):
        if letters(title[cut.end() :]) == key and cut.start():
            return title[: cut.start()]
    first = _SEPARATOR.search(title)
    if first and letters(title[: first.start()]) == key and first.end() < len(title):
        return title[first.end() :]
    return title
