"""Find the authors of an article: in the page's metadata, else in its byline.

Many pages declare their editor as the author; whom a line of the page calls the editor is not.
"""

from __future__ import annotations

import re
from itertools import chain, islice, zip_longest
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.metadata.east_asian_bylines import (
    EDITING,
    KOREAN,
    MAX_LINE,
    SURE_HAN,
    find_editors,
    has_label,
    labelled_names,
    names_in_lead,
    signed_names,
)
from webclean_scrapy.cleaning.metadata.nearby_lines import ends_in_short_word
from webclean_scrapy.cleaning.metadata.person_names import (
    is_account,
    is_group,
    is_han_name,
    is_kanji_name,
    shown_names,
    split_names,
    without_label,
)
from webclean_scrapy.cleaning.metadata.title import clean_title
from webclean_scrapy.cleaning.words.phrases import any_of, phrases
from webclean_scrapy.keywords.segment import chinese

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

    from webclean_scrapy.cleaning.metadata.head import Head

MAX_LINES = 400  # that are searched
_BELOW_TITLE = 3  # lines nearest to the title: a byline in them is the article's
_PREPOSITION = 2  # letters
MAX_LABEL = 20  # characters of a line that is a label

MAX_BEHIND = 8  # words behind the names of a byline
MAX_SMALL = 2  # of them in small letters: of a month, a label
MAX_ALONE = 3  # words of a name without a label
MAX_UNCASED = 12  # characters of scripts without capitals
_MIN_SMALL = 4  # letters of such a word

