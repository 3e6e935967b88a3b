import pytest

from tests.growth import assert_linear
from webclean_scrapy.cleaning.metadata.nearby_lines import find_nearby

MENU = [f"Section {number}" for number in range(30)]
BODY = ["The ferry came two hours late, and nobody on the quay knew why. " * 3] * 10
FEET = [f"Foot {number}" for number in range(30)]


def test_lines_after_the_title_come_before_those_above_it() -> None:
    lines = [*MENU, "Ferry late", "By Ann Lee", *BODY, *FEET]

    head = find_nearby(lines, 30, range(32, 42)).head

    assert head[0] == "By Ann Lee"
    assert set(head[1:]) == {f"Section {number}" for number in range(24, 30)}


def test_the_title_and_paragraphs_are_not_near() -> None:
    lines = ["2026-02-03 Ferry late", "By Ann Lee", *BODY, "2026-02-04 is the day it came."]

    found = find_nearby(lines, 0, range(1, 7))

    assert "2026-02-03 Ferry late" not in found.head
    assert not {*BODY} & {*found.head, *found.tail}


def test_what_follows_the_body_is_its_tail() -> None:
    lines = [*MENU, "Ferry late", *BODY, "Editor: Bo Ek", *FEET]

    tail = find_nearby(lines, 30, range(31, 41)).tail

    assert tail[0] == "Editor: Bo Ek"
    assert len(tail) < 15


def test_a_title_far_from_the_body_is_a_link_to_the_page() -> None:
    lines = ["Ferry late", "By Menu Man", *MENU, "Ferry late", "By Ann Lee", *BODY]

    assert find_nearby(lines, 0, range(34, 44)).head[0] == "By Ann Lee"


def test_a_sentence_is_no_dateline() -> None:
    long_sentence = "On Monday the harbour office said that the ferry had been late again."
    lines = ["Ferry late", "渡船于2026年2月3日停航。", long_sentence, "Mon. 3 Feb."]

    assert find_nearby(lines, 0, ()).head == ("Mon. 3 Feb.",)


@pytest.mark.parametrize("line", ["." * 120, "By Ann Lee", "Ferry late"])
def test_a_page_of_many_lines_takes_time_in_proportion(line: str) -> None:
    def work(lines: list[str]) -> None:
        find_nearby(lines, 5, range(len(lines)))

    assert_linear(work, lambda size: [line] * size, 2_000)


@pytest.mark.parametrize(
    ("last", "signed"),
    [("渡船晚点两小时。（王小明）", ("（王小明）",)), ("渡船（王小明）晚点。", ())],
)
def test_how_a_body_begins_and_who_signs_it_is_near(last: str, signed: tuple[str, ...]) -> None:
    found = find_nearby(["Ferry late", *BODY, last], 0, range(1, 12))

    assert found.tail[: len(signed)] == signed
    assert ("（王小明）" in found.tail) == bool(signed)
    assert found.lead
    assert BODY[0].startswith(found.lead)


@pytest.mark.parametrize(("length", "is_near"), [(118, True), (122, False)])
def test_a_line_of_more_than_120_characters_is_no_dateline(length: int, is_near: bool) -> None:
    line = "x" * length

    assert (line in find_nearby(["Ferry late", line, "Mon. 3 Feb."], 0, ()).head) == is_near


def test_lines_are_near_up_to_a_distance() -> None:
    lines = [f"A {number}" for number in range(60)]
    title, body = find_nearby(lines, 30, ()), find_nearby(lines, None, range(30, 31))

    assert sorted({*title.head_numbers, 30}) == [*range(27, 39)]
    assert sorted({*title.numbers, 30}) == [*range(14, 47)]
    assert sorted(body.head_numbers) == [*range(22, 33)]
    assert sorted(body.tail_numbers) == [*range(27, 42)]


def test_the_start_of_a_body_is_its_lead_and_a_long_signature_is_read() -> None:
    signed = f"（{'王小明、' * 5}王小明）"
    found = find_nearby([BODY[0], f"渡船晚点两小时。{signed}"], None, range(2))

    assert found.lead == BODY[0][:80]
    assert found.tail[0] == signed
