"""Nouns, verbs and names among the words of a text.

Chinese: the word classes of jieba's dictionary. *rjieba* tags at the speed of its segmentation;
*jieba.posseg*, the fallback, takes 2 to 3 s and 150 MB to load and 40 times as long for each page.
Neither is loaded before the first Chinese text. Other languages have no tagger here: all their
words are returned.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from webclean_scrapy.keywords.segment import Segmenter, has_han, make_tokenizer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Tag = Callable[[str], Iterable[Any]]  # gives (word, flag)

#: First letters of jieba's flags: nouns and names, verbs; Latin words in Chinese text are "eng".
KEPT_FLAGS = ("n", "v", "eng")


class WordClasses:
    """Cuts text into words and keeps nouns, verbs and names. Threads may share one."""

    def __init__(self, segmenter: Segmenter | None = None) -> None:
        self._segmenter = segmenter or Segmenter()
        self._tag: Tag | None = None

    def cut(self, text: str) -> list[str]:
        """Return the nouns, verbs and names of simplified Chinese text, or all words of other text.

        >>> WordClasses().cut("市长希望重新修建大桥")
        ['市长', '希望', '修建', '大桥']
        """
        if not has_han(text):
            return self._segmenter.cut(text)
        if self._tag is None:
            self._tag = _load_tagger()
        return [word for word, flag in self._tag(text) if flag.startswith(KEPT_FLAGS)]


def _load_tagger() -> Tag:
    try:
        import rjieba
    except ImportError:  # no wheel for this machine
        pass
    else:
        tag: Tag = rjieba.tag
        return tag
    posseg: Any = importlib.import_module("jieba.posseg")
    lcut: Tag = posseg.POSTokenizer(make_tokenizer()).lcut
    return lcut
