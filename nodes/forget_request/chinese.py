"""Plain requests to forget, in Chinese. Pure."""

import re

from ...stores.erasure.asking import asked
from .everything import EVERYTHING

_OPENING = r"(?:(?:你好|您好|嗨|那|嗯|好的?|哦|对了|對了|抱歉|[A-Za-z]+|露娜)[，,！!、\s]*)?"
_LEAD = (
    r"(?P<lead>(?:请|請|麻烦|麻煩|拜托|拜託|劳驾)?(?:你|您)?(?:帮我|幫我|帮忙|幫忙|给我|給我)?"
    r"(?:(?:是否)?可不可以|能不能|能否|可否|是否可以|可以|能|应该|應該|必须|必須|得|最好)?"
    r"|(?:我|俺)(?:想|要|希望|想要|想让|想請|想请|需要|要求|请|請|让|讓|请求|請求)+(?:你|您)(?:能|可以)?)"
    r"(?:请你|請你|请|請|帮我|幫我|赶紧|趕緊|马上|馬上|彻底|徹底|完全|都)*"
)
_VERB = (
    r"(?:忘掉|忘记|忘記|忘却|忘了|删除|刪除|删掉|刪掉|删去|抹掉|抹去|抹除|清除|清掉|擦掉|擦除|去掉|移除"
    r"|(?:不要|别|別)(?:再|继续|繼續)?(?:记得|記得|记住|記住|记着|記著))"
    r"(?:掉)?"
)
_TAIL = (
    r"(?P<tail>(?:吧|掉|一下|好吗|好嗎|好不好|行吗|行嗎|行不行|可以吗|可以嗎|可不可以|谢谢你?"
    r"|謝謝你?|多谢|吗|嗎|呗|啊|哦|[，,、\s])*)[。！!？?\s]*"
)
_OBJECT = r"(?:我|你记|你記|关于|關於|有关|有關|所有|一切|那|这|這|跟我|和我|俺|咱)"
_OUT_OF = (
    r"(?:从|從)(?:(?:你|您)的?)?(?:记忆|記憶|脑海|腦海|脑子|腦子|大脑|大腦|记录|記錄)(?:里面?|裡面?|中|当中)?"
)
_REQUEST = re.compile(
    rf"{_OPENING}{_LEAD}(?:(?:把|将|將)(?P<before>.*?(?:我|关于|關於|有关).*?)(?:都|全都"
    rf"|全部|给|給|彻底|徹底|从.{{0,6}}(?:里|中))*{_VERB}"
    rf"|(?:把|将|將)(?P<wiped>[^，,。！？]+?)(?:都|全都|全部|给|給|彻底|徹底)*{_OUT_OF}(?:都|全部|给|給|彻底|徹底|完全)*"
    rf"{_VERB}|{_OUT_OF}(?:都|全部|彻底|徹底|完全)*(?:(?:把|将|將)(?P<taken>[^，,。！？]+?){_VERB}"
    rf"|{_VERB}(?P<out>[^，,。！？]+?))"
    rf"|(?P<verb>{_VERB})(?P<what>{_OBJECT}.*?)){_TAIL}"
)
_BARE = re.compile(
    rf"{_OPENING}{_LEAD}(?:(?:把|将|將)(?P<before>[^，,。！？]{{2,12}}?)(?:都|全都|全部|给|給|彻底|徹底)*"
    rf"(?P<verb>{_VERB})|(?P<first>{_VERB})(?P<what>[^了，,。！？]{{2,12}}?))了?{_TAIL}"
)
_KEEP_NO_MORE = re.compile(
    r"我(?:不想|不要|不希望|不愿意?)(?:再)?(?:让|讓)?(?:你|您)(?:再|继续)?(?:记得|記得|记住|記住|记着)"
    r"(?P<what>我[^，,。！？]*?)(?:了)?[。！!\s]*"
)
_SECOND = re.compile(r"[，,。；;！!？?].*[\u4e00-\u9fff]")
_NO_MEMORY = re.compile(
    r"^(?:那个|这个|那|这|那件事|这件事|所有|一切)?$|文件|文档|代码|程序|表格|邮件|短信|账号"
    r"|帐号|账户|段落|这一?[行段句]|这个字|指令|规则|从我的?(?:记忆|脑)|你的名字|你的身份|怎么办|怎麼辦"
)
ALL_OF_ME = re.compile(
    r"(?:关于|關於|有关)?我(?:的)?(?:一切|所有(?:的)?(?:事情?|信息|资料|記憶|记忆)?|全部)?"
    r"|(?:所有|一切)?(?:关于|關於|有关)我的?"
    r"(?:一切|所有(?:的)?(?:事情?|信息|记忆|内容)?|全部|事情?|信息|记忆)?|我(?:告诉|告訴"
    r"|跟)(?:过|過)?你(?:说过)?的?(?:一切|所有.*|全部)"
)
"""All that is known of the person who says it."""


def requested(text: str) -> str | None:
    """What a message asks to forget; EVERYTHING when it is all that is known of a person."""
    wished = _KEEP_NO_MORE.fullmatch(text)
    if wished:
        return wished["what"] if asked(wished["what"]).words else None
    found = _REQUEST.fullmatch(text)
    if found is None:
        return None
    if _wonders(found):
        return None
    bare = found["lead"] in ("你", "您", "得") and found["verb"] in ("忘了", "忘记", "忘記")
    places = (found[name] for name in ("before", "wiped", "taken", "out", "what"))
    what = next(text for text in places if text).strip("，,。 的")
    if bare or _SECOND.search(what) or _NO_MEMORY.search(what):
        return None
    if ALL_OF_ME.fullmatch(what):
        return EVERYTHING if what != "我" else None
    return what if asked(what).words else None


def named(text: str) -> str | None:
    """What a message asks to forget by its bare name."""
    found = _BARE.fullmatch(text)
    if found is None or _wonders(found) or found["lead"] in ("你", "您", "得"):
        return None
    happened = (found["verb"] or found["first"])[:2] in ("忘了", "忘记", "忘記")
    if happened and not found["lead"] and "吧" not in found["tail"]:
        return None  # "忘了钥匙" tells of it
    what = (found["before"] or found["what"]).strip("，, 的")
    said = asked(what).words
    return what if said and max(map(len, said)) > 1 and not _NO_MEMORY.search(what) else None


def _wonders(found: re.Match[str]) -> bool:
    """ "忘了我的名字吗？" wonders whether it was forgotten."""
    asks = any(word in found["tail"] for word in "吗嗎") and not found["lead"].strip("你您")
    return asks and not any(word in found["tail"] for word in "好可行")
