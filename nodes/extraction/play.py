"""What a session says in play, supposes, or pastes in, over several messages: none of it is said of oneself. Pure.

Read in order, message by message: something the user says begins it, and it goes on until it is over.

    a game, roles   "you're a pirate captain and I'm a baker", 角色扮演    until the user ends it, or a long pause
    a supposition   "suppose I'm 70", 假设我70岁                         for the next messages, or until "actually"
    a text          "here is the letter:", or the agent asks for one     the next message, or all parts announced

The message that begins it is read by itself as always (masks, doubts).
"""

import re
from collections.abc import Sequence
from datetime import timedelta

from ...stores.records import Message, Role
from .doubts import announces_oneself
from .masks import unquoted

PAUSE = timedelta(hours=12)
"""A game that rests for so long is over."""

SUPPOSED = 2
"""So many of the user's next messages may still speak under a supposition."""

LONG = 400
"""A message of so many characters, right after a pasted one, is its next part."""

_ROLE = (
    r"(?:an?|the|my|our|your) (?!(?:best|one|only|first|ai|assistant|bot|chat\w*|computer|machine|robot|program|model"
    r"|(?:\w+ )?(?:friend|genius|star|saint|legend|gem|angel|help|lifesaver)|great|good|real|true|big|huge|bit"
    r"|lot)\b)"
)
_GAME = re.compile(
    r"\b(?:let'?s|let us|can we|could we|shall we|should we|we (?:can|could)|(?:do )?you (?:want|wanna)(?: to)?"
    r"|i(?:'d| would) (?:like|love) (?:us |you )?to|i (?:want|wanna)(?: (?:us|you))?(?: to)?|how about we"
    r"|why don'?t we)"
    r"\s+(?:\w+\s+){0,2}?(?:role-?\s?play(?! games?)|pretend|act out|make[- ]believe|play (?:pretend|house"
    r"|a (?:scene|role)))\b"
    r"|(?:^|[.!?\n:]\s*)(?:(?:ok(?:ay)?|so|now|please|well|hey),? )*(?:pretend|role-?\s?play(?! games?)"
    r"|play (?:the role|along))\b"
    rf"|\byou(?:'re| are|'ll be| be| play| will be) {_ROLE}[^.!?\n]{{2,60}}?(?:\band\b|,|;|\bwhile\b)(?: and)? "
    rf"?i(?:'m| am|'ll be| will be| play|'ll play) {_ROLE}"
    rf"|\bi(?:'m| am|'ll be| will be| play|'ll play) {_ROLE}[^.!?\n]{{2,60}}?(?:\band\b|,|;|\bwhile\b)(?: and)? "
    rf"?you(?:'re| are|'ll be|'ll play| be| play| will be) {_ROLE}"
    r"|(?:来|一起|我们|咱们|想|玩|做)[^。！？\n]{0,6}(?:角色扮演|过家家|扮演游戏|情景剧|情景模拟|演(?:个|一)?(?:戏|场))"
    r"|(?:^|[。！？，,\n]\s*)(?:你|请|现在|我们)?(?:就|来|先)?(?:假装|扮演|装作)"
    r"|你(?:来|就)?(?:是|当|演|扮)(?!不是|谁|什么|怎|说|最|真|人工|机器|助手)[^。！？\n]{1,20}[，,；;、]\s*"
    r"我(?:来|就)?(?:是|当|演|扮)(?!说|真|不)"
    r"|我(?:来|就)?(?:当|演|扮)[^。！？\n]{1,20}[，,；;、]\s*你(?:来|就)?(?:是|当|演|扮)",
    re.I,
)
_GAME_OVER = re.compile(
    r"\b(?:(?:stop|end|quit|finish|pause|enough(?: of)?|done(?: with)?|no more)\s+(?:the |this |our |that |with |of )*"
    r"(?:games?|role-?\s?play(?:ing)?|pretend(?:ing)?|playing|scenes?|acting|story|fiction|make[- ]believe)"
    r"|(?:game|scene|role-?\s?play|play|pretending)(?: is|'s)? (?:over|ends?|ended|done|finished)"
    r"|(?:the )?end of (?:the |our )?(?:game|scene|role-?\s?play|play|story)"
    r"|let'?s (?:stop(?= *(?:[.,!?\n]|$|now|here *[.,!?\n]|playing|the|this))|end (?:it|this|the \w+))"
    r"|out of character|ooc|break(?:ing)? character|(?:in|for) real(?:ity| life)?|irl"
    r"|back to (?:reality|real life|being (?:me|myself))|i'?m (?:just )?(?:me|myself) again"
    r"|no longer (?:playing|pretending)"
    r"|seriously now|now seriously|jok(?:es|ing) aside|thanks for playing|that was fun)\b"
    r"|[不别]再?(?:玩|演|装)了|[玩演](?:够|完)了|(?:游戏|扮演|表演|演戏)就?(?:到此为止|到这|结束|完了|停)"
    r"|(?:结束|停止|退出|停下)(?:这个|这场|我们的)?(?:游戏|角色扮演|扮演|表演)|出戏|说正经|说真的|说实话"
    r"|回到现实|回归现实|现实(?:中|里|生活)|言归正传|不开玩笑|做回我?自己",
    re.I,
)
_SUPPOSITION = re.compile(
    r"(?:^|[.!?\n]\s*)(?:(?:ok(?:ay)?|so|now|but|well|and),? )*(?:suppose|supposing|imagine|assume|assuming"
    r"|hypothetically"
    r"|let'?s (?:say|assume|imagine|suppose)|say)"
    r" (?:for \w+(?: \w+){0,2},? )?(?:that )?(?:i|we|you|someone|somebody|an?)\b"
    r"|\bhypothetical(?:ly)?\b|\bthought experiment\b"
    r"|(?:^|[。！？，,\n]\s*)(?:那)?(?:假设|假如|假定|设想|想象|假若)(?!检验)",
    re.I,
)
_REAL = re.compile(
    r"\b(?:actually|in fact|in reality|really|by the way|btw|anyway|for real|in truth|as for me|about me|personally"
    r"|(?:thanks|thank you|thx)[,.! ])|其实|实际上|事实上|顺便|对了|说真的|话说回来|谢谢|我本人|真实",
    re.I,
)
_TEXT = (
    r"(?:text|letter|cover letter|e-?mail|mail|message|article|story|chapter|excerpt|review|transcript|log|poem|lyrics"
    r"|song|code|document|draft|essay|post|bio|profile|cv|resume|résumé|note|speech|script|paragraph|statement|report"
    r"|contract|interview|diary|quote|passage)s?"
)
_ANNOUNCED = re.compile(
    rf"\b(?:here(?:'s| is| are| comes?)|below is|i'?ll (?:now )?(?:paste|send|share|copy)"
    r"|let me (?:paste|send|share|copy)"
    rf"|i(?:'m| am) (?:pasting|going to paste|sending)|pasting)\b[^.!?\n]{{0,80}}\b{_TEXT}\b"
    r"|\bhere (?:it is|they are|you go|goes)\b|\bpast(?:e|ing) (?:it|them|this) (?:below|next|in the next|now)\b"
    r"|(?:这是|下面是|以下是|我(?:来|把|先)?(?:贴|发|粘贴|转发))[^。！？\n]{0,30}"
    r"(?:信|文章|邮件|短信|消息|小说|章节|片段|评论|稿|诗|歌词|简历|作文|日记|报告|合同|原文|段落|文本|聊天记录)",
    re.I,
)
_SOMEBODYS = re.compile(
    r"(?:他|她|朋友|同学|同事|老板|客户|房东|妈妈?|爸爸?|老师|网友|男友|女友|邻居|室友)[^。！？，,\n]{0,8}(?:发|写|说|回|的)"
    r"|\b(?:he|she|they|friend|colleague|boss|customer|landlord|neighbou?r|teacher|roommate|sister|brother|mother"
    r"|father|mum|mom|dad|wife|husband|partner)\b[^.!?\n]{0,30}\b(?:wrote|sent|texted|says?|said|replied|posted)\b",
    re.I,
)
_ASKS_FOR_TEXT = re.compile(
    rf"\bpaste\b|\b(?:send|share|show)(?: me| us)? (?:the|that|this|your) {_TEXT}\b"
    r"|贴(?:出来|上来|过来|一下|给我)|(?:发|粘贴)(?:过来|出来|上来|给我看)",
    re.I,
)
_IN_PARTS = re.compile(
    r"\b(?:in (?:\w+ )?(?:parts|pieces|chunks|messages)|(?:several|multiple|two|three|four|a few) (?:parts|messages)"
    r"|part (?:1|one)\b|tell you when|let you know when|until i say)|分(?:成)?[几多两三四]?(?:次|段|条|部分)|好几条",
    re.I,
)
_TEXT_OVER = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|so),? )?(?:that'?s (?:it|all|the (?:end|whole|last))|the end|end of|done\b"
    r"|that was (?:it|the|all)"
    r"|so what do you|what do you (?:think|make))|^\W*(?:就这些|完了|以上|贴完|发完|没了|到此)",
    re.I,
)


