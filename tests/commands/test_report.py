from pathlib import Path

import pytest

from tests.commands.running import Shell
from tests.report.crawl_reports import data_of, fill_tally, news_url
from webclean_scrapy.report.crawl_report import write_report


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The data of a crawl, in a file of the working folder."""
    path = tmp_path / "monday.json"
    write_report(data_of(fill_tally(60, news_url)), path)
    return path


def test_the_page_is_written_beside_its_data(data: Path, shell: Shell) -> None:
    called = shell("report", str(data))
    page = data.with_suffix(".html")
    assert (called.code, called.out) == (0, "")
    assert str(page) in called.err
    assert "report of a crawl</title>" in page.read_text("utf-8")


def test_several_crawls_are_compared_in_one_page(data: Path, shell: Shell) -> None:
    other = data.with_name("tuesday.json")
    other.write_bytes(data.read_bytes())
    output = data.with_name("week.html")
    assert shell("report", str(data), str(other), "-o", str(output)).code == 0
    page = output.read_text("utf-8")
    assert "Report of 2 crawls" in page
    assert page.index("monday") < page.index("tuesday")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((), 2, "report needs at least one DATA.json"),
        (("none.json",), 1, "none.json"),
        ((".",), 1, "cannot read . as"),
        (("monday.json", "-o", "page.pdf"), 2, "page.pdf"),
        (("monday.json", "-o", "none/page.html"), 2, "-o: "),
        (("articles.jsonl",), 1, "a feed of articles"),
    ],
)
def test_what_cannot_be_is_one_line(
    data: Path, shell: Shell, words: tuple[str, ...], code: int, said: str
) -> None:
    (data.parent / "articles.jsonl").write_text('{"url": "http://a.example/"}\n' * 2)
    called = shell("report", *words)
    assert called.code == code
    assert said in called.err
    assert len(called.err.splitlines()) == 1
    assert sorted(path.name for path in data.parent.iterdir()) == ["articles.jsonl", "monday.json"]
