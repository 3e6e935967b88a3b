"""Lines that speak of their page in many languages, and lines of stories that do not."""

import pytest

from tests.reading import PIER
from webclean_scrapy import clean
from webclean_scrapy.cleaning.body.reasons.about_page import is_about_page

OF_PAGE = (
    "点击阅读原文，查看完整名单|長按識別二維碼，關注本報|本站声明：图文来自网络，侵权请联系删除"
    "|2024年3月12日 星期二 10:20 来源：海门日报 责编：钱进|关键词：港口 泊位|follow us on facebook"
    "|download our app to read more stories|tags: harbour, railway|leave a comment|print this page"
    "|filed under: harbour, town|was this article helpful?|12 likes"
    "|folgen sie uns auf facebook|artikel drucken|suivez-nous sur instagram|lire notre article"
    "|suscríbete a nuestro boletín|deja tu comentario|condividi questo articolo"
    "|deixe seu comentário|abonneer u op onze nieuwsbrief|prenumerera på vårt nyhetsbrev"
    "|skriv en kommentar|tilaa uutiskirjeemme|zapisz się do naszego newslettera|sdílejte článek"
    "|iratkozz fel hírlevelünkre|подписывайтесь на наш канал|підписуйтесь на наш канал"
    "|абонирайте се за нашия бюлетин|διαβάστε περισσότερα|bültenimize abone olun"
    "|تابعنا على فيسبوك|עקבו אחרינו בטוויטר|berlangganan newsletter kami"
    "|lesezeit: 4 minuten|quelle: dpa|tiempo de lectura: 4 min|была ли эта статья полезна?"
    "|この記事は役に立ちましたか？|이 기사가 도움이 되었나요?|okuma süresi: 4 dakika"
    "|đăng ký nhận bản tin|この記事の無断転載を禁じます|저작권자 무단전재 및 재배포 금지"
    "|在对话框回复【渡船】，查看最新班次|海量资讯，尽在港湾网客户端"
    "|이 칼럼은 본지의 편집 방향과 다를 수 있습니다"
).split("|")
OF_STORY = (
    "返回港口的渔船越来越多|作者本人也出席了首发仪式|联系方式：0513-1234567|他打开窗户，望见了灯塔"
    "|he closed the book and read no more.|the page was turned.|“follow us,” she said."
    "|the newsletter of the parish mentions none of it.|ingredients: flour, water, salt"
    "|it looks like rain.|they voted for the longer pier."
    "|der artikel machte ihn berühmt.|la página está escrita.|он закрыл книгу и вышел."
    "|die quelle liegt im wald.|la source est à sec depuis mai."
    "|ο δρόμος της επιστροφής ήταν μακρύς."
    "|截至发稿，公司没有回复记者的提问"
    "|彼女は本を閉じ、もう読まなかった。|그 기사로 그는 유명해졌다."
).split("|")


@pytest.mark.parametrize("text", OF_PAGE)
def test_a_line_that_speaks_of_its_page_is_known(text: str) -> None:
    assert is_about_page(text)


@pytest.mark.parametrize("text", OF_STORY)
def test_a_line_of_a_story_does_not_speak_of_its_page(text: str) -> None:
    assert not is_about_page(text)


def test_signs_alone_end_no_text() -> None:
    story = "".join(f"<p>{sentence}" for sentence in PIER)
    assert clean(f"<article>{story}<p>###</article>").text.endswith(PIER[-1])
    assert "* * *" in clean(f"<article>{story}<p>* * *</p>{story}</article>").text


@pytest.mark.parametrize(
    ("last", "is_text"),
    [
        ("It was useful.", True),
        ("Es gefällt ihr.", True),
        ("Le gustó.", True),
        ("All rights reserved.", False),
        ("Comments are closed.", False),
        ("War das hilfreich?", False),
    ],
)
def test_a_story_may_end_with_a_short_statement(last: str, is_text: bool) -> None:
    story = "".join(f"<p>{sentence}" for sentence in PIER)
    assert clean(f"<article>{story}<p>{last}</article>").text.endswith(last) is is_text


@pytest.mark.parametrize(
    ("line", "is_text"),
    [
        ("<div><a href=https://w.example/1>Comments</a> on this page: 12</div>", False),
        ("<div><b>The paper <a href=/g>Harbour Gazette</a> of 1931</b></div>", True),
        ("<p><b><a href=/d>Download</a> the page, and read more of the storm.</b></p>", True),
    ],
)
def test_a_label_with_a_link_goes_amid_a_text_too(line: str, is_text: bool) -> None:
    more = (
        "Fishing crews asked for a landing place, since the herring comes in the same week.",
        "Engineers told the town that the piles had lost a third of their strength in two years.",
        "A second hearing is planned for June, when drawings are to be shown at the market.",
    )
    first, last = ("".join(f"<p>{sentence}</p>" for sentence in part) for part in (PIER, more))
    text = clean(f"<article>{first}{line}{last}</article>").text
    assert (len(text.split("\n")) > len(PIER + more)) is is_text


def test_a_table_has_its_source_below() -> None:
    table = "<table><tr><th>Year<th>Boats<tr><td>1931<td>12<tr><td>1932<td>14</table>"
    source = "<p class=source>Source: <a href=/s>Harbour Gazette</a></p>"
    first, last = ("".join(f"<p>{sentence}" for sentence in part) for part in (PIER, OF_STORY[-9:]))
    assert "Gazette" in clean(f"<article>{first}{table}{source}{last}</article>").text
