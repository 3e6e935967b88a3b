"""Phrases of many languages that patterns of wording know, and others that they leave alone."""

import pytest

from webclean_scrapy.cleaning.body.wording import (
    END_HEADING,
    LEADS_ON,
    states_rights,
)

ENDS = (
    "相关阅读|延伸阅读|延伸閱讀|推荐阅读|推薦閱讀|精彩推荐|猜你喜欢|为您推荐|更多精彩|热门文章|最新评论|网友评论"
    "|跟贴|comments|3 reader comments|leave a comment|add a reply|join the discussion"
    "|responses|replies|discussion|related stories|read next|more from the harbour|top stories"
    "|you may also like|recommended for you|most read|popular now|latest news|trending now"
    "|about the author|what to read next|further reading|leserkommentare|kommentar schreiben"
    "|mehr zum thema|ähnliche artikel|weitere artikel|meistgelesen|lesen sie auch"
    "|das könnte sie auch interessieren|commentaires|réactions|à lire aussi|sur le même sujet"
    "|dans le même thème|articles liés|articles similaires|les plus lus|deja un comentario"
    "|comentarios|deja tu comentario|noticias relacionadas|artigos relacionados|te puede interesar"
    "|lo más leído|comentários|leia também|veja mais|as mais lidas|commenti|leggi anche"
    "|articoli correlati|potrebbe interessarti|i più letti|reacties|lees ook|meest gelezen"
    "|gerelateerde artikelen|komentarze|dodaj komentarz|zobacz także|czytaj też|polecamy"
    "|najczęściej czytane|комментарии|оставить комментарий|обсуждение|читайте также"
    "|новости по теме|похожие материалы|популярное|другие новости|yorumlar|ilgili haberler"
    "|çok okunanlar|関連記事|コメント|あわせて読みたい|おすすめ記事|人気記事|アクセスランキング"
    "|この記事を書いた人|관련 기사|댓글|많이 본 뉴스|추천 기사"
).split("|")
LEADS = (
    "read more|read also|read next|read the full story|also read|see also|see more|more: the pier"
    "|related: the pier|watch now: the pier|continue reading|view all|lesen sie auch|lies mehr"
    "|mehr zum thema|mehr dazu|siehe auch|à lire aussi|lire également|voir aussi|lea también"
    "|leer más|ver también|leia também|veja mais|saiba mais|leggi anche|lees ook|lees meer"
    "|zobacz także|czytaj też|przeczytaj również|czytaj więcej|zobacz: molo|читайте также"
    "|смотрите также|см. также|подробнее|関連|続きを読む|관련|相关|相關|延伸|更多|推荐|推薦|点击"
    "|點擊|详见"
).split("|")
STATED = (
    "todos los derechos|todos os direitos|tutti i diritti|wszelkie prawa|все права|усі права"
    "|her hakkı|hak cipta|may not be reproduced|not be republished|перепечатка|przedruk|nachdruck"
    "|reproducción|reproduction without|affiliate links|we earn a small commission|sponsored post"
    "|paid partnership|paid promotion|no financial advice|investment advice|legal advice"
    "|medical advice|tax advice|informational purposes|views expressed|opinions expressed"
    "|terms of use|privacy policy|impressum|registered office|handelsregister|siret|p. iva"
    "|icp备|isbn|issn"
).split("|")
NEITHER = ("the comment was short", "he reads more than others", "the rights of way on the pier")


@pytest.mark.parametrize("phrase", ENDS)
def test_headings_that_end_an_article_are_known(phrase: str) -> None:
    assert END_HEADING.fullmatch(phrase)


@pytest.mark.parametrize("phrase", LEADS)
def test_words_that_lead_to_another_page_are_known(phrase: str) -> None:
    assert LEADS_ON.match(phrase)


@pytest.mark.parametrize("phrase", STATED)
def test_words_of_notices_about_rights_are_known(phrase: str) -> None:
    assert states_rights(phrase)


@pytest.mark.parametrize("phrase", NEITHER)
def test_sentences_with_such_words_are_none_of_these(phrase: str) -> None:
    patterns = (END_HEADING.fullmatch, LEADS_ON.match, states_rights)
    assert not any(find(phrase) for find in patterns)
