from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.reading import table_of
from webclean_scrapy.cleaning.page.keys import (
    place_keys,
    text_key,
    tree_keys,
    tree_likeness,
)
from webclean_scrapy.cleaning.page.parse import parse
from webclean_scrapy.cleaning.page.table import PageTable, build_table
from webclean_scrapy.cleaning.templates.sketch import (
    PageSketch,
    is_same_template,
    refuse,
    sketch_page,
)
from webclean_scrapy.cleaning.templates.template import (
    MAX_BYTES,
    PAGES_KEPT,
    Template,
    template_evidence,
)

LONG = "The {} of the harbour was measured twice last week, and both results were sent to town."
URL = "http://a.example/news/1.html"


def page(*body: str, menu: str = "Home", count: int = 5, teaser: str = "A story") -> PageTable:
    paragraphs = "".join(f"<p>{text}</p>" for text in body)
    return build_table(
        parse(
            f"<body class='page-{count}'><div id=menu>{menu}</div><div id=post-{count} class=text>"
            f"{paragraphs}</div><div class=more>{teaser}</div><p id=count>Read {count} times</p>"
        )
    )


def lines_of(table: PageTable, *parts: str) -> list[int]:
    return [n for n, text in enumerate(table.lines.text) if any(part in text for part in parts)]


def sketch(table: PageTable, url: str | None = URL, body: str = "harbour") -> PageSketch:
    row = next((row for row, name in enumerate(table.classes) if name == "text"), None)
    return sketch_page(table, url, lines_of(table, body), row)


def test_places_are_alike_but_for_digits_and_the_classes_of_the_roots() -> None:
    one, other = page(LONG, count=5), page(LONG, count=731)
    assert place_keys(one) == place_keys(other)
    named = [table_of(f"<body class={name}><p>x") for name in ("sport", "arts")]
    assert place_keys(named[0]) == place_keys(named[1])
    changed = table_of("<body><div id=menu>Home</div><div id=foot>x</div><p></p>")
    assert len(set(place_keys(changed).values())) == 4  # of elements that hold text


def test_keys_are_the_same_in_every_process() -> None:
    program = "from webclean_scrapy.cleaning.page.keys import text_key; print(text_key('正文 12'))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert int(run.stdout) == text_key("正文 12") == text_key("正文 7")


def test_a_text_in_the_same_place_of_another_page_is_repeated() -> None:
    target = page(LONG.format("depth"), menu="Home", count=9, teaser="Another story")
    found = template_evidence(target, [sketch(page(LONG.format("width"), count=12))])
    assert [bool(found.repeated[line]) for line in range(4)] == [True, False, False, True]


def test_other_text_in_a_place_that_was_never_body_is_foreign() -> None:
    target = page(LONG.format("depth"), teaser="Another story")
    found = template_evidence(target, [sketch(page(LONG.format("width")))])
    assert [bool(found.foreign[line]) for line in range(4)] == [True, False, True, True]
    assert [bool(found.familiar[line]) for line in range(4)] == [False, True, False, False]


def test_a_place_that_was_body_once_is_not_foreign() -> None:
    never = sketch(page(LONG.format("width")), body="nothing")
    assert template_evidence(page(LONG), [never]).foreign[1]
    once = template_evidence(page(LONG), [never, sketch(page(LONG.format("width")))])
    assert not once.foreign[1]
    assert once.familiar[1]


def test_numbers_in_a_body_make_another_report_and_not_boilerplate() -> None:
    weather = "The water in the harbour was {} degrees warm this morning, said the office in town."
    other = [sketch(page(weather.format(12)))]
    assert not template_evidence(page(weather.format(14)), other).repeated[1]
    assert template_evidence(page(weather.format(12)), other).repeated[1]


def test_the_paths_of_bodies_are_kept() -> None:
    target = page(LONG)
    row = target.classes.index("text")
    found = template_evidence(target, [sketch(page(LONG)), sketch(table_of("x"))])
    assert found.body_rows == {row}


def test_a_sibling_of_the_same_template_is_of_use() -> None:
    assert refuse(sketch(page(LONG.format("depth"))), sketch(page(LONG.format("width")))) is None


def test_reasons_to_refuse_a_sibling() -> None:
    own = sketch(page(LONG.format("depth"), LONG.format("width")))
    assert refuse(own, own) == "identical"
    assert refuse(own, sketch(page(LONG), body="nothing")) == "not_article"
    same = sketch(page(LONG.format("depth"), LONG.format("colour"), menu="Start"))
    assert refuse(own, same) == "same_article"
    other = table_of(f"<main><section class=text>{LONG.format('price')}")
    assert refuse(own, sketch(other)) == "unlike"


