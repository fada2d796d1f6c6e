"""Whether the characters after a Chinese verb can be its value: a place, an employer, a name, a food."""

import re

from . import chinese_things as things
from .chinese_words import GIVEN, PLACES, SURNAMES

POINTED = re.compile(
    r"^(?:你|您|死|这|那|他|她|它|我|被|自己|一个人|一下|其他|别的|上面"
    r"|下面|前者|后者|第[一二三]|跟|和|与|让|在(?!线)|用你|为|把|是|了"
    r"|过|不|没|得|的|上班$|到|去(?!爬|跑|健|旅|图))"
    r"|(?:回答|答案|建议|想法|说法|版本|回复|方案|风格|语气|总结|问题)$|[你您她]|(?<![吉其])他|(.)不\1|来不|^就[好行]"
)


def wanted(text: str, start: int, end: int) -> bool:
    """Whether text[start:end] is short and points at nothing outside it."""
    return 0 < end - start <= 24 and not POINTED.search(text[start:end])


_NOWHERE = re.compile(
    r"家里?$|宿舍|酒店|宾馆|旅馆|医院|一[个间栋套层]|这|那|朋友|租|楼"
    r"|附近|隔壁|学校|公司|里$|上$|一起|自己|过|乡下|农村|市区|郊区|同一"
)
_NO_COMPANY = re.compile(
    r"^(?:努力|认真|拼命|辛苦|好好|继续|全职|兼职|远程|独立|加班|等|家里?"
    r"|外面|一起|线上|网上|这里?|那里?|晚上|白天|周[一二三四五六日末]"
    r"|外地|国外|国内|办公室|图书馆里|咖啡馆里|你.*|室内|户外|上午|下午"
    r"|路上|哪.*)$|[我你他她]"
)
PLACE = re.compile(
    rf"(?:{PLACES})|.{{1,8}}(?<!超)(?<!城)(?<!都)(?<!夜)(?<!菜)(?<!小)(?<!社)(?:市|省|县|镇|村|区|州|岛)"
)


_KNOWN_PLACE = re.compile(
    rf"(?:{PLACES})|[\u4e00-\u9fff]{{1,8}}[市省县镇村区州岛乡]$|[A-Z][A-Za-z' -]{{2,24}}$"
)


def place(value: str) -> bool:
    """Whether one can live there: a place of the list, or one named as a town, county or district."""
    good = not _NOWHERE.search(value) and 2 <= len(value) <= 14 and not POINTED.search(value)
    return good and _KNOWN_PLACE.match(value) is not None


def home(value: str) -> bool:
    """Where one comes from: any short name."""
    return 2 <= len(value) <= 10 and not _NOWHERE.search(value) and not POINTED.search(value)


_LOCALIZED = re.compile(
    r"[上里中下边旁时后前外间内头晨夜]$"
    r"|^(?:凌晨|半夜|深夜|梦|床|沙发|地铁|高铁|飞机|车|家|努力|当地)"
)


def company(value: str) -> bool:
    """Whether one can work there: no time, no corner of a room."""
    return not _NO_COMPANY.search(value) and 1 < len(value) <= 20 and not _LOCALIZED.search(value)


_NAME = re.compile(
    rf"(?:[{SURNAMES}]|欧阳|司马|上官|诸葛|夏侯|皇甫|慕容|司徒|东方|令狐)[\u4e00-\u9fff]{{1,2}}"
    r"|[小阿老大][\u4e00-\u9fff]{1,2}|([\u4e00-\u9fff])\1|[\u4e00-\u9fff]{1,2}(?:哥|姐|叔|妹|宝)"
    rf"|[{GIVEN}]{{2,3}}"
    r"|[\u4e00-\u9fff]{1,4}·[\u4e00-\u9fff]{1,6}|[A-Z][A-Za-z'-]{1,20}(?: [A-Z][A-Za-z'-]{0,20}){0,2}|[a-z]{2,12}"
)


def school(value: str) -> bool:
    """Whether it is a school, not a town or country one studies in."""
    return (
        company(value) and re.search(r"(?:大学?|学院|学校|中学?|高中|小学|附中|[A-Z]+)$", value) is not None
    )


def person(value: str) -> bool:
    """Whether the characters look like what a person is called."""
    refused = (
        r"(?:[高常金严安明方][^\u4e00-\u9fff]|车|外卖|明天|[春夏秋]天|天天|安静|安心|平安|文明|小声|小心|小费|小票|老是|大声|大家"
        r"|老公|老婆|老板|老师|小姐|大哥|大姐)"
    )
    spoken = value[-1] in "来去吃回吧走说做看了写帮给不的是" and len(value) > 2
    return _NAME.fullmatch(value) is not None and not re.match(refused, value) and not spoken


def pet_name(value: str) -> bool:
    """Animals are called anything short that is no verb or pronoun."""
    refused = (
        r"(?:你|您|他|她|它|了|过|外卖|车|这|那|不|什|做|人|个|一[声下夜晚])|.*(?:来|去|吃|回|吧|走|了|声)$"
    )
    return not re.match(refused, value)


def food(value: str) -> bool:
    """Whether it is something to eat, as such."""
    refused = r"^(?:了|饭|早饭|午饭|晚饭|早餐|午餐|晚餐|东西|太多|这|那|你|他|亏|惯|到|得|下|过|一口|什么|完)"
    return not re.match(refused, value) and len(value) <= 12 and things.FOODS.search(value) is not None


def drink(value: str) -> bool:
    """Whether it is something to drink, as such."""
    return (
        food("酒" + value)
        and things.DRINKS.search(value) is not None
        and not re.match("了|这|那|你|太多", value)
    )


def allergen(value: str) -> bool:
    """Whether one can be allergic to it."""
    return len(value) <= 10 and things.ALLERGENS.search(value) is not None


def subject(value: str) -> bool:
    """Whether it is a subject of study."""
    return things.SUBJECT.search(value) is not None


def vehicle(value: str) -> bool:
    """Whether it is a car, or a make of one."""
    return things.VEHICLE.search(value) is not None


def collected(value: str) -> bool:
    """Whether people collect it."""
    return things.COLLECTED.search(value) is not None
