"""The papers' own methods, end to end: from bytes to the record, by the setting's names."""

from typing import Any

import pytest

from tests.reading import PIER
from webclean_scrapy.cleaning.cleaner import CleanConfig, Cleaner, clean
from webclean_scrapy.cleaning.method_names import DENOISERS, EXTRACTORS
from webclean_scrapy.cleaning.templates.alignment import AlignConfig

SITE = "https://harbour.example"
FEED = (
    "A choir from the islands sang in the fish hall, and the fishmongers kept their knives still.",
    "Two school classes counted every tree in the park and found eleven more than on the plan.",
    "The night bus has a new driver, who tells the passengers about the stars at every stop.",
    "The swimming pool will stay closed until a spare part arrives that nobody makes any longer.",
)
MENU = "".join(f"<li><a href=/s{n}>Section {n} of the paper</a>" for n in range(8))


def page(body: tuple[str, ...] = PIER, feed: tuple[str, ...] = (), title: str = "") -> bytes:
    text = "".join(f"<p>{line}</p>" for line in body)
    side = "".join(f"<p>{line}</p>" for line in feed)
    return (
        f"<html><head><title>{title or 'Old pier closed'} - Harbour News</title></head><body>"
        f"<ul class=menu>{MENU}</ul><div class=page><div class=story>{text}</div></div>"
        f"<div class=feed>{side}</div><div class=foot>Harbour News, 4 March 2026</div>"
        "</body></html>"
    ).encode()


def config(extractor: str, **changes: Any) -> CleanConfig:
    return CleanConfig(extractor=extractor, **changes)


@pytest.mark.parametrize("extractor", EXTRACTORS[:4])
def test_each_finds_the_body_of_a_plain_page_and_says_so(extractor: str) -> None:
    found = clean(page(), url=f"{SITE}/news/11.html", config=config(extractor))

    assert found.text.split("\n") == list(PIER)
    assert found.html.count("<p>") == len(PIER)
    assert found.is_article
    assert (found.extractor, found.fallback) == (extractor, None)
    assert found.to_dict()["extractor"] == extractor


@pytest.mark.parametrize("extractor", EXTRACTORS[1:])
def test_one_that_finds_nothing_leaves_the_page_to_the_default(extractor: str) -> None:
    links = "".join(f"<p><a href=/{n}>Another headline, number {n}</a></p>" for n in range(9))
    for html in (links, "", "<img src=x>", "<a href=x>A link</a>"):
        found = clean(html, config=config(extractor))

        assert (found.extractor, found.fallback) == ("webclean", "nothing")
        assert found.text == clean(html).text


def test_every_extractor_but_entropy_learns_unless_the_denoising_is_off() -> None:
    for extractor in EXTRACTORS:
        for denoise in DENOISERS:
            if (extractor, denoise) == ("lcs", "off"):
                continue
            cleaner = Cleaner(config(extractor, denoise=denoise))
            cleaner.learn(page(FEED[:3], title="Choir"), f"{SITE}/news/12.html")
            cleaner.clean(page(FEED[1:], title="Trees"), f"{SITE}/news/13.html")

            learns = denoise != "off" or extractor == "entropy"
            assert cleaner.config.learns is learns
            assert cleaner.templates.knows_template(f"{SITE}/news/11.html") is learns


@pytest.mark.parametrize("extractor", EXTRACTORS)
@pytest.mark.parametrize(("denoise", "denoised"), [("template", "aligned"), ("lcs", "lcs")])
def test_every_extractor_drops_repeated_text(extractor: str, denoise: str, denoised: str) -> None:
    shared = "All that stands here was written at the harbour office, by the people of the paper."
    siblings = [
        (page((*FEED[:3], shared), title="Choir"), f"{SITE}/news/12.html"),
        (page((*FEED[3:], shared), title="Trees"), f"{SITE}/news/13.html"),
    ]
    html, url = page((*PIER, shared)), f"{SITE}/news/11.html"

    alone = clean(html, url=url, config=config(extractor))
    found = clean(html, url=url, siblings=siblings, config=config(extractor, denoise=denoise))

    assert shared in alone.text
    assert found.text.split("\n") == list(PIER)
    assert (found.extractor, found.denoised, alone.denoised) == (extractor, denoised, None)
    if extractor not in {"webclean", "lcs"}:
        assert [r.why for r in found.removed if r.what == "template"] == ["shared"]


def test_the_best_clusters_of_what_a_sibling_lacks_are_the_body() -> None:
    html, url = page(PIER, ("See also: choir.",)), f"{SITE}/news/11.html"
    sibling = (page(FEED[:3], ("See also: choir.",), title="Choir"), f"{SITE}/news/12.html")
    cleaner = Cleaner(config("lcs"))

    assert cleaner.clean(html, url, [sibling]).text.split("\n") == list(PIER)
    later = cleaner.clean(page(FEED[1:], ("See also: choir.",)), f"{SITE}/news/13.html")
    assert (later.extractor, later.text.split("\n")) == ("lcs", list(FEED[1:]))  # from what it kept


def test_clusters_without_a_sibling_or_within_too_few_cells_leave_the_page_to_the_default() -> None:
    sibling = (page(FEED[:3], title="Choir"), None)
    small = config("lcs", align=AlignConfig(max_cells=3))
    for found in (
        clean(page(), config=config("lcs")),
        clean(page(), siblings=[sibling], config=small),
    ):
        assert (found.extractor, found.fallback) == ("webclean", "nothing")
        assert found.text.split("\n") == list(PIER)


@pytest.mark.parametrize("extractor", ["decay", "entropy", "relevance"])
def test_a_sibling_that_takes_nearly_all_is_not_believed(extractor: str) -> None:
    sibling = page(("A short note.",), FEED, title="Choir")  # its body is where others have more
    html = page()
    found = clean(html, siblings=[(sibling, None)], config=config(extractor))

    assert found.denoised == "aligned"
    assert found.text == clean(html, config=config(extractor)).text


NEWS = FEED[:2]


def story(line: str) -> bytes:
    body = tuple(f"{line} That is the {word} of its parts." for word in ("first", "next", "last"))
    return page(body, ("The newest from the harbour.",), title=line)


BESIDE_FEED = page(PIER, NEWS)  # neither part is heavy enough for the walk to go on


def test_entropy_uses_the_path_that_the_pages_of_the_template_agree_on() -> None:
    cleaner = Cleaner(config("entropy"))
    url = f"{SITE}/news/11.html"
    assert cleaner.clean(BESIDE_FEED, url).text.split("\n")[:5] == [*PIER, *NEWS]

    cleaner = Cleaner(config("entropy"))
    for number, line in enumerate(FEED):  # each with a long story and little beside it
        cleaner.learn(story(line), f"{SITE}/news/{20 + number}.html")
    learned = cleaner.clean(BESIDE_FEED, url)

    assert learned.text.split("\n") == list(PIER)
    assert (learned.extractor, learned.fallback) == ("entropy", None)
