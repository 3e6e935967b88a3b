"""Sentences in several languages, drawn from small lists of words; no two of a page are equal."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

#: Language -> patterns, and the words for each of their places.
_LANGUAGES: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "en": (
        (
            "The {who} closed the {what} on {day} after {other} found {n} cracks in its {part}.",
            "On {day} the {who} told the {other} that the {what} would cost {n} crowns a {part}.",
            "Nobody on the {what} was hurt, and {n} {other} had left its {part} before {day}.",
        ),
        {
            "who": "harbour master|mayor|baker|old miller|ferry captain|school board|night guard",
            "what": "northern pier|stone bridge|village hall|river lock|summer fair|lighthouse",
            "day": "Monday|Tuesday evening|Wednesday|Thursday night|Friday|Sunday morning",
            "other": "divers|engineers|fishermen|visitors|neighbours|students|painters",
            "part": "base|roof|western wall|gate|second floor|oldest arch|staircase",
        },
    ),
    "de": (
        (
            "Am {day} sperrte {who} {what}, nachdem {other} dort {n} Risse gefunden hatten.",
            "Wie {who} am {day} sagte, haben {other} für {what} schon {n} Gulden gesammelt.",
        ),
        {
            "who": "die Bürgermeisterin|der Müller|das Hafenamt|der Küster|die Schulleiterin",
            "what": "die nördliche Brücke|das Gemeindehaus|den alten Turm|die Schleuse am Fluss",
            "day": "Montag|Dienstagabend|Mittwoch|Donnerstag|späten Sonntag",
            "other": "Taucher|Fischer|Besucher|drei Maurer|Schülerinnen|Nachbarn",
        },
    ),
    "zh": (
        (
            "{day}，{who}在{other}发现{n}条裂缝以后，关闭了{what}，大家都站在外面等消息。",
            "{who}{day}说，{what}的修理要花{n}天，{other}先用旧的渡口上下货，这样虽然慢一些。",
        ),
        {
            "who": "港务局|镇长|老船长|小学校长|渔业公司",
            "what": "北面的码头|石桥|灯塔|村里的礼堂|河边的水闸",
            "day": "周一上午|星期二晚上|周三|礼拜天清早|周五下午",
            "other": "潜水员|工程师|渔民|游客|几个学生",
        },
    ),
    "ja": (
        (
            "{day}、{other}が{n}か所のひび割れを見つけたため、{who}は{what}を閉めることにしました。",
            "{who}によると、{what}の修理には{n}日かかり、{other}は{day}まで古い船着き場を使うそうです。",
        ),
        {
            "who": "港の事務所|町長|船長|小学校の先生",
            "what": "北の桟橋|石の橋|灯台|村の集会所",
            "day": "月曜日の朝|火曜日|水曜日の夜|日曜日",
            "other": "潜水士|漁師たち|観光客|技術者",
        },
    ),
    "ko": (
        (
            "{day}에 {other}이 {n}개의 금을 발견한 뒤에 {who}은 {what}을 닫고 소식을 기다렸습니다.",
            "{who}은 {day}에 {what}을 고치는 데 {n}일이 걸린다고 했고 {other}은 옛 나루를 씁니다.",
        ),
        {
            "who": "항구 사무소장|마을 이장|늙은 선장|학교 교장",
            "what": "북쪽 부두 둑|돌다리 길|등대 건물|마을 회관",
            "day": "월요일 아침|화요일 저녁|수요일|일요일 오전",
            "other": "잠수부들|어부들|손님들|기술자들",
        },
    ),
    "ru": (
        (
            "В {day} {who} закрыл {what}, потому что {other} нашли там {n} больших трещин.",
            "{other} рассказали, что {who} в {day} обещал починить {what} за {n} рублей.",
        ),
        {
            "who": "начальник порта|мэр города|старый мельник|капитан парома",
            "what": "северный причал|каменный мост|сельский клуб|старый маяк",
            "day": "понедельник|среду утром|четверг|воскресенье вечером",
            "other": "водолазы|инженеры|рыбаки|приезжие гости",
        },
    ),
    "ar": (
        (
            "أغلق {who} {what} يوم {day} بعد أن وجد {other} {n} شقوق في القاعدة القديمة.",
            "قال {who} يوم {day} إن إصلاح {what} يحتاج {n} يوما، وإن {other} لم يصب منهم أحد.",
        ),
        {
            "who": "مدير الميناء|رئيس البلدية|قبطان العبارة|معلم المدرسة",
            "what": "الرصيف الشمالي|الجسر الحجري|المنارة القديمة|سوق القرية",
            "day": "الاثنين|الثلاثاء|الأربعاء|الأحد",
            "other": "الغواصون|المهندسون|الصيادون|الزوار",
        },
    ),
    "el": (
        (
            "Την {day} ο {who} έκλεισε {what}, επειδή {other} βρήκαν εκεί {n} μεγάλες ρωγμές.",
            "Ο {who} είπε την {day} ότι για {what} χρειάζονται {n} μέρες και {other} περιμένουν.",
        ),
        {
            "who": "λιμενάρχης|δήμαρχος|γέρος μυλωνάς|καπετάνιος",
            "what": "τη βόρεια προβλήτα|το πέτρινο γεφύρι|τον παλιό φάρο",
            "day": "Δευτέρα|Τρίτη το βράδυ|Τετάρτη|Κυριακή",
            "other": "οι δύτες|οι μηχανικοί|οι ψαράδες",
        },
    ),
    "pl": (
        (
            "W {day} {who} zamknął {what}, ponieważ {other} znaleźli tam {n} dużych pęknięć.",
            "Jak mówił w {day} {who}, za {what} zapłacą {n} złotych {other}, a później goście.",
        ),
        {
            "who": "kapitan portu|burmistrz|stary młynarz|dyrektor szkoły",
            "what": "północne molo|kamienny most|dom wiejski|śluzę na rzece",
            "day": "poniedziałek|środę rano|czwartek|niedzielę",
            "other": "nurkowie|inżynierowie|rybacy|sąsiedzi z łąki",
        },
    ),
    "he": (
        ("ביום {day} סגר {who} את {what} אחרי שהמהנדסים מצאו שם {n} סדקים גדולים, ו{other} חיכו.",),
        {
            "who": "מנהל הנמל|ראש העיר|הטוחן הזקן|רב החובל",
            "what": "המזח הצפוני|גשר האבן|המגדלור|בית העם",
            "day": "שני|שלישי בערב|רביעי|ראשון",
            "other": "הדייגים|הצוללנים|התלמידים|השכנים",
        },
    ),
}
LANGUAGES = tuple(_LANGUAGES)


def sentence(rng: Random, language: str) -> str:
    """Return one sentence of about 70 characters, or 35 of Chinese, Japanese or Korean."""
    patterns, words = _LANGUAGES[language]
    drawn = {place: rng.choice(choices.split("|")) for place, choices in words.items()}
    text = rng.choice(patterns).format(n=rng.randint(3, 9_999), **drawn)
    return text[0].upper() + text[1:]


def sentences(rng: Random, language: str, count: int) -> list[str]:
    """Return *count* sentences, no two of them equal."""
    found: dict[str, None] = {}
    while len(found) < count:
        found[sentence(rng, language)] = None
    return list(found)
