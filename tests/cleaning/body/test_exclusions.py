import pytest

from tests.reading import (
    LONG_PARAGRAPH,
    OTHER_PARAGRAPH,
    PARAGRAPH,
    SENTENCE,
    evidence_of,
    table_of,
    template_of,
    template_page,
)
from webclean_scrapy.cleaning.body.reasons.names import (
    EXCLUSIONS,
)

BODY = LONG_PARAGRAPH * 2  # more paragraphs than an element must leave to be set apart


def reasons(html: str, titles: tuple[str, ...] = ()) -> list[str]:
    """Return the reason of each line."""
    return [EXCLUSIONS[reason] for reason in evidence_of(html, titles=titles).excluded]


TITLE = "Crack closes the pier"


@pytest.mark.parametrize(
    ("element", "reason"),
    [
        (f"<div role=dialog>{LONG_PARAGRAPH * 20}</div>", "dialog"),  # many times the text
        # what is hidden and much of the page is kept: scripts may show it later
        (f"<div style='display:none'>{LONG_PARAGRAPH}</div>", ""),
    ],
)
def test_what_lies_beside_a_text_is_set_apart(element: str, reason: str) -> None:
    first, second, *beside = reasons(BODY + element)

    assert (first, second, {*beside}) == ("", "", {reason})


NOTICE = (
    "<div><div><h2>We value your visit</h2>"
    "<p>Cookies are small files that this site and its partners keep in your browser.</p>"
    "<p>You may accept all cookies, or some cookies, or hardly any cookies at all.</p></div></div>"
)


def test_an_element_that_speaks_of_cookies_is_a_notice_unless_the_article_does() -> None:
    assert reasons(BODY + NOTICE) == ["", ""] + ["consent"] * 3
    assert "consent" not in reasons(BODY + NOTICE, ("What cookies do",))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("<img><p align=center>《冬夜读书示子聿》", ""),
        # sentences that a class calls a caption are weighed like other text
        (f"<div><img><p class=caption>{SENTENCE}</div>", ""),
    ],
)
def test_lines_like_credits_and_captions_are_not_set_apart(line: str, reason: str) -> None:
    assert reasons(BODY + line) == ["", "", reason]


def test_articles_side_by_side_with_linked_headlines_are_other_articles() -> None:
    post = f"<article><h2><a>The pier is shut for good</a></h2>{LONG_PARAGRAPH}</article>"
    own = f"<article><h1>The pier is shut for good</h1>{BODY}</article>"

    assert reasons(own + post * 3) == [""] * 3 + ["teaser"] * 6
    assert reasons(own + post.replace("<a>", "<b>") * 3) == [""] * 9


def test_long_lines_of_the_template_are_set_apart() -> None:
    page = template_page(PARAGRAPH + LONG_PARAGRAPH, "New bridge opens to all who pay")
    table = table_of(page)
    template = template_of(table, template_page(OTHER_PARAGRAPH, "Cup lost"), "text")

    found = evidence_of(table, template=template).excluded

    assert [EXCLUSIONS[reason] for reason in found] == ["", "", "", "template"]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>Von Ann Lee am 3. Mai 2026</p>" + BODY, "credit"),
        ("<p>12 March 2026</p>" + BODY, "credit"),
        ("<p>Von Ann Lee, 3. Mai 2026, Lesezeit: 3 Min.</p>" + BODY, "credit"),
        (LONG_PARAGRAPH + "<p>Autor: Ann Lee</p>" + BODY, "credit"),
        ("<h2>12 March 2026</h2>" + BODY, ""),
        (BODY + "<p>12 March 2026</p>", ""),
        (f"<p>1 May 2026</p>{BODY}<p>2 May 2026</p>{BODY}", ""),  # a diary
    ],
)
def test_a_byline_between_title_and_body_is_set_apart(html: str, expected: str) -> None:
    found = reasons(f"<h1>{TITLE}</h1>{html}", (TITLE,))
    table = table_of(f"<h1>{TITLE}</h1>{html}")
    line = next(n for n, text in enumerate(table.lines.text) if "2026" in text or "Autor" in text)

    assert found[line] == expected


@pytest.mark.parametrize(
    ("element", "beside", "within", "is_set_apart"),
    [
        # on either side of a quarter of the text
        ("aside", 4, 11, True),
        ("aside", 4, 13, False),
        # of a twentieth, for what readers wrote
        ("div class=comments", 2, 34, True),
        ("div class=comments", 2, 42, False),
        # of three quarters, for hidden text, which scripts may show
        ("div style='display:none'", 13, 4, True),
        ("div style='display:none'", 11, 4, False),
    ],
)
def test_an_element_is_set_apart_where_enough_text_is_beside_it(
    element: str, beside: int, within: int, is_set_apart: bool
) -> None:
    found = reasons(f"{LONG_PARAGRAPH * beside}<{element}>{LONG_PARAGRAPH * within}</div></aside>")

    assert [bool(reason) for reason in found] == [False] * beside + [is_set_apart] * within


@pytest.mark.parametrize(("beside", "is_set_apart"), [("", False), (OTHER_PARAGRAPH, True)])
def test_an_element_is_set_apart_from_three_hundred_units(beside: str, is_set_apart: bool) -> None:
    found = reasons(f"{LONG_PARAGRAPH}{PARAGRAPH}{beside}<aside>{LONG_PARAGRAPH}</aside>")

    assert bool(found[-1]) == is_set_apart


@pytest.mark.parametrize(("others", "reason"), [(3, "consent"), (5, "")])
def test_a_box_with_a_third_of_its_text_about_cookies_is_a_notice(others: int, reason: str) -> None:
    about = "<p>A cookie keeps the list of ships that you follow.</p>" * 2
    other = "<p>The harbour office keeps the list of all ships.</p>" * others
    found = reasons(f"{BODY}{BODY}<div>{about}{other}</div>")

    assert found[4:] == [reason] * (2 + others)
