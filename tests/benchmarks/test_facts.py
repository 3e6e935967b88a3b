from __future__ import annotations

from benchmarks.data import Page
from benchmarks.facts import measure_facts, names_in
from benchmarks.sections import facts_section

PARAGRAPHS = "".join(
    f"<p>The ferry came late for the {number}. time this week, the harbour office said.</p>"
    for number in range(2, 9)
)
HTML = (
    "<html><head><title>Ferry late again - Harbour News</title></head><body>"
    f"<h1>Ferry late again</h1><p>By Ann Lee</p><p>3 February 2026</p>{PARAGRAPHS}</body></html>"
)
FACTS = {"title": "Ferry  late again", "date": "2026-02-03 04:05", "author": "", "source": "X"}


def make_page(**facts: str) -> Page:
    return Page(
        html=HTML.encode(), text=HTML, url=None, kind="article", gold="", facts=FACTS | facts
    )


def test_facts_are_right_absent_or_invented() -> None:
    counts = measure_facts({"a": make_page(), "b": make_page(author="Ann  lee")}, ())[
        "webclean"
    ].counts

    assert (counts["title"].known, counts["title"].right) == (2, 2)
    assert (counts["date"].known, counts["date"].right) == (2, 2)
    assert (counts["author"].known, counts["author"].right) == (1, 1)
    assert (counts["author"].absent, counts["author"].invented) == (1, 1)
    assert (counts["source"].known, counts["source"].right) == (2, 0)


def test_what_differs_is_kept() -> None:
    run = measure_facts({"a": make_page(title="Another")}, ())["webclean"]

    assert ("a", "title", "Another", "Ferry late again") in run.wrong


def test_pages_that_are_no_article_or_have_no_labels_are_left_out() -> None:
    page = make_page()
    unlabelled = Page(html=page.html, text=HTML, url=None, kind="article", gold="")

    assert measure_facts({"a": unlabelled}, ())["webclean"].counts == {}


def test_names_are_counted_one_by_one() -> None:
    pages = {"a": make_page(author="By Ann Lee and Bo Ek"), "b": make_page(author="")}
    run = measure_facts(pages, ())["webclean"]
    count = run.counts["author"]

    assert (count.names, count.names_given, count.names_right) == (2, 2, 1)
    assert (count.precision, count.recall, count.f1) == (0.5, 0.5, 0.5)
    assert "| .500 |" in facts_section({"set": {"webclean": run}})


def test_names_are_the_same_however_they_are_joined() -> None:
    for value in ("Ann Lee; Bo Ek", "by Bo Ek & Ann Lee", "ANN LEE, Bo Ek"):
        assert names_in(value) == {"annlee", "boek"}
    assert names_in("王小明 李红") == names_in("记者：李红、王小明")
