"""Hide what the message itself makes doubtful: games and exercises, labelled text, and what it takes back."""

import re

from .reading import MASK

_LANGUAGE = (
    "spanish|french|german|italian|chinese|mandarin|japanese|korean|dutch|portuguese|russian|english|latin"
)
_TEXT = (
    "sentences?|phrases?|wording|phrasing|grammar|spelling|writing|essay|paragraph|translation|homework|lyrics?"
    "|caption|poem|quote|dialogue|bio|profile|cv|resume|résumé|intro|speech|toast|story|letter|e-?mail|text"
    "|first line|line from|reviews?"
)
_EXERCISE = re.compile(  # the message is a riddle, a game or an exercise, wherever it says so
    r"\b(?:what am i|who am i|guess (?:who|what i|my|which|the)|two truths|riddles?|would you rather"
    r"|true or false|never have i ever|truth or dare|(?:20|twenty) questions|aita|fill in the|mad libs?"
    r"|tongue twister|dictation|past tense|what tense|plural of|passive voice|grammatical(?:ly)?|punctuat\w+"
    r"|spell ?check|which (?:one )?(?:is|sounds|sentence)\b[^.!?\n]{0,30}\b(?:right|correct|better|natural)"
    r"|(?:is|are|was) (?:this|that|it|my) [^.!?\n]{0,30}\b(?:correct|grammatical)"
    rf"|in (?:{_LANGUAGE}) *(?:[?？:]|please|pls|plz|mean)|who (?:sings?|sang|wrote|said) (?:this|that|it)"
    r"|name that (?:song|tune|film|movie)|difference between|sentence with|means? in|mean\?|knock[ ,-]+knock"
    r"|(?:you|u)(?:'re| are| be| play| r) the (?!best|only|one|first|real|most|greatest|man|bomb|assistant|ai\b)"
    r"|you (?:answer|reply|respond|say|play)\b|your turn|let me be|i'?ll (?:be|play) (?:the|a|you)\b"
    r"|(?:translate|rephrase|paraphrase|proofread|conjugate|reword|rewrite|fix|correct|check|rate|grade|roast|edit"
    rf"|repeat|pronounce|spell) (?:(?:all )?(?:this|that|it|these|above|the (?:{_TEXT})|my (?:{_TEXT})|what i)\b"
    r"|(?:in)?to\b|after\b)"
    r"|grammar\b|translation\b|in other words\? *$|and i quote|said (?:no ?one|nobody) ever"
    rf"|(?:here'?s|this is|rate) my (?:{_TEXT})\b|for (?:the|my) (?:app|profile|bio|essay|cv|resume|speech)\b"
    r"|(?:tinder|hinge|bumble|linkedin) (?:bio|profile)"
    rf"|(?:this|that|the|my|it'?s?|these|last|first|opening) (?:\w+ ){{0,2}}(?:{_TEXT})\b"
    r"|(?:opening|first|last) lines?\b|my character\b|of my (?:story|novel|book|song|poem)\b"
    r"|from (?:a|the|my|this) (?:book|novel|song|movie|film|show|story|play|poem|meme|script)\b|sike\b"
    r"|lol,? not\b|how does (?:that|this|it) sound|your name is|be my (?:girl|boy)friend|be my (?:wife|husband|date)"
    r"|(?:ok(?:ay)?|hey) google|alexa|hey siri|asking for a friend)|, sings [A-Z]|^ ?[A-Da-d]\)|\bbushi\b",
    re.I,
)
_EXERCISE_ZH = re.compile(
    r"[你您](?:来?[当演扮做]|是(?!不是)(?:我的)?(?:客|病|顾|老板|面试|店|服务|老师|医生|警))"
    r"|你是(?!不是|谁|一?个|最|真|怎|如何|什么|哪|否).*我是"
    r"|我是.*你是(?!不是|谁|一?个|最|真|怎|如何|什么|哪|否)"
    r"|练(?:习)?口语|对话练习|模拟(?!考|卷|题)|轮到你|怎么用.{0,6}(?:说|表达|翻)|用.{1,4}[语文](?:说|写|表达|翻)"
    r"|[（(](?:并不|不是|误|雾|大雾|做梦|bushi|假的)[）)]|翻译(?:一下|成[^，。]{1,6})?[。！!]?$"
    r"|测试(?:一下|测试|[:：，,])|打个?比方|这[句个段](?:话|子|句)|通顺|主角|台词|原著"
    r"|谜语|猜一?猜|猜谜|打一[字物成动人]|哪句|哪个对|病句|语法|造句|填空|听写|绕口令|成语接龙|真心话"
    r"|两真一假|狗头|滑稽"
    r"|(?:用)?(?:英语|英文|日语|日文|法语|法文|韩语|德语|西班牙语|粤语|文言文|中文)(?:怎么|咋|如何|该怎)"
)
_PLAYED = re.compile(  # from the sentence with it to the end
    r"\b(?:(?:my|our|the) (?:sims?|oc|npc|avatar|alter ego|alt(?: account)?|dnd|d&d|villager|wizard|guild)"
    r"|in-?game|in (?:the|this|my|our|a) (?:game|sims?|simulation|server|realm|dream|story|movie|film|book|scene"
    r"|play|sketch|exercise|example|skit|musical|video|vid|song|chapter|campaign|universe|timeline|photo|picture)"
    r"|in (?:skyrim|minecraft|zelda|wow|fortnite|animal crossing|stardew(?: valley)?|roblox|pokemon|pokémon"
    r"|elden ring|baldur'?s gate|the sims|gta|runescape|valorant|genshin|among us|chess|monopoly|catan|warcraft"
    r"|(?:another|a past|a previous) life|my (?:next|past|previous|other) life"
    r"|my (?:dreams?|head|imagination|mind))"
    r"|scenario|affirmations?|manifesting|mantras?|vision board|dream journal"
    r"|thought experiment|for the (?:demo|exercise|test|bit|game|role|scene)|mock (?:interview|call)"
    r"|(?:job )?interview practice|as an? (?:joke|example|exercise)|fake (?:name|profile|bio|id)|prompt"
    r"|(?:you|u)(?:'re| are| be|r)? (?:now )?(?:my|the|a) [^.!?\n]{1,30},? (?:and )?(?:i'?m|i am|i'?ll))\b"
    r"|(?:游戏|梦|剧|戏|副本|小说|电影|狼人杀|剧本杀|动漫|漫画|王者|吃鸡|原神|故事|歌|视频|短剧)(?:里|中)"
    r"|已知|题目|应用题|设我|假定|上辈子|下辈子|前世|来世|平行世界|另一个世界|角色|人设|剧情|肯定语|愿望清单",
    re.I,
)
_LABELLED = re.compile(r"(?P<label>[^:：\n.!?。！？]{0,60})(?:[:](?=[ \n]+[^\s)(])|：)")
_OPENING = re.compile(  # labels that announce words about oneself
    r"(?:\b(?:(?:about|from) (?:me|myself|us)|fyi|intro|introduction|background|context|note|remember|info"
    r"|information|update|btw|ps|p\.s|facts?|confession|question|correction|allerg\w+|diet|reason|short|news"
    r"|problem|thing|is|here|so|profile|edit|i|my|have|know|like|love|favou?rites?|also|mind|tldr|basics|situation"
    r"|details?|reminder|record|disclaimer|first|second|third|firstly|secondly|one|two|ideas|plans|advice|tips"
    r"|moved|relocated|switched jobs|changed jobs|goals?|kids|children|pets|siblings|languages)"
    r"|情况|介绍|信息|背景|补充|记住|注意|说|一下|资料|更正|坦白|记得|告诉你|知道|是|有|喜欢|爱好|备注|提醒"
    r"|消息|简历|前提|声明)[ ]*$",
    re.I,
)
_TAKEN_BACK = re.compile(
    r"\b(?:no,? wait|wait,? no|wait,? sorry|scratch that|strike that|correction(?!s)|sorry,? i mean\w*|i meant"
    r"|oops|whoops|my mistake|typo|no,? sorry|or rather|nvm|never ?mind|ignore (?:that|this|what)"
    r"|(?<!n.t )(?<!not )forget (?:(?:that|it)(?= *[.,!?\n]|$)|what i)"
    r"|that'?s (?:not true|a lie|wrong|not right|bs|what (?:he|she|they|my))|not really|as if|not true"
    r"|i made that up|all lies|(?:was|is) a lie|wrong (?:chat|window|person)"
    r"|(?:that|this) (?:was|is) (?:for|meant for) (?:someone|somebody)|autocorrect|i wish|in (?:my|your) dreams"
    r"|or so (?:they|he|she|i)|if only)\b"
    r"|\(not\)|[.!] +not[.!]*(?= |$)|[,.—–-] ?(?:er+|erm|uhh?)[, ]|—sorry|- sorry|, sorry,"
    r"|不对(?![劲付口称])|说错|口误|打错|写错|搞错|发错|哦不|噢不|更正|纠正|当我没说|不算数|想得美|做梦呢"
    r"|并没有|我编的|骗人的|不是真的|假的|收回|撤回|忽略",
    re.I,
)


