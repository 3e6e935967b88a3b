import pytest

from tests.pages import article
from tests.report.explained import explained
from webclean_scrapy.report.explain import render_text
from webclean_scrapy.report.web_page import MIN_WIDTH
from webclean_scrapy.safe_text import columns_of

CHINESE = "<p>今天早上海港有大雾，去岛上的渡轮晚点了三个小时，有人带着早饭来等。</p>"
NO_BODY = "<html><body><nav><a href='/'>Home</a> <a href='/news/'>News</a></nav></body></html>"


def test_the_text_has_the_record_the_walk_the_siblings_and_every_line() -> None:
    shown = render_text(explained(), 100).splitlines()

    assert shown[0] == explained().name
    starts = [line.split("  ")[0] for line in shown]
    assert {"kind", "title", "method", "Body", "xpath", "confidence", "Siblings"} <= set(starts)
    (chosen,) = (line for line in shown if line.startswith("*"))
    assert chosen.endswith(explained().body.xpath or "")
    assert sum(line.strip()[:3].endswith("+") for line in shown) == explained().kept
    assert any("template: repeated in sibling" in line for line in shown)


@pytest.mark.parametrize("width", [10, 60, 133])
def test_no_line_is_wider_than_the_terminal_and_controls_are_not_shown(width: int) -> None:
    page = article(1).replace("<p>", f"{CHINESE}<p>Red: \x1b[31m", 1)
    lines = render_text(explained(page), width).splitlines()
    assert max(map(columns_of, lines)) <= max(width, MIN_WIDTH)
    assert not any("\x1b" in line for line in lines)


def test_parts_without_values_are_left_out() -> None:
    shown = render_text(explained(NO_BODY, siblings=0))
    assert "none: no text looks like a body" in shown
    for word in ("title line", "link blocks", "Decay"):
        assert word not in shown
