import pytest

from tests.reading import (
    LONG_PARAGRAPH,
    PARAGRAPH,
    page_of,
    table_of,
    trace_of,
)
from webclean_scrapy.cleaning.kind.text_signs import ended_share, text_signs


def signs_of(html: str) -> dict[str, float]:
    trace = trace_of(page_of(html))
    return text_signs(trace.evidence, trace.body)


def test_a_sentence_is_less_of_a_stretch_than_a_text() -> None:
    few, many = signs_of(PARAGRAPH), signs_of(LONG_PARAGRAPH * 20)

    for name in ("one stretch is the body", "paragraph elements"):
        assert few[name] < 0.3
        assert many[name] > 0.8


def test_paragraphs_lie_in_boxes_or_in_one_column() -> None:
    name, paragraph = "boxes of paragraphs", LONG_PARAGRAPH * 2

    assert signs_of(f"<div>{paragraph * 4}</div>")[name] == pytest.approx(1 / 9)
    assert signs_of("<main>" + f"<div>{paragraph}</div>" * 4 + "</main>")[name] == 4 / 9


def test_headings_of_an_article_say_more_than_a_name() -> None:
    name, section = "length of the headings", f"<h2>{{}}</h2>{PARAGRAPH}"

    names = signs_of(f"<div>{PARAGRAPH}{section.format('Moorings') * 2}</div>")[name]
    lines = signs_of(f"<div>{PARAGRAPH}{section.format('The harbour is closed ' * 4)}</div>")[name]
    assert names < 0.2
    assert lines == 1.0
    assert signs_of(f"<div>{PARAGRAPH * 3}</div><h2>Contact</h2>")[name] == 0.0


def test_posts_with_a_date_each_are_a_share_of_the_page() -> None:
    def sign(dates: tuple[str, str]) -> float:
        posts = (f"<div class=post><i>{date}</i>{LONG_PARAGRAPH}</div>" for date in dates)
        return signs_of("".join(posts))["lines in posts"]

    assert sign(("4 March 2026", "5 March 2026")) == 1.0
    assert sign(("4 March 2026", "Monday")) == 0.0


def test_what_was_left_out_though_it_looks_like_the_body() -> None:
    text = LONG_PARAGRAPH * 4
    whole = signs_of(f"<div>{text}</div>")
    part = signs_of(f"<div>{text}</div><aside><div>{text}</div></aside>")

    for name in ("paragraphs left out", "lines alike left out"):
        assert whole[name] == pytest.approx(0.0)
        assert part[name] == pytest.approx(0.5, abs=0.1)


@pytest.mark.parametrize("said", ['"We wait."', "«We wait.»", "„We wait.“", "「我們等。」"])
def test_a_line_in_which_somebody_is_quoted_counts(said: str) -> None:
    quoted = LONG_PARAGRAPH.replace("</p>", f" {said}</p>")

    assert signs_of(LONG_PARAGRAPH + quoted + LONG_PARAGRAPH)["quotations"] == 1 / 4
    assert signs_of(LONG_PARAGRAPH * 3)["quotations"] == 0.0


def test_the_same_button_beside_each_post_is_a_repetition() -> None:
    name = "a short line again and again"

    def sign(again: str, times: int) -> float:
        return signs_of(f"<div>{f'{PARAGRAPH}<p>{again}</p>' * times}</div>")[name]

    assert sign("Reply", 4) == pytest.approx(4 / 10)
    assert sign("Reply", 2) == 0.0
    assert sign("|", 6) == 0.0


HEADLINE = "<p><a>A headline that leads elsewhere</a></p>"


def test_the_run_is_the_longest_stretch_between_headlines() -> None:
    name, text = "one stretch is the body", LONG_PARAGRAPH * 4
    whole = signs_of(f"<div>{text * 2}</div>")[name]

    assert signs_of(f"<div>{text}<p><a>More</a></p>{text}</div>")[name] > 0.9 * whole
    assert signs_of(f"<div>{text}{HEADLINE}{text}</div>")[name] < 0.6 * whole


@pytest.mark.parametrize(
    ("html", "share"),
    [
        ("<p>Over the water,<p>over again;", 1.0),
        ("<p>The price<p>Of rope:", 0.5),
        ("<p>The price of rope<p>M. Marlow", 0.0),
    ],
)
def test_ended_share_is_the_part_of_the_text_in_lines_with_a_mark_at_their_end(
    html: str, share: float
) -> None:
    table = table_of(html)

    assert ended_share(table, range(len(table.lines))) == pytest.approx(share, abs=0.03)