def test_up_to_a_third_of_the_body_may_be_shared() -> None:
    texts = [LONG.format(word) for word in ("depth", "width", "colour", "taste")]
    own = sketch(page(*texts))
    assert refuse(own, sketch(page(texts[0], LONG.format("price")))) is None
    assert refuse(own, sketch(page(texts[0], texts[1]))) == "same_article"


def test_a_page_without_a_body_can_use_any_article_of_its_template() -> None:
    assert refuse(sketch(page("Short.")), sketch(page(LONG))) is None


@pytest.mark.cpu_seconds(10)
def test_a_page_of_many_lines() -> None:
    table = table_of("<p class=c>line</p>" * 50_000)
    assert len(sketch(table, body="line").text_keys) == 1
    assert sum(template_evidence(table, [sketch(table)]).repeated) == 50_000


def test_pages_of_one_template_have_like_upper_levels() -> None:
    one, other = sketch(page(LONG)), sketch(page("Short.", "Other.", count=77))
    assert is_same_template(one, other)
    assert tree_likeness(one.tree, other.tree) == 1
    listed = table_of("<body><div id=menu></div><ul class=list><li>a<li>b<li>c</ul>")
    assert not is_same_template(one, sketch(listed))


def test_repeated_containers_count_as_often_as_they_stand() -> None:
    def tree(items: int) -> Any:
        table = table_of("<body><ul>" + "<li>x</li>" * items + "</ul>")
        return tree_keys(table, place_keys(table))

    assert tree_likeness(tree(2), tree(8)) == pytest.approx(2 * 4 / (4 + 10))
    assert tree_likeness(tree(8), tree(2)) == tree_likeness(tree(2), tree(8))


def test_the_set_form_of_likeness_is_that_of_the_trees_where_order_is_kept() -> None:
    from webclean_scrapy.cleaning.papers.entropy_path import build_simple_tree, tree_similarity

    parts = ["<div id=menu>m</div>", "<div id=main><div class=text><p>x</div></div>",
             "<ul><li>a</li><li>b</li></ul>", "<div id=foot><div>f</div></div>"]  # fmt: skip
    pages = [table_of("<body>" + "".join(parts[:n])) for n in range(1, 5)]
    for one in pages:
        for other in pages:
            trees = build_simple_tree(one), build_simple_tree(other)
            keys = (tree_keys(table, place_keys(table)) for table in (one, other))
            assert tree_likeness(*keys) == pytest.approx(tree_similarity(*trees))


def test_a_template_keeps_its_newest_pages_each_once() -> None:
    template = Template("shape", 0, ())
    for number in (1, 2, 1, 3, 4, 5):
        template = template.with_page(sketch(page(LONG), f"http://a.example/{number}"))
    assert [each.url for each in template.pages] == [
        f"http://a.example/{number}" for number in (1, 3, 4, 5)[-PAGES_KEPT:]
    ]


def test_a_template_stays_within_its_bytes() -> None:
    long = build_table(parse("".join(f"<p id=p{'x' * n}>line {n}</p>" for n in range(1_400))))
    template = Template("shape", 0, ())
    for number in range(4):
        template = template.with_page(sketch(long, f"http://a.example/{number}"))
        assert template.nbytes <= MAX_BYTES
    assert 1 < len(template.pages) < 4


def test_a_sketch_is_plain_values_and_back() -> None:
    own = sketch(page(LONG, "Read 5 times", count=3))
    data = json.loads(json.dumps(own.to_data()))
    again = PageSketch.from_data(data)
    assert again.to_data() == own.to_data()
    assert refuse(own, again) == "identical"
    assert again.nbytes == own.nbytes


@pytest.mark.parametrize(
    "change",
    [{"text_keys": [2**64]}, {"tree": [-1]}, {"tree": [2**64]}, {"body_chain": 5}, {"more": 1}],
)
def test_a_sketch_of_other_values_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises((ValueError, TypeError)):
        PageSketch.from_data(sketch(page(LONG)).to_data() | change)


def test_the_same_words_elsewhere_are_repeated_unless_they_were_body_there() -> None:
    own = page(LONG.format("depth"), teaser="Share this story")
    moved = page(LONG.format("width"), menu="Share this story", teaser="Other")
    assert template_evidence(own, [sketch(moved)]).repeated.tolist() == [False, False, True, True]
    said = sketch(page(LONG.format("width"), "Share this story"), body="story")
    assert not template_evidence(own, [said]).repeated[2]
