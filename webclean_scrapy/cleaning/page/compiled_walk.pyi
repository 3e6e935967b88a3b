from collections.abc import Container, Mapping

from lxml.etree import _Element

def walk_rows(
    root: _Element, kinds: Mapping[str, int], text_tag: str, read: Container[str]
) -> tuple[
    list[str],
    list[_Element],
    list[int],
    list[int],
    list[tuple[int, str, int, int]],
    list[str],
    list[str],
    list[tuple[int, str, str]],
    dict[int, str],
]: ...
