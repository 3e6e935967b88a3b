import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reading import table_of
from webclean_scrapy.cleaning.page.layout import read_layout
from webclean_scrapy.cleaning.page.table import PageTable

LONG = "A sentence of the report that goes on for a while, and then for a while more. " * 20


def boxed(tag: str, box: str, inner: str = "") -> str:
    return f'<{tag} data-webclean-box="{box}">{inner}</{tag}>'


def rendered(inner: str) -> PageTable:
    return table_of(boxed("html", "0 0 1280 3000", boxed("body", "8 8 1264 2984", inner)))


def test_rendered_boxes_are_those_of_the_browser() -> None:
    table = rendered(boxed("div", "-20 100 640 48", "text") + boxed("p", "hidden", "no <b>one</b>"))
    layout = read_layout(table)
    assert layout is not None
    for row in (table.tag.index("div"), table.tag.index("div") + 1):  # and its text
        assert (layout.left[row], layout.top[row]) == (-20, 100)
        assert (layout.width[row], layout.height[row]) == (640, 48)
    for row in range(table.tag.index("p"), len(table)):  # nobody sees it, nor what is in it
        assert layout.area(row) == 0
    assert (layout.width[0], layout.height[0]) == (1280, 3000)


def test_an_element_without_a_box_of_its_own_has_that_of_its_parent() -> None:
    table = rendered(boxed("div", "10 20 30 40", "<span>in it</span>"))
    layout = read_layout(table)
    assert layout is not None
    row = table.tag.index("span")
    assert (layout.left[row], layout.width[row]) == (10, 30)


@pytest.mark.parametrize(
    "value",
    [
        "", "1 2 3", "1 2 3 4 5", "1 2 -3 4", "1 2 3 -4", "1.5 2 3 4", "nan 0 1 1", "0 0 inf 1",
        "0 0 1e9 1", "0 0 99999999 1", "0  0 1 1", " 0 0 1 1", "0 0 1 1\n", "٠ ٠ ١ ١", "HIDDEN",
        "0 0 1 1 hidden",
    ],
)  # fmt: skip
def test_what_is_no_box_is_not_taken_for_one(value: str) -> None:
    table = rendered(boxed("div", value, "text") + boxed("p", "1 2 3 4"))
    layout = read_layout(table)
    assert layout is not None
    row = table.tag.index("div")
    assert (layout.left[row], layout.width[row]) == (8, 1264)
    assert read_layout(table_of(boxed("div", value, "text"))) is None


def test_a_page_that_writes_a_few_boxes_by_itself_was_not_rendered() -> None:
    own = boxed("div", "0 0 1280 900000", LONG)
    assert read_layout(table_of(f"{own}<div><p>{LONG}</p><p>{LONG}</p></div>")) is None


@given(st.lists(st.text("-0123456789 hidenaf\n", max_size=20), max_size=6))
def test_boxes_of_a_hostile_page_are_finite_and_bounded(values: list[str]) -> None:
    layout = read_layout(rendered("".join(boxed("div", value, "text") for value in values)))
    if layout is not None:
        for side in (layout.left, layout.top, layout.width, layout.height):
            assert all(abs(number) < 10_000_000 for number in side)
        assert min(*layout.width, *layout.height) >= 0


@pytest.mark.parametrize(("without", "is_rendered"), [(4, True), (6, False)])
def test_a_page_is_rendered_when_half_of_its_elements_have_boxes(
    without: int, is_rendered: bool
) -> None:
    five = rendered(boxed("div", "10 20 30 40") * 3 + "<span>x</span>" * without)

    assert (read_layout(five) is not None) == is_rendered
