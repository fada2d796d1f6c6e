"""Tells a plain request to forget from everything else that is said with the same words. Pure.

Plain means: it asks for this and nothing else. Whatever says more goes to the model, which has the tool. A request
that is passed over costs a tool call; one that is imagined costs a memory, so that doubt means no.
"""

import re

from ..stores.erasure.asking import asked

LONGEST = 300
"""A plain request is short; a longer message says more than that."""

EVERYTHING = "everything about me"
"""Stands for a request to forget a person wholly: it ends a user, and so is never carried out on the way."""

_OPENING = (
    r"(?:(?:hi|hey|hello|ok|okay|oh|um|hmm|please|pls|so|and|well|actually|sorry|now|luna)[\s,!.]+"
    r"|(?-i:[A-Z])\w+[,!]\s*)*?"
)
_LEAD = (
    r"(?:(?:can|could|would|will|won'?t) (?:you|u) (?:mind )?|i(?:'d| would) (?:like|love|prefer"
    r"|rather)(?: for)? you(?: to)? "
    r"|i(?:'d| would) (?:prefer|rather|appreciate it) (?:that|if) you (?:could )?|i (?:want"
    r"|need|ask|beg) you to "
    r"|i'm asking you to |you (?:should|must|need to|have to|ought to) "
    r"|make sure (?:that )?you |be sure to "
    r"|it(?:'d| would) be (?:great|nice|good|better|best) if you (?:could )?"
    r"|is it possible (?:for you )?to "
    r"|do me a favou?r and )?(?:(?:please|pls|kindly|just|now|completely|simply|ever) )*"
)
_FORGET = r"(?:forget|(?<=you )forgot|(?<=could )forgot|forgetting|unlearn)(?: all)?(?: about)?"
_ERASE = (
    r"(?:erase|delete|remove|wipe|scratch|scrub|purge|expunge|clear|erasing|deleting|removing|wiping|striking"
    r"|(?:drop|strike|take|get)(?!.* in (?:your|the)\b))"
)
_OUT_OF = r"(?:from|out of|in) (?:all )?(?:your |the )?(?:memory|memories|mind|head|records?|notes)"
_THING = (
    r"(?:that (?!you\b)|the fact that (?!you\b)|what(?:ever)? |where |when |who |whom |whose "
    r"|which |how (?!to\b)|why |if |whether "
    r"|everything |anything |all |(?:both |any of |all of )?(?:my|our|mine)\b"
    r"|we (?:ever )?(?:talked|spoke|discussed)\b"
    r"|i (?:said|told|mentioned|work|live|have|am|was|like|love|hate|ever)\b|i'm |his |her |their "
    r"|the (?=.*\b(?:i|my|me|our|name|code|password|pin|number|address|birthday|appointment|story)\b)"
    r"|(?-i:[A-Z])[\w-]+(?:'s)? (?=.*\b(?:i|my|me|our)\b)|(?<=about )(?-i:[A-Z])[\w-]+)"
)
_NAME = r"(?-i:[A-Z])[\w-]+(?: (?-i:[A-Z])[\w-]+){0,3}(?:'s [\w ]+?)?"
_FORGET_IT = re.compile(rf"{_OPENING}{_LEAD}{_FORGET} (?P<what>{_THING}.*)", re.I | re.S)
_ERASE_IT = re.compile(
    rf"{_OPENING}{_LEAD}{_ERASE} (?:(?:{_OUT_OF} )(?P<behind>{_THING}.+)"
    rf"|(?P<told>(?:what(?:ever)?|everything|anything|all)"
    rf" (?:that )?(?:i|you|about) ?.+|that i\b.+|the fact that i\b.+)|(?P<what>.+?) {_OUT_OF}"
    rf"|your memor(?:y|ies) of (?P<of>.+))",
    re.I | re.S,
)
_KEEP_NO_MORE = re.compile(
    rf"{_OPENING}(?:please )?(?:(?:i )?(?:don'?t|do not|no longer) want you to|don'?t|do not|stop|quit"
    rf"|you (?:should|must)(?:n't"
    rf"| not)) (?:remember(?:ing)?"
    rf"|keep(?:ing)?|stor(?:e|ing)|sav(?:e|ing)) (?P<what>{_THING}.+?)(?P<more> any ?(?:more"
    rf"|longer)| {_OUT_OF})?",
    re.I | re.S,
)
_PASSIVE = re.compile(
    rf"{_OPENING}i(?:'d| would)? (?:want|need"
    rf"|like) (?P<what>{_THING}.+?) (?:to be )?(?:forgotten|erased|deleted)"
    rf"(?: (?:for good|{_OUT_OF}))?",
    re.I | re.S,
)
_RATHER_NOT = re.compile(
    rf"{_OPENING}i(?:'d| would)? (?:much )?(?:rather|prefer(?: it)?(?: that| if)?) you (?:did(?:n't| not)"
    r"|do(?:n't| not)|would(?:n't| not)|no longer|never|stopped) "
    rf"(?:remember(?:ed|ing)?|recall(?:ed|ing)?) (?:anything (?:about|of) )?(?P<what>{_THING}.+?|{_NAME})"
    rf"(?: any ?(?:more|longer)| {_OUT_OF})?",
    re.I | re.S,
)
_GONE = re.compile(
    rf"{_OPENING}{_LEAD}(?:make sure|ensure|see to it)(?: that)? (?P<what>{_THING}.+?|{_NAME})(?:'s| is| are| gets?) "
    r"(?:(?:all|completely|entirely|wholly) )?"
    rf"(?:forgotten|(?:gone|erased|deleted|removed|wiped|struck|scrubbed|purged|cleared) {_OUT_OF})",
    re.I | re.S,
)
_NOT_A_WORD_OF = re.compile(
    rf"{_OPENING}{_LEAD}(?:do(?:n't| not)|never|stop|quit) (?:ever )?(?:bring(?:ing)? up|mention(?:ing)?"
    rf"|talk(?:ing)? about|remind(?:ing)? me (?:of|about)) (?P<what>{_THING}.+?|{_NAME})"
    r"(?: (?:ever )?again| any ?more)?,? and (?:(?:please|just) )?"
    rf"(?:{_FORGET} (?:it|that|this|him|her|them)"
    rf"|{_ERASE} (?:it|that|this|him|her|them|all of (?:it|that|this)) {_OUT_OF})",
    re.I | re.S,
)
_BARE = re.compile(rf"{_OPENING}{_LEAD}{_FORGET} (?P<what>{_NAME})", re.I)
_AFTER = re.compile(
    r"[\s,;.!?–—-]+(?:and )?(?:please|pls|thanks|thank you(?: so much| very much)?|ok(?:ay)?"
    r"|for good|for ever|forever|for me|right now|now|again"
    r"|(?:will|would|can|could) you|if (?:you can|possible|that's ok(?:ay)?|you (?:don't )?mind)"
    r"|(?:it|that|this)(?:'s| is| was) (?:private|personal|secret|confidential|wrong|not true"
    r"|no longer true|outdated"
    r"|(?:really |very )?(?:too )?(?:private|personal|embarrassing)|a (?:secret|mistake|joke"
    r"|lie))(?: any ?more)?"
    r"|i (?:was|am) (?:only |just )?(?:joking|kidding|lying)|i should(?:n't| not) have (?:said"
    r"|told|mentioned)(?: you)?(?: (?:that|it|this))?"
    r"|i don't want you to (?:know|remember|have)(?: (?:that|it|this|any of (?:that|it)))?)[\s.!?]*$",
    re.I,
)
_SECOND = re.compile(
    r"[.!?;]\s+\S|[,–—:]\s*(?:(?:and|but|so|then|or)\s+)?(?:let'?s|let me|tell|give|show|talk"
    r"|say|what|how|why|who|where|when|can|could|would"
    r"|will|do|does|did|is|are|i(?!'?m? (?:said|told|mentioned))|i'\w+|we|you|it|that'?s|they"
    r"|he|she|just|instead|now|here|there|act|be|write"
    r"|pretend|help|make|go|start|remember)\b|\b(?:and|but) (?:then )?(?:tell|give|show|talk"
    r"|let'?s|act|write|pretend|remember|instead|say"
    r"|answer|help)\b",
    re.I,
)
_NO_MEMORY = re.compile(
    r"^(?:about )?(?:it|that|this|them|what i (?:just )?said|all of (?:it|that|this))\W*$"
    r"|^(?:all|everything|anything)\W*$"
    r"|^what (?:i|you) (?:say|tell)\b|\b(?:files?|folders?|lines?|rows?|columns?|branch"
    r"|account|emails? from"
    r"|code in|function|comments?|tables?|the above|(?:previous|prior|earlier|the|your|all"
    r"|system) (?:instructions|rules|prompts?)"
    r"|your (?:instructions|rules|name|identity|persona|training|developers?))\b"
    r"|\b(?:instructions|rules) (?:i|you|we)\b",
    re.I,
)
_NEGATED = re.compile(
    r"\b(?:don'?t|do not|never|can'?t|cannot|not|didn'?t|won'?t) (?:you )?(?:ever )?forget"
    r"|\bforget-me-not|不要忘(?!.*不要记)"
    r"|[别別]忘|不[会會能可]忘|忘不了|难忘|難忘|(?:忘记|忘記|忘)[了没沒]+[吗嗎没沒么麼]",
    re.I,
)
_ALL_OF_ME = re.compile(
    r"(?:about )?(?:me|myself)(?: (?:completely|entirely|wholly))?"
    r"|(?:absolutely )?(?:everything|anything|all)(?: (?:that )?(?:you(?:'ve"
    r"| have)? (?:ever )?(?:know|knew|remember|learned|stored|saved"
    r"|have|heard)|there is|i(?:'ve| have)? (?:ever )?(?:told|said"
    r"|shared)(?: to)?(?: you)?))?(?: (?:about|on|of) (?:me|myself))"
    r"|(?:absolutely )?(?:everything|anything|all) (?:that )?(?:you(?:'ve"
    r"| have)? (?:ever )?(?:know|remember|learned)|i(?:'ve| have)?"
    r" (?:ever )?(?:told|said|shared)(?: to)?(?: you)?)|all (?:of )?(?:my|our) (?:data"
    r"|memories|conversations|information)",
    re.I,
)
_END = re.compile(
    rf"{_OPENING}(?:(?:can|could|would|will) you )?(?:please )?(?:forget (?P<forget>.+?)"
    r"|(?P<memory>(?:clear|wipe|erase|reset|delete) (?:all )?(?:my|your) (?:memory"
    r"|memories)(?: (?:about|of) me)?)"
    rf"|(?:clear|erase|wipe|delete|reset) (?P<erase>.+?)(?: {_OUT_OF})?)",
    re.I,
)

