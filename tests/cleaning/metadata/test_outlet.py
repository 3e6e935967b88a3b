import pytest

from tests.growth import assert_linear
from webclean_scrapy.cleaning.metadata.head import Head
from webclean_scrapy.cleaning.metadata.nearby_lines import Nearby
from webclean_scrapy.cleaning.metadata.outlet import find_source


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("来源：港湾日报", "港湾日报"),
        ("2026年02月03日10:20来源：港湾网－港湾日报", "港湾网－港湾日报"),
        ("来源：港湾日报2026-02-03 10:20", "港湾日报"),
        ("2026-02-03 来源：港湾日报作者：王小明", "港湾日报"),
        ("发布日期：2026-02-03 浏览次数： 信息来源：渡船局", "渡船局"),
        ("转载自：港湾日报", "港湾日报"),
        ("来 源：《港湾日报》", "《港湾日报》"),
        ("Source: The Harbour Post | 3 February 2026", "The Harbour Post"),
        ("This article was originally published by Harbour Post.", "Harbour Post"),
        ("图片来源：港湾摄影", None),
        ("渡船的收入来源是货运", None),
        ("来源: | 发布时间: 2026-02-03", None),
        ("来源：网络整理", None),
        ("来源：https://post.invalid/", None),
        ("The source: nobody knows", None),
    ],
)
def test_a_label_near_the_title_names_the_source(line: str, expected: str | None) -> None:
    assert find_source(Head(), Nearby(head=("首页 > 港湾", line))) == expected


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (("2026-02-03 港湾传媒 1665",), "港湾传媒"),
        (("港湾日报", "2026-02-03 10:20"), "港湾日报"),
        (("2026-02-03 10:20", "港湾日报"), None),
        (("港湾网 > 正文", "2026-02-03"), None),
        (("王小明", "2026-02-03"), None),
    ],
)
def test_an_outlet_in_the_dateline_is_a_source(head: tuple[str, ...], expected: str | None) -> None:
    assert find_source(Head(), Nearby(head=head)) == expected


def test_what_is_nearer_to_the_title_is_trusted_more() -> None:
    declared = Head(sources=("乙报",), publishers=("丁网",))
    label, dateline = ("来源：甲报",), ("2026-02-03 戊报",)
    tail = ("本文来源：丙报 责任编辑：王小明",)

    assert find_source(declared, Nearby(label, tail)) == "甲报"
    assert find_source(declared, Nearby(dateline, tail)) == "乙报"
    assert find_source(Head(publishers=("丁网",)), Nearby(dateline, tail)) == "戊报"
    assert find_source(Head(publishers=("丁网",)), Nearby(tail=tail)) == "丙报"
    assert find_source(Head(publishers=("丁网",)), Nearby()) == "丁网"


@pytest.mark.parametrize(
    "unit", ["来源：", "来 源 ", "港", "a ", "A& ", "·", "港湾/", "2026-", "转", " "]
)
def test_long_lines_take_time_in_proportion(unit: str) -> None:
    def work(long: str) -> None:
        head = Head(sources=(long,), publishers=(long,))
        find_source(head, Nearby((long, "2026-02-03"), (long,)))

    assert_linear(work, lambda size: unit * size, 2_000)
