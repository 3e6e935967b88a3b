"""The constants of the papers are settings, and each method runs as printed by them alone."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.settings import Settings

from benchmarks.data import ARTICLE, Page
from benchmarks.printed import measure_printed, printed_section, read_printed
from tests.crawling import PageSpider
from tests.pages import article, article_text, listing
from tests.server import SiteServer
from webclean_scrapy import DuplicateIndex
from webclean_scrapy.cleaning.body.body import BodyConfig
from webclean_scrapy.cleaning.body.link_blocks import LinkBlockConfig
from webclean_scrapy.cleaning.cleaner import CleanConfig, clean
from webclean_scrapy.cleaning.papers.decay import DecayConfig
from webclean_scrapy.cleaning.papers.entropy_walk import EntropyConfig
from webclean_scrapy.cleaning.papers.lcs_clusters import ScoreConfig
from webclean_scrapy.cleaning.papers.selection import PapersConfig
from webclean_scrapy.cleaning.papers.source_links import SourceLinkConfig
from webclean_scrapy.cleaning.papers.source_method import SourceConfig
from webclean_scrapy.cleaning.papers.title_relevance import RelevanceConfig
from webclean_scrapy.cleaning.templates.alignment import AlignConfig
from webclean_scrapy.cleaning.templates.feature_tree import SimilarityConfig
from webclean_scrapy.errors import ConfigError
from webclean_scrapy.report.explain import GivenPage, explain_page
from webclean_scrapy.settings import SETTINGS, WebcleanConfig
from webclean_scrapy.settings.method_settings import MethodSettings

if TYPE_CHECKING:
    from tests.crawling import Crawls
    from webclean_scrapy.cleaning.result import CleanedPage
    from webclean_scrapy.settings import Setting

FIELDS = {one.name for one in fields(MethodSettings)}
METHOD_SETTINGS = [one for one in SETTINGS if one.field in FIELDS]
NUMBERS = [one for one in METHOD_SETTINGS if not one.choices]
SITE = "https://ostwick.example/news"

by_name = pytest.mark.parametrize("setting", NUMBERS, ids=lambda one: one.name)


def clean_config(given: dict[str, Any]) -> CleanConfig:
    return WebcleanConfig.from_settings(Settings(given)).clean_config()


def test_without_settings_the_records_have_their_own_defaults() -> None:
    assert WebcleanConfig().clean_config() == CleanConfig()


def test_each_constant_reaches_its_record() -> None:
    given = {
        "EXTRACTOR_MIN_SHARE": 0.2, "DECAY_T": 0.4, "DECAY_DLMAX": 0.7, "DECAY_MIN_LINKS": 1,
        "LINK_BLOCK_DISTANCE": "code", "LINK_BLOCK_DT": 80, "LINK_BLOCK_CT": 3,
        "LINK_STREAM_DT": 41, "LINK_STREAM_CT": 6, "LCS_TS": 0.5, "LCS_CONTENT_RATE": 0.8,
        "LCS_CLOSE": 0.55, "LCS_MIDDLE": 0.65, "ENTROPY_SIMILARITY": 0.9, "ENTROPY_DEPTH": 4,
        "ENTROPY_T": 0.3, "ENTROPY_VARIANCE": 0.1, "ENTROPY_PAGES": 2, "RELEVANCE_P": 0.04,
        "RELEVANCE_P_LATIN": 0.05, "RELEVANCE_M": 0.06, "RELEVANCE_M_LATIN": 0.07,
        "RELEVANCE_S": 2,
    }  # fmt: skip
    assert {name.lower() for name in given} == FIELDS
    made = clean_config({f"WEBCLEAN_{name}": value for name, value in given.items()})
    links = LinkBlockConfig(
        distance="code", max_distance=80, min_links=3, stream_distance=41, min_headlines=6
    )
    source = SourceLinkConfig(distance="code", max_distance=80, min_links=3)
    assert made == CleanConfig(
        body=BodyConfig(link_blocks=links),
        source=SourceConfig(links=source),
        align=AlignConfig(similarity=SimilarityConfig(similar_above=0.5, content_rate=0.8)),
        papers=PapersConfig(
            decay=DecayConfig(max_decay=0.4, max_link_density=0.7, min_links=1),
            entropy=EntropyConfig(
                max_loss=0.3, stop_variance=0.1, depth=4, same_from=0.9, min_pages=2
            ),
            relevance=RelevanceConfig(
                max_links_han=0.04, max_links_latin=0.05, min_marks_han=0.06,
                min_marks_latin=0.07, min_title_hits=2,
            ),
            score=ScoreConfig(close=0.55, middle=0.65),
            min_kept_share=0.2,
        ),
    )  # fmt: skip


@by_name
def test_every_number_that_a_setting_allows_cleans_a_page(setting: Setting) -> None:
    for value in (setting.low, setting.high):
        for extractor in ("webclean", "decay", "entropy", "relevance"):
            given = {setting.name: value, "WEBCLEAN_EXTRACTOR": extractor}
            assert clean(article(1), config=clean_config(given)).text


@by_name
def test_a_number_out_of_range_is_refused_in_one_line_by_its_name(setting: Setting) -> None:
    for value in (setting.low - 1, setting.high + 1, "much"):
        with pytest.raises(ConfigError) as caught:
            clean_config({setting.name: value})
        assert str(caught.value) == f"{setting.name} must be {setting.expected}, got {value!r}"


RECIPES = read_printed()


def run(paper: str, html: str, siblings: tuple[str, ...] = ()) -> CleanedPage:
    others = [(other, f"{SITE}/2{n}.html") for n, other in enumerate(siblings)]
    config = clean_config(RECIPES[paper])
    return clean(html, url=f"{SITE}/11.html", siblings=others, config=config)


def test_each_paper_with_a_constant_has_its_settings_with_every_printed_value() -> None:
    papers = {one.paper[0] for one in SETTINGS if one.paper}
    assert papers == set(RECIPES)
    for one in SETTINGS:
        if one.paper and re.fullmatch(r"[\d.]+", one.paper[1]):
            assert RECIPES[one.paper[0]][one.name] == float(one.paper[1]), one.name


def test_every_constant_names_its_paper() -> None:
    unnamed = [one.name for one in METHOD_SETTINGS if not one.paper]
    assert unnamed == ["WEBCLEAN_EXTRACTOR_MIN_SHARE"]  # ours; the papers have no such step


def test_decay_as_printed_finds_the_body_and_cuts_blocks_of_links() -> None:
    one_link = '<div class="ad"><a href="/ad">Lamps and clocks at half the price</a></div>'
    html = article(1).replace('<div class="body">', f'<div class="body">{one_link}')
    found = run("Chen et al. 2012", html)
    assert (found.extractor, found.fallback) == ("decay", None)
    assert article_text(1) == found.text.split("\n")
    kept = clean(html, config=CleanConfig(extractor="decay", denoise="off"))
    assert "half the price" in kept.text  # by default a block has two links or more


def test_link_blocks_as_printed_are_found_over_the_code() -> None:
    html = listing([f"/news/{n}.html" for n in range(3)])
    found = run("Wang et al. 2014", html)
    (block,) = found.trace.evidence.link_blocks.blocks
    assert block.links == 5  # two of the menu too: less than 80 characters of code are between
    assert len(clean(html).trace.evidence.link_blocks.blocks) == 1  # five in text as well
    few = listing(["/news/1.html"])
    assert [b.links for b in run("Wang et al. 2014", few).trace.evidence.link_blocks.blocks] == [3]
    assert not clean(few).trace.evidence.link_blocks.blocks


def test_lcs_as_printed_takes_what_the_sibling_lacks() -> None:
    found = run("Song et al. 2011", article(1), (article(2),))
    assert (found.extractor, found.denoised, found.fallback) == ("lcs", "lcs", None)
    assert set(article_text(1)) <= set(found.text.split("\n"))
    assert "All rights reserved" not in found.text


def test_entropy_as_printed_stops_by_the_variance_and_follows_the_path_of_one_page() -> None:
    found = run("Entropy path", article(1), (article(2),))
    assert (found.extractor, found.denoised, found.fallback) == ("entropy", None, None)
    assert set(article_text(1)) <= set(found.text.split("\n"))
    assert "All rights reserved" in found.text  # the body stands out, and there the rule stops


@pytest.mark.parametrize("marks", [True, False])
def test_relevance_as_printed_asks_for_a_mark_in_ten_characters(marks: bool) -> None:
    text = "Story: a, b; c, d. " * 9 if marks else "Story of a day, without much to stop it. " * 9
    found = run("Features 3", article(1, paragraphs=[text.strip()]))
    assert found.extractor == ("relevance" if marks else "webclean")
    assert text.strip() in found.text


@pytest.mark.parametrize("paper", ["Features 2", "Features 7"])
def test_a_copy_is_found_as_printed(paper: str) -> None:
    config = WebcleanConfig.from_settings(Settings(RECIPES[paper]))
    with DuplicateIndex(**config.dedup_options()) as index:
        assert index.check_and_add("a", "\n".join(article_text(1))) is None
        copy = index.check_and_add("b", "\n".join([*article_text(1), "Sent in by a reader."]))
        assert copy is not None
        assert copy.key == "a"
        assert index.check_and_add("c", "\n".join(article_text(2))) is None


@pytest.mark.parametrize("paper", ["Chen et al. 2012", "Song et al. 2011", "Entropy path"])
def test_a_crawl_uses_the_method_as_printed(crawls: Crawls, paper: str) -> None:
    pages = {f"/news/{n}.html": article(n, [f"/news/{3 - n}.html"]) for n in (1, 2)}
    with SiteServer(pages) as site:
        crawled = crawls.run(PageSpider, RECIPES[paper], urls=[site.url("/news/1.html")])
    (item,) = crawled.items
    record = item["webclean"]
    assert record["extractor"] == RECIPES[paper]["WEBCLEAN_EXTRACTOR"]
    assert record["denoised"] == ("lcs" if paper == "Song et al. 2011" else None)
    learns = paper != "Chen et al. 2012"
    assert site.paths() == ["/news/1.html", *["/news/2.html"] * learns]


def test_a_sibling_that_only_votes_is_shown_as_not_compared() -> None:
    config = CleanConfig(extractor="entropy", denoise="off")
    one, other = (GivenPage(str(n), article(n).encode(), f"{SITE}/{n}.html") for n in (1, 2))
    (view,) = explain_page(one, config, [other]).siblings
    assert view.refused == "not_asked"


def test_the_benchmark_shows_each_method_of_cleaning_as_printed() -> None:
    html, text = article(1), "\n".join(article_text(1))
    page = Page(html=html.encode(), text=html, url=f"{SITE}/1.html", kind=ARTICLE, gold=text)
    pages = {"1": page}
    scores = dict(measure_printed({"made": pages}))
    assert set(scores) == set(RECIPES) - {"Features 2", "Features 7"}
    assert scores["Chen et al. 2012"]["made"] == pytest.approx((1, 1), abs=0.1)
    printed, ours = scores["Entropy path"]["made"]
    assert printed < ours
    assert scores["Features 3"]["made"][0] == 0  # left to the default one: too few marks
    assert "| Entropy path " in printed_section(scores)
