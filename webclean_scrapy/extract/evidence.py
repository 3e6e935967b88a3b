"""What a page says about its own lines, computed once: the facts that every judgement reads.

Nothing here decides. Facts of a row are inherited down the tree as bits; facts of a line come
from its text, its neighbours and the four elements above it.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lxml import etree

from webclean_scrapy.extract.anchor import find_anchor, title_likeness
from webclean_scrapy.extract.paragraphs import ParagraphConfig, RowMass, paragraph_mass
from webclean_scrapy.extract.words import row_evidence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webclean_scrapy.denoise.template import TemplateEvidence
    from webclean_scrapy.page.table import PageTable

# Bits of a row, inherited from the elements above it.
(
    ARTICLE, ASIDE, HEADER, FORM, NAV, BODY_MARKED, HIDDEN, QUOTE, PRE, FIGURE, NAMED_BODY,
    NAMED_OTHER,
) = (1 << bit for bit in range(12))  # fmt: skip
_TAG_BITS = {
    "article": ARTICLE, "main": ARTICLE, "aside": ASIDE, "footer": ASIDE, "header": HEADER,
    "form": FORM, "nav": NAV, "blockquote": QUOTE, "pre": PRE, "figure": FIGURE,
    "figcaption": FIGURE, "caption": FIGURE,
}  # fmt: skip

_MARKED_BODY = etree.XPath(
    "//*[@itemprop='articleBody' or @itemprop='reviewBody' or @role='main' or @role='article']"
)
_HIDDEN = etree.XPath(
    "//*[@hidden or @aria-hidden='true' or (@style and contains("
    "translate(@style, ' DISPLAYNOE', 'displaynoe'), 'display:none'))]"
)

#: Above this share of its units inside links a line is a link line.
LINK_LINE = 0.5
_CARD_UNITS = 1_500  # a repeated element with more text is a section, no card
_CARD_REPEATS = 3


@dataclass(frozen=True, slots=True)
class Evidence:
    """Facts about one page; row lists and line lists are parallel to the table's."""

    table: PageTable
    mass: list[int]  # per line: weight as a paragraph, in units
    rows: RowMass
    total: int  # weight of the page
    bits: list[int]  # per row
    says_body: bytearray  # per row: its own class or id says body
    says_other: bytearray  # per row: its own class or id says something else
    says_caption: bytearray  # per row: its own class or id says caption
    card: bytearray  # per row: one of several like elements with a link in each
    likeness: list[float]  # per line: how much it repeats the title
    anchor: int | None  # line where the article's title stands
    repeats: list[bool]  # per line: the same text stands elsewhere on the page
    behind_image: bytearray  # per line: nothing but pictures between it and the line before
    end_heading: bytearray  # per line: a heading that begins what follows an article
    behind_end: bytearray  # per line: such a heading, or under it
    caption: bytearray  # per line: short, under a picture, and named a caption
    told: bytearray  # per line: the JSON-LD's articleBody holds it
    group: list[int]  # per line: row of the innermost table or list around it, else -1
    template: TemplateEvidence | None


def gather(
    table: PageTable,
    titles: Sequence[str],
    template: TemplateEvidence | None,
    config: ParagraphConfig,
    told: Sequence[str] = (),
) -> Evidence:
    """Return the facts about a page. *told* are bodies that its JSON-LD gives. Cost: O(rows)."""
    mass = _weigh(table, template, config)
    says_body, says_other = row_evidence(table)
    likeness = title_likeness(table, titles)
    counts = Counter(table.lines.text)
    rows = RowMass(table, mass)
    says_caption = bytearray(map(_is_caption, table.classes, table.ident))
    behind_image = _behind_images(table)
    end_heading = bytearray(
        units <= _HEADING_UNITS and END_HEADING.fullmatch(text) is not None
        for text, units in zip(table.lines.text, table.lines.units, strict=True)
    )
    return Evidence(
        table=table,
        mass=mass,
        rows=rows,
        total=rows.of(0) if len(table) else 0,
        bits=_inherit(table, says_body, says_other),
        says_body=says_body,
        says_other=says_other,
        says_caption=says_caption,
        card=_find_cards(table),
        likeness=likeness,
        anchor=find_anchor(table, likeness),
        repeats=[counts[text] > 1 for text in table.lines.text],
        behind_image=behind_image,
        end_heading=end_heading,
        behind_end=_behind_ends(table, mass, end_heading),
        caption=_find_captions(table, says_caption, behind_image),
        told=_find_told(table, told),
        group=_groups(table, rows),
        template=template,
    )


