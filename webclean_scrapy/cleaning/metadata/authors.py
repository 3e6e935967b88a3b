"""Who wrote an article: what its page declares, else its byline.

Many pages declare their editor as the author; whom a line of the page calls the editor is not.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.metadata.title import clean_title

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webclean_scrapy.cleaning.metadata.head import Head

MAX_LINES = 400  # that are searched
MAX_LINE = 120  # characters; a byline is short
MAX_NAME = 40  # characters
MAX_NAMES = 10

_NAME = r"[^\W\d_][\w.'’·-]{1,15}"
_MORE = r"(?:\s[\u3400-\u9fff]{1,4}(?![\w：:])|\s?[、/]\s?[^\W\d_][\w.'’·-]{1,15})"
_BYLINES = (
    re.compile(
        rf"(?:^|[\s（(【|｜])(?:作者|撰文|撰稿|采写|採寫|文字|记者|記者|文)\s?[：:/｜|︱丨]\s?"
        rf"(?P<names>{_NAME}{_MORE}{{0,4}})"
    ),
    re.compile(rf"^(?:作者|撰文|撰稿)\s(?P<names>{_NAME}{_MORE}{{0,4}})"),
    re.compile(
        r"(?:^|[\s（(【|｜：:])[\u3400-\u9fff]{0,6}[记記]者\s?(?:[|｜：:]\s?)?"
        r"(?!了解|注意|获悉|获得|采访|发现|联系|看到|走访|从|在|到|于|近日|昨|今)"
        r"(?P<names>[\u3400-\u9fff]{2,4}(?:[\s、][\u3400-\u9fff]{1,4}(?![\w：:]))*)(?!\w)"
    ),
    re.compile(
        r"^(?:(?:[Ww]ritten|[Pp]osted|[Pp]ublished)\s)?(?:[Bb]y|BY)[:\s]\s?"
        r"(?P<names>[A-Z][\w.'’-]+(?:\s[A-Z][\w.'’-]*){1,3}"
        r"(?:(?:,|,? and|\s&)\s[A-Z][\w.'’-]+(?:\s[A-Z][\w.'’-]*){1,3}){0,4})"
    ),
)
_DATED_BYLINE = re.compile(
    r"^(?P<names>[^\s，。：:]{2,30})\s?(?:于|於)\s?20\d\d[-/.年月日:：\s\d]{4,20}(?:发|發)[布表]"
)
_CHANGED = re.compile(r"更新|修改|编辑|推荐|推薦")  # the same words come before its date
_EDITOR = re.compile(
    r"(?:编辑|編輯|责编|責編|校对|校對|审核|[Ee]dit(?:ed by|or))\s?[：:/｜|︱\s]\s?"
    rf"(?P<names>{_NAME}{_MORE}{{0,4}})"
)
_PICTURE = re.compile(r"图片|圖片|供图|供圖|[摄攝]\W{0,2}$|[Pp]hoto")  # whose author this is not
# Words that follow a byline after a blank, as names do.
_AFTER = re.compile(
    r"\s(?:来源|來源|编辑|編輯|责编|責編|发布|时间|发表|原标题|分享|阅读|浏览|评论|点击|字号|摄|报道).*"
)
_SPACED_NAME = re.compile(
    r"(?<![\u3400-\u9fff])([\u3400-\u9fff])\s([\u3400-\u9fff])(?![\u3400-\u9fff])"
)
_BETWEEN = re.compile(
    r"\s*[,;，、；/|]\s*|(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])|\s+(?:and|und|et|y|e)\s+|\s*&\s*"
)
_NO_NAME = re.compile(
    r"^www\.|@|^\d|^[\W\d]+$|\.(?:com|net|org|cn|txt)$"
    r"|^(?:admin|administrator|editor|name|none|null|unknown|staff)$|\bteam\b"
    r"|(?:[记記]者|作者|编辑|編輯)$|^[\u3400-\u9fff]{7,}$",
    re.IGNORECASE,
)
# "By", or one word and a colon in any language.
_BY = re.compile(
    r"^(?:(?:by|von|par|por|作者|[记記]者|文)[:：\s]|[^\W\d_]{2,12}\s?[:：])\s*", re.IGNORECASE
)


def find_authors(head: Head, lines: Iterable[str] = (), near: Iterable[str] = ()) -> list[str]:
    """Return the authors' names, each once, in order; [] when none is found.

    *lines* are the page's visible lines in order, of use when the head names no author; *near*
    those about title and body, which are read first and which name the editor.
    Addresses, accounts and the site itself are no authors.
    """
    near = list(near)
    # A site names itself at the end of its titles, and many name themselves as the author.
    site = " ".join((head.site_name or "", *(_tail(title) for title in head.titles))).lower()
    declared = _names(head.authors, site)
    # "Ann Lee, Harbour Post"; who publishes a page alone may have written it too.
    declared = [name for name in declared if name not in head.publishers] or declared
    if declared and (editors := _editors(near)):
        declared = [name for name in declared if name not in editors]
    return declared or _names(_byline(near), site) or _names(_byline(lines), site)


def _tail(title: str) -> str:
    """Return what `clean_title` cuts off *title*."""
    return title.replace(clean_title(title), "")


def _editors(lines: Iterable[str]) -> set[str]:
    """Return the names that *lines* give as an editor's."""
    names = (match["names"] for line in lines for match in _EDITOR.finditer(line[:MAX_LINE]))
    return set(_names(names, ""))


def _byline(lines: Iterable[str]) -> list[str]:
    """Return the names in the first byline among *lines*, in one text."""
    for line in islice(lines, MAX_LINES):
        if len(line) > MAX_LINE or _PICTURE.search(line):
            continue
        for pattern in _BYLINES:
            if match := pattern.search(line):
                return [_SPACED_NAME.sub(r"\1\2", _AFTER.sub("", match["names"]))]
        match = _DATED_BYLINE.search(line)
        if match and not _CHANGED.search(match["names"]):
            return [match["names"]]
    return []


def _names(written: Iterable[str], site: str) -> list[str]:
    """Return the single names in *written* that can be names of people."""
    names: dict[str, None] = {}
    for text in written:
        if "://" in text:
            continue
        for piece in _BETWEEN.split(_BY.sub("", text[:200])):
            name = " ".join(piece.split()).strip(" .:：-")
            if (
                2 <= len(name) <= MAX_NAME
                and name.lower() not in site
                and not _NO_NAME.search(name)
            ):
                names[name] = None
    return list(names)[:MAX_NAMES]
