"""Roles of places: known from a template's pages, applied to the next page."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.cleaning.templates.test_shared_text import marked_up, paragraphs, story
from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.cleaning.templates.roles import Roles, line_roles

# The constants of the package, by value: a change of one fails here.
MAX_PAGES = 20
MAX_PLACES = 1000


def roles_at(*places: int) -> Any:
    return np.array(places, np.uint32)


def pooled(own: list[float], places: Any, *roles: Roles) -> list[float]:
    numbers = np.unique(places, return_inverse=True)[1]
    found: NDArray[np.float64] = line_roles(places, roles).pool(np.array(own), numbers, 1.0)
    return [float(value) for value in found.round(2)]


def test_the_lines_at_a_place_move_together_and_stay_as_far_apart() -> None:
    others = Roles.of_lines(roles_at(1, 1, 2), np.array([6.0, 10.0, -8.0]))
    assert pooled([1.0, -1.0, 3.0, 5.0], roles_at(1, 1, 2, 7), others) == [5.0, 3.0, -2.5, 5.0]


def test_places_that_others_were_unsure_of_move_little() -> None:
    assert pooled([2.0], roles_at(1), Roles.of_lines(roles_at(1), np.array([0.0]))) == [2.0]
    assert pooled([2.0], roles_at(1), Roles.of_lines(roles_at(1), np.array([-1.0]))) == [1.4]


def test_more_pages_count_more_and_old_ones_give_way() -> None:
    good, bad = (Roles.of_lines(roles_at(1), np.array([value])) for value in (8.0, -8.0))
    two = good.merged(good)
    assert pooled([0.0], roles_at(1), two) > pooled([0.0], roles_at(1), good)
    many = good
    for _ in range(3 * MAX_PAGES):
        many = many.merged(good)
    assert many.pages.tolist() == [MAX_PAGES]
    for _ in range(MAX_PAGES):
        many = many.merged(bad)
    assert many.log_odds[0] < 0


def test_places_are_limited_to_those_that_most_pages_had() -> None:
    often = Roles.of_lines(roles_at(1), np.array([1.0]))
    strange = Roles.of_lines(
        np.arange(2, 2 * MAX_PLACES, dtype=np.uint32), np.ones(2 * MAX_PLACES - 2)
    )
    roles = often.merged(often).merged(strange)
    assert len(roles.places) == MAX_PLACES
    assert roles.places[0] == 1


def test_places_that_several_pages_agree_on_are_settled() -> None:
    never, often = (Roles.of_lines(roles_at(1), np.array([value])) for value in (-8.0, 8.0))
    thrice = never.merged(never).merged(never)
    settled = (thrice, thrice.merged(often))
    others = (never, often.merged(often).merged(often), thrice.merged(often).merged(often))
    assert [each.settled_places.tolist() for each in settled] == [[1], [1]]
    assert not any(len(each.settled_places) for each in others)


@pytest.mark.parametrize(
    ("log_odds", "pages", "is_settled", "is_body"),
    [
        (-3.1, 3, True, False),
        (-2.9, 3, False, False),
        (-9.0, 2, False, False),
        (1.9, 3, False, False),
        (2.1, 3, False, True),
        (9.0, 2, False, False),
    ],
)
def test_three_clear_pages_settle_a_place(
    log_odds: float, pages: int, is_settled: bool, is_body: bool
) -> None:
    roles = one = Roles.of_lines(roles_at(1), np.array([log_odds]))
    for _ in range(pages - 1):
        roles = roles.merged(one)
    lines = line_roles(roles_at(1), [roles])

    assert lines.is_body.tolist() == [is_body]
    assert roles.settled_places.tolist() == [1] * is_settled


def page(name: str, count: int = 8, others: int = 3) -> tuple[str, str]:
    opinions = (f"<div class=opinion>{text}</div>" for text in paragraphs(f"on {name}", others))
    return story(name, marked_up(paragraphs(name, count)), "".join(opinions))


def cleaner_of(count: int) -> Cleaner:
    cleaner = Cleaner()
    for number in range(count):
        cleaner.clean(*page(f"Story {number}"))
    return cleaner


def test_a_short_article_is_found_where_other_pages_have_theirs(tmp_path: Path) -> None:
    short, opinions = page("A short story", 1, 5), paragraphs("on A short story", 5)
    assert opinions[0] in Cleaner().clean(*short).text
    cleaner = cleaner_of(5)
    cleaner.save(tmp_path / "t.json")
    loaded = Cleaner()
    loaded.load(tmp_path / "t.json")
    for each in (cleaner, loaded):
        assert each.clean(*short).text == paragraphs("A short story", 1)[0]


def test_a_paragraph_apart_is_kept_where_other_pages_have_one() -> None:
    """By itself the walk goes on to the element of the other paragraphs, which loses little."""

    def page_of(name: str, count: int, most: int) -> tuple[str, tuple[str, str]]:
        lead, *texts = paragraphs(name, count)
        box = "<aside class=box><p>Read more</p><p>The last rope-walk changes hands</p></aside>"
        body = f"<p>{lead[:most]}</p>{box}<div class=rest>{marked_up(texts)}</div>"
        return lead[:most], story(f"A story with a lead, {name}", body)

    cleaner = Cleaner()
    for number in range(4):
        cleaner.clean(*page_of(f"number {number}", 3, 999)[1])
    lead, page = page_of("the last", 12, 36)
    assert lead not in Cleaner().clean(*page).text
    assert lead in cleaner.clean(*page).text
