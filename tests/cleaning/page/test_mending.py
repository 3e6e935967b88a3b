from collections.abc import Callable

import pytest

from tests.growth import assert_linear
from tests.reading import table_of
from webclean_scrapy import clean
from webclean_scrapy.cleaning.output.html_output import render_html
from webclean_scrapy.cleaning.output.markdown_output import render_markdown
from webclean_scrapy.cleaning.page.removals import KeptRows

PROSE = (
    "<p>The keeper of the lock wrote down the level of the water at noon, and again at night.</p>"
)
MORE = "<p>Nobody has read the book since, but the figures are right to the width of a finger.</p>"
FERRY = "<p>清晨六点，第一班渡船离岸，船上坐着去对岸上学的学生和几位卖菜的老人，江雾还没有散去。"
FILE = "https://img.example/gate.jpg"


def markdown_of(part: str) -> str:
    page = clean(f"<h1>The book of the lock</h1>{PROSE * 3}{part}{MORE * 3}", "https://a.example/b")
    return page.markdown or ""


@pytest.mark.parametrize(
    "picture",
    [
        f"<figure><noscript><img src={FILE} alt=gate></noscript></figure>",
        f"<figure><noscript>&lt;img src={FILE} alt=gate&gt;</noscript></figure>",
        f"<figure><a-img src={FILE} alt=gate width=3 height=2 layout=responsive></a-img></figure>",
        f"<div class=lazy data-src=x></div><noscript><img src={FILE} alt=gate></noscript>",
        (
            f"<figure><div><img alt=gate src=small.jpg></div>"
            f"<noscript><img src={FILE} alt=gate></noscript></figure>"
        ),
        (
            f"<amp-img src={FILE} alt=gate width=3 height=2 layout=responsive><p placeholder>"
            "wait</p></amp-img>"
        ),
        f"""<p><img alt=gate src=data:image/gif data-src='{{"90": "{FILE}", "9": "x"}}'>""",
    ],
)
def test_a_picture_that_a_script_shows_is_shown_once(picture: str) -> None:
    written = markdown_of(picture)
    assert written.count(f"![gate]({FILE})") == 1
    assert written.count("![") == 1
    assert "wait" not in written


@pytest.mark.parametrize(
    "counter",
    [
        "<noscript><img src=https://count.example/p.gif width=1 height=1 alt=x></noscript>",
        "<noscript><img src=https://count.example/p.gif alt=x style='display:none'></noscript>",
        "<noscript><img src='https://count.example/p?site=7' alt=statistics></noscript>",
    ],
)
def test_a_counter_of_visits_is_no_picture(counter: str) -> None:
    assert "count.example" not in markdown_of(f"<p>{counter}</p>")


def test_a_noscript_that_was_left_open_is_not_its_picture() -> None:
    assert MORE[3:-4] in markdown_of(f"<noscript><img src={FILE} alt=gate>")


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul>", "- a\n  - b\n- c"),
        ("<ol><li>a</li><ol><li>b</li></ol><li>c</li></ol>", "1. a\n   1. b\n2. c"),
        ("<ul><li>a</li><div><ul><li>b</li></ul></div><li>c</li></ul>", "- a\n  - b\n- c"),
        ("<ul><ul><li>a</li></ul><li>b</li></ul>", "- a\n- b"),
        ("<ul><li>a</li><li><ul><li>b</li></ul></li><li>c</li></ul>", "- a\n  - b\n- c"),
        ("<ul><li><ul><li>a</li></ul></li><li>b</li></ul>", "- - a\n- b"),
        ("<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>", "- a\n- b\n  - c"),
        ("<ul><li><input type=checkbox checked> a</li><li><input type=checkbox> b</li></ul>",
         "- [x] a\n- [ ] b"),
        (("<ul><li><label><input type=checkbox>a</label><ul><li><input type=checkbox checked>b"
         "</ul></ul>"), "- [ ] a\n  - [x] b"),
        ("<form><ul><li><input type=checkbox> a</li></ul></form>", "- a"),
        ("<ul><li>a <input type=checkbox> b</li></ul>", "- a b"),
        ("<ul><li><input type=radio> a</li></ul>", "- a"),
        ("<ol><li>a</li><p>b</p><li>c</li></ol>", "1. a\n\n   b\n2. c"),
    ],
)  # fmt: skip
def test_lists_are_in_their_items_and_boxes_in_front_of_theirs(html: str, markdown: str) -> None:
    table = table_of(html)
    assert render_markdown(render_html(KeptRows(table), 0, len(table), None)) == f"{markdown}\n"


