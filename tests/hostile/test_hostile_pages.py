from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hostile.content import content_kinds
from tests.hostile.markup import markup_kinds
from tests.hostile.pages import TITLE, Hostile
from tests.hostile.size import size_kinds
from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.errors import PageError

KINDS = [*content_kinds(), *markup_kinds(), *size_kinds()]
LARGE = {kind.name for kind in size_kinds()}
# What is still lost, and why. Strict: a kind that is kept must leave this table.
LOST: dict[str, str] = {}  # kinds that lose their sentences, and why
MOST_CPU = {
    "50 megabytes": 90,
    "20 megabytes before": 45,
    "ten megabytes of menu before": 30,
}  # seconds; of others 20
CASES = [
    pytest.param(
        kind,
        id=kind.name,
        marks=[
            pytest.mark.cpu_seconds(MOST_CPU.get(kind.name, 20)),
            # Measuring branches doubles the time, and these pages take no branch of their own.
            *([pytest.mark.no_cover] if kind.name in LARGE else []),
            *([pytest.mark.xfail(reason=LOST[kind.name])] if kind.name in LOST else []),
        ],
    )
    for kind in KINDS
]
CLEAN_ALL = """
import resource
from tests.hostile.test_hostile_pages import KINDS
from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.errors import PageError
dear = {"20 megabytes before", "ten megabytes of menu before"}  # one larger page is among them
pages = [(kind.make(), kind.charset) for kind in KINDS if kind.name not in dear]
start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for body, charset in pages:
    try:
        Cleaner().clean(body, charset=charset).html
    except PageError:
        pass
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - start)
"""
URL = "https://harbour.invalid/news/2026/02/03/pier.html"


def test_there_are_many_kinds_each_of_its_own_name() -> None:
    assert len(KINDS) >= 94
    assert len({kind.name for kind in KINDS}) == len(KINDS)


@pytest.mark.parametrize("kind", CASES)
def test_a_hostile_page_keeps_its_sentences_or_is_refused_or_empty_with_a_reason(
    kind: Hostile,
) -> None:
    try:
        page = Cleaner().clean(kind.make(), URL, charset=kind.charset)
    except PageError:
        if not kind.may_refuse:
            raise
        return
    record = page.to_dict()
    json.dumps(record, ensure_ascii=False).encode()  # no lone surrogates anywhere

    assert [mark for mark in kind.marks if mark not in page.text] == []
    if kind.marks:
        assert page.title == TITLE
    assert page.text or page.kind_reason
    assert not set(page.text) & set("\0\u200b\u202e\u2066\ufeff")
    assert "javascript:" not in page.html
    assert "<script" not in page.html.lower()


@pytest.mark.parametrize(
    "name", ["broken bytes", "unclosed link", "100 000 attributes", "pdf", "empty"]
)
@pytest.mark.cpu_seconds(20)
def test_a_hostile_sibling_does_not_cost_the_page(name: str) -> None:
    hostile = next(kind for kind in KINDS if kind.name == name)
    normal = next(kind for kind in KINDS if kind.name == "plain html")

    page = Cleaner().clean(normal.make(), URL, [(hostile.make(), URL + "?2")])

    assert all(mark in page.text for mark in normal.marks)


def test_all_hostile_pages_together_stay_within_memory() -> None:
    """In a process of its own: a crash of the parser is seen, and its peak is its own."""
    done = subprocess.run(
        [sys.executable, "-c", CLEAN_ALL],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )

    assert done.returncode == 0, done.stderr
    unit = 1 if sys.platform == "darwin" else 1_024
    assert int(done.stdout) * unit < 50 * 20_000_000  # of the largest page but for one
