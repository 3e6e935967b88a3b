"""Copies are detected in every script; the texts were written for these tests."""

import pytest

from tests.dedup.articles import CHINESE, ENGLISH
from webclean_scrapy.dedup.fingerprint import DUPLICATE
from webclean_scrapy.dedup.index import DuplicateIndex

TEXTS = {
    "simplified": "\n".join(CHINESE[:5]),
    "english": "\n".join(ENGLISH[:5]),
    "german": """Der Hafenrat von Westmeer beschloss, das alte Fährhaus neu zu errichten.
Ingenieure warnten seit Jahren, dass die hölzernen Pfähle unter der Wartehalle verfaulen.
Die Bürgermeisterin nannte den Beschluss ein Versprechen an die Fischer der Altstadt.
Gebaut wird nach der Heringszeit, wenn der Kai leer steht und die Kräne frei sind.
Gegner fürchten, dass die Fähren ins nördliche Becken verlegt werden und dort bleiben.""",
    "russian": """Совет гавани решил в четверг построить заново старый паромный вокзал из кирпича.
Инженеры много лет предупреждали, что деревянные сваи под залом ожидания гниют.
Мэр назвала это решение обещанием рыбакам, которые остались в старой гавани.
Работы начнутся после сезона сельди, когда набережная пуста и краны свободны.
Противники боятся, что паромы переведут в северный бассейн и они не вернутся.""",
    "arabic": """قرر مجلس الميناء يوم الخميس إعادة بناء محطة العبارات القديمة من الطوب الأحمر.
حذر المهندسون منذ سنوات من أن الأعمدة الخشبية تحت قاعة الانتظار تتعفن ببطء.
وصفت رئيسة البلدية القرار بأنه وعد للصيادين الذين بقوا في الميناء القديم.
تبدأ الأعمال بعد موسم صيد الرنجة عندما يكون الرصيف خاليا والرافعات متاحة.""",
    "hindi": """बंदरगाह परिषद ने गुरुवार को पुराने नौका घर को ईंटों से फिर बनाने का निर्णय लिया।
इंजीनियर वर्षों से चेतावनी दे रहे थे कि प्रतीक्षालय के नीचे लकड़ी के खंभे सड़ रहे हैं।
महापौर ने इस निर्णय को पुराने बंदरगाह के मछुआरों से किया गया वादा बताया।
काम मछली पकड़ने के मौसम के बाद शुरू होगा जब घाट खाली रहेगा।""",
    "japanese": """港の委員会は木曜日に古いフェリーターミナルをれんがで建て直すことを決めた。
技術者たちは待合室の下の木のくいが腐りかけていると何年も警告してきた。
市長はこの決定を港に残った漁師たちへの約束だと語った。
工事はにしん漁の季節が終わって岸壁が空いてから始まる予定である。
反対する人々はフェリーが北のドックに移されて戻らないことを恐れている。""",
    "korean": """항구 위원회는 목요일에 오래된 여객선 터미널을 벽돌로 다시 짓기로 결정했다.
기술자들은 대합실 아래의 나무 말뚝이 썩고 있다고 여러 해 동안 경고해 왔다.
시장은 이번 결정을 옛 항구에 남은 어부들에게 한 약속이라고 불렀다.
공사는 청어잡이 철이 끝나 부두가 비고 기중기를 쓸 수 있을 때 시작된다.
반대하는 사람들은 여객선이 북쪽 부두로 옮겨져 돌아오지 않을까 걱정한다.""",
    "thai": """สภาท่าเรือลงมติเมื่อวันพฤหัสบดีให้สร้างอาคารผู้โดยสารเรือข้ามฟากหลังเก่าขึ้นใหม่ด้วยอิฐ
วิศวกรเตือนมาหลายปีว่าเสาไม้ใต้ห้องพักผู้โดยสารกำลังผุพังลงทุกวัน
นายกเทศมนตรีกล่าวว่ามตินี้เป็นคำสัญญาต่อชาวประมงที่ยังอยู่ในท่าเรือเก่า
งานก่อสร้างจะเริ่มหลังฤดูจับปลาเมื่อท่าเทียบเรือว่างและปั้นจั่นพร้อมใช้งาน""",
}
TRADITIONAL = """濱海市渡口委員會週四投票決定用紅磚重建老舊的輪渡候船大廳。
工程師多年來一直警告說大廳下面的木樁正在腐爛並且隨時可能斷裂。
市長在會議上表示這一決定是對堅守漁港的漁民作出的承諾。"""