CHOICE = "<li><label><input type=radio name=a>{}</label></li>"
CHOICES = CHOICE.format("Yes") + CHOICE.format("No")


@pytest.mark.parametrize(
    ("part", "is_text"),
    [
        (f"<div><h3>Was it right?</h3><ul>{CHOICES}</ul><p>41 votes</p></div>", False),
        (f"<section><p>Was it right?</p>{CHOICES.replace('li>', 'div>')}</section>", False),
        (f"<div><p>Was it right?</p><img src={FILE}>{CHOICES}</div>", True),
        (f"<div><p>Was it right?</p>{PROSE * 2}{CHOICES}</div>", True),
        (f"<div><p>Was it right?</p>{FERRY * 2}{CHOICES}</div>", True),
        (f"<div><h3>Was it right?</h3>{CHOICES}<p>{'A sample of the type. ' * 6}</p></div>", False),
        ("<div><h3>Was it right?</h3><ul><li>Yes<li>No</ul></div>", True),
        (
            f"<div><p>Was it right?{CHOICES}{'<p>Most of the anglers like it.</p>' * 2}</div>",
            True,
        ),
        (
            "".join(
                f"<div><p>Was it right?</p>{CHOICES.replace('=a', of)}</div>" for of in ("=a", "=b")
            ),
            True,
        ),
        (f"<div><p>Was it right?</p>{CHOICES}<pre>turn(3)</pre></div>", True),  # of tabs
    ],
)
def test_a_poll_outside_of_a_form_is_no_text(part: str, is_text: bool) -> None:
    assert ("Was it right" in markdown_of(part)) is is_text


@pytest.mark.parametrize(
    ("part", "has_caption"),
    [
        ("<p><img src={0}><em class=img_desc>The gate.</em>{1}</p>", True),
        ("<p><i><i><img src={0}></i><em class=picinfo>The gate.</em></i>{1}</p>", True),
        ("<p><img src={0}><em>The gate.</em> {1}</p>", False),
        ("<p><img src={0}> <b>At noon</b> <em class=img_desc>The gate.</em> {1}</p>", False),
    ],
)  # fmt: skip
def test_an_inline_caption_is_no_part_of_the_text_that_it_touches(
    part: str, has_caption: bool
) -> None:
    story = part.format(FILE, PROSE[3:-4])
    text = clean(f"<h1>The book of the lock</h1>{MORE * 3}{story}{MORE * 3}").text
    assert PROSE[3:-4] in text
    assert ("The gate." in text) is not has_caption


ROW = "<{0} role=row><{1} role=cell>a</{1}><{1} role=cell>b</{1}></{0}>"


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        (f"<div role=table>{ROW.format('div', 'span') * 2}</div>",
         "|  |  |\n| --- | --- |\n| a | b |\n| a | b |"),
        (f"<section role=grid><div role=rowgroup>{ROW.format('ul', 'li')}</div></section>",
         "|  |  |\n| --- | --- |\n| a | b |"),
        ("<div role=list><div role=listitem>a</div><div role=listitem>b</div></div>", "- a\n- b"),
        ("<ol role=list><li role=listitem>a<li role=listitem>b</ol>", "1. a\n2. b"),
        (ROW.format("div", "div").replace("cell", "x"), "a\n\nb"),
        ("<div role=heading aria-level=3>a</div><p>b</p>", "### a\n\nb"),
        ("<p>a<div role=tabpanel hidden style='color:red;display:none'>b</div>", "a\n\nb"),
    ],
)  # fmt: skip
def test_an_element_is_what_its_role_says(html: str, markdown: str) -> None:
    table = table_of(html)
    assert render_markdown(render_html(KeptRows(table), 0, len(table), None)) == f"{markdown}\n"


