"""What is over with somebody: 我和小美分手了, 旺财去世了."""

import re

from .chinese_frames import WHEN
from .chinese_words import KIN, PETS
from .reading import Found

_PARTNERS = "妻子|老婆|太太|媳妇|爱人|丈夫|老公|女朋友|女友|男朋友|男友|未婚妻|未婚夫"
_NAME = r"[\u4e00-\u9fff]{2,3}?|[A-Z][a-z]+"
_WHOM = rf"(?:我?的?(?P<noun>{_PARTNERS}))?(?P<name>{_NAME})?"
_THEN = rf"(?:{WHEN}|已经|终于|最近|刚刚?|前几天|不久前|突然|因病|正式|不幸)*"
_PARTED = re.compile(rf"^{_THEN}我?{_THEN}[和跟与同]{_WHOM}{_THEN}(?:分手|分开)了$")
_LEFT = re.compile(rf"^{_THEN}{_WHOM}{_THEN}(?:[和跟与]我{_THEN}(?:提出?)?分手|把我甩)了$")
_DIVORCED = re.compile(
    rf"^{_THEN}(?:我们(?:俩|两个)?|我?{_THEN}[和跟与](?:{_PARTNERS}|{_NAME})){_THEN}(?P<v>离婚)了$"
)
_OURS = "|".join(sorted([*KIN, *PETS], key=len, reverse=True))
_DIED = re.compile(
    rf"^{_THEN}(?:我们?(?:家)?的?)?(?P<ours>{_OURS})?(?P<name>{_NAME})?{_THEN}(?P<v>去世|过世|离世|病逝|离开人世|死)了$"
)
_NO_NAME = re.compile(r"[他她它谁你我您这那哪人们]|大家")


def over(text: str) -> list[Found]:
    """Who a clause says the user has separated from, or who has died."""
    divorced = _DIVORCED.match(text)
    if divorced:
        return [Found("marital_status", *divorced.span("v"))]
    parted = _PARTED.match(text) or _LEFT.match(text)
    if parted:
        group = "name" if parted["name"] else "noun"
        return [Found("separated_from", *parted.span(group))] if _is_somebody(parted, "noun") else []
    died = _DIED.match(text)
    if died is None or not _is_somebody(died, "ours") or (died["v"] == "死" and not died["ours"]):
        return []
    noun = KIN.get(died["ours"]) or PETS.get(died["ours"])
    named = [_named(noun, *died.span("name"))] if noun and died["name"] else []
    return [*named, Found("death", *died.span("v"), subject=f"user's {noun}" if noun else died["name"])]


def _is_somebody(match: re.Match[str], group: str) -> bool:
    if match["name"]:
        return _NO_NAME.search(match["name"]) is None
    return bool(match[group])


def _named(noun: str, start: int, end: int) -> Found:
    """A person's name is the value of the relation; an animal's is its own name."""
    if noun in PETS.values():
        return Found("name", start, end, subject=f"user's {noun}")
    return Found(noun, start, end)