def played(session: Sequence[Message]) -> dict[str, int]:
    """For each message, of either side, how many characters from its beginning are played, supposed or pasted.

    `session` is one session in order, from its beginning or as far back as is known. Messages that are meant as
    said are left out.
    """
    reader, hidden = _Reader(), {}
    for message in session:
        length = reader.hidden(message)
        if length:
            hidden[message.id] = length
    return hidden


def passed_over(session: Sequence[Message]) -> int:
    """How many of the user's messages in a session are not meant from their first word to their last."""
    hidden = played(session)
    return sum(hidden.get(m.id, 0) >= len(m.content) > 0 for m in session if m.role is Role.USER)


def ends_play(text: str) -> bool:
    """Whether words may end a game, so that what follows them is meant again."""
    return _GAME_OVER.search(text) is not None


class _Reader:
    """Reads a session in order; knows what goes on."""

    def __init__(self) -> None:
        self._game = False
        self._supposed = 0
        self._text = ""
        """What may follow: "next" one message, "more" long ones only, "parts" all until it is said to be over."""
        self._before: Message | None = None

    def hidden(self, message: Message) -> int:
        before, self._before = self._before, message
        if before is not None and message.at - before.at > PAUSE:
            self._game, self._supposed, self._text = False, 0, ""
        if message.role is not Role.USER:
            return len(message.content) if self._game else 0
        return self._of_user(message.content, before)

    def _of_user(self, content: str, before: Message | None) -> int:
        text = unquoted(content)
        if self._pasted(text, before):
            return len(content)
        over = _last(_GAME_OVER, text) if self._game else None
        begins = _last(_GAME, text)
        if over is not None:
            self._game = begins is not None and begins[0] > over[1]
            return over[1]
        if begins is not None:
            was, self._game = self._game, True
            return len(content) if was else 0
        if self._game:
            return len(content)
        return self._under_supposition(content, text)

    def _pasted(self, text: str, before: Message | None) -> bool:
        """Whether the message is pasted; notes what it announces."""
        asked = (
            before is not None
            and before.role is Role.ASSISTANT
            and _ASKS_FOR_TEXT.search(before.content) is not None
        )
        awaited = self._text in ("next", "parts") or asked or (self._text == "more" and len(text) >= LONG)
        if _TEXT_OVER.search(text):
            awaited, self._text = False, ""
        if awaited and not (asked and announces(text)):
            if self._text != "parts":
                self._text = "more"
            return True
        self._text = ""
        if announces(text):
            self._text = "parts" if _IN_PARTS.search(text) else "next"
        return False

    def _under_supposition(self, content: str, text: str) -> int:
        if _SUPPOSITION.search(text):
            self._supposed = SUPPOSED
            return 0
        if self._supposed and _REAL.search(text) is None:
            self._supposed -= 1
            return len(content)
        self._supposed = 0
        return 0


def announces(text: str) -> bool:
    """Whether a message ends by announcing a text that is not the user's own words about themselves."""
    ending = text.rstrip(" \n\t👇⬇️")
    last = re.split(r"[.!?。！？\n]", ending.rstrip(".!?。！？"))[-1]
    if _ANNOUNCED.search(last) or (_ANNOUNCED.search(text) and _IN_PARTS.search(text)):
        return True
    if not ending.endswith((":", "：")):
        return False
    return _SOMEBODYS.search(last) is not None or not announces_oneself(last.rstrip(":："))


def _last(pattern: re.Pattern[str], text: str) -> tuple[int, int] | None:
    found = [match.span() for match in pattern.finditer(text)]
    return found[-1] if found else None
