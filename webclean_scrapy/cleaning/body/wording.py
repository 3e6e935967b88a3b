"""Patterns of wording: credits, advertisements, prompts, dates, captions, code.

Their words are those of `cleaning.words`. Each is a feature of the linear model, or an exclusion.
All are linear, and matched against lower-case text: ``IGNORECASE`` costs the regex engine its
shortcut to the first character.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.words import networks
from webclean_scrapy.cleaning.words.phrases import (
    alternatives,
    any_of,
    languages,
    months,
    phrases,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.lines import Lines

_PART = rf"{any_of('this_text')}?{any_of('credited_part')}\s?[：:|丨︱｜/／＝]"
#: Lines that no article ends or begins with by probability: editor, source, original title, rights.
#: After who had a part in it comes what no prose has there: a colon, a bar, a slash.
EDITORIAL = re.compile(
    rf"[\s(（【\[*]*(?:{alternatives('editorial')}|©"
    rf"|(?:{_PART}[^。！？；，,：:|丨︱｜/／＝]{{1,24}}?[|丨︱｜/／]?){{0,5}}{_PART}[^。！？；，,]{{1,24}}$)"
)
#: Lines that mark an advertisement, or that the text goes on behind one.
ADVERT = re.compile(rf"\W*{any_of('advert')}\W*")
#: What is written over a frame with an advertisement.
OVER_ADVERT = re.compile(
    rf".{{0,20}}\b{any_of('over_advert', run_on=False)}\b.{{0,20}}"
    rf"|.{{0,6}}{any_of('over_advert', run_on=True)}.{{0,6}}"
)
#: Addresses of files that no reader opens: scripts, styles, fonts.
FILE_ADDRESS = re.compile(
    r"(?:https?:)?/[^\s<>]{4,400}\.(?:m?js|css|woff2?|ttf|eot|map|wasm)(?:[?#]\S{0,200})?"
)
#: Lines of nothing but the tools of a page: print, larger type, share.
TOOLS = re.compile(
    rf"(?:[【\[(（]?(?:{alternatives('tool')}|a[+-]|{networks.SHARED_ON})[】\])）]?[\s：:|·,，/、]*)+"
)
#: Which of several pictures a page shows, or how long a film is: "Image 4 of 5", "1/3", "0:24".
#: No later time: the entries of a live blog have one.
COUNTER = re.compile(
    r"\d{1,3} ?/ ?\d{1,3}"
    rf"|(?:[^\W\d_]{{1,12}} )?\d{{1,3}} {any_of('page_of')} \d{{1,3}}|[0-4]:[0-5]\d"
)
#: What a platform says of all its texts, at any length.
DISCLAIMER = re.compile(rf"[“\"\s]*{any_of('disclaimer')}")
#: How readers report an error, and what a player needs: the same in nearly every language.
BY_KEYS, KEYS = re.compile(r"ctrl\s?\+\s?enter|flash player"), ("ctrl", "flash player")
#: How a caption begins and ends: who took the picture, where it is from, that it is one.
CAPTION_START = re.compile(
    rf"\s*(?:[▲△↑▼]|{alternatives('caption_start')}|{any_of('caption_label')}\s?[:：/])"
)
_CAPTION_END_CHARS = 100  # in which the end of a caption stands
_CREDITS = ("getty images", r"a(?<!\wa)p photo", "afp", "reuters", "shutterstock", "via ap")
_CLOSED = r"[）)。\s]*$"
CAPTION_END = re.compile(
    "|".join(
        (
            *(one + _CLOSED for one in ("ic ?photo", *phrases("caption_end", run_on=False))),
            *(one + "[^.]{0,24}$" for one in _CREDITS),
        )
    )
)
#: The same in scripts that put no blanks between words.
RUN_ON_CAPTION_END = re.compile(f"(?:{alternatives('caption_end', run_on=True)}){_CLOSED}")
#: What a link to another page begins with.
LEADS_ON = re.compile(rf"\W*{any_of('leads_on')}|\s*[☞►▶→➜➤]")
#: Lines that name who wrote, edited or published a text.
CREDIT = re.compile(
    rf"[\s(（【\[*]*(?:{alternatives('credit')}|©)"
    rf"|.{{0,16}}{any_of('credit_before_name')}[\s：:]*[\u4e00-\u9fff]{{2,4}}[)）\s]*$"
)
#: Requests to do something with the page: follow, subscribe, scan, accept; and what forbids it.
#: Every alternative begins with a character as it is: then the regex engine goes by these and
#: takes a fifth of the time.
PROMPT = re.compile(alternatives("prompt"))
COOKIES = re.compile(r"\bcookies?\b")
#: What else is in a line that asks for the consent to cookies; others may be about biscuits.
ASKS_CONSENT = re.compile(alternatives("consent"))
#: A letter that is sent to readers, in lower case: looked for by ``in``, at next to no cost.
LETTERS = (*phrases("letter"), *phrases("follow"))
#: What readers are told to do about it: in the imperative, or for themselves.
SUBSCRIBE = re.compile(
    f"{alternatives('subscribe')}|{any_of('follow')}.{{0,40}}(?:{networks.FOLLOWED_ON})"
)
#: Addresses at which readers subscribe, and channels that they follow.
SUBSCRIBED_AT = re.compile(
    rf"newsletter|subscri|sign-?up|{alternatives('subscribe_address')}|eepurl\.|mailchi"
    rf"|//(?:[\w-]+\.)?(?:{networks.CHANNEL_HOSTS})(?:/|$)"
)
QUOTES = re.compile('["“”„«»‹›「」『』]')


def _months(codes: Iterable[str]) -> str:
    """Return a pattern of the first letters of months, which are inflected and cut at will.

    In scripts without capitals too many other words begin so.
    """
    starts = {name[:3] for code in codes for name in months(code)}
    return "|".join(
        sorted(one for one in starts if len(one) == 3 and one.isalpha() and one != one.upper())
    )


DATE = re.compile(
    r"(?=\d)(?:\d{4}\s*[-/.年]\s*\d{1,2}\s*[-/.月]\s*\d{1,2}|\d{1,2}:\d{2}"
    r"|\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d{2}(?!\d)"
    rf"|\d{{1,2}}\.? (?:de )?(?:{_months(languages())})[^\W\d]*\.?,?(?: de)? \d{{4}}"
    r"|\d{4}년 ?\d{1,2}월)"
    rf"|(?:{_months(['en'])})[a-z]*\.? \d{{1,2}}"
)
#: Text that is code or data which a script would have used: how it begins, and what is in it.
CODE_START = re.compile(r'\s*(?:[\[{]+\s*"|[.#@][\w-]+\s*\{)')
CODE_PART = re.compile(r"function\s*\(|</?\w+[^>]*>|var (?<=\bvar )\w+\s*=")
#: Places that a template or a shortcode should have filled: ``{{ name }}``, ``[form id=3]``.
PLACEHOLDER = re.compile(
    r"\{\{[^{}]*\}\}|<%[^<%>]*%>|\$\{[^{}]*\}|%%\w{1,40}%%"
    r"|\[[a-z]+(?:_[a-z]+)+\]|\[/[a-z][\w-]{1,40}\]|\[[a-z][\w-]{1,40} [\w-]{1,40}=[^\[\]]*\]"
)
#: How a paragraph of script or style begins that a page shows by mistake; its least length in
#: characters, and of how many of these one is a sign of code.
_SCRIPT_START = re.compile(
    r"\s*(?:[.#@][\w-]+[^{}.!?]{0,80}\{|(?:var|window|function)\b|\(function\b)"
)
_SCRIPT_LENGTH, _SCRIPT_SIGNS = 60, 14
#: Who owns and publishes a text, what may not be done with it, what it must not be taken for.
#: Most begin a word: the regex engine goes by the character before it.
_RIGHTS = re.compile(rf"[^a-zа-я](?:{alternatives('rights', run_on=False)}|isbn|issn)")
_MORE_RIGHTS = re.compile(rf"©|\(c\) ?(?:19|20)\d\d|{alternatives('rights', run_on=True)}")
#: What says that an article is over, and headings, whole lines, of nothing else.
ENDS = re.compile(any_of("end_heading"))
END_HEADING = re.compile(rf"[\W\d]*{ENDS.pattern}[\W\d]*")


#: The last characters of a sentence, and what may follow them.
SENTENCE_ENDS = frozenset(".!?…。！？；．｡।॥؟۔։።။។")
CLOSERS = "\"'”’»)] 」』）"
_CLOSERS = frozenset(CLOSERS)
_BACK, _ON = ("<<", "«", "‹", "←"), (">>", "»", "›", "→")


def ends_sentence(text: str) -> bool:
    """True if a line ends like a sentence; quotes and brackets are ignored."""
    last = text[-1:]
    if last in _CLOSERS:
        last = text.rstrip(CLOSERS)[-1:]
    return last in SENTENCE_ENDS


def is_unfilled(text: str) -> bool:
    """True if most of *text*, in lower case, is unfilled template placeholders, or a script.

    >>> is_unfilled("by {{ author.name }}"), is_unfilled("Write {{ name }} where the name goes.")
    (True, False)
    """
    if not ("{" in text or "%" in text or "[" in text):  # most lines
        return False
    if len(text) >= _SCRIPT_LENGTH and _SCRIPT_START.match(text):
        return sum(map(text.count, ":{};=\"'")) * _SCRIPT_SIGNS > len(text)
    found = PLACEHOLDER.findall(text)
    return bool(found) and 2 * sum(map(len, found)) > len(text)


def is_prompt(text: str) -> bool:
    """True if *text*, in lower case, is a request, or has an arrow at one of its ends."""
    shown = text.strip()
    return shown.startswith(_BACK) or shown.endswith(_ON) or PROMPT.search(text) is not None


def asks_to_subscribe(text: str) -> bool:
    """True if *text*, in lower case, asks readers to subscribe.

    >>> asks_to_subscribe("subscribe to our newsletter."), asks_to_subscribe("two subscribers")
    (True, False)
    """
    return SUBSCRIBE.search(text) is not None and QUOTES.search(text) is None


def states_rights(text: str) -> bool:
    """True if *text*, in lower case, states rights or a disclaimer."""
    return bool(_RIGHTS.search(f" {text}") or _MORE_RIGHTS.search(text))


def is_code(text: str) -> bool:
    """True if *text*, in lower case, begins with program code or script data."""
    first = text.partition("\n")[0]
    return bool(CODE_PART.search(first) or CODE_START.match(text))


def is_caption(text: str) -> bool:
    """True if *text*, in lower case, begins or ends like a caption."""
    if CAPTION_START.match(text):
        return True
    start = max(0, len(text) - _CAPTION_END_CHARS)
    if CAPTION_END.search(text, start):
        return True
    return not text.isascii() and RUN_ON_CAPTION_END.search(text, start) is not None


def match(
    pattern: Callable[[str], object], lines: Lines, candidates: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Mark *candidates* that match the pattern, in lower case.

    Of a line that is longer, the first 400 characters are looked at.
    """
    lower, chosen = lines.lower_starts, candidates.nonzero()[0]
    found = map(bool, map(pattern, map(lower.__getitem__, chosen.tolist())))  # no bytecode a line
    matching = np.zeros(len(lower), bool)
    matching[chosen] = np.fromiter(found, bool, len(chosen))
    return matching
