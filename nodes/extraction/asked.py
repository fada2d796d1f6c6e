"""Find an explicit request to remember something, and the words to be remembered."""

import re

_ASKED = re.compile(
    r"(?:^|(?<=[.!?,;:\n—-])|(?<=\band)|(?<=\bplease)|(?<=\bso)|(?<=\bok)"
    r"|(?<=\bokay)|(?<=\balso))[ \t]*(?:please |pls |also |and )*"
    r"(?:(?:can|could|will|would) you (?:please )?)?(?:i(?:'d| would) like you to |i want you to )?"
    r"(?:remember(?: this| for me| for later| please)?(?: ?[:,]| that)"
    r"|keep in mind(?: that|:)|bear in mind(?: that|:)|please note(?: that|:)"
    r"|note(?: that|:)(?=[^\n.]{0,200}\b(?:i(?!\.e)|i'm|im|my|our|we|me)\b)"
    r"|(?:make|take) a (?:mental )?note(?: that|:)|(?:do not|don'?t|never)"
    r" forget(?: that|[:,])|save (?:this|that)(?: to memory| as a memory)?:"
    r"|for future reference[:,]?|remember (?=(?:i|my)\b))"
    r"[ \t]*(?P<what>[^\n!?]{3,400}?)(?P<end>[.!](?=\s|$)|\?|\n|$)",
    re.I,
)
_ASKED_AFTER = re.compile(
    r"(?:^|(?<=[.!?]\s)|(?<=\n))(?P<what>[^.!?\n]{8,300})[.!] ?(?:please"
    r" |can you |could you )?(?:(?:save|store|remember|keep) (?:that|this"
    r"|it)\b"
    r"(?: as a memory| in (?:your )?memory| for (?:me|later|next time))?"
    r"|make a note of (?:that|it)|don'?t forget (?:that|it))(?P<end>[.!?\n]"
    r"|$)",
    re.I,
)
_ASKED_ZH = re.compile(
    r"(?:^|(?<=[。！？，,.!?\n；]))[ \t]*(?:请|請|麻烦|麻煩|帮我|幫我|你要?|一定要?|要|别忘了|給我|给我){0,3}"
    r"(?:记住|記住|记得|記得|记一下|記一下|记下来?|記下來?|别忘了?|別忘了?"
    r"|不要忘记|不要忘記|请注意|請注意)(?:一下|了|哦|喔|啊)?[：:，, ]?"
    r"(?P<what>[^。！？!?\n]{2,200})(?P<end>[。！!]|？|\?|\n|$)"
)
_NOT_DECLARATIVE = re.compile(
    r"^(?:to\b|the time\b|when\b|how\b|what\b|where\b|why\b|who\b|if\b"
    r"|me\b|this\b|those\b|these\b|your?\b|it\b|us\b|her\b|him\b|them\b"
    r"|paper\b|movie\b|book\b|guy\b|one\b|last\b|not to\b|about\b|there\b"
    r"|we (?:talked|discussed|spoke)|from now on|always\b|never\b)"
    r"|^(?:提醒|去|买|買|带|帶|给|給|帮|幫|你|您|上次|那|这|這|要|早点"
    r"|吃|把|用|回|明天|今天|别|別|不要|我们上次|我們上次|时|關|关)|吗$"
    r"|嗎$|呢$",
    re.I,
)
_UNREAL = re.compile(
    r"\b(?:if|would|could|might|imagine|pretend|suppose|today|tonight"
    r"|tomorrow|yesterday|you(?:'re|r)?|ignore|instructions?|system prompt"
    r"|rules?)\b"
    r"|如果|假如|假装|要是|你|您|指令|规则|今天|明天",
    re.I,
)
_VERB = re.compile(
    r"(?:'s|'m|'re)\b|\b(?:is|are|am|was|has|have|had|[a-z]{2,}s|[a-z]{2,}ed"
    r"|do|does|did|like|love|hate|prefer|live|work|need|use|keep|play"
    r"|eat|drink|own|go|speak|drive|start|close|open)\b"
    r"|是|在|有|叫|喜欢|喜歡|要|爱|愛|住|不|会|會|对|對|吃|喝|用|号|點|点",
    re.I,
)


def asked(text: str) -> tuple[int, int] | None:
    """The span of the words after a request to remember, whether or not they state something."""
    for pattern in (_ASKED, _ASKED_ZH, _ASKED_AFTER):
        match = pattern.search(text[:4000])
        if match and match["end"].strip() not in ("?", "？"):
            start, end = match.span("what")
            while end > start and (text[end - 1] in ",;:，；：.。" or text[end - 1].isspace()):
                end -= 1
            while start < end and text[start].isspace():
                start += 1
            return (start, end) if end > start else None
    return None


def declarative(clause: str) -> bool:
    """Whether the words state something that can be kept word for word."""
    return (
        not _NOT_DECLARATIVE.search(clause)
        and not _UNREAL.search(clause)
        and _VERB.search(clause) is not None
    )