_OPENING_ZH = r"(?:(?:你好|您好|嗨|那|嗯|好的?|哦|对了|對了|抱歉|[A-Za-z]+|露娜)[，,！!、\s]*)?"
_LEAD_ZH = (
    r"(?P<lead>(?:请|請|麻烦|麻煩|拜托|拜託|劳驾)?(?:你|您)?(?:帮我|幫我|帮忙|幫忙|给我|給我)?"
    r"(?:(?:是否)?可不可以|能不能|能否|可否|是否可以|可以|能|应该|應該|必须|必須|得|最好)?"
    r"|(?:我|俺)(?:想|要|希望|想要|想让|想請|想请|需要|要求|请|請|让|讓|请求|請求)+(?:你|您)(?:能|可以)?)"
    r"(?:请你|請你|请|請|帮我|幫我|赶紧|趕緊|马上|馬上|彻底|徹底|完全|都)*"
)
_VERB_ZH = (
    r"(?:忘掉|忘记|忘記|忘却|忘了|删除|刪除|删掉|刪掉|删去|抹掉|抹去|抹除|清除|清掉|擦掉|擦除|去掉|移除"
    r"|(?:不要|别|別)(?:再|继续|繼續)?(?:记得|記得|记住|記住|记着|記著))"
    r"(?:掉)?"
)
_TAIL_ZH = (
    r"(?P<tail>(?:吧|掉|一下|好吗|好嗎|好不好|行吗|行嗎|行不行|可以吗|可以嗎|可不可以|谢谢你?"
    r"|謝謝你?|多谢|吗|嗎|呗|啊|哦|[，,、\s])*)[。！!？?\s]*"
)
_OBJECT_ZH = r"(?:我|你记|你記|关于|關於|有关|有關|所有|一切|那|这|這|跟我|和我|俺|咱)"
_OUT_OF_ZH = (
    r"(?:从|從)(?:(?:你|您)的?)?(?:记忆|記憶|脑海|腦海|脑子|腦子|大脑|大腦|记录|記錄)(?:里面?|裡面?|中|当中)?"
)
_REQUEST_ZH = re.compile(
    rf"{_OPENING_ZH}{_LEAD_ZH}(?:(?:把|将|將)(?P<before>.*?(?:我|关于|關於|有关).*?)(?:都|全都"
    rf"|全部|给|給|彻底|徹底|从.{{0,6}}(?:里|中))*{_VERB_ZH}"
    rf"|(?:把|将|將)(?P<wiped>[^，,。！？]+?)(?:都|全都|全部|给|給|彻底|徹底)*{_OUT_OF_ZH}(?:都|全部|给|給|彻底|徹底|完全)*"
    rf"{_VERB_ZH}|{_OUT_OF_ZH}(?:都|全部|彻底|徹底|完全)*(?:(?:把|将|將)(?P<taken>[^，,。！？]+?){_VERB_ZH}"
    rf"|{_VERB_ZH}(?P<out>[^，,。！？]+?))"
    rf"|(?P<verb>{_VERB_ZH})(?P<what>{_OBJECT_ZH}.*?)){_TAIL_ZH}"
)
_BARE_ZH = re.compile(
    rf"{_OPENING_ZH}{_LEAD_ZH}(?:(?:把|将|將)(?P<before>[^，,。！？]{{2,12}}?)(?:都|全都|全部|给|給|彻底|徹底)*"
    rf"(?P<verb>{_VERB_ZH})|(?P<first>{_VERB_ZH})(?P<what>[^了，,。！？]{{2,12}}?))了?{_TAIL_ZH}"
)
_KEEP_NO_MORE_ZH = re.compile(
    r"我(?:不想|不要|不希望|不愿意?)(?:再)?(?:让|讓)?(?:你|您)(?:再|继续)?(?:记得|記得|记住|記住|记着)"
    r"(?P<what>我[^，,。！？]*?)(?:了)?[。！!\s]*"
)
_SECOND_ZH = re.compile(r"[，,。；;！!？?].*[\u4e00-\u9fff]")
_NO_MEMORY_ZH = re.compile(
    r"^(?:那个|这个|那|这|那件事|这件事|所有|一切)?$|文件|文档|代码|程序|表格|邮件|短信|账号"
    r"|帐号|账户|段落|这一?[行段句]|这个字|指令|规则|从我的?(?:记忆|脑)|你的名字|你的身份|怎么办|怎麼辦"
)
_ALL_OF_ME_ZH = re.compile(
    r"(?:关于|關於|有关)?我(?:的)?(?:一切|所有(?:的)?(?:事情?|信息|资料|記憶|记忆)?|全部)?"
    r"|(?:所有|一切)?(?:关于|關於|有关)我的?"
    r"(?:一切|所有(?:的)?(?:事情?|信息|记忆|内容)?|全部|事情?|信息|记忆)?|我(?:告诉|告訴"
    r"|跟)(?:过|過)?你(?:说过)?的?(?:一切|所有.*|全部)"
)


