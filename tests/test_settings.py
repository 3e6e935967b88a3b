import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings

from tests.commands.running import printed_by
from webclean_scrapy.cleaning.cleaner import CleanConfig
from webclean_scrapy.cleaning.papers.decay import DecayConfig
from webclean_scrapy.crawl.settings_files import checked_config, dedup_options
from webclean_scrapy.dedup.config import DedupConfig
from webclean_scrapy.errors import ConfigError
from webclean_scrapy.items import ARTICLE_FIELDS, COMMENTS, LINK_BLOCKS, MARKDOWN
from webclean_scrapy.keywords import segment
from webclean_scrapy.settings import SETTINGS, Setting, WebcleanConfig

BY_NAME = {setting.name: setting for setting in SETTINGS}

FIELDS = ("all", *ARTICLE_FIELDS, MARKDOWN, COMMENTS, LINK_BLOCKS)


def read(given: dict[str, Any]) -> WebcleanConfig:
    return WebcleanConfig.from_settings(Settings(given))


def given_for(one: Setting, value: object) -> dict[str, Any]:
    return {f"WEBCLEAN_{one.of}": {one.key: value}} if one.of else {one.name: value}


def test_settings_need_neither_scrapy_nor_dictionaries_to_be_imported() -> None:
    heavy = "{'jieba', 'rjieba', 'redis', 'scrapy'}"
    code = f"import sys, webclean_scrapy.settings; print(*{heavy} & set(sys.modules))"
    assert printed_by(code) == ""


def test_every_default_is_allowed_and_every_setting_says_what_it_means() -> None:
    for setting in SETTINGS:
        assert setting.read(Settings(given_for(setting, setting.default))) == setting.default
        assert setting.unit
        assert setting.meaning.endswith(".")


