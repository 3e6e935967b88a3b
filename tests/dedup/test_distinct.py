"""Only a copy is dropped: texts over the same boilerplate, and reports of one form, are kept."""

from pathlib import Path
from typing import Any

import pytest

from tests.crawling import Crawls
from tests.dedup.articles import make_article, verdict_of
from tests.dedup.distinct import (
    FAMILIES,
    german_notices,
    matches,
    releases,
    with_common_end,
    with_lines,
)
from tests.dedup.test_index import Opener, open_index
from tests.pages import article
from tests.redis_server import RedisServer
from tests.server import Route
from webclean_scrapy.dedup.index import DuplicateIndex

__all__ = ["open_index"]


@pytest.mark.parametrize("family", FAMILIES)
def test_texts_of_one_family_are_kept_and_their_copies_dropped(
    open_index: Opener, family: str
) -> None:
    index, texts = open_index(), FAMILIES[family]
    first = [verdict_of(index.check_and_add(str(n), text)) for n, text in enumerate(texts)]
    assert [match for match in first if match and match[1] != "overlap"] == []
    again = [
        verdict_of(index.check_and_add(f"again {n}", text.upper())) for n, text in enumerate(texts)
    ]
    assert again == [(str(n), "duplicate") for n in range(len(texts))]


def test_a_copy_with_a_line_of_its_own_is_found_among_many_over_one_boilerplate(
    open_index: Opener,
) -> None:
    index = open_index()
    texts = [*releases(), *matches(60)]
    for n, text in enumerate(texts):
        index.add(str(n), text)
    for n in (0, 1, 2, 3, 10, 63):
        copy = f"By our correspondent in the islands.\n{texts[n]}"
        assert verdict_of(index.check_and_add(f"copy {n}", copy)) == (str(n), "duplicate")


def words_of(text: str, line: int = 0, count: int = 8) -> str:
    """Return the first words of a line, as a title that tells what the line does."""
    return " ".join(text.split("\n")[line].split()[:count])


@pytest.mark.parametrize("share", [0.79, 0.86])
def test_texts_over_a_long_boilerplate_are_told_apart_by_their_titles(
    open_index: Opener, share: float
) -> None:
    index, texts = open_index(), with_common_end(share)
    found = [
        index.check_and_add(str(n), text, title=words_of(text)) for n, text in enumerate(texts)
    ]
    assert [match and match.verdict for match in found] == [None, *["overlap"] * 9]
    for n in (0, 2, 5, 9):
        copy = f"{texts[n]}\nOur own report."
        found_copy = index.check_and_add(f"copy {n}", copy, title=words_of(texts[n]))
        assert verdict_of(found_copy) == (str(n), "duplicate")


GERMAN = """
Die Anwohner sehen den Markt mit gemischten Gefühlen. Manche freuen sich über die Gäste, andere
klagen über Rauch und Lärm. Der Bürgermeister will im Herbst eine Bilanz ziehen und dann über
einen Umzug an den Hafen entscheiden. Dort hat der Fischer Otto Lerch sein Lager, und im Keller
der alten Werft wäre Raum für Kisten und Körbe.
"""


def test_a_copy_with_a_few_other_nouns_is_found_where_nouns_have_capitals(
    open_index: Opener,
) -> None:
    index, text = open_index(), f"{german_notices()[0]} {GERMAN}"
    index.add("first", text)
    copy = text.replace("Leine", "Kette").replace("Karussell", "Zelt").replace("Halle", "Scheune")
    assert verdict_of(index.check_and_add("copy", copy)) == ("first", "duplicate")


LONG = make_article(7, 25)
TITLE = words_of(LONG, 1)


@pytest.mark.parametrize(
    ("line", "words", "expected"),
    [(1, 8, "overlap"), (1, 2, "duplicate"), (12, 8, "duplicate"), (9, 8, "duplicate")],
)
def test_a_title_that_the_new_passage_alone_tells_is_of_another_story(
    open_index: Opener, line: int, words: int, expected: str
) -> None:
    index, text = open_index(), with_lines(LONG, range(4), seed=20)
    index.add("first", LONG, title=TITLE)
    match = index.check_and_add("lead", text, title=words_of(text, line, words))
    assert verdict_of(match) == ("first", expected)
    index = open_index()
    index.add("first", LONG)
    assert verdict_of(index.check_and_add("lead", text)) == ("first", "duplicate")


@pytest.mark.parametrize(
    ("own", "common", "expected"), [(2, 0, "duplicate"), (6, 3, "overlap"), (6, 6, "duplicate")]
)
def test_a_title_of_its_own_tells_more_of_the_new_passage_than_of_the_story(
    open_index: Opener, own: int, common: int, expected: str
) -> None:
    index, text = open_index(), with_lines(LONG, range(4), seed=20)
    index.add("first", LONG, title=TITLE)
    title = f"{words_of(text, 1, own)} {words_of(text, 12, common)}"
    assert verdict_of(index.check_and_add("lead", text, title=title)) == ("first", expected)


