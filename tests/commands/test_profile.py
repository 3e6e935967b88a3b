import gzip
import json
from pathlib import Path

import pytest

from tests.commands.running import Shell
from tests.pages import article
from webclean_scrapy.keywords.interest_profile import InterestProfile

BRIDGES = ["The bridge over the Amber has opened. Engineers admire the bridge.", "Bridge repaired"]


@pytest.fixture
def feed(tmp_path: Path) -> Path:
    path = tmp_path / "kept.jsonl"
    lines = [{"headline": "A bridge", "articleBody": text} for text in BRIDGES]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_saved_pages_and_packed_feeds_go_together(feed: Path, shell: Shell) -> None:
    (feed.parent / "page.html").write_text(article(1), encoding="utf-8")
    packed = feed.parent / "kept.jsonl.gz"
    packed.write_bytes(gzip.compress(feed.read_bytes()))
    again = ("-s", "WEBCLEAN_INTEREST_PROFILE=p")  # the one that is made anew
    for words in ((), again):
        done = shell("profile", "page.html", "page.html", "kept.jsonl.gz", "-o", "p", *words)
        assert done.code == 0, done.err
    profile = InterestProfile.load(feed.parent / "p")
    assert profile.pages == 3
    assert "bridge" in {word for word, _ in profile.terms}
    printed = [line.split()[1] for line in done.out.splitlines()]
    assert printed == [word for word, _ in profile.terms]


def test_other_fields_of_a_feed_can_be_named(tmp_path: Path, shell: Shell) -> None:
    (tmp_path / "a.jsonl").write_text('{"name": "Harbour", "body": "ferry"}\n{"body": 5}\n')
    options = ["--title", "name", "--text", "body", "-o", "p"]
    assert shell("profile", "a.jsonl", *options).code == 0
    assert {word for word, _ in InterestProfile.load(tmp_path / "p").terms} == {"harbour", "ferry"}


def test_what_cannot_be_read_is_named_and_the_others_are_used(feed: Path, shell: Shell) -> None:
    with feed.open("a") as file:
        file.write('{"cut": \n')
    done = shell("profile", "none.html", feed.name, "-o", "p.json")
    assert done.code == 1
    errors = done.err.splitlines()
    assert any("none.html" in line for line in errors)
    assert any("kept.jsonl:3: invalid JSON" in line for line in errors)
    assert InterestProfile.load(feed.parent / "p.json").pages == 2


@pytest.mark.parametrize(
    ("name", "content"), [("page", "<p>1 2 3"), ("a.jsonl", '{"headline": null}\n')]
)
def test_no_profile_without_a_text(tmp_path: Path, name: str, content: str, shell: Shell) -> None:
    (tmp_path / name).write_text(content)
    done = shell("profile", name, "-o", "p.json")
    assert done.code == 1
    assert done.err.splitlines()[-1].startswith("webclean profile: no profile: ")
    assert not (tmp_path / "p.json").exists()


def test_a_file_that_is_no_profile_is_not_overwritten(feed: Path, shell: Shell) -> None:
    before = feed.read_bytes()
    done = shell("profile", feed.name, "-o", feed.name)
    assert done.code == 1
    assert "kept.jsonl" in done.err
    assert feed.read_bytes() == before
