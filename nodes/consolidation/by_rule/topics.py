"""The words that say what a text is about."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from ....stores.records import Candidate
from ...extraction.masks import has_secret
from .sentences import Sentence

MOST = 6

_WORD = re.compile(r"[A-Za-z\u00c0-\u024f][A-Za-z\u00c0-\u024f'’-]+")
_NAMED_ZH = re.compile(r"[《「『“]([^》」』”\n]{2,12})[》」』”]")
_ABOUT_ZH = re.compile(
    r"(?:关于|有关|聊聊?|谈谈?|说说|讨论一?下?|学习?|介绍一?下?|准备|推荐一?[些个本部首]?)"
    r"([\u4e00-\u9fff]{2,6}?)(?=的|吧|吗|呢|[，。！？,.!?\s]|$)"
)
_LATIN_IN_ZH = re.compile(r"(?<![A-Za-z])[A-Z][A-Za-z+#.]{1,14}(?![A-Za-z])")
SILENT = frozenset(
    """
    a able about above actually after again all almost also always am an and another any anybody anymore
    anyone anything anyway are aren't around as ask asked asking at away back be because been before being
    better between big bit both but by bye call called came can can't cannot come comes coming could course
    day days did didn't do does doesn't doing don't done down during each either else enough even ever every
    everyone everything exactly explain far feel feels few find first for friday from gave get gets getting
    give go goes going gone good got great had hardly has hasn't have haven't having he hello help her here
    hers hey hi him his hope how however i i'd i'll i'm i've if in instead into is isn't it it's its just
    keep kind knew know last later least left less let let's like likes little live lives long look looking
    lot made make makes making many matter may maybe me mean might mine monday month months more morning
    most much must my myself need needs never new next nice night no nobody not nothing now of off often ok
    okay old on once one only or other our ours out over own perhaps please pretty probably put quite rather
    real really remember right said same saturday saw say says see seem seems she should show since so some
    somebody someone something sometimes soon sorry started still stuff such sunday sure take takes taking
    tell thank thanks that that's the their them then there these they thing things think this those though
    thought three thursday time times to today together told tomorrow tonight too took tried try trying
    tuesday two under until up us use used using usually very want wanted wants was wasn't way we wednesday
    week weekend weeks well went were what when where which while who whole whom whose why will with within
    without won't work works would wouldn't write yeah year years yes yesterday yet you you'd you'll you're
    your yours evening afternoon hear heard gonna wanna happen happened
    """.split()
)


def topics_of(said: Sequence[Sentence], candidates: Iterable[Candidate]) -> tuple[str, ...]:
    """A few words, the surest first: what facts name, what is named in the text, what comes up more than "
    "once."""
    found = [
        candidate.value
        for candidate in candidates
        if 1 < len(candidate.value) <= 24
        and candidate.attribute not in _NO_TOPIC
        and candidate.value[0].isalnum()
    ]
    counted: Counter[str] = Counter()
    for sentence in said:
        if has_secret(sentence.text):
            continue
        if sentence.chinese:
            for pattern in (_NAMED_ZH, _ABOUT_ZH, _LATIN_IN_ZH):
                found += [match.group(match.lastindex or 0) for match in pattern.finditer(sentence.text)]
            continue
        counted.update(dict.fromkeys(content_words(sentence.text), 1))
    often = [word for word, times in counted.most_common() if times > 1]
    rare = sorted((word for word, times in counted.items() if times == 1), key=lambda word: -len(word))
    kept: dict[str, str] = {}
    for word in [*found, *often, *rare[:3]]:
        if not has_secret(word) and not any(word.casefold() in one or one in word.casefold() for one in kept):
            kept[word.casefold()] = word
    return tuple(list(kept.values())[:MOST])


_NO_TOPIC = frozenset("name age birthday note nickname height prefers_format always".split())


def content_words(text: str) -> list[str]:
    """The English words of a text that carry its matter, in lower case."""
    words = (match.group().lower().replace("’", "'").removesuffix("'s") for match in _WORD.finditer(text))
    return [word for word in words if len(word) > 2 and word not in SILENT]
