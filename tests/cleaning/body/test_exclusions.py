from __future__ import annotations

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
from webclean_scrapy.cleaning.body.evidence import EXCLUSIONS

BODY = LONG_PARAGRAPH * 2  # more paragraphs than an element must leave to be set apart


def reasons(html: str, titles: tuple[str, ...] = ()) -> list[str]:
    """Return the reason of each line."""
    return [EXCLUSIONS[reason] for reason in evidence_of(html, titles=titles).excluded]


@pytest.mark.parametrize(
    ("element", "reason"),
    [
        ("<div class=comments>{}</div>", "comments"),
        ("<form>{}</form>", "form"),
        ("<nav>{}</nav>", "navigation"),
        ("<aside>{}</aside>", "aside"),
        ("<div id=onetrust-pc-sdk>{}</div>", "consent"),
        ("<div class=author-box>{}</div>", "author"),
        ("<div data-webclean-box=hidden>{}</div>", "hidden"),
        ("<div aria-hidden=true>{}</div>", "hidden"),
        ("<div class=sr-only>{}</div>", "hidden"),
        ("<div role=dialog>{}</div>", "dialog"),
    ],
)
def test_what_lies_beside_a_text_is_set_apart(element: str, reason: str) -> None:
    assert reasons(BODY + element.format(PARAGRAPH)) == ["", "", reason]


@pytest.mark.parametrize("tag", ["form", "nav", "aside"])
def test_an_element_with_the_text_in_it_is_not(tag: str) -> None:
    assert reasons(f"<{tag}>{BODY}{BODY}</{tag}>{PARAGRAPH}") == [""] * 5


def test_what_is_hidden_is_kept_when_it_is_much_of_the_page() -> None:
    hidden = f"<div style='display:none'>{LONG_PARAGRAPH}</div>"

    assert reasons(BODY + hidden) == [""] * 3  # scripts may show it later


@pytest.mark.parametrize("attribute", ["aria-hidden=true", "style='visibility:hidden'"])
def test_the_article_stays_in_an_element_that_is_hidden(attribute: str) -> None:
    title = "Crack closes the pier"

    assert reasons(f"<div {attribute}>{BODY}{BODY}</div>{PARAGRAPH}") == [""] * 5
    story = f"<div {attribute}><h1>{title}</h1>{PARAGRAPH}</div>"
    assert reasons(BODY * 2 + story, (title,)) == [""] * 4 + ["title", ""]


def test_a_dialog_may_be_many_times_the_text() -> None:
    html = BODY + f"<div role=dialog>{LONG_PARAGRAPH * 20}</div>"

    assert reasons(html) == ["", ""] + ["dialog"] * 20


def test_places_that_a_template_left_empty_are_no_text() -> None:
    for empty in (
        "{{ article.title }}", "By {{author}}", "&lt;%= post.title %&gt;", "${ price }",
        "[signup form=16]", "[/gallery]", "%%views%%",
    ):  # fmt: skip
        assert reasons(f"{BODY}<p>{empty}</p>") == ["", "", "placeholder"]


def test_text_and_code_about_templates_stay() -> None:
    for text in ("Write {{ name }} where the name of the guest is to stand.", "[laughs] [1]"):
        assert reasons(f"{BODY}<p>{text}</p>") == ["", "", ""]
    assert reasons(BODY + "<pre>{{ article.title }}</pre>") == ["", "", ""]


def test_an_element_that_holds_the_title_is_no_comment() -> None:
    title = "Crack closes the pier"
    article = f"<article class=comments><h1>{title}</h1>{PARAGRAPH}</article>"

    assert reasons(BODY + article, (title,)) == ["", "", "title", ""]


def test_names_that_say_how_comments_are_kept_name_no_comments() -> None:
    for name in ("comments-open", "comments_off", "commentary-body", "tag-comments"):
        assert reasons(BODY + f"<div class={name}>{PARAGRAPH}</div>") == ["", "", ""]


NOTICE = (
    "<div><div><h2>We value your visit</h2>"
    "<p>Cookies are small files that this site and its partners keep in your browser.</p>"
    "<p>You may accept all cookies, or some cookies, or hardly any cookies at all.</p></div></div>"
)


def test_an_element_that_speaks_of_cookies_is_a_notice_unless_the_article_does() -> None:
    assert reasons(BODY + NOTICE) == ["", ""] + ["consent"] * 3
    assert "consent" not in reasons(BODY + NOTICE, ("What cookies do",))


