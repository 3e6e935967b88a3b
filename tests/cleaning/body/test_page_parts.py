"""Rules about parts of a page that belong to its text or not."""

import re

import pytest

from tests.cleaning.body.test_after_selection import FIRST, LAST, MORE, TEXT, TITLE, read
from tests.growth import assert_linear
from tests.reading import PIER, evidence_of, line_of
from webclean_scrapy import clean
from webclean_scrapy.cleaning.body.reasons.names import (
    EXCLUSIONS,
)

FROST = (
    "Frost took half of the early cherries on Saturday, growers in the upper valley have said.",
    "The late sorts are still closed and have come to no harm, so the market opens in the summer.",
)
OTHER = "".join(f"<p>{one}</p>" for one in FROST)


def why(html: str, begin: str) -> str:
    evidence = evidence_of(html, titles=["The old pier is closed for a year"])
    return EXCLUSIONS[evidence.excluded[line_of(evidence.table, begin)]]


@pytest.mark.parametrize(
    "other",
    [
        "<article><h1>Frost in the valley</h1>{}</article>",
        "<div class=next><h1><a href=/frost>Frost in the valley</a></h1>{}</div>",
        "<div class=post><h1>Frost in the valley</h1><p>3 May 2026</p>{}</div>",
        "<hr><h1>Frost in the valley</h1><p>By Otto Lind | 3 May 2026</p>{}",
        "<div><article><div>Farming</div><h1>Frost in the valley</h1>{}</article></div>",
    ],
)
def test_a_second_article_goes(other: str) -> None:
    page = read(TEXT + other.format(OTHER))

    assert page.text.endswith(MORE[-1])
    assert "other article" in {one.why for one in page.removed}


def test_a_linked_h1_below_paragraphs_of_its_own_element_is_over_a_section() -> None:
    section = f"<div>{TEXT}<div><h1><a href=/money>The money</a></h1></div>{OTHER}</div>"
    rules = "".join(f"<p>{number}. {one}</p>" for number in range(9) for one in FROST)
    page = read(f"{section}<div>{rules}</div>")

    assert "divers had found cracks" in page.text


def test_dated_links_above_most_of_a_text_take_nothing_of_it() -> None:
    box = "<ul><li><h5><a href=/frost>Frost in the valley</a></h5><p>3 May 2026</p></li></ul>"

    assert read(f"<div>{TEXT}</div><div>{box}{OTHER * 9}</div>").text.endswith(FROST[-1])
    assert read(f"<div>{TEXT}</div><div>{box}{OTHER}</div>").text.endswith(MORE[-1])


@pytest.mark.parametrize(
    "section",
    [
        "<h1>The money</h1>{}",
        "<section><h1>The money</h1>{}</section>",
        "<div><h1><a href=#money>The money</a></h1>{}</div>",
    ],
)
def test_a_section_with_an_h1_stays(section: str) -> None:
    page = read(TEXT + section.format(OTHER))

    assert "# The money" in page.markdown.replace(
        "[The money](https://bay.example/pier#money)", "The money"
    )
    assert page.text.endswith(FROST[-1])


def post(title: str, text: str, around: str = "article", level: str = "h2") -> str:
    return f"<{around}><{level}>{title}</{level}>{text}</{around.split(maxsplit=1)[0]}>"


@pytest.mark.parametrize(
    ("around", "level", "goes"),
    [
        ("article", "h2", True),
        ("div class=news-item", "h1", True),
        ("div class='post article'", "h3", True),
        ("section", "h1", False),
        ("div class=article-block", "h1", False),
        ("div class=story__part", "h2", False),
    ],
)
def test_an_article_that_is_marked_up_as_the_pages_own_goes(
    around: str, level: str, goes: bool
) -> None:
    title = "The old pier is closed for a year"
    both = post(title, TEXT, around, level) + post("Frost in the valley", OTHER, around, level)
    page = clean(f"<title>{title}</title><main>{both}</main>", url="https://bay.example/pier")

    assert MORE[-1] in page.text
    assert (FROST[-1] not in page.text) is goes


