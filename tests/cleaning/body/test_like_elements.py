import pytest

from tests.reading import SENTENCE, evidence_of, table_of


def posts(html: str) -> list[str]:
    evidence = evidence_of(html)
    texts = table_of(html).lines.text
    return [text for text, is_post in zip(texts, evidence.signs.post, strict=True) if is_post]


COMMENTS = (
    "<div class='comment odd'><p>Ann, 3 May 2024</p><p>Rust.</p></div>"
    "<div class='comment even'><p>Bob, 4 May 2024</p><p>Salt.</p></div>"
)


def test_like_elements_with_a_date_each_are_posts_whatever_they_are_called() -> None:
    html = f"<p>{SENTENCE}</p><section>{COMMENTS.replace('comment', 'x1')}</section>"

    assert posts(html) == ["Ann, 3 May 2024", "Rust.", "Bob, 4 May 2024", "Salt."]


def test_the_text_after_a_dated_head_belongs_to_its_post() -> None:
    html = "<dl><dt>ann 03.05.2024<dd>Rust.<dt>bob 04.05.2024<dd>Salt.</dl><p>Pier</p>"

    assert posts(html) == ["ann 03.05.2024", "Rust.", "bob 04.05.2024", "Salt."]


LINES = "".join(f"<p>Line {number}</p>" for number in range(5))
NO_POSTS = {
    "one": "<div class=c><p>3 May 2024</p><p>Rust.</p></div><div><p>Salt.</p></div>",
    "paragraphs": f"<p>On 3 May 2024 it closed.</p><p>{SENTENCE}</p><p>On 4 May 2024 it opened.",
    "table": "<table><tr><td>3 May 2024<td>2 m<tr><td>4 May 2024<td>3 m</table>",
    "unlike": "<div class=a><p>3 May 2024<p>Rust.</div><div class=b><p>4 May 2024<p>Salt.</div>",
    "dates amid the lines": f"<section>{LINES}<p>3 May 2024</p>{LINES}</section>" * 2,
}


@pytest.mark.parametrize("html", NO_POSTS.values(), ids=NO_POSTS)
def test_other_dates_make_no_posts(html: str) -> None:
    assert posts(html) == []
