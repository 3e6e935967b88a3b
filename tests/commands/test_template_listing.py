from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.pages import article
from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.crawl.cleaner_work import TEMPLATE_FILES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.running import Webclean

SITE = "http://ostwick.example"


@pytest.fixture
def job(tmp_path: Path) -> Path:
    """Return a JOBDIR of two processes."""
    for number, section in enumerate(("news", "sport")):
        cleaner = Cleaner()
        cleaner.learn(article(number), f"{SITE}/{section}/{number}.html")
        cleaner.save(tmp_path / TEMPLATE_FILES.format(number))
    return tmp_path


def test_the_templates_of_a_file_are_listed(job: Path, webclean: Webclean) -> None:
    name = TEMPLATE_FILES.format(1)
    done = webclean("explain", "--templates", name, cwd=job, COLUMNS="70")
    shown = done.stdout.decode()

    assert done.returncode == 0, done.stderr.decode()
    assert shown.startswith("templates 1, hosts 1, bytes ")
    assert f" 1  {SITE}/sport/0.html\n" in shown
    assert "used" not in shown


def test_the_templates_of_a_job_are_listed_with_the_one_that_serves_a_page(
    job: Path, webclean: Webclean
) -> None:
    url = f"{SITE}/news/77.html"
    done = webclean("explain", url, "--templates", str(job), "--json", cwd=job)

    assert [(view["shape"], view["serves"].split(":")[0]) for view in json.loads(done.stdout)] == [
        (f"{SITE}/news/0.html", "yes"),
        (f"{SITE}/sport/0.html", "unlikely"),
    ]


def test_a_file_of_another_version_is_named_and_the_others_listed(
    job: Path, webclean: Webclean
) -> None:
    old = job / TEMPLATE_FILES.format(0)
    old.write_text(json.dumps({**json.loads(old.read_text()), "version": 1}))
    done = webclean("explain", "--templates", ".", "--json", cwd=job)

    assert done.returncode == 1
    assert f"{old.name} has format 'webclean-templates' version 1," in done.stderr.decode()
    assert [view["shape"] for view in json.loads(done.stdout)] == [f"{SITE}/sport/0.html"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("broken.json", "cannot read learned templates from broken.json: "),
        ("empty", "no learned templates: empty contains no webclean-templates-*.json"),
    ],
)
def test_what_holds_no_templates_is_named(
    tmp_path: Path, name: str, message: str, webclean: Webclean
) -> None:
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "empty").mkdir()
    done = webclean("explain", "--templates", name, cwd=tmp_path)

    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode().startswith(message)
