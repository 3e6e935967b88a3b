import pytest

from tests.growth import assert_linear
from tests.reading import table_of
from webclean_scrapy import clean

LINES = ["if a < b:", "    a = 1", "", "    b = 2"]
CODE = "\n".join(LINES)
TEXT = CODE.replace("<", "&lt;")
ESCAPED = [line.replace("<", "&lt;") for line in LINES]


def each(form: str, lines: list[str] = ESCAPED) -> str:
    """Return *form* once a line, with the line and its number."""
    return "".join(form.format(line, number=at) for at, line in enumerate(lines, 1))


HARD = [line.replace(" ", "&nbsp;") for line in ESCAPED]
WRITTEN = {
    "spans that end in one": "<pre>" + each("<span class=line><i>{}\n</i></span>") + "</pre>",
    "spans without line breaks": f"<pre>{each('<span class=token-line>{}</span>')}</pre>",
    "a line in a span, and others that are not": "<pre><i>if</i> <i>a</i> &lt; <i>b:</i>\n"
    "<span class=line>    a = 1</span>\n\n    <i>b</i> <i>=</i> 2</pre>",
    "several code": f"<pre>{each('<code>{}</code>')}</pre>",
    "blocks": f"<pre>{each('<div>{}</div>')}</pre>",
    "blocks that end in a br": f"<pre>{each('<div>{}<br></div>')}</pre>",
    "blocks parted by line breaks": "<pre>\n" + each("  <div>{}</div>\n") + "</pre>",
    "items": f"<pre><ol>{each('<li>{}</li>')}</ol></pre>",
    "items that stand apart": "<pre><ol>" + each("\n  <li>{}</li>") + "\n</ol></pre>",
    "items with blocks": f"<pre><ol>{each('<li><div></div><div>{}</div></li>')}</ol></pre>",
    "a list of a highlighter": f"<ol class=dp-py>{each('<li><span>{}</span></li>', HARD)}</ol>",
    "blocks in a code": f"<div><code>{each('<div class=line>{}</div>', HARD)}</code></div>",
    "breaks in a code": f"<code>{'<br>'.join(HARD)}</code>",
    "a code alone": f"<p><code>\n{TEXT}</code></p>",
    "a style": f"<div style='white-space: pre; font-family: monospace'>{TEXT}</div>",
    "rows": "<pre><table>"
    + each("<tr><td class=ln-num>{number}</td><td>{}</td></tr>")
    + "</table>",
    "numbers that nobody can select": "<pre>"
    + each("<div><div class='w-8 select-none'>{number}</div><div>{}</div></div>")
    + "</pre>",
    "rows whose numbers a script shows": "<table>"
    + each("<tr><td class=blob-num data-line-number={number}></td><td>{}</td></tr>")
    + "</table>",
    "a column of numbers": "<table><tr><td class=gutter>"
    + each("<div>{number}</div>")
    + "</td><td>"
    + each("<div class=line>{}</div>")
    + "</td></tr></table>",
    "columns without a name": "<table class=x-code><tr><td>"
    + each("<div>{number}</div>")
    + "</td><td>"
    + each("<div class=line>{}</div>", HARD)
    + "</td></tr></table>",
    "a list in equal letters": "<div style='font-family:monospace'><ol>"
    + each("<li>{}</li>", HARD)
    + "</ol></div>",
    "a listing of numbers": f"<table><tr><td class=line_numbers><pre>1\n2\n3\n4</pre></td>"
    f"<td><pre>{TEXT}</pre></td></tr></table>",
    "lines that begin with their numbers": "<pre>" + each("<span>{number}</span> {}\n") + "</pre>",
    "a header in the listing": "<pre><div><div>python</div><div><button>Copy code</button></div>"
    f"<div><code>{TEXT}</code></div></div></pre>",
    "a label beside it": f"<div><span>Python</span><button>Copy</button></div><pre>{TEXT}</pre>",
    "a copy button with a picture": f"<div class=code_toolbar><a><img alt=copy></a></div>"
    f"<pre>{TEXT}</pre>",
    "an old tag": f"<xmp>{CODE}</xmp>",
    "types beside the mouse": f"<pre>if<i class=popup><code>a: int</code></i>{TEXT[2:]}</pre>",
    "lines without numbers": "<table><tr><td class=code>"
    + each("<div class='line number{number}'>{}</div>", HARD)
    + "</td></tr></table>",
}