@pytest.fixture(scope="module")
def index() -> DuplicateIndex:
    index = DuplicateIndex(short_words=10)
    for name, text in TEXTS.items():
        index.add(name, text)
    return index


def key_of_match(index: DuplicateIndex, text: str) -> str | None:
    match = index.find(text)
    return match.key if match else None


@pytest.mark.parametrize("name", TEXTS)
def test_cut_moved_and_framed_copies_are_found(index: DuplicateIndex, name: str) -> None:
    lines = TEXTS[name].split("\n")
    assert key_of_match(index, "\n".join(lines[::-1])) == name
    assert key_of_match(index, "\n".join(lines[: len(lines) // 2 + 1])) == name
    assert key_of_match(index, "\n".join(["Press service / 通讯员", *lines, "© 2026"])) == name


def test_no_text_matches_that_of_another_language() -> None:
    index = DuplicateIndex()
    assert [index.check_and_add(name, text) for name, text in TEXTS.items()] == [None] * len(TEXTS)


def test_either_chinese_script_finds_the_other(index: DuplicateIndex) -> None:
    assert key_of_match(index, TRADITIONAL) == "simplified"
    other = DuplicateIndex(short_words=10)
    other.add("traditional", TRADITIONAL)
    assert key_of_match(other, "\n".join(TEXTS["simplified"].split("\n")[:3])) == "traditional"


def test_copies_may_lose_accents_vowel_points_and_width(index: DuplicateIndex) -> None:
    plain = TEXTS["german"].translate(str.maketrans("äöüÄÖÜ", "aouAOU"))
    assert key_of_match(index, plain.upper()) == "german"
    wide = TEXTS["english"].translate({c: c + 0xFEE0 for c in range(0x21, 0x7F)})
    assert key_of_match(index, wide) == "english"
    assert key_of_match(index, TEXTS["arabic"].replace("قرر", "قَرَّرَ")) == "arabic"


THAI = """ชาวสวนทุเรียนในจังหวัดจันทบุรีเริ่มเก็บเกี่ยวผลผลิตรุ่นแรกเมื่อต้นสัปดาห์ หลังฝนทิ้งช่วงยาวนาน
เจ้าของสวนขนาดสิบไร่เล่าว่าต้องขุดสระเพิ่มและวางท่อน้ำหยดเองทั้งหมด แต่คุ้มค่าเพราะเนื้อหนาและหวานกว่าปีก่อน
พ่อค้าจากต่างประเทศเดินทางมาเลือกซื้อถึงหน้าสวน ทำให้ราคาขยับขึ้นทุกวัน ขณะที่แรงงานตัดทุเรียนหายาก
โรงพยาบาลประจำตำบลแห่งหนึ่งเปิดห้องตรวจตาเคลื่อนที่เป็นครั้งแรก โดยมีจักษุแพทย์จากเมืองหลวงมาประจำ
ผู้สูงอายุจำนวนมากมาต่อคิวตั้งแต่เช้ามืด บางคนเดินทางข้ามเขาหลายชั่วโมงเพื่อรับการผ่าตัดต้อกระจก"""


def test_thai_texts_share_pairs_of_letters_but_no_passages() -> None:
    """The index keeps a page of which two fifths of the text stand in no other page."""
    index, lines = DuplicateIndex(), THAI.split("\n")
    index.add("orchards", "\n".join(lines[:3]))
    match = index.find("\n".join(lines[3:] + lines[:3]))
    assert match
    assert match.own
    assert 0.35 < match.own < 0.45
    match = index.find("\n".join(lines[:3]).replace("ราคา", "ค่า"))
    assert match
    assert match.verdict == DUPLICATE


def test_korean_without_spaces_is_found() -> None:
    index = DuplicateIndex()
    joined = TEXTS["korean"].replace(" ", "")
    index.add("joined", joined)
    assert key_of_match(index, joined.split("\n", 1)[1]) == "joined"
