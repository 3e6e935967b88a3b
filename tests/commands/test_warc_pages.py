from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from spiders.demo.model import DemoPage
from tests.pages import article, article_text
from tests.warcs import write_warc

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.commands.running import Called

SITE = "http://paper.example"
#: In every page of the site, in front of the article, and as long as its paragraphs.
BANNER = "<p>" + "Our readers keep this paper alive and we thank them for it warmly. " * 4 + "</p>"


def page(number: int) -> DemoPage:
    return DemoPage(body=article(number).replace("<p>", BANNER + "<p>", 1).encode())


PAGES = {f"/news/{number}.html": page(number) for number in range(4)} | {
    "/paper.pdf": DemoPage(body=b"%PDF-1.7", content_type="application/pdf"),
    "/gone.html": DemoPage(body=b"<p>Gone.</p>", status=404),
}


@pytest.mark.parametrize("name", ["site.warc", "site.warc.gz"])
def test_the_pages_of_an_archive_are_cleaned_in_order_with_siblings(
    tmp_path: Path, shell: Callable[..., Called], name: str
) -> None:
    write_warc(tmp_path / name, SITE, PAGES)
    called = shell("clean", name, "--json")
    assert called.err == "pages: 4, articles: 4, refused: 0; result: standard output\n"
    records = [json.loads(line) for line in called.out.splitlines()]
    assert [record["url"] for record in records] == [f"{SITE}/news/{n}.html" for n in range(4)]
    assert [record["articleBody"] for record in records] == [
        "\n".join(article_text(number)) for number in range(4)
    ]


def test_an_archive_on_standard_input_is_known_by_its_first_bytes(
    tmp_path: Path, shell: Callable[..., Called], stdin: Callable[[bytes], None]
) -> None:
    write_warc(tmp_path / "site.warc.gz", SITE, PAGES)
    stdin((tmp_path / "site.warc.gz").read_bytes())
    assert shell("clean", "-").err.startswith("pages: 4, articles: 4, refused: 0;")


@pytest.mark.parametrize("name", ["site.warc", "site.warc.gz"])
def test_an_archive_that_is_cut_off_is_named_and_its_pages_are_cleaned(
    tmp_path: Path, shell: Callable[..., Called], name: str
) -> None:
    write_warc(tmp_path / name, SITE, {f"/news/{number}.html": page(number) for number in range(4)})
    raw = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(raw[: len(raw) * 7 // 8])
    called = shell("clean", name)
    assert called.code == 1
    assert f"{name}: cut off: " in called.err
    assert "Story number 2 of the day" in called.out


def test_a_record_without_an_address_is_named_and_the_pages_before_it_are_cleaned(
    tmp_path: Path, shell: Callable[..., Called]
) -> None:
    write_warc(tmp_path / "site.warc", SITE, {f"/news/{n}.html": page(n) for n in range(2)})
    first, _, last = (tmp_path / "site.warc").read_bytes().rpartition(b"WARC-Target-URI:")
    (tmp_path / "site.warc").write_bytes(first + b"X-Other:" + last)
    called = shell("clean", "site.warc")
    assert called.code == 1
    assert "site.warc: cannot be read as a WARC file" in called.err
    assert "Story number 0 of the day" in called.out


def test_several_processes_give_what_one_gives(
    tmp_path: Path, shell: Callable[..., Called]
) -> None:
    write_warc(tmp_path / "site.warc", SITE, PAGES)
    (tmp_path / "bad.html").write_bytes(b"%PDF-1.7")
    words = "clean", "site.warc", "bad.html", "--json"
    alone, many = shell(*words), shell(*words, "--parallel", "2")
    assert many.out.splitlines() == alone.out.splitlines() != []
    assert many.err == alone.err
