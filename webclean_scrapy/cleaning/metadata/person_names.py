"""Split strings into person names; reject accounts, groups and organisations.

A name is capitalised words, with particles between them, or a few characters of a script that has
no capitals. What follows it in a byline (a date, a degree, a profession) ends it.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.words.phrases import (
    any_of,
    languages,
    months,
    phrases,
    weekdays,
)

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

MAX_NAME = 40  # characters
MAX_NAMES = 10
MAX_TEXT = 200  # characters that are looked at
MAX_WORDS = 5  # of one name

_HAN = "\u3400-\u9fff"
_HAS_HAN = re.compile(f"[{_HAN}]")
HANGUL = "\uac00-\ud7a3"
KOREAN_NAME = f"[{HANGUL}]{{2,4}}"
#: Behind a name in a byline: reporter, correspondent, member of a board, critic.
KOREAN_ROLE = f"[{HANGUL}]{{0,4}}{any_of('role_behind')}"
# What stands between two names, and what may also stand between the parts of one: "Lee, Ann".
_BETWEEN = re.compile(
    rf"\s*[;、；/|]\s*|\s+{any_of('and')}\s+|\s*&\s*"
    r"|(?<=[^\W\d_]{3})(?<!^Prof)(?<!\sProf)\.\s",
    re.IGNORECASE,
)
_TWO_FAMILIES = re.compile(r"(?:[^\W\d_]\S+ ){2,3}[eiy] [^\W\d_]+")  # "José Ortega y Gasset"
_COMMA = re.compile(r"\s*[,，]\s*")
# What brackets say of the name before them; of a photographer, with the name.
_BRACKETS = re.compile(
    rf"(?:^|,\s|\s{any_of('and')}\s|&\s)(?:(?!\s{any_of('and')}\s)[^,;&()]){{3,30}}\({any_of('no_author')}[^()]*\)"
    r"|(?<=\w)\s?[(（\[［][^()（）\[\]［］]{0,60}[)）\]］]"
)
_ARABIC = "[\u0621-\u064a\u067e-\u06d3]{2,14}"
#: "Ann Lee and Bo Ek": in Arabic the word between is written with the second name.
_TWO_ARABIC = re.compile(f"({_ARABIC}(?: {_ARABIC}){{1,2}}) و({_ARABIC}(?: {_ARABIC}){{1,2}})")
_HAN_BLANK = re.compile(rf"(?<=[{_HAN}])\s+(?=[{_HAN}])")
_NO_NAME = re.compile(
    r"^www\.|@|[{}<>]|^\d|^[\W\d]+$|\.(?:com|net|org|cn|txt)$|^\S+\.[a-z]{2,3}$|^[\u3400-\u9fff]{7,}$"
    rf"|^{any_of('nobody')}$|{any_of('not_of_person')}$",
    re.IGNORECASE,
)
_WORD = r"[^\W\d_][^\s\d_:：.,;|/()]{1,11}"  # of any script: the vowels of Hindi are marks
# "By", or one word and a colon in any language.
_BY = re.compile(
    r"^(?:(?:\w{2,12}\s(?-i:[^\W\d_A-Z]{1,12}\s){0,4})?"
    rf"{any_of('by_label', run_on=False)}|{any_of('by_label', run_on=True)})(?:[:：]\s*|\s+|$)"
    rf"|^(?:{_WORD}\s)?{_WORD}\s?[:：]\s*",
    re.IGNORECASE,
)
_GLUED = re.compile(r"^By(?=[A-Z][a-z]+\s[A-Z])")
_QUOTES = "\"'“”‘’«» \t.:：|•·∙–—-*~"
# A word that no name has: of dates, and of what bylines say beside the name.
_DAYS = frozenset(day for day in weekdays("en") if len(day) > 2)  # "Su" is a name
_DATES = _DAYS.union(months("en"))
_ENDS = frozenset(phrases("beside_name"))
_OF_PAGES = _ENDS.union(phrases("page_word"))  # of which no name is made alone
_PARTICLES = frozenset(phrases("particle"))
_GROUP = re.compile(
    rf"(?:[^\W\d_][\w.'’-]*\s){{0,3}}{any_of('group')}|{any_of('team')}(?:\s[^\W\d_][\w.'’-]*){{1,3}}",
    re.IGNORECASE,
)
_DEGREE = re.compile(
    r"(?:[A-Z][A-Za-z]{0,3}\.-?)+[A-Za-z]{0,4}|[A-Z][A-Za-z]{0,2}[A-Z]{1,4}|[A-Z]{2,6}"
)
_MARKUP = re.compile(r"<[a-zA-Z/][^<>]*>")
_JOINED = re.compile(r"[^\W\d_]{1,4}['’-][A-ZÀ-Þ]")  # "al-Amin", "d'Este"
_SUFFIX = re.compile("[JS]r|I{2,3}|IV", re.IGNORECASE)  # of a name: "Lou Banks, Jr."
_INITIAL = re.compile(r"\s[^\W\d_]\.$")
_GIVEN = re.compile(r"[^\W\d_][\w'’.-]*(?:\s[^\W\d_]\.?)*")  # "Ole M.", "J.-P."
_BEFORE_ROLE = re.compile(rf"(?<=[{HANGUL}]{{2}})\s{KOREAN_ROLE}$")
_REPORTER = re.compile(rf"^[{_HAN}]{{0,6}}{any_of('journalist')}\s?(?=[{_HAN}]{{2,4}}$)")

#: Family names of nearly all people in China, Taiwan and Hong Kong: a closed class.
_SURNAME = re.compile(f"{any_of('double_surname')}|[{''.join(phrases('surname'))}]")
# What reporters do, and when: these begin with characters that are family names, too.
_NO_HAN_NAME = re.compile(f"^{any_of('no_name_start')}|{any_of('no_name_end')}$")
_KANJI_NAME = re.compile(f"[{_HAN}々]{{3,6}}|[{_HAN}々]{{1,3}} [{_HAN}々]{{1,3}}")


def split_names(
    written: Iterable[str], *, alone: Container[str] = (), japanese: bool = False
) -> list[str]:
    """Split a declared string into person names, each once.

    A text's names end with the first piece after a name that can be none: a profession, a place.
    A text in *alone* is one person, or has semicolons between them: "Lee, Ann" is Ann Lee. In
    other texts that is so where neither piece is a whole name. In a *japanese* text a blank parts
    family and given name, elsewhere two names in Chinese characters.
    """
    names: dict[str, None] = {}
    for text in written:
        if "://" not in (text := _MARKUP.sub("", text) if "<" in text else text):
            for name in _taken_apart(text, is_one=text in alone, japanese=japanese):
                names.setdefault(name)
    return list(names)[:MAX_NAMES]


def _taken_apart(text: str, *, is_one: bool, japanese: bool) -> Iterator[str]:
    """Yield the parts of a declared string that can be names."""
    first = ""
    written = _TWO_ARABIC.sub(r"\1; \2", _BRACKETS.sub("", without_label(text[:MAX_TEXT])))
    for part in [written] if _TWO_FAMILIES.fullmatch(written) else _BETWEEN.split(written):
        pieces = [_trimmed(" ".join(piece.split())) for piece in _COMMA.split(part)]
        pieces = _in_order(pieces, is_one=is_one)
        if not japanese:
            pieces = [name for piece in pieces for name in _HAN_BLANK.split(piece)]
        for piece in pieces:
            name = _REPORTER.sub("", _BEFORE_ROLE.sub("", piece))
            if first and _is_degree(name, first):
                break
            if " " in first:
                if not _follows(name):
                    return
                if " " not in name and name.lower() != name.upper():
                    continue  # among names of two words, one word is no name
            if 2 <= len(name) <= MAX_NAME and not _NO_NAME.search(name) and not _is_phrase(name):
                yield name
                first = first or name


def _trimmed(piece: str) -> str:
    """Return *piece* without signs at its ends but the full stop of an initial."""
    return piece.strip(_QUOTES) + "." * (_INITIAL.search(piece) is not None)


def _in_order(pieces: list[str], *, is_one: bool) -> list[str]:
    """Rejoin *pieces* split at commas: name suffixes, and "family name, given name"."""
    whole: list[str] = []
    for piece in pieces:
        if whole and _SUFFIX.fullmatch(piece):
            whole[-1] += f" {piece}"
        else:
            whole.append(piece)
    if len(whole) > 2 and all(" " not in piece and piece[:1].isupper() for piece in whole):
        return []  # "Courier, Bergen, Norway": no piece is a whole name
    if len(whole) != 2 or not whole[0]:
        return whole
    family, given = whole
    if _is_degree(given, family) and (" " in family or not is_one):
        return whole
    is_cased = family.lower() != family.upper() and given[:1].lower() != given[:1]
    words = [word for word in family.split() if word.lower() not in _PARTICLES]
    if is_cased and (is_one or (len(words) == 1 and family[0] != "@" and _GIVEN.fullmatch(given))):
        return [f"{given} {family}"]
    return whole


def _is_degree(name: str, first: str) -> bool:
    """True if *name* is an academic degree after the name *first*."""
    return _DEGREE.fullmatch(name) is not None and not first.isupper()


def _is_phrase(name: str) -> bool:
    """True if *name* is the wording of a link: "See full bio", "Alle Artikel von Ann Lee"."""
    if _OF_PAGES.issuperset(name.lower().split()):
        return True
    if name[0].islower() or is_group(name):
        return False
    rest = name.split()[1:]
    if any(w.isalpha() and w.islower() and w not in _PARTICLES for w in rest):
        return True
    at = rest.index("von") if "von" in rest else 0
    return at > 0 and len(rest) - at > 2  # two words of a name on either side


def shown_names(text: str, *, single: bool = False, account: bool = False) -> list[str]:
    """Return the names at the beginning of *text*, a byline without its label.

    A name has two words at least, or one with *single*, in small letters only with *account*.
    """
    names: list[str] = []
    text = _TWO_ARABIC.sub(r"\1; \2", _BRACKETS.sub("", _GLUED.sub("", text)))
    if is_group(group := text.strip(_QUOTES)) and " " in group and group[0].isupper():
        return [group]
    for part in _BETWEEN.split(text[:MAX_TEXT]):
        first, *others = _COMMA.split(part)
        for piece in chain.from_iterable(map(_HAN_BLANK.split, (first, *others))):
            name, behind = _name_at_start(piece, single=single and not names, account=account)
            if names and names[0].isupper() and not name.isupper():
                return names  # "ANN LEE, Harbour Post"
            if names and piece in others and behind and not any(map(str.isdigit, behind)):
                return names  # "Ann Lee, Harbour Engineer of Oslo"
            if name:
                names.append(name)
            if behind or not name:  # something else follows the name
                return names[:MAX_NAMES]
    return names[:MAX_NAMES]


def _name_at_start(piece: str, *, single: bool, account: bool) -> tuple[str, str]:
    """Return the name at the beginning of *piece*, "" if none, and what is behind it."""
    words = _name_words(piece.strip(_QUOTES + "(（[【"))
    name = " ".join(words).strip(_QUOTES.replace(".", ""))
    if not (2 <= len(name) <= MAX_NAME) or _NO_NAME.search(name) or _DEGREE.fullmatch(name):
        return "", piece
    if name.lower() == name.upper():  # in a script without capitals one word may be a name
        if _HAS_HAN.match(name) and not is_han_name(name):
            return "", piece
        name = _BEFORE_ROLE.sub("", name)
    elif len(words) < 2 and (not single or (not account and name[0].islower())):
        return "", piece
    behind = piece.split()[len(words) :]
    if len(words) == 1 and behind and _is_phrase(f"{name} {behind[0]}") and behind[0] not in _ENDS:
        return "", piece
    return name, " ".join(behind)


def without_label(text: str) -> str:
    """Return *text* without "By" or the label before its names."""
    return _BY.sub("", text.strip())


def is_account(name: str) -> bool:
    """True if *name* looks like a user account."""
    return " " not in name and (name == name.lower() != name.upper() or not name.isalpha())


def is_kanji_name(name: str) -> bool:
    """True if *name* is short and does not end as outlets and offices do.

    >>> is_kanji_name("佐々木涼"), is_kanji_name("共同通信")
    (True, False)
    """
    return _KANJI_NAME.fullmatch(name) is not None and not _NO_HAN_NAME.search(name)


def is_han_name(name: str) -> bool:
    """True if *name* has a Chinese family name and the length of a name.

    >>> is_han_name("王小明"), is_han_name("获悉"), is_han_name("走访发现")
    (True, False, False)
    """
    surname = _SURNAME.match(name)
    has_given = surname is not None and 1 <= len(name) - surname.end() <= 2
    return has_given and not _NO_HAN_NAME.search(name)


def is_group(name: str) -> bool:
    """True if *name* names an editorial team or another group."""
    return _GROUP.fullmatch(name) is not None


def _follows(name: str) -> bool:
    words = name.lower().split()
    return bool(words) and not any(w.strip(".") in _ENDS or w[0].isdigit() for w in words)


def _name_words(text: str) -> list[str]:
    """Return the words at the start of *text* that form a name."""
    words: list[str] = []
    written = text.split()[: 2 * MAX_WORDS]
    for at, word in enumerate(written):
        bare = word.strip("()[]*,:")
        lower = bare.lower().rstrip(".")
        joins = words and not bare[:1].isupper() and (lower in _PARTICLES or _JOINED.match(bare))
        if lower in _ENDS or not bare or any(map(str.isdigit, bare)) or len(words) == MAX_WORDS:
            break
        if lower in _DATES and _is_date(written[at:], len(words)):
            break
        if len(words) > 1 and lower == lower.upper() and _is_weekday(lower):
            break
        if not joins and (not bare[0].isalpha() or (bare[0].islower() and words)):
            break
        if word[-1:] in ":：" and len(words) > 1:  # "Ann Lee Photo: Bo Ek"
            break
        words.append(bare)
    while words and words[-1].lower() in _PARTICLES:
        words.pop()
    if words and words[0][0].islower() and len(words) > 1:
        return []
    return words


@cache
def _is_weekday(word: str) -> bool:
    """True if a word of a script without capitals is a day of the week in any language."""
    return any(word in weekdays(code) for code in languages())


def _is_date(words: Iterable[str], before: int) -> bool:
    """True if *words* begin with a month or weekday and form a date; *before*: words so far."""
    last = ""
    for word in words:
        last = word.strip("()[]*,:.").lower()
        if last[:1].isdigit():
            return True
        if last not in _DATES:
            return False
    return before == 0 or (before > 1 and last in _DAYS)
