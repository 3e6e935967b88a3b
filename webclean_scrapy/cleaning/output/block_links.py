"""The link blocks of a page with their links: menus, related stories, tags, pagers.

Wang et al. 2014 (papers.md) find blocks to remove them; here they are given out. A run of close
links may be a menu and the headlines below it: it is cut where two links are further from each
other in the tree than their neighbours are, and parts of one kind are joined again.

What a part is say its landmark, its addresses and how long its texts are: no words.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain, groupby, pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple, TypeVar
from urllib.parse import unquote

from webclean_scrapy.cleaning.output.urls import IMAGE_SCHEMES, absolute_url
from webclean_scrapy.cleaning.page.lines import LINK_LINE, LINK_UNITS, WHOLLY
from webclean_scrapy.cleaning.page.row_flags import RELATED as NAMED_RELATED
from webclean_scrapy.cleaning.page.units import letters, text_units
from webclean_scrapy.cleaning.templates.url_shapes import split_url, url_shape
from webclean_scrapy.cleaning.words.networks import SHARE_ADDRESSES
from webclean_scrapy.web_addresses import host_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from webclean_scrapy.cleaning.body.link_blocks import LinkBlocks
    from webclean_scrapy.cleaning.page.table import PageTable

MENU, RELATED, TAGS, PAGER, OTHER = "menu", "related", "tags", "pager", "other"
_FEWEST = 2  # links of a pager or of tags; the other blocks are those that are removed
_SMALL = 3  # links; a part with fewer belongs to its neighbour
_MOST_TAGS = 100
_NEAR = range(-40, 12)  # lines behind the end of the body
_HEADLINE_UNITS = 20  # a headline is longer, where its address is that of an article;
_LONG_UNITS = 30  # where it is not, or in the head or foot of the page
_COMPANIONS = 0.6  # share of links beside headlines: authors, sections, numbers of comments
_NUMBER = re.compile(r"\W{0,4}\d{1,4}\W{0,2}")
_BACK, _ON = ("«", "‹", "<", "←"), ("»", "›", ">", "→")
#: Tags and roles, and how elements without them are called.
_NAVIGATION, _NAVIGATION_NAME = {"nav", "navigation"}, re.compile(r"(?<![a-z])(?:nav|menu)|crumb")
_LANDMARKS = {"header", "footer", "banner", "contentinfo"}
_LANDMARK_NAME = re.compile(r"(?<!\S)(?:(?:site|page|main|global)[-_]?)?(?:foot|header)")
_DIGIT = re.compile(r"\d")
_DATE_OR_ID = re.compile(r"/(?:19|20)\d\d[/-]?[01]\d|\d{5}")
_JOINTS = 3  # between the words of an address that is a headline
_SHARES = re.compile(rf"{SHARE_ADDRESSES}|/share(?:r|[./?]|$)|[?&]share=")
_URL = attrgetter("url")
_T = TypeVar("_T")


class Link(NamedTuple):
    """A link with its absolute address; *line* is the one that it ends in."""

    row: int
    line: int
    url: str
    text: str
    rel: tuple[str, ...]


class LinkGroup(NamedTuple):
    """A link block, or the part of it that is of one kind."""

    kind: str
    links: list[Link]

    def to_dict(self) -> dict[str, object]:
        """Return kind, and address and text of each link."""
        return {
            "kind": self.kind,
            "links": [{"url": one.url, "text": one.text} for one in self.links],
        }


class BlockReader:
    """Reads the link blocks of the page at *address*.

    *body* are the lines of its body, *title* is that of its title.
    """

    def __init__(
        self,
        table: PageTable,
        address: str | None,
        base: str | None,
        body: Sequence[int],
        title: int | None,
    ) -> None:
        self._table, self._address, self._base = table, address or "", base
        self._names_page = re.compile(re.escape(self._address.rstrip("/")) + r"/?(?![\w/-])")
        self._body = frozenset(body)
        self._start = min([*body[:1], *([] if title is None else [title])], default=-1)

    def read(self, blocks: LinkBlocks) -> Iterator[LinkGroup]:
        """Yield the blocks in the order of the page. Cost: O(links x depth).

        Links to places of the page, and those of scripts, are left out. Pagers and tags may have
        fewer links than blocks that are removed.
        """
        for run in blocks.runs(_FEWEST):
            links = [link for row in run if (link := self._link(row)).url]
            parts = ((self._kind(part), part) for part in self._parts(links) if part)
            for kind, same in groupby(parts, key=lambda part: part[0]):
                group = LinkGroup(kind, [*chain.from_iterable(part for _, part in same)])
                is_short = kind in {PAGER, TAGS}
                least, least_run = (_FEWEST, 0) if is_short else (_SMALL, blocks.least)
                if len(group.links) >= least and len(run) >= least_run:
                    yield group

    def _link(self, row: int) -> Link:
        table, href, end = self._table, self._table.hrefs[row], self._table.end[row]
        url = "" if href[:1] == "#" else absolute_url(href, self._base, IMAGE_SCHEMES)
        text = " ".join("".join(table.text[row:end]).split())
        rel = tuple((table.node[row].get("rel") or "").lower().split())
        return Link(row, table.line_of[end] - 1, url, text, rel)

    def _parts(self, links: list[Link]) -> Iterator[list[Link]]:
        """Yield the links in parts: those of each are as far from each other in the tree."""
        near = [self._depth_above(one.row, two.row) for one, two in pairwise(links)]
        cuts = [n + 1 for n, depth in enumerate(near) if depth < max(near[max(0, n - 1) : n + 2])]
        part: list[Link] = []
        for start, stop in pairwise([0, *cuts, len(links)]):
            piece = links[start:stop]
            is_pager = _is_pager(piece)
            if is_pager or min(len(part), len(piece)) >= _SMALL:
                yield part
                part = []
            part += piece
            if is_pager:
                yield part
                part = []
        yield part

    def _depth_above(self, one: int, two: int) -> int:
        """Return the depth of the innermost element around both rows, *one* before *two*."""
        row = self._table.parent[one]
        while self._table.end[row] <= two:
            row = self._table.parent[row]
        return int(self._table.arrays.depth[row])

    def _kind(self, links: list[Link]) -> str:
        if self._are_days(links):
            return OTHER
        if _is_pager(links):
            return PAGER
        landmark = self._landmark(links[0].row)
        if landmark != MENU and self._are_tools(links):
            return OTHER
        longest: dict[str, str] = {}  # a card leads to its page by picture, headline and price
        for link in links:
            longest[link.url] = max(longest.get(link.url, ""), link.text, key=text_units)
        by_size = sorted(longest, key=lambda url: text_units(longest[url]))
        long = by_size[int(_COMPANIONS * len(by_size)) :]
        units, lead_to_articles = text_units(longest[long[0]]), _most(_is_article, long)
        if landmark:
            is_list = landmark != MENU and lead_to_articles and units >= _LONG_UNITS
            return RELATED if is_list else MENU
        if _most(lambda link: link.line in self._body, links):
            return OTHER
        if self._are_tags(links, units):
            return TAGS
        inside = self._table.flags.inside
        if _most(lambda link: inside[link.row] & NAMED_RELATED, links):
            units = text_units(longest[by_size[-1]])
        if units >= (_HEADLINE_UNITS if lead_to_articles else _LONG_UNITS):
            return RELATED
        return MENU if self._are_items(links) and not self._lead_away(links) else OTHER

    def _landmark(self, row: int) -> str:
        """Return the landmark of the page that a row is in; an article has head and foot itself."""
        table, above = self._table, [row]
        while table.tag[above[-1]] not in {"article", "body", "html"}:
            above.append(table.parent[above[-1]])
        is_of_page = table.tag[above.pop()] != "article"
        said = {name for one in above for name in (table.tag[one], table.node[one].get("role", ""))}
        names = " ".join(f"{table.classes[one]} {table.ident[one]}" for one in above)
        if said & _NAVIGATION or (is_of_page and _NAVIGATION_NAME.search(names)):
            return MENU
        is_landmark = said & _LANDMARKS or _LANDMARK_NAME.search(names)
        return OTHER if is_of_page and is_landmark else ""

    def _are_tools(self, links: list[Link]) -> bool:
        """True if most links share, print or answer one page, or all lead to one."""
        asked = Counter(link.url.partition("?")[0] for link in links if "?" in link.url)
        page, count = asked.most_common(1)[0] if asked else ("", 0)
        is_tool = _most(lambda link: _SHARES.search(link.url) or self._is_own(link.url), links)
        return (
            is_tool
            or (_is_article(page) and count * 2 >= len(links))
            or len({*map(_URL, links)}) == 1
        )

    def _are_days(self, links: list[Link]) -> bool:
        """True for numbers that have a cell of a table each: the days of a calendar."""
        lines, tag = self._table.lines, self._table.tag
        cells = {lines.container[link.line] for link in links if _NUMBER.fullmatch(link.text)}
        return len({cell for cell in cells if tag[cell] == "td"}) * 2 >= max(_SMALL, len(links))

    def _is_own(self, url: str) -> bool:
        """True if *url* is the page's own with more, or holds it."""
        return bool(self._address) and self._names_page.search(unquote(url)) is not None

    def _lead_away(self, links: list[Link]) -> bool:
        """True if most links lead to other sites."""
        own = _domain(self._address)
        return own != [""] and _most(lambda link: _domain(link.url) != own, links)

    def _are_items(self, links: list[Link]) -> bool:
        """True if most links fill lines of like elements, as those of a menu do."""
        lines = self._table.lines
        counts, places = Counter(link.line for link in links), Counter[tuple[str, int]]()
        for link in links:
            least = WHOLLY if counts[link.line] > 1 else LINK_LINE  # "sport (12)"
            if lines.link_units[link.line] >= least * lines.units[link.line]:
                row = lines.container[link.line]
                places[self._table.tag[row], int(self._table.arrays.depth[row])] += 1
        return max(places.values(), default=0) * 2 >= len(links)

    def _are_tags(self, links: list[Link], units: int) -> bool:
        """True for a few short names of addresses in one folder, behind the title.

        The page is not in that folder, as it is in those of its section. Near the end of the body
        an address may have a number in place of the name.
        """
        if _most(lambda link: "tag" in link.rel, links):
            return True
        line = links[0].line
        if not (_SMALL <= len(links) <= _MOST_TAGS and units <= LINK_UNITS and line > self._start):
            return False
        is_near = units < _HEADLINE_UNITS and line - max(self._body, default=line) in _NEAR
        folders: Counter[str] = Counter()
        for link in links:
            parts = split_url(link.url)
            if parts is not None and (parts.above or parts.query):
                names = letters("".join((parts.name, *(value for _, value in parts.query))))
                folder = "/".join((parts.origin, *parts.above, *(name for name, _ in parts.query)))
                is_id = is_near and _DIGIT.search(parts.name) is not None
                folders[folder] += is_id or letters(link.text) in names
        folder, count = max(folders.items(), key=lambda one: one[1], default=("", 0))
        is_own = self._address.startswith(f"{folder}/") or self._lead_away(links)
        return count * 2 >= len(links) and not is_own


