from collections.abc import Callable, Iterable

import pytest

from tests.growth import assert_linear
from tests.pages import article
from tests.reading import table_of
from webclean_scrapy import Cleaner
from webclean_scrapy.cleaning.body.link_blocks import LinkBlockConfig, find_link_blocks
from webclean_scrapy.cleaning.output.block_links import BlockReader
from webclean_scrapy.cleaning.page.table import PageTable

SITE = "http://news.test"
ADDRESS = f"{SITE}/harbour/4711-the-ferry-is-late-again"
SECTIONS = ["harbour", "sport", "letters", "weather", "people", "market"]
HEADLINES = [
    "The lamp on the pier burns again",
    "Nobody wants the old crane",
    "A swan stops the number nine tram",
    "Council paints the wrong bridge",
    "Bells of the fish market are tuned",
]


def links(addresses: Iterable[tuple[str, str]], attribute: str = "") -> str:
    items = (f"<li><a {attribute} href='{at}'>{text}</a></li>" for at, text in addresses)
    return f"<ul>{''.join(items)}</ul>"


def address_of(headline: str) -> str:
    return "/harbour/" + headline.lower().replace(" ", "-")


MENU = links((f"/{one}/", one.title()) for one in SECTIONS)
RELATED = links((address_of(one), one) for one in HEADLINES)
TAGS = links((f"/tag/{one}", one) for one in ("ferries", "fog", "timetables"))
DAYS = "".join(f"<td><a href=/2026/03/0{n}/>{n}</a>" for n in range(1, 10))
NUMBERS = links((f"?page={n}", str(n)) for n in range(2, 6))


def kinds_of(behind: str = "") -> dict[str, list[str]]:
    html = article(3).replace('<div class="foot">', f'{behind}<div class="foot">')
    page = Cleaner().clean(html, ADDRESS)
    found: dict[str, list[str]] = {}
    for group in page.link_groups or ():
        found.setdefault(group.kind, []).extend(link.text for link in group.links)
    return found


@pytest.mark.parametrize(
    ("kind", "block", "count"),
    [
        ("menu", f"<nav>{MENU}</nav>", 6),
        ("menu", f"<div>{MENU}</div>", 6),
        ("menu", f"<div class=side-menu>{RELATED}</div>", 5),  # whatever its texts are
        ("related", f"<div>{RELATED}</div>", 5),
        ("tags", f"<div class=story-footer>{TAGS}</div>", 3),  # no foot of the page
        ("tags", f"<article><header>{TAGS}</header></article>", 3),
        ("tags", f"<div>{TAGS}</div>", 3),  # fewer links than a block that is removed
        (
            "tags",
            "<p><a rel='category tag' href=/x/1>Fog</a>, <a rel=tag href=/y/2>Ferries</a></p>",
            2,
        ),
        ("pager", f"<div>{NUMBERS}</div>", 4),
        ("pager", "<p><a rel=prev href=/a>The one before</a> <a rel=next href=/b>On</a></p>", 2),
        ("pager", "<p><a href=/a>« Before</a> <a href=/b>Behind »</a></p>", 2),
        (
            "tags",
            links((f"/x/{n}{n}", text) for n, text in enumerate(("Fog", "Ice", "Ferries"))),
            3,
        ),
        ("other", f"<table><tr>{DAYS}</table>", 9),
        ("other", links((f"//site{n}.test/", f"Friend {n}") for n in range(3)) * 2, 6),
        ("other", links((f"{ADDRESS}?share={n}", f"On board {n}") for n in "abcdef"), 6),
    ],
)
def test_blocks_have_the_kind_that_their_addresses_and_texts_say(
    kind: str, block: str, count: int
) -> None:
    found = kinds_of(behind=block)
    assert kind in found, found
    assert len(found[kind]) - len(kinds_of().get(kind, ())) == count


def test_what_has_few_links_is_no_block_unless_it_is_a_pager_or_tags() -> None:
    few = links((f"/{one}/", one.title()) for one in SECTIONS[:4])
    assert kinds_of(behind=f"<div>{few}</div>") == kinds_of()


def test_a_run_of_close_links_is_cut_where_their_kind_changes() -> None:
    run = f"<div>{MENU}<div>{RELATED}</div>{TAGS}</div>"
    assert [len(texts) for texts in kinds_of(behind=run).values()] == [6, 5, 3]


def test_headlines_are_seen_among_what_stands_beside_them() -> None:
    cards = "".join(
        f"<div><a href='{address_of(one)}'>{one}</a><a href=/sport/>Sport</a>"
        f"<a href='{address_of(one)}'>{n}</a></div>"
        for n, one in enumerate(HEADLINES)
    )
    assert len(kinds_of(behind=f"<section>{cards}</section>")["related"]) == 15


def test_addresses_are_absolute_and_lead_to_other_pages() -> None:
    scripts = "<a href='javascript:go()'>Go</a><a href=#top>Top</a><a href='#'>Open</a>"
    html = f"<base href=/deep/><div>{scripts}{links((f'{n}', f'Word {n}') for n in 'abcde')}</div>"
    page = Cleaner().clean(f"<html><body>{html}{article(2)}", ADDRESS)
    first = page.to_dict(["link_groups"])["link_groups"][0]
    words = [{"url": f"{SITE}/deep/{n}", "text": f"Word {n}"} for n in "abcde"]
    assert (first["kind"], first["links"][:5]) == ("menu", words)


def test_a_known_page_is_read_whole_where_link_blocks_are_asked_for() -> None:
    for cleaner in (Cleaner(), Cleaner(link_groups=True)):
        pages = [
            cleaner.clean(article(n).replace("<body>", f"<body><nav>{MENU}</nav>"), f"{SITE}/{n}")
            for n in range(1, 9)
        ]
        asked, last = cleaner.config.link_groups, pages[-1]
        assert (last.denoised == "known", last.link_groups is None) == (not asked, not asked)
        assert last.link_blocks["of"] == ("page" if asked else "template")
    assert "link_groups" not in last.to_dict()


@pytest.mark.parametrize(
    "page",
    [
        lambda size: MENU * size,
        lambda size: NUMBERS * size,
        lambda size: "<div><a href=/a>one</a> <a href=/b>two</a></div>" * 5 * size,
        lambda size: "<div>" * 40 + "<a href=/x-/>word</a>" * size,
        lambda size: f"<a href=/{'x' * 50 * size}>word</a>" * 5,
    ],
)
def test_blocks_are_read_in_proportion_to_their_links(page: Callable[[int], str]) -> None:
    def read(table: PageTable) -> None:
        blocks = find_link_blocks(table, LinkBlockConfig())
        list(BlockReader(table, ADDRESS, ADDRESS, (), None).read(blocks))

    assert_linear(read, lambda size: table_of(page(size)), 200)
