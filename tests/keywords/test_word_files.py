from pathlib import Path

import pytest

from webclean_scrapy.errors import ConfigError
from webclean_scrapy.keywords.word_files import read_idf, read_words


def test_lines_are_read_as_they_stand_in_a_dictionary(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes("\ufeff# own words\r\n滨海渡口委 5 n\r\n\r\n  C# \n".encode())
    assert read_words(path) == ("滨海渡口委 5 n", "C#")


def test_an_entry_of_a_table_may_be_several_words(tmp_path: Path) -> None:
    (tmp_path / "idf.txt").write_text("the 0.0\nnew york 3.5\n渡口 7.25\n", encoding="utf-8")
    assert read_idf(tmp_path / "idf.txt") == {"the": 0.0, "new york": 3.5, "渡口": 7.25}


@pytest.mark.parametrize(
    "line", ["word", "word much", "word  much", "word -1", "word nan", "a inf", " 5.0"]
)
def test_a_line_that_is_no_entry_of_a_table_raises(tmp_path: Path, line: str) -> None:
    (tmp_path / "idf.txt").write_text(f"a 1.0\n{line}\n")
    with pytest.raises(ConfigError, match="entry 2"):
        read_idf(tmp_path / "idf.txt")


def test_a_file_that_cannot_be_read_raises(tmp_path: Path) -> None:
    (tmp_path / "latin.txt").write_bytes(b"caf\xe9")
    for path in (tmp_path / "none.txt", tmp_path / "latin.txt", tmp_path / "a\0b.txt"):
        with pytest.raises(ConfigError, match="cannot read"):
            read_words(path)