def terms_of(text: str, line: int, count: int) -> str:
    """Return some words of a line that are no stop words."""
    return " ".join([word for word in text.split("\n")[line].split() if len(word) > 3][:count])


@pytest.mark.parametrize(
    ("replaced", "common", "own", "expected"),
    [
        (5, 0, 5, "overlap"),
        (5, 4, 5, "overlap"),
        (4, 4, 5, "duplicate"),  # the rest of the story tells the older title, too
        (0, 0, 5, "duplicate"),
        (2, 0, 2, "overlap"),  # as few as this are of inflected words in both forms
        (1, 0, 2, "duplicate"),
        (5, 0, 1, "duplicate"),
    ],
)
def test_the_older_title_tells_of_what_was_replaced(
    open_index: Opener, replaced: int, common: int, own: int, expected: str
) -> None:
    """A story under a lead and a title of an outlet still tells the title of the agency."""
    index, text = open_index(), with_lines(LONG, range(4), seed=20)
    older = f"{terms_of(LONG, 1, replaced)} {terms_of(LONG, 12, common)} Westmere"
    index.add("first", LONG, title=older)
    match = index.check_and_add("lead", text, title=terms_of(text, 1, own))
    assert verdict_of(match) == ("first", expected)


@pytest.mark.parametrize(("of", "expected"), [(20, "overlap"), (40, "duplicate")])
def test_a_line_of_a_long_page_is_no_story_of_its_own(
    open_index: Opener, of: int, expected: str
) -> None:
    index, whole = open_index(), make_article(7, of)
    index.add("first", whole, title=words_of(whole))
    text = with_lines(whole, range(1), seed=20)
    match = index.check_and_add("lead", text, title=words_of(text))
    assert verdict_of(match) == ("first", expected)


def beside(index: DuplicateIndex, other: str, line: int, text: str, title: str) -> str | None:
    """Return the verdict on *text*, where LONG and *other*, under a title of a line, are kept."""
    index.add("first", LONG, title=words_of(LONG, line))
    kept = index.check_and_add("other", other, title=words_of(other, line))
    assert verdict_of(kept) == ("first", "overlap")
    match = index.check_and_add("text", text, title=title)
    return match.verdict if match else None


def test_copies_that_were_edited_one_by_one_lack_different_lines(open_index: Opener) -> None:
    one, two = (with_lines(LONG, range(n * 3, n * 3 + 3), seed=20 + n) for n in range(2))
    assert beside(open_index(), one, 0, two, "Council votes tonight") == "duplicate"


@pytest.mark.parametrize(
    ("lines", "moved", "expected"), [(3, 1, "overlap"), (4, 2, "duplicate"), (3, 3, "duplicate")]
)
def test_a_witness_has_something_else_in_the_same_place(
    open_index: Opener, lines: int, moved: int, expected: str
) -> None:
    one, two = (
        with_lines(LONG, range(at, at + lines), seed=20 + n) for n, at in enumerate((8, 8 + moved))
    )
    assert beside(open_index(), one, 8, two, "Council votes tonight") == expected
    equal = words_of(LONG, 8)
    assert beside(open_index(), one, 8, two, equal) == "duplicate"  # an equal title: one story


@pytest.mark.parametrize("at_once", [1, 16])
@pytest.mark.parametrize("store", ["memory", "sqlite", "redis"])
def test_a_crawl_exports_each_of_them(
    crawls: Crawls, tmp_path: Path, redis_server: RedisServer, store: str, at_once: int
) -> None:
    texts = [text for name in ("press releases", "job adverts") for text in FAMILIES[name]]
    texts += matches(8)
    routes: dict[str, Route] = {
        f"/news/{n}.html": article(n, paragraphs=text.split("\n")) for n, text in enumerate(texts)
    }
    uris = {"sqlite": f"sqlite:///{tmp_path}/pages.db", "redis": redis_server.uri("site")}
    settings: dict[str, Any] = {
        "WEBCLEAN_DEDUP_URI": uris.get(store, ""),
        "WEBCLEAN_SIBLING_ENABLED": False,
        "WEBCLEAN_DENOISE": "off",  # the pages share lines on purpose
        "CONCURRENT_REQUESTS": at_once,
        "CONCURRENT_REQUESTS_PER_DOMAIN": at_once,
    }
    crawled, _ = crawls.visit(routes, settings=settings)
    assert crawled.dropped == []
    assert len(crawled.items) == len(texts)
    assert {name for name in crawled.counts("dedup") if name.startswith("dropped")} == set()