@pytest.mark.parametrize("written", WRITTEN.values(), ids=WRITTEN)
def test_a_listing_is_its_lines_however_a_highlighter_writes_them(written: str) -> None:
    table = table_of(f"<p>a</p>{written}<p>b</p>")
    assert table.lines.text == ["a", CODE, "b"]
    assert "pre" in table.tag


@pytest.mark.parametrize(
    ("html", "lines"),
    [
        ("<pre><h2>a</h2><div>b</div><div>c</div></pre>", ["a", "b", "c"]),  # left open
        ("<ol><li><code>a</code> opens</li><li>c</li></ol>", ["a opens", "c"]),
        ("<p>Use <code>a<br>b</code> here.</p>", ["Use a", "b here."]),
        ("<p><code>a\nb</code></p>", ["a b"]),
        ("<p style='white-space:pre-wrap'>a\n  b</p>", ["a b"]),
        ("<table><tr><td class=num>1</td><td>a</td></tr></table>", ["1", "a"]),
        ("<table><tr><td class=gutter>1948 1950</td><td>a</td></tr></table>", ["1948 1950", "a"]),
        ("<table class=promo-code><tr><td>1</td><td>a</td></tr></table>", ["1", "a"]),
        ("<pre>x = <span class=hljs-number>1</span></pre>", ["x = 1"]),
        ("<pre>1 a\n2 b\n3 c</pre>", ["1 a\n2 b\n3 c"]),
        ("<pre>a=<i>1</i>\nb=<i>2</i>\nc=<i>3</i></pre>", ["a=1\nb=2\nc=3"]),
        ("<pre><i>1</i>,a\n<i>2</i>,b\n<i>3</i>,c</pre>", ["1,a\n2,b\n3,c"]),
        ("<p>Python</p><pre>a</pre><div>Then this</div>", ["Python", "a", "Then this"]),
    ],
)  # fmt: skip
def test_what_is_no_listing_stays(html: str, lines: list[str]) -> None:
    assert table_of(html).lines.text == lines


@pytest.mark.parametrize(
    ("listing", "language"),
    [
        ("<pre><code class='hljs go'>{}</code></pre>", "go"),
        ("<pre data-enlighter-language=Rust>{}</pre>", "rust"),
        ("<pre lang=en>{}</pre>", ""),
        ("<pre syntax=Kotlin>{}</pre>", "kotlin"),
        ("<pre class='sourceCode numberSource idris'>{}</pre>", "idris"),
        ("<pre class='brush: sql; toolbar: false'>{}</pre>", "sql"),
        ("<pre data-syntaxhighlighter-params='brush: java; gutter: false'>{}</pre>", "java"),
        ("<div><span>Kotlin</span><button>Copy</button></div><pre>{}</pre>", "kotlin"),
        ("<div class='mw-highlight-lang-perl'><pre>{}</pre></div>", "perl"),
        ("<div class='java geshi'><ol><li><div class=de1>{}</div></li></ol></div>", "java"),
        ("<div class='box swift'><pre>{}</pre></div>", ""),  # of a shop, or a bird
        ("<pre><span class=c>{}</span></pre>", ""),
    ],
)
def test_a_listing_has_its_language(listing: str, language: str) -> None:
    prose = "<p>Here is what the lock keeper wrote down in his book on that long evening.</p>" * 4
    page = f"<h1>Locks and code</h1>{prose}{listing.format('a = 1')}{prose}"
    assert f"```{language}\na = 1\n```" in (clean(page).markdown or "")


def test_a_long_listing_takes_time_in_proportion() -> None:
    assert_linear(table_of, lambda n: "<pre>" + "<div><span class=line>a</span></div>" * n, 2_000)


@pytest.mark.parametrize("unit", [" ", "kopi"])
def test_a_long_text_beside_a_listing_takes_time_in_proportion(unit: str) -> None:
    assert_linear(table_of, lambda n: f"<div>x{unit * n}!</div><pre>a = 1</pre>", 400)


@pytest.mark.parametrize(
    "listing",
    [
        "<table class=code><tr><td class=linenos>{}<td><pre>a = 1</pre></table>",
        "<pre><span>{} </span>a\n<span>{} </span>b\n<span>{} </span>c</pre>",
    ],
)
def test_a_number_of_many_digits_numbers_no_line(listing: str) -> None:
    digits = "1" * 5_000  # Python makes no number of so many
    assert digits in (clean(listing.replace("{}", digits)).text or "")