def is_exercise(text: str) -> bool:
    """Whether the message is a game, a role to play or words to check, so that nothing in it is meant as said."""
    return _EXERCISE.search(text) is not None or _EXERCISE_ZH.search(text) is not None


def announces_oneself(label: str) -> bool:
    """Whether the words before a colon announce words about the user."""
    return _OPENING.search(label) is not None


def doubtless(text: str) -> str:
    """The text, of the same length, without what a game, a label or a correction makes doubtful."""
    text = _cut(text, _PLAYED.search(text))
    label = _foreign_label(text)
    if label is not None:
        text = text[: label.end()] + MASK * (len(text) - label.end())
    back = [match.start() for match in _TAKEN_BACK.finditer(text)]
    return MASK * back[-1] + text[back[-1] :] if back else text


def _cut(text: str, match: re.Match[str] | None) -> str:
    """Hide from the sentence that holds the match to the end."""
    if match is None:
        return text
    start = max(text.rfind(mark, 0, match.start()) for mark in (". ", "! ", "? ", "\n", "。", "！", "？")) + 1
    return text[:start] + MASK * (len(text) - start)


def _foreign_label(text: str) -> re.Match[str] | None:
    """The first "label: text" whose label does not announce words about the user."""
    for match in _LABELLED.finditer(text):
        if match["label"].strip() and not announces_oneself(match["label"]):
            return match
    return None
