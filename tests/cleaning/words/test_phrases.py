"""Words of languages: known roles, valid phrases, and a new language by one file."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from webclean_scrapy.cleaning.words.phrases import (
    LANGUAGES,
    ROLES,
    any_of,
    languages,
    months,
    phrases,
    weekdays,
)

PACKAGE = Path(str(LANGUAGES)).parents[2]
KNOWN = json.loads(ROLES.read_text("utf-8"))
PLAIN = ("letter", "follow", "byline_sign", "body_class", "part_class")
NAME = "Ann Lee"
STORY = "<p>De Fähr keem hüüt twee Stünnen to laat an, as dat so daakig weer op See un an Land.</p>"
LETTER = (
    "<p>Bestell di unsen Narichtenbreef, denn kriggst du elke Week de Narichten ut den Haven.</p>"
)
REMARK = "<p>Mien Vadder is jüst so laat kamen, un he hett dorbi noch sien Hoot verloren.</p>"
PAGE = f"""<html><head><title>Ferry late</title></head><body><h1>Ferry late</h1><p>Vun {NAME}</p>
{STORY * 3}{LETTER}{STORY * 3}<div class="snacken">{REMARK}</div></body></html>"""
#: Cleans PAGE with the languages of a folder, in a process in which no pattern is built yet.
CLEAN = """
import json, sys
from pathlib import Path
from webclean_scrapy.cleaning.words import phrases
phrases.LANGUAGES = Path(sys.argv[1])
from webclean_scrapy import clean
page = clean(sys.stdin.read())
print(json.dumps([page.authors, page.text]))
"""


@pytest.mark.parametrize("code", languages())
def test_a_language_has_known_roles_and_phrases_that_compile(code: str) -> None:
    language = dict(languages()[code])
    assert language.pop("language")
    assert language.pop("run_on", False) in {True, False}
    own = language.pop("roles", {})
    assert language.keys() <= KNOWN.keys() | own.keys()
    assert own.keys() <= language.keys() - KNOWN.keys()
    for role, found in language.items():
        assert isinstance(found, list), role
        assert len(found) == len(set(found)) > 0, role
        for phrase in found:
            assert re.compile(phrase).match("") is None, phrase  # else it is in every line
    assert all(
        re.escape(one).replace("\\", "") == one for role in PLAIN for one in language.get(role, ())
    )


def test_the_code_asks_for_the_known_roles_and_for_all_of_them() -> None:
    source = "".join(path.read_text("utf-8") for path in PACKAGE.rglob("*.py"))
    asked = re.findall(r"(?:any_of|alternatives|phrases|_spoken)\(['\"](\w+)['\"]", source)
    own = [role for language in languages().values() for role in language.get("roles", {})]
    assert len(own) == len(set(own))
    assert set(asked) == KNOWN.keys() | set(own)


def test_phrases_are_those_of_all_languages_or_of_one_way_of_writing() -> None:
    assert {"siehe auch", "相关"} <= set(phrases("leads_on"))
    assert "siehe auch" not in phrases("leads_on", run_on=True)
    assert "相关" not in phrases("leads_on", run_on=False)
    assert not re.search(any_of("first_in", run_on=True), "first published in")


@pytest.mark.parametrize(
    ("code", "name", "number"),
    [
        ("en", "sept", 9),
        ("de", "märz", 3),
        ("pl", "stycznia", 1),
        ("el", "μαΐου", 5),
        ("bn", "ফেব\u09cdর\u09c1য\u09bc\u09beর\u09bf", 2),
        ("ar", "آذار", 3),
    ],
)
def test_months_have_the_names_of_a_language(code: str, name: str, number: int) -> None:
    assert months(code)[name] == number
    assert name not in weekdays(code)


def test_days_have_the_names_of_a_language_and_unknown_ones_have_none() -> None:
    assert {"monday", "sun"} <= weekdays("en")
    assert "montag" in weekdays("de")
    assert months("xx") == months("../date_translation_data/de") == {}


def read_with(folder: Path) -> tuple[list[str], str]:
    done = subprocess.run(
        [sys.executable, "-c", CLEAN, folder], input=PAGE, capture_output=True, text=True,
        check=True, encoding="utf-8",
    )  # fmt: skip
    authors, text = json.loads(done.stdout)
    return authors, text


def test_a_new_language_is_one_new_file(tmp_path: Path) -> None:
    for file in LANGUAGES.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    authors, text = read_with(tmp_path)
    assert NAME not in authors
    assert "Narichtenbreef" in text
    assert "Vadder" in text
    (tmp_path / "nds.json").write_text(
        json.dumps(
            {
                "language": "Low German",
                "letter": ["narichtenbreef"],
                "subscribe": ["bestell di"],
                "by": ["vun"],
                "byline_sign": ["vun "],
                "comments_class": ["snacken"],
            }
        ),
        "utf-8",
    )
    authors, text = read_with(tmp_path)
    assert authors == [NAME]
    assert "keem hüüt" in text
    assert "Narichtenbreef" not in text
    assert "Vadder" not in text
