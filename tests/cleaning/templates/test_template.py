import json

from tests.growth import assert_linear
from tests.reading import table_of
from webclean_scrapy.cleaning.page.keys import place_keys
from webclean_scrapy.cleaning.page.table import PageTable
from webclean_scrapy.cleaning.templates.sketch import PageSketch, refuse, sketch_page
from webclean_scrapy.cleaning.templates.template import Template, template_evidence

# The constants of the package, by value: a change of one fails here.
MAX_BYTES = 64_000
PAGES_KEPT = 4

LONG = "The {} of the harbour was measured twice last week, and both results were sent to town."
URL = "http://a.example/news/1.html"


def page(*body: str, menu: str = "Home", count: int = 5, teaser: str = "A story") -> PageTable:
    paragraphs = "".join(f"<p>{text}</p>" for text in body)
    return table_of(
        f"<body class='page-{count}'><div id=menu>{menu}</div><div id=post-{count} class=text>"
        f"{paragraphs}</div><div class=more>{teaser}</div><p id=count>Read {count} times</p>"
    )


def sketch(table: PageTable, url: str | None = URL, body: str = "harbour") -> PageSketch:
    row = next((row for row, name in enumerate(table.classes) if name == "text"), None)
    lines = [number for number, text in enumerate(table.lines.text) if body in text]
    return sketch_page(table, url, lines, row)


def test_places_are_alike_but_for_digits_and_the_classes_of_the_roots() -> None:
    one, other = page(LONG, count=5), page(LONG, count=731)
    assert place_keys(one) == place_keys(other)
    named = [table_of(f"<body class={name}><p>x") for name in ("sport", "arts")]
    assert place_keys(named[0]) == place_keys(named[1])
    changed = table_of("<body><div id=menu>Home</div><div id=foot>x</div><p></p>")
    assert len(set(place_keys(changed).values())) == 4  # of elements that hold text


def test_lines_are_judged_by_what_the_other_page_has_in_their_place() -> None:
    target = page(LONG.format("depth"), teaser="Another story")
    found = template_evidence(target, [sketch(page(LONG.format("width")))])
    assert found.repeated.tolist() == [True, False, False, True]
    assert found.body_rows == {target.classes.index("text")}
    assert [bool(found.foreign[line]) for line in range(4)] == [True, False, True, True]
    assert [bool(found.familiar[line]) for line in range(4)] == [False, True, False, False]


def test_numbers_in_a_body_make_another_report_and_not_boilerplate() -> None:
    weather = "The water in the harbour was {} degrees warm this morning, said the office in town."
    other = [sketch(page(weather.format(12)))]
    assert not template_evidence(page(weather.format(14)), other).repeated[1]
    assert template_evidence(page(weather.format(12)), other).repeated[1]


def test_reasons_to_refuse_a_sibling() -> None:
    own = sketch(page(LONG.format("depth"), LONG.format("width")))
    assert refuse(own, own) == "identical"
    assert refuse(own, sketch(page(LONG), body="nothing")) == "not_article"
    same = sketch(page(LONG.format("depth"), LONG.format("colour"), menu="Start"))
    assert refuse(own, same) == "same_article"
    other = table_of(f"<main><section class=text>{LONG.format('price')}")
    assert refuse(own, sketch(other)) == "unlike"
    assert refuse(sketch(page("Short.")), sketch(page(LONG))) is None


def test_a_page_of_many_lines_takes_time_in_proportion() -> None:
    def work(table: PageTable) -> None:
        assert len(sketch(table, body="line").text_keys) == 1
        assert sum(template_evidence(table, [sketch(table)]).repeated) == len(table.lines)

    assert_linear(work, lambda size: table_of("<p class=c>line</p>" * size), 1_000)
    assert_linear(
        lambda table: template_evidence(table, [sketch(table)]),
        lambda size: table_of("".join(f"<p class=c{n}>line {n}</p>" for n in range(size))),
        1_000,
    )


def test_a_template_keeps_its_newest_pages_each_once() -> None:
    template = Template("shape", 0, ())
    for number in (1, 2, 1, 3, 4, 5):
        template = template.with_page(sketch(page(LONG), f"http://a.example/{number}"))
    assert [each.url for each in template.pages] == [
        f"http://a.example/{number}" for number in (1, 3, 4, 5)[-PAGES_KEPT:]
    ]


def test_a_template_stays_within_its_bytes() -> None:
    long = table_of("".join(f"<p id=p{'x' * n}>line {n}</p>" for n in range(1_400)))
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


def test_the_same_words_elsewhere_are_repeated_unless_they_were_body_there() -> None:
    own = page(LONG.format("depth"), teaser="Share this story")
    moved = page(LONG.format("width"), menu="Share this story", teaser="Other")
    assert template_evidence(own, [sketch(moved)]).repeated.tolist() == [False, False, True, True]
    said = sketch(page(LONG.format("width"), "Share this story"), body="story")
    assert not template_evidence(own, [said]).repeated[2]