@pytest.mark.parametrize(("own", "is_other"), [("story", True), ("story-part", False)])
def test_an_article_named_so_beside_another_goes_whatever_else_it_is_named(
    own: str, is_other: bool
) -> None:
    first = post("The old pier is closed for a year", TEXT, f"section class={own}", "h1")
    both = first + post("Frost in the valley", OTHER, f"section class='{own} next'", "h1")

    assert (why(both, FROST[-1][:20]) == "other article") is is_other


def test_articles_below_a_title_of_their_own_level_up_are_its_sections() -> None:
    parts = post("The piles", FIRST) + post("The money", LAST) + post("Frost", OTHER)

    assert FROST[-1] in read(parts, around="main").text


def test_an_article_below_an_announcement_with_its_title_is_the_pages_own() -> None:
    own = "<article><h1>The old pier is closed for a year</h1>" + LAST + "</article>"

    assert MORE[-1] in read(TEXT.replace(LAST, "") + FIRST + own).text


PROMPTS = {
    "en": "Never miss a boat: subscribe to our free newsletter and hear from the bay every Friday.",
    "de": "Melden Sie sich jetzt für den kostenlosen Newsletter an und verpassen Sie kein Schiff.",
    "fr": "Inscrivez-vous à notre infolettre pour ne rien manquer de la vie du port chaque matin.",
    "es": "Suscríbete a nuestro boletín y recibe cada mañana las noticias del puerto y la bahía.",
    "pt": "Assine a nossa newsletter e receba todas as manhãs as notícias do porto e da baía.",
    "it": "Iscriviti alla nostra newsletter per ricevere ogni mattina le notizie del porto antico.",
    "nl": "Schrijf je in voor onze nieuwsbrief en ontvang elke ochtend het nieuws uit de haven.",
    "pl": "Zapisz się do naszego newslettera i otrzymuj co rano wiadomości z portu i zatoki.",
    "ru": "Подпишитесь на нашу рассылку и получайте каждое утро новости порта и залива.",
    "sv": "Prenumerera på vårt nyhetsbrev och få nyheter från hamnen varje morgon, helt gratis.",
    "tr": "Bültenimize abone olun, limanın haberleri her sabah e-posta kutunuza gelsin, ücretsiz.",
    "ar": "لا تفوت أي خبر من الميناء: اشترك الآن في نشرتنا البريدية المجانية كل صباح.",
    "hi": "बंदरगाह की कोई खबर न छूटे: हमारे मुफ़्त न्यूज़लेटर की सदस्यता लें और हर सुबह पढ़ें।",
    "id": "Jangan lewatkan kabar pelabuhan: daftar buletin gratis kami dan baca setiap pagi.",
    "th": "อย่าพลาดข่าวจากท่าเรือ สมัครรับจดหมายข่าวฟรีของเราเพื่ออ่านทุกเช้า",
    "vi": "Đừng bỏ lỡ tin từ bến cảng: hãy đăng ký nhận bản tin miễn phí của chúng tôi mỗi sáng.",
    "follow": "Kövessen minket az Instagramon is, hogy a kikötő egyetlen híréről se maradjon le.",
    "cookie": "Ta strona używa plików cookie. Korzystając z niej, zgadzasz się na ich użycie.",
    "app": "Read of the bay in our app. Download it now, for free, wherever you get your apps.",
    "ja": "ニュースレターに登録して、港のニュースを毎朝メールで受け取りましょう。",
    "channel, ja": "公式アカウントを友だち追加すると、港の最新ニュースが毎朝届きます。",
    "tip": "Do you know more of the bay, or have a news tip? Write to the desk at any hour.",
    "channel, de": "Keine Meldung verpassen? Folgen Sie dem Hafenboten jetzt auch auf WhatsApp.",
    "channel, es": "Únete a nuestro canal de WhatsApp con las noticias del puerto y de la bahía.",
    "channel, pt": "Entre no nosso canal do WhatsApp para saber das notícias do porto primeiro.",
    "channel, it": "Iscriviti al nostro canale Telegram per non perdere le notizie del porto.",
    "channel, tr": "Limanın son dakika haberleri için WhatsApp kanalımıza hemen katılın, ücretsiz.",
    "channel, hi": "बंदरगाह की ताज़ा ख़बरों के लिए हमारे व्हाट्सऐप चैनल से जुड़ें, यह मुफ़्त है।",
    "gift, en": "If you value what we print, please consider making a donation to our paper.",
    "gift, fr": "Cet article vous a plu ? Soutenez notre journal du port en offrant un café.",
    "gift, pl": "Podobał Ci się artykuł? Postaw nam kawę i pomóż nam pisać o porcie i zatoce.",
}