def test_the_words_of_chinese_need_jieba(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(segment, "distribution", missing)
    without = {"WEBCLEAN_KEYWORDS": 0, "WEBCLEAN_DEDUP_ENABLED": False}
    assert checked_config(Settings(without)).clean.keywords == 0
    for needing in ({"WEBCLEAN_KEYWORDS": 5}, {"WEBCLEAN_DEDUP_ENABLED": True}):
        with pytest.raises(ConfigError, match=r"Chinese.*jieba.*pip install jieba"):
            checked_config(Settings(without | needing))
    monkeypatch.setitem(sys.modules, "rjieba", None)
    with pytest.raises(ConfigError, match=r"pip install jieba"):
        segment.chinese.__wrapped__()


def test_the_network_of_words_needs_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings({"WEBCLEAN_KEYWORD_METHOD": "network"})
    assert checked_config(settings).clean_config().keyword_method == "network"
    monkeypatch.setitem(sys.modules, "igraph", None)
    with pytest.raises(ConfigError, match=r"WEBCLEAN_KEYWORD_METHOD.*pip install igraph"):
        checked_config(settings)


def test_the_method_is_configured_from_the_settings() -> None:
    limits = {"MAX_body_bytes": 2_000}
    config = read({"WEBCLEAN_KEYWORDS": 0, "WEBCLEAN_LIMITS": limits, "WEBCLEAN_FAVOR": "recall"})
    assert config.clean_config() == CleanConfig(keywords=0, max_body_bytes=2_000, favor="recall")


def test_files_of_words_are_read_for_the_index(tmp_path: Path) -> None:
    (tmp_path / "stop.txt").write_text("amber\n")
    (tmp_path / "idf.txt").write_text("harbour 2.5\n")
    given = {
        "WEBCLEAN_DEDUP_METHOD": "keywords",
        "WEBCLEAN_DEDUP_STOP_WORDS": str(tmp_path / "stop.txt"),
        "WEBCLEAN_DEDUP_IDF": str(tmp_path / "idf.txt"),
    }
    options = dedup_options(read(given))
    assert options["method"] == "keywords"
    assert options["stop_words"] == ("amber",)
    assert options["idf"] == {"harbour": 2.5}
    given["WEBCLEAN_DEDUP_USER_WORDS"] = str(tmp_path / "none.txt")
    with pytest.raises(ConfigError, match=r"WEBCLEAN_DEDUP_USER_WORDS: .*none.txt"):
        checked_config(Settings(given))


def test_methods_that_do_not_go_together_are_named_by_their_settings() -> None:
    given = {"WEBCLEAN_EXTRACTOR": "lcs", "WEBCLEAN_DENOISE": "off"}
    with pytest.raises(ConfigError, match=r"WEBCLEAN_DENOISE must .* WEBCLEAN_EXTRACTOR"):
        WebcleanConfig.from_settings(Settings(given))


def test_each_value_of_a_method_reaches_the_index_and_has_its_default() -> None:
    defaults = DedupConfig.from_options(WebcleanConfig().dedup_options())
    assert defaults == DedupConfig(versions="all")  # of a crawl
    given = {
        "keywords": 12, "indexed_keywords": 5, "cosine": 0.9, "common_run": 0.6,
        "minhash_jaccard": 0.8,
    }  # fmt: skip
    papers = {f"dedup_{name}": value for name, value in given.items()}
    dedup = {"WEBCLEAN_DEDUP_EXPIRE_DAYS": 30, "WEBCLEAN_DEDUP_OWN_SHARE": 0.3}
    config = read({**dedup, "WEBCLEAN_PAPERS": papers})
    made = DedupConfig.from_options(config.dedup_options())
    assert made == DedupConfig(
        expire_days=30, own_share=0.3, versions="all", keywords=12, indexed_keywords=5,
        min_cosine=0.9, min_run=0.6, minhash_jaccard=0.8,
    )  # fmt: skip


def allowed_by(one: Setting) -> tuple[Any, ...]:
    if isinstance(one.default, bool):
        return True, False
    return one.choices if isinstance(one.default, str) else (one.low, one.high)


def test_every_value_that_a_setting_of_a_method_allows_reaches_its_configuration() -> None:
    of_methods = [one for one in SETTINGS if one.path.startswith(("clean.", "dedup."))]
    assert len(of_methods) > 30
    for one in of_methods:
        values = allowed_by(one)
        assert len(values) > 1
        for value in values:
            config = read(given_for(one, value))
            assert one.value_in(config) == value
            DedupConfig.from_options(config.dedup_options())
            config.clean_config()


@pytest.mark.parametrize(
    ("name", "raw", "value"),
    [
        ("WEBCLEAN_ENABLED", "0", False),
        ("WEBCLEAN_KEYWORDS", "7", 7),
        ("WEBCLEAN_SIBLING_TIMEOUT_S", "2.5", 2.5),
        ("WEBCLEAN_KEYWORDS", None, 10),
    ],
)
def test_values_come_as_python_or_text_of_a_command_line(name: str, raw: Any, value: Any) -> None:
    read = BY_NAME[name].read(Settings({name: raw}))
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize(
    ("name", "raw", "right"),
    [
        ("WEBCLEAN_ENABLED", "perhaps", "True or False"),
        ("WEBCLEAN_FAVOR", "speed", "one of 'balanced', 'precision', 'recall'"),
        ("WEBCLEAN_KEYWORDS", "many", "a whole number from 0 to 100"),
        ("WEBCLEAN_KEYWORDS", 2.5, "a whole number from 0 to 100"),
        ("WEBCLEAN_KEYWORDS", True, "a whole number from 0 to 100"),
        ("WEBCLEAN_KEYWORDS", float("inf"), "a whole number from 0 to 100"),
        ("WEBCLEAN_SIBLING_TIMEOUT_S", 3600, "a number from 0.1 to 180"),
        ("WEBCLEAN_SIBLING_TIMEOUT_S", "nan", "a number from 0.1 to 180"),
        ("WEBCLEAN_DEDUP_URI", 5, "a string"),
        ("WEBCLEAN_FIELDS", ["keyword"], f"a list of {', '.join(map(repr, FIELDS))}"),
    ],
)
def test_a_wrong_value_is_refused_with_what_would_be_right(name: str, raw: Any, right: str) -> None:
    with pytest.raises(ConfigError) as caught:
        WebcleanConfig.from_settings(Settings({name: raw}))
    assert str(caught.value) == f"{name} must be {right}, got {raw!r}"


@pytest.mark.parametrize(
    ("name", "raw", "words"),
    [
        ("WEBCLEAN_KEYWORDS", 10**5000, []),
        ("WEBCLEAN_SIBLING_TIMEOUT_S", 10**400, []),
        ("WEBCLEAN_DEDUP_IDF", "table\0.txt", []),
        ("WEBCLEAN_INTEREST_PROFILE", "\x1b[31m", []),
        ("WEBCLEAN_DEDUP_URI", "redis://a?ttl=nan", []),
        ("WEBCLEAN_PAPERS", {"\x1b[31m": 1}, []),
        ("WEBCLEAN_PAPERS", {"decay_t": 10**5000}, []),
        ("WEBCLEAN_PAPERS", {"decay_T": 2}, ["decay_t", "0 to 1", "2"]),
        ("WEBCLEAN_PAPERS", {"decay_tt": 0.3}, ["decay_tt", "decay_t"]),
        ("WEBCLEAN_PAPERS", [0.3], ["dict", "0.3"]),
        ("WEBCLEAN_LIMITS", {"render_tabs": 0}, ["render_tabs", "1 to 64"]),
        ("WEBCLEAN_LIMITS", {"render_tabs": None, "store_wait_s": "x"}, ["store_wait_s"]),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else "value",
)
def test_a_value_or_key_that_is_none_is_refused_by_its_name_in_one_short_line(
    name: str, raw: Any, words: list[str]
) -> None:
    with pytest.raises(ConfigError) as caught:
        WebcleanConfig.from_settings(Settings({name: raw}))
    message = str(caught.value)
    assert message.startswith(name)
    assert all(word in message for word in words)
    assert message.isprintable()
    assert len(message) < 500


def test_keys_of_a_dict_come_as_python_or_as_json_in_any_case() -> None:
    for papers in ({"decay_T": 0.3}, '{"decay_t": "0.3", "decay_min_links": 2}'):
        decay = read({"WEBCLEAN_PAPERS": papers}).clean.papers.decay
        assert decay == DecayConfig(max_decay=0.3)
    assert read({"WEBCLEAN_PAPERS": None}) == read({"WEBCLEAN_PAPERS": {}}) == WebcleanConfig()