@pytest.mark.parametrize("panel", ["<div id=c hidden>{}</div>", "<p id=c style='display:none'>{}"])
def test_what_the_button_in_a_heading_opens_is_text(panel: str) -> None:
    question = "<div><h3><button aria-controls=c>May dogs come?</button></h3></div>"
    answer = "Dogs may come aboard on a short lead."
    assert f"May dogs come?\n\n{answer}" in markdown_of(question + panel.format(answer))
    assert answer not in markdown_of(question.replace("=c", "=d") + panel.format(answer))


ANSWER = "Dogs may come aboard on a lead."


@pytest.mark.parametrize(
    "opener",
    [
        "<button aria-controls=c>May dogs come?</button><div id=c hidden>{}</div>",
        "<div role=button aria-controls=c>May dogs come?</div><div id=c hidden>{}</div>",
        "<button class=accordion>May dogs come?</button><div style='display:none'>{}</div>",
        "<h3>May dogs come?</h3><div style='display:none'>{}</div><h3>May cats?</h3><p>No.</p>",
        "<dl><dt>May dogs come?<dd hidden>{}<dt>May cats?<dd hidden>No.</dl>",
    ],
)
def test_what_opens_a_text_is_shown_with_it(opener: str) -> None:
    written = markdown_of(PROSE + opener.format(ANSWER))
    assert written.index("May dogs come?") < written.index(ANSWER)


@pytest.mark.parametrize(
    "opener",
    [
        "<button aria-controls=c>Share</button><div id=c hidden>Post it</div>",
        "<button aria-controls=c>Share</button><div hidden>{}</div>",
        "<button aria-controls=c>Share</button><div id=c hidden>{}</div>",
        "<button aria-controls=c>Поделиться</button><div id=c hidden>{}</div>",
        "<button aria-controls=c>分享</button><div id=c hidden>{}</div>",
        "<h3>Letter</h3><div style='display:none'>{}</div><form><input></form>",
    ],
)
def test_what_opens_no_text_is_none(opener: str) -> None:
    written = markdown_of(PROSE + opener.format(ANSWER))
    assert "Share" not in written
    assert ANSWER not in written


def test_the_head_of_a_column_may_be_a_button() -> None:
    table = "<table><tr><th><button>Part</button><th>Tons<tr><td>Hull<td>4</table>"
    assert "| Part | Tons |" in markdown_of(PROSE + table)


@pytest.mark.parametrize(
    ("html", "lines"),
    [
        ("<div><span>Length</span><span>24 m</span></div>", ["Length 24 m"]),
        ("<div class='flex gap-2'><span>deep</span><span>two</span></div>", ["deep two"]),
        ("<p><span class=block>deep</span><span class=block>two</span></p>", ["deep", "two"]),
        ("<p><span>Java</span><span>Script</span></p>", ["JavaScript"]),
        ("<div><span>T</span><span>He</span></div>", ["THe"]),
        ("<div>of <span>Java</span><span>Script</span></div>", ["of JavaScript"]),
        ("<pre><span>ab</span><span>Cd</span></pre>", ["abCd"]),
        ("<ruby>port<rt>a</rt></ruby>", ["port(a)"]),
        ("<ruby>port<rp>[</rp><rt>a</rt><rp>]</rp></ruby>", ["port[a]"]),
        ("<div style='white-space: pre-line'>a\nb <i>c</i>\nd\n</div>", ["a", "b c", "d"]),
        ("<div class=whitespace-pre-wrap>a\n  b</div>", ["a b"]),  # of the source
        ("<div>a <div style='display: inline'>b</div> c</div>", ["a b c"]),
        ("<div>a <p class='d-inline x'>b</p> c</div>", ["a b c"]),
        ("<div>a <p class=inline-flex style='display:inline-block'>b</p> c</div>", ["a", "b", "c"]),
        ("<p>a</p><div class='x w-condition-invisible'><p>b</p></div>c", ["a", "c"]),
        ("<p>a</p><div class=w-dyn-hide>b</div>", ["a"]),
        ("<div>for £<div style='display: inline'>5</div> each</div>", ["for £5 each"]),
        ("<div>a<div style='display:inline-block'>5</div></div>", ["a", "5"]),
    ],
)  # fmt: skip
def test_what_stands_apart_is_apart_in_the_text(html: str, lines: list[str]) -> None:
    assert table_of(html).lines.text == lines


