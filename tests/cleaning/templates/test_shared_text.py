"""Text shared by pages of a site: template text is removed, article text stays."""

from pathlib import Path
from random import Random

import pytest

from webclean_scrapy.cleaning.cleaner import CleanConfig, Cleaner

# The constants of the package, by value: a change of one fails here.
SERIES_PAGES = 20

NOUNS = (
    "harbour council ferry winter school market bridge river teacher engine report letter summer "
    "coast museum garden ticket minister island station weather captain library theatre budget "
    "farmer hospital window kitchen stone forest morning festival lighthouse signal answer"
).split()
VERBS = "opened moved carried found closed reached planned finished visited measured".split()
DENOISERS = ("template", "lcs")
SEEN = (1, 3, 8)  # pages of the site that were cleaned before


def sentence(draw: Random) -> str:
    words = [draw.choice(NOUNS) for _ in range(draw.randint(9, 16))]
    words[2], words[6] = draw.choice(VERBS), "near the"
    return f"The {' '.join(words)}."


def paragraphs(name: str, count: int = 8) -> list[str]:
    """Return paragraphs that no other *name* has."""
    draw = Random(name)
    return [" ".join(sentence(draw) for _ in range(3)) for _ in range(count)]


def marked_up(texts: list[str], tag: str = "p") -> str:
    return "".join(f"<{tag}>{text}</{tag}>" for text in texts)


def story(name: str, body: str, aside: str = "") -> tuple[str, str]:
    """Return the page and its address."""
    headlines = (text[:50] for text in paragraphs(name, 4))
    links = "".join(f"<li><a href=/x/{n}>{text}</a>" for n, text in enumerate(headlines))
    html = (
        f"<title>{name} - Harbour News</title><div class=top><a href=/>Home</a></div>"
        f"<div class=story><h1>{name}</h1><p class=by>By Anna Berg</p>"
        f"<div class=text>{body}</div></div><div class=more>{aside}<ul>{links}</ul></div>"
        "<div class=foot><p>Copyright Harbour News, the newspaper of the coast.</p></div>"
    )
    return html, f"http://news.example/story/{name.replace(' ', '-')}-{len(name)}.html"


def site(count: int, denoise: str = "template") -> Cleaner:
    """Return a cleaner that has cleaned *count* pages of the site."""
    cleaner = Cleaner(CleanConfig(denoise=denoise))
    for number in range(count):
        cleaner.clean(*story(f"An older story, the {number}th", marked_up(paragraphs(str(number)))))
    return cleaner


def lost(cleaner: Cleaner, texts: list[str], page: tuple[str, str]) -> list[str]:
    """Return the *texts* missing from the clean page."""
    text = cleaner.clean(*page).text
    return [part for part in texts if part not in text]


@pytest.mark.parametrize("denoise", DENOISERS)
@pytest.mark.parametrize("seen", SEEN)
@pytest.mark.parametrize("place", [0, 3, 7])
def test_a_paragraph_that_two_pages_have_stays_on_both(seen: int, place: int, denoise: str) -> None:
    article, follow_up = paragraphs("article"), paragraphs("follow-up")
    follow_up.insert(2, article[place])
    pages = [
        (article, story("The council and the ferry", marked_up(article))),
        (follow_up, story("What became of the ferry", marked_up(follow_up))),
    ]
    for (first, first_page), (second, second_page) in (pages, pages[::-1]):
        cleaner = site(seen - 1, denoise)
        assert not lost(cleaner, first, first_page)
        assert not lost(cleaner, second, second_page)


def test_a_first_paragraph_that_lists_show_stays_on_the_first_article_that_is_crawled() -> None:
    article = paragraphs("article")
    cleaner = Cleaner()
    for number in range(3):
        cards = [article[0], *paragraphs(f"list {number}", 5)]
        listed = "".join(
            f"<div class=card><h2><a href=/x>More</a></h2><p>{c}</p></div>" for c in cards
        )
        html, _ = story(f"All that is new, page {number}", listed)
        html = html.replace("class=story", "class=list").replace("class=more", "class=next")
        cleaner.clean(html, f"http://news.example/news/list-{number}.html")

    assert not lost(cleaner, article, story("The council and the ferry", marked_up(article)))


def test_a_quote_between_advertisements_stays() -> None:
    article, follow_up = paragraphs("article"), paragraphs("follow-up")
    follow_up.insert(2, article[4])
    ad = "<div class=ad><span>Advertisement</span> <p>Buy a boat today.</p></div>"
    body = marked_up(article[:4]) + ad + marked_up(article[4:5]) + ad + marked_up(article[5:])
    cleaner = site(2)
    cleaner.clean(*story("What became of the ferry", marked_up(follow_up)))

    assert not lost(cleaner, article, story("The council and the ferry", body))


