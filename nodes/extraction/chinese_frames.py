"""What a Chinese predicate states: patterns over the words after the subject."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from . import chinese_checks as checks
from . import chinese_things as things
from .chinese_words import CONDITIONS, GROUPS, JOBS, LANGUAGES, PLACES, PLAYED, SPORTS


class Hit(NamedTuple):
    """An attribute and the bounds of its value within the predicate."""

    attribute: str
    start: int
    end: int
    polarity: bool = True
    ends: bool = False
    of: str = ""
    """Whose, when not the subject's: the pet in "a cat called ..."."""


ADVERB = (
    r"(?:现在|目前|如今|平时|一直|都|也|还|很|特别|非常|最|真的|真|超级?"
    r"|挺|比较|其实|就|从小|已经|刚刚?|最近|通常|经常|常常?|每天|一般"
    r"|主要|只|十分|相当|格外|尤其|确实|的确|早就|终于|又|总是|老是?|好"
    r"|正在|天生|从来|从|偏|还是|个人|自己|一向|向来|家里|家)*"
)
WHEN = r"(?:去年|前年|上个?月|上个?星期|上周|昨天|前天)"
"""When something happened that lasts: 上个月搬到杭州了."""
LASTS = r"(?:搬(?:家)?[到去来]|跳槽[到去]|入职|结婚|离婚|订婚|分手|去世|过世|离世|病逝)"
_NO = r"(?:并?不(?:再|太|怎么|大|是很|能|会)?|没有?)"
NAME = (
    r"(?:[\u4e00-\u9fff]{1,4}(?:·[\u4e00-\u9fff]{1,6})?|[A-Za-z][A-Za-z'-]{0,20}(?:"
    r" [A-Z][A-Za-z'-]{0,20}){0,2})"
)
COUNT = r"(?:[一两二三四五六七八九十几\d]+\s*[只个条匹头群窝位名对辆台些]\s*)"
TAIL = re.compile(
    r"(?:了|的|啊|呀|哦|呢|吧|啦|哈|嘛|呐|喔|得很|而已|为主|之类的?|什么的|等等?|这[种类]东西|\s)+$"
)
_SPLIT = re.compile(r"\s*(?:、|(?<![暖温柔共总饱])(?:以及|还有|和(?![服平牛谐尚弦果])|跟|与|或者?|&))\s*")


def pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The parts of a list, trimmed of particles."""
    at = start
    for split in [*_SPLIT.finditer(text, start, end), None]:
        stop = split.start() if split else end
        value = text[at:stop]
        left = len(value) - len(value.lstrip())
        kept = TAIL.sub("", value.rstrip()) if stop == end else value.rstrip()
        if kept.strip():
            yield at + left, at + len(kept)
        at = split.end() if split else stop


class Rule(NamedTuple):
    pattern: re.Pattern[str]
    attribute: str
    good: Callable[[str], bool]
    lists: bool


def _rule(
    pattern: str, attribute: str, good: Callable[[str], bool] | None = None, *, lists: bool = False
) -> Rule:
    full = (
        pattern.replace("WHEN", f"(?:{WHEN}(?:[一二三四五六七八九十\\d]+月)?)?")
        .replace("ADV", ADVERB)
        .replace("NO", f"(?P<no>{_NO})?")
        .replace("NAME", NAME)
        .replace("COUNT", COUNT)
    )
    return Rule(
        re.compile("^" + full + r"[了的啊呀哦吧啦哈嘛喔呢]*(?P<over>了)?$"),
        attribute,
        good or (lambda value: not checks.POINTED.search(value)),
        lists,
    )


_LEARNT = rf"(?:{LANGUAGES}|(?:弹|拉|吹|打)?(?:{PLAYED})|书法|画画|编程|摄影|烘焙|游泳|开车|滑雪)"
_V = r"(?P<v>.+?)"
RULES = (
    _rule(rf"ADV(?:叫做?|名叫|名字(?:叫做?|是)|的名字(?:叫做?|是)|名字)\s*(?P<v>{NAME})", "name", checks.person),
    _rule(r"ADV姓(?P<v>[\u4e00-\u9fff]{1,2})", "surname"),
    _rule(
        rf"(?:ADV(?:跟|和|与)[\u4e00-\u9fff]{{1,6}}?(?:一起|一块)?|(?:一个人"
        rf"|独自))?ADVNO(?:住在|居住在|定居在?|生活在|家住|住)ADV{_V}", "lives_in", checks.place),
    _rule(rf"ADVWHENADV(?:从[^从到]{{1,10}}?)?(?:搬(?:家)?[到去来]了?|搬家到了?){_V}", "lives_in", checks.place),
    _rule(rf"ADVNO在{_V}(?:定居|生活|居住)", "lives_in", checks.place),
    _rule(rf"(?:老家|家乡|故乡)(?:是|在){_V}", "from", checks.home),
    _rule(rf"ADVNO来自{_V}", "from", checks.place),
    _rule(rf"ADV是(?P<v>(?:{PLACES})|[\u4e00-\u9fff]{{1,4}}[市省县镇村州])人", "from"),
    _rule(r"ADV在(?P<v>[^在]+?)长大", "grew_up_in", checks.place),
    _rule(r"ADV是?(?:在(?P<v>[^在]+?)出生)", "birthplace", checks.place),
    _rule(r"ADV出生[于在](?P<v>[^\d]+)", "birthplace", checks.place),
    _rule(
        r"ADVNO在(?P<v>[^在]+?)(?:上班|工作|任职|就职|打工)(?:快)?(?:[一二两三四五六七八九十百"
        r"\d]+(?:多)?(?:年|个月)多?)?", "works_at", checks.company),
    _rule(rf"ADV(?P<no>不)在{_V}干", "works_at", checks.company),
    _rule(rf"ADVWHENADV(?:就职于|任职于|供职于|入职了?|跳槽到了?|跳槽去了?){_V}", "works_at", checks.company),
    _rule(
        r"ADV在(?P<v>[^在]+?)(?:做|搞|负责)[\u4e00-\u9fff]{0,4}(?:开发|研发"
        r"|运营|设计|销售|财务|人事|行政|市场|编辑|测试|客服|产品|策划|采购"
        r"|后端|前端|算法|数据|翻译|工作)", "works_at", checks.company),
    _rule(r"ADV为(?P<v>[^为]+?)工作", "works_at", checks.company),
    _rule(r"ADV加入了?(?P<v>[^了]+?(?:公司|科技|集团|银行|工作室|事务所|研究所|医院))", "works_at", checks.company),
    _rule(r"(?:ADV从(?P<v>.+?)(?:辞职|离职)(?P<left>了)?)", "works_at", checks.company),
    _rule(
        r"ADVNO在(?P<v>[^在]+?)(?:上学|读书|念书|读大学|上大学|读研究?生?"
        r"|读博士?|念大学|读高中|上高中)", "studies_at", checks.school),
    _rule(rf"ADV毕业于{_V}", "graduated_from", checks.company),
    _rule(r"ADV(?:是从|从|是)(?P<v>.+?(?:大学|学院|中学|学校))毕业", "graduated_from"),
    _rule(r"ADV(?:主修|专业是|的专业是|读的是|学的是)(?P<v>.+?)(?:专业)?", "studies", checks.subject),
    _rule(
        rf"ADV(?:是|当|做|担任|成为了?|当上了?)(?:一?[名个位])?(?:(?:已经)?(?:退休"
        rf"|全职|兼职)的)?(?P<v>[^是的我你他]{{0,8}}?(?:{JOBS}"
        rf"))", "job"),
    _rule(rf"(?:的)?(?:工作|职业)是(?P<v>[^是我你他]{{0,8}}?(?:{JOBS}))", "job"),
    _rule(rf"ADV对{_V}ADV(?P<no>不)?感兴趣", "interested_in", things.likeable, lists=True),
    _rule(rf"ADV对{_V}ADV(?P<no>不)?过敏", "allergic_to", checks.allergen, lists=True),
    _rule(
        r"ADV(?P<v>花生|海鲜|花粉|芒果|牛奶|鸡蛋|坚果|虾|螃蟹|青霉素|猫毛"
        r"|狗毛|尘螨|大豆|小麦|桃子|酒精)ADV过敏", "allergic_to"),
    _rule(r"ADV(?P<v>乳糖不耐受?|麸质不耐受?)", "is_affected"),
    _rule(rf"ADV(?:有|患有|得了)(?P<v>(?:{CONDITIONS}))", "condition"),
    _rule(r"ADV是(?:一?[个名])?(?P<v>左撇子|色盲|色弱|聋哑人|盲人)", "is_affected"),
    _rule(r"ADV(?:是(?:一?[个名位])?)?(?P<v>素食主义者|素食者|纯素食?者?|吃素|吃全素|吃斋)", "diet"),
    _rule(r"ADV(?P<v>吃素|吃全素|吃斋)(?:都|已经|有)?(?:[一二两三四五六七八九十几多\d]+|半)(?:个月|年)多?", "diet"),
    _rule(
        r"ADV(?:在[^在]{1,8})?(?:开|经营)[着了]?(?:一?[家间个])"
        r"(?P<v>[^的了过]{0,5}(?:店|馆|铺|坊|餐厅|工作室|超市|诊所|民宿|公司))", "runs"),
    _rule(rf"ADV(?P<no>并?不(?:能|再|怎么|太)?)吃{_V}", "eats", checks.food, lists=True),
    _rule(
        rf"ADV(?P<no>并?不(?:能|再"
        rf"|怎么|太|会|爱)?)喝{_V}", "drinks", checks.drink, lists=True),
    _rule(
        rf"(?=.*(?:每天|平时|只|经常|常|一般"
        rf"|通常|习惯))ADV(?:习惯)?喝{_V}", "drinks", checks.drink, lists=True),
    _rule(r"ADV(?P<no>不(?:会|再)?)(?P<v>抽烟|吸烟|开车|赌博)", "habit"),
    _rule(rf"ADV更(?:喜欢|爱|偏爱|倾向于?){_V}", "prefers", things.likeable),
    _rule(
        rf"ADV(?P<no>并?不(?:再|太|怎么|大|是很)?)?(?:的?爱好是|的?兴趣是|喜欢上了"
        rf"|喜欢|喜爱|热爱|钟爱|偏爱|酷爱|痴迷于?|迷上了?|爱好|爱){_V}", "likes", things.likeable, lists=True),
    _rule(rf"ADV(?P<hate>讨厌|厌恶|反感|受不了|忍受不了|讨厌死){_V}", "likes", things.likeable, lists=True),
    _rule(r"ADV(?:害怕|怕|恐惧)(?P<v>[^死你是自麻]+)", "afraid_of", things.feared, lists=True),
    _rule(r"(?:今年|ADV)(?:快|刚?满)?(?P<v>\d{1,3}|[一二三四五六七八九十]{1,3}) ?岁", "age"),
    _rule(r"今年(?:刚|才|刚满|正好)?(?P<v>\d{2})", "age"),
    _rule(
        r"(?:的)?生日(?:是|在)(?:每年)?(?:农历|阴历)?(?P<v>[\d一二三四五六七八九十年月日号/.-]"
        r"+)", "birthday"),
    _rule(r"ADV?是?(?P<v>[\d]{4})年(?:出?生)", "birth_year"),
    _rule(
        r"ADV?是?(?:\d{4}年)?(?P<v>[\d一二三四五六七八九十]+月[\d一二三四五六七八九十]+[日号])"
        r"(?:出?生|过生日)", "birthday"),
    _rule(r"ADV属(?P<v>鼠|牛|虎|兔|龙|蛇|马|羊|猴|鸡|狗|猪)", "zodiac"),
    _rule(r"ADV是(?P<v>(?:白羊|金牛|双子|巨蟹|狮子|处女|天秤|天蝎|射手|摩羯|水瓶|双鱼)座)", "zodiac"),
    _rule(
        rf"ADV(?P<no>不(?:太)?)?(?:会说|会讲|能说|能讲|会|精通|说|讲)(?:一点儿?"
        rf"|一些|流利的)?(?P<v>{LANGUAGES}(?:\s*[、和跟与]\s*(?:一点儿?"
        rf"|一些)?{LANGUAGES})*)", "speaks", lists=True),
    _rule(rf"(?:的)?母语是(?P<v>{LANGUAGES})", "speaks"),
    _rule(rf"ADV在?学(?:习)?(?P<v>{_LEARNT}(?:\s*[、和跟与]\s*{_LEARNT})*)", "learning", lists=True),
    _rule(
        rf"ADV(?P<no>不(?:再|会)?)?(?:会|爱|喜欢)?(?:弹|拉|吹|打|踢|下|玩|演奏)(?:一点儿?)?(?P<v>(?:{PLAYED}"
        rf")(?:\s*[、和跟与]\s*(?:弹|拉|吹|打|踢|下|玩)?(?:{PLAYED}))*)", "plays", lists=True),
    _rule(
        r"ADV(?P<no>不(?:再)?)?(?:在)?用(?:的是)?\s*(?P<v>[A-Z][A-Za-z0-9+#.]*(?:"
        r" [A-Z\d][A-Za-z0-9+#.]*){0,2}|苹果手机|安卓手机|安卓|苹果电脑)\s*(?:(?:来?(?:写"
        r"|做|办公|听|看|记|画|编程|剪|处理))[^，了个]{0,6})?(?:系统|电脑|手机|软件)?", "uses"),
    _rule(r"家(?:就)?在(?P<v>[\u4e00-\u9fff]{2,8})", "lives_in", checks.place),
    _rule(
        rf"ADV(?:有|生了|养了?)(?P<v>{COUNT}(?:孩子|儿子|女儿|小孩|娃|双胞胎)(?:和{COUNT}(?:孩"
        rf"子|儿子|女儿))?)", "children"),
    _rule(
        rf"ADV(?:有|生了)(?:{COUNT})(?:[\u4e00-\u9fff\d]{{0,4}}的)?女儿(?:名?叫"
        rf"|名字叫)(?P<v>{NAME})", "daughter", checks.person),
    _rule(
        rf"ADV(?:有|生了)(?:{COUNT})(?:[\u4e00-\u9fff\d]{{0,4}}的)?儿子(?:名?叫"
        rf"|名字叫)(?P<v>{NAME})", "son", checks.person),
    _rule(
        rf"ADV(?P<no>没)?有(?P<v>(?:{COUNT}|个)?(?:亲)?(?:弟弟|妹妹|哥哥|姐姐"
        rf"|兄弟姐妹|兄弟|姐妹)(?:[和、]{COUNT}(?:弟弟|妹妹|哥哥|姐姐))?)", "siblings"),
    _rule(r"ADVWHENADV(?:是)?(?P<v>已婚|未婚|单身|离异|独身|离婚|结婚|订婚)", "marital_status"),
    _rule(
        rf"ADV(?:是(?P<v>{GROUPS})的?(?:一员|成员|队员|团员|会员)|加入了?(?P<w>{GROUPS})"
        rf"|参加了?(?P<x>{GROUPS})|在(?P<y>{GROUPS})(?:唱歌|唱[\u4e00-\u9fff]{{1,4}}"
        rf"|拉琴|演奏|弹[\u4e00-\u9fff]{{1,4}}|拉[\u4e00-\u9fff]{{1,4}}|打鼓"
        rf"|里唱歌|里|踢球)?)", "member_of"),
    _rule(
        rf"ADV(?:(?P<gone>退出了?|离开了?)(?P<v>{GROUPS})|(?P<no>不)在(?P<w>{GROUPS})(?:唱歌"
        rf"|里)?)", "member_of"),
    _rule(
        rf"ADV(?P<v>每(?:天|周[一二三四五六日末]?|个?周末|晚|早|年|个?月|星期[一二三四五六日天]"
        rf"?)[\u4e00-\u9fff]{{0,6}}?(?:{SPORTS}))", "habit"),
    _rule(r"ADV开(?:的是|着?一[辆台])(?P<v>.+?)", "drives", checks.vehicle),
    _rule(r"ADV(?:收集|收藏)(?P<v>.+?)", "collects", checks.collected, lists=True),
    _rule(
        r"(?:ADV在[\u4e00-\u9fff]{2,12}?)?ADV?教(?P<v>[\u4e00-\u9fff]{0,4}(?:语文|数学|英语|物理|化学|生物"
        r"|历史|地理|音乐|美术|体育|中文|钢琴|书法))", "teaches"),
    _rule(r"(?:的)?时区是(?P<v>.+?)", "timezone"),
)  # fmt: skip