@pytest.mark.parametrize("language", PROMPTS)
def test_a_request_to_subscribe_to_a_letter_goes_in_many_languages(language: str) -> None:
    assert read(TEXT + f"<p>{PROMPTS[language]}</p>").text.endswith(MORE[-1])


@pytest.mark.parametrize("link", ["<a {}>{}</a>", "<a {}><strong><em>{}</em></strong></a>"])
@pytest.mark.parametrize(
    ("at", "said"),
    [
        ("//whatsapp.com/channel/1", "Siga o nosso canal"),
        ("//t.me/port", "Подписывайтесь на канал"),
        ("/newsletter/", "Abonnez-vous à la lettre"),
        ("/newsletter/", "Suscríbete al boletín"),
    ],
)
def test_a_link_of_a_few_words_to_subscribe_amid_the_text_goes(
    link: str, at: str, said: str
) -> None:
    page = read(f"{FIRST}<p>{link.format(f'href={at}', said)}</p>{LAST}")

    assert said not in page.text
    assert page.text.endswith(MORE[-1])


def test_a_link_of_a_few_words_to_something_else_amid_the_text_stays() -> None:
    said = "Siga o caminho do rio"

    assert said in read(f"{FIRST}<p><a href=/rio>{said}</a></p>{LAST}").text


def test_the_box_below_a_heading_that_asks_to_subscribe_goes_with_it() -> None:
    box = "<div><h3>Zapisz się na newsletter</h3><p>Raz w tygodniu piszemy, co słychać.</p></div>"
    page = read(FIRST + box + LAST)

    assert "newsletter" not in page.text
    assert "Raz w tygodniu" not in page.text
    assert MORE[-1] in page.text


@pytest.mark.parametrize(
    "paragraph",
    [
        "The newsletter of the ferrymen, printed since 1902, has lost its last two subscribers.",
        "“Subscribe to our newsletter” was written on the door of the harbour office all year.",
        "Folgen Sie uns in den Maschinenraum, sagte der Hafenmeister, und alle folgten ihm.",
        "Those who sign up for the newsletter get the tides of the week and a list of boats.",
        "Follow what is new in the trade, subscribe to industry newsletters, and ask the crews.",
    ],
)
def test_a_text_about_letters_stays(paragraph: str) -> None:
    assert paragraph in read(FIRST + f"<p>{paragraph}</p>" + LAST).text


@pytest.mark.parametrize("field", ["<input type=email>", "<input name=your-mail>"])
def test_the_box_around_a_field_for_mail_goes(field: str) -> None:
    said = "Every Friday we send the best of the bay to eleven thousand readers, free of charge."
    page = read(FIRST + f"<div class=q><h3>Fridays</h3><p>{said}</p>{field}</div>" + LAST)

    assert said not in page.text
    assert "Fridays" not in page.text
    assert page.text.endswith(MORE[-1])


def test_a_field_for_mail_in_the_article_takes_nothing_of_it() -> None:
    assert read(TEXT + "<p><input type=email></p>").text.endswith(MORE[-1])


