"""Files of words in jieba's formats: stop words, user dictionaries, tables of IDF values.

One entry a line, in UTF-8, with or without byte order mark: "word", "word freq tag", "word value".
Empty lines and lines that begin with "#" and a space are ignored.
"""

from __future__ import annotations

import math
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from webclean_scrapy.errors import ConfigError
from webclean_scrapy.safe_text import visible_line

if TYPE_CHECKING:
    import os


def read_words(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """Return the lines of a stop word list or user dictionary. Raises: ConfigError."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:  # ValueError: no UTF-8, or no possible name
        raise ConfigError(visible_line(f"cannot read {path}: {error}")) from error
    lines = (line.strip() for line in text.splitlines())
    return tuple(line for line in lines if line and not line.startswith("# "))


def read_idf(path: str | os.PathLike[str]) -> dict[str, float]:
    """Return the table in *path*. Raises: ConfigError, which names the wrong line."""
    table = {}
    for number, line in enumerate(read_words(path), 1):
        word, _, value = line.rpartition(" ")
        with suppress(ValueError):
            if word.strip() and 0 <= float(value) < math.inf:
                table[word.strip()] = float(value)
                continue
        where = visible_line(f"{path}, entry {number}")
        raise ConfigError(f"{where}: expected a word and a number, got {line!r}")
    return table