REFERENCE = "<p>It was built in 1880{}. Two brothers did it, and their sons after them.</p>"
NOTES = {
    "an aside": ("<a href=#n id=r>1</a>", "<aside id=n><p><a href=#r>1</a> {}</p></aside>"),
    "an aside that says so": (
        "<a role=doc-noteref href=#n>1</a>",
        "<aside id=n>{} <a role=doc-backlink href=#x>back</a></aside>",
    ),
    "EPUB": ("<a epub:type=noteref href=#n>*</a>", "<aside id=n><p>{}</p></aside>"),
    "names before the links": (
        "<span id=r></span><b><a href=#n>1</a></b>",
        "<ol><li><span id=n></span>{}<a href=#r></a></li></ol>",
    ),
    "several links back": (
        "<sup id=r><a href=#n>1</a></sup>, <sup id=s><a href=#n>1</a></sup>",
        "<ol><li id=n><span>^ <a href=#r><sup>a</sup></a> <a href=#s>b</a></span> {}</li></ol>",
    ),
    "a sign of the list": ("<a id=r href=#n>1</a>", "<ol><li id=n>^ <a href=#r>a</a> {}</li></ol>"),
    "in the margin": ("<label></label><input><span class=sidenote>{}</span>", ""),
    "behind its number": ("<sup>1</sup><span class=my-footnote__note><sup>1</sup>{}</span>", ""),
    "a list of asides": (
        "<a href=#n id=r>[1]</a>",
        "<aside class=notes><aside id=n><i>[<a href=#r>1</a>]</i><p>{}</p></aside></aside>",
    ),
    "a line": ("[<a href=#n id=r>1</a>]", "<div id=n><a href=#r>1</a>. {}</div>"),
    "small in the margin": ("<small class='x margin-note'>{}</small>", ""),
    "an element of Distill": ("<d-footnote>{}</d-footnote>", ""),
    "DokuWiki": (
        "<sup><a href=#n id=r>1)</a></sup>",
        "<div><sup><a href=#r id=n>1)</a></sup> <div>{}</div></div>",
    ),
    "a list in an aside": (
        "<a href=#n id=r><sup>1</sup></a>",
        "<aside><ol><li id=n>{} <a href=#r>back</a></ol></aside>",
    ),
    "its number written out": ("<a href=#n id=r>[1]</a>", "<p id=n>[1] {} <a href=#r>up</a></p>"),
    "a term": ("<a href=#n id=r>1</a>", "<dl><dt id=n><a href=#r>1</a></dt><dd>{}</dd></dl>"),
}


@pytest.mark.parametrize(("reference", "note"), NOTES.values(), ids=NOTES)
def test_a_footnote_is_known_however_it_is_written(reference: str, note: str) -> None:
    text = "Book of the town, page 9."
    written = markdown_of(REFERENCE.format(reference.format(text)) + note.format(text))
    assert "in 1880[^1]" in written
    assert f"\n[^1]: {text}\n" in written


def test_a_post_that_leads_to_itself_is_no_footnote() -> None:
    post = "<div><a href=#p1>#1</a> <a href=#p1>Jun 4</a><p>First of all.</p></div>"
    table = table_of(f"<span id=p1></span>{post}")
    assert table.lines.text == ["#1 Jun 4", "First of all."]


def test_a_note_in_the_margin_is_below_its_paragraph_and_not_in_a_word() -> None:
    note = "<small class=sidenote>{}</small>"
    table = table_of(f"<p>One{note.format('first')}, two{note.format('second')}.</p><p>Three.</p>")
    assert table.lines.text == ["One[1], two[2].", "first", "second", "Three."]