_WORD = re.compile(r"[^\W\d_]+")
DAY = re.compile(
    r"\d\D{1,20}(?:19|20|٢٠|۲۰|२०|২০)\d\d(?!\d)|(?<!\d)(?:19|20)\d\d\s?[-/.年년]\s?\d{1,2}\s?[-/.月월]\s?\d|\d{1,2}[./-]\d{1,2}[./-]\d\d"
    r"|[^\W\d_]{3,10}\.?\s\d{1,2},?\s(?:19|20)\d\d|年\s?\d{1,2}\s?月\s?\d"
)
_LABEL_OF_DATE = re.compile(
    rf"(?i:(?:\w+\s)?(?:{any_of('published')}|{any_of('changed')})[^\d:：|]{{0,20}}[\d:：])"
)
_BY = re.compile(
    r"(?:^\(?|[|·•–—]\s?|[\d),]\s|\s-\s|[:.h]\d\d\s?(?:[^\W\d_]{1,4}|[ap]\.m)\.?,?\s"
    rf"|^{any_of('published')}\w*\s[^.|]{{0,30}}\d[^.|]{{0,20}}\s)"
    rf"(?:(?:[^\W\d_]{{2,9}}\s){{0,3}}?{any_of('wrote')}\s)?{any_of('by')}(?P<colon>\s?:)?\s(?P<names>\S.{{1,90}})",
    re.IGNORECASE,
)
#: One of them is in most texts with a byline, and in most markup of one.
_SIGNS = (
    *phrases("byline_sign"), "byline", "by-line", "writer", "contributor", "journalist", "vcard",
)  # fmt: skip
_BY_FIRST = re.compile(rf"(?:\w{{4,12}}\s)?{any_of('by')}\b", re.IGNORECASE)
_OF_WHAT = r"(?-i:(?:\s(?![A-ZÀ-ÞΑ-ΩА-Я])[^\W\d_][\w'’]{1,11}){0,2})"  # "Autor tekstu"
_AUTHOR_LABEL = any_of("author").replace(" ", r"\s")
_LABEL_ALONE = re.compile(_AUTHOR_LABEL, re.IGNORECASE)  # of a row in a table
_AUTHOR = re.compile(
    rf"(?<!\w)(?:(?P<who>{_AUTHOR_LABEL}){_OF_WHAT}|{any_of('text_by')})\s?[:：]\s?(?P<names>\S.{{1,90}})",
    re.IGNORECASE,
)
#: The label of the BBC in all its languages: "Author, Ann Lee"
_COMMA_LABEL = re.compile(rf"{_AUTHOR_LABEL}\s?[,،]\s(?P<names>\S.{{1,90}})", re.IGNORECASE)
_ACCOUNT = re.compile(r"(?=\w*[_\d])[A-Za-z]\w{2,30}(?=\s?(?:$|[|·•»,–—-]|\w{1,5}\s.{0,9}\d))")
_OTHER_TASK = re.compile(
    rf"(?:(?:[,;.|·•–—]\s*|\s{any_of('and')}\s)(?:\w+\s){{1,3}}|\s\w+\s){any_of('by_again')}\s.*"
)  # ", edited by"
#: A name before its own address: "Ann Lee annlee@post.invalid"
_MAILED = re.compile(r"(?P<names>[^\W\d][^@:|]{3,40}?)[\s|,(<·–-]+(?P<account>[\w.+-]{3,40})@")
_ANOTHER = re.compile(rf"{any_of('by_again')}\s", re.IGNORECASE)  # as in a menu
_BETWEEN_NAMES = re.compile(rf"[,&]|,?\s*{any_of('and')}")  # the text between two elements
_HAS_COLON = re.compile("[:：]").search  # "Contact: Ann Lee", "编辑：李红"
_SEPARATOR = re.compile(r"\s*[|·•]\s*")
# A part of a line about a picture, whose author this is not; "words and photos by" is none.
_PART = rf"(?:[|·•–—,;.(/\u3000-]\s*|(?<=[\u3400-\u9fff])\s(?=\S+[：:])){any_of('picture_by')}"
_PICTURE = re.compile(
    rf"{_PART}.*|^(?!.*(?:{_PART}|\s{any_of('and')}\s+{any_of('picture_by')})).*{any_of('picture_by')}.*"
)
_HEBREW, _ARABIC = "[\u05d0-\u05ea'\"׳״-]{2,}", "[\u0621-\u064a\u067e-\u06d3]{2,12}"
#: An Arabic one has no article before the given name, no plural or adjective at its end.
_UNCASED_NAME = re.compile(
    rf"{_HEBREW}(?: {_HEBREW}){{1,2}}|(?!ال|[أا]خبار){_ARABIC}(?: {_ARABIC}){{1,2}}(?<!ية)(?<!ات)"
)
_KANA = re.compile("[\u3041-\u30ff]")
_HOST = re.compile(r"(?:[a-z0-9-]+\.)+[a-z]{2,24}")


def find_authors(
    head: Head,
    lines: Iterable[str] = (),
    near: Iterable[str] = (),
    *,
    tail: Iterable[str] = (),
    marked: Iterable[tuple[Sequence[Sequence[str]], bool]] = (),
    dated: Iterable[str] = (),
    is_others: Callable[[str], bool] = lambda _: False,
    lead: str = "",
    host: str = "",
) -> list[str]:
    """Find the authors' names, each once, in order; [] if there are none.

    *lines* are the page's visible lines in order, *near* those about title and body, *tail* those
    at its end: these are read first and name the editor. *marked* are bylines near the article by
    their elements: the texts of each, and whether these are names alone; they are asked for only
    when the head names nobody. Lines that are *is_others* belong to quotations, cards and the like.
    *dated* are texts beside a date, *lead* is how the body begins, *host* the site's. The site is
    an author only where the page declares or shows it as one.
    """
    near, tail = list(near), list(tail)
    page = _PageNames(head, find_editors((*near, *tail)), is_others, host)
    declared = page.declared()
    if declared and not all(map(is_account, declared)):
        below, every = page.byline(near[:_BELOW_TITLE]), page.byline(near)
        sure = page.shown((mark for mark in marked if mark[1]), declared)
        return _as_seen(declared, below, (every, sure))
    every = page.taken_apart((*head.persons, *head.authors))
    labelled = page.byline(filter(_COMMA_LABEL.match, near))
    shown = page.left(labelled or page.shown(marked, every))
    people = [name for name in shown if not page.is_sites(name) and not is_group(name)]
    # The byline has the name of whom the head gives by the account.
    if declared and not any(" " in name for name in people):
        return declared
    owner = (head.site_name or "").lower()  # may be a name and more: "Ann Lee's Post"

    def by_reliability() -> Iterator[list[str]]:
        yield people  # in elements that are marked as a byline
        yield page.byline(near)
        yield names_in_lead(lead)
        yield from (_alone(text) for text in page.not_sites(dated) if not _HAS_COLON(text))
        yield page.not_sites(filter(is_group, every))
        yield page.byline(tail)
        yield page.not_sites(signed_names(tail, japanese=page.japanese))
        yield page.far_byline(lines)
        yield page.taken_apart(head.persons)  # with the site's name
        whole = (name for name in every if " " in name and len(name) < len(owner))
        yield [name for name in whole if owner.startswith(name.lower())]
        yield page.not_sites(head.organizations)

    return next(filter(None, by_reliability()), shown)


