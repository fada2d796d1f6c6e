"""Standing wishes about how the agent answers: "when I am travelling, keep answers short".

An instruction about who the agent is, what it may do, or its safety is none of these, and neither is one for this once.
"""

import re
from collections.abc import Iterator

from ....stores.records import Candidate, Kind
from ....stores.wishes import ALWAYS
from ...extraction.masks import has_secret
from ...extraction.values import FLEETING
from .sentences import Sentence
from .topics import content_words

_LEAD = (
    r"(?:(?:ok(?:ay)?|and|also|so|but|well|one more thing|by the way|btw|remember(?: to)?|oh)[,:]? )*"
    r"(?:please |pls )?"
)
_HOW = (
    r"(?:brief|concise|direct|honest|gentle|formal|casual|short|specific|careful|patient|blunt|critical|precise|quiet"
    r"|encouraging|quick|strict)"
)
_DO = (
    r"(?:(?:please |just |always |never |do not |don'?t |try to )*"
    r"(?:answer|reply|respond|keep|use|give|write|speak|talk|explain|avoid|skip|include|add|start|begin|"
    r"end|finish|show|send|remind|ask|format|list|summari[sz]e|stick to|leave out|limit|suggest|recommend|"
    r"cite|quote|mention|highlight|check|offer|tell|spell|round|put|propose|switch to|stop|wait|make it|"
    r"make your|address|greet|assume|convert|get to the point|hold|sign off|double-?check|"
    r"double check)\b(?! (?:her|him|them)\b)|(?:please |always |never )*be (?:\w+ )?"
    rf"{_HOW}\b)"
)
_HABITUAL = (
    r"(?:i(?: am|'m) (?!done|finished|ready|back|home\b)|i (?:ask|say|send|write|mention|need|want|feel|"
    r"talk|work|speak|cook|travel|paste|share|post|practi[sc]e|study|make (?:a )?mistake|get (?:stuck|"
    r"something wrong))|it(?:'s| is) |there(?:'s| is| are) |we (?:talk|discuss|speak|work|practi[sc]e|"
    r"chat)|you (?:answer|reply|explain|write|summari[sz]e|list|suggest|recommend|give|send|show|mention|"
    r"use|talk|quote|translate|correct|are not sure|don'?t know)|\w+ing\b|my )"
)
_WHEN_FIRST = re.compile(
    rf"^{_LEAD}(?:(?:whenever|every ?time|each time|any ?time) (?P<any>[^,:]{{2,80}}?)|(?:when|"
    rf"if (?=i(?:'m| am| ask| say| send| write)\b)) ?"
    rf"(?P<state>{_HABITUAL}[^,:]{{0,80}}?))(?:, ?| then )(?:then |just )?(?P<do>(?:{_DO}).{{0,120}})$",
    re.I,
)
_WHEN_SHORT = re.compile(
    rf"^{_LEAD}when(?:ever)? (?P<state>(?:i(?: am|'m) )?\w+ing),? (?P<do>(?:{_DO}).{{0,120}})$", re.I
)
_WHEN_LAST = re.compile(
    rf"^{_LEAD}(?P<do>(?:{_DO}).{{1,100}}?),? (?:(?:whenever|every ?time|each time|"
    rf"any ?time) (?P<any>.{{2,80}})|"
    rf"when (?P<state>{_HABITUAL}.{{0,80}}))$",
    re.I,
)
_STANDING = re.compile(
    rf"^{_LEAD}(?:(?:from now on|from here on|going forward|in (?:the )?future|from today on)(?:, ?|"
    rf" )(?:please |i(?:'d| would) like you to |i want you to |you (?:should|must|can) )?(?:can you |"
    rf"could you )?(?P<onward>(?:{_DO}).{{1,120}})"
    rf"|(?:(?:can|could|would|will) you (?:please )?|i want you to |i(?:'d| would) like you to |"
    rf"you should )?(?P<always>(?:always|never) (?:(?:{_DO}).{{1,120}}|be {_HOW}))"
    rf"|i (?:really |much |generally |usually )?(?:prefer|like) "
    rf"(?P<liked>(?:more )?(?:{_HOW}|long|detailed|simple)(?:er)? (?:answers|replies|responses|explanations))"
    rf"(?: (?:to|over|rather than) .{{2,60}})?"
    rf"|(?:i want you to |i(?:'d| would) like you to )?(?P<last>(?:{_DO}).{{1,100}}?),? (?:from now on|"
    rf"from here on|going forward|in (?:the )?future))$",
    re.I,
)
_NO_MORE = re.compile(
    rf"^{_LEAD}(?P<do>you (?:do not|don'?t|needn'?t|never) (?:(?:need|have) (?:to )?)?(?:remind|ask|tell|"
    rf"repeat|explain|mention|apologi[sz]e|"
    r"greet|warn|thank|summari[sz]e|add|check)\b.{1,80}? (?:all the time|every ?time|each time|any ?more|"
    r"constantly|again and again|always)"
    r"|stop (?:reminding|asking|telling|using|repeating|apologi[sz]ing|adding|explaining|mentioning|"
    r"greeting|warning|thanking)\b.{2,80})$",
    re.I,
)
_ABOUT_THE_AGENT = re.compile(
    r"\b(?:you are|you're|you were|pretend|act as|act like|role-?play|persona|character|your (?:name|"
    r"identity|values?|boundar\w+|rules?|limits?|guidelines?|instructions?|training|creators?|backstory|"
    r"core|filters?)|identity|ignore|disregard|override|bypass|unlock|forget|instructions?|system prompt|"
    r"system message|rules?|guidelines?|restrictions?|restricted|filters?|safety|safe|policy|policies|"
    r"jailbreak|uncensored|unfiltered|without limits|refus\w+|comply|obey|admit|deny|human|an ai|"
    r"language model|chatbot|password|secret\w*|agree with|obedient|dan mode|developer mode|warnings?|"
    r"disclaimers?|ethic\w*|moral\w*|illegal|harmful|lie|lies)\b"
    r"|你(?:是|就是|叫|的(?:名字|身份|规则|设定|限制|指令|价值观))|扮演|假装|忽略|无视|绕过|指令|规则|"
    r"身份|系统提示|限制|安全|服从|越狱|拒绝|承认|"
    r"人类|机器人|密码|道德|违法|警告|同意我|撒谎|骗",
    re.I,
)
_ONCE = re.compile(
    r"\b(?:this (?:time|once|one|task|question|answer|message|chat|conversation|report)|just (?:once|now)|"
    r"only (?:once|this)|for (?:now|once|this)|(?:when|once|whenever) you(?:'re| are)? (?:have|get|can|"
    r"ready|done|free|finished)|next time|until|in a (?:minute|moment|bit))\b"
    r"|这次|这回|这一次|今天|明天|暂时|先这样|下次|等一下|待会",
    re.I,
)
_DO_ZH = (
    r"(?:(?:请|你|都|就|要|只|尽量|直接|先|一律|一直|帮我)*(?:用|回答|回复|说|写|讲|给我|给出|列出?|简短|"
    r"简单|简洁|保持|避免|不要|别|不用|解释|提醒|举例|翻译|总结|加上|附上|控制|叫醒|称|问|纠正|推荐|分点|"
    r"详细|慢一?点|短一?点|直说|先给))"
)
_WHEN_ZH = re.compile(
    r"^(?:另外|还有|对了|，|,|\s)*(?:每次|每当|只要|凡是|当)(?P<cond>[^，,。]{2,18}?)(?:的?时候|时|，|"
    r",)[，,\s]*(?:都|就)*"
    rf"(?P<do>{_DO_ZH}[^，。]{{1,40}})$"
    r"|^(?P<cond2>我[^，,。]{1,14}?)的?时候?[，,]\s*"
    rf"(?P<do2>(?:请|你|都|麻烦){_DO_ZH}[^，。]{{1,40}}|(?:回答|回复|说话)[^，。]{{2,30}})$"
)
_STANDING_ZH = re.compile(
    r"^(?:另外|还有|对了|请?记[住得]|，|,|\s)*(?:以后|今后|从现在(?:开始|起)|从今以后|从今天起|往后|"
    r"将来)[，,]?\s*"
    rf"(?P<do>(?:请|麻烦)?{_DO_ZH}[^，。]{{1,40}})$"
    rf"|^(?P<do2>请?(?:总是|永远|始终|一直都?|每次都){_DO_ZH}[^，。]{{1,40}})$"
    r"|^(?P<do3>(?:你)?(?:不用|不必|别|不要)(?:每次都?|总是?|老是?|一直)(?:提醒|问|说|重复|解释|道歉|"
    r"提)[^，。]{1,30})$"
    r"|^我(?:更|比较|还是)?(?:喜欢|偏好|想要)(?P<do4>(?:简短|简洁|简单|详细|直接|具体)一?点?的(?:回答|回复|解释|答案))$"
)
_NOT_THEM_ZH = re.compile(r"^(?:请|都|就|要)*我(?!(?:说|问|发|写))")