def test_text_run_together_a_second_time_is_repeated() -> None:
    texts = [f"{n}. {SENTENCE} {OTHER_SENTENCE}" for n in range(3)]
    paragraphs = "".join(f"<p>{text}</p>" for text in texts)

    assert reasons(f"{paragraphs}<div>{' '.join(texts)}</div>") == ["", "", "", "repeated"]
    assert reasons(f"{paragraphs}<p>{' '.join(texts)}</p>") == [""] * 4  # readers read paragraphs


def test_words_without_sentences_are_no_text() -> None:
    words = "harbour ferry cheap tickets pier " * 60

    assert reasons(f"{PARAGRAPH}<div>{words}</div><pre>{words}</pre>") == ["", "no sentences", ""]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("编辑|周褶褶", "credit"),
        ("(责编：何田)", "credit"),
        ("文丨特约评论员 韩涵", "credit"),
        ("本文原标题：《桥修好了》", "credit"),
        ("© 2026 The Courier", "credit"),
        ("记者：您怎么看这个问题？", ""),
        ("编辑部的故事讲了三十年", ""),
        ("图：我们不知道，也没有人告诉我们。", ""),
    ],
)
def test_who_had_a_part_in_a_text_is_a_credit_and_a_line_that_only_begins_so_is_none(
    line: str, reason: str
) -> None:
    assert reasons(f"{PARAGRAPH}<p>{line}</p>") == ["", reason]


def test_a_short_centred_line_under_a_picture_is_a_caption() -> None:
    centred = "<img><p align=center>{}</p>"

    assert reasons(PARAGRAPH + centred.format("The pier in May.")) == ["", "caption"]
    assert reasons(PARAGRAPH + "<center><img><br><b>The pier</b></center>") == ["", "caption"]
    assert reasons(PARAGRAPH + centred.format("《冬夜读书示子聿》")) == ["", ""]
    assert reasons(PARAGRAPH + centred.format(LONG_PARAGRAPH[3:-4])) == ["", ""]
    assert reasons(PARAGRAPH + "<p align=center>The pier in May.</p>") == ["", ""]


def test_sentences_that_a_class_calls_a_caption_are_weighed_like_other_text() -> None:
    picture = "<div><img><p class=caption>{}</p></div>"

    assert reasons(BODY + picture.format("The pier in May")) == ["", "", "caption"]
    assert reasons(BODY + picture.format(SENTENCE)) == ["", "", ""]
    assert reasons(f"{BODY}<figure><img><figcaption>{SENTENCE}</figcaption></figure>") == [
        "", "", "caption",
    ]  # fmt: skip


def test_a_page_told_in_its_captions_keeps_them() -> None:
    picture = f"<figure><img><figcaption>{SENTENCE}</figcaption></figure>"

    assert reasons(picture * 4) == [""] * 4
    assert reasons(picture + BODY) == ["caption", "", ""]


def test_the_title_said_again_before_the_text_is_set_apart() -> None:
    title = "Crack closes the pier"
    again = f"<p>{title}</p>"

    assert reasons(f"{again}{PARAGRAPH}{again}", (title,)) == ["title", "", ""]


ITEM = (
    "<li><a>{0} the pier is shut for good</a> Nobody in town knows why it was shut, {0}, or who is"
    " to pay for the new one.</li>"
)


def test_a_list_of_headlines_with_their_texts_is_of_teasers() -> None:
    teasers = "".join(ITEM.format(name) for name in ("Ann", "Ben", "Cid", "Dan"))

    assert reasons(f"{BODY}<ul>{teasers}</ul>") == ["", ""] + ["teaser"] * 4


def test_articles_side_by_side_with_linked_headlines_are_other_articles() -> None:
    post = f"<article><h2><a>The pier is shut for good</a></h2>{LONG_PARAGRAPH}</article>"
    own = f"<article><h1>The pier is shut for good</h1>{BODY}</article>"

    assert reasons(own + post * 3) == [""] * 3 + ["teaser"] * 6
    assert reasons(own + post.replace("<a>", "<b>") * 3) == [""] * 9


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


@pytest.mark.parametrize("line", ["- 广告 -", "Story continues below"])
def test_the_mark_of_an_advertisement_is_one(line: str) -> None:
    assert reasons(f"{PARAGRAPH}<p>{line}</p>{PARAGRAPH}") == ["", "advertisement", ""]


@pytest.mark.parametrize("line", ["【大 中 小】", "Print | E-mail"])
def test_the_tools_of_a_page_are_no_text(line: str) -> None:
    cell = "<table><tr><td>大</td></tr></table>"

    assert reasons(f"{PARAGRAPH}<p>{line}</p><p>打印机坏了</p>{cell}") == ["", "tools", "", ""]


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
