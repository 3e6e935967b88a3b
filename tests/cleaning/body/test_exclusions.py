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
EMPTY_PLACES = (
    "{{ article.title }}", "By {{author}}", "&lt;%= post.title %&gt;", "${ price }",
    "[signup form=16]", "[/gallery]", "%%views%%",
)  # fmt: skip
#: Styles and programs that a page should not have shown.
SCRIPTS = (
    ".pier-box { margin: 0 auto; padding: 12px; } .pier-box .lid { color: #333; width: 14px; }",
    "window.layer = window.layer || []; function tag(){layer.push(arguments);} tag('id', 'P-77');",
)
NO_COMMENTS = ("comments-open", "comments_off", "commentary-body", "tag-comments")


@pytest.mark.parametrize(
    ("element", "reason"),
    [
        (f"<div class=comments>{PARAGRAPH}</div>", "comments"),
        (f"<form>{PARAGRAPH}</form>", "form"),
        (f"<nav>{PARAGRAPH}</nav>", "navigation"),
        (f"<aside>{PARAGRAPH}</aside>", "aside"),
        (f"<div id=onetrust-pc-sdk>{PARAGRAPH}</div>", "consent"),
        (f"<div class=author-box>{PARAGRAPH}</div>", "author"),
        (f"<div data-webclean-box=hidden>{PARAGRAPH}</div>", "hidden"),
        (f"<div aria-hidden=true>{PARAGRAPH}</div>", "hidden"),
        (f"<div class=sr-only>{PARAGRAPH}</div>", "hidden"),
        (f"<div role=dialog>{PARAGRAPH}</div>", "dialog"),
        (f"<div role=dialog>{LONG_PARAGRAPH * 20}</div>", "dialog"),  # many times the text
        # what is hidden and much of the page is kept: scripts may show it later
        (f"<div style='display:none'>{LONG_PARAGRAPH}</div>", ""),
        *((f"<div class={name}>{PARAGRAPH}</div>", "") for name in NO_COMMENTS),
        *((f"<p>{empty}</p>", "placeholder") for empty in EMPTY_PLACES),
        ("<p>Write {{ name }} where the name of the guest is to stand.</p>", ""),
        ("<p>[laughs] [1]</p>", ""),
        ("<pre>{{ article.title }}</pre>", ""),
        *((f"<p>{script}</p>", "placeholder") for script in SCRIPTS),
        *((f"<p><code>{script}</code></p>", "") for script in SCRIPTS),
        (
            "<p>Window and door {green, the office says}; both are of oak from the old pier.",
            "",
        ),
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


def test_a_pull_quote_is_repeated_if_its_words_are_in_a_paragraph() -> None:
    quote = "<figure class=my-pullquote><blockquote><p>“{}”<p>A pilot</blockquote></figure>"
    text = f"<p>{SENTENCE} {OTHER_SENTENCE}</p>"

    assert reasons(text + quote.format(OTHER_SENTENCE)) == ["", "repeated", "repeated"]
    assert reasons(text + quote.format(OTHER_SENTENCE.upper())) == ["", "repeated", "repeated"]
    assert (
        reasons(text + quote.format("The tide did not wait for any of us that night.")) == [""] * 3
    )
    assert reasons(text + quote.replace("pull", "").format(OTHER_SENTENCE)) == [""] * 3


def test_words_without_sentences_are_no_text() -> None:
    words = "harbour ferry cheap tickets pier " * 60

    assert reasons(f"{PARAGRAPH}<div>{words}</div><pre>{words}</pre>") == ["", "no sentences", ""]


FIGURE = f"<figure><img><figcaption>{SENTENCE}</figcaption></figure>"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        # who had a part in the text, and lines that only begin so
        ("<p>编辑|周褶褶", "credit"),
        ("<p>(责编：何田)", "credit"),
        ("<p>文丨特约评论员 韩涵", "credit"),
        ("<p>本文原标题：《桥修好了》", "credit"),
        ("<p>© 2026 The Courier", "credit"),
        ("<p>记者：您怎么看这个问题？", ""),
        ("<p>编辑部的故事讲了三十年", ""),
        ("<p>图：我们不知道，也没有人告诉我们。", ""),
        # a short centred line under a picture is a caption
        ("<img><p align=center>The pier in May.", "caption"),
        ("<center><img><br><b>The pier</b></center>", "caption"),
        ("<img><p align=center>《冬夜读书示子聿》", ""),
        (f"<img><p align=center>{LONG_PARAGRAPH[3:]}", ""),
        ("<p align=center>The pier in May.", ""),
        # sentences that a class calls a caption are weighed like other text
        ("<div><img><p class=caption>The pier in May</div>", "caption"),
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


@pytest.mark.parametrize("line", ["- 广告 -", "Reklama", "Story continues after this ad"])
def test_the_mark_of_an_advertisement_is_one(line: str) -> None:
    assert reasons(f"{PARAGRAPH}<p>{line}</p>{PARAGRAPH}") == ["", "advertisement", ""]


@pytest.mark.parametrize("line", ["【大 中 小】", "Print | E-mail"])
def test_the_tools_of_a_page_are_no_text(line: str) -> None:
    cell = "<table><tr><td>大</td></tr></table>"

    assert reasons(f"{PARAGRAPH}<p>{line}</p><p>打印机坏了</p>{cell}") == ["", "tools", "", ""]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("<div>1/3</div>", "tools"),
        ("<div>Image 4 of 5</div>", "tools"),
        ("<div>Bild 4 von 5</div>", "tools"),
        ("<div>0:24</div>", "tools"),
        ("<div>9:30</div>", ""),  # the time of an entry
        ("<div>4 of 5 stars</div>", ""),
        ("<p>1/3</p>", ""),
        ("<ul><li>1/3</li></ul>", ""),
        ("<h2>1/3</h2>", ""),
        ("<table><tr><td>1/3</td></tr></table>", ""),
    ],
)
def test_what_counts_pictures_is_no_text(line: str, reason: str) -> None:
    assert reasons(f"{PARAGRAPH}{line}{PARAGRAPH}") == ["", reason, ""]


def test_what_a_player_says_is_set_apart_outside_tables() -> None:
    player = "<div class=video-player><span>1.5X</span></div>"
    table = "<table><tr><td class=player>Ann</td><td>12</td></tr></table>"

    assert reasons(PARAGRAPH + player + table) == ["", "player", "", ""]


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


@pytest.mark.parametrize(
    ("link", "reason"),
    [
        ("<a class='btn btn-primary' href=/buy>Buy at the shop</a>", "prompt"),
        ("<a class=wp-block-button__link href=#respond>Leave a comment</a>", "prompt"),
        ("<a class=link href=/plan>The plan</a>", ""),
        ("The <a class=btn-link href=/plan>plan of the harbour</a> is out.", ""),
    ],
)
def test_a_line_that_is_a_button_is_no_text(link: str, reason: str) -> None:
    assert reasons(f"{BODY}<p>{link}</p>{BODY}")[2] == reason
