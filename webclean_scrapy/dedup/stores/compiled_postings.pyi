from array import array
from collections.abc import Sequence

from webclean_scrapy.dedup.stores.postings import Numbers

class Buckets:
    def __init__(self, slots: Numbers, half: int, buckets: int) -> None: ...
    def find(
        self, codes: Sequence[int], spilled: dict[int, array[int]]
    ) -> tuple[dict[int, list[int]], set[int]]: ...
    def put(self, codes: Sequence[int], row: int) -> list[tuple[int, int]]: ...
