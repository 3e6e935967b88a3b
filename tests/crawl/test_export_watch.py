"""Fingerprints are confirmed once their items are stored, with any feeds."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any, ClassVar

import pytest
from scrapy.exporters import JsonLinesItemExporter

from tests.crawling import Crawled, CrawlPipeline, Crawls, spider_of
from tests.pages import article, article_text
from tests.pipelines.test_dedup import uri_of
from webclean_scrapy import stats
from webclean_scrapy.crawl import export_watch as export
from webclean_scrapy.crawl.scrapy_private import flush_feed

ITEMS = 30


#: Yields items of one page, each with an address and a text of its own.
ItemsSpider = spider_of(
    lambda _: [
        {"url": f"http://a/{number}", "articleBody": "\n".join(article_text(number))}
        for number in range(ITEMS)
    ]
)


class BucketStorage:
    """Keeps files when they are closed, as a storage on a network does; number LOSES it loses."""

    files: ClassVar[list[bytes]] = []
    loses: ClassVar[int] = -1
    tried: ClassVar[int] = 0

    def __init__(self, uri: str, *, feed_options: Any = None) -> None:
        pass

    def open(self, spider: Any) -> Any:
        return io.BytesIO()

    def store(self, file: Any) -> None:
        cls = type(self)
        cls.tried += 1
        if cls.tried - 1 == cls.loses:
            raise OSError("the bucket is gone")
        cls.files.append(file.getvalue())


class NotesPipeline(CrawlPipeline):
    """Notes fingerprints confirmed and lines that are safe so far, whenever an item comes by."""

    def process_item(self, item: Any) -> Any:
        confirmed, safe = (
            self.stats.get_value(stats.DEDUP_CONFIRMED, 0),
            self.settings["SAFE_LINES"],
        )
        self.stats.get_stats().setdefault("test/notes", []).append((confirmed, safe[0]()))
        return item


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "BATCH", 8)
    monkeypatch.setattr(BucketStorage, "files", [])
    monkeypatch.setattr(BucketStorage, "tried", 0)


def lines_in_bucket() -> int:
    return sum(file.count(b"\n") for file in BucketStorage.files)


def lines_in(folder: Path) -> int:
    return sum(path.read_bytes().count(b"\n") for path in folder.glob("*.jsonl"))


def crawl(crawls: Crawls, safe: Any, feeds: dict[str, Any], **settings: Any) -> Crawled:
    values = {
        "WEBCLEAN_CLEAN_ENABLED": False, "WEBCLEAN_SIBLING_ENABLED": False, "CONCURRENT_ITEMS": 1,
        "FEEDS": feeds, "FEED_STORAGES": {"bucket": BucketStorage},
        "ITEM_PIPELINES": {NotesPipeline: 900}, "SAFE_LINES": [safe],
        **settings,
    }  # fmt: skip
    return crawls.visit({"/": article(1)}, settings=values, spider=ItemsSpider)[0]


LINES = {"format": "jsonlines"}


@pytest.mark.parametrize("size", [1, 3, 5, 100])
@pytest.mark.parametrize("store", ["local", "bucket", "both"])
def test_of_feeds_in_batches_nothing_is_confirmed_before_it_is_stored(
    crawls: Crawls, tmp_path: Path, store: str, size: int
) -> None:
    # One short field: the buffer of a file would hold all lines back.
    options = {**LINES, "batch_item_count": size, "fields": ["url"]}
    uris = {"local": str(tmp_path / "%(batch_id)d.jsonl"), "bucket": "bucket://%(batch_id)d"}
    feeds = {uri: options for name, uri in uris.items() if store in (name, "both")}

    def safe() -> int:
        counts = {"local": lines_in(tmp_path), "bucket": lines_in_bucket()}
        return min(count for name, count in counts.items() if store in (name, "both"))

    crawled = crawl(crawls, safe, feeds)
    notes = crawled.stats["test/notes"]
    assert len(notes) == ITEMS
    assert all(confirmed <= lines for confirmed, lines in notes)
    assert safe() == crawled.counts("dedup")["confirmed"] == ITEMS
    # Scrapy 2.14 stores batches at the end, later ones when they are full.
    assert all(lines - confirmed <= 8 + size for confirmed, lines in notes)
    assert notes[-1][0] > 0 or store != "local"


@pytest.mark.parametrize("lost", [0, 2])
def test_after_a_batch_was_lost_nothing_more_is_confirmed(
    crawls: Crawls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lost: int
) -> None:
    monkeypatch.setattr(BucketStorage, "loses", lost)
    feeds = {"bucket://%(batch_id)d": {**LINES, "batch_item_count": 6}}
    crawled = crawl(crawls, lines_in_bucket, feeds, WEBCLEAN_DEDUP_URI=uri_of(tmp_path))
    confirmed = crawled.counts("dedup").get("confirmed", 0)
    assert confirmed <= 6 * lost
    assert confirmed > 0 or not lost or crawled.stats["test/notes"][-1][1] == 0
    again = crawl(crawls, lines_in_bucket, feeds, WEBCLEAN_DEDUP_URI=uri_of(tmp_path))

    stored = [json.loads(line)["url"] for file in BucketStorage.files for line in file.splitlines()]
    assert set(stored) == {f"http://a/{number}" for number in range(ITEMS)}
    assert len(again.items) == ITEMS - confirmed


def test_with_a_feed_that_takes_other_items_all_is_confirmed_at_the_end(crawls: Crawls) -> None:
    feeds = {"bucket://other": {**LINES, "item_classes": [BucketStorage]}}
    crawled = crawl(crawls, lines_in_bucket, feeds)
    assert crawled.counts("dedup")["confirmed"] == ITEMS
    assert crawled.stats["test/notes"][-1][0] == 0


def test_without_feeds_the_pipelines_have_had_the_item(crawls: Crawls) -> None:
    crawled = crawl(crawls, lines_in_bucket, {})
    assert crawled.stats["test/notes"][-1][0] >= ITEMS - 8
    assert crawled.counts("dedup")["confirmed"] == ITEMS


@pytest.mark.parametrize(
    ("left", "options", "kept"),
    [
        (b'{"url": "whole"}\n{"url": "cu', {}, b'{"url": "whole"}\n{"url": "cu\n'),
        (b'{"url": "whole"}\n', {}, b'{"url": "whole"}\n'),
        (b"", {}, b""),
        (b'{"url": "cu', {"overwrite": True}, b""),
    ],
)
def test_the_line_that_a_kill_has_cut_is_ended(
    crawls: Crawls, tmp_path: Path, left: bytes, options: dict[str, Any], kept: bytes
) -> None:
    feed = tmp_path / "out.jsonl"
    feed.write_bytes(left)
    crawl(crawls, int, {str(feed): {**LINES, **options}})
    content = feed.read_bytes()
    assert content.startswith(kept)
    lines = content[len(kept) :].splitlines()
    assert [json.loads(line)["url"] for line in lines] == [f"http://a/{n}" for n in range(ITEMS)]


def test_a_document_of_another_format_is_left_as_it_is(crawls: Crawls, tmp_path: Path) -> None:
    feed = tmp_path / "out.xml"
    feed.write_bytes(b"<cut")
    crawl(crawls, int, {str(feed): {"format": "xml", "overwrite": False}})
    assert feed.read_bytes().startswith(b"<cut<")


class TextPipeline:
    """Replaces items by ones without URL, so that their outcome is unknown."""

    def process_item(self, item: Any) -> Any:
        return {"text": item["articleBody"]}


def test_items_whose_fate_never_becomes_known_are_followed_up_to_a_number(
    crawls: Crawls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "MAX_FOLLOWED", 10)
    crawled = crawl(crawls, int, {}, ITEM_PIPELINES={TextPipeline: 900})
    assert len(crawled.items) == ITEMS
    assert crawled.counts("dedup")["unfollowed"] == ITEMS - 10
    assert "confirmed" not in crawled.counts("dedup")


def test_keys_of_a_file_are_looked_at_once(crawls: Crawls, monkeypatch: pytest.MonkeyPatch) -> None:
    """A feed on a network is stored at the end: until then each batch looks at those before it."""
    looks: list[Any] = []

    def counted(slot: Any) -> bool:
        looks.append(slot)
        return flush_feed(slot)

    monkeypatch.setattr(export, "flush_feed", counted)
    monkeypatch.setattr(export, "BATCH", 2)  # each item fills one
    crawled = crawl(crawls, int, {"bucket://all": LINES})
    assert crawled.counts("dedup")["confirmed"] == ITEMS
    assert len(looks) <= 2 * ITEMS


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is full")
def test_a_full_disk_ends_the_crawl_and_the_next_one_exports_what_is_missing(
    crawls: Crawls, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    job = {"JOBDIR": str(tmp_path / "job")}
    crawled = crawl(crawls, int, {"/dev/full": LINES}, **job)
    assert crawled.stats["finish_reason"] == "feed_failed"
    assert crawled.stats[f"{stats.DEDUP_NOT_EXPORTED}/OSError"] > 0
    assert crawled.counts("dedup").get("confirmed", 0) == 0
    said = [record.getMessage() for record in caplog.records if "FEEDS: " in record.getMessage()]
    assert len(said) == 1
    assert "No space left on device; the crawl ends" in said[0]

    feed = tmp_path / "out.jsonl"
    crawled = crawl(crawls, int, {str(feed): LINES}, **job)
    assert "this one begins anew" in caplog.text
    assert crawled.stats["finish_reason"] == "finished"
    urls = [json.loads(line)["url"] for line in feed.read_text().splitlines()]
    assert sorted(urls) == sorted(f"http://a/{number}" for number in range(ITEMS))


def test_an_item_that_a_feed_cannot_write_is_forgotten_and_the_others_are_confirmed(
    crawls: Crawls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(JsonLinesItemExporter, "export_item", refuse_the_seventh)
    feed = tmp_path / "out.jsonl"
    crawled = crawl(crawls, int, {str(feed): LINES}, JOBDIR=str(tmp_path / "job"))
    assert crawled.stats["finish_reason"] == "finished"
    assert crawled.stats[f"{stats.DEDUP_NOT_EXPORTED}/TypeError"] == 1
    assert crawled.counts("dedup")["confirmed"] == ITEMS - 1

    monkeypatch.undo()
    crawl(crawls, int, {str(feed): LINES}, JOBDIR=str(tmp_path / "job"))
    urls = [json.loads(line)["url"] for line in feed.read_text().splitlines()]
    assert urls[-1] == "http://a/7"
    assert len(urls) == len(set(urls)) == ITEMS


def refuse_the_seventh(exporter: JsonLinesItemExporter, item: Any) -> None:
    if item["url"].endswith("/7"):
        raise TypeError("a set is not JSON")
    exporter.file.write(exporter.encoder.encode(dict(item)).encode() + b"\n")
