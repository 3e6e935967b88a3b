"""Every vocabulary of tags consists of HTML elements: a slip like ``figcation`` is found."""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING

import pytest

import webclean_scrapy
from webclean_scrapy.page import render, tags

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

#: HTML standard, index of elements; ``math`` and ``svg`` as it lists them.
ELEMENTS = frozenset(
    "a abbr address area article aside audio b base bdi bdo blockquote body br button canvas "
    "caption cite code col colgroup data datalist dd del details dfn dialog div dl dt em embed "
    "fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe "
    "img input ins kbd label legend li link main map mark math menu meta meter nav noscript object "
    "ol optgroup option output p picture pre progress q rp rt ruby s samp script search section "
    "select selectedcontent slot small source span strong style sub summary sup svg table tbody td "
    "template textarea tfoot th thead time title tr track u ul var video wbr".split()
)
#: HTML standard, "Non-conforming features": pages still have them.
OBSOLETE = frozenset(
    "acronym applet basefont bgsound big blink center dir font frame frameset isindex keygen "
    "listing marquee menuitem multicol nextid nobr noembed noframes param plaintext rb rtc spacer "
    "strike tt xmp".split()
)


def strangers(words: Iterable[str]) -> set[str]:
    """Return the words that are no HTML elements."""
    return set(words) - ELEMENTS - OBSOLETE


def vocabularies() -> Iterator[tuple[str, Iterable[str]]]:
    """Yield name and content of each constant of the method rooms whose name ends in TAGS."""
    for room in ("page", "denoise", "extract"):
        prefix = f"{webclean_scrapy.__name__}.{room}."
        package = importlib.import_module(prefix.removesuffix("."))
        for info in pkgutil.iter_modules(package.__path__, prefix):
            module = importlib.import_module(info.name)
            for name, value in vars(module).items():
                if name.endswith("TAGS"):
                    yield f"{info.name}.{name}", value


VOCABULARIES = dict(vocabularies())


@pytest.mark.parametrize("name", VOCABULARIES)
def test_every_word_of_a_vocabulary_is_an_html_element(name: str) -> None:
    assert VOCABULARIES[name]
    assert strangers(VOCABULARIES[name]) == set()


def test_the_vocabularies_of_the_page_table_are_among_them() -> None:
    expected = {f"{tags.__name__}.{name}" for name in ("DROPPED_TAGS", "BLOCK_TAGS", "INLINE_TAGS")}
    assert expected | {f"{render.__name__}.KEPT_TAGS"} <= set(VOCABULARIES)


def test_a_slip_of_the_pen_is_found() -> None:
    assert strangers(["figcation", "p", "tt"]) == {"figcation"}


def test_vocabularies_that_exclude_each_other_share_no_element() -> None:
    assert not tags.BLOCK_TAGS & tags.INLINE_TAGS
    assert not tags.INLINE_TAGS & set(tags.DROPPED_TAGS)
    assert not render.KEPT_TAGS & set(tags.DROPPED_TAGS)
    assert tags.HEADING_TAGS <= tags.BLOCK_TAGS
