"""The features of a page that its kind is decided by (`page_kind`), gathered from all it shows.

Signs of the model, from the text, the elements, the links, the head and the address. And what the
rules read, the title: that of a page in the way of another (login, error), or one made for a
message.
"""

from __future__ import annotations

import re
from itertools import accumulate, islice
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.kind.declared_signs import address_signs, declared_signs, link_signs
from webclean_scrapy.cleaning.kind.element_signs import control_signs, element_signs
from webclean_scrapy.cleaning.kind.page_kind import KindFeatures
from webclean_scrapy.cleaning.kind.text_signs import measure_shape, text_signs
from webclean_scrapy.cleaning.page.tags import HEADING_TAGS
from webclean_scrapy.cleaning.page.units import text_units

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webclean_scrapy.cleaning.body.body import Body
    from webclean_scrapy.cleaning.body.evidence import Evidence
    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.parsed_page import ParsedPage

_LEAD_LINES = 40  # between the heading with the title and the body
_COUNT_LINES = 60  # before the body, in which a count of answers is looked for
_COUNT_UNITS = 60  # a longer line is no count
#: A count of answers or of posts that answer; comments are counted under articles too.
_ANSWERS = re.compile(
    r"\W*(?:共|全部|all)?\W{0,3}\d[\d,.]{0,6}\+?\s*(?:[个個条條])?\s*"
    r"(?:(?:回答|答案|回复[贴帖]|回[帖贴])(?:\W.{0,20})?"
    r"|(?:answers?|antwort(?:en)?|réponses?|respuestas?|respostas?|risposte|ответ(?:а|ов)?)\W{0,3})"
)
#: Titles, or parts of them, of pages about the site or in the way: login, errors, contact.
_IN_THE_WAY = re.compile(
    r"(?:(?:please )?(?:log|sign)[ -]?(?:in|up)(?: (?:to|or) .{0,30})?|login|register"
    r"|create account|anmelden"
    r"|einloggen|registrieren|connexion|se connecter|iniciar sesión|entrar|accedi|вход"
    r"|(?:用[户戶]|会员|會員|账号|帳號)?(?:登[录錄陆陸]|注[册冊])|ログイン|로그인"
    r"|(?:error |ошибка |http )?(?:40[0134]|50[023])\W{0,3}(?:error|not found|forbidden"
    r"|unauthorized|bad gateway|service unavailable|internal server error|page not found)?"
    r"|access denied|forbidden"
    r"|(?:page|seite|página|pagina|страница|file)\b.{0,20}(?:not found|nicht gefunden|introuvable"
    r"|no encontrad[ao]|não encontrada|non trovata|не найдена)|(?:not found|page introuvable)"
    r"|.{0,8}(?:[页頁]面|网[页頁]|[内內]容|文章).{0,4}(?:不存在|找不到|未找到|已[删刪]除|无法访问)"
    r"|找不到.{0,6}[页頁]面|ページが見つかりません"
    r"|contact(?: us)?|kontakt|impressum|imprint|contacto?s?|contatti|联系(?:我们|方式)|聯絡我們"
    r"|just a moment|attention required.{0,3}|are you (?:a )?(?:human|robot).{0,3}"
    r"|(?:安全|身份|访问)?[验驗][证證](?:[码碼])?|百度安全验证)"
)
_TITLE_PARTS = re.compile(r"\s[-–—:·]\s|[|_»›:：]|–|—")
_SENDER = re.compile(r"^\s*@\w|\(@[\w.@]+\)\s*$")
_QUOTED = re.compile(r"[:：]\s*[\"“「『]([^\"”」』…]*)")
_CUT = re.compile(r"\.\.\.|…")
_NOT_WORD = re.compile(r"[\W_]+")
_MIN_CUT = 18  # units of words before the cut, and that the body has behind them
_MAX_TITLES = 4
_MAX_TITLE = 400  # characters
_CARDS = 0.7  # of the body in cards, and of its paragraphs beside a headline: no text of its own
_TEASERS = 0.8
_NAMES = 8  # lines; fewer without a full stop are a poem or a notice
_FEW_PARAGRAPHS = 0.3  # of the lines
_FEW_ENDED = 0.2  # of the text