MONEY = f"<h2>The money</h2>{LAST}"
BOOKS = "".join(
    f"<li><a href=/book/{n}>{name}</a>"
    for n, name in enumerate(
        "Salt Ledger,Nine Tides,Grey Brick,Slow Ferry,Low Water,Last Crane".split(",")
    )
)


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ("<p>The reading round liked these six best:</p>", LAST, ""),
        ("<p>In der Ausstellung hängen diese Bilder：</p>", LAST, ""),
        ("<p>See also:</p>", LAST, "link block"),
        ("<p>Read more about the pier in these stories:</p>", LAST, "link block"),
        ("<p>The reading round met on Friday.</p>", LAST, "link block"),
        ("<p>What is to be read:</p>", LAST, ""),
        ("<p>The reading round liked these six best:</p>", "", "link block"),
    ],
)
def test_links_that_a_sentence_leads_to_are_text(before: str, after: str, reason: str) -> None:
    assert why(TEXT + before + f"<ul>{BOOKS}</ul>" + after, "Nine Tides") == reason


@pytest.mark.parametrize(
    ("before", "after", "stays"),
    [
        (
            "<p>Whoever wants to learn more of the pier finds it in one of these six:</p>",
            MONEY,
            True,
        ),
        ("<p>想多了解这座码头的人可以在下面几本书里找到答案：</p>", MONEY, True),
        ("<p>What is to be read:</p>", MONEY, False),
        ("<h3>Whoever wants to learn more of the pier finds it in these:</h3>", "", False),
        ("<p>These six stories from our own paper may interest you as well:</p>", MONEY, False),
        (
            "<div><p>Whoever wants to learn more finds it in one of these:</p>",
            f"</div>{MONEY}",
            False,
        ),
    ],
)
def test_a_whole_sentence_leads_to_links_above_a_heading(
    before: str, after: str, stays: bool
) -> None:
    page = read(TEXT + before + f"<ul>{BOOKS}</ul>" + after)

    assert ("Nine Tides" in page.text) == stays


def test_who_said_what_a_figure_quotes_stays() -> None:
    said = "<blockquote><p>I have swum under it every day for forty years.</p></blockquote>"
    by = "<figcaption><a href=//x.example/ida>Profile</a> Ida Quist, swimmer</figcaption>"
    figure = f"<figure><div><img src=/ida.jpg></div><div>{said}{by}</div></figure>"
    assert "Ida Quist, swimmer" in read(FIRST + figure + LAST).text

    photo = "<figure><img src=/pier.jpg><figcaption>Ida Quist on the pier</figcaption></figure>"
    assert "Ida Quist" not in read(FIRST + photo + LAST).text


NAMES = " • ".join(f"Ida Quist, House {n}" for n in range(120))


@pytest.mark.parametrize(
    ("html", "reason"),
    [
        (f"{FIRST}<p>{NAMES}</p>{LAST}", ""),
        (f"{FIRST}<p>These gave money:</p><p>{NAMES}</p>{LAST}", ""),
        (f"{TEXT}<p>{NAMES}</p>", "no sentences"),
        (f"{FIRST}<div>{NAMES}</div>{LAST}", "no sentences"),
        (f"{FIRST}<div><p>{NAMES}</p></div>{LAST}", "no sentences"),
    ],
)
def test_a_long_list_of_names_among_paragraphs_is_text(html: str, reason: str) -> None:
    assert why(html, "Ida Quist, House 0") == reason


def step(text: str) -> str:
    return f"<div class=step><h3>Next</h3><p>{text}</p></div>"


def test_cookies_of_a_kitchen_are_no_prompt() -> None:
    baked = "Put every cookie on the tray and bake the cookies for nine minutes."
    turned = "Turn each cookie over with a flat knife once it is cold."
    text = read(FIRST + step(baked) + step(turned) + LAST).text

    assert baked in text
    assert turned in text


def test_cookies_of_a_site_are_a_prompt() -> None:
    asked = "We use cookies to count readers. Accept all cookies or choose."

    assert asked not in read(FIRST + f"<div class=bar><p>{asked}</p></div>" + LAST).text


