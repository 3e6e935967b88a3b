"""Pieces of HTML that several templates of the demo portal use, each in its own style."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from spiders.demo.model import Block, BlockKind

_LINK = re.compile(r"\[\[(.+?)\]\]")
_STRONG = re.compile(r"\*\*(.+?)\*\*")


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyStyle:
    """Markup of the blocks of an article in one template: ``{}`` stands for the text."""

    paragraph: str = "<p>{}</p>\n"
    heading: str = "<h2>{}</h2>\n"
    item: str = "<li>{}</li>\n"
    items: str = "<ul>\n{}</ul>\n"
    head_cell: str = "<th>{}</th>"
    cell: str = "<td>{}</td>"
    row: str = "<tr>{}</tr>\n"
    table: str = "<table>\n{}</table>\n"
    quote: str = "<blockquote><p>{}</p></blockquote>\n"
    code: str = "<pre><code>{}</code></pre>\n"
    figure: str = (
        "<figure><img src='/static/photo.gif' alt=''><figcaption>{}</figcaption></figure>\n"
    )
    link: str = "<a href='/'>{}</a>"
    strong: str = "<strong>{}</strong>"


def fill(pattern: str, *texts: str) -> str:
    """Return *pattern* with each ``{}`` replaced in turn; braces in the texts mean nothing."""
    parts = pattern.split("{}")
    if len(parts) != len(texts) + 1:
        raise ValueError(f"{len(parts) - 1} placeholders for {len(texts)} texts in {pattern!r}")
    return "".join(part + text for part, text in zip(parts, (*texts, ""), strict=True))


def pick(key: str, choices: Sequence[str]) -> str:
    """Return one of *choices*, the same for a *key* on every machine."""
    return choices[crc32(key.encode()) % len(choices)]


def number(key: str, low: int, high: int) -> int:
    """Return a number in low..high, the same for a *key* on every machine."""
    return low + crc32(key.encode()) % (high - low + 1)


def inline(text: str, style: BodyStyle) -> str:
    """Return the HTML of a text with its links and strong words."""
    linked = _LINK.sub(lambda match: fill(style.link, match[1]), escape(text, quote=False))
    return _STRONG.sub(lambda match: fill(style.strong, match[1]), linked)


def body_html(
    blocks: Iterable[Block], style: BodyStyle, inserts: Mapping[int, str] | None = None
) -> str:
    """Return the HTML of the body.

    *inserts* are put behind the n-th paragraph (counted from 1), never between list items or rows;
    those behind the end come last.
    """
    waiting = dict(inserts or {})
    out: list[str] = []
    count = 0
    for kind, group in groupby(blocks, key=lambda block: block.kind):
        members = list(group)
        if kind != "p":
            out.append(_group_html(kind, members, style))
            continue
        for block in members:
            out.append(fill(style.paragraph, inline(block.text, style)))
            count += 1
            out.append(waiting.pop(count, ""))
    return "".join([*out, *waiting.values()])


def _group_html(kind: BlockKind, blocks: list[Block], style: BodyStyle) -> str:
    texts = [inline(block.text, style) for block in blocks]
    if kind == "li":
        return fill(style.items, "".join(fill(style.item, text) for text in texts))
    if kind == "row":
        return fill(style.table, "".join(_row_html(n, text, style) for n, text in enumerate(texts)))
    if kind == "code":
        return fill(style.code, "\n".join(escape(block.text, quote=False) for block in blocks))
    pattern = {"h": style.heading, "quote": style.quote, "figure": style.figure}[kind]
    return "".join(fill(pattern, text) for text in texts)


def _row_html(position: int, text: str, style: BodyStyle) -> str:
    cell = style.cell if position else style.head_cell
    return fill(style.row, "".join(fill(cell, part) for part in text.split(" | ")))


def links(items: Iterable[tuple[str, str]], pattern: str = "<li><a href='{}'>{}</a></li>\n") -> str:
    """Return one *pattern* per (path, text): the path first, then the text."""
    return "".join(fill(pattern, path, escape(text, quote=False)) for path, text in items)


# What readers write below the articles: the same few voices everywhere.
_ENGLISH = (
    ("ebbtide", "My grandfather would have laughed at this, and then paid for a round."),
    ("Marnie K", "Lovely piece. More of this and less about the bypass, please."),
    ("oldsalt47", "I was there. It was colder than the reporter makes out."),
    ("P. Quill", "Can somebody explain who is going to pay for all of this in the end?"),
    ("norfolk_nan", "Reading this on the bus and missed my stop. Worth it."),
    ("tern", "Nobody asked the people who live at the far end of the road. They never do."),
    ("Gibbet Lane", "Same story in our town ten years ago; it went well until the money ran out."),
)
_CHINESE = (
    ("南湾老张", "写得实在，我们小区也碰到过一样的事，后来还是靠大家商量解决的。"),
    ("晚风不冷", "看完想给家里打个电话。"),
    ("一只土豆", "记者能不能半年后再去看看，别光报道开头。"),
    ("街角修鞋铺", "说到底还是要有人肯管，光有办法没人干也白搭。"),
    ("青橄榄", "转给我妈了，她说里面那位师傅她认识。"),
    ("潮汐表", "数据能公开吗？想自己算一算。"),
)


def readers_comments(key: str, comment: str, frame: str, language: str = "en") -> str:
    """Return a block of two to four comments: *comment* takes name and text, *frame* them all."""
    voices = _ENGLISH if language == "en" else _CHINESE
    start = number(key, 0, len(voices) - 1)
    count = number(key + "#", 2, 4)
    chosen = [voices[(start + n) % len(voices)] for n in range(count)]
    return fill(frame, "".join(fill(comment, name, text) for name, text in chosen))
