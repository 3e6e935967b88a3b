"""Content that browsers show in usually dropped elements, and edit links of sections."""

import pytest

from tests.growth import assert_linear
from tests.reading import SENTENCE, table_of
from webclean_scrapy.cleaning.page.row_flags import ASIDE
from webclean_scrapy.cleaning.page.tags import PLAYERS

EDIT = "/w/index.php?title=Pier&amp;action=edit&amp;section=1"


@pytest.mark.parametrize(
    "heading",
    [
        "<h2>Pier<span class=mw-editsection>[<a href='{}'>edit</a>]</span></h2>",
        "<h2>Pier [<a href='{}'>Bearbeiten</a>]</h2>",
        "<h2><span>[<a href='{}'>править</a>]</span> Pier</h2>",
        "<h2>Pier<span>[<a href='?veaction=edit'>編集</a> | <a href='{}'>ソース</a>]</span></h2>",
        "<div><h2>Pier</h2><span><b>[</b><a href='{}'>edit</a><b>]</b></span></div>",
        "<h2>Pier <small>(<a href='?do=edit&amp;rev=3'>Modifica</a>)</small></h2>",
        "<h2>Pier<span class=mw-editsection>[<a href=/pier/edit>편집</a>]</span></h2>",
    ],
)
def test_links_that_edit_a_section_are_dropped_with_their_brackets(heading: str) -> None:
    assert table_of(heading.format(EDIT)).lines.text == ["Pier"]


@pytest.mark.parametrize(
    ("heading", "text"),
    [
        ("<h2>How to <a href='/how?action=view'>edit</a> a page</h2>", "How to edit a page"),
        (f"<h2><a href='{EDIT}&amp;redlink=1'>Old pier</a></h2>", "Old pier"),
        ("<h2>Pier <a href='/pier'>(old)</a></h2>", "Pier (old)"),
        ("<h2 id=p><a href='#p'>Pier</a></h2>", "Pier"),
    ],
)
def test_other_links_of_a_heading_stay(heading: str, text: str) -> None:
    assert table_of(heading).lines.text == [text]


@pytest.mark.parametrize(
    ("html", "lines"),
    [
        (f"<x-page><template shadowrootmode=open><p>{SENTENCE}</template></x-page>", [SENTENCE]),
        (f"<dialog open><p>{SENTENCE}</dialog>", [SENTENCE]),
        (f"<object data=/a.swf><p>{SENTENCE}</object>", [SENTENCE]),
        (f"<template><p>{SENTENCE}</template>", []),
        (f"<dialog><p>{SENTENCE}</dialog>", []),
        ("<object data=/a.pdf><p>Your browser shows no PDF.</object>", []),
    ],
)
def test_shadow_roots_open_dialogs_and_objects_with_a_text_are_shown(
    html: str, lines: list[str]
) -> None:
    assert table_of(html).lines.text == lines


def test_what_is_slotted_stands_in_its_slot() -> None:
    html = (
        "<x-card><template shadowrootmode=open><h2><slot name=head>none</slot></h2>"
        "<p>before</p><slot></slot><p>behind</p></template>"
        "<p>The text.</p><b slot=head>The head</b></x-card>"
    )

    assert table_of(html).lines.text == ["The head", "before", "The text.", "behind"]


def test_slots_and_edit_links_cost_in_proportion() -> None:
    def page(size: int) -> str:
        links = f"<a href='{EDIT}'>edit</a>" * size
        return f"<h2>Pier</h2><span>{links}</span><x-a><template shadowrootmode=open>" + (
            "<slot></slot>" * size + "</template>" + "<p>a</p>" * size + "</x-a>"
        )

    assert_linear(table_of, page, 400)


def test_a_link_beside_a_heading_that_leads_to_it_is_none_of_the_text() -> None:
    html = "<div><h2 id=p>Pier</h2><a href='#p'><i>#</i><span>Section titled Pier</span></a></div>"
    assert table_of(html).lines.text == ["Pier"]


def test_a_heading_that_is_a_link_to_itself_is_none() -> None:
    assert table_of("<h2 id=p><a href='#p'>Pier</a></h2>").lines.link_units == [0]
    assert table_of("<h2><a href='/pier#p'>Pier</a></h2>").lines.link_units == [4]


def test_the_source_of_a_quotation_is_part_of_it() -> None:
    quoted = f"<blockquote><p>{SENTENCE}</p><footer>Ida Quist</footer></blockquote>"
    table = table_of(f"{quoted}<footer>Imprint</footer>")

    inside = [int(table.flags.inside[row]) & ASIDE for row in table.lines.container]
    assert [flag > 0 for flag in inside] == [False, False, True]


@pytest.mark.parametrize(
    ("quoted", "text"),
    [
        ("<q>no more</q>", "“no more”"),
        ("<q>no <i>more</i></q>", "“no more”"),
        ("<q>no <q>more</q></q>", "“no ‘more’”"),
        ("<q>« plus »</q>", "« plus »"),
        ("<q><b>„mehr“</b></q>", "„mehr“"),
    ],
)
def test_an_inline_quotation_has_its_marks_once(quoted: str, text: str) -> None:
    assert table_of(f"<p>He said {quoted}, and left.</p>").lines.text == [
        f"He said {text}, and left."
    ]


