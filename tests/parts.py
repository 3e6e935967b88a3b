"""A made site of articles in several pages and their twins, each shape in a folder of its own."""

import random
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.pages import article_text, sentences
from tests.server import Reply, Route

_SIGNS = (
    "山水城市报道居民学校桥梁工程河流街区春天公园商店农田火车船只邮局图书馆音乐老师医院会议计划"
)


def text_of(seed: int, lang: str = "en") -> list[str]:
    """Return paragraphs that other seeds hardly share."""
    if lang == "en":
        return article_text(seed)
    chance = random.Random(seed)

    def line() -> str:
        return "".join(chance.choices(_SIGNS, k=chance.randint(14, 26)))

    return ["，".join(line() for _ in range(4)) + "。" for _ in range(6)]


def page(
    title: str, paragraphs: Iterable[str], nav: str = "", day: str = "",
    *, head: str = "", lang: str = "en",
) -> str:  # fmt: skip
    """Return a page of an article; *nav* stands below its text."""
    body = "".join(f"<p>{text}</p>" for text in paragraphs)
    if day:
        head += f'<meta property="article:published_time" content="{day}T08:00:00Z">'
    name = "Ostwick Post" if lang == "en" else "东河日报"
    return (
        f'<!DOCTYPE html><html lang="{lang}"><head><meta charset="utf-8">'
        f'<title>{title} - {name}</title>{head}</head><body><div class="top">'
        f'<a href="/about/">About</a> <a href="/sport/">Sport</a></div><div class="main">'
        f'<h1>{title}</h1><div class="body">{body}</div>{nav}</div>'
        f'<div class="foot"><p>All rights reserved by {name} and its readers.</p></div>'
        "</body></html>"
    )


@dataclass
class Shape:
    """Pages by path, with the expected items of a crawl: paragraphs by path."""

    routes: dict[str, Route]
    wanted: dict[str, list[str]]
    parts: int = 1
    links: list[str] = field(default_factory=list)  # on the first page of the site

    def __post_init__(self) -> None:
        self.links = self.links or [next(iter(self.routes))]


def numbers(paths: list[str], at: int) -> str:
    """Return the row of numbers below page *at*."""
    rows = (f'<a href="{path}">{n}</a>' for n, path in enumerate(paths, 1) if n != at + 1)
    return f'<div class="pages">{" ".join(rows)}</div>'


def next_link(paths: list[str], at: int, text: str = "Next", rel: str = "") -> str:
    if at + 1 == len(paths):
        return ""
    return f'<p class="more"><a {rel} href="{paths[at + 1]}">{text}</a></p>'


def near(paths: list[str], at: int) -> str:
    """Return the numbers shown by long pagers: the next and the last one."""
    last = len(paths) - 1
    shown = {at + 1, last} - {at, last + 1}
    rows = (f'<a href="{paths[one]}">{one + 1}</a>' for one in sorted(shown))
    return f'<div class="pages">{" ".join(rows)}</div>'


def together(
    shapes: Collection[Shape],
) -> tuple[dict[str, Route], dict[str, list[str]], list[str]]:
    """Return routes, expected items and links of all *shapes*, as those of one site."""
    routes: dict[str, Route] = {}
    wanted: dict[str, list[str]] = {}
    for shape in shapes:
        routes |= shape.routes
        wanted |= shape.wanted
    return routes, wanted, [path for shape in shapes for path in shape.links]


Nav = Callable[[list[str], int], str]


