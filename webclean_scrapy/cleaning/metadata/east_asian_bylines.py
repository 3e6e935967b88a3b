"""Find authors in bylines of Chinese, Japanese and Korean, whose names have no capitals.

A label, a profession, a sign or brackets mark the name; Chinese family names are a closed class.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.metadata.person_names import (
    HANGUL,
    KOREAN_NAME,
    KOREAN_ROLE,
    is_han_name,
    is_kanji_name,
    split_names,
)
from webclean_scrapy.cleaning.words.phrases import any_of, phrases

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MAX_LINE = 120  # characters; a byline is short

_NAME = (  # no label of what follows; "Ann Lee", "王 芳"
    rf"(?!{any_of('behind_byline')}\s?[：:])(?:[A-Z][\w.'’-]*(?:\s[A-Z][\w.'’-]*){{1,3}}"
    r"|[\u3400-\u9fff]\s[\u3400-\u9fff](?!\w)|[^\W\d_][\w.'’·-]{1,15})"
)
_HAN_NAME = r"(?:[\u3400-\u9fff]{2,4}|[\u3400-\u9fff]\s[\u3400-\u9fff](?![\w：:]))"  # "王 芳"
_COUNTRY = r"(?:[（(【\[［〔][\u3400-\u9fff]{1,3}[）)】\]］〕]\s?)"  # of a foreigner
_MORE = (
    rf"(?:\s(?!{any_of('behind_byline')})[\u3400-\u9fff]{{1,4}}(?![\w：:＝=/／|｜丨])"
    r"|\s?[、/]\s?[^\W\d_][\w.'’·-]{1,15})"
)
_BYLINES = (
    re.compile(
        rf"(?:^|[\s（(【［\[|｜，]){any_of('byline_label')}\s?[：:/／｜|︱丨＝・]\s?"
        rf"{_COUNTRY}?(?P<names>{_NAME}{_MORE}{{0,4}})"
    ),
    re.compile(rf"^{any_of('byline_label_alone')}\s@?(?P<names>{_NAME}{_MORE}{{0,4}})"),
    re.compile(
        rf"^(?=\S+\s{any_of('wrote_it')}|{_COUNTRY}){_COUNTRY}?"
        rf"(?P<names>[\u3041-\u9fff·]{{2,15}}(?:、[\u3041-\u9fff·]{{2,15}})*)"
        rf"\s?{any_of('wrote_it')}(?!\w)"
    ),
)
# Without a colon a verb may follow as well as a name.
_REPORTER = re.compile(
    rf"(?<!\w)[\d\u3400-\u9fff]{{0,12}}(?:{any_of('reporter')}|{any_of('correspondent')})\s?"
    rf"(?:[|｜：:]\s?)?(?P<names>{_HAN_NAME}"
    r"(?:[\s、](?:[\u3400-\u9fff]{2,4}|[\u3400-\u9fff](?![/／]))(?![\w：:]))*)"
    rf"(?:(?!\w)|[\u3400-\u9fff]{{2,4}}{any_of('reports')}$)"
)
# A name alone behind a sign, or before "words by" or an outlet.
_MARKED = re.compile(
    r"[■□◆◇●○◎▲△★☆]\s?([\u3400-\u9fff]{2,4})"
    rf"|([\u3400-\u9fff]{{2,4}})\s?[/／]\s?"
    rf"(?:{any_of('by_label', run_on=True)}|[\u3400-\u9fff]{{0,8}}{any_of('outlet')})"
)
# "Reporter" and the like stand behind a Korean name.
KOREAN = re.compile(
    rf"(?:^|[\s\[(|=·\])】])(?P<names>{KOREAN_NAME}(?:[·,]\s?{KOREAN_NAME}){{0,3}}\s{KOREAN_ROLE})(?![{HANGUL}])"
)
SURE_HAN = 3  # characters; shorter words in brackets are seldom names
_SIGNED = re.compile(
    rf"[（(](?P<who>{any_of('author_is')}(?:[^，。)）]{{2,24}}\s)?)?"
    r"(?P<names>[\u3400-\u9fff]{2,4}(?:[\s、][\u3400-\u9fff]{1,4}){0,3})"
    r"(?(who)(?:[，,][^)）]{2,40})?)[）)]"
)
# How a report begins: its agency, place and day, and in brackets who wrote it.
_HAN_NAMES = rf"(?P<names>{_HAN_NAME}(?:[\s、]{_HAN_NAME}){{0,3}})"
_LEADS = (
    re.compile(
        rf"[（(【][\u3400-\u9fff]{{0,8}}{any_of('journalist')}[\s：:/／]*{_HAN_NAMES}"
        rf"(?:[）)】]|\s?{any_of('correspondent')})"
    ),
    re.compile(
        rf"[（(【][\u3400-\u9fff]{{0,8}}{any_of('journalist')}\s?(?P<names>[\u3400-\u9fff]{{2,3}})"
        rf"[\u3400-\u9fff]{{2,3}}\d{{1,2}}日{any_of('wired')}"
    ),
    re.compile(rf"{any_of('dispatch')}\s?[（(]{_HAN_NAMES}[）)]"),
    re.compile(rf"^【{_HAN_NAMES}[╱/／][\u3400-\u9fff]{{2,4}}{any_of('reports')}】"),
)
_MOMENT = r"20\d\d[-/.年月日:：\s\d]{4,20}"
_DATED_BYLINES = (
    re.compile(
        rf"^(?P<names>[^\s，。：:]{{2,30}})\s?{any_of('on')}\s?{_MOMENT}{any_of('made_public')}"
    ),
    re.compile(
        rf"^{any_of('published', run_on=False)}\D{{1,5}}{_MOMENT}(?<=\s)"
        rf"(?!{any_of('behind_byline')})(?P<names>[^\W\d]\S{{1,20}})\s{any_of('behind_byline')}"
    ),
)
_LABELS = (*phrases("byline_label"), *phrases("reporter"), *phrases("on"))
# The first character of each label above, a set or one.
has_label = re.compile(
    "|".join(sorted({re.sub(r"(\[.+?\]|.).*", r"\1", label) for label in _LABELS}))
).search
_CHANGED = re.compile(any_of("changed_by"))  # the same words come before its date
_EDITOR = re.compile(
    rf"{any_of('editor')}\s?[：:/｜|︱\s]\s?"
    rf"(?P<names>{_NAME}{_MORE}{{0,4}})"
)
#: What an element of the author's place says of somebody else.
EDITING = re.compile(any_of("no_author"))
# Words that follow a byline after a blank, as names do.
_AFTER = re.compile(rf"\s{any_of('behind_byline')}.*|(?<=\w\w){any_of('behind_byline')}$")
_SPACED_NAME = re.compile(
    r"(?<![\u3400-\u9fff])([\u3400-\u9fff]|[\u3400-\u9fff]{2,3}(?=\s.$))"
    r"\s([\u3400-\u9fff])(?![\u3400-\u9fff])"
)


def find_editors(lines: Iterable[str]) -> set[str]:
    found = chain.from_iterable(_EDITOR.finditer(line[:MAX_LINE]) for line in lines)
    return set(split_names(match["names"] for match in found))


def labelled_names(line: str) -> list[str]:
    """Return the names after a Chinese label in *line*."""
    if line.isascii():
        return []
    for pattern in _BYLINES:
        if match := pattern.search(line):
            return _split_spaced(match["names"])
    found = chain.from_iterable(_split_spaced(m["names"]) for m in _REPORTER.finditer(line))
    if names := list(dict.fromkeys(filter(is_han_name, found))):
        return names
    if (match := _MARKED.fullmatch(line)) and is_han_name(name := match[1] or match[2]):
        return [name]
    if match := KOREAN.search(line):
        return split_names([match["names"].replace("·", ",")])
    for pattern in _DATED_BYLINES:
        match = pattern.search(line)
        if match and not _CHANGED.search(match["names"]):
            return split_names([match["names"]])
    return []


def names_in_lead(lead: str) -> list[str]:
    """Return the names at the beginning of a report, behind brackets or in them."""
    if lead.startswith(tuple("[(［〔【")) and (match := KOREAN.search(lead)):
        return split_names([match["names"]])
    for pattern in _LEADS:
        if match := pattern.search(lead):
            names = _split_spaced(match["names"])
            if names and all(map(is_han_name, names)):
                return names
    return []


def signed_names(tail: Sequence[str], *, japanese: bool) -> list[str]:
    """Return the names in brackets at the end of a text in Chinese or Japanese."""
    for line in tail:
        names = line[1:-1].split("、")
        if japanese and line[:1] in "（(【" and all(map(is_kanji_name, names)):
            return names
        if (match := _SIGNED.fullmatch(line)) and not EDITING.search(line):
            names = _split_spaced(match["names"])
            is_sure = match["who"] or max(map(len, names), default=0) >= SURE_HAN
            if names and is_sure and all(map(is_han_name, names)):
                return names
    return []


def _split_spaced(names: str) -> list[str]:
    return split_names([_SPACED_NAME.sub(r"\1\2", _AFTER.sub("", names))])
