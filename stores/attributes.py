"""The canonical attributes of facts: how many values each holds, its category, and how to word it.

The same attribute serves every language: "I live in Ghent" and 我住在根特 are both `lives_in`.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache


class Category(StrEnum):
    """What a fact is about, for views and filters."""

    IDENTITY = "identity"
    PLACE = "place"
    WORK = "work"
    STUDY = "study"
    RELATION = "relation"
    PREFERENCE = "preference"
    HEALTH = "health"
    POSSESSION = "possession"
    HABIT = "habit"
    NOTE = "note"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Attribute:
    """One canonical attribute.

    `single`: a newer value takes the place of the older one. The wordings have `{value}`, and `{a}` where
    English wants an article; one that begins with "'s " (的 in Chinese) continues a possessor.
    """

    name: str
    category: Category
    single: bool
    english: tuple[str, str]
    """Affirmed, denied: "lives in {value}", "does not live in {value}"."""
    chinese: tuple[str, str]


_TABLE = """
name identity 1 | 's name is {value} | 's name is not {value} | 的名字是{value} | 的名字不是{value}
nickname identity 0 | also goes by {value} | does not go by {value} | 也叫{value} | 不叫{value}
age identity 1 | is {value} years old | is not {value} years old | {value}岁 | 不是{value}岁
birth_year identity 1 | was born in {value} | was not born in {value} | 出生于{value} | 不是{value}出生的
birthplace place 1 | was born in {value} | was not born in {value} | 出生于{value} | 不是在{value}出生的
nationality identity 0 | is {value} | is not {value} | 是{value} | 不是{value}
religion identity 1 | is {value} | is not {value} | 信{value} | 不信{value}
trait identity 0 | is {a} {value} | is not {a} {value} | 是{value} | 不是{value}
gender identity 1 | is {a} {value} | is not {a} {value} | 是{value} | 不是{value}
zodiac identity 1 | is {a} {value} | is not {a} {value} | 是{value} | 不是{value}
height identity 1 | is {value} tall | is not {value} tall | 身高{value} | 身高不是{value}
lives_in place 1 | lives in {value} | does not live in {value} | 住在{value} | 不住在{value}
from place 1 | is from {value} | is not from {value} | 来自{value} | 不是{value}人
grew_up_in place 1 | grew up in {value} | did not grow up in {value} | 在{value}长大 | 不是在{value}长大的
timezone place 1 | 's time zone is {value} | 's time zone is not {value} | 的时区是{value} | 的时区不是{value}
works_at work 1 | works at {value} | does not work at {value} | 在{value}工作 | 不在{value}工作
works_in work 1 | works in {value} | does not work in {value} | 在{value}工作 | 不在{value}工作
job work 1 | is {a} {value} | is not {a} {value} | 是{value} | 不是{value}
volunteers_at work 0 | volunteers at {value} | does not volunteer at {value} | 在{value}义工 | 不在{value}义工
teaches work 0 | teaches {value} | does not teach {value} | 教{value} | 不教{value}
runs work 0 | runs {a} {value} | does not run {a} {value} | 经营{value} | 不经营{value}
studies study 1 | studies {value} | does not study {value} | 学{value} | 不学{value}
studies_at study 1 | studies at {value} | does not study at {value} | 在{value}上学 | 不在{value}上学
graduated_from study 0 | graduated from {value} | is no graduate of {value} | 毕业于{value} | 没毕业于{value}
school_year study 1 | is in {value} | is not in {value} | 上{value} | 不上{value}
learning study 0 | is learning {value} | is not learning {value} | 在学{value} | 没在学{value}
speaks study 0 | speaks {value} | does not speak {value} | 会说{value} | 不会说{value}
marital_status relation 1 | is {value} | is not {value} | {value} | 没有{value}
partner relation 1 | 's partner is {value} | 's partner is not {value} | 的伴侣是{value} | 的伴侣不是{value}
children relation 1 | has {value} | does not have {value} | 有{value} | 没有{value}
siblings relation 1 | has {value} | does not have {value} | 有{value} | 没有{value}
separated_from relation 0 | separated from {value} | did not separate from {value} | 和{value}分手了 | 没和{value}分手
death identity 1 | {value} | is alive: not {value} | {value}了 | 没有{value}
member_of relation 0 | is in the {value} | is not in the {value} | 参加了{value} | 没有参加{value}
likes preference 0 | likes {value} | does not like {value} | 喜欢{value} | 不喜欢{value}
prefers preference 0 | prefers {value} | does not prefer {value} | 更喜欢{value} | 不偏爱{value}
interested_in preference 0 | is into {value} | is not into {value} | 关注{value} | 不关注{value}
afraid_of preference 0 | is afraid of {value} | is not afraid of {value} | 怕{value} | 不怕{value}
diet health 1 | is {value} | is not {value} | {value} | 不{value}
eats health 0 | eats {value} | does not eat {value} | 吃{value} | 不吃{value}
drinks health 0 | drinks {value} | does not drink {value} | 喝{value} | 不喝{value}
allergic_to health 0 | is allergic to {value} | is not allergic to {value} | 对{value}过敏 | 对{value}不过敏
condition health 0 | has {value} | does not have {value} | 有{value} | 没有{value}
is_affected health 0 | is {value} | is not {value} | {value} | 没有{value}
injury health 0 | 's {value} | 's injury is not: {value} | {value} | 不是{value}
takes health 0 | takes {value} | does not take {value} | 服用{value} | 不服用{value}
has_pet possession 0 | has {a} {value} | does not have {a} {value} | 养{value} | 不养{value}
owns possession 0 | owns {a} {value} | does not own {a} {value} | 有{value} | 没有{value}
drives possession 0 | drives {a} {value} | does not drive {a} {value} | 开{value} | 不开{value}
uses possession 0 | uses {value} | does not use {value} | 用{value} | 不用{value}
collects habit 0 | collects {value} | does not collect {value} | 收集{value} | 不收集{value}
plays habit 0 | plays {value} | does not play {value} | 会{value} | 不玩{value}
habit habit 0 | does {value} | does not {value} | {value} | 不{value}
hobby preference 0 | 's hobby is {value} | 's hobby is not {value} | 的爱好是{value} | 的爱好不是{value}
surname identity 1 | 's surname is {value} | 's surname is not {value} | 姓{value} | 不姓{value}
note note 0 | {value} | not: {value} | {value} | 不：{value}
"""

_RELATIONS = {  # name: (single, Chinese)
    "wife": (True, "妻子"),
    "husband": (True, "丈夫"),
    "girlfriend": (True, "女朋友"),
    "boyfriend": (True, "男朋友"),
    "spouse": (True, "爱人"),
    "fiancé": (True, "未婚夫"),
    "fiancée": (True, "未婚妻"),
    "mother": (True, "妈妈"),
    "father": (True, "爸爸"),
    "sister": (False, "姐妹"),
    "brother": (False, "兄弟"),
    "twin": (False, "双胞胎"),
    "son": (False, "儿子"),
    "daughter": (False, "女儿"),
    "child": (False, "孩子"),
    "grandmother": (False, "祖母"),
    "grandfather": (False, "祖父"),
    "aunt": (False, "阿姨"),
    "uncle": (False, "叔叔"),
    "cousin": (False, "表亲"),
    "niece": (False, "侄女"),
    "nephew": (False, "侄子"),
    "grandson": (False, "孙子"),
    "granddaughter": (False, "孙女"),
    "mother-in-law": (True, "岳母"),
    "father-in-law": (True, "岳父"),
    "sister-in-law": (False, "嫂子"),
    "brother-in-law": (False, "姐夫"),
    "friend": (False, "朋友"),
    "colleague": (False, "同事"),
    "boss": (True, "老板"),
    "manager": (True, "经理"),
    "neighbour": (False, "邻居"),
    "roommate": (False, "室友"),
    "teacher": (False, "老师"),
    "doctor": (True, "医生"),
}


IN_CHINESE = dict(  # things and animals whose names a Chinese statement needs
    pair.split(":")
    for pair in (
        "colour:颜色 fruit:水果 food:食物 dish:菜 film:电影 book:书 song:歌 singer:歌手 sport:运动"
        " season:季节"
        " city:城市 animal:动物 flower:花 drink:饮料 band:乐队 author:作家 game:游戏 number:数字 subject:科目"
        " instrument:乐器 composer:作曲家 dessert:甜点 vegetable:蔬菜 poet:诗人 painter:画家 director:导演"
        " snack:小吃 cat:猫 dog:狗 rabbit:兔子 hamster:仓鼠 parrot:鹦鹉 tortoise:乌龟 goldfish:金鱼 fish:鱼"
        " horse:马 twins:双胞胎 parents:父母 children:孩子 snake:蛇 bee:蜜蜂 hedgehog:刺猬"
    ).split()
)


def _known() -> dict[str, Attribute]:
    found = {}
    for line in _TABLE.strip().splitlines():
        head, *wordings = (part.strip() for part in line.split("|"))
        name, category, single = head.split()
        yes, no, zh_yes, zh_no = wordings
        found[name] = Attribute(name, Category(category), single == "1", (yes, no), (zh_yes, zh_no))
    found["birthday"] = _possessed("birthday", Category.IDENTITY, True, "birthday", "生日")
    for name, (single_valued, chinese) in _RELATIONS.items():
        found[name] = _possessed(name, Category.RELATION, single_valued, name, chinese)
    return found


def _possessed(name: str, category: Category, single: bool, english: str, chinese: str) -> Attribute:
    """An attribute worded as something the subject has: "'s gym locker is 114"."""
    return Attribute(
        name,
        category,
        single,
        (f"'s {english} is {{value}}", f"'s {english} is not {{value}}"),
        (f"的{chinese}是{{value}}", f"的{chinese}不是{{value}}"),
    )


ATTRIBUTES = _known()
"""Every attribute known by name; `attribute` also answers for others."""


@lru_cache(maxsize=512)
def attribute(name: str) -> Attribute:
    """Look up an attribute; an unknown name is multi-valued, of category other, "favourite_..." is single."""
    if name in ATTRIBUTES:
        return ATTRIBUTES[name]
    label = name.replace("_", " ")
    if name.startswith("favourite_"):
        thing = label.removeprefix("favourite ")
        return _possessed(name, Category.PREFERENCE, True, label, "最喜欢的" + IN_CHINESE.get(thing, thing))
    return _possessed(name, Category.OTHER, False, label, label)


def _article(value: str) -> str:
    """ "a", "an" or nothing, as English wants before `value`."""
    first = value.split(" ", 1)[0].lower()
    last = value.rsplit(" ", 1)[-1].lower()
    bare = first in _NO_ARTICLE or first[:1].isdigit() or not value.isascii()
    if bare or (last.endswith("s") and not last.endswith("ss")) or last in _PLURALS:
        return ""
    return "an " if first[:1] in "aeiou" and not first.startswith(("uni", "use", "eu", "one")) else "a "


_NO_ARTICLE = frozenset(
    "a an the my your his her our their two three four five six seven eight nine ten some many several few "
    "one no".split()
)
_PLURALS = frozenset("people men women children fish sheep geese mice bees".split())


def statement(
    name: str,
    value: str,
    *,
    subject: str = "user",
    polarity: bool = True,
    ends: bool = False,
    chinese: bool = False,
) -> str:
    """Say a fact in one short sentence: "Lives in Ghent.", "The user's wife is a vet.", "不吃肉。"."""
    words = attribute(name)
    if chinese:
        return _in_chinese(words, value, subject, polarity and not ends, ends)
    wording = words.english[0 if polarity and not ends else 1]
    text = wording.replace("{a} ", _article(value)).replace("{value}", value)
    if name == "habit" and polarity and not ends:
        text = _third_person(value)
    if ends:
        text += " any more"
    if subject == "user":
        text = text.removeprefix("'s ")
        return f"{text[:1].upper()}{text[1:]}."
    who = f"the {subject}" if subject.startswith("user's ") else subject
    if who.endswith(_PLURAL_SUBJECTS) and not text.startswith("'s "):
        verb, _, rest = text.partition(" ")
        text = f"{_PLURAL_VERBS.get(verb) or verb.removesuffix('s')} {rest}"
    joined = f"{who}{text}" if text.startswith("'s ") else f"{who} {text}"
    return f"{joined[:1].upper()}{joined[1:]}."


_PLURAL_SUBJECTS = (
    "twins",
    "children",
    "parents",
    "sons",
    "daughters",
    "sisters",
    "brothers",
    "cats",
    "dogs",
)
_PLURAL_VERBS = {"is": "are", "has": "have", "does": "do", "was": "were"}


def _third_person(habit: str) -> str:
    """ "swim twice a week" becomes "swims twice a week"."""
    verb, space, rest = habit.partition(" ")
    ending = "es" if verb.endswith(("o", "s", "sh", "ch", "x", "z")) else "s"
    return f"{verb}{ending}{space}{rest}" if verb.isascii() else habit


def _in_chinese(words: Attribute, value: str, subject: str, affirmed: bool, ends: bool) -> str:
    text = words.chinese[0 if affirmed else 1].replace("{value}", value)
    if ends:
        text = f"已经{text}了"
    if subject == "user":
        return f"{text.removeprefix('的')}。"
    relation = subject.removeprefix("user's ")
    who = _RELATIONS[relation][1] if relation in _RELATIONS else IN_CHINESE.get(relation, relation)
    return f"{who}{text}。"