def parts(
    seed: int,
    paths: list[str],
    nav: Nav = numbers,
    *,
    head: Nav = lambda paths, at: "",
    lang: str = "en",
    mark: Callable[[int], str] = lambda n: "",
    lead: str = "",
) -> Shape:
    """Return an article in as many pages as *paths*."""
    title = f"How the {sentences(seed, 1)[0].split()[0]} bridge was built"
    if lang == "zh":
        title = "".join(random.Random(seed).choices(_SIGNS, k=14))
    texts = [text_of(100 * seed + n, lang) for n in range(len(paths))]
    routes: dict[str, Route] = {}
    for at, (path, text) in enumerate(zip(paths, texts, strict=True)):
        own = [lead, *text] if lead else text
        shown = title + (mark(at + 1) if at else "")
        routes[path] = page(shown, own, nav(paths, at), head=head(paths, at), lang=lang)
    whole = [lead] * bool(lead) + [line for text in texts for line in text]
    return Shape(routes, {paths[0]: whole}, len(paths))


def counted(first: str, form: str, count: int = 3, begin: int = 2) -> list[str]:
    return [first, *(form.format(n) for n in range(begin, begin + count - 1))]


def head_links(paths: list[str], at: int) -> str:
    links = f'<link rel="prev" href="{paths[at - 1]}">' if at else ""
    return links + (f'<link rel="next" href="{paths[at + 1]}">' if at + 1 < len(paths) else "")


def tabs(paths: list[str], at: int) -> str:
    rows = "".join(
        f'<li><a href="{path}"><b>Page {n}</b></a></li>' for n, path in enumerate(paths, 1)
    )
    return f'<ul class="tabs">{rows}</ul>'


def shapes_in_parts() -> dict[str, Shape]:
    """Return articles in parts: each is one item."""
    view_all = parts(11, counted("/k/story", "/k/story?page={}"))
    ((first, text),) = view_all.wanted.items()
    title = str(view_all.routes[first]).split("<h1>")[1].split("</h1>")[0]
    for path in view_all.wanted.keys() | view_all.routes.keys():
        html = str(view_all.routes[path])
        view_all.parts = 1  # one page has it all
        view_all.routes[path] = html.replace(
            "</h1>", '</h1><a href="/k/story?page=all">View all</a>'
        )
    view_all.routes["/k/story?page=all"] = page(title, text)
    return {
        "rel next in head": parts(
            1, counted("/a/story", "/a/story?page={}"), lambda *_: "", head=head_links
        ),
        "rel next on a": parts(
            2,
            counted("/b/story.html", "/b/story-{}.html"),
            lambda p, a: next_link(p, a, "On", "rel=next"),
        ),
        "numbers": parts(3, counted("/c/story", "/c/story?page={}", 4)),
        "next button only": parts(4, counted("/d/story", "/d/story/{}"), next_link),
        "zh next page": parts(
            5,
            counted("/e/c_81277.htm", "/e/c_81277_{}.htm"),
            lambda p, a: next_link(p, a, "下一页"),
            lang="zh",
        ),
        "zh numbers": parts(6, counted("/f/812771.html", "/f/812771_{}.html"), lang="zh"),
        "a folder": parts(7, counted("/g/a-long-story/", "/g/a-long-story/{}/")),
        "page in the path": parts(8, counted("/h/a-long-story/", "/h/a-long-story/page/{}/")),
        "two parameters": parts(9, counted("/i/show?id=5", "/i/show?id=5&p={}")),
        "counted from 0": parts(10, counted("/j/story", "/j/story?page={}", begin=1)),
        "view all": view_all,
        "tabs": parts(12, counted("/l/story.html", "/l/story_{}.html"), tabs),
        "links on page 1 alone": parts(
            13, counted("/m/story", "/m/story?p={}"), lambda p, a: "" if a else numbers(p, a)
        ),
        "(2)": parts(14, counted("/n/story", "/n/story?page={}"), mark=lambda n: f" ({n})"),
        "zh (2)": parts(
            15, counted("/o/91277.html", "/o/91277_{}.html"), lang="zh", mark=lambda n: f"（{n}）"
        ),
        "Page 2 of 3": parts(
            16, counted("/p/story", "/p/story?page={}"), mark=lambda n: f" - Page {n} of 3"
        ),
        "a lead on all": parts(
            17,
            counted("/q/story", "/q/story/{}"),
            lead="The lead stands on each page of this article.",
        ),
        "numbers with gaps": parts(18, counted("/r/story", "/r/story?page={}", 7), near),
    }