def _weigh(
    table: PageTable, template: TemplateEvidence | None, config: ParagraphConfig
) -> list[int]:
    """Return the weight of each line; on a page without good paragraphs whatever text there is."""
    mass = paragraph_mass(table, config)
    lines = table.lines
    if not any(mass):
        mass = [max(0, u - 2 * n) for u, n in zip(lines.units, lines.link_units, strict=True)]
    if template is not None:
        own = [0 if known else m for known, m in zip(template.repeated, mass, strict=True)]
        if any(own):
            return own
    return mass


def _inherit(table: PageTable, says_body: bytearray, says_other: bytearray) -> list[int]:
    marks: dict[etree._Element, int] = {}
    root = table.node[0]
    for node in _MARKED_BODY(root):
        marks[node] = BODY_MARKED
    for node in _HIDDEN(root):
        marks[node] = marks.get(node, 0) | HIDDEN
    bits: list[int] = []
    get = _TAG_BITS.get
    for row, (tag, up) in enumerate(zip(table.tag, table.parent, strict=True)):
        own = bits[up] if up >= 0 else 0
        own |= get(tag, 0)
        if says_other[row]:
            own |= NAMED_OTHER
        elif says_body[row]:
            own |= NAMED_BODY
        bits.append(own)
    if marks:
        _spread(table, marks, bits)
    return bits


def _spread(table: PageTable, marks: dict[etree._Element, int], bits: list[int]) -> None:
    """Give the rows of the subtrees under *marks* their bits."""
    for row, node in enumerate(table.node):
        if table.tag[row][0] != "#" and node in marks:
            extra = marks[node]
            for inside in range(row, table.end[row]):
                bits[inside] |= extra


def _find_cards(table: PageTable) -> bytearray:
    """Mark elements that stand beside like ones (tag and class) and each hold a link and text."""
    groups: dict[tuple[int, str, str], list[int]] = {}
    for row, (name, up) in enumerate(zip(table.classes, table.parent, strict=True)):
        if name or table.tag[row] in {"li", "article"}:
            groups.setdefault((up, table.tag[row], name), []).append(row)
    card = bytearray(len(table))
    for members in groups.values():
        if len(members) < _CARD_REPEATS:
            continue
        linked = [
            row
            for row in members
            if 0 < table.link_length(row) < table.text_length(row) < _CARD_UNITS
        ]
        if 2 * len(linked) > len(members):
            for row in linked:
                card[row] = 1
    return card


def _is_caption(classes: str, ident: str) -> bool:
    return bool(classes or ident) and CAPTION_NAME.search(f"{classes} {ident}") is not None


#: Class and id words of what stands under a picture, run together or not.
CAPTION_NAME = re.compile(
    r"caption|(?:pic|img|image|photo|picture|media)s?[-_]?(?:text|txt|desc|info|title|note|credit|des)"
    r"|figcap|cutline|zhushi|tuzhu"
)


def _behind_images(table: PageTable) -> bytearray:
    found = bytearray(len(table.lines))
    for row, tag in enumerate(table.tag):
        if tag == "img":
            line = table.line_of[row]  # the next line to begin
            if line < len(found) and (not line or table.lines.last[line - 1] < row):
                found[line] = 1
    return found


def _find_captions(table: PageTable, says_caption: bytearray, behind_image: bytearray) -> bytearray:
    lines, up = table.lines, table.parent
    found = bytearray(len(lines))
    for line, box in enumerate(lines.container):
        if behind_image[line] and lines.units[line] <= _CAPTION_UNITS:
            inline = up[lines.first[line]]
            found[line] = says_caption[box] or says_caption[inline] or says_caption[up[box]]
    return found


def _behind_ends(table: PageTable, mass: Sequence[int], end_heading: bytearray) -> bytearray:
    """Mark the lines under a heading that says what follows an article (comments, related).

    As far as the element that holds the heading and the text under it; when that element holds
    paragraphs before the heading too, only as far as the next real paragraph.
    """
    lines = table.lines
    found = bytearray(len(lines))
    for line, ends in enumerate(end_heading):
        if not ends:
            continue
        row = lines.container[line]
        while row > 0 and table.line_of[table.end[row]] <= line + 1:
            row = table.parent[row]
        inside = table.lines_in(row)
        stop = inside.stop
        if any(mass[inside.start : line]):
            under = range(line + 1, stop)
            stop = next((at for at in under if mass[at] > _HEADING_UNITS), stop)
        found[line:stop] = b"\1" * (stop - line)
    return found


def _find_told(table: PageTable, told: Sequence[str]) -> bytearray:
    """Mark the lines that one of the texts *told* holds, compared by letters and digits alone."""
    lines = table.lines
    found = bytearray(len(lines))
    whole = "\n".join(_NOT_WORD.sub("", text).lower() for text in told)
    if len(whole) < _MIN_TOLD:
        return found
    for line, text in enumerate(lines.text):
        if lines.units[line] >= _MIN_TOLD_LINE:
            found[line] = _NOT_WORD.sub("", text).lower() in whole
    return found


