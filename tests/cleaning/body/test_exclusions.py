import pytest

from tests.reading import (
    LONG_PARAGRAPH,
    OTHER_PARAGRAPH,
    OTHER_SENTENCE,
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


AROUND = ("form", "nav", "aside", "div aria-hidden=true", "div style='visibility:hidden'")


@pytest.mark.parametrize("tag", AROUND)
def test_an_element_with_the_text_in_it_is_not(tag: str) -> None:
    assert reasons(f"<{tag}>{BODY}{BODY}</{tag.split(maxsplit=1)[0]}>{PARAGRAPH}") == [""] * 5


@pytest.mark.parametrize("tag", [*AROUND[3:], "article class=comments"])
def test_the_element_that_holds_the_title_is_not(tag: str) -> None:
    story = f"<{tag}><h1>{TITLE}</h1>{PARAGRAPH}</{tag.split(maxsplit=1)[0]}>"

    assert reasons(BODY * 2 + story, (TITLE,)) == [""] * 4 + ["title", ""]


NOTICE = (
    "<div><div><h2>We value your visit</h2>"
    "<p>Cookies are small files that this site and its partners keep in your browser.</p>"
    "<p>You may accept all cookies, or some cookies, or hardly any cookies at all.</p></div></div>"
)


def test_an_element_that_speaks_of_cookies_is_a_notice_unless_the_article_does() -> None:
    assert reasons(BODY + NOTICE) == ["", ""] + ["consent"] * 3
    assert "consent" not in reasons(BODY + NOTICE, ("What cookies do",))


@pytest.mark.parametrize(
    ("element", "is_notice"),
    [
        ("div class=truste-banner", True),
        ("div id=truste", True),
        ("div id=cookies", True),
        ("section id=cookies class=bar", True),
        ("div class=trusted-people", False),
        ("div class='section_identity-trusted'", False),
        ("section id=cookies", False),
        ("section id=set-a-cookie", False),
    ],
)
def test_what_is_named_as_a_notice_is_one_but_no_section_named_by_its_heading(
    element: str, *, is_notice: bool
) -> None:
    tag = element.partition(" ")[0]
    part = f"<{element}><h3>How they are kept</h3><p>{OTHER_SENTENCE}</p></{tag}>"

    assert reasons(BODY + part)[2:] == ["consent" * is_notice] * 2


def test_text_run_together_a_second_time_is_repeated() -> None:
    texts = [f"{n}. {SENTENCE} {OTHER_SENTENCE}" for n in range(3)]
    paragraphs = "".join(f"<p>{text}</p>" for text in texts)

    assert reasons(f"{paragraphs}<div>{' '.join(texts)}</div>") == ["", "", "", "repeated"]
    assert reasons(f"{paragraphs}<p>{' '.join(texts)}</p>") == [""] * 4  # readers read paragraphs


def test_words_without_sentences_are_no_text() -> None:
    words = "harbour ferry cheap tickets pier " * 60

    assert reasons(f"{PARAGRAPH}<div>{words}</div><pre>{words}</pre>") == ["", "no sentences", ""]


FIGURE = f"<figure><img><figcaption>{SENTENCE}</figcaption></figure>"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("<img><p align=center>《冬夜读书示子聿》", ""),
        # sentences that a class calls a caption are weighed like other text
        (f"<div><img><p class=caption>{SENTENCE}</div>", ""),
        (FIGURE, "caption"),
    ],
)
def test_credits_and_captions_are_set_apart_and_lines_like_them_are_not(
    line: str, reason: str
) -> None:
    assert reasons(BODY + line) == ["", "", reason]


def test_a_page_told_in_its_captions_keeps_them() -> None:
    assert reasons(FIGURE * 4) == [""] * 4


def test_the_title_said_again_before_the_text_is_set_apart() -> None:
    again = f"<p>{TITLE}</p>"

    assert reasons(f"{again}{PARAGRAPH}{again}", (TITLE,)) == ["title", "", ""]


ITEM = (
    "<li><a>{0} the pier is shut for good</a> Nobody in town knows why it was shut, {0}, or who is"
    " to pay for the new one.</li>"
)


def test_a_list_of_headlines_with_their_texts_is_of_teasers() -> None:
    teasers = "".join(ITEM.format(name) for name in ("Ann", "Ben", "Cid", "Dan"))

    assert reasons(f"{BODY}<ul>{teasers}</ul>") == ["", ""] + ["teaser"] * 4
    goods = teasers.replace("</a> ", "</a> (as told on Monday): ")
    assert reasons(f"{BODY}<ul>{goods}</ul>") == [""] * 6


def test_articles_side_by_side_with_linked_headlines_are_other_articles() -> None:
    post = f"<article><h2><a>The pier is shut for good</a></h2>{LONG_PARAGRAPH}</article>"
    own = f"<article><h1>The pier is shut for good</h1>{BODY}</article>"

    assert reasons(own + post * 3) == [""] * 3 + ["teaser"] * 6
    assert reasons(own + post.replace("<a>", "<b>") * 3) == [""] * 9


@pytest.mark.parametrize(
    ("head", "reason"),
    [
        ("<h2><a href=/b>Museum shows ships</a></h2><i>11 March 2026</i>", "other article"),
        ("<h2><a href=/b>Museum shows ships</a></h2>", ""),  # a note that is a link
        ("<h2>Museum shows ships</h2><i>11 March 2026</i>", ""),  # a day of a diary
    ],
)
def test_an_element_after_the_text_with_a_linked_headline_and_a_date_is_another_article(
    head: str, reason: str
) -> None:
    own = f"<div><h1>{TITLE}</h1>{LONG_PARAGRAPH * 3}</div>"
    dated = head.count("<i>")

    found = reasons(f"{own}<div>{head}{LONG_PARAGRAPH}</div>", (TITLE,))
    assert found == ["title", "", "", ""] + [reason] * (2 + dated)


@pytest.mark.parametrize(
    ("heading", "reason"),
    [
        ("<h1>Ostwick Canal</h1>", "title"),
        ("<h2>Ostwick Canal</h2>", ""),  # of a section, perhaps
    ],
)
def test_the_h1_is_the_title_though_the_pages_title_names_the_site_too(
    heading: str, reason: str
) -> None:
    assert reasons(heading + BODY, ("Ostwick Canal - Valley Encyclopedia",)) == [reason, "", ""]


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