def alone(routes: Mapping[str, tuple[Any, ...]], links: list[str] | None = None) -> Shape:
    """Return single-page articles by path: title, text and trailing links."""
    made: dict[str, Route] = {path: page(*of) for path, of in routes.items()}
    return Shape(made, {path: of[1] for path, of in routes.items()}, links=links or [])


def link(path: str, text: str = "2", rel: str = "") -> str:
    return f'<p><a {rel} href="{path}">{text}</a></p>'


def shapes_alone() -> dict[str, Shape]:
    """Return pages with addresses like those of parts, which are separate articles."""
    t = iter(range(5000, 6000))

    def text() -> list[str]:
        return text_of(next(t))

    def row(form: str, titles: list[str], days: Iterable[str] = ("",) * 3) -> Shape:
        paths = [form.format(n) for n in range(1, 1 + len(titles))]
        rows = enumerate(zip(paths, titles, days, strict=True))
        return alone({p: (title, text(), numbers(paths, at), day) for at, (p, title, day) in rows})

    def linked(first: str, title: str, to: str, other: str = "", *, by: str = "2") -> Shape:
        """Return a page with a link to another one, which is there if it has a title."""
        rel = "rel=next" if by == "next" else ""
        pages = {first: (title, text(), link(to, by, rel)), to: (other, text(), "")}
        return alone({path: page for path, page in pages.items() if page[0]})

    towns = [
        "Mayor of Ostwick resigns today",
        "Harbour of Dunmer is widened",
        "Rain floods the Corwin road",
    ]
    letters = "Letters to the editor this week"
    body = text()
    comments = Shape(
        {
            "/comments/story": page(
                "What readers say of the ferry", body, link("/comments/story?cpage=2")
            ),
            "/comments/story?cpage=2": page(
                "What readers say of the ferry", body, "<h3>Comments</h3><p>I like the ferry.</p>"
            ),
        },
        {"/comments/story": body},
    )
    views = [f"View number {n} of the new town hall." for n in range(4)]
    gallery = linked("/gallery/hall", "Pictures of the new town hall", "/gallery/hall/2", by="next")
    for n in (2, 3):
        gallery.routes[f"/gallery/hall/{n}"] = page(
            "Pictures of the new town hall",
            [views[n]],
            link(f"/gallery/hall/{n + 1}", "next", "rel=next") if n < 3 else "",
        )
    entries = [f"/found-only-there-{word}" for word in "red blue green brown white".split()]
    rows = [f'<li><a href="{entry}">The report of {entry}</a></li>' for entry in entries]
    lists = alone({entry: (f"A report of {entry[18:]} boats", text(), "") for entry in entries})
    for path, on in (("/list/", '<a href="/list/?page=2">2</a>'), ("/list/?page=2", "".join(rows))):
        lists.routes[path] = page("All reports of the town", [], f"<ul>{on * 4}</ul>")
    lists.links = ["/list/"]
    found = [f"/met-by-search-{word}" for word in "north south east west".split()]
    search = alone({one: (f"A letter from the {one[15:]} of town", text(), "") for one in found})
    results = "".join(f'<li><a href="{one}">A letter: {one[15:]}</a></li>' for one in found)
    for path, on in (
        ("/search?q=a", '<a href="?q=a&page=2">2</a>'),
        ("/search?q=a&page=2", results),
    ):
        search.routes[path] = page("Search: a", [], f"<ul>{on * 4}</ul>")
    search.links = ["/search?q=a"]
    posts = [
        "".join(
            f'<div class="post"><a class="author" href="/members/user{n}">user{n}</a>'
            f"<span>Posts: {n}40</span> <time>2026-05-0{n}</time>"
            f'<p>{line}</p><a href="#reply{n}">Reply</a></div>'
            for n, line in enumerate(text_of(seed), 1)
        )
        for seed in (5900, 5901)
    ]
    thread = Shape(
        {
            "/forum/thread-91": page("How to mend a boat?", [], posts[0] + link("?page=2")),
            "/forum/thread-91?page=2": page("How to mend a boat?", [], posts[1]),
        },
        {},
    )
    viewer = alone({"/viewer": ("The report on the harbour", text(), link("/viewer?page=2"))})
    viewer.routes["/viewer?page=2"] = Reply(b"%PDF-1.4 " * 90, content_type="application/pdf")
    return {
        "list": lists,
        "forum": thread,
        "viewer": viewer,
        "rel next to the next article": linked(
            "/blog/first-post", towns[0], "/blog/second-post", towns[1], by="next"
        ),
        "gallery": gallery,
        "comments": comments,
        "chapters": row("/book/{}", ["Chapter 1", "Chapter 2", "Chapter 3"]),
        "slugs": linked(
            "/election-results", "Election results of the north",
            "/election-results-2", "Election results in Dunmer town", by="More",
        ),
        "numbers of articles": row("/story/{}", towns),
        "days": row("/2026/11/{}", towns),
        "episodes": row(
            "/show/episode-{}",
            ["Episode 1: the ferry", "Episode 2: the mill", "Episode 3: the bridge"],
        ),
        "search": search,
        "sizes": linked("/coat", "The winter coat in a test", "/coat?size=2"),
        "languages": linked(
            "/lang", "The old mill of Corwin burns",
            "/lang?lang=2", "Die alte Muehle von Corwin brennt",
        ),
        "weekly": row(
            "/letters-{}", [letters] * 3, days=["2026-05-06", "2026-05-13", "2026-05-20"]
        ),
        "a series": linked(
            "/series/the-river", "The river, a series: the spring",
            "/series/the-sea", "The river, a series: the sea", by="Part 2",
        ),
    }  # fmt: skip


