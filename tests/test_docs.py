"""Links in README.md and docs/ have targets, and generated parts equal the code."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs.generate import PARTS, Part, demo_summary, read_part, read_stats
from webclean_scrapy import stats
from webclean_scrapy.settings import SETTINGS

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
README = ROOT / "README.md"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
COMPARED = [part for part in PARTS if part.make is not demo_summary]


def without_blocks(page: Path) -> str:
    text = page.read_text("utf-8")
    return re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """Return the valid targets behind ``#``: the headings as GitHub writes them."""
    headings = re.findall(r"^#+ (.*)$", without_blocks(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


def broken_links(page: Path) -> Iterator[str]:
    for link in re.findall(r"\]\((?!https?:)([^)]+)\)", without_blocks(page)):
        name, _, place = link.partition("#")
        target = page.parent / name if name else page
        if not target.exists() or (place and place not in anchors(target)):
            yield link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_on_a_page_leads_somewhere(page: Path) -> None:
    assert list(broken_links(page)) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_setting_stat_and_target_on_a_page_is_there(page: Path) -> None:
    text = page.read_text("utf-8")
    settings = {setting.name.partition("[")[0] for setting in SETTINGS}
    assert set(re.findall(r"WEBCLEAN_\w*[A-Z]", text)) <= settings
    counted = tuple(value for value in vars(stats).values() if isinstance(value, str))
    groups = tuple(f"{name.rpartition('/')[0]}/" for name in counted)
    named = set(re.findall(r"`(webclean/[\w/]+)`", text))
    assert [name for name in named if not name.startswith(counted) and name not in groups] == []
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert set(re.findall(r"(?:`|^)make ([a-z]+)", text, re.MULTILINE)) <= set(targets)


@pytest.mark.parametrize("part", COMPARED, ids=lambda part: part.name)
def test_a_generated_part_is_what_the_code_makes(part: Part) -> None:
    content = read_part(part.page.read_text("utf-8"), part.name)
    assert content
    assert content.splitlines() == part.make().splitlines(), "make readme writes it anew"


@pytest.mark.parametrize("source", ['A = "w/a"  # one\n', '# pages\nA = "w/a"\n'])
def test_a_stat_without_a_group_or_a_meaning_is_refused(source: str) -> None:
    with pytest.raises(ValueError, match="w/a"):
        list(read_stats(source))
