import pytest

from tests.pages import article, sentences
from webclean_scrapy import Cleaner, clean
from webclean_scrapy.cleaning.metadata.comments import Comment
from webclean_scrapy.cleaning.result import CleanedPage

TEXTS = sentences(7)
NAMES = ["Ada Vos", "bo_29", "旧桥", "Q"]


def comments_of(page: CleanedPage) -> list[Comment]:
    return list(page.comments or ())


def commented(comments: str, seed: int = 1) -> str:
    block = f'<section class="comments"><h3>Comments</h3>{comments}</section>'
    return article(seed).replace('<div class="foot">', block + '<div class="foot">')


def comment(number: int, inner: str = "") -> str:
    return f"""<li class="comment c-{number}"><div class="head"><a class="user-name"
href="/u/{number}">{NAMES[number]}</a> <time datetime="2026-11-0{number + 1}T10:00">{number} days
ago</time></div><p>{TEXTS[number]}</p><a href="/r">Reply</a>{inner}</li>"""


def test_comments_have_author_date_and_text_and_replies_are_their_own() -> None:
    reply = f'<ul class="replies">{comment(1)}</ul>'
    page = clean(commented(f"<ul>{comment(0, reply)}{comment(2)}</ul>"))
    assert comments_of(page) == [
        (NAMES[n], f"2026-11-0{n + 1}T10:00:00", TEXTS[n]) for n in (0, 1, 2)
    ]
    assert not any(TEXTS[n] in page.text for n in (0, 1, 2))


def forum(count: int) -> str:
    posts = "".join(
        f"""<article class="message"><div class="cell user"><h4><a href="/members/{n}">Member{n}</a>
</h4><dl><dt>Joined</dt><dd>Apr {n + 1}, 2009</dd><dt>Posts</dt><dd>{n}14</dd></dl></div>
<div class="cell main"><header><a href="#p{n}">Nov {n + 1}, 2026</a> <a href="#p{n}">#{n}</a>
</header><div class="message-body">{TEXTS[n]}<br>{TEXTS[-1 - n]}</div><a href="/like">Like</a>
</div></article>"""
        for n in range(count)
    )
    return f"""<html lang="en"><head><title>Which boat? | Boat forum</title></head><body>
<nav><a href="/">Forums</a> <a href="/boats/">Boats</a></nav><h1>Which boat?</h1>
<div class="thread">{posts}</div><form><textarea></textarea>Post reply</form></body></html>"""


def test_the_posts_of_a_forum_are_dated_by_the_post_not_by_the_member() -> None:
    page = clean(forum(5), url="http://boats.test/forum/threads/which-boat.29/")
    assert page.kind == "forum"
    assert [(one[0], one[1]) for one in comments_of(page)] == [
        (f"Member{n}", f"2026-11-0{n + 1}") for n in range(5)
    ]
    assert [one[2].split("\n")[0] for one in comments_of(page)] == TEXTS[:5]


@pytest.mark.parametrize(
    "row",
    [
        '<li><a href="/{n}.html">{text}</a> <span>2026-11-0{n}</span></li>',
        '<div class="card"><a href="/{n}.html">{text}</a><i>2026-11-0{n}</i><p>By Ada.</p></div>',
    ],
)
def test_teasers_with_dates_are_no_comments(row: str) -> None:
    rows = "".join(row.format(n=n, text=TEXTS[n]) for n in range(1, 6))
    html = article(1).replace('<div class="foot">', f'<div class="more">{rows}</div><div>')
    assert comments_of(clean(html)) == []


def test_a_known_page_is_read_whole_where_comments_are_asked_for() -> None:
    for cleaner in (Cleaner(), Cleaner(comments=True)):
        pages = [
            cleaner.clean(commented(f"<ul>{comment(0)}{comment(2)}</ul>", n), f"http://a.test/{n}")
            for n in range(1, 9)
        ]
        asked = cleaner.config.comments
        assert (pages[-1].denoised == "known", pages[-1].comments is None) == (not asked, not asked)
        assert len(comments_of(pages[-1])) == 2 * asked
