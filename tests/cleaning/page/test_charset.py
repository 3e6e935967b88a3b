from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import assert_linear
from tests.toml_files import read_toml
from webclean_scrapy.cleaning.page.charset import as_utf8, decode

LANGUAGES = {
    name: (one["text"], one["encoding"])
    for name, one in read_toml(Path(__file__).with_name("languages.toml")).items()
}
CHINESE, JAPANESE, RUSSIAN = (LANGUAGES[name][0] for name in ("zh", "ja-sjis", "ru-win"))
CASES = pytest.mark.parametrize(("text", "encoding"), LANGUAGES.values(), ids=LANGUAGES)


def page(text: str, *, meta: str = "", lang: str = "") -> str:
    head = f"<meta charset={meta}>" if meta else ""
    opening = f'<html lang="{lang}">' if lang else "<html>"
    return (
        f"{opening}<head>{head}<title>{text[:20]}</title></head><body><p>{text}</p></body></html>"
    )


@CASES
def test_true_headers_and_metas_are_followed_a_false_utf8_is_not(text: str, encoding: str) -> None:
    for meta, header in (("", encoding), (encoding, "utf-8"), ("utf-8", "utf-8")):
        html = page(text, meta=meta)
        assert decode(html.encode(encoding), declared=header)[0] == html, (meta, header)


@CASES
def test_utf8_is_recognised_whatever_is_declared(text: str, encoding: str) -> None:
    for lie in ("gb2312", "iso-8859-1", "shift_jis", encoding):
        html = page(text, meta=lie)
        assert decode(html.encode(), declared=lie) == (html, "utf-8")


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030"])
@pytest.mark.parametrize(
    "hidden", ["<!-- %s -->", "<script>var a = '<b>%s</b>';</script>", "<!-- <p>\n%s</p> -->"]
)
def test_comments_and_scripts_in_another_encoding_do_not_count(hidden: str, encoding: str) -> None:
    other = "gb18030" if encoding == "utf-8" else "utf-8"
    shown = page(CHINESE * 2, meta="gb2312").encode(encoding)
    html = (hidden % (CHINESE * 20)).encode(other) + shown
    text, found = decode(html, declared="gb2312")
    assert (text[-60:], found) == (shown.decode(encoding)[-60:], encoding)
    # Where nothing else tells, they do.
    alone = (hidden % f"{CHINESE}@").encode(other).replace(b"@", b"\xff")
    assert decode(b"<html>" + alone)[1] == other


@pytest.mark.parametrize(
    ("text", "encoding"),
    [value for key, value in LANGUAGES.items() if key not in ("fr", "tr")],
    ids=[key for key in LANGUAGES if key not in ("fr", "tr")],
)
def test_a_server_that_says_latin1_for_everything_is_not_believed(text: str, encoding: str) -> None:
    html = page(text)

    assert decode(html.encode(encoding), declared="iso-8859-1")[0] == html


@pytest.mark.parametrize(
    "body",
    [
        page(CHINESE).encode(),
        b"\xef\xbb\xbf" + page(CHINESE).encode(),
        page(CHINESE).encode() * 20 + b"\xff",
        "a real \ufffd, 正文".encode(),
        page(CHINESE).encode("gbk"),
        page(RUSSIAN).encode("utf-16"),
        b"",
    ],
    ids=["valid", "mark", "broken", "replacement", "gbk", "utf-16", "empty"],
)
def test_recoded_bytes_are_the_decoded_text(body: bytes) -> None:
    assert as_utf8(body).decode() == decode(body)[0]


@pytest.mark.parametrize(("text", "encoding"), [(CHINESE, "utf-8"), (CHINESE, "gb18030")])
def test_some_broken_bytes_do_not_change_the_encoding(text: str, encoding: str) -> None:
    body = page(f"{text}</p><p>" * 20).encode(encoding)
    broken = body[:300] + b"\xff" + body[301:900] + b"\xff\xff" + body[900:]

    decoded, used = decode(broken, declared=encoding)

    assert used == encoding
    assert "\ufffd" in decoded
    assert decoded.count(text[-10:]) >= 15


SNOW = page("Dziś będzie padać śnieg.", lang="pl-PL")


@pytest.mark.parametrize(
    ("html", "encoding", "declared", "used"),
    [
        # a short page is read as declared
        ("<p>好</p>", "gbk", "gbk", "gb18030"),
        ("<p>já</p>", "latin-1", "latin-1", "cp1252"),
        (SNOW, "cp1250", None, "cp1250"),  # the language decides between Latin alphabets
        (page(JAPANESE), "iso2022_jp", None, "iso2022_jp"),  # although it is ASCII
        # Japanese that reads as rare Hangul is no Korean
        ("<p>町長によると、水曜日の夜まで</p>", "cp932", None, "cp932"),
        ("<p>村の集会所は、水曜日の夜まで閉めることにしました。</p>", "cp932", None, "cp932"),
        *(
            (page(CHINESE), f"utf-{size}-{order}", "utf-8", f"utf-{size}-{order}")
            for size in (16, 32)  # without a mark
            for order in ("le", "be")
        ),
    ],
)
def test_what_the_bytes_and_the_page_tell_is_used(
    html: str, encoding: str, declared: str | None, used: str
) -> None:
    assert decode(html.encode(encoding), declared=declared) == (html, used)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_decides_and_is_taken_off(encoding: str) -> None:
    html = page(CHINESE, meta="gbk")

    assert decode(html.encode(encoding), declared="gbk")[0] == html


@pytest.mark.parametrize(
    "label", ["", "none", "utf-7", "hex", "rot13", "idna", "undefined", "a\0b", "é", "x" * 10_000]
)
def test_a_label_that_names_no_encoding_of_the_web_is_no_declaration(label: str) -> None:
    html = page(CHINESE, meta="unicode_escape")

    assert decode(html.encode("gbk"), declared=label) == (html, "gb18030")


@given(st.binary(), st.none() | st.text())
def test_any_bytes_with_any_label_become_text(body: bytes, declared: str | None) -> None:
    text, encoding = decode(body, declared=declared)

    assert isinstance(text, str)
    "".encode(encoding)


@pytest.mark.parametrize("unit", [b"\xe9", b"\xb5\xc4a", b"x\xff", b"\xe9 a", b"\x1b$", b"<\xff"])
def test_large_odd_pages_are_read_in_linear_time(unit: bytes) -> None:
    def body(size: int) -> bytes:
        return b"<html><body>" + b"a" * (2 * size) + unit * size

    assert len(decode(body(10_000))[0]) > 20_000
    assert_linear(decode, body, 20_000)
