"""The other methods: their matches, their misses and their limits."""

import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.commands.running import printed_by
from tests.dedup.articles import CHINESE, make_article, verdict_of
from tests.dedup.test_sqlite import change
from webclean_scrapy.dedup.config import DedupConfig
from webclean_scrapy.dedup.fingerprint import Fingerprint
from webclean_scrapy.dedup.fingerprint_methods import PageFingerprinter, compare
from webclean_scrapy.dedup.index import DuplicateIndex
from webclean_scrapy.dedup.other_methods import load_datasketch
from webclean_scrapy.errors import ConfigError, StoreSchemeError

# The constants of the package, by value: a change of one fails here.
PERMUTATIONS = 128

METHODS = ["codes", "keywords", "feature-string", "minhash"]


@pytest.fixture(params=METHODS)
def index(request: pytest.FixtureRequest) -> DuplicateIndex:
    return DuplicateIndex(method=request.param)


def test_a_slightly_edited_copy_is_found_and_another_page_is_not(index: DuplicateIndex) -> None:
    index.add("a", make_article(1))
    index.add("b", "\n".join(CHINESE))
    edited = make_article(1) + "\nFrom our partners."
    match = index.find(edited)
    assert match is not None
    assert (match.key, match.verdict) == ("a", "duplicate")
    assert 0.5 <= match.similarity <= 1.0
    assert verdict_of(index.find("\n".join([*CHINESE, "来源：滨海日报"]))) == ("b", "duplicate")
    assert index.find(make_article(2)) is None
    assert index.comparisons >= 2


def test_texts_without_words_are_no_copies_of_each_other(index: DuplicateIndex) -> None:
    index.add("a", "?!")
    index.add("b", "")
    assert index.find("...") is None
    assert list(index.clusters()) == []


LINES = make_article(1).split("\n")
REPORT = "\n".join(f"{line[:-1]} {{}} times." for line in LINES)


@pytest.mark.parametrize(
    ("old", "new", "found_by", "missed_by"),
    [
        (REPORT.format(*[21] * 14), REPORT.format(*[9] * 14), {"keywords"}, {"codes"}),
        (
            "\n".join(LINES),
            "\n".join(LINES[::-1]),  # moved paragraphs
            {"codes", "keywords"},
            {"feature-string"},
        ),
    ],
)
def test_methods_differ_on_other_numbers_and_on_another_order(
    old: str, new: str, found_by: set[str], missed_by: set[str]
) -> None:
    for method in found_by | missed_by:
        with DuplicateIndex(method=method) as index:
            index.add("a", old)
            assert (index.find(new) is not None) is (method in found_by)


@pytest.mark.parametrize(
    ("method", "option", "value"),
    [
        ("keywords", "keywords", 12),
        ("keywords", "indexed_keywords", 10),
        ("feature-string", "keywords", 12),
        ("minhash", "minhash_jaccard", 0.6),
    ],
)
def test_a_file_keeps_the_pages_of_its_method_and_refuses_another_method_or_value(
    method: str, option: str, value: float, tmp_path: Path
) -> None:
    uri = f"sqlite:///{tmp_path}/pages.db"
    with DuplicateIndex(uri, method=method) as index:
        index.add("a", make_article(1))
    with pytest.raises(StoreSchemeError, match=method):
        DuplicateIndex(uri)
    changed: dict[str, Any] = {option: value}
    with pytest.raises(StoreSchemeError, match=rf"{option} \S+ \(now {value}\)"):
        DuplicateIndex(uri, method=method, **changed)
    with DuplicateIndex(uri, method=method, min_cosine=0.9, min_run=0.9, votes=3) as index:
        assert index.find(make_article(1)) is not None


def test_a_file_of_a_datasketch_that_hashes_otherwise_is_refused(tmp_path: Path) -> None:
    uri = f"sqlite:///{tmp_path}/pages.db"
    DuplicateIndex(uri, method="minhash").close()
    sql = "UPDATE webclean_header SET value = 'x' WHERE name = 'datasketch'"
    change(tmp_path / "pages.db", sql)
    with pytest.raises(StoreSchemeError, match=r"datasketch x \(now "):
        DuplicateIndex(uri, method="minhash")


words = st.lists(st.sampled_from("amber bridge council divers elder ferry".split()), max_size=12)


