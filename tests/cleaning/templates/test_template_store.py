import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webclean_scrapy.cleaning.templates.sketch import PageSketch, is_same_template
from webclean_scrapy.cleaning.templates.template_store import TemplateStore
from webclean_scrapy.errors import TemplateFileError

# The constants of the package, by value: a change of one fails here.
MAX_UNRELATED = 8
PER_SHAPE = 8

ONE, OTHER = (1, 2, 3, 4, 5), (1, 7, 8, 9)  # the upper levels of two templates


def keys(*values: int) -> Any:
    return np.array(sorted(values), np.uint32)


def tree_of(*values: int) -> Any:
    return np.array(sorted(values), np.uint64)


def sketch(
    url: str | None, *texts: int, body: bool = True, tree: tuple[int, ...] = ONE
) -> PageSketch:
    return PageSketch(
        url=url,
        text_keys=tree_of(*texts),
        body_texts=keys(1) if body else keys(),
        body_places=keys(2, 3),
        other_places=keys(4),
        places=keys(2, 3, 4),
        tree=tree_of(*tree),
        body_path=5,
        body_chain="html > body",
    )


def news(number: int, section: str = "news") -> str:
    return f"http://a.example/{section}/{number}.html"


def store_of(*sketches: PageSketch, max_templates: int = 9) -> TemplateStore:
    store = TemplateStore(max_templates)
    for one in sketches:
        store.add(one)
    return store


def test_a_page_is_found_for_others_of_its_shape_but_not_for_itself() -> None:
    store = store_of(sketch(news(1)), sketch(news(2)))
    assert [s.url for s in store.find(sketch(news(3)))[0]] == [news(2), news(1)]
    assert [s.url for s in store.find(sketch(news(2)))[0]] == [news(1)]
    assert store.find(sketch(None)) == ([], [])
    assert store.find(sketch("http://b.example/news/1.html")) == ([], [])


def test_pages_of_another_shape_help_if_they_look_alike_else_any() -> None:
    sections = [f"section{chr(97 + n)}" for n in range(MAX_UNRELATED + 2)]
    store = store_of(
        sketch(news(1, "sport"), tree=OTHER),
        *(sketch(news(n, section)) for section in sections for n in (1, 2)),
        sketch("http://b.example/news/1.html"),
        max_templates=99,
    )
    found = [s.url for s in store.find(sketch(news(3, "other"), tree=OTHER))[0]]
    assert found == [news(1, "sport")]
    found = [s.url for s in store.find(sketch(news(3, "other")))[0]]
    assert found == [news(n, section) for section in reversed(sections[-2:]) for n in (2, 1)]
    strange = [s.url for s in store.find(sketch(news(3, "other"), tree=(40, 41)))[0]]
    assert len(strange) == MAX_UNRELATED
    assert set(strange) < {news(1, "sport"), *(news(2, name) for name in sections)}


def test_a_shape_keeps_no_more_templates_than_its_bound() -> None:
    trees = [(100 * n, 100 * n + 1) for n in range(PER_SHAPE + 3)]
    store = store_of(
        *(sketch(news(n), tree=tree) for n, tree in enumerate(trees)), max_templates=99
    )
    assert [t.pages[0].url for t in store] == [news(n) for n in range(3, PER_SHAPE + 3)]


def test_a_page_that_changed_its_template_is_in_the_new_one_alone() -> None:
    store = store_of(sketch(news(1)), sketch(news(2)), sketch(news(1), tree=OTHER))
    assert [[s.url for s in t.pages] for t in store] == [[news(2)], [news(1)]]
    store.add(sketch(news(2), tree=OTHER))
    assert [[s.url for s in t.pages] for t in store] == [[news(1), news(2)]]


def test_a_page_of_a_new_shape_is_recognised_by_its_looks() -> None:
    store = store_of(sketch(news(1)), sketch(news(1, "arts"), tree=OTHER, body=False))
    assert store.recognises_template(sketch(news(1, "sport")))
    like_arts = sketch(news(1, "sport"), tree=OTHER)
    assert not store.recognises_template(like_arts)  # the page of that template has no body
    assert not store.recognises_template(sketch(news(1, "sport"), tree=(1, 2)))
    assert not store.recognises_template(sketch("http://b.example/news/1.html"))