def requested(text: str) -> str | None:
    """What a message asks to forget, when it asks for nothing else; None for any other message.

    EVERYTHING when it is all that is known of a person.
    """
    plain = text.strip()
    if len(plain) > LONGEST or "\n\n" in plain or _NEGATED.search(plain.replace("’", "'")):
        return None
    if re.search("[\u4e00-\u9fff]", plain):
        return _chinese(plain)
    return _english(" ".join(plain.replace("’", "'").split()))


def named(text: str) -> str | None:
    """What a message asks to forget by its bare name ("forget Lumen", 把阿黄忘掉); None for any other message.

    "Forget Paris" may as well mean never mind: it is a request only where memory knows what is named.
    """
    plain = text.strip()
    if len(plain) > LONGEST or "\n\n" in plain or _NEGATED.search(plain.replace("’", "'")):
        return None
    if re.search("[\u4e00-\u9fff]", plain):
        return _named_in_chinese(plain)
    found = _BARE.fullmatch(_without_ending(" ".join(plain.replace("’", "'").split())))
    return found["what"] if found and asked(found["what"]).words else None


def is_everything(what: str) -> bool:
    """Whether the words mean all that is known of the person who says them."""
    said = what.strip(" .!?。！？")
    whole = _ALL_OF_ME_ZH if re.search("[\u4e00-\u9fff]", said) else _ALL_OF_ME
    return said == EVERYTHING or (whole.fullmatch(said) is not None and said != "我")


