"""One dictionary for all the indexes of a process: each would read it anew, in 25 to 200 ms."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from webclean_scrapy.dedup import page_sample
from webclean_scrapy.dedup.text_words import WordReader

if TYPE_CHECKING:
    from contextlib import AbstractContextManager


@cache
def _reader() -> WordReader:
    return WordReader((), (), {})


def shared_reader() -> AbstractContextManager[Any]:
    """Give indexes of default words one reader while the context is open."""
    return patch.object(page_sample, "WordReader", lambda *_: _reader())