def kind_features(page: ParsedPage, evidence: Evidence, body: Body) -> KindFeatures:
    """Return the features of one page. Cost: O(rows of the page)."""
    table, head = page.table, page.head
    shape = measure_shape(evidence, body.lines)
    return KindFeatures(
        link_share=table.link_length(0) / max(table.text_length(0), 1),
        body_units=sum(table.lines.units[line] for line in body.lines),
        is_interstitial=any(map(_is_interstitial, islice(head.titles, _MAX_TITLES))),
        answers=_counts_answers(table, body),
        message=not _has_heading(table, body) and _is_message(head.titles, table, body),
        cards=shape.card_share > _CARDS and shape.teaser_share > _TEASERS,
        names=len(body.lines) >= _NAMES
        and body.paragraphs < _FEW_PARAGRAPHS * len(body.lines)
        and shape.ended_share < _FEW_ENDED,
        signs={
            **text_signs(evidence, body, shape),
            **element_signs(evidence, body),
            **control_signs(page.controls),
            **link_signs(table, page.url),
            **declared_signs(head),
            **address_signs(page.url),
            "a heading with the title": _is_titled(table, body),
        },
    )


def _is_titled(table: PageTable, body: Body) -> bool:
    """True if a line that repeats the title, and is no link, comes before or in the body."""
    title_line = body.title_line
    if title_line is None or not body.lines:
        return False
    is_link = 2 * table.lines.link_units[title_line] > table.lines.units[title_line]
    return not is_link and body.lines[0] - _LEAD_LINES <= title_line <= body.lines[-1]


def _is_interstitial(title: str) -> bool:
    parts = _TITLE_PARTS.split(title[:_MAX_TITLE].lower())
    return any(_IN_THE_WAY.fullmatch(part.strip(" .!?…。！？")) for part in parts)


def _counts_answers(table: PageTable, body: Body) -> bool:
    """True if a count of answers follows the title, and most of the body follows it."""
    if not body.lines:
        return False
    lines, first = table.lines, body.lines[0]
    start = max(first - _COUNT_LINES, 0)
    if body.title_line is not None and body.title_line < first:
        start = max(start, body.title_line)
    for line in range(start, _middle(table, body)):
        plain = 2 * lines.link_units[line] <= lines.units[line] <= _COUNT_UNITS
        if plain and _ANSWERS.fullmatch(lines.text[line].lower()):
            return True
    return False


def _middle(table: PageTable, body: Body) -> int:
    """Return the line of the body in which the first half of its text ends."""
    units = [table.lines.units[line] for line in body.lines]
    half = sum(units) / 2
    return next(
        line for line, sofar in zip(body.lines, accumulate(units), strict=True) if sofar >= half
    )


def _has_heading(table: PageTable, body: Body) -> bool:
    """True if the title is on the page, other than as a line of the body."""
    line = body.title_line
    if line is None:
        return False
    return line not in body.lines or table.tag[table.lines.container[line]] in HEADING_TAGS


def _is_message(titles: Iterable[str], table: PageTable, body: Body) -> bool:
    """True if a title is made for a message that has none: of its first words, or of its sender.

    It breaks off in the words that the body begins with and goes on with, quotes them, or names an
    ``@sender``.
    """
    if not body.lines:
        return False
    text = _words(table.lines.text[body.lines[0]][: 2 * _MAX_TITLE])
    for title in islice(titles, _MAX_TITLES):
        if any(_SENDER.search(part) for part in _TITLE_PARTS.split(title[:_MAX_TITLE])):
            return True
        if (quoted := _QUOTED.search(title[:_MAX_TITLE])) and _begins(text, _words(quoted[1])):
            return True
        cut = _CUT.search(title[:_MAX_TITLE])
        words = _words(title[: cut.start()]) if cut else ""
        if _begins(text, words):
            return text_units(text[len(words) :]) >= _MIN_CUT
    return False


def _begins(text: str, words: str) -> bool:
    return text_units(words) >= _MIN_CUT and text.startswith(words)


def _words(text: str) -> str:
    return _NOT_WORD.sub("", text).lower()
