"""How a session felt to the user, by what they say about it. Word lists, no guessing at hearts."""

import re
from collections.abc import Iterable

from ....stores.records import Tone
from .sentences import Sentence

_NOT = r"(?:not|isn'?t|wasn'?t|aren'?t|never|no|hardly|don'?t|doesn'?t|didn'?t|less than)(?: \w+){0,2} "
_PLEASED = (
    r"great|perfect|awesome|excellent|amazing|wonderful|brilliant|fantastic|helpful|lovely|delighted|"
    r"thrilled|so happy|very happy|really happy|love (?:it|this|that|your)|like (?:it|this|that) a lot|"
    r"exactly what i|well done|good job|much better|made my day|works now|it works|glad|superb|appreciate"
)
_BARE_THANKS = re.compile(r"\b(?:thanks|thank you|thx|cheers|nice|good)\b", re.I)
_GOOD = re.compile(rf"(?P<not>\b{_NOT})?\b(?:{_PLEASED})\b", re.I)
_BAD = re.compile(
    r"(?P<not>\b(?:not|isn'?t|wasn'?t|no longer|never)(?: \w+)? )?\b(?:frustrat(?:ed|ing)|annoy(?:ed|ing)|"
    r"useless|infuriating|disappoint(?:ed|ing)|fed up|ridiculous|unacceptable|terrible|horrible|awful|"
    r"wrong again|still wrong|still broken|waste of time|wasting my time|makes no sense|giving up|give up|"
    r"angry|pissed off|sick of this|driving me (?:mad|crazy|nuts)|i(?:'ve| have)? already told you|"
    r"how many times|you keep \w+ing|you never listen|that(?:'s| is) (?:wrong|not what i)|"
    r"(?:does|did|do)(?:n'?t| not) work|not working|doesn'?t help|not helpful|stop wasting|ugh+|argh+)\b",
    re.I,
)
_NOT_BAD = re.compile(r"\bnot (?:too |so |half )?bad\b", re.I)
_GOOD_ZH = re.compile(
    r"(?P<not>[不没]\s?(?:太|是很|怎么|够|算|是)?)?(?:太好了|太棒了|真棒|很棒|完美|很好用|真好|喜欢你的|"
    r"很喜欢这|开心|高兴|满意|厉害|很有帮助|帮了大忙|好极了|解决了|很有用|感激|赞)"
)
_THANKS_ZH = re.compile(r"谢谢|多谢|感谢|不错")
_BAD_ZH = re.compile(
    r"(?P<not>[不没](?:太|怎么|再|那么)?)?(?:烦死|真烦|好烦|很烦|烦人|失望|没用|太差|糟糕|生气|气死|"
    r"受不了|浪费时间|又错|还是错|还是不行|还是不对|不对劲|搞不定|崩溃|无语|说了多少遍|说过多少次|"
    r"我都说了|不是告诉过你|郁闷|不耐烦|没有帮助|不满意|不好用|不靠谱)"
)


def tone_of(said: Iterable[Sentence]) -> Tone:
    """The tone of what a user said; politeness alone is neutral."""
    good = bad = 0.0
    for sentence in said:
        text = sentence.text.replace("’", "'")
        good += len(_NOT_BAD.findall(text)) + len(_THANKS_ZH.findall(text)) / 2
        good += len(_BARE_THANKS.findall(text)) / 2
        for pattern in (_GOOD, _GOOD_ZH):
            for match in pattern.finditer(text):
                good, bad = (good, bad + 1) if match["not"] else (good + 1, bad)
        for pattern in (_BAD, _BAD_ZH):
            bad += sum(1 for match in pattern.finditer(text) if not match["not"])
    if bad:
        return Tone.MIXED if good >= 1 else Tone.FRUSTRATING
    return Tone.POSITIVE if good >= 1 else Tone.NEUTRAL
