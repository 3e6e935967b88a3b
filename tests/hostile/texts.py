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