def _english(text: str) -> str | None:
    question = text.rstrip().endswith("?")
    plain = _without_ending(text)
    ending = _END.fullmatch(plain)
    if ending and (ending["memory"] or _ALL_OF_ME.fullmatch((ending["forget"] or ending["erase"]).strip())):
        return None if question and _asks_whether(text) else EVERYTHING
    for form in (_FORGET_IT, _ERASE_IT, _KEEP_NO_MORE, _PASSIVE, _RATHER_NOT, _GONE, _NOT_A_WORD_OF):
        found = form.fullmatch(plain)
        if found is None or (form is _KEEP_NO_MORE and not _ends_keeping(found)):
            continue
        groups = found.groupdict()
        what = next(groups[name] for name in ("what", "told", "behind", "of") if groups.get(name)).strip()
        conditional = question and re.search(r"\b(?:if|whether) i\b", what, re.I)
        if conditional or _SECOND.search(what) or _NO_MEMORY.search(what):
            return None
        return what if asked(what).words else None
    return None


def _without_ending(text: str) -> str:
    """Without thanks, politeness and a reason at the end."""
    plain = text.rstrip(" .!?")
    while (found := _AFTER.search(plain)) is not None and found.start() > 0:
        plain = plain[: found.start()].rstrip(" .!?,")
    return plain


