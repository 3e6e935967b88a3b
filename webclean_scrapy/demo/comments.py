"""What readers write below the articles of the demo portal: the same few voices everywhere."""

from __future__ import annotations

from webclean_scrapy.demo.markup import fill, number

_ENGLISH = (
    ("ebbtide", "My grandfather would have laughed at this, and then paid for a round."),
    ("Marnie K", "Lovely piece. More of this and less about the bypass, please."),
    ("oldsalt47", "I was there. It was colder than the reporter makes out."),
    ("P. Quill", "Can somebody explain who is going to pay for all of this in the end?"),
    ("norfolk_nan", "Reading this on the bus and missed my stop. Worth it."),
    ("tern", "Nobody asked the people who live at the far end of the road. They never do."),
    ("Gibbet Lane", "Same story in our town ten years ago; it went well until the money ran out."),
)
_CHINESE = (
    ("南湾老张", "写得实在，我们小区也碰到过一样的事，后来还是靠大家商量解决的。"),
    ("晚风不冷", "看完想给家里打个电话。"),
    ("一只土豆", "记者能不能半年后再去看看，别光报道开头。"),
    ("街角修鞋铺", "说到底还是要有人肯管，光有办法没人干也白搭。"),
    ("青橄榄", "转给我妈了，她说里面那位师傅她认识。"),
    ("潮汐表", "数据能公开吗？想自己算一算。"),
)


def readers_comments(key: str, comment: str, frame: str, language: str = "en") -> str:
    """Return a block of two to four comments: *comment* takes name and text, *frame* them all."""
    voices = _ENGLISH if language == "en" else _CHINESE
    start = number(key, 0, len(voices) - 1)
    count = number(key + "#", 2, 4)
    chosen = [voices[(start + n) % len(voices)] for n in range(count)]
    return fill(frame, "".join(fill(comment, name, text) for name, text in chosen))
