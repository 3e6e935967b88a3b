"""Files of words in jieba's formats: stop words, user dictionaries, tables of IDF values.

A line each, in UTF-8, with or without byte order mark: "word", "word freq tag", "word value".
Empty lines and lines that begin with "#" and a space say nothing.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from webclean_scrapy.errors import ConfigError

if TYPE_CHECKING:
    import os


def read_words(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """Return the lines of a stop word list or user dictionary. Raises: ConfigError."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}") from error
    lines = (line.strip() for line in text.splitlines())
    return tuple(line for line in lines if line and not line.startswith("# "))


def read_idf(path: str | os.PathLike[str]) -> dict[str, float]:
    """Return the table in *path*. Raises: ConfigError, which names a line that is none."""
    found = {}
    for number, line in enumerate(read_words(path), 1):
        word, _, value = line.rpartition(" ")
        try:
            found[word.strip()] = float(value)
        except ValueError:
            found[word] = math.nan
        if not word.strip() or not found[word.strip()] >= 0:
            raise ConfigError(f"{path}, entry {number}: no word and its value: {line!r}")
    return found


def write_idf(path: str | os.PathLike[str], table: dict[str, float]) -> None:
    """Write *table* so that `read_idf` reads it, most frequent words first."""
    lines = (f"{word} {value:.6f}\n" for word, value in sorted(table.items(), key=lambda p: p[1]))
    Path(path).write_text("".join(lines), encoding="utf-8")