def _asks_whether(text: str) -> bool:
    """ "Will you forget me?" wonders; "could you forget me, please?" asks."""
    return re.match(r"(?:will|would|won'?t) you (?!please)", text, re.I) is not None


def _ends_keeping(found: re.Match[str]) -> bool:
    """ "Don't remember X" ends it; "don't keep X" is about memory only when it says so."""
    return found["more"] is not None or "remember" in found.group().lower()


def _chinese(text: str) -> str | None:
    wished = _KEEP_NO_MORE_ZH.fullmatch(text)
    if wished:
        return wished["what"] if asked(wished["what"]).words else None
    found = _REQUEST_ZH.fullmatch(text)
    if found is None:
        return None
    if _wonders(found):
        return None
    bare = found["lead"] in ("你", "您", "得") and found["verb"] in ("忘了", "忘记", "忘記")
    named = (found[name] for name in ("before", "wiped", "taken", "out", "what"))
    what = next(text for text in named if text).strip("，,。 的")
    if bare or _SECOND_ZH.search(what) or _NO_MEMORY_ZH.search(what):
        return None
    if _ALL_OF_ME_ZH.fullmatch(what):
        return EVERYTHING if what != "我" else None
    return what if asked(what).words else None


def _wonders(found: re.Match[str]) -> bool:
    """ "忘了我的名字吗？" wonders whether it was forgotten."""
    asks = any(word in found["tail"] for word in "吗嗎") and not found["lead"].strip("你您")
    return asks and not any(word in found["tail"] for word in "好可行")


def _named_in_chinese(text: str) -> str | None:
    found = _BARE_ZH.fullmatch(text)
    if found is None or _wonders(found) or found["lead"] in ("你", "您", "得"):
        return None
    happened = (found["verb"] or found["first"])[:2] in ("忘了", "忘记", "忘記")
    if happened and not found["lead"] and "吧" not in found["tail"]:
        return None  # "忘了钥匙" tells of it
    what = (found["before"] or found["what"]).strip("，, 的")
    said = asked(what).words
    return what if said and max(map(len, said)) > 1 and not _NO_MEMORY_ZH.search(what) else None