FACTS = [("Old pier", 90, 1898), ("New pier", 40, 1911), ("Fish quay", 120, 1954)]


@pytest.mark.parametrize("tag", ["div", "section"])
def test_cards_of_facts_behind_the_text_stay_with_their_names(tag: str) -> None:
    cards = "".join(
        f"<{tag} class=card><div class=card-header>{name}</div><p>Pillars: {pillars}</p>"
        f"<p>Built: {year}</p></{tag}>"
        for name, pillars, year in FACTS
    )
    page = read(TEXT + f"<h2>The three piers</h2><div class=grid>{cards}</div>")

    assert "## The three piers" in page.markdown
    assert all(name in page.text and f"Built: {year}" in page.text for name, _, year in FACTS)


def test_the_parts_are_found_in_linear_time() -> None:
    def page(size: int) -> str:
        piece = (
            f"<div><article><h1><a href=/x>Frost</a></h1>{OTHER}</article><input type=email>"
            "<ul><li><a href=#a>a</a><li><a href=#b>b</a></ul><p>These are the six best ones:</p>"
            "<span class=sr-only>x</span><h2>Related</h2></div>"
        )
        return f"<h1>The old pier is closed for a year</h1>{TEXT}" + piece * size

    assert_linear(read, page, 100)


ITEMS = ("Nine Tides", "Salt and Stone", "The Ferryman", "A Winter Quay")


@pytest.mark.parametrize(
    ("more", "site"),
    [
        ("", "https://shop.example"),
        ("<li>Tin Harbour, which is out of print</li>", ""),
        ("<li>Tin Harbour, which is out of print</li>", "https://shop.example"),
    ],
)
def test_a_list_that_a_sentence_leads_to_is_kept_with_all_of_its_links(
    more: str, site: str
) -> None:
    links = "".join(f"<li><a href={site}/b/{n}>{one}</a></li>" for n, one in enumerate(ITEMS))
    page = read(f"{FIRST}<p>The reading round liked these:</p><ul>{more}{links}</ul>{LAST}")

    assert "\n".join(ITEMS) in page.text


@pytest.mark.parametrize(("first", "stays"), [("1. {}", True), ("[1] {}", True), ("7 {}", False)])
def test_numbered_links_below_a_text_are_its_sources(first: str, stays: bool) -> None:
    links = [f"<a href=https://books.example/{n}>Letters of the bay</a>" for n in range(6)]
    sources = "".join(
        f"<p>{first.replace('1', str(n))}</p>".format(links[n - 1]) for n in range(1, 7)
    )

    assert ("Letters of the bay" in read(f"{TEXT}<h2>References</h2>{sources}").text) == stays


@pytest.mark.parametrize("end", ["example", "co.uk", "com.cn"])
def test_a_list_of_other_sites_of_the_country_is_of_the_text(end: str) -> None:
    items = "".join(f"<li><a href=//{n}.{end}/>The report on the ferry</a></li>" for n in "abcd")
    page = clean(
        f"<title>{TITLE}</title><article><h1>{TITLE}</h1>{TEXT}<ul>{items}</ul></article>",
        url=f"https://bay.{end}/pier",
    )

    assert "The report on the ferry" in page.text


SEA = "The sea has taken nine piles, and the harbour board has bought oak for twelve new ones."


def test_a_box_between_two_paragraphs_is_of_the_text() -> None:
    aside = "<aside><h4>The piles</h4><ul><li>Nine gone</li><li>Twelve new</li></ul></aside>"

    assert "Nine gone" in read(FIRST + aside + LAST).text
    assert "Nine gone" in read(f"{FIRST}{aside}<h2>The money</h2>{LAST}").text
    note = "<aside><i>!</i><p>Nobody may walk on the piles of the old pier.</p></aside>"
    assert "Nobody may walk" in read(FIRST + note + LAST).text
    assert "Nobody may walk" in read(note + FIRST + LAST).text  # right below the title


