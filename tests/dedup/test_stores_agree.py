"""Hypothesis: after any steps the stores agree, and a batch is answered like single pages."""

import uuid
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.dedup.articles import make_article
from tests.dedup.distinct import with_lines
from tests.dedup.test_index import Opener, open_index
from webclean_scrapy.dedup.config import UPDATES, VERSIONS
from webclean_scrapy.dedup.index import DuplicateIndex

__all__ = ["open_index"]


def versions() -> list[str]:
    """Pages that are copies, parts and updates of each other, or differ in numbers only."""
    one, two, three = (make_article(seed) for seed in (1, 2, 3))
    lines = one.split("\n")
    weather = "\n".join(f"{line} It rises to {{}} degrees at {{}} metres." for line in lines[:6])
    return [
        "short text", one, two, "\n".join(lines[4:]), "\n".join(lines[::-1]), one + "\n" + two,
        two + "\n" + three + "\n" + one, weather.replace("{}", "21"), weather.replace("{}", "9"),
        "\n".join(lines[:2]) + two[:140], "\n".join(lines[:3]) + two[:140],
        with_lines(one, range(2), seed=4), with_lines(one, range(2), seed=5),
    ]  # fmt: skip


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 12), st.integers(0, 3))),
    updates=st.sampled_from(UPDATES),
    kept=st.sampled_from(("none", *VERSIONS)),
)
@pytest.mark.parametrize(
    ("store", "method"), [("sqlite", "codes"), ("redis", "codes"), ("sqlite", "minhash")]
)
def test_stores_agree_whatever_is_done(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    store: str,
    *,
    method: str,
    steps: list[tuple[str, int, int]],
    updates: str,
    kept: str,
) -> None:
    if store == "redis":
        uri = request.getfixturevalue("redis_server").uri(f"agree{uuid.uuid4().hex}")
    else:
        uri = f"sqlite:///{tmp_path_factory.mktemp('agree')}/p.db"
    texts = versions()
    options: dict[str, Any] = {"method": method, "updates": updates, "versions": kept}
    with DuplicateIndex(**options) as one, DuplicateIndex(uri, **options) as other:
        for key, version, action in steps:
            answers = []
            for index in (one, other):
                if action == 0:
                    answers.append(str(index.remove(key)))
                elif action == 1:
                    answers.append(str(index.confirm([key])))
                else:
                    run = None if action == 2 else str(version % 2)
                    match = index.check_and_add(key, texts[version], run=run)
                    answers.append(str(match))
            assert answers[0] == answers[1]
        assert list(one.clusters()) == list(other.clusters())
        assert len(one) == len(other)
        assert one.comparisons == other.comparisons


def test_a_batch_is_answered_like_its_pages_one_by_one(open_index: Opener) -> None:
    pages = [(f"{n}", make_article(n % 60), f"Title {n}") for n in range(130)]
    with DuplicateIndex() as index:
        expected = [index.check_and_add(key, text, title=title) for key, text, title in pages]
    index = open_index()
    assert index.check_and_add_many(pages) == expected
    assert sum(match is None for match in expected) == 60
    assert index.check_and_add_many([]) == []
