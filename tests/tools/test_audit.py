"""The audit names each weakness, and says when nobody could be asked."""

from __future__ import annotations

import json
import sys

import pytest

from tools.audit import CLEAN, UNKNOWN, WEAK, audit

ONE = {"name": "a", "version": "1.0", "vulns": []}
WEAK_ONE = {**ONE, "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1"]}, {"id": "GHSA-2"}]}
SKIPPED = {"name": "own", "skip_reason": "not on the index"}


@pytest.mark.parametrize(
    ("found", "code", "said"),
    [
        ([ONE, SKIPPED], CLEAN, "packages audited: 1, known weaknesses: 0"),
        ([WEAK_ONE], WEAK, "a 1.0: PYSEC-1, fixed in 1.1\na 1.0: GHSA-2, no fixed release yet"),
        ([SKIPPED], UNKNOWN, "NOT AUDITED"),
        (None, UNKNOWN, "NOT AUDITED"),
    ],
)
def test_the_result_and_the_exit_code_say_what_is_known(
    capsys: pytest.CaptureFixture[str], found: object, code: int, said: str
) -> None:
    output = json.dumps({"dependencies": found}) if found is not None else ""
    assert audit([sys.executable, "-c", f"print({output!r})"]) == code
    assert said in capsys.readouterr().out


def test_why_nobody_could_be_asked_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    code = "import sys; sys.exit('ERROR: no route to host')"
    assert audit([sys.executable, "-c", code]) == UNKNOWN
    assert "no route to host" in capsys.readouterr().out
