"""Texts written for these tests: their facts are made up."""

import random

from webclean_scrapy.dedup.fingerprint import Match

ENGLISH = """
The harbour council of Westmere voted on Thursday to rebuild the old ferry terminal in brick.
Engineers had warned for years that the wooden piles under the waiting hall were rotting away.
The mayor, Ilse Brandt, called the decision a promise to the fishermen who stayed.
Work begins after the herring season, when the quay stands empty and the cranes are free.
Opponents fear that the ferries will be moved to the northern basin and never come back.
A local brewery offered to pay for the clock tower if its name may stand above the door.
Schoolchildren collected drawings of the first terminal, which burned down in a winter storm.
The architect plans a glass roof, a library for travellers and a hall for the Saturday market.
Ships from the islands will land at a floating bridge until the new berths can be used.
Nobody in Westmere can remember a council meeting that ended with so much applause.
Insurance papers found in a cellar show that the first terminal was never fully paid for.
Historians of the university want to dig under the hall before any concrete is poured.
""".strip().split("\n")
CHINESE = """
滨海市渡口委员会周四投票决定用红砖重建老旧的轮渡候船大厅。
工程师多年来一直警告说大厅下面的木桩正在腐烂并且随时可能断裂。
市长在会议上表示这一决定是对坚守渔港的渔民作出的承诺。
施工队将在鲱鱼捕捞季节结束之后进场届时码头空闲吊车也可以使用。
反对者担心渡轮会被迁往北部港池从此不再返回老城区。
一家本地啤酒厂愿意出资修建钟楼条件是把厂名刻在大门上方。
小学生们收集了描绘第一座候船大厅的图画那座建筑毁于冬季风暴。
建筑师计划设置玻璃屋顶旅客图书馆以及周末集市大厅。
来自群岛的船只将停靠浮桥直到新的泊位可以投入使用。
历史学家希望在浇筑混凝土之前对大厅地下进行考古发掘。
""".strip().split("\n")


def make_article(seed: int, sentences: int = 14) -> str:
    """Return an article; two articles share only a few frequent words."""
    dice = random.Random(seed)
    syllables = [a + b for a in "bdfgklmnprstvz" for b in ("a", "en", "ir", "o", "ul")]

    def word() -> str:
        return "".join(dice.choice(syllables) for _ in range(dice.randint(2, 4)))

    return "\n".join(
        f"The {word()} of {word()} {word()} a {word()} {word()} and the {word()} {word()}."
        for _ in range(sentences)
    )


def verdict_of(match: Match | None) -> tuple[str, str] | None:
    """Return the key of a match and its verdict."""
    return (match.key, match.verdict) if match else None
