"""Read a Chinese predicate against the frames: the first pattern that fits is taken."""

import re

from .chinese_checks import PLACE, company, pet_name, wanted
from .chinese_frames import (
    ADVERB,
    COUNT,
    NAME,
    RULES,
    TAIL,
    Hit,
    Rule,
    pieces,
)
from .chinese_words import COUNTRIES, JOBS, PETS

_PET = re.compile(
    rf"^{ADVERB}(?P<no>没|不)?(?:有|养了?|养着|领养了)(?P<v>(?P<n>{COUNT})?"
    rf"(?!不|喜|爱|想|要|点|事|过|怕|什)[\u4e00-\u9fff]{{0,4}}?"
    rf"(?P<kind>{'|'.join(sorted(PETS, key=len, reverse=True))}))"
    rf"(?:[，, ]?(?:名叫|名字叫做?|名字是|叫做?)\s*(?P<name>{NAME}))?[了啊呀哦吧啦]*$"
)
_AT_WORK = re.compile(
    rf"^{ADVERB}在(?P<v>[^在]+?)(?:当|做|担任)(?:一?[名个位])?(?P<w>[\u4e00-\u9fff]{{0,6}}?(?:{JOBS}))了?$"
)
_AT_SCHOOL = re.compile(
    rf"^{ADVERB}在(?P<v>[^在]+?(?:大学|学院|大|中学))(?:学习?|读|念|主修)(?P<w>(?!读"
    rf"|博士|硕士|研究|书|本科)[\u4e00-\u9fff]{{2,8}}?)(?:专业)?$"
)


def hits(text: str) -> list[Hit]:
    """What a predicate states; the first pattern that fits is taken."""
    pet = _PET.match(text)
    if pet and (pet["no"] != "不" or text.startswith("不养")):
        return _pet(pet)
    for pattern, first, second in ((_AT_WORK, "works_at", "job"), (_AT_SCHOOL, "studies_at", "studies")):
        match = pattern.match(text)
        if match and company(match["v"]):
            where = _where(first, match["v"])
            return [Hit(where, *match.span("v")), Hit(second, *match.span("w"))]
    for rule in RULES:
        match = rule.pattern.match(text)
        if match:
            found = _of_rule(rule, match, text)
            if found:
                return found
    return []


def _where(attribute: str, value: str) -> str:
    """Working "in" a town is not working "at" a company."""
    return "works_in" if attribute == "works_at" and PLACE.fullmatch(value) else attribute


def _pet(match: re.Match[str]) -> list[Hit]:
    start, end = match.span("v")
    kept = match.start("v") + len(match["n"] or "") if (match["n"] or "").startswith("一") else start
    found = [Hit("has_pet", kept, end, polarity=not match["no"])]
    if match["name"] and pet_name(match["name"]):
        found.append(Hit("name", *match.span("name"), of=PETS[match["kind"]]))
    return found


def _of_rule(rule: Rule, match: re.Match[str], text: str) -> list[Hit]:
    groups = match.groupdict()
    group = next(name for name in ("v", "w", "x", "y") if groups.get(name))
    start, end = match.span(group)
    no = groups.get("no") or ""
    denied = bool(no or groups.get("hate") or groups.get("gone"))
    if no and groups.get("hate"):
        return []
    leaves = rule.attribute in ("lives_in", "works_at", "studies_at", "member_of", "plays", "uses", "from")
    gone = bool(groups.get("gone")) or "辞职" in text or "离职" in text
    over = gone or (denied and leaves and (text.endswith("了") or "不再" in no or "再" in no))
    spans = (
        list(pieces(text, start, end))
        if rule.lists
        else [(start, start + len(TAIL.sub("", text[start:end])))]
    )
    found = []
    for left, right in spans:
        value = text[left:right].lstrip()
        left = right - len(value)
        if not value or not rule.good(value) or not wanted(text, left, right):
            break
        attribute = (
            "nationality"
            if rule.attribute == "from" and value in COUNTRIES and text[right : right + 1] == "人"
            else rule.attribute
        )
        found.append(Hit(_where(attribute, value), left, right, polarity=not (denied or over), ends=over))
    return found
