"""Content that browsers show in usually dropped elements, and edit links of sections."""

from tests.growth import assert_linear
from tests.reading import table_of

EDIT = "/w/index.php?title=Pier&amp;action=edit&amp;section=1"


def test_a_heading_that_leads_to_a_page_to_be_written_stays() -> None:
    heading = f"<h2><a href='{EDIT}&amp;redlink=1'>Old pier</a></h2>"
    assert table_of(heading).lines.text == ["Old pier"]


def test_slots_and_edit_links_cost_in_proportion() -> None:
    def page(size: int) -> str:
        links = f"<a href='{EDIT}'>edit</a>" * size
        return f"<h2>Pier</h2><span>{links}</span><x-a><template shadowrootmode=open>" + (
            "<slot></slot>" * size + "</template>" + "<p>a</p>" * size + "</x-a>"
        )

    assert_linear(table_of, page, 400)


def test_a_heading_that_is_a_link_to_itself_is_none() -> None:
    assert table_of("<h2 id=p><a href='#p'>Pier</a></h2>").lines.link_units == [0]
    assert table_of("<h2><a href='/pier#p'>Pier</a></h2>").lines.link_units == [4]