def test_a_sentence_of_the_text_that_is_set_large_stands_once() -> None:
    large = f"<aside><p>“{SEA}”</p></aside>"

    assert read(f"{FIRST}{large}<p>The mayor said: “{SEA}”</p>{LAST}").text.count(SEA) == 1


@pytest.mark.parametrize(
    "aside",
    [
        f"<aside class=newsletter><p>{SEA}</p></aside>",
        f"<aside class=related><p>{SEA}</p></aside>",
        f"<aside><p>{SEA}</p><p><a href=/piles>More on the piles of the pier</a></p></aside>",
        f"<section><aside><p>{SEA}</p></aside></section>",
    ],
)
def test_other_boxes_beside_a_text_are_none_of_it(aside: str) -> None:
    page = read(FIRST + aside + LAST)

    assert SEA not in page.text
    assert page.text.endswith(MORE[-1])


@pytest.mark.parametrize(
    "box",
    [
        "<div class=paywall><p>{}</p><a href=/in>Come in</a></div>",
        "<section class=cta><h3>One thing</h3><p>{}</p><p><a href=/give>Give</a></p></section>",
    ],
)
def test_a_small_box_that_is_named_a_prompt_and_has_a_link_goes(box: str) -> None:
    page = read(FIRST + box.format(SEA) + LAST)

    assert SEA not in page.text
    assert "One thing" not in page.text
    assert "prompt" in {one.why for one in page.removed}


@pytest.mark.parametrize(
    "text",
    [
        "<div class=paywall><p>{}</p></div>",
        "<div class=paywall><p>{} <a href=/oak>Oak</a> lasts.</p>" + 4 * OTHER + "</div>",
        "<p class=cta>{} <a href=/oak>Oak</a> lasts.</p>",
    ],
)
def test_a_text_of_such_a_name_stays(text: str) -> None:
    assert SEA in read(FIRST + text.format(SEA) + LAST).text


@pytest.mark.parametrize(
    "prompt",
    [
        "Abonnez-vous à <a href=https://www.youtube.com/@bay>notre chaîne</a> pour voir la mer.",
        "Подписывайтесь на <a href=https://t.me/bay><b>наш канал</b></a> и читайте о море.",
        "Sign up <a href=/newsletter?from=pier>here</a> and read of the bay on each Friday.",
    ],
)
def test_who_asks_to_subscribe_and_links_to_it_prompts(prompt: str) -> None:
    page = read(f"{FIRST}<p>{prompt}</p>{LAST}")

    assert prompt[:8] not in page.text
    assert "prompt" in {one.why for one in page.removed}


@pytest.mark.parametrize(
    "told",
    [
        "The board has a <a href=https://t.me/bay>channel</a> where the tides are told each day.",
        "Sign up now, said the mayor, and the <a href=/oak>oak</a> will be here by the spring.",
    ],
)
def test_who_tells_of_a_channel_or_links_elsewhere_prompts_nobody(told: str) -> None:
    assert told[:16] in read(f"{FIRST}<p>{told}</p>{LAST}").text


@pytest.mark.parametrize(
    "told",
    [
        "© is the sign that an absent painter has put under each of the boards of the old pier.",
        "免责声明写得越长，读的人就越少，港务局的法律顾问这样说。",
        "Follow us on Twitter, said the sign at the pier, and nobody knew whom it meant.",
    ],
)
def test_a_sentence_between_paragraphs_tells_of_the_credit_that_it_names(told: str) -> None:
    assert told in read(f"{FIRST}<p>{told}</p>{LAST}").text


def test_a_notice_at_the_end_is_a_credit() -> None:
    notice = "© 2026 The Bay Courier, of which no part may be printed elsewhere."

    assert notice not in read(f"{TEXT}<p>{notice}</p>").text


#: A link to another page of the site, in languages that no list of words knows.
LED = "<a href=/frost>Frost takes half of the early cherries</a>"


