"""Plain requests to forget, in English. Pure."""

import re

from ...stores.erasure.asking import asked
from .everything import EVERYTHING

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
ALL_OF_ME = re.compile(
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
"""All that is known of the person who says it."""


def requested(text: str) -> str | None:
    """What a message asks to forget; EVERYTHING when it is all that is known of a person."""
    question = text.rstrip().endswith("?")
    plain = _without_ending(text)
    ending = _END.fullmatch(plain)
    if ending and (ending["memory"] or ALL_OF_ME.fullmatch((ending["forget"] or ending["erase"]).strip())):
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


def named(text: str) -> str | None:
    """What a message asks to forget by its bare name."""
    found = _BARE.fullmatch(_without_ending(text))
    return found["what"] if found and asked(found["what"]).words else None


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
