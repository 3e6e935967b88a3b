"""Find the elements that name an author: by class, ``rel``, ``itemprop`` or link.

Microformats (hCard, rel-author) and what sites call the place of a byline.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain, islice, takewhile
from typing import TYPE_CHECKING
from urllib.parse import unquote

from webclean_scrapy.cleaning.metadata.authors import DAY
from webclean_scrapy.cleaning.metadata.head import OTHERS
from webclean_scrapy.cleaning.page.row_flags import COMMENTS, NAV, RELATED
from webclean_scrapy.cleaning.page.tags import HEADING_TAGS
from webclean_scrapy.cleaning.page.units import letters
from webclean_scrapy.cleaning.page.walk import TEXT
from webclean_scrapy.cleaning.words.phrases import alternatives, any_of

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator

    from lxml.etree import _Element

    from webclean_scrapy.cleaning.page.table import PageTable

MAX_LEVELS = 6  # above a text
MAX_LINES = 6  # of an element; a larger one is no byline
MAX_ROWS = 60
MAX_TEXT = 60  # characters of a link to an author
MAX_TOGETHER = 2  # lines between the marks of several authors

MAX_ABOVE = 12  # elements above a mark that are looked at
MAX_INSIDE = 40  # elements in one of them, a card
MIN_TEXT = 20  # characters of it beside the author's name

MAX_NAME = 40  # characters of a signature
MAX_APART = 3  # elements above it
_APART = frozenset({"em", "i", "strong", "b"})
_RIGHT = re.compile(r"(?<![a-z])right(?![a-z])")
MAX_DATED = 100  # characters of a line with a name and a date
MAX_DATE = 30  # characters of a line with a date alone
_TIME = re.compile(r"(?<!\d)[012]?\d:[0-5]\d$")  # behind a day without a year
_PARTS = re.compile(r"\s*[|·•∙●]\s*|\s+[-–—/]+\s+")

_NO_PAGE = re.compile(r"\s*(?:$|#|javascript:|mailto:)", re.IGNORECASE)
_ENTRIES = frozenset({"li", "article", "tr"})  # of lists
_QUOTING = frozenset({"blockquote", "q", "figure", "figcaption"})
#: Names of things beside the article that have authors of their own.
_OTHERS_NAMES = re.compile(
    r"(?<![a-z])(?:testimonial|(?:pull|block)?[-_]?quote|h?review(?:s|er)?(?![a-z]))"
)
_NAMED = re.compile(
    rf"author(?!i[sz])|byline|by-line|(?<![a-z])(?:{alternatives('author_class')}|writer|writtenby"
    r"|postedby|contributor|journalist|vcard|nick(?:name)?(?![a-z])|(?:big)?username(?![a-z]))"
    r"|posted-by|written-by"
)
_NAMES_KEPT = 4_096  # pages of one site write the same ones again
_NAME_ALONE = re.compile(r"author[-_]{0,2}name|(?<![a-z])(?:vcard|fn|(?:big)?username)(?![a-z])")
_ADDRESS = re.compile(
    rf"/(?:authors?|{alternatives('author_address')}|contributors?|writers?|columnists?|journalists?"
    r"|reporters?|profiles?|people|staff|by)/[^/?#]|[?&]author=[^&]|^/@[^/?#]",
    re.IGNORECASE,
)
#: Addresses of members of a platform, what links with their names are called, and the names.
_MEMBER = re.compile(
    r"/(?:users?|u|members?|people|profile|author|space)/(?!index|log|reg|sign|center|home|sett)"
    r"[\w%.-]+/?(?:[?#]|$)|//space\.|space-(?:uid|username)-|[?&]mod=space&|//blog\.[\w.]+/\w+/?$"
)
_MEMBER_NAMES = re.compile(r"author|nick-?name|user-?name|creator|__name", re.IGNORECASE)
_PEN_NAME = re.compile(r"(?=\w*[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3])[^\W\d][\w·・.-]{1,15}")
_NOBODY = re.compile(any_of("nobody"))
_NO_PEN_NAME = re.compile(
    f"^{any_of('tool')}$|{any_of('page_word')}|^{any_of('nobody')}$|{any_of('not_of_person')}$"
)
# In the addresses of authors' pages, but not in those of people and profiles.
_AUTHORS_PAGE = (
    "author", "autor", "auteur", "contrib", "writer", "column", "journal", "report", "redak",
)  # fmt: skip


class ForeignElements:
    """Elements beside an article that have authors of their own: quotations, reviews, cards.

    *around* are the elements that the article is in. Elements that hold it are its own.
    """

    def __init__(self, table: PageTable, article: Iterable[int]) -> None:
        """*article* are the lines of title and body."""
        self._table = table
        nodes = [table.node[table.lines.container[line]] for line in article]
        around = [{node, *node.iterancestors()} for node in nodes]
        self._around, self._begin = set().union(*around), set().union(*around[:-1])

    def contains(self, element: _Element, *, lists: bool = True) -> bool:
        """True if *element* is part of an element beside the article, with *lists* of an entry."""
        for above in islice(chain((element,), element.iterancestors()), MAX_ABOVE):
            if above in self._begin:
                break
            names = f"{above.get('class') or ''} {above.get('id') or ''}".lower()
            items = (above.get("itemprop") or "").split()
            if above.tag in _QUOTING or _OTHERS_NAMES.search(names) or OTHERS.intersection(items):
                return True
            if above in self._around or not lists:
                continue
            if _has_headline(above, element):
                return True
            if not _NAMED.search(names) and "bio" not in names and self._is_in_list(above, element):
                return True
        return False

    def have_line(self, line: int, *, lists: bool = True) -> bool:
        """True if the text of a line is part of an element beside the article."""
        return self.contains(self._table.node[self._table.lines.container[line]], lists=lists)

    def _is_in_list(self, above: _Element, element: _Element) -> bool:
        """True if the next elements of its kind also have an author and a text."""
        kind, wanted = _kind(above), _kind(element)
        if not any(wanted[1:]) or not (any(kind[1:]) or kind[0] in _ENTRIES):
            return False
        for beside in (above.getnext(), above.getprevious()):
            if beside is None or beside in self._around or _kind(beside) != kind:
                continue
            inside = list(islice(beside.iterdescendants(), MAX_INSIDE))
            if any(_kind(each) == wanted for each in inside):
                text = "".join(map(str, islice(above.itertext(), MAX_INSIDE)))
                own = "".join(map(str, islice(element.itertext(), MAX_INSIDE)))
                links = islice(above.iterdescendants("a"), MAX_INSIDE)
                beside_name = (a for a in links if element not in (a, *a.iterancestors()))
                is_long = len(text.strip()) > len(own.strip()) + MIN_TEXT
                return is_long or any(map(_leads_to_page, beside_name))
        return False


def _leads_to_page(link: _Element) -> bool:
    """True if a link leads to a page, and not to that of an author."""
    href = link.get("href") or ""
    return not _NO_PAGE.match(href) and not _ADDRESS.search(href)


def _kind(element: _Element) -> tuple[object, ...]:
    return element.tag, *map(element.get, ("class", "itemprop", "rel"))


def _has_headline(above: _Element, element: _Element) -> bool:
    inside = list(islice(above.iterdescendants(), MAX_INSIDE))
    # In a card the headline comes first.
    before = inside[: inside.index(element)] if element in inside else ()
    for heading in before:
        if heading.tag in HEADING_TAGS or heading.get("itemprop") == "headline":
            link = next(chain(heading.iter("a"), heading.iterancestors("a")), element)
            is_authors = link is element or "author" in (link.get("rel") or "")
            if not is_authors and _leads_to_page(link):
                return True
    return False


def find_author_marks(
    table: PageTable, lines: Iterable[int], others: ForeignElements | None = None
) -> Iterator[tuple[list[tuple[str, ...]], bool]]:
    """Yield the bylines in *lines*: the texts of each element, and whether they are only names.

    Elements of one tag and class that follow each other are one byline. Cost: O(lines), not of the
    page; elements that hold more than a few lines are not looked at, nor is what *others* have.
    """
    bylines: list[tuple[list[tuple[str, ...]], bool]] = []
    last: dict[tuple[str, str], tuple[list[tuple[str, ...]], int]] = {}  # with its last line
    for line in lines:
        for row, is_sure in _marked_in(table, line):
            if others and others.contains(table.node[row]):
                continue
            kind = table.tag[row], table.classes[row]
            elements, last_line = last.get(kind, ([], -1))
            if not elements or abs(line - last_line) > MAX_TOGETHER:
                elements = []
                bylines.append((elements, is_sure))
            elements.append(_texts(table, row))
            last[kind] = elements, line
    yield from bylines


def lone_author_link(table: PageTable, others: ForeignElements | None = None) -> str | None:
    """Return the text of the page's links to an author of that name; None with several authors.

    Lists of other articles link to their authors, too. Cost: one look at each link.
    """
    rows: dict[str, int] = {}
    addresses = "\n".join(table.hrefs.values())
    names = [name for name in _AUTHORS_PAGE if name in addresses]
    for row, href in table.hrefs.items() if names else ():
        if any(map(href.__contains__, names)) and (link := _ADDRESS.search(href)):
            text = " ".join(_texts(table, row))
            if " " in text and len(text) <= MAX_TEXT and _is_in(table, row, link):
                rows[text] = row
    if len(rows) != 1:
        return None
    name, row = rows.popitem()
    return None if others and others.contains(table.node[row]) else name


def author_by_profile_link(
    table: PageTable, lines: Iterable[int], others: ForeignElements
) -> list[str]:
    """Return the first text in *lines* that links to a member: a pen name has no label."""
    rows = (range(table.lines.first[n], table.lines.last[n] + 1) for n in lines)
    for row in chain.from_iterable(rows):
        up = table.parent[row]
        link = up if up in table.hrefs else table.parent[up]
        if (href := table.hrefs.get(link)) and not table.flags.inside[row] & (NAV | COMMENTS):
            text = "".join(_texts(table, link))
            is_members = _MEMBER.search(href) or _MEMBER_NAMES.search(table.classes[link])
            is_name = _PEN_NAME.fullmatch(text) and not _NO_PEN_NAME.search(text)
            is_slug = (text[:1] == "@" or is_members) and _is_slug(table, link)
            is_slug = is_slug and not _NOBODY.fullmatch(text)
            if ((is_members and is_name) or is_slug) and not others.contains(table.node[link]):
                return [text.lstrip("@")]
    return []


def authors_beside_date(
    table: PageTable, lines: Iterable[int], is_others: Callable[[int], bool]
) -> Iterator[str]:
    """Yield texts alone beside a date, or in the line before or after one, before any link.

    "Ann Lee · 3 May 2026": a section in this place is a link, or in the menu, too.
    """
    texts, up_of, links = table.lines.text, table.parent, table.hrefs.keys()
    for line in lines:
        rows = range(table.lines.first[line], table.lines.last[line] + 1)
        around = {up for row in (rows[0], up_of[rows[0]]) for up in (row, up_of[row])}
        if around & links or len(texts[line]) > MAX_DATED:
            continue
        alone = takewhile(lambda row: row not in links, rows)
        pieces = (piece for row in alone if (piece := table.text[row].strip()))
        parts = [part for piece in pieces for part in _PARTS.split(piece)]
        dates = [part for part in parts if DAY.search(part) or _TIME.search(part)]
        if not (dates or parts[2:]):  # the name and a profession
            beside = [texts[n] for n in (line - 1, line + 1) if 0 <= n < len(texts)]
            dates = [text for text in beside if len(text) <= MAX_DATE and DAY.search(text)]
        if dates and not is_others(line):
            named = {text for n, text in enumerate(texts) if n < line or table.lines.link_units[n]}
            yield from (part for part in parts if part not in dates and part not in named)


def signatures(
    table: PageTable, numbers: Iterable[int], *, dashed: bool, heading: int
) -> Iterator[str]:
    """Yield the lines that stand apart as a signature: in italics or bold, or at the right.

    Only those behind a dash with *dashed*; without, these too. The line *heading* is before other
    articles: in bold it may be their heading.
    """
    lines = table.lines
    for line in numbers:
        if lines.link_units[line] or not 0 < len(lines.text[line]) <= MAX_NAME:
            continue
        rows = range(lines.first[line], lines.last[line] + 1)
        texts = (row for row in rows if table.tag[row] == TEXT and table.text[row].strip())
        has_dash = lines.text[line][0] in "—–-"
        tags = frozenset[str]() if line == heading else _APART
        if has_dash or (not dashed and all(_stands_apart(table, row, tags) for row in texts)):
            yield lines.text[line].lstrip("—–- ")


def _stands_apart(table: PageTable, row: int, tags: Container[str]) -> bool:
    for _ in range(MAX_APART):
        row = table.parent[row]
        if row < 0:
            return False
        get = table.node[row].get
        styles = f"{get('align') or ''} {get('style') or ''} {table.classes[row]}"
        if table.tag[row] in tags or _RIGHT.search(styles):
            return True
    return False


def _marked_in(table: PageTable, line: int) -> Iterator[tuple[int, bool]]:
    """Yield the elements of a line that name an author, and whether each is certain."""
    first, last = table.lines.first[line], table.lines.last[line]
    if table.flags.inside[first] & (COMMENTS | RELATED):
        return
    for row in range(first, min(last, first + MAX_ROWS) + 1):
        if table.tag[row] == TEXT and table.text[row].strip():
            found = _marked_above(table, row)
            if found is not None:
                yield found


def _marked_above(table: PageTable, row: int) -> tuple[int, bool] | None:
    """Return the innermost element around a text that names an author, and if it is certain."""
    for _ in range(MAX_LEVELS):
        row = table.parent[row]
        if row < 0 or table.line_of[table.end[row]] - table.line_of[row] > MAX_LINES:
            return None
        get = table.node[row].get
        if table.tag[row] == "a":
            if "author" in (get("rel") or "").lower():
                return row, True
            if link := _ADDRESS.search(get("href") or ""):
                return row, _is_in(table, row, link)
        is_name = _is_name_alone(table.classes[row], table.ident[row])
        if is_name is not None:
            return row, is_name or _is_slug(table, row)
    return None


@lru_cache(maxsize=_NAMES_KEPT)
def _is_name_alone(classes: str, ident: str) -> bool | None:
    """True if class and id are those of an author's name, False of a byline, None of neither."""
    names = f"{classes} {ident}"
    return None if _NAMED.search(names) is None else _NAME_ALONE.search(names) is not None


def _is_in(table: PageTable, row: int, link: re.Match[str]) -> bool:
    """True if the address of an author contains the text of its link."""
    slug = unquote(link.string[link.end() - 1 :])
    text = "".join(_texts(table, row))
    return letters(text) in letters(slug)


def _is_slug(table: PageTable, row: int) -> bool:
    """True if the address of a link ends with its text, the name of an account."""
    text, href = "".join(_texts(table, row)).lstrip("@"), table.hrefs.get(row, "")
    return bool(text) and href.rstrip("/").rpartition("/")[2] == text


def _texts(table: PageTable, row: int) -> tuple[str, ...]:
    rows = range(row, min(table.end[row], row + MAX_ROWS))
    found = (" ".join(table.text[at].split()) for at in rows if table.tag[at] == TEXT)
    return tuple(filter(None, found))
