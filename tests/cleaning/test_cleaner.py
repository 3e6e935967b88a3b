import pickle
import random

import pytest

from tests.commands.running import printed_by
from tests.reading import LONG_PARAGRAPH, PARAGRAPH, PIER
from webclean_scrapy.cleaning.body.link_blocks import LinkBlockConfig
from webclean_scrapy.cleaning.body.models import BodyConfig
from webclean_scrapy.cleaning.cleaner import CleanConfig, Cleaner, clean
from webclean_scrapy.cleaning.page.guard import GuardConfig
from webclean_scrapy.errors import ConfigError, NotHtmlError, PageTooLargeError

BODIES = {
    "pier": PIER,
    "bridge": (
        "The new bridge was opened on Friday by the mayor and by some four hundred schoolchildren.",
        "Building it took three years and cost a fifth less than the council had once set aside.",
        "Lorries may use it from next week on, when the signs on the northern bank have been set.",
    ),
}
TITLES = {
    "pier": "Old pier closed after divers found cracks in two pillars",
    "bridge": "New bridge opened by the mayor and four hundred schoolchildren",
}
NOTICE = (
    "Our newsletter tells you every morning what has happened in the harbour, and costs nothing."
)


def page(key: str, notice: str = NOTICE) -> str:
    paragraphs = "".join(f"<p>{text}</p>" for text in BODIES[key])
    return (
        f"<html><head><title>{TITLES[key]} - Harbour News</title></head><body>"
        "<div id=menu><a href=/>Home</a> <a href=/news/>News</a></div>"
        f"<div class=story><h1>{TITLES[key]}</h1>{paragraphs}<p class=note>{notice}</p></div>"
        "<div id=foot>Harbour News, 1 Quay Street</div></body></html>"
    )


def url(key: str) -> str:
    return f"https://harbour.invalid/news/{len(key)}.html"


def text(key: str) -> str:
    return "\n".join(BODIES[key])


def test_a_page_is_cleaned_by_itself() -> None:
    found = clean(page("pier"), url("pier"))
    assert found.url == url("pier")
    assert text("pier") in found.text
    assert "Home" not in found.text
    assert "Quay Street" not in found.text
    assert (found.title, found.kind, found.is_article) == (TITLES["pier"], "article", True)
    assert found.sibling_url is None


def test_a_cleaner_takes_options_by_name_and_lists_the_extractors() -> None:
    cleaner = Cleaner(extractor="decay")
    assert cleaner.clean(page("pier")).trace.body.extractor == "decay"
    with pytest.raises(ValueError, match=r"extractor must be one of .*'decay', 'entropy'.*'no'"):
        Cleaner(extractor="no")


def test_no_keywords_are_found_when_none_are_wanted() -> None:
    assert Cleaner(keywords=0).clean(page("pier")).to_dict()["keywords"] == []


def test_denoising_can_be_switched_off() -> None:
    cleaner = Cleaner(CleanConfig(denoise="off"))
    cleaner.clean(page("bridge"), url("bridge"))
    siblings = [(page("bridge"), url("bridge"))]
    found = cleaner.clean(page("pier"), url("pier"), siblings)
    assert NOTICE in found.text
    assert found.sibling_url is None
    assert not cleaner.templates.knows_template(url("pier"))


def test_a_failed_sibling_never_costs_the_page() -> None:
    siblings: list[tuple[bytes | str, str | None]] = [
        (b"%PDF-1.7 ...", url("pier")), ("", None), (page("pier"), None),
        (page("bridge"), url("bridge")),
    ]  # fmt: skip
    found = clean(page("pier"), url=url("pier"), siblings=siblings)
    assert found.text.removeprefix(TITLES["pier"] + "\n") == text("pier")
    assert found.sibling_url == url("bridge")


def test_what_is_no_page_or_too_large_to_be_read_is_refused() -> None:
    with pytest.raises(TypeError, match="bytes or str"):
        clean(None)  # type: ignore[arg-type]
    with pytest.raises(NotHtmlError):
        clean(b"%PDF-1.7 ...")
    with pytest.raises(PageTooLargeError):
        clean(page("pier"), config=CleanConfig(max_body_bytes=100, max_scan_bytes=200))
    with pytest.raises(PageTooLargeError):
        clean("<p>x" * 50, config=CleanConfig(max_tags=20, max_scan_bytes=0))


@pytest.mark.parametrize(
    ("config", "name", "value"),
    [
        (CleanConfig, "max_scan_bytes", -1),
        (BodyConfig, "min_kept_share", -0.1), (BodyConfig, "min_kept_share", 1.1),
        (GuardConfig, "max_bytes", 0), (GuardConfig, "max_tags", 0),
        (GuardConfig, "max_attributes", 0), (LinkBlockConfig, "distance", "words"),
        (LinkBlockConfig, "max_distance", 0), (LinkBlockConfig, "min_links", 1),
        (LinkBlockConfig, "max_plain_share", 1.5), (LinkBlockConfig, "max_plain_share", -1),
        (LinkBlockConfig, "stream_distance", 0), (LinkBlockConfig, "min_headlines", 1),
        (LinkBlockConfig, "min_headline_units", 0),
    ],
)  # fmt: skip
def test_wrong_values_are_refused_by_name(config: type, name: str, value: float | str) -> None:
    with pytest.raises(ConfigError, match=rf"{name} must .*{value}"):
        config(**{name: value})


