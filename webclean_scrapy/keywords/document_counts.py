"""The number of documents with each word: an IDF table of the pages that a crawl sees.

Words are those that fingerprints use: whole words of scripts with spaces, words of the Chinese
dictionary. The table has the format of jieba's and begins with a line with the number of documents,
so that the next crawl continues the count.
"""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from webclean_scrapy.errors import ConfigError
from webclean_scrapy.file_modes import replace_text
from webclean_scrapy.keywords.segment import cut_words, fold_simplified, simplify
from webclean_scrapy.keywords.tfidf import clean_text
from webclean_scrapy.keywords.word_files import read_idf

if TYPE_CHECKING:
    import os

MAX_WORDS = 500_000  # kept at once, about 60 MB; the rarest are dropped first
MIN_DOCUMENTS = 2  # with a word of the table
_HEAD = "# documents "
_MOST_DIGITS = 15  # of the number of documents


class DocumentCounts:
    """Counts documents by word. Cost: segmentation of each document."""

    def __init__(self) -> None:
        self.documents = 0
        self._counts: Counter[str] = Counter()

    def add(self, text: str) -> None:
        """Count the words of one document, each once."""
        words = {fold_simplified(word) for word in cut_words(simplify(clean_text(text)))}
        self.documents += 1
        self._counts.update(word for word in words if len(word) > 1 and not word.isdigit())
        least = 1
        while len(self._counts) > MAX_WORDS:
            self._counts = Counter({w: n for w, n in self._counts.items() if n > least})
            least += 1

    def table(self) -> dict[str, float]:
        """Return ln(documents / documents with the word), for words of `MIN_DOCUMENTS` or more."""
        return {
            word: math.log(self.documents / count)
            for word, count in self._counts.items()
            if count >= MIN_DOCUMENTS
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the table, most frequent words first. A crash leaves the file unchanged."""
        pairs = sorted(self.table().items(), key=lambda pair: (pair[1], pair[0]))
        lines = [f"{_HEAD}{self.documents}", *(f"{word} {value:.9f}" for word, value in pairs)]
        replace_text(path, "".join(f"{line}\n" for line in lines), private=True)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> DocumentCounts:
        """Return the counts in *path*; no counts when it does not exist. Raises: ConfigError."""
        counts = cls()
        if not Path(path).exists():
            return counts
        table = read_idf(path)
        with Path(path).open(encoding="utf-8-sig") as lines:
            head = lines.readline().strip()
        number = head.removeprefix(_HEAD)
        if not number.isdecimal() or len(number) > _MOST_DIGITS or not head.startswith(_HEAD):
            raise ConfigError(
                f"{path} is no word count file: its first line must be {_HEAD!r} and a number"
            )
        counts.documents = int(number)
        for word, value in table.items():
            counts._counts[word] = round(counts.documents * math.exp(-value))
        return counts