def test_the_least_used_template_goes_first() -> None:
    store = store_of(*(sketch(news(1, name)) for name in ("one", "two", "three")), max_templates=3)
    store.find(sketch(news(2, "one")))  # used: now the newest
    store.add(sketch(news(1, "four")))
    assert len(store) == 3
    assert not store.knows_template(news(2, "two"))
    assert [store.knows_template(news(2, name)) for name in ("one", "three", "four")] == [True] * 3
    store.add(sketch(news(3, "three")))
    store.add(sketch(news(1, "five")))
    assert not store.knows_template(news(2, "one"))


U32S = st.lists(st.integers(0, 2**32 - 1), max_size=5, unique=True).map(lambda v: keys(*v))
SKETCHES = st.builds(
    PageSketch,
    url=st.builds(news, st.integers(0, 9), st.sampled_from(["news", "sport", "arts"])),
    text_keys=st.sets(st.integers(0, 2**64 - 1), max_size=5).map(lambda v: tree_of(*v)),
    body_texts=U32S,
    body_places=U32S,
    other_places=U32S,
    places=U32S,
    tree=st.sampled_from([tree_of(*ONE), tree_of(*OTHER)]),
    body_path=st.integers(0, 2**32 - 1),
    body_chain=st.text(max_size=9),
)


@given(st.lists(SKETCHES, max_size=12))
def test_what_is_saved_is_loaded(
    tmp_path_factory: pytest.TempPathFactory, sketches: list[PageSketch]
) -> None:
    path = tmp_path_factory.mktemp("templates") / "t.json"
    store = store_of(*sketches)
    store.save(path)
    loaded = store_of()
    loaded.load(path)
    assert [t.to_data() for t in loaded] == [t.to_data() for t in store]
    assert [entry.name for entry in path.parent.iterdir()] == ["t.json"]


def test_loading_adds_to_what_is_there_and_keeps_the_bound(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    store_of(*(sketch(news(1, name)) for name in ("one", "two"))).save(path)
    store = store_of(sketch(news(1, "old")), max_templates=2)
    store.load(path)
    known = [store.knows_template(news(2, name)) for name in ("old", "one", "two")]
    assert known == [False, True, True]


OTHERS: tuple[Any, ...] = (
    None, True, -1, 0.5, 1e300, float("nan"), "", "x", [], [1], ["x"], {}, {"x": 1},
)  # fmt: skip


def changes(value: Any) -> Iterator[Any]:
    """Yield copies of a JSON value in each of which one value is another, or left out."""
    yield from OTHERS
    if not isinstance(value, dict | list):
        return
    for key in value if isinstance(value, dict) else range(len(value)):
        for other in changes(value[key]):
            copy = value.copy()
            copy[key] = other
            yield copy
        copy = value.copy()
        del copy[key]
        yield copy


def test_a_file_in_which_anything_was_changed_is_refused(tmp_path: Path) -> None:
    path, store = tmp_path / "t.json", store_of(sketch(news(1)))
    store.save(path)
    whole = path.read_text()
    texts = {json.dumps(one) for one in changes(json.loads(whole))} - {whole}
    for text in (*texts, *(whole[:size] for size in range(0, len(whole), 7))):
        path.write_text(text)
        with pytest.raises(TemplateFileError, match=r"t\.json"):
            store.load(path)
    assert (len(texts) > 200, len(store)) == (True, 1)


def test_a_failed_save_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text("old")
    (tmp_path / "t.json.part").mkdir()
    with pytest.raises(OSError, match=r"t\.json\.part"):
        store_of(sketch(news(1))).save(path)
    assert path.read_text() == "old"


@pytest.mark.parametrize(("common", "is_same"), [(9, True), (8, True), (7, False)])
def test_pages_are_of_one_template_when_four_fifths_of_their_upper_levels_are_equal(
    common: int, is_same: bool
) -> None:
    one = sketch(news(1), tree=(*range(10),))
    other = sketch(news(2), tree=(*range(10 - common, 20 - common),))

    assert is_same_template(one, other) == is_same