def _groups(table: PageTable, rows: RowMass) -> list[int]:
    """Return for each line the innermost table or list around it, -1 for none.

    One that holds much of the page's paragraphs is its layout and none.
    """
    most = _GROUP_SHARE * rows.of(0)
    inner: list[int] = []
    for row, (tag, up) in enumerate(zip(table.tag, table.parent, strict=True)):
        if tag in _GROUP_TAGS:
            inner.append(row if rows.of(row) <= most else -1)
        else:
            inner.append(inner[up] if up >= 0 else -1)
    return [inner[box] if box >= 0 else -1 for box in table.lines.container]


_NOT_WORD = re.compile(r"[\W_]+")
_CAPTION_UNITS = 300  # a longer line tells more than a picture
_HEADING_UNITS = 90  # a longer line is no heading
_MIN_TOLD = 200  # characters; a shorter articleBody is a teaser
_MIN_TOLD_LINE = 12  # units; shorter lines stand in any text
_GROUP_TAGS = frozenset({"table", "ul", "ol", "dl"})
_GROUP_SHARE = 0.3  # of the page's paragraph weight; a table that holds more is its layout

#: Short lines behind which an article is over.
END_HEADING = re.compile(
    r"[\W\d]*(?:[相关關]{2}(?:阅读|閱讀|新闻|新聞|文章|报道|報道|报导|推荐|推薦|链接|专题|内容)"
    r"|延伸阅读|延伸閱讀|推荐阅读|推薦閱讀|精彩推荐|猜你喜欢|为您推荐|更多精彩|[热熱][门門].{2}"
    r"|最新(?:评论|評論|文章|回复)|(?:网友|全部|发表|我要|最热)?[评評][论論]区?|跟[贴帖]"
    r"|comments?|(?:leave|add|post) an? (?:comment|reply)|join the (?:discussion|conversation)"
    r"|(?:responses?|replies|discussion)"
    r"|related.{0,20}|read next|more (?:from|stories|on|news|in)\b.{0,24}|(?:more )?top stories"
    r"|you (?:may|might|'ll) (?:also )?(?:like|enjoy|love).{0,8}|recommended.{0,12}"
    r"|most (?:read|popular|viewed)|popular.{0,12}|latest (?:news|posts|stories|articles)"
    r"|trending.{0,8}|about the author|what to read next|further reading)[\W\d]*",
    re.IGNORECASE,
)
#: Lines that name who wrote, edited or published a text, in the words of Chinese and English news.
CREDIT = re.compile(
    r"^[\s(（【\[*]*(?:原[标標][题題]|[责責]任[编編][辑輯]|责编|责 编|[编編][辑輯][：:]|作者[：:]"
    r"|(?:文章|本文|稿件|新闻|信息)?[来來]源[：:]|校对[：:]|审核[：:]|终审|监制[：:]|初审|复审"
    r"|转载请注明|版权声明|免责声明|特别声明|文[/|｜]|[图圖][/|｜]"
    r"|photo(?:graph)? by |photo: |images?: |source: |credit: |copyright |©|follow us "
    r"|read more|related\b|share this|advertisement|see also|also read|more:|updated?:? "
    r"|posted |published |written by |by [A-Z])"
    r"|^.{0,16}(?:记者|通讯员|記者|編輯|编辑|编译|撰文|摄影|实习生)[\s：:]*[\u4e00-\u9fff]{2,4}[)）\s]*$",
    re.IGNORECASE,
)
#: Requests to do something with the page: follow, subscribe, scan, accept.
PROMPT = re.compile(
    r"cookies?\b|newsletter|subscri|sign up|log in|inbox|follow us|our app|download the|click here"
    r"|all rights reserved|[扫掃][码碼]|二[维維][码碼]|公[众眾][号號]|客[户戶]端|[订訂][阅閱]"
    r"|[关關]注|下[载載]|[点點][击擊]|登[录錄]|[转轉][发發]|分享到|更多精彩|不得[转轉][载載]|版[权權]所有",
    re.IGNORECASE,
)
DATE = re.compile(
    r"\d{4}\s*[-/.年]\s*\d{1,2}\s*[-/.月]\s*\d{1,2}|\d{1,2}:\d{2}"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}",
    re.IGNORECASE,
)
#: Text that is code or data which a script would have used.
CODE = re.compile(r'^\s*[\[{]+\s*"|function\s*\(|</?\w+[^>]*>|\bvar \w+\s*=|^\s*[.#@][\w-]+\s*\{')