def may_name_author(written: str) -> bool:
    """Return False for texts and markup in which `find_authors` finds no name. Fast."""
    return any(map(written.lower().__contains__, _SIGNS))


class _PageNames:
    """Reads the names on one page, whose site is an author only where nobody else is."""

    def __init__(
        self, head: Head, editors: Container[str], is_others: Callable[[str], bool], host: str
    ) -> None:
        self._head, self._editors, self._is_others = head, editors, is_others
        self._hosts = host.split(".")
        # A site names itself at the end of its titles.
        ends = (title.replace(clean_title(title), "") for title in head.titles)
        self._site = " ".join((head.site_name or "", *ends)).lower()
        language, has_kana = (head.lang or "").lower(), any(map(_KANA.search, head.titles))
        self.japanese = has_kana or language.startswith("ja")
        self._before = "De " if language.startswith("ro") else ""  # elsewhere names begin so

    def left(self, names: Iterable[str]) -> list[str]:
        return [name.removeprefix(self._before) for name in names if name not in self._editors]

    def not_sites(self, names: Iterable[str]) -> list[str]:
        return [name for name in names if name.lower() not in self._site]

    def is_sites(self, name: str) -> bool:
        """True if *name* is among the names of the site, or is an account in its address."""
        return self._is_named(name) or (is_account(name) and name.lower() in self._hosts)

    def _is_named(self, name: str) -> bool:
        """True if the site has the name, or its words without those such as "From" before it."""
        words = [word for word in name.lower().split() if len(word) > _PREPOSITION]
        is_from = 0 < len(words) < len(name.split())
        return name.lower() in self._site or (is_from and set(words) <= set(self._site.split()))

    def taken_apart(self, texts: Iterable[str]) -> list[str]:
        texts = map(self._without_place, texts)
        return self.left(split_names(texts, alone=self._head.singles, japanese=self.japanese))

    def _without_place(self, text: str) -> str:
        """Return *text* without an address after the site's name: "Harbour Post, Kai 4, Oslo"."""
        first = text.partition(",")[0].strip()
        if any(map(_HOST.fullmatch, first.split())):
            return ""
        return first if self._is_named(first) else text

    def declared(self) -> list[str]:
        """Return the names in the head, without the site and the publishers."""
        head = self._head
        for texts in (head.persons, head.authors):
            names = self.taken_apart(text for text in texts if text not in head.organizations)
            names = [name for name in names if not self.is_sites(name) and not is_group(name)]
            # "Ann Lee, Harbour Post"; who publishes a page alone may have written it too.
            if names := [name for name in names if name not in head.publishers] or names:
                return names
        return []

    def shown(
        self, marked: Iterable[tuple[Sequence[Sequence[str]], bool]], declared: Iterable[str]
    ) -> list[str]:
        """Return the names in the first marked byline with a name, rather one of no site."""
        known, first = {name.lower(): name for name in declared}, list[str]()
        for elements, is_sure in marked:
            parts = (_names_in(texts, is_sure, known, self.japanese) for texts in elements)
            names = list(dict.fromkeys(chain.from_iterable(parts)))
            if names and not all(map(self.is_sites, names)):
                return names
            first = first or names
        return first

    def byline(self, lines: Iterable[str]) -> list[str]:
        for written, line in _with_next(lines):
            if len(written) <= MAX_LINE:
                text = _PICTURE.sub("", written)
                names = self.not_sites(labelled_names(text) or _named_after(text))
                if names and not self._is_others(line):
                    return names
        return []

    def far_byline(self, lines: Iterable[str]) -> list[str]:
        """Return the names in the first byline among all lines of the page.

        Menus ("By Price") and lists of other articles have lines that begin with "by", too: several
        with different names are nobody's.
        """
        bylines: dict[tuple[str, ...], str] = {}
        for line in islice(lines, MAX_LINES):
            if len(line) > MAX_LINE:
                continue
            labelled = labelled_names(line) if has_label(line) else []
            # Of most lines this is all that is looked at.
            after = _named_after(line) if _BY_FIRST.match(line) or ":" in line else []
            names = self.not_sites(labelled or after)
            if not names or not _PICTURE.sub("", line):
                continue
            if labelled and not self._is_others(line):
                return names
            bylines[tuple(names)] = line
        is_one = len(bylines) == 1 and not any(map(self._is_others, bylines.values()))
        return list(*bylines) if is_one else []


