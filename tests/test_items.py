"""How the fields of an article get into an item."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import attrs
import pydantic
import pytest
import zyte_common_items
from itemadapter import ItemAdapter

from tests.test_item_names import PAGE, URL, Person, filled
from webclean_scrapy import ArticleItem, clean
from webclean_scrapy.items import ARTICLE_FIELDS, fill_empty, fill_item, page_fields


def test_every_field_is_written_so_that_all_items_have_the_same_columns() -> None:
    cleaned = clean("<html><body><p>Bare.</p></body></html>", url=URL).to_dict()
    bare: dict[str, Any] = {"url": URL}
    assert fill_item(ItemAdapter(bare), cleaned, None) == []
    assert set(bare) == set(ARTICLE_FIELDS) == set(filled({"url": URL}))
    assert (bare["datePublished"], bare["authors"], bare["images"]) == (None, [], [])
    failed: dict[str, Any] = {"headline": "mine"}
    fill_empty(ItemAdapter(failed), error="not_html")
    assert set(failed) == set(ARTICLE_FIELDS)
    assert (failed["headline"], failed["webclean"]) == ("mine", {"error": "not_html"})


def test_an_article_of_zyte_gets_the_objects_that_its_class_names() -> None:
    item = filled(zyte_common_items.Article(url=URL))
    assert item.authors == [zyte_common_items.Author(name=name) for name in ("Ada Vos", "Ben Oda")]
    assert isinstance(item.mainImage, zyte_common_items.Image)
    assert item.mainImage.url == "https://a.example/b.jpg"
    assert item.images == [item.mainImage]
    assert "bridge was opened" in item.articleBody


@dataclass
class Picture:
    url: str
    caption: str  # more than a page says: the field gets a dict


class Story(pydantic.BaseModel):
    articleBody: str = ""  # noqa: N815
    authors: list[Person] | None = None
    images: list[Picture] = []


@dataclass
class Vague:
    articleBody: str = ""  # noqa: N815
    authors: NoSuchName = field(default_factory=list)  # type: ignore[name-defined]  # noqa: F821


def test_classes_of_the_project_are_used_where_a_name_or_a_url_is_enough() -> None:
    item = filled(Story())
    assert item.authors == [Person("Ada Vos"), Person("Ben Oda")]
    assert item.images == [{"url": "https://a.example/b.jpg"}]
    assert filled(Vague()).authors == [{"name": "Ada Vos"}, {"name": "Ben Oda"}]


class NamesModel(pydantic.BaseModel):
    authors: list[str] = []


NamesData = dataclasses.make_dataclass("NamesData", [("authors", Sequence[str], ())])
NamesAttrs = attrs.make_class("NamesAttrs", {"authors": attrs.field(default=(), type=list[str])})


@pytest.mark.parametrize("kind", [NamesModel, NamesData, NamesAttrs])
def test_a_field_that_is_said_to_hold_strings_gets_strings(kind: Any) -> None:
    assert filled(kind()).authors == ["Ada Vos", "Ben Oda"]
    assert filled(ArticleItem(url=URL)).authors == [{"name": "Ada Vos"}, {"name": "Ben Oda"}]


def test_fields_that_an_item_lacks_or_refuses_are_returned() -> None:
    cleaned = clean(PAGE, url=URL).to_dict()
    assert fill_item(ItemAdapter(zyte_common_items.Article(url=URL)), cleaned, None) == [
        "keywords", "webclean",
    ]  # fmt: skip
    frozen = dataclasses.make_dataclass("Frozen", [("articleBody", str, "")], frozen=True)
    assert fill_item(ItemAdapter(frozen()), cleaned, None) == list(ARTICLE_FIELDS)

    class Own(dict[str, Any]):
        def __setitem__(self, name: str, value: Any) -> None:
            assert name != "keywords"
            super().__setitem__(name, value)

    own = Own(url=URL)
    assert fill_item(ItemAdapter(own), cleaned, None) == ["keywords"]
    assert own["articleBody"]


def test_only_the_wanted_fields_are_written() -> None:
    item: dict[str, Any] = {"mine": 1}
    cleaned = clean(PAGE, url=URL).to_dict(page_fields(["headline", "images"]))
    assert fill_item(ItemAdapter(item), cleaned, None, ["headline", "images"]) == []
    assert item == {
        "mine": 1, "headline": "The bridge", "images": [{"url": "https://a.example/b.jpg"}],
    }  # fmt: skip
    failed: dict[str, Any] = {}
    fill_empty(ItemAdapter(failed), ["headline", "images"], error="not_html")
    assert failed == {"headline": None, "images": []}


@pytest.mark.parametrize("body", [None, "word " * 10_000])
def test_an_item_takes_one_short_line_in_the_log(body: str | None) -> None:
    item = ArticleItem(url=URL, headline="The bridge", articleBody=body)
    assert repr(item).startswith(f"<ArticleItem {URL} 'The bridge' not cleaned, ")
    assert repr(filled(ArticleItem(url=URL))).endswith("'The bridge' article, 431 characters>")
    assert len(repr(item)) < 120