@pytest.mark.parametrize(
    ("frame", "stays"),
    [
        ("<div class=ad-slot>{}</div>", False),
        ("<div id=div-gpt-ad-7><div>{}</div></div>", False),
        ("<aside class=sponsored-box>{}</aside>", False),
        ("<div class='shadow load-map'>{}</div>", True),
        ("<div class=video>{}</div>", True),
    ],
)
def test_a_frame_that_is_named_an_advertisement_is_none_of_the_text(
    frame: str, stays: bool
) -> None:
    inner = "<iframe src=https://frames.example/1 width=300 height=250></iframe>"
    assert ("frames.example" in markdown_of(frame.format(inner))) == stays


def test_what_is_written_over_an_advertisement_is_named() -> None:
    frame = "<iframe src=https://ads.example/1 width=300 height=250></iframe>"
    page = clean(f"<h1>The book</h1>{PROSE * 3}<h3>Our partners</h3>{frame}{MORE * 3}")
    assert "Our partners" not in page.text
    assert "advertisement" in {one.why for one in page.removed}
    page = clean(f"<h1>The book</h1>{PROSE * 3}<h3>The second year</h3>{frame}{MORE * 3}")
    assert "The second year" in page.text


@pytest.mark.parametrize("tag", ["amp-ad", "amp-embed"])
def test_advertisements_of_amp_are_no_text(tag: str) -> None:
    assert "Loading" not in markdown_of(f"{PROSE}<{tag} type=x><p>Loading</p></{tag}>{MORE}")


def test_the_banner_of_an_advertiser_is_no_picture() -> None:
    banner = "<p><a href={}/clk/1><img src=/b.jpg alt='Buy boats'></a></p>"
    assert "Buy" not in markdown_of(PROSE + banner.format("https://ad.clicks.example") + MORE)
    assert "Buy" in markdown_of(PROSE + banner.format("https://adventure.example") + MORE)


def test_text_that_a_style_raises_or_lowers_is_superscript_or_subscript() -> None:
    raised = "<p>25m<span style='color:red; vertical-align: super'>2</span></p>"
    assert "25m<sup>2</sup>" in markdown_of(raised)
    assert "25m<sub>2</sub>" in markdown_of(raised.replace("super", "sub"))
    assert "25m2" in markdown_of(raised.replace("super", "baseline"))
    assert "<sub>" not in markdown_of(f"<p><span style='vertical-align: sub'>{PROSE[3:40]}</span>")


def test_addresses_of_scripts_below_each_other_are_no_text() -> None:
    scripts = "".join(f"<div>https://a.example/js/part-{n}.min.js?v=2</div>" for n in range(6))
    assert "part-3" not in markdown_of(scripts)
    assert "part-3" not in markdown_of(f"<div style='display:none'>{scripts * 9}</div>")
    apart = scripts.replace("<div>", f"<p>{PROSE}</p><div>")
    assert "part-3" in markdown_of(apart)
    pages = "".join(f"<li>https://a.example/maps/part-{n}.pdf</li>" for n in range(6))
    assert "part-3.pdf" in markdown_of(f"<p>The maps are here:</p><ul>{pages}</ul>")
    two = "<li>https://a.example/part-3.js</li><li>https://a.example/part-3.css</li>"
    assert "part-3.js" in markdown_of(f"<p>Write in the head of the page:</p><ul>{two}</ul>")


@pytest.mark.parametrize(
    "page",
    [
        lambda n: "<ul><li>a</li>" + "<ul><li>b</li></ul>" * n,
        lambda n: "<ul>" + "<li><input type=checkbox>a</li>" * n,
        lambda n: "<div><img src=a.png>" + "<input type=radio>" * n,
        lambda n: "<p>" + "a<small class=sidenote>b</small>" * n,
        lambda n: "<noscript><img src=a.png></noscript>" * n,
        lambda n: "<a href=#n id=r>1</a>" + "<aside id=n><a href=#r>1</a>b</aside>" * n,
    ],
)
def test_a_long_page_takes_time_in_proportion(page: Callable[[int], str]) -> None:
    assert_linear(table_of, page, 2_000)
