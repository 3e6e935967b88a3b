from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import assert_linear
from webclean_scrapy import clean
from webclean_scrapy.cleaning.metadata.head import Head
from webclean_scrapy.cleaning.metadata.title import Heading, clean_title, page_title


def headed(*texts: str, level: int = 2) -> list[Heading]:
    return [Heading(text, is_first_level=level == 1) for text in texts]


@pytest.mark.parametrize(
    ("title", "site_name", "expected"),
    [
        ("Ferry arrives two hours late | News | Post", None, "Ferry arrives two hours late"),
        ("渡船晚点两小时_社会新闻_港湾网", None, "渡船晚点两小时"),
        ("渡船晚点两小时-港湾网", None, "渡船晚点两小时"),
        ("Harbour Post | Ferry late", "harbour post", "Ferry late"),
        ("Ferry - The Long Name of a Harbour Post", "The Long Name of a Harbour Post", "Ferry"),
        ("Ferry late: Harbour Post", "Harbour Post", "Ferry late"),
        ("渡船晚点：港湾网", "港湾网", "渡船晚点"),
        ("Ferry late, Harbour Post", "Harbour Post", "Ferry late"),
        ("Ferry: late @ Harbour Post", "Harbour Post", "Ferry: late"),
        ("What comes after AC/DC", "DC", None),
        ("Write to us@harbour", "Harbour", None),
        ("A film: Re:Harbour", "Harbour", None),
        ('The end of "Harbour Post"', "Harbour Post", None),
        ("A visit to Harbour Post", "Harbour Post", None),
        ("Ferry is two hours late | The Post of the Harbour", None, "Ferry is two hours late"),
        ("Ferry is two hours late - The Post of the Harbour", None, None),
        ("A well-known two-hour delay", None, "A well-known two-hour delay"),
        ("Part one - the much longer second part of it", None, None),
        ("Sea tales | News", None, None),  # too little would be left to be sure
        ("_", None, "_"),
        ("  Ferry \n late  ", None, "Ferry late"),
    ],
)
def test_names_of_sites_are_cut(title: str, site_name: str | None, expected: str | None) -> None:
    assert clean_title(title, site_name) == (title if expected is None else expected)


LONG = "Sea – Land: a story of two ferries"
SHARED = ("Catchy words for sharing", "Ferry arrives late | Harbour Post")


@pytest.mark.parametrize(
    ("titles", "headings", "expected"),
    [
        (["Sea - land: a story of two ferries - Harbour Post"], ["Menu", LONG], LONG),
        # a heading that is in any title, but not the name of the site
        (SHARED, ["Harbour Post", "Ferry arrives late"], "Ferry arrives late"),
        (SHARED, [], "Catchy words for sharing"),
        (["Ferry late | The Harbour Post"], ["The Harbour Post"], "Ferry late"),
        # what a quotation mark has cut is taken whole from the title tag
        (["渡船晚点 船长", '渡船晚点 船长"道歉"两次_港湾网'], [], '渡船晚点 船长"道歉"两次'),
        ([], ["Ferry late", "More"], "Ferry late"),
        ([], [], ""),
        # left empty by its template
        (["- Harbour Post"], ["Welcome to Harbour Post!", "Ferry late"], "Ferry late"),
        (["_港湾网"], ["港湾网首页", "Ferry late"], "Ferry late"),
        (["|"], ["Ferry late"], "Ferry late"),
        # an encyclopedia's: the name, and what describes it
        (["town on the island of Norder", "Oster - Seapedia"], ["Oster", "Sights"], "Oster"),
        (["利用潮汐磨面的装置", "潮磨_海百科"], ["潮磨"], "潮磨"),
        (["round boat", "Coracle"], ["Coracle"], "Coracle"),
        (["Ferry arrives late", "Sea - Ferry arrives late"], ["Sea"], "Ferry arrives late"),
        (["Ferry arrives late", "Ferry arrives late"], ["Sea"], "Ferry arrives late"),
        # the name of a manual is over each of its pages; what is over a menu is no title
        (["What is a spring tide? - The Harbour Book"],
         ["The Harbour Book", "The Harbour Book", "What Is a Spring Tide?"],
         "What Is a Spring Tide?"),
        (["Sea tales - The Harbour Book"], ["The Harbour Book", "Tides"], "The Harbour Book"),
        (["Harbour Post: Tides are late"], ["Tides are late", "Harbour Post", "Tides are late"],
         "Tides are late"),
        (["Opinion | Tides are late"], ["Tides are late", "Tides are late", "Opinion"],
         "Tides are late"),
        (["Quickstart — Pier Manual (3.1)"], ["Navigation", "Quickstart"], "Quickstart"),
        (["Opinion | The ferry is late"], ["Menu", "Opinion", "The ferry is late"],
         "The ferry is late"),
        (["渡船晚点两小时_港湾网"], ["·渡船晚点两小时"], "渡船晚点两小时"),  # a list's bullet
    ],
)  # fmt: skip
def test_the_title_of_a_page_is_found_among_titles_and_headings(
    titles: Sequence[str], headings: list[str], expected: str
) -> None:
    site = "The Harbour Post" if "The Harbour Post" in headings else None

    head = Head(titles=tuple(titles), site_name=site)

    assert page_title(head, headed(*headings)) == expected