@pytest.mark.parametrize("copied", [1, 2, 5, 8])
def test_paragraphs_copied_by_another_page_stay_in_the_original(copied: int) -> None:
    original, other = paragraphs("article", 30), paragraphs("other")
    other[4:4] = Random(copied).sample(original, copied)
    cleaner = site(3)
    cleaner.clean(*story("A copy of some of it", marked_up(other)))

    assert not lost(cleaner, original, story("The council and the ferry", marked_up(original)))


@pytest.mark.parametrize("seen", [0, *SEEN])
def test_a_press_release_that_three_pages_of_a_site_print_stays_on_each(seen: int) -> None:
    cleaner, release = site(seen), paragraphs("release", 4)
    for number in range(3):
        own = paragraphs(f"own {number}", 12)
        body = [*own[:5], *release, *own[5:]]
        assert not lost(cleaner, body, story(f"Company news, item {number}", marked_up(body)))


@pytest.mark.parametrize("tag", ["li", "tr"])
def test_the_rows_that_a_quiz_or_table_shares_with_the_one_before_stay(tag: str) -> None:
    cleaner = site(0)
    first = [text.split(".")[0] + "?" for text in paragraphs("rows", 3)]
    for number in range(2):
        rows = [*first, *(t.split(".")[0] + "?" for t in paragraphs(f"rows {number}", 12))]
        written = [f"<td>{row}</td>" for row in rows] if tag == "tr" else rows
        listed = marked_up(written, tag)
        body = f"{marked_up(paragraphs(f'text {number}', 4))}<table>{listed}</table>"
        if tag == "li":
            body = body.replace("table>", "ol>")
        assert not lost(cleaner, rows, story(f"The quiz of week {number}", body))


@pytest.mark.parametrize("denoise", DENOISERS)
def test_a_disclaimer_is_template_from_the_third_page_on(denoise: str) -> None:
    cleaner, disclaimer = site(0, denoise), paragraphs("disclaimer", 3)
    left = []
    for number in range(6):
        own = paragraphs(f"own {number}")
        page = story(f"Story number {number}", marked_up([*own, *disclaimer]))
        cleaned = cleaner.clean(*page)
        assert all(text in cleaned.text for text in own)
        left.append(sum(text in cleaned.text for text in disclaimer))
    assert left == [3, 3, 0, 0, 0, 0]


@pytest.mark.parametrize("place", [0, 4, 8])
@pytest.mark.parametrize(
    "pages",  # p has the paragraph, o is an article without it
    ["pppppppp", "oooooopppppppppp", "opopopopopopop", "ppopppppppp", "ppppooooppppoooopppp"],
)
def test_what_the_parts_of_a_series_have_stays_while_other_articles_lack_it(
    pages: str, place: int
) -> None:
    cleaner, standing = site(0), paragraphs(f"standing at {place}", 1)[0]
    kept = ""
    for number, kind in enumerate(pages):
        own = paragraphs(f"{pages} {number}")
        body = [*own[:place], standing, *own[place:]] if kind == "p" else own
        found = cleaner.clean(*story(f"Story number {number}", marked_up(body)))
        assert all(text in found.text for text in own)
        kept += "p" if standing in found.text else "o"
        is_said = any(one.why == "template" for one in found.removed)
        assert is_said == (kept[-1] != kind)
    first = (pages + "o").index("o")
    all_have_it = "ppp"[: 3 if place == 4 else 2].ljust(first, "o")[:first]
    assert kept == all_have_it + pages[first:]


def test_a_text_of_a_series_is_template_once_many_pages_in_a_row_have_it() -> None:
    cleaner, standing = Cleaner(CleanConfig(comments=True)), paragraphs("standing", 1)[0]
    kept = ""
    for number in range(40):
        own = paragraphs(f"long {number}")
        body = [*own, standing] if number else own
        found = cleaner.clean(*story(f"Story number {number}", marked_up(body)))
        kept += "p" if standing in found.text else "-"
    assert kept.rstrip("-") == "-" + "p" * kept.count("p")
    assert SERIES_PAGES < kept.count("p") < SERIES_PAGES + 6


def test_what_some_articles_lack_is_kept_in_the_file_of_templates(tmp_path: Path) -> None:
    cleaner, standing = Cleaner(CleanConfig(comments=True)), paragraphs("standing", 1)[0]
    for number in range(8):
        body = [*paragraphs(f"saved {number}"), *([standing] if number else [])]
        cleaner.clean(*story(f"Story number {number}", marked_up(body)))
    cleaner.save(tmp_path / "t.json")
    loaded = Cleaner(CleanConfig(comments=True))
    loaded.load(tmp_path / "t.json")
    body = [*paragraphs("next"), standing]
    assert not lost(loaded, body, story("The next story of all", marked_up(body)))
