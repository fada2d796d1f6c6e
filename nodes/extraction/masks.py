"""Hide what is not the user's own present statement: quotes, code, pastes, fiction, jokes, secrets.

Every function keeps the length of the text, so that offsets stay those of the message.
"""

import re

from .doubts import doubtless, is_exercise
from .reading import MASK

ANALYSED = 4000
"""Longest message read in full, in characters; of a longer one only a short first paragraph is read."""
PARAGRAPH = 1500
"""Longest paragraph taken for something the user says; longer ones are pastes."""

_SAME_LENGTH = str.maketrans("’‘＇“”＂", "'''\"\"\"")
_FENCED = re.compile(r"```.*?(?:```|\Z)|`[^`\n]{1,300}`", re.S)
_QUOTED = re.compile(
    r"\"[^\"\n]{1,600}\"|「[^」\n]{1,600}」|『[^』\n]{1,600}』|«[^»\n]{1,600}»"
    r"|(?<![^\s(:,，：])'(?=\S)[^'\n]{1,80}(?:'[a-z]{1,2}\b[^'\n]{0,120}){0,4}'(?![^\s.,!?;:)])"
)
_QUOTE_LINE = re.compile(r"^[ \t]*(?:>|\||#include|import |def |class |\$ |//|/\*|<[a-z/!]).*$", re.M | re.I)
_DIALOGUE_LINE = re.compile(r"^[ \t]*(?:[A-Z][\w .'-]{0,24}|\[?\d{1,2}:\d{2}\]?[^:\n]{0,24})[:：] .*$", re.M)
_PASTE = re.compile(
    r"^(?:(?:dear|subject|from|to|sent|re|fwd|regards|begin|abstract|chapter|transcript)\b[^\n]{0,80}[:,]"
    r"|-{3,}|={3,}|_{3,}|\*{3,})",
    re.I | re.M,
)
_TEXT_FOLLOWS = re.compile(
    r"\b(?:for (?:example|instance)|e\.g\.),? i\b|"
    r"\b(?:make|turn|convert|change|put|finish|continue|complete|explain|define|analy[sz]e|fix|polish"
    r"|improve|shorten|expand|format|type|read|repeat|spell|quote|cite|parse|label|tag|classify)\b"
    r"[^.:\n]{0,60}:|[写说问答念读唱](?:道|着)?[：:]|\byou(?:'re| are) [^.!?\n]{1,40}\band i(?:'m| am|'ll)|"
    r"\b(?:here(?:'s| is| are)|this is|below is|following|attached|pasted?"
    r"|the (?:text|email|letter|article|poem|lyrics"
    r"|review|story|paragraph|sentence|message|transcript|note)|translate"
    r"|translation|proofread|rewrite|rephrase"
    r"|paraphrase|summari[sz]e|tl;?dr|correct (?:my|this|the)|fix (?:my"
    r"|this|the)|check (?:my|this|the)|edit|improve"
    r"|grammar|quote|lyrics|he|she|they|who|wrote|says?|said|texted|replied"
    r"|e\.g|example|for instance|such as)"
    r"[^\n.!?:：]{0,60}[:：]"
    r"|\b(?:translate|proofread|rephrase|paraphrase|conjugate|diagram)\b"
    r"|\b(?:how (?:do|would|can|to) (?:you|i|we|one)? ?(?:say|spell|write|pronounce))\b"
    r"|(?:翻译|改写|润色|校对|(?<![把将])总结|概括|改一下|仿写|造句|例句|歌词|原文"
    r"|如下|翻譯|例如|比如说?|譬如|怎么说|怎么翻)",
    re.I,
)
_FICTION = re.compile(
    r"\b(?:pretend|imagine|suppos(?:e|ing)|role-?\s?play(?:ing)?(?!-?\s?(?:ing )?games?)"
    r"|make[- ]believe|hypothetically|in character"
    r"|let'?s (?:say|assume|imagine|pretend)|let us (?:say|assume)|say"
    r" (?:that )?i|what if|assum(?:e|ing)|act as|act like"
    r"|acting as|in first person|first[- ]person(?! shooter)|as if i|as though i|fictional"
    r"|in the voice of|speaking as"
    r"|for the sake of|my character|my persona|in (?:my|the|a"
    r"|this) (?:novel|story|game|dream|book|play|screenplay|script"
    r"|movie|film|campaign|rpg|d&d|song)|i dream(?:ed|t)|d&d|dnd|once"
    r" upon a time|narrator|protagonist|monologue"
    r"|test (?:data|input|user|case)|example (?:sentence|user|profile"
    r"|bio)|sample (?:bio|text|profile|email))\b"
    r"|\b(?:write|draft|compose|generate|create|continue|finish|tell|invent"
    r"|make up|give me|need|want|help me (?:write|with))\b"
    r"[^.!?\n]{0,60}\b(?:stor(?:y|ies)|poem|song|lyrics|novel|script|scene"
    r"|letter|e-?mail|essay|speech|monologue|dialog(?:ue)?"
    r"|diary|journal|bio|biography|cv|resume|résumé|ad|advert|post|tweet"
    r"|caption|review|sentence|limerick|haiku|rap|joke"
    r"|dating profile|profile|persona|character|backstory|message|reply"
    r"|text|toast|statement|blurb|script|introduction)\b"
    r"|(?:来玩|玩个|我们玩|我演|你演|假装|假設|假设|假如|假定|想象|想像|扮演|角色|设想|第一人称|第一人稱"
    r"|小说|小說|故事|剧本|劇本|台词|虚构|编一|编个|编写"
    r"|作文|写一?(?:[封篇首段个份条]|下)|写个|寫一?[封篇首段個份條]|帮我写"
    r"|替我写|幫我寫|自我介绍稿|就当我|就當我|要是我|如果我|倘若|万一"
    r"|梦见|夢見|梦到"
    r"|夢到|做梦|演一|模仿|口吻|代入)",
    re.I,
)
_FICTION_OVER = re.compile(
    r"\n[ \t]*\n[^\n]{0,20}\b(?:out of character|ooc|anyway|real(?:ly)? me|about me)\b", re.I
)
_JOKE = re.compile(
    r"\b(?:just kidding|only kidding|i'?m kidding|im kidding|kidding|jk"
    r"|j/k|i kid|just joking|i'?m joking|only joking|joking"
    r"|just messing(?: with you)?|messing with you|pulling your leg|sarcas(?:m"
    r"|tic)|ironic(?:ally)?|april fools?"
    r"|yeah,? right|psych|in my dreams|just testing|i lied|i was lying|this is a test|gotcha)\b(?!-)"
    r"|(?:^|\s)/(?:s|j)\b|(?:\s|\.)not!|开玩笑|開玩笑|说笑|說笑|骗你|騙你"
    r"|逗你|讽刺|諷刺|反话|反話|才怪|瞎说|瞎編|瞎编|胡说|乱说",
    re.I,
)
_SECRET = re.compile(
    r"\b(?:pass(?:word|code|phrase|wd)s?|pwd|pin(?: ?code| number)?s?"
    r"|(?:door|gate|alarm|entry|access|security|safe|lock|verification"
    r"|unlock|garage|backup|recovery|login|wifi|wi-fi|locker|garden|vault)"
    r" (?:codes?|combination|keys?|password)|combination|api[ _-]?keys?"
    r"|secret(?: key)?s?|token|private key|seed phrase|credit card|debit"
    r" card|card (?:number|no)|cvv|cvc|iban|account number"
    r"|bank account|sort code|routing number|ssn|social security|passport(?:"
    r" number| no)?|credentials?|log-?in|2fa|otp"
    r"|(?:national|tax) (?:id|insurance)(?: number)?|licen[sc]e number)\b"
    r"|\b(?:sk|pk|ghp|xox[bp]|AKIA)[-_]?[A-Za-z0-9_-]{8,}|\b(?:\d[ -]?){12,19}\b|\beyJ[\w-]{10,}|-----BEGIN"
    r"|密码|密碼|口令|密钥|密鑰|验证码|驗證碼|银行卡|銀行卡|信用卡|卡号"
    r"|卡號|身份证|身份證|护照号|護照號|暗号|门禁|門禁|账号|帳號|社保号",
    re.I,
)


