from tests.pages import article, sentences
from webclean_scrapy import Cleaner
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


def test_a_known_page_is_read_whole_where_comments_are_asked_for() -> None:
    for cleaner in (Cleaner(), Cleaner(comments=True)):
        pages = [
            cleaner.clean(commented(f"<ul>{comment(0)}{comment(2)}</ul>", n), f"http://a.test/{n}")
            for n in range(1, 9)
        ]
        asked = cleaner.config.comments
        assert (pages[-1].denoised == "known", pages[-1].comments is None) == (not asked, not asked)
        assert len(comments_of(pages[-1])) == 2 * asked