@pytest.mark.parametrize(
    "led",
    [
        f"<p>Soma pia: {LED}</p>",
        f"<div><b>আরও পড়ুন：</b> {LED}</div>",
        "<p><a href=https://bay.example/frost>Also: Frost takes half of the cherries</a></p>",
        f"<p>Soma pia:<br>{LED}</p>",
        f"<div><div>Soma pia:</div><div>{LED}</div></div>",
        f"<p>Soma pia: {LED}</p><p>Soma pia: <a href=/oak>Oak for twelve new piles</a></p>",
        f"<p>Soma pia:</p><ul><li>{LED}<li><a href=/oak>Oak for twelve new piles</a></ul>",
        "<p><a href=/frost><b>FROST TAKES HALF OF THE EARLY CHERRIES OF THE VALLEY</b></a></p>",
    ],
)
def test_a_link_with_a_label_between_two_paragraphs_goes(led: str) -> None:
    page = read(FIRST + led + LAST)

    assert page.text == "\n".join((*PIER, *MORE))
    assert "teaser" in {one.why for one in page.removed}


@pytest.mark.parametrize(
    "told",
    [
        "<p>The survey: <a href=https://tu.example/piles>Condition of the piles</a></p>",
        "<p>Download: <a href=/files/piles.pdf>Condition of the piles</a></p>",
        "<p>Condition: <a href=#piles>the nine piles</a>, <a href=/ten>the tenth pile</a></p>",
        "<p>Below: <a href=#piles>Condition of the piles</a></p>",
        "<ul><li>Piles: <a href=/piles>Condition of the piles</a></ul>",
        "<p>The crew:</p><ul><li><a href=/ada>Ada Venn</a><li><a href=/ben>Ben Ost</a></ul>",
        f"<p>What we wrote of frost and of cherries:</p><ul><li>{LED}</ul>",
        f"<p>The rules:</p><ul><li>{LED}<li>Rules of the harbour office</ul>",
        f"<p>The rules:</p><ul><li>{LED}<li><a href=//tu.example/>Rules of the bay</a></ul>",
        f"<p>The trees:</p><ul><li><p>{LED}</p><p>{MORE[0]}</p><li><p>{MORE[1]}</p></ul>",
        f"<p>Of the frost:</p><ul><li>{LED} in the upper valley, the growers say</ul>",
        "<table><tr><td>Piles: <a href=/piles>Condition of the piles</a></table>",
        "<p><a href=/piles>The condition of the piles has been told by the mayor before.</a></p>",
        "<p><a href=//tu.example/>The condition of the piles, as told by the mayor before</a></p>",
    ],
)
def test_a_link_with_a_label_to_elsewhere_or_in_a_list_stays(told: str) -> None:
    begin = re.sub("<.*?>", "", told)[:9]
    assert why(FIRST + told + LAST, begin) != "teaser"


def test_a_list_behind_a_link_with_a_label_is_none_of_it() -> None:
    rules = "<ul><li>Rules of the harbour office<li>Rules of the bay</ul>"
    page = read(f"{FIRST}<p>Soma pia: {LED}</p>{rules}{LAST}")

    assert "Frost takes half" not in page.text


def test_links_with_a_label_each_that_are_the_text_stay() -> None:
    days = "".join(
        f"<p>{day}: <a href=/{day}>What I have read of the bay</a></p><p>{one}</p>"
        for day, one in zip(("Monday", "Tuesday", "Friday"), MORE, strict=True)
    )
    assert why(f"<p>{PIER[0]}</p>" + days, "Tuesday") != "teaser"


@pytest.mark.parametrize("label", ["Sponsored", "Publicité", "广告"])
def test_the_link_below_the_mark_of_an_advertisement_goes_with_it(label: str) -> None:
    link = "<p><a href=https://shop.example/a>Ten boots for a wet winter</a></p>"
    page = read(f"{FIRST}<p>{label}</p>{link}{LAST}")

    assert page.text == "\n".join((*PIER, *MORE))


BUTTON = "<a class='btn large' href=/start>Start now</a>"


