import json
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings

from tests.classify.test_class_model import SMALL
from tests.crawling import Crawled, Crawls, spider_of
from tests.pages import article
from tests.server import Reply, Route
from webclean_scrapy.classify.class_model import ClassModel
from webclean_scrapy.crawl.settings_files import checked_config
from webclean_scrapy.errors import ConfigError
from webclean_scrapy.pipelines.classify import OtherClass

MODEL = {
    **SMALL, "intercepts": [0.0, 0.0],
    "terms": {"ferry": [1.0, 1.0, -1.0], "oven": [1.0, -1.0, 1.0]},
}  # fmt: skip


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "m.json"
    ClassModel.from_data(MODEL).save(path)
    return path


def story(seed: int, word: str = "") -> str:
    lines = [
        f"The {word} of number {seed} and {line} was the talk of all who had come to see it, "
        f"since nobody had thought that {seed * 7 + line} {word} would be there so soon."
        for line in range(8)
    ]
    return article(seed, paragraphs=lines)


def crawl(crawls: Crawls, routes: dict[str, Route], model: Path, **settings: Any) -> Crawled:
    given = {"WEBCLEAN_CLASS_MODEL": str(model), "WEBCLEAN_SIBLING_ENABLED": False, **settings}
    return crawls.visit(routes, settings=given)[0]


def test_items_of_other_classes_are_dropped_and_those_without_one_stay(
    crawls: Crawls, model: Path
) -> None:
    routes: dict[str, Route] = {
        "/news/1.html": story(1, "ferry"),
        "/news/2.html": story(2, "oven"),
        "/news/3.html": story(3),
    }
    crawled = crawl(crawls, routes, model, WEBCLEAN_CLASSES=["harbour"])
    assert sorted(item["url"][-6:] for item in crawled.items) == ["1.html", "3.html"]
    assert [type(error) for _, error in crawled.dropped] == [OtherClass]
    assert crawled.counts("class")["dropped/kitchen"] == 1
    assert crawled.counts("page") == {"article": 2, "other_class": 1}


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"WEBCLEAN_CLASSES": "harbour"}, ["WEBCLEAN_CLASSES", "WEBCLEAN_CLASS_MODEL"]),
        ({"WEBCLEAN_MIN_INTEREST": 0.1}, ["WEBCLEAN_MIN_INTEREST", "WEBCLEAN_INTEREST_PROFILE"]),
        ({"WEBCLEAN_CLASSES": "harbor", "WEBCLEAN_CLASS_MODEL": ""}, ["'harbor'", "harbour"]),
    ],
)
def test_a_choice_that_nothing_can_make_ends_the_crawl_before_it_begins(
    model: Path, settings: dict[str, Any], words: list[str]
) -> None:
    if "WEBCLEAN_CLASS_MODEL" in settings:
        settings = {**settings, "WEBCLEAN_CLASS_MODEL": str(model)}
    with pytest.raises(ConfigError) as caught:
        checked_config(Settings(settings))
    assert all(word in str(caught.value) for word in words)


def test_each_item_gets_its_class_and_the_score_of_every_class(crawls: Crawls, model: Path) -> None:
    routes: dict[str, Route] = {
        "/news/1.html": story(1, "ferry"),
        "/news/2.html": story(2, "oven"),
        "/news/3.html": story(3, "Ferry"),
        "/news/4.html": story(4),
        "/news/5.html": Reply(b""),
    }
    crawled = crawl(crawls, routes, model)
    assert crawled.errors == []
    items = sorted(crawled.items, key=itemgetter("url"))  # an empty page waits for nothing
    assert [item["webclean"].get("class") for item in items] == [
        "harbour", "kitchen", "harbour", None, None,
    ]  # fmt: skip
    scores = [item["webclean"].get("class_scores") for item in items]
    assert scores == [
        {"harbour": 0.982, "kitchen": 0.018}, {"harbour": 0.018, "kitchen": 0.982},
        {"harbour": 0.982, "kitchen": 0.018}, None, None,
    ]  # fmt: skip
    assert json.loads(json.dumps(crawled.items)) == crawled.items
    assert crawled.counts("class") == {
        "items/harbour": 2, "items/kitchen": 1, "skipped/no_terms": 1, "skipped/no_text": 1,
    }  # fmt: skip
    item = items[0]
    alone = ClassModel.load(model).predict(item["articleBody"], title=item["headline"])
    assert alone is not None
    assert {name: round(s, 3) for name, s in alone.scores.items()} == scores[0]


def test_items_that_are_dropped_are_not_counted(crawls: Crawls, model: Path) -> None:
    page = story(1, "ferry")
    crawled = crawl(crawls, {"/news/1.html": page, "/news/2.html": page}, model)
    assert len(crawled.dropped) == 1
    assert crawled.counts("class") == {"items/harbour": 1}


@pytest.mark.parametrize(
    "own",
    [{"articleBody": "one oven"}, {"articleBody": "ferry, ferry, oven", "headline": "The oven"}],
)
def test_own_texts_are_classified_as_such(crawls: Crawls, model: Path, own: dict[str, str]) -> None:
    spider = spider_of(lambda url: [{"url": url, **own}])
    given = {"WEBCLEAN_CLASS_MODEL": str(model), "WEBCLEAN_CLEAN_ENABLED": False}
    crawled, _ = crawls.visit({"/news/1.html": story(1, "ferry")}, settings=given, spider=spider)
    assert crawled.items[0]["webclean"]["class"] == "kitchen"


@pytest.mark.parametrize("content", [None, "{}"])
def test_a_model_that_cannot_be_read_stops_the_start(model: Path, content: str | None) -> None:
    model.unlink() if content is None else model.write_text(content)
    message = f"WEBCLEAN_CLASS_MODEL: cannot read {model} as webclean-classes: "
    with pytest.raises(ConfigError, match=message):
        checked_config(Settings({"WEBCLEAN_CLASS_MODEL": str(model)}))