@pytest.mark.parametrize(
    ("content", "is_caption"),
    [
        ("<table><tr><td>1</td></tr></table>", False),
        ("<div><pre>lift()</pre></div>", False),
        ("<blockquote>No more.</blockquote>", False),
        ("<blockquote>No more.</blockquote><img src=/a.jpg>", True),
        ("<iframe src=//film.example/1></iframe><table><tr><td>1</td></tr></table>", True),
        ("<div></div>", True),
    ],
)
def test_the_caption_of_a_table_a_listing_or_a_quotation_is_text(
    content: str, is_caption: bool
) -> None:
    table = table_of(f"<figure>{content}<figcaption>Hours</figcaption></figure>")

    assert ("figcaption" in table.tag) is is_caption


@pytest.mark.parametrize(
    ("picture", "line"),
    [
        ("<img alt=🐟 class=wp-smiley src=/f.svg>", "A 🐟 swims."),
        ("<img alt='❤️' src=/f.png>", "A ❤️ swims."),
        ("<img alt=:fish: class=emoji src=/f.png>", "A :fish: swims."),
        ("<img alt=fish src=/f.png>", "A swims."),
        ("<img alt=魚 src=/f.png>", "A swims."),
        ("<img alt=O src=/o.png>tter", "A Otter swims."),
        ("<img alt=O src=/o.png>", "A swims."),
        ("<img alt='x_1^2' src=//blog.example/latex.php?latex=x>", "A x_1^2 swims."),
        ("<img alt='x=1' src=//forum.example/equation?tex=x>", "A x=1 swims."),
        ("<img alt='x_1' class=mwe-math-fallback-image-inline src=/5a>", "A x_1 swims."),
        ("<img alt=LaTeX src=/logos/latex.png>", "A swims."),
    ],
)
def test_a_picture_of_a_sign_or_a_formula_is_what_it_shows(picture: str, line: str) -> None:
    assert table_of(f"<p>A {picture} swims.</p>").lines.text == [line]


def test_elements_of_scripts_with_a_sentence_each_are_lines() -> None:
    assert table_of(f"<x-p>{SENTENCE}</x-p><x-p>{SENTENCE}</x-p>").lines.text == [SENTENCE] * 2
    assert table_of("<p>the <x-b>har</x-b><x-b>bour</x-b></p>").lines.text == ["the harbour"]
    assert len(table_of(f"<x-p>{SENTENCE}</x-p> and <x-p>{SENTENCE}</x-p>").lines.text) == 1


@pytest.mark.parametrize(
    ("player", "address"),
    [
        ("<lite-youtube videoid=a1></lite-youtube>", "https://www.youtube.com/watch?v=a1"),
        ("<amp-youtube data-videoid=a1></amp-youtube>", "https://www.youtube.com/watch?v=a1"),
        ("<lite-vimeo videoid=7></lite-vimeo>", "https://vimeo.com/7"),
    ],
)
def test_a_film_that_a_script_loads_is_shown_by_its_address(player: str, address: str) -> None:
    table = table_of(f"<p>{SENTENCE}</p>{player}<p>{SENTENCE}</p>")

    (row,) = (row for row, tag in enumerate(table.tag) if tag in PLAYERS)
    assert table.node[row].get("src") == address


@pytest.mark.parametrize(
    ("around", "line"),
    [
        ("CodeMirror-code", "<div><b class=CodeMirror-linenumber>1</b><pre>{}</pre></div>"),
        ("cm-content", "<div class=cm-line>{}</div>"),
        ("view-lines", "<div class=view-line><span>{}</span></div>"),
        ("'prism-code language-py'", "<div class=token-line><span>{}</span></div>"),
    ],
)
def test_the_lines_of_an_editor_are_a_listing(around: str, line: str) -> None:
    code = line.format("if tide:") + line.format("    sail()")

    assert table_of(f"<div class={around}>{code}</div>").lines.text == ["if tide:\n    sail()"]


MENTION = "<p>It was <span class=mention-wrap data-attrs='{}'></span>, who climbed.</p>"
QUOTED = (
    f"<div class=tweet><a href=/5><div>Orla</div>{SENTENCE}</a>"
    "<a class=tweet-link-bottom href=/5><span>81</span>Likes</a></div>"
)


@pytest.mark.parametrize(
    ("html", "lines"),
    [
        (
            MENTION.format('{"name": "Orla Finch", "id": 7}'),
            ["It was Orla Finch, who climbed."],
        ),
        (MENTION.format('{"name": null}'), ["It was , who climbed."]),
        (QUOTED, ["Orla", SENTENCE]),
    ],
)
def test_cards_that_a_script_draws_are_what_they_say(html: str, lines: list[str]) -> None:
    table = table_of(html)
    assert table.lines.text == lines
    assert not sum(table.lines.link_units)


def test_a_button_of_another_site_is_no_quoted_post() -> None:
    table = table_of("<div class=tweet><a href=https://twitter.example/share>Tweet</a></div>")
    assert "blockquote" not in table.tag
    assert table.hrefs


def test_a_heading_around_a_list_is_a_heading() -> None:
    table = table_of("<h3><ol><li>Oak</li></ol></h3><h3>Ash</h3><ul><li>Elm</ul>")
    assert table.lines.text == ["Oak", "Ash", "Elm"]
    assert table.tag.count("li") == 1


def test_a_term_has_no_link_to_itself() -> None:
    html = "<dl><dt id=a>pier<a class=headerlink href=#a>¶</a><dd>stands</dl>"

    assert table_of(html).lines.text == ["pier", "stands"]