@pytest.mark.parametrize(
    "box",
    [
        f"<div><h4>Try our tide table</h4><p>Free for a month, on any screen</p>{BUTTON}</div>",
        "<div class=robots-nocontent><p>Words about how readers may use our page.</p></div>",
        "<p class=print-only>Load all of the pictures before you print the page.</p>",
        "<div id=adv468><p>From our partner</p></div>",
        "<p><a href=#top>Back to the list</a></p>",
        "<div><a href=#after>A map follows. Skip it.</a><a href=#before>Back before it</a></div>",
        "<p>[TIDE_MODULE]</p>",
        "<p>Spotted a mistake? Mark it and press Ctrl + Enter</p>",
        "<p>Get the Flash Player to see this film</p>",
        "<div>Loading pictures...</div>",
        "<label class=hide-text>Line breaks within this block will be kept</label>",
    ],
)
def test_a_box_that_is_no_text_goes_from_between_paragraphs(box: str) -> None:
    assert read(FIRST + box + LAST).text == read(FIRST + LAST).text


@pytest.mark.parametrize(
    "link",
    ["<p><a href=/tide/{}>See the table</a></p>", "<p><a href=/tides>Tides of May {}</a></p>"],
)
def test_the_third_link_of_one_kind_makes_buttons_of_them(link: str) -> None:
    amid = [one + link.format(number) for number, one in enumerate((FIRST, LAST, OTHER))]

    assert "able" not in (text := read("".join(amid) + FIRST).text)
    assert "Tides" not in text
    assert "ide" in read("".join(amid[:2])).markdown.partition(MORE[0])[0]


@pytest.mark.parametrize(
    "kept",
    [
        "<p><a href=#a>Piles</a></p><p><a href=#b>Money</a></p><p><a href=#c>Plans</a></p>",
        "<p>The board prints ad-3 and ad468 on its posters of the pier.</p>",
    ],
)
def test_lists_of_places_and_words_about_such_parts_stay(kept: str) -> None:
    assert len(read(FIRST + kept + LAST).text) > len(read(FIRST + LAST).text)


def test_cards_with_a_button_each_are_the_text() -> None:
    card = "<div class=card><h3>Pier {}</h3><p>It has a crane and lamps.</p>" + BUTTON + "</div>"

    assert "Pier 3" in read(FIRST + "".join(card.format(number) for number in range(5))).text


@pytest.mark.parametrize(("last", "goes"), [("Stay connected:", True), ("They agreed", False)])
def test_a_last_label_with_links_behind_it_goes(last: str, goes: bool) -> None:
    links = "".join(f"<a href=//{one}.example/p>{one}</a> " for one in "abcdef")
    page = read(f"{TEXT}<div><p>{MORE[0]}</p><p>{last}</p><p>{links}</p></div>")

    assert (last not in page.text) == goes


def test_the_same_paragraph_for_another_screen_stands_once() -> None:
    variant = f"<div class=shown-{{}}><div class=part><p>{MORE[0]}</p></div></div>"
    page = read(FIRST + variant.format("a") + variant.format("b") + LAST.partition("</p>")[2])

    assert page.text.count(MORE[0]) == 1


def test_a_notice_between_paragraphs_without_an_element_of_its_own_is_told() -> None:
    notice = "Disclaimer: the figures above leave out the ferry berth, which is of steel."

    assert notice in read(f"<div>{FIRST}<em>{notice}</em>{LAST}</div>").text


PHOTO = "<a href=/frost><img src=/frost.jpg width=300 height=200></a>"


@pytest.mark.parametrize(
    ("box", "goes"),
    [
        (PHOTO + "<div><a href=/frost>Frost takes half of the cherries</a></div>", True),
        (PHOTO.replace("frost", "f.jpg"), False),
        ("<div><a href=/frost>Frost takes half of the cherries</a></div>", False),
    ],
)
def test_a_picture_and_a_headline_that_lead_to_one_page_make_a_card(box: str, goes: bool) -> None:
    page = read(f"{FIRST}<div>{box}<p>{FROST[0]}</p></div>{LAST}")

    assert (FROST[0] not in page.text) == goes
