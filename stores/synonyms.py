"""The words that `stores.canonical` holds to be the same: attributes, values, and kinds of things. Add to them freely.

English and Chinese. The first word of a line is the form that is compared; it is never shown or stored.
"""

_ATTRIBUTES = """
works_at    | works_for employer company workplace employed_by employed_at work_at job_at
job         | occupation profession job_title works_as role
works_in    | industry line_of_work
lives_in    | residence lives lives_at living_in residing_in resides_in location home city current_city address_city
lives_in    | based_in moved_to hometown_now
from        | hometown origin
name        | first_name full_name given_name user_name called
age         | age_years years_old
birthday    | date_of_birth birth_date dob
birthplace  | place_of_birth born_in
nationality | citizenship
likes       | loves enjoys like love enjoy likes_to enjoys_doing fond_of fan_of hobby hobbies
prefers     | preference preferences style_preference preferred prefer
interested_in | interest interests
eats        | eating food
drinks      | drink drinking beverage
uses        | use tool tools
plays       | play instrument
speaks      | languages language speaks_language spoken_languages
studies     | major field_of_study
studies_at  | school university attends
school_year | grade school_grade year_at_school year_in_school
member_of   | membership sings_in belongs_to group choir club team
allergic_to | allergy allergies
injury      | injured
diet        | dietary_preference eating_style
has_pet     | pet pets owns_pet has_a_pet
drives      | car vehicle
takes       | medication medicine
marital_status | relationship_status
separated_from | broke_up_with split_up_with divorced_from ex ex_wife ex_husband ex_girlfriend ex_boyfriend
death       | died dead deceased passed_away is_dead has_died
"""

_DENYING = """
likes       | dislikes dislike hates hate does_not_like doesnt_like doesn_t_like does_not_enjoy doesn_t_enjoy detests
eats        | does_not_eat doesnt_eat doesn_t_eat never_eats avoids_eating
drinks      | does_not_drink doesnt_drink doesn_t_drink never_drinks
uses        | does_not_use doesnt_use doesn_t_use never_uses
"""

TOPICS = {"prefers": "likes"}
"""Attributes that are held against each other though they are worded differently."""

_VALUES = """
minimalism | minimalist | minimalistic | minimal style | minimalist style | minimalistic style | minimalist design
minimalism | concise style | simple style | clean style | 简洁 | 简洁风格 | 简洁的风格 | 简约 | 简约风格
minimalism | 极简 | 极简主义 | 极简风格 | 极简设计
short answer | short answers | concise answers | brief answers | short replies | concise replies
short answer | 简短回答 | 简短的回答 | 简洁的回答
pdf | pdfs | pdf format | pdf files | pdf格式
postgres | postgresql
javascript | js
typescript | ts
kubernetes | k8s
vscode | vs code | visual studio code
coffee | 咖啡
tea | 茶 | 喝茶
beer | 啤酒
wine | 葡萄酒
red wine | 红酒 | 红葡萄酒
alcohol | 酒 | 酒精 | 喝酒 | booze | alcoholic drinks | alcoholic beverages
milk | 牛奶
meat | 肉 | 肉类
fish | 鱼 | 鱼肉
beef | 牛肉
pork | 猪肉
peanut | 花生
spicy food | 辣 | 辣的 | 吃辣 | 辣的食物
jazz | jazz music | 爵士 | 爵士乐 | 爵士音乐
classical music | 古典音乐 | 古典乐
music | 音乐
hike | 徒步 | 远足 | 徒步旅行
run | jog | 跑步
swim | 游泳
read | read book | 读书 | 阅读 | 看书
cook | 做饭 | 烹饪
travel | travelling | 旅行 | 旅游
photography | 摄影
film | movie | 电影
football | soccer | 足球
basketball | 篮球
bicycle | bike | 自行车 | 单车
car | automobile | 汽车
cat | 猫
dog | 狗
english | 英语 | 英文
chinese | 中文 | 汉语
mandarin | mandarin chinese | 普通话
french | 法语
german | 德语
spanish | 西班牙语
japanese | 日语
korean | 韩语
vegetarian | a vegetarian | 素食 | 素食者 | 吃素 | 吃素的
vegan | a vegan | 纯素 | 纯素食者 | 严格素食
married | 已婚 | 结婚了
new york | nyc | new york city | 纽约
united states | usa | america | the united states | 美国
united kingdom | uk | u.k | 英国
china | 中国
beijing | 北京 | 北京市
shanghai | 上海 | 上海市
shenzhen | 深圳
guangzhou | 广州
hangzhou | 杭州
paris | 巴黎
london | 伦敦
tokyo | 东京
"""

_KINDS = """
alcohol | wine, beer, whisky, whiskey, vodka, gin, rum, cocktail, champagne, prosecco, sake, cider, liquor
alcohol | brandy, tequila, spirit, 白酒, 黄酒, 酒
wine    | 红酒, 白葡萄酒
meat    | beef, steak, chicken, pork, lamb, bacon, ham, sausage, turkey, duck, veal, mutton, burger
meat    | 肉, 牛排, 培根, 香肠, 火腿, 烤鸭, 排骨
seafood | fish, shrimp, prawn, crab, lobster, oyster, mussel, squid, 海鲜, 虾, 蟹, 龙虾
fish    | salmon, tuna, cod, trout, 三文鱼, 鱼
dairy   | milk, cheese, butter, yogurt, yoghurt, cream, ice cream, 奶酪, 酸奶, 黄油, 奶油
nut     | peanut, walnut, almond, cashew, hazelnut, pistachio, 核桃, 杏仁, 腰果
gluten  | bread, pasta, 面包, 面条
coffee  | espresso, latte, cappuccino, americano, 拿铁, 美式咖啡
music   | jazz, classical music, rock music, pop music
egg     | omelette, 鸡蛋
"""

DIETS = {
    "vegetarian": ("meat", "fish", "seafood"),
    "vegan": ("meat", "fish", "seafood", "dairy", "egg"),
    "pescatarian": ("meat",),
    "teetotal": ("alcohol",),
}
"""What a diet leaves out, for finding contradictions between a diet and what is eaten or drunk."""


def _names(table: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in table.strip().splitlines():
        name, others = (part.strip() for part in line.split("|"))
        found |= dict.fromkeys(others.split(), name)
    return found


def _values(table: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in table.strip().splitlines():
        first, *others = (part.strip() for part in line.split("|"))
        found |= dict.fromkeys((first, *others), first)
    return found


def _kinds(table: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for line in table.strip().splitlines():
        name, kinds = (part.strip() for part in line.split("|"))
        found[name] = (*found.get(name, ()), *(kind.strip() for kind in kinds.split(",")))
    return found


ATTRIBUTE_NAMES = _names(_ATTRIBUTES)
"""Other names of known attributes, as models invent them."""

DENYING_NAMES = _names(_DENYING)
"""Names that deny an attribute: "dislikes opera" is "likes opera", denied."""

SAME_VALUES = _values(_VALUES)
"""Values that mean the same, whatever the attribute."""

KINDS_OF = _kinds(_KINDS)
"""What is a kind of what, by the last words of a value."""
