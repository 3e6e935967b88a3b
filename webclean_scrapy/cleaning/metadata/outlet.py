"""Find the outlet named as the source of an article (来源).

In order: the name behind a label near the title; the source that the page declares; an outlet's
name in the dateline, between title and date; a label at the end of the body; who publishes the
page, as it declares. The name of the site alone is no source and is not taken.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.words.phrases import alternatives, any_of, phrases

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webclean_scrapy.cleaning.metadata.head import Head
    from webclean_scrapy.cleaning.metadata.nearby_lines import Nearby

MAX_NAME = 40  # characters
MAX_LINE = 200  # characters of a line that are looked at

_HAN = "\u3400-\u9fff"
# "图片来源" and "数据来源" are of pictures and figures: only these words come before the label,
# or the date does ("2026年2月3日来源").
_LABEL = re.compile(
    rf"(?:(?<![{_HAN}]){''.join(f'|(?<={word})' for word in phrases('before_source'))})"
    rf"(?:{any_of('source', run_on=True)}\s?(?:[:：|｜︱]|{any_of('from')}\s?[:：]?)"
    rf"|{any_of('taken_from')}\s?[:：]?)\s*"
)
_SPACED_LABEL = re.compile(
    rf"^\W{{0,3}}(?:{any_of('source', run_on=False)}\s?[:|]|{any_of('first_in')})\s*"
)
# A name in Latin letters has blanks, a Chinese one ends at the first.
_LATIN = re.compile(
    r"[A-Za-z0-9][\w.&'’-]{0,25}(?:\s(?:&|of|the|and|for|de|[A-Z0-9][\w.&'’-]{0,25})){0,5}"
)
_WORD = re.compile(r"[^\s|｜︱丨,，;；。、!！?？:：()（）\[\]【】]{1,40}")
# What follows a name without a blank: a date, the next label.
_NEXT = re.compile(rf"(?:19|20)\d\d\s?[-/.年]|\d{{1,2}}[:：]\d\d|{alternatives('behind_source')}")
_NO_NAME = re.compile(
    r"^[\W\d_]*$|://|^https?$|^www\.|@"
    rf"|^{any_of('no_source')}{any_of('collected')}?$",
    re.IGNORECASE,
)
_DATE = re.compile(r"(?:19|20)\d\d\s?[-/.年]\s?\d{1,2}")
_TRAIL = re.compile(
    rf"[>›»]|{alternatives('trail')}"
)  # breadcrumbs: sections have names like outlets'
# Endings of outlets' names that are not those of sections ("时政新闻") or buttons ("举报").
_OUTLET = re.compile(rf"[{_HAN}\w·-]{{1,14}}{any_of('outlet')}")
_BETWEEN = re.compile(r"\s+(?:[·•—-]\s+)?|\s?[|｜︱丨/]\s?")


def find_source(head: Head, nearby: Nearby) -> str | None:
    """Find the name of the outlet; None if the page names none.

    Cost: linear in the lines near the article.

    >>> from webclean_scrapy.cleaning.metadata.head import Head
    >>> from webclean_scrapy.cleaning.metadata.nearby_lines import Nearby
    >>> find_source(Head(), Nearby(head=("2026-02-03 10:20 来源：港湾日报 作者：王小明",)))
    '港湾日报'
    """
    return (
        _labelled(nearby.head)
        or _first_name(head.sources)
        or _in_dateline(nearby.head)
        or _labelled(nearby.tail)
        or _first_name(head.publishers)
    )


def _labelled(lines: Iterable[str]) -> str | None:
    for line in (line[:MAX_LINE] for line in lines):
        label = None if line.isascii() else _LABEL.search(line)
        label = label or _SPACED_LABEL.match(line)
        if label and (name := _name_at(line, label.end())):
            return name
    return None


def _name_at(line: str, at: int) -> str | None:
    matches = filter(None, (_LATIN.match(line, at), _WORD.match(line, at)))
    # The longer one is a name that goes on in other letters.
    longest = max(matches, key=lambda match: match.end(), default=None)
    return _name(_NEXT.split(longest[0], 1)[0]) if longest else None


def _name(text: str) -> str | None:
    """Return *text* without characters around a name; None if it cannot be an outlet."""
    text = text.strip(" .,-–—·:：\"'“”‘’")
    return None if not 2 <= len(text) <= MAX_NAME or _NO_NAME.search(text) else text


def _first_name(texts: Iterable[str]) -> str | None:
    return next(filter(None, map(_name, texts)), None)


def _in_dateline(lines: Iterable[str]) -> str | None:
    """Return an outlet-like name in, or before, the first line with a date."""
    for line in lines:
        if _TRAIL.search(line):
            continue
        dated = _DATE.search(line)
        if dated or len(line) <= MAX_NAME:
            for piece in _BETWEEN.split(line[:MAX_LINE]):
                if _OUTLET.fullmatch(piece) and (name := _name(piece)):
                    return name
        if dated:
            return None
    return None