@pytest.mark.parametrize(
    ("path", "title", "headings", "expected"),
    [
        # what the address repeats, but for its short words, accents and number
        ("boats-coracles.html", "Boats for all", headed("Boåts & the Coracles", level=1),
         "Boåts & the Coracles"),
        ("boats-48151", "All boats for you", headed("Boats", level=1), "Boats"),
        ("boats", "All boats for you", headed("Boats"), "All boats for you"),  # of a menu
        ("why-coracles-always-turn-in-circles", "Round boats",
         headed("Why do coracles always turn in circles"),
         "Why do coracles always turn in circles"),
        ("why-coracles-always-turn-in-circles", "Round boats", headed("Why coracles turn round"),
         "Round boats"),
        ("coracle", "Coracle | Harbour of the west for all who like boats", [], "Coracle"),
        ("coracle_boat", "A coracle_boat", [], "A coracle_boat"),
        # a short heading, and a name of the site behind or before it
        ("", "Kayaks : Pier", headed("Kayaks"), "Kayaks"),
        ("", "pier.invalid Tide", headed("Menu", "Tide"), "Tide"),
        ("", "The Gull's tales › Tide",
         [Heading("The Gull's tales", is_link=True, names_site=True), *headed("Tide")], "Tide"),
        # a heading before a separator, although more follows
        ("", "Fog is good for you - Stars - Women - health, diets, the house, gardens and cars",
         [*headed("A", "B", "C", "D"), *headed("Fog is good for you", level=1)],
         "Fog is good for you"),
    ],
)  # fmt: skip
def test_address_and_names_of_the_site_tell_what_is_the_title(
    path: str, title: str, headings: list[Heading], expected: str
) -> None:
    address = f"https://www.pier.invalid/{path}"

    assert page_title(Head(titles=(title,)), headings, address=address) == expected


def test_the_heading_above_the_text_comes_before_that_of_a_card_in_it() -> None:
    card = Heading("Spiced pear jam", is_above=False)
    titles = ("Spiced pear jam recipe | Pier", "A jam of pears for the holidays")
    head, above = Head(titles=titles), headed(titles[1], level=1)

    assert page_title(head, [*above, card]) == titles[1]


@given(st.text(), st.none() | st.text())
def test_a_title_with_something_is_not_cut_to_nothing(title: str, site_name: str | None) -> None:
    assert bool(clean_title(title, site_name)) == bool(title.split())


@pytest.mark.parametrize("unit", ["- ", " -", "_", "-", "文-", "a | "])
def test_long_titles_take_time_in_proportion(unit: str) -> None:
    assert len(clean_title(unit * 2_000, unit * 1_000)) <= 500
    assert_linear(lambda title: clean_title(title * 2, title), lambda size: unit * size, 2_000)


@pytest.mark.parametrize(("length", "is_cut"), [(36, True), (44, False)])
def test_a_short_heading_is_the_title_before_a_short_name(length: int, is_cut: bool) -> None:
    title = f"Pier - {'a' * length}"

    assert page_title(Head(titles=(title,)), headed("Pier")) == ("Pier" if is_cut else title)


