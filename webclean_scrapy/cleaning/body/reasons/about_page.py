"""Find the lines at the ends of a text that speak of their page: its rights, tools and readers.

A line is known by the share of its letters in words about pages, which are data (`page_word` in
`cleaning.words`): phrases would be without end. Amid a text the same lines may be its own.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body.wording import LEADS_ON, QUOTES, ends_sentence
from webclean_scrapy.cleaning.page.row_flags import CELL, HEADING, ITEM
from webclean_scrapy.cleaning.words.phrases import alternatives, any_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.table import PageTable

#: Words of what a page says of itself or asks of its readers.
_RUN_ON_WORD = re.compile(alternatives("page_word", run_on=True))
_PAGE_WORD = re.compile(rf"\W{any_of('page_word', run_on=False)}\b|^(?:\s*#\w+)+$")
_OVER = re.compile(rf"[（(［【\-—]\W*{any_of('over')}\W*")
_PAGE_WORDS, _PAGE_LABEL = 0.4, 0.6  # their least share of the letters of a line, of its label
_TOLD, _MOSTLY = re.compile(r"(?=.* ).{0,24}\."), 0.72  # "It was useful."
_LABEL = re.compile(r"([^\W\d_][^\s|｜:：,，】]{0,15})\s?[:：】](?!//)")
_DATE_LETTERS = 6  # of a Chinese date with its day of the week
_WEB_ADDRESS = re.compile(r"(?:[a-z]+://|[a-z\d-]+\.(?=[a-z]))[!-~]+")
_NO_LETTER = re.compile(r"[\W\d_]+")
_SPACED_HAN = re.compile(r"(?<=[\u3400-\u9fff])\s(?=[\u3400-\u9fff])")
_NOTICE = 200  # characters; a longer line is more than a notice
_ACCOUNT = re.compile(r"\S@|^@\S+$")
_ADDRESS = 40  # characters; a longer line says more than how to reach somebody
_BESIDE = 4  # lines at most that go with those about the page
_SUBJECT = 4  # one line in so many speaks of pages where these are the subject
_LEAST_KEPT = -0.3  # log-odds at which a line may be kept


def find_page_words(
    table: PageTable, ruled: NDArray[np.float64], inside: range, *, amid: bool
) -> NDArray[np.int64]:
    """Return the lines at both ends that speak of their page, counted from the start of *inside*.

    *ruled* are the log-odds of the lines *inside*. Links and addresses among the lines found go
    with them. None are found where much of the text between speaks of a page, which is then its
    subject. With *amid* a line there that leads on goes, and so does a label with a link and a
    markup of its own.
    """
    kept = (ruled > _LEAST_KEPT).nonzero()[0]
    lines = (kept + inside.start).tolist()
    texts = [table.lines.lower_starts[line] for line in lines]
    own = table.flags.own[table.columns.block[lines]]
    is_part = own & (HEADING | CELL) > 0
    is_link = ~(is_part | table.columns.plain[lines])

    def speaks(at: int) -> bool:
        told = not is_link[at] and _TOLD.fullmatch(texts[at]) and _page_words(texts[at]) < _MOSTLY
        return not (is_part[at] or told) and len(texts[at]) < _NOTICE and is_about_page(texts[at])

    first = next((at for at in range(len(texts)) if not speaks(at)), len(texts))
    last = _last_of_text(texts, first, speaks, is_link)
    marks = table.signatures[lines]
    is_apart = (table.columns.linked[lines] > 0) & (own & ITEM == 0)
    is_apart &= marks != np.bincount(marks, minlength=1).argmax()
    is_apart[1:] &= own[:-1] & CELL == 0  # below a table, as its source
    is_label = (at for at in is_apart.nonzero()[0].tolist() if not ends_sentence(texts[at]))
    apart = [at for at in is_label if amid and first < at < last and speaks(at)]
    if last < first or (last - first + 1 == len(texts) and not apart):
        return kept[:0]
    between = [at for at in range(first, last) if speaks(at)]
    labels = [at for at in between if not ends_sentence(texts[at])]
    said = 2 * len(between) - len(labels)  # a sentence says more of a page than a label
    if _SUBJECT * said > last - first:
        return kept[:0]
    leads_on = [at for at in labels if amid and LEADS_ON.match(texts[at])]
    behind = np.arange(kept[last + 1], len(ruled)) if last + 1 < len(kept) else kept[:0]
    return np.concatenate((kept[:first], kept[sorted({*leads_on, *apart})], behind))


def _last_of_text(
    texts: Sequence[str],
    first: int,
    speaks: Callable[[int], bool],
    is_link: NDArray[np.bool_],
) -> int:
    """Return the last of *texts*, from *first* on, before those that speak of the page."""
    last, beside, most = len(texts) - 1, 0, min(len(texts) // 4, _BESIDE)
    for at in range(last, first, -1):
        text = texts[at]
        is_address = len(text) < _ADDRESS and _ACCOUNT.search(text) is not None
        goes_along = is_address or not any(map(str.isalpha, text))
        # A reporter's address is the last line of news in Korean, "END" of posts in Chinese.
        is_last = (is_address and not {":", "："} & {*text}) or text == "end"
        is_last = is_last and not texts[at - 1].isascii()
        is_last |= text.isascii() and not any(map(str.isalnum, text))  # as at the end of releases
        if speaks(at) or is_last or (goes_along and last < len(texts) - 1):
            last = at - 1
        elif not (goes_along or is_link[at]) or (beside := beside + 1) > most:
            break
    return last


def is_about_page(text: str) -> bool:
    """True if much of *text*, in lower case, is about its page: its rights, tools and readers.

    >>> is_about_page("点击阅读原文，查看完整名单"), is_about_page("返回港口的渔船越来越多")
    (True, False)
    """
    if QUOTES.match(text):  # somebody speaks
        return False
    if _OVER.fullmatch(text):
        return True
    return _page_words(text) >= _PAGE_WORDS or (not ends_sentence(text) and _is_labelled(text))


def _is_labelled(text: str) -> bool:
    """True if all labels with a colon in *text* are about the page, and words follow them."""
    labels = [match[1] for match in _LABEL.finditer(text)]
    return (
        bool(labels)
        and len(_NO_LETTER.sub("", text.partition(labels[0])[0])) <= _DATE_LETTERS
        and all(_page_words(label) >= _PAGE_LABEL for label in labels)
    )


def _page_words(text: str) -> float:
    """Return the share of the letters of *text* in words about the page, 0..1."""
    words = _SPACED_HAN.sub("", _WEB_ADDRESS.sub(" ", text))
    found = _PAGE_WORD.findall(f" {words}")
    if not words.isascii():  # to look for both at each character takes three times as long
        found += _RUN_ON_WORD.findall(words)
    return len(_NO_LETTER.sub("", "".join(found))) / max(len(_NO_LETTER.sub("", words)), 1)
