from webclean_scrapy.dedup.text_words import WordReader

class Sampler:
    def __init__(self, reader: WordReader, codes: int, numbers: int, min_codes: int, /) -> None: ...
    def draw(
        self, texts: list[str], weights: list[float], body: int
    ) -> tuple[bytes, tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]: ...