@pytest.mark.parametrize(
    ("sole", "expected"),
    [
        ("Ferry arrives two hours late", "Ferry arrives two hours late"),
        ("Harbour Post of Oslo", "Catchy words for sharing"),  # in a declared title
        ("Sea: Catchy words for sharing", "Catchy words for sharing"),  # with a section
        ("Sea tales", "Catchy words for sharing"),  # too little
    ],
)
def test_a_sole_heading_is_the_title_where_the_declared_ones_are_others(
    sole: str, expected: str
) -> None:
    titles = (
        "Catchy words for sharing",
        "A new ferry for all of the islands in the west | Harbour Post of Oslo",
    )
    headings = [*headed(sole, level=1), *headed("Menu")]

    assert page_title(Head(titles=titles), headings, is_article=True) == expected


@pytest.mark.parametrize(
    ("headings", "expected"),
    [
        ("<h1>Ferry arrives<br>two hours late</h1>", "Ferry arrives two hours late"),
        ("<h1><a href=/>The harbour gazette</a></h1>", "Catchy words for sharing"),
        ("<h1>The harbour gazette</h1><h1>And boats of it</h1>", "Catchy words for sharing"),
    ],
)
def test_the_heading_above_the_text_is_the_title(headings: str, expected: str) -> None:
    story = "<p>The ferry left the quay an hour late and came back with nobody but its crew.</p>"
    page = f"<title>Catchy words for sharing</title><body>{headings}{story * 5}</body>"
    assert clean(page).title == expected
    assert clean(
        page.replace("Catchy words for sharing", "Ferry arrives two hours late")
    ).title == ("Ferry arrives two hours late")


@pytest.mark.parametrize("href", ["/", "https://post.invalid"])
def test_a_heading_that_leads_to_the_start_of_a_site_names_the_site(href: str) -> None:
    story = "<p>The ferry left the quay an hour late and came back with nobody but its crew.</p>"
    headings = f"<h1><a href={href}>The harbour gazette</a></h1><h2>Fog</h2>"

    page = f"<title>The harbour gazette › Fog</title><body>{headings}{story * 5}</body>"
    assert clean(page).title == "Fog"


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("Boats &amp;amp; ferries", "Boats & ferries"),
        ("Boats &amp;#8211; ferries", "Boats – ferries"),
        ("What is &amp;nbsp; for?", "What is &nbsp; for?"),
    ],
)
def test_what_is_escaped_twice_in_a_heading_is_read(heading: str, title: str) -> None:
    assert clean(f"<body><h1>{heading}</h1><p>The ferry was late.</p></body>").title == title


def test_a_link_of_the_menu_is_no_title() -> None:
    story = (
        "<p>The ferry came two hours late, and nobody on the island was surprised by it.</p>" * 3
    )
    menu = "<nav><ul><li><a href=/>Home</a><li><a href=/b>Boats</a></ul></nav>"
    page = f"<title>Home</title><body>{menu}<article><h1>Ferry two hours late</h1>{story}</article>"

    assert clean(page).title == "Ferry two hours late"


def test_what_a_reader_has_not_read_is_not_counted_in_a_title() -> None:
    assert (
        page_title(Head(titles=("(3) Ferry arrives late - Harbour Post",))) == "Ferry arrives late"
    )


def test_a_title_that_is_cut_short_is_the_heading_that_goes_on() -> None:
    heading = "Ferry arrives two hours late, says the harbour office"
    cut, own = Head(titles=("Ferry arrives two hours late...",)), "Ferry arrives ..."

    assert page_title(cut, headed(heading)) == heading
    assert page_title(cut, headed("Another heading")) == "Ferry arrives two hours late..."
    assert page_title(Head(titles=(own,)), headed(own)) == own


@pytest.mark.parametrize("end", [" < Town < Articles - Post", " :: News :: Post"])
def test_sections_are_cut_at_other_signs_too(end: str) -> None:
    assert clean_title(f"Ferry arrives two hours late{end}") == "Ferry arrives two hours late"


@pytest.mark.parametrize("between", [": ", " - ", " | "])
@pytest.mark.parametrize("is_site_first", [True, False])
def test_the_name_of_the_site_in_an_h1_above_is_not_the_title(
    between: str, *, is_site_first: bool
) -> None:
    site, story = "Riverside Post", "Slow radio from the bottom of a valley"
    title = between.join((site, story) if is_site_first else (story, site))
    text = f"<p>{'The keeper spoke for long, and nobody interrupted him. ' * 8}</p>" * 3
    page = f"<title>{title}</title><h1>{site}</h1><article><h2>{story}</h2>{text}</article>"
    assert clean(page, "http://a.example/p/12").title == story
