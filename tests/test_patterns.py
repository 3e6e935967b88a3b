"""No regular expression of the package takes time that is exponential in its text."""

import re

import pytest

from tests.patterns import Found, exponential_attack, package_patterns

NAME_OF_PICTURE = r"blank(?:[-_]?(?:blank|icon|\d+(?:x\d+)?))*\.(?:gif|png)"
POWER = r"[-+]?(?:\d[\d.,]*|[a-z])(?:[-+]?(?:\d+|[a-z]))*"


def test_no_pattern_of_the_package_is_exponential() -> None:
    found, _ = package_patterns()
    assert len(found) > 400
    slow = {one.place: attack for one in found if (attack := exponential_attack(one))}
    assert slow == {}


@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        (r"(?:a+)+b", "search"),
        (r"(?:a|a)*b", "search"),
        (r"(?:\w+\s?)*:", "match"),
        (NAME_OF_PICTURE, "search"),
        (POWER, "fullmatch"),
        (r"(?:ab|a|b)*", "fullmatch"),
        (r"x(?:(?:a+,?)*;)?", "fullmatch"),
    ],
)
def test_a_pattern_that_reads_a_run_in_several_ways_is_found(pattern: str, method: str) -> None:
    found = Found(place="", pattern=re.compile(pattern), methods=frozenset({method}))
    assert exponential_attack(found)


@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        (r"a*a*a*b", "search"),
        (r"(?:\w+\s)*:", "match"),
        (r"(?:a+)+", "search"),
        (r"(?:a(?:b|(?!b))|b)*", "fullmatch"),
    ],
)
def test_a_pattern_with_one_reading_of_each_run_is_not(pattern: str, method: str) -> None:
    found = Found(place="", pattern=re.compile(pattern), methods=frozenset({method}))
    assert exponential_attack(found) is None
