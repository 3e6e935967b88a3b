"""Draw a page as it came beside the article that was made of it, as SVG.

The page is one of the demo portal, cleaned with one sibling, as a crawl would. On the left is
every line a reader would see, dark when it is in the article; on the right the article.
"""

from __future__ import annotations

import textwrap
from html import escape
from typing import TYPE_CHECKING

from spiders.demo import build_portal
from webclean_scrapy.cleaning.cleaner import clean
from webclean_scrapy.cleaning.page.charset import decode
from webclean_scrapy.cleaning.page.parse import parse
from webclean_scrapy.cleaning.page.table import build_table

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.result import CleanedPage

PAGE = "/harbour/science/bell-buoy-three-keys-4687"
SIBLING = "/harbour/science/museum-unpicks-fishing-net-4611"

WIDTH, MARGIN, LINE = 980, 20, 13  # pixels
LEFT_CHARS, RIGHT_CHARS = 76, 74  # in a line of each side; monospaced, so that they fit
COLOURS = {"kept": "#1a1a1a", "removed": "#9c9c9c", "key": "#0b6b50", "head": "#555555"}


def draw_picture() -> str:
    """Return the picture. Cost: building the portal, cleaning two pages."""
    pages = build_portal().pages
    html = pages[PAGE].body
    address = "http://localhost"
    siblings = [(pages[SIBLING].body, address + SIBLING)]
    article = clean(html, url=address + PAGE, siblings=siblings)
    lines = [line.strip() for line in build_table(parse(decode(html)[0])).lines.text]
    left = [("The page: every line that a reader sees", "head"), ("", "head")]
    left += _page_lines(lines, [article.title, *article.text.split("\n")])
    right = [("The article", "head"), ("", "head"), *_article_lines(article)]
    middle = WIDTH // 2
    height = MARGIN * 2 + LINE * max(len(left), len(right))
    size = f'width="{WIDTH}" height="{height}"'
    rows = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="monospace" font-size="10">',
        f'<rect {size} fill="#ffffff"/>',
        f'<line x1="{middle}" y1="{MARGIN}" x2="{middle}" y2="{height - MARGIN}" stroke="#ddd"/>',
        *_column(left, MARGIN),
        *_column(right, middle + MARGIN),
        "</svg>",
    ]
    return "\n".join(rows) + "\n"


def _page_lines(lines: list[str], wanted: list[str]) -> list[tuple[str, str]]:
    """Return the lines of the page, coloured; each of *wanted* is kept where it comes first."""
    found = []
    for line in lines:
        found.append((cut(line, LEFT_CHARS), "kept" if line in wanted else "removed"))
        wanted = [other for other in wanted if other != line]
    return found


def _article_lines(article: CleanedPage) -> list[tuple[str, str]]:
    """Return the fields of the item as lines with their colour."""
    fields = {
        "headline": article.title,
        "authors": ", ".join(article.authors),
        "datePublished": article.date_published or "",
        "inLanguage": article.language or "",
        "articleBody": article.text,
    }
    lines: list[tuple[str, str]] = []
    for name, value in fields.items():
        lines.append((name, "key"))
        for paragraph in value.split("\n"):
            lines += [(line, "kept") for line in textwrap.wrap(paragraph, RIGHT_CHARS)]
            lines.append(("", "kept"))
    return lines


def _column(lines: list[tuple[str, str]], x: int) -> list[str]:
    return [
        f'<text x="{x}" y="{MARGIN + LINE * (place + 1)}" fill="{COLOURS[colour]}" '
        f'textLength="{width_of(text)}" lengthAdjust="spacingAndGlyphs">{escape(text)}</text>'
        for place, (text, colour) in enumerate(lines)
        if text
    ]


def width_of(text: str) -> int:
    """Return the pixels that *text* is fitted into, whatever font there is."""
    return len(text) * 58 // 10


def cut(text: str, limit: int) -> str:
    """Return *text* in at most *limit* characters."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
