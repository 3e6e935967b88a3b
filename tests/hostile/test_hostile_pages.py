import json
import sys

import pytest

from tests.commands.running import printed_by
from tests.nightly.hostile.draw import Kind
from tests.nightly.hostile.kinds import KINDS, make_page
from webclean_scrapy.cleaning.cleaner import CleanConfig, Cleaner
from webclean_scrapy.errors import PageError

SEED, SCALE = 2026, 0.02
# The limits, as small as the pages: `python -m tests.nightly hostile` has both in full size.
CONFIG = CleanConfig(max_body_bytes=200_000, max_tags=4_000)
URL = "https://harbour.invalid/news/2026/02/03/pier.html"
CLEAN_ALL = """
import resource
from tests.hostile.test_hostile_pages import CONFIG, KINDS, SCALE, make_page
from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.errors import PageError
pages = [make_page(kind, seed=7, scale=SCALE) for kind in KINDS[::4]]
Cleaner().warm_up()
start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for page in pages:
    try:
        Cleaner(CONFIG).clean(page.body, charset=page.charset).html
    except PageError:
        pass
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - start)
"""


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@pytest.mark.no_cover  # these pages take no branch of their own
def test_a_hostile_page_keeps_its_sentences_or_is_refused_with_a_reason(kind: Kind) -> None:
    hostile = make_page(kind, SEED, SCALE)
    try:
        page = Cleaner(CONFIG).clean(hostile.body, URL, charset=hostile.charset)
    except PageError:
        if not hostile.may_refuse:
            raise
        return
    record = page.to_dict()
    json.dumps(record, ensure_ascii=False).encode()  # no lone surrogates anywhere

    assert [mark for mark in hostile.marks if mark not in page.text] == []
    assert page.text or page.kind_reason
    assert not set(page.text) & set("\0\u200b\u202e\u2066\ufeff")
    assert "javascript:" not in page.html
    assert "<script" not in page.html.lower()


def test_hostile_pages_stay_within_memory() -> None:
    """In a process of its own: a crash of the parser is seen, and its peak is its own."""
    growth = int(printed_by(CLEAN_ALL))
    unit = 1 if sys.platform == "darwin" else 1_024
    assert growth * unit < 100_000_000