def is_joke(text: str) -> bool:
    """Whether the message says of itself that it is not meant."""
    return _JOKE.search(text) is not None


def has_secret(text: str) -> bool:
    """Whether the words name or look like a password, key, card or document number."""
    return _SECRET.search(text) is not None


def unquoted(text: str) -> str:
    """The text with code and quotations hidden, and straight quotation marks."""
    text = text.translate(_SAME_LENGTH)
    for pattern in (_FENCED, _QUOTED, _QUOTE_LINE):
        text = pattern.sub(_hidden, text)
    return text


def own_words(content: str) -> str:
    """The message with everything hidden that does not state something about the user now.

    The result is "" when nothing is left to read, else exactly as long as `content`.
    """
    text = _shortened(content)
    if is_joke(text):
        return ""
    text = unquoted(text)
    if is_exercise(text):
        return ""
    if len(_DIALOGUE_LINE.findall(text)) >= 2:
        text = _DIALOGUE_LINE.sub(_hidden, text)
    for pattern in (_FICTION, _TEXT_FOLLOWS, _PASTE):
        text = _cut_from(text, pattern)
    text = doubtless(text)
    return text + MASK * (len(content) - len(text))


def _shortened(content: str) -> str:
    """The part of a message short enough to be talk, not a document."""
    if len(content) > ANALYSED:
        first = content[:PARAGRAPH].split("\n", 1)[0]
        return first if len(first) < PARAGRAPH else ""
    if len(content) <= PARAGRAPH:
        return content
    kept = [part if len(part) <= PARAGRAPH else MASK * len(part) for part in content.split("\n")]
    return "\n".join(kept)


def _hidden(match: re.Match[str]) -> str:
    return MASK * len(match.group())


def _cut_from(text: str, cue: re.Pattern[str]) -> str:
    """Hide from the sentence holding the cue to the end of the message."""
    match = cue.search(text)
    if match is None:
        return text
    start = max(text.rfind(mark, 0, match.start()) for mark in (". ", "! ", "? ", "\n", "。", "！", "？")) + 1
    return text[:start] + MASK * (len(text) - start)