@settings(max_examples=40, deadline=None)
@given(texts=st.lists(words.map(" ".join), min_size=2, max_size=8))
def test_minhash_finds_what_the_bands_of_datasketch_find(texts: list[str]) -> None:
    library = load_datasketch()
    config = DedupConfig(method="minhash", minhash_jaccard=0.5)
    bands = library.MinHashLSH(threshold=0.5, num_perm=PERMUTATIONS)
    maker = PageFingerprinter(config)
    with DuplicateIndex(method="minhash", minhash_jaccard=0.5) as index:
        for number, text in enumerate(texts):
            codes = maker.make(text).codes
            made = library.MinHash(num_perm=PERMUTATIONS)
            made.hashvalues[:] = codes or 0
            expected = set(bands.query(made)) if codes else set()
            match = index.check_and_add(str(number), text)
            assert (match is not None) == bool(expected)
            assert match is None or match.key in expected
            if codes and match is None:  # copies are not compared with
                bands.insert(str(number), made)


@pytest.mark.parametrize(
    ("method", "loose", "strict"),
    [
        ("codes", {"own_share": 0.6}, {"own_share": 0.3}),
        ("keywords", {"min_cosine": 0.1}, {"min_cosine": 1.0}),
        ("feature-string", {"min_run": 0.1}, {"min_run": 1.0}),
        ("minhash", {"minhash_jaccard": 0.1}, {"minhash_jaccard": 0.95}),
    ],
)
def test_each_method_has_a_limit_of_similarity(
    method: str, loose: dict[str, Any], strict: dict[str, Any]
) -> None:
    lines = make_article(1).split("\n")
    text = "\n".join([*lines[:8], *make_article(2).split("\n")[:6]])
    with DuplicateIndex(method=method, **loose) as index:
        index.add("a", "\n".join(lines))
        assert index.find(text) is not None
    with DuplicateIndex(method=method, **strict) as index:
        index.add("a", "\n".join(lines))
        assert index.find(text) is None


def test_the_cosine_of_two_pages_worked_by_hand() -> None:
    """Features 7: a near-duplicate from .8; (4, 3) by (3, 4) is 24/25, (3, 1) by (1, 3) is 6/10."""
    config = DedupConfig(method="keywords")
    pairs = ((4, 3), (3, 4)), ((3, 1), (1, 3))
    found = [
        compare(Fingerprint(codes=(7, 8), ranks=a), Fingerprint(codes=(7, 8), ranks=b), config)
        for a, b in pairs
    ]
    assert [verdict and verdict.similarity for verdict in found] == [0.96, None]


def test_the_longest_common_run_of_two_pages_worked_by_hand() -> None:
    """Features 2: of eight codes, four in a row are half of the string, and two times three not."""
    old = Fingerprint(codes=(1, 2, 3, 4, 5, 6, 7, 8))
    found = [
        compare(old, Fingerprint(codes=codes), DedupConfig(method="feature-string"))
        for codes in ((3, 4, 5, 6, 11, 12, 13, 14, 15), (1, 2, 3, 11, 12, 6, 7, 8, 13))
    ]
    assert [verdict and verdict.similarity for verdict in found] == [0.5, None]


def test_candidates_share_one_of_the_heaviest_keywords() -> None:
    words = ["harbour", "council", "bridge", "ferry", "amber"]
    heavy_first = " ".join(w for n, w in enumerate(words) for _ in range(9 - n))
    heavy_last = " ".join(w for n, w in enumerate(reversed(words)) for _ in range(9 - n))
    for count, compared in ((5, 1), (1, 0)):
        with DuplicateIndex(method="keywords", indexed_keywords=count, min_cosine=0.5) as index:
            index.add("a", heavy_first)
            assert (index.find(heavy_last) is not None) == bool(compared)
            assert index.comparisons == compared


@pytest.mark.parametrize("method", METHODS)
def test_datasketch_is_imported_only_for_its_method(method: str) -> None:
    code = (
        "import sys; from webclean_scrapy import DuplicateIndex; "
        f"DuplicateIndex(method={method!r}).add('a', 'The harbour'); "
        "print('datasketch' in sys.modules)"
    )
    assert printed_by(code).strip() == str(method == "minhash")


def test_without_datasketch_minhash_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasketch", None)
    with pytest.raises(ConfigError, match="pip install datasketch"):
        DuplicateIndex(method="minhash")
    DuplicateIndex(method="keywords").close()


def test_own_words_change_the_fingerprint_and_the_scheme(tmp_path: Path) -> None:
    uri = f"sqlite:///{tmp_path}/pages.db"
    DuplicateIndex(uri).close()
    for options in ({"stop_words": ["amber"]}, {"user_words": ["渡口委 5"]}, {"idf": {"a": 1.0}}):
        with pytest.raises(StoreSchemeError, match="words"):
            DuplicateIndex(uri, **options)