@dataclass
class Twin:
    """An article and a page of the same text at another address."""

    article: str
    twin: str
    routes: dict[str, Route]
    text: list[str]


def twin(seed: int, article_path: str, twin_path: str, named: str = "", **options: Any) -> Twin:
    """Return an article and a twin that names it by a link, or as *options* say."""
    title, text = f"Why the {sentences(seed, 1)[0].split()[0]} mill stands still", text_of(seed)
    link_of = named or f'<link rel="canonical" href="{article_path}">'
    own = text[:-1] if options.get("is_shorter") else text
    shown: Route = page(title, own, head="" if options.get("header") else link_of)
    if options.get("header"):
        body = str(shown).encode()
        shown = Reply(body, headers={"Link": f'<{article_path}>; rel="canonical"'})
    self_named = f'<link rel="canonical" href="{article_path}">'
    routes: dict[str, Route] = {article_path: page(title, text, head=self_named), twin_path: shown}
    return Twin(article_path, twin_path, routes, text)


def twins() -> list[Twin]:
    og_url = '<meta property="og:url" content="/t8/story">'
    return [
        twin(701, "/t1/n/7012", "/t1/amp/7012"),
        twin(702, "/t2/7022", "/t2/7022/amp"),
        twin(703, "/t3/story", "/t3/story?print=1"),
        twin(704, "/t4/story", "/t4/story?output=amp"),
        twin(705, "/t5/n/7052", "/t5/print/7052"),
        twin(706, "/t6/story", "/t6/story?ref=rss"),
        twin(707, "/t7/story.html", "/t7/story.amp.html", '<link rel=canonical href="story.html">'),
        twin(708, "/t8/story", "/t8/story/m", og_url),
        twin(709, "/t9/story", "/t9/story.txt.html", header=True),
        twin(710, "/t10/story", "/t10/m/story", is_shorter=True),
    ]
