"""Every vocabulary of tags consists of HTML elements: a slip like ``figcation`` is found."""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING

import pytest

import webclean_scrapy
from webclean_scrapy.cleaning.page import tags

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


def unknown_tags(words: Iterable[str]) -> set[str]:
    """Return the words that are no HTML elements."""
    return set(words) - ELEMENTS - OBSOLETE


def words_of(value: object) -> set[str]:
    """Return the strings in a constant, in whatever containers."""
    if isinstance(value, str):
        return {value}
    if isinstance(value, dict):
        return words_of(tuple(value)) | words_of(tuple(value.values()))
    if isinstance(value, (list, tuple, set, frozenset)):
        return set().union(*map(words_of, value))
    return set()


def is_vocabulary(name: str, value: object) -> bool:
    """Whether a constant is called tags, or is a container of words nearly all of which are."""
    if name.endswith("TAGS"):
        return True
    words = words_of(value) if not isinstance(value, str) else set()
    return len(words) > 3 and len(unknown_tags(words)) < 0.2 * len(words)


def vocabularies() -> Iterator[tuple[str, set[str]]]:
    """Yield name and words of each vocabulary among the constants of the rooms that see tags."""
    for room in ("page", "templates", "body", "output", "papers"):
        prefix = f"{webclean_scrapy.__name__}.cleaning.{room}."
        package = importlib.import_module(prefix.removesuffix("."))
        for info in pkgutil.iter_modules(package.__path__, prefix):
            for name, value in vars(importlib.import_module(info.name)).items():
                if is_vocabulary(name, value):
                    yield f"{info.name}.{name}", words_of(value)


VOCABULARIES = dict(vocabularies())


@pytest.mark.parametrize("name", VOCABULARIES)
def test_every_word_of_a_vocabulary_is_an_html_element(name: str) -> None:
    assert VOCABULARIES[name]
    assert unknown_tags(VOCABULARIES[name]) == set()


def test_the_vocabularies_of_the_page_are_all_found() -> None:
    names = {name for name in vars(tags) if name.endswith("TAGS")}
    assert {f"{tags.__name__}.{name}" for name in names} <= set(VOCABULARIES)
    for source in ("output.html_output", "page.tags"):
        assert any(source in name for name in VOCABULARIES), source


def test_a_slip_of_the_pen_is_found() -> None:
    assert unknown_tags(["figcation", "p", "tt"]) == {"figcation"}
    assert is_vocabulary("_TAGS", {"figcation": 1})
    assert is_vocabulary("_KEPT", frozenset("figcation figure p table td th tr".split()))
    assert not is_vocabulary("_WORDS", ("article", "main", "content", "story", "text"))


def test_headings_are_blocks() -> None:
    assert tags.HEADING_TAGS <= tags.BLOCK_TAGS