@pytest.mark.parametrize(
    ("before", "config", "reason"),
    [
        ("", CleanConfig(max_body_bytes=100), "bytes"),
        ("<p>x" * 50, CleanConfig(max_tags=50), "tags"),
    ],
)
def test_a_page_that_is_not_parsed_is_read_from_its_source(
    before: str, config: CleanConfig, reason: str
) -> None:
    html, usual = page("pier"), clean(page("pier"))
    found = clean(
        html.replace("<body>", f"<body>{before}", 1), config=config, url="http://a.example/1.html"
    )

    assert (found.extractor, found.fallback, found.body_xpath) == ("source", reason, None)
    assert set(usual.text.split("\n")) <= set(found.text.split("\n"))
    assert found.title == usual.title
    assert found.date_published == usual.date_published
    assert found.is_article
    assert found.confidence <= 0.5
    assert set(usual.keywords) & set(found.keywords)
    assert "<p>" in found.html


def test_a_page_that_was_not_parsed_teaches_no_template() -> None:
    cleaner = Cleaner(CleanConfig(max_tags=20))

    assert cleaner.clean("<p>some text" * 50, "http://a.example/1.html").extractor == "source"
    assert not len(cleaner.templates)
    with pytest.raises(PageTooLargeError):
        cleaner.learn("<p>" * 50)


def test_link_blocks_of_a_source_are_removed_with_their_amount() -> None:
    menu = "<ul>" + "".join(f"<li><a href=/{at}>Part {at}</a>" for at in range(9)) + "</ul>"
    text = "<p>" + "The pier was closed on Monday after a crack was found in its base. " * 3
    found = clean(text + menu + text, config=CleanConfig(max_tags=5))

    (removed,) = found.removed
    assert (removed.what, removed.why, removed.how_much) == ("link_block", "close_links", 9 * 6)
    assert "Part" not in found.text + found.html


def test_scripts_are_no_reason_not_to_parse() -> None:
    comparison = "<script>for(i=0;i<n;s++){" + " ".join(f"a{at}=b;" for at in range(3_000))
    large = f"{comparison}}}</script><!-- {'x' * 1_000} -->" + page("pier")

    assert clean(large).extractor == "webclean"
    limit = CleanConfig(max_body_bytes=len(page("pier").encode()) + 10)
    assert clean(large, config=limit).text == clean(page("pier")).text


def test_a_bomb_is_not_hidden_by_a_false_script() -> None:
    bomb = f"<p {' '.join(f'a{at}' for at in range(3_000))}>x</p>"
    for before, after in (
        ("<i title='<script>'>", "</script>"),
        ("<!--><script>-->", "</script>"),
        ("<!-- <script> -->", "</script>"),
        ("<textarea><script></textarea>", "</script>"),
    ):
        assert clean(before + bomb + after + page("pier")).title == clean(page("pier")).title


def test_warming_up_loads_what_pages_need_and_leaves_nothing_behind() -> None:
    program = """
import sys
from webclean_scrapy.cleaning.cleaner import Cleaner

cleaner = Cleaner()
late = {"rjieba", "opencc", "py3langid"}
before = late & set(sys.modules)
cleaner.warm_up()
warm = set(sys.modules)
for text in ("The quay was wet and cold this morning, said the office.", "今天早上码头又湿又冷。"):
    cleaner.clean(f"<p>{text}").to_dict()
print(len(before), len(late & warm) > 1, set(sys.modules) - warm, len(cleaner.templates))
"""
    assert printed_by(program) == "0 True set() 0"


def test_a_configuration_reaches_worker_processes_whole() -> None:
    config = pickle.loads(pickle.dumps(CleanConfig(keywords=3)))  # noqa: S301
    page = f"<h1>The pier</h1>{LONG_PARAGRAPH}<div class=comments>{PARAGRAPH}</div>"

    assert Cleaner(config).clean(page).text == Cleaner().clean(page).text


STORIES = (
    "keeper gauge gale kettle kelp brick salt clay mason bell buoy diver chord tram rails depot"
).split()
BOX = "Readers who like our harbour reports can have them on paper each Friday at the kiosk."


def story(number: int) -> tuple[str, str]:
    """A page with a box amid its text, whose class is another one on each page."""
    words = random.Random(number).sample(STORIES, 8)
    paragraphs = [
        f"<p>The {word} and the {words[at - 3]} were spoken of in {words[at - 4]} hall, and few of "
        f"those who had seen the {words[at - 5]} could say why it had come to that, least of all "
        f"the {words[at - 1]}.</p>"
        for at, word in enumerate(words)
    ]
    paragraphs.insert(5, f"<div class={'ab'[number % 2]}{words[0][::-1]}><p>{BOX}</p></div>")
    title = f"The {words[0]} and the {words[1]}"
    html = (
        f"<title>{title}</title><ul class=menu><li><a href=/>Home</a><li><a href=/n/>News</a></ul>"
        f"<h1>{title}</h1><div class=text>{''.join(paragraphs)}</div>"
    )
    return html, f"http://a.example/news/{number}-{words[0]}-{words[1]}-report"


@pytest.mark.parametrize("count", [2, 3, 5])
def test_learned_pages_are_aligned_as_cleaned_ones_are(count: int) -> None:
    learner, crawl = Cleaner(), Cleaner()
    for number in range(count):
        learner.learn(*story(number))
        crawl.clean(*story(number))

    texts = [cleaner.clean(*story(9)).text for cleaner in (learner, crawl)]

    assert texts[0] == texts[1]
    assert BOX not in texts[0]