def _is_pager(links: list[Link]) -> bool:
    """True for numbers of pages, and for links that lead back and on."""
    if _most(lambda link: "next" in link.rel or "prev" in link.rel, links):
        return True
    if len(links) == _FEWEST and links[0].text.startswith(_BACK) and links[1].text.endswith(_ON):
        return True
    numbered = {link.text: link.url for link in links if _NUMBER.fullmatch(link.text)}
    urls = {*numbered.values()}
    shapes = {re.sub(r"\d+", "0", url) for url in urls}
    return len(urls) >= max(_FEWEST, len(links) / 2, 2 * len(shapes))


def _domain(url: str) -> list[str]:
    """Return the labels of the host that name its owner.

    >>> _domain("http://news.example.co.uk/"), _domain("http://www.example.org/")
    (['example', 'co', 'uk'], ['example', 'org'])
    """
    labels = host_name(url).split(".")
    return labels[-3 if len(labels[-1]) == 2 and len(labels[-2:][0]) <= 3 else -2 :]


def _is_article(url: str) -> bool:
    """True if *url* has the shape of an article's: with a day, a long number or many words."""
    path = url.partition("//")[2]
    name = path.rstrip("/").rpartition("/")[2]
    has_words = name.count("-") + name.count("_") >= _JOINTS
    return has_words or _DATE_OR_ID.search(path) is not None or "{id}" in url_shape(url)


def _most(holds: Callable[[_T], object], of: Sequence[_T]) -> bool:
    """True if at least half *of* them hold."""
    return 2 * sum(map(bool, map(holds, of))) >= max(1, len(of))
