from webclean_scrapy.dedup.normalize import Points
from webclean_scrapy.dedup.text_words import WordReader
from webclean_scrapy.dedup.word_hashes import Hashes, Indexes, Numbers

from numpy import bool_
from numpy.typing import NDArray

def read_words(
    points: Points, kinds: bytes, reader: WordReader
) -> tuple[
    Hashes, NDArray[bool_], NDArray[bool_], list[int], Hashes, Numbers, Indexes, Indexes
]: ...