def _as_seen(declared: list[str], below: list[str], shown: Iterable[list[str]]) -> list[str]:
    """Return the *declared* names, or those that a reader sees in their place.

    Those *below* the title where they have no word in common: the page declares who put the text
    there. Of those *shown*, the first that are the declared ones and more.
    """
    words = set(" ".join(declared).lower().split())
    if below and words.isdisjoint(" ".join(below).lower().split()):
        return below
    return next((names for names in shown if set(declared) < set(names)), declared)


def is_byline(line: str, *, labelled: bool = False) -> bool:
    """True if *line* is only a byline or a date; with *labelled*, one that says of what.

    Behind the names come a date, a place, an outlet: hardly a word in small letters.

    >>> is_byline("Von Ann Lee am 3. Mai 2026"), is_byline("Von Ann Lee lernte Bo Ek das Segeln")
    (True, False)
    """
    line = line.strip()
    if len(line) > MAX_LINE or (line[-1:] in ".。！？!?…:：;" and not ends_in_short_word(line)):
        return False
    match = _AUTHOR.match(line) or _BY.match(line) or KOREAN.match(line)
    if match and line[0] == "(" and match.re is _BY:
        return False  # the last line of an agency's report is a part of it
    if match is None:
        if (names := labelled_names(line)) and all(map(is_han_name, names)):
            return _says_little(re.sub("|".join(names), "", line))
        is_dated = not labelled or _LABEL_OF_DATE.match(line) is not None
        return is_dated and DAY.search(line) is not None and _says_little(line)
    written = match["names"]
    names = _named_after(line) or labelled_names(line)
    ends = [written.find(name) + len(name) for name in names if name in written]
    return bool(ends) and _says_little(written[max(ends) :])


def _goes_on(written: str, names: Sequence[str]) -> bool:
    """True if a sentence goes on behind the *names* in it: "By Elm Street the queue was"."""
    behind = written[max((written.find(name) + len(name) for name in names), default=0) :]
    small = sum(word[0].islower() for word in behind.split())
    return behind[:1] not in ",;(" and small > MAX_SMALL and not DAY.search(behind)


