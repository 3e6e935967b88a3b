from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import pytest
from scrapy.settings import Settings

from tests.commands.running import run_python
from webclean_scrapy.addon import Addon
from webclean_scrapy.crawl.start_errors import shorten_start_errors
from webclean_scrapy.errors import ConfigError, StoreUnavailableError

if TYPE_CHECKING:
    from pathlib import Path

BAD = {"WEBCLEAN_DEDUP_JACCARD": 3}
SAID = "WEBCLEAN_DEDUP_JACCARD must be a number from 0.01 to 1, got"


def test_an_invalid_setting_is_an_error_of_ours_and_ends_a_program_that_does_not_catch_it() -> None:
    with pytest.raises(ConfigError, match="^" + SAID):
        Addon.update_pre_crawler_settings(Settings(BAD))
    with pytest.raises(SystemExit) as ended:
        Addon.update_pre_crawler_settings(Settings(BAD))
    assert str(ended.value.code).startswith(f"The crawl does not start: {SAID}")


def test_scrapy_ends_with_one_line_and_an_exit_code(tmp_path: Path) -> None:
    code = (
        "from scrapy.crawler import AsyncCrawlerProcess\n"
        f"AsyncCrawlerProcess({{'ADDONS': {{'webclean_scrapy.Addon': 1}}, **{BAD}}})"
    )
    done = run_python(code, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode().splitlines() == [f"The crawl does not start: {SAID} 3"]


@pytest.mark.parametrize("name", ["asyncio", "twisted"])
def test_the_log_of_a_crawl_that_did_not_start_has_the_message_alone(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    shorten_start_errors()
    shorten_start_errors()
    assert len([one for one in logging.getLogger(name).filters if "OneLine" in repr(one)]) == 1
    for error in (StoreUnavailableError("it is locked"), KeyError("x")):
        logging.getLogger(name).error("Task exception", exc_info=error)
    ours, other = caplog.records
    assert (ours.getMessage(), ours.exc_info) == ("The crawl does not start: it is locked", None)
    assert other.getMessage() == "Task exception"
    assert other.exc_info
