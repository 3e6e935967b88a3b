"""In how many documents each word stands: an IDF table of the pages that a crawl sees.

Words as fingerprints know them: of scripts with spaces whole, of Chinese the dictionary's. The
table has the form of jieba's and begins with a line that says how many documents it is of, so that
the next crawl goes on counting.
"""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from webclean_scrapy.errors import ConfigError
from webclean_scrapy.keywords.segment import Segmenter, simplify
from webclean_scrapy.keywords.tfidf import clean_text, fold_simplified
from webclean_scrapy.keywords.word_files import read_idf, write_idf

if TYPE_CHECKING:
    import os

MAX_WORDS = 500_000  # kept at once, about 60 MB; the rarest go first
LEAST = 2  # documents with a word that the table gives a value
_HEAD = "# documents "


class DocumentCounts:
    """Counts documents by word. Cost: segmentation of each document."""

    def __init__(self) -> None:
        self.documents = 0
        self._counts: Counter[str] = Counter()
        self._segmenter = Segmenter()

    def add(self, text: str) -> None:
        """Count the words of one document, each once."""
        cut = self._segmenter.cut(simplify(clean_text(text)))
        words = {fold_simplified(word) for word in cut}
        self.documents += 1
        self._counts.update(word for word in words if len(word) > 1 and not word.isdigit())
        least = 1
        while len(self._counts) > MAX_WORDS:
            self._counts = Counter({w: n for w, n in self._counts.items() if n > least})
            least += 1

    def table(self) -> dict[str, float]:
        """Return ln(documents / documents with the word) of each word of `LEAST` or more."""
        return {
            word: math.log(self.documents / count)
            for word, count in self._counts.items()
            if count >= LEAST
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the table, so that `read_idf` reads it. A crash leaves the file as it was."""
        write_idf(path, self.table(), [f"{_HEAD}{self.documents}"])

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> DocumentCounts:
        """Return the counts in *path*, none when it is not there. Raises: ConfigError."""
        counts = cls()
        if not Path(path).exists():
            return counts
        table = read_idf(path)
        with Path(path).open(encoding="utf-8-sig") as lines:
            head = lines.readline().strip()
        if not head.removeprefix(_HEAD).isdecimal() or not head.startswith(_HEAD):
            raise ConfigError(
                f"{path} is no word count file: its first line must be {_HEAD!r} and a number"
            )
        counts.documents = int(head.removeprefix(_HEAD))
        for word, value in table.items():
            counts._counts[word] = round(counts.documents / math.exp(value))
        return counts
