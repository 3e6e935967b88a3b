"""What class and id words say about a subtree: evidence with a weight, never a verdict.

Short lists of what web authors call the parts of a page, in English and in the pinyin that
Chinese sites use. A word counts at its start only (``comment`` in ``comments-list``, not in
``recommend``). That an element holds much paragraph text outweighs any word: see ``judge``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webclean_scrapy.page.table import PageTable

_BODY = (
    "article artical art content contents body text txt post entry story main detail details page "
    "rich paragraph prose zhengwen neirong editor-content maincontent articlebody articletext "
    "entrycontent postcontent postbody storybody bodytext"
).split()
_OTHER = (
    "ad ads adv advert advertisement author authors aside banner bio bottom breadcrumb breadcrumbs "
    "byline caption card cards comment comments cookie copyright correct credit credits crumb "
    "crumbs date disclaimer disqus editor editors email feed feedback follow foot footer form gdpr "
    "header hidden hot hotnews icon info latest links login logo masthead menu meta modal more "
    "most nav navbar navigation newsletter next notice outbrain pager pagination paging pinglun "
    "player popular popup popover prev previous print privacy promo promotion qrcode rank "
    "rating read-more readmore recent recirc recommend recommended recommendation recommendations "
    "rel related relate relative reply respond rss search share sharing shares shoutbox side "
    "sidebar signup skip skyscraper social source sponsor sponsored statement subscribe "
    "subscription survey tag tags taboola teaser tip tips tool toolbar tools top toplist trending "
    "tuijian twitter video weibo weixin widget widgets xiangguan zeren"
).split()
_PARTS = re.compile(r"[^a-z]+")
_SPLIT_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_BODY_SET, _OTHER_SET = frozenset(_BODY), frozenset(_OTHER)


def name_evidence(names: str) -> tuple[bool, bool]:
    """Return (says body, says something else) for a class or id attribute.

    >>> name_evidence("article-content"), name_evidence("related-posts")
    ((True, False), (True, True))
    """
    parts = set(_PARTS.split(names))
    return not _BODY_SET.isdisjoint(parts), not _OTHER_SET.isdisjoint(parts)


def row_evidence(table: PageTable) -> tuple[bytearray, bytearray]:
    """Return two masks over the rows: names that say body, names that say something else."""
    says_body, says_other = bytearray(len(table)), bytearray(len(table))
    known: dict[tuple[str, str], tuple[bool, bool]] = {}
    for row, pair in enumerate(zip(table.classes, table.ident, strict=True)):
        if not pair[0] and not pair[1]:
            continue
        answer = known.get(pair)
        if answer is None:
            answer = known[pair] = name_evidence(f"{pair[0]} {pair[1]}")
        says_body[row], says_other[row] = answer
    return says_body, says_other