def procedures(said: list[Sentence]) -> Iterator[Candidate]:
    """The standing wishes among a user's sentences."""
    for sentence in said:
        text = sentence.text.replace("’", "'")
        polite = re.match(r"(?:please )?(?:can|could|would|will) you\b", text, re.I)
        barred = (
            _ABOUT_THE_AGENT.search(text) or _ONCE.search(text) or FLEETING.search(text) or has_secret(text)
        )
        if barred or (sentence.asks and not polite):
            continue
        found = _chinese(sentence, text) if sentence.chinese else _english(sentence, text)
        if found is not None:
            yield found


def _english(sentence: Sentence, text: str) -> Candidate | None:
    match = _WHEN_SHORT.match(text) or _WHEN_FIRST.match(text) or _WHEN_LAST.match(text)
    if match is not None:
        group = "any" if match.groupdict().get("any") else "state"
        condition = sentence.said[match.start(group) : match.end(group)].strip()
        key = "_".join(content_words(condition)[:3]) or "_".join(re.findall(r"\w+", condition.lower())[:3])
        said = sentence.said[match.start("do") : match.end("do")].strip()
        return _wish(sentence, f"when_{key}", said, f"When {condition}: {said}.")
    match = _STANDING.match(text) or _NO_MORE.match(text)
    if match is None or re.match(r".*\bnever say never\b", text, re.I):
        return None
    group = next(name for name, words in match.groupdict().items() if words)
    said = sentence.said[match.start(group) : match.end(group)].strip()
    stated = f"Prefers {said}." if group == "liked" else f"{said[:1].upper()}{said[1:]}."
    return _wish(sentence, ALWAYS, said, stated)


def _chinese(sentence: Sentence, text: str) -> Candidate | None:
    match = _WHEN_ZH.match(text)
    if match is not None:
        condition, said = match["cond"] or match["cond2"], match["do"] or match["do2"]
        if _NOT_THEM_ZH.match(said):
            return None
        return _wish(sentence, f"when_{condition}", said, f"{condition}的时候，{said}。")
    match = _STANDING_ZH.match(text)
    said = next((words for words in match.groups() if words), "") if match else ""
    if not said or _NOT_THEM_ZH.match(said):
        return None
    return _wish(sentence, ALWAYS, said, f"{said}。")


def _wish(sentence: Sentence, attribute: str, value: str, statement: str) -> Candidate:
    return Candidate("user", attribute, value, statement, sentence.whole, kind=Kind.PROCEDURE)
