"""Cut text of any script into words.

Chinese goes through jieba's dictionary by *rjieba*, which gives the same tokens as *jieba* in a
fraction of the time; where that has no wheel, by *jieba* itself. Scripts with spaces are cut at
white space and punctuation. Japanese changes its script where a word ends, more often than not: a
run of katakana is a word, and so is one of up to four Chinese characters in a text with hiragana.
Thai, Lao, Khmer, Burmese, hiragana, and Korean without spaces give overlapping character pairs. A
page may mix them.

Features 2 and 7 (papers.md). Deviation: the papers treat Chinese only.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from webclean_scrapy.errors import missing_library

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
# Scripts that put no spaces between words, except Chinese.
UNSPACED = (
    "\u3041-\u309f\u30a0-\u30ff\u31f0-\u31ff"  # kana
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece"  # Thai, Lao
    "\u1000-\u1049\u1050-\u109f\u1780-\u17d3"  # Burmese, Khmer
)
# Vowel signs are no \w in Python: without these ranges an Indic word would be cut.
MARKS = (
    "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0963\u0966-\u0dff\u0f71-\u0f84"
)
HANGUL = "\u1100-\u11ff\uac00-\ud7a3"
KATAKANA = "\u30a1-\u30fa\u30fc\u31f0-\u31ff"
LONGEST_KANJI_WORD = 4  # characters; more are several words
HIRAGANA_SHARE = 0.1  # of the characters of a text that is Japanese; half is usual
LONGEST_KOREAN_WORD = 10  # syllables; a longer run was written without spaces
_BATCH = 0x400  # characters

has_han = re.compile(f"[{HAN}]").search
_has_unspaced = re.compile(f"[{HAN}{UNSPACED}{HANGUL}]").search
_pieces = re.compile(
    f"(?P<han>[{HAN}]+)|(?P<katakana>[{KATAKANA}]+)"
    f"|(?P<unspaced>(?:(?![{KATAKANA}])[{UNSPACED}])+)"
    f"|(?P<korean>[{HANGUL}]+)|(?P<word>(?:(?![{HAN}{UNSPACED}{HANGUL}_])[\\w{MARKS}])+)"
).finditer
_hiragana = re.compile("[\u3041-\u3096]")
_accents = re.compile("[\u0300-\u036f]+").sub
_has_word = re.compile(f"[\\w{MARKS}]").search
_is_word = re.compile(f"[\\w{MARKS}]").match
_spaced_words = re.compile(f"[\\w{MARKS}]+").findall
# ASCII text is cut by translating its bytes, six times as fast as by a regular expression; in other
# languages too most of a text is ASCII. "_" becomes a gap here, so `_spaced_words` never meets one.
_ASCII = bytes(range(128))
_ascii_gaps = bytes(c if c > 127 or chr(c).isalnum() else 32 for c in range(256))


def cut_words(text: str, *, hmm: bool = False) -> list[str]:
    """Return the words of *text* in order, punctuation and spaces left out.

    *hmm*: let jieba guess words its dictionary lacks (names). Cost: linear; the dictionary (30 MB,
    0.1 s) is loaded with the first Chinese text.

    >>> cut_words("Near-duplicate pages, 2 of them")
    ['Near', 'duplicate', 'pages', '2', 'of', 'them']
    """
    # Most texts have few other characters, often quotes and dashes alone, which are gaps.
    beyond = (
        "" if text.isascii() else text.encode(errors="replace").translate(None, _ASCII).decode()
    )
    if not (beyond and _has_word(beyond)):
        return text.encode("ascii", "replace").translate(_ascii_gaps).decode().split()
    if _has_unspaced(beyond) is None:
        pieces = text.encode(errors="replace").translate(_ascii_gaps).decode().split()
        return [w for p in pieces for w in ([p] if p.isascii() else _spaced_words(p))]
    cut_chinese = chinese().cut
    words: list[str] = []
    is_japanese = len(_hiragana.findall(text)) > HIRAGANA_SHARE * len(text)
    for match in _pieces(text):
        piece, kind = match.group(), match.lastgroup
        if kind == "han" and not (is_japanese and len(piece) <= LONGEST_KANJI_WORD):
            words += cut_chinese(piece, hmm)
        elif kind == "unspaced" or (kind == "korean" and len(piece) > LONGEST_KOREAN_WORD):
            words += [piece[i : i + 2] for i in range(len(piece) - 1)] or [piece]
        else:
            words.append(piece)
    return list(filter(_is_word, words))


class Chinese(NamedTuple):
    """What cuts Chinese text into words, and into words with their part of speech."""

    cut: Callable[[str, bool], Iterable[str]]
    tag: Callable[[str], Iterable[tuple[str, str]]]


@functools.cache
def chinese() -> Chinese:
    """Return rjieba's functions, or jieba's (2 s to load) where it is not installed."""
    try:
        import rjieba
    except ImportError:
        return _plain_jieba()
    return Chinese(rjieba.cut, rjieba.tag)


def _plain_jieba() -> Chinese:
    jieba_file("")  # says what to install
    from jieba import Tokenizer
    from jieba.posseg import POSTokenizer

    make: tuple[Callable[..., Any], ...] = Tokenizer, POSTokenizer
    tokenizer = make[0]()
    # Without the cache that it keeps in the common folder for temporary files.
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True
    tagger = make[1](tokenizer)

    def cut(text: str, hmm: bool) -> Iterable[str]:
        words: Iterable[str] = tokenizer.cut(text, HMM=hmm)
        return words

    return Chinese(cut, lambda text: ((one.word, one.flag) for one in tagger.cut(text)))


def jieba_file(name: str) -> Path:
    """Return the path of a data file in jieba, without importing it.

    Raises: ConfigError when it is not installed.
    """
    try:
        return Path(str(distribution("jieba").locate_file(f"jieba/{name}")))
    except PackageNotFoundError as error:
        raise missing_library("the keywords and fingerprints of Chinese", "jieba") from error


@functools.cache
def simplified_table() -> dict[int, str]:
    """Return the `str.translate` table from traditional to simplified characters, one to one.

    From OpenCC's character list (5,100 entries, 0.05 s). For comparison only: the right simplified
    character can depend on the word.
    """
    import opencc

    convert = opencc.OpenCC("t2s").convert
    table: dict[int, str] = {}
    for begin in (*range(0x3400, 0xA000, _BATCH), *range(0x20000, 0x2FA20, _BATCH)):
        # In batches: 70,000 strings at once leave holes of 15 MB in the memory.
        chars = [chr(c) for c in range(begin, min(begin + _BATCH, 0x2FA20))]
        for char, simple in zip(chars, convert("\n".join(chars)).split("\n"), strict=True):
            if char != simple and len(simple) == 1:
                table[ord(char)] = simple
    # A few map to a character that is itself mapped: follow it, so that twice changes nothing.
    return {char: table.get(ord(simple), simple) for char, simple in table.items()}


def simplify(text: str) -> str:
    """Return *text* with traditional Chinese characters made simplified; the length is kept.

    >>> simplify("臺灣 news")
    '台湾 news'
    """
    if text.isascii() or has_han(text) is None or _has_traditional()(text) is None:
        return text
    return text.translate(simplified_table())


@functools.cache
def _has_traditional() -> Callable[[str], object]:
    """Return a regex search that finds translatable characters, 10x faster than translating."""
    chars = "".join(chr(char) for char in simplified_table() if char <= 0xFFFF)
    return re.compile(f"[{chars}\U00010000-\U0010ffff]").search


def fold_word(word: str) -> str:
    """Return *word* folded for comparison: no case, no accents, simplified Chinese.

    >>> fold_word("Café"), fold_word("臺灣")
    ('cafe', '台湾')
    """
    return fold_simplified(simplify(word))


def fold_simplified(word: str) -> str:
    if word.isascii():
        return word.lower()
    if "\u4e00" <= word[0] <= "\u9fff":  # shortcut: Chinese words have nothing to fold
        return word.casefold()
    parts = unicodedata.normalize("NFKD", word.casefold())
    return unicodedata.normalize("NFC", _accents("", parts))


def fold_words(words: Iterable[str]) -> list[str]:
    """Return *words* of simplified text, folded; one call costs a fifth of single calls."""
    return fold_simplified("\n".join(["", *words])).split("\n")[1:]