def _says_little(text: str) -> bool:
    """True if *text* has few words, hardly any in lower case: a date, a place, a name.

    A date has more of them than a place or an outlet.
    """
    words = _WORD.findall(_LABEL_OF_DATE.sub("", text))
    if sum(len(word) for word in words if word.lower() == word.upper()) > MAX_UNCASED:
        return False
    small = [word for word in words if word.islower() and len(word) >= _MIN_SMALL]
    has_day = any(map(str.isdigit, text))
    most, most_small = (MAX_BEHIND, MAX_SMALL) if has_day else (MAX_BEHIND // 2, MAX_SMALL // 2)
    return len(words) <= most and len(small) <= most_small


def _names_in(
    texts: Sequence[str], is_sure: bool, known: Mapping[str, str], japanese: bool
) -> list[str]:
    """Return the names in *texts*; names in *known* (from the head) are preferred."""
    single = is_sure
    if " ".join(texts).lower() in known or any(map(_BETWEEN_NAMES.fullmatch, texts)):
        texts = [" ".join(texts)]
    for written, after in zip_longest(texts, texts[1:], fillvalue=""):
        # Given and family name are elements of their own.
        is_given = written[-1] == "." or (is_sure and written[1:] and " " not in written + after)
        text = f"{written} {after}".strip() if is_given else written[:MAX_LINE]
        if EDITING.search(text):
            return []
        rest = without_label(text)
        if not rest:  # "By", and the name in the next text
            single = True
        elif rest.lower() in known:
            return [known[rest.lower()]]
        elif japanese and is_kanji_name(rest):
            return [rest]
        else:
            labelled = single or rest != text.strip()
            if names := _first_names(rest, single=labelled, account=is_sure):
                return names
    return []


def _first_names(text: str, *, single: bool = False, account: bool = False) -> list[str]:
    """Return the names in the first part of *text* that has any: "3 May · Ann Lee | The Post"."""
    found = (shown_names(p, single=single, account=account) for p in _SEPARATOR.split(text))
    return next(filter(None, found), [])


def _with_next(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each line behind the label on a line of its own before it, and the line itself."""
    label = ""
    for line in lines:
        yield f"{label} {line}".strip(), line
        label = line if len(line) <= MAX_LABEL and line.rstrip().endswith((":", "：")) else ""
        if _LABEL_ALONE.fullmatch(line):
            label = "By"


def _alone(text: str) -> list[str]:
    """Return the names in a *text* that has nothing but names of two or three capitalised words."""
    names = shown_names(text := without_label(text))
    words = sum(len(_WORD.findall(name)) for name in names)
    is_all = words >= len(_WORD.findall(text)) - len(names) + 1  # with "and" between the last
    is_short = all(len(name.split()) <= MAX_ALONE for name in names)
    return names if is_all and is_short and all(map(_is_sure_name, names)) else []


def _is_sure_name(name: str) -> bool:
    words = name.split()  # two at least; "В Курске" is a place, "People's Post" an outlet
    is_first = len(words[0]) > 1 and words[0][0].isupper() and words[0][-2:] not in {"'s", "’s"}
    is_cased = is_first and words[-1][0].isupper()
    if len(words) == 1:
        # Words such as "金融界" begin with family names, too.
        is_sure = len(name) == SURE_HAN and is_han_name(name)
        return is_sure and next(iter(chinese().tag(name)))[1] == "nr"
    return is_cased or _UNCASED_NAME.fullmatch(name) is not None


def _named_after(line: str) -> list[str]:
    if (":" in line or "：" in line) and (match := _AUTHOR.search(line)):
        labelled = _first_names(match["names"], single=match["who"] is not None)
        return labelled or _ACCOUNT.findall(match["names"])[:1]
    if match := _COMMA_LABEL.match(line):
        return _first_names(match["names"])
    if "@" in line and (match := _MAILED.match(line)):
        own = _alone(match["names"])
        if own and own[-1].split()[-1].lower() in match["account"].lower():
            return own
    if match := _BY.search(line):
        written = _OTHER_TASK.sub("", match["names"])
        if account := _ACCOUNT.match(written):
            return [account[0]]
        if not _ANOTHER.search(written):
            is_single = match["colon"] is not None or DAY.search(written) is not None
            names = _first_names(written, single=is_single)
            return [] if line[-1:] in ".!?" and _goes_on(written, names) else names
    return []
