import pytest

from tests.pages import article, listing
from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.report.template_report import list_templates

SITE = "http://ostwick.example"


def learned() -> Cleaner:
    """Return a cleaner with three shapes of one host, one of them twice, and another host."""
    cleaner = Cleaner()
    for seed in (11, 12):
        cleaner.learn(article(seed), f"{SITE}/news/{seed}.html")
    other = article(13).replace('<div class="main">', "<aside>x</aside>" * 30 + "<section>")
    cleaner.learn(other, f"{SITE}/news/13.html")
    cleaner.learn(listing(["/a"]), f"{SITE}/list/14.html")
    cleaner.learn(article(15), f"{SITE}/sport/15.html")
    cleaner.learn(article(16), "http://other.example/news/16.html")
    return cleaner


def test_templates_are_listed_with_the_one_used_last_first() -> None:
    store = learned().templates
    views = list_templates(store)

    assert [(view.place, view.shape, view.number) for view in views] == [
        (1, "http://other.example/news/0.html", 1),
        (2, f"{SITE}/sport/0.html", 1),
        (3, f"{SITE}/news/0.html", 1),
        (4, f"{SITE}/list/0.html", 1),
        (5, f"{SITE}/news/0.html", 2),
    ]
    assert views[2].pages == (f"{SITE}/news/12.html", f"{SITE}/news/11.html")
    assert views[2].host == "ostwick.example"
    assert views[2].body == "html > body > div.main > div.body"
    assert views[3].body == ""
    assert {view.serves for view in views} == {None}
    assert [view.nbytes for view in views] == [each.nbytes for each in reversed(list(store))]
    assert all(0 < view.keys < view.nbytes for view in views)


@pytest.mark.parametrize(
    ("path", "verdicts"),
    [
        (
            "/news/99.html",
            {"/news/0.html": "maybe: 2 templates have", "/sport/0.html": "unlikely: "},
        ),
        ("/sport/99.html", {"/sport/0.html": "yes: ", "/news/0.html": "unlikely: "}),
        ("/list/99.html", {"/list/0.html": "no: none of its pages contains an article"}),
        ("/arts/99.html", {"/news/0.html": "maybe: the URL shape differs"}),
    ],
)
def test_each_template_says_if_it_would_serve_a_page(path: str, verdicts: dict[str, str]) -> None:
    views = list_templates(learned().templates, SITE + path)
    said = {view.shape: view.serves or "" for view in views}

    for shape, verdict in verdicts.items():
        assert said[SITE + shape].startswith(verdict)
    assert said["http://other.example/news/0.html"] == "no: another host"
    order = [("yes", "maybe", "unlikely", "no").index(text.split(":")[0]) for text in said.values()]
    assert order == sorted(order)
