"""Chinese for the offline voice. Tables are in simplified characters; text is simplified to match them."""

import re

from .words import Language, Patterns, Sentences, word_set

SIMPLER = {ord("啥"): "什么"} | str.maketrans(
    "裡裏麼嗎誰記說歡愛對過們個現還會這樣嚴寵貓職業學習語爾姊媽爸兒妳關於話聽訴時間點請寫詩譯結歲齡鄉顏電樂飲讓認識給幫畫機",
    "里里么吗谁记说欢爱对过们个现还会这样严宠猫职业学习语尔姐妈爸儿你关于话听诉时间点请写诗译结岁龄乡颜电乐饮让认识给帮画机",
)
"""Traditional characters to simplified ones, colloquial to plain. For matching only; quotes stay."""

TOPICS = {
    "home": ("居住", "城市", "搬到", "搬家", "地址", "定居", "住"),
    "work": ("工作", "上班", "职业", "公司", "职位", "就职", "做什么的"),
    "name": ("名字", "姓名", "称呼", "叫"),
    "eat": ("饮食", "食物", "口味", "吃"),
    "drink": ("饮料", "喝"),
    "like": ("喜欢", "喜爱", "偏好", "最爱", "偏爱", "讨厌", "爱"),
    "allergy": ("过敏",),
    "age": ("年龄", "几岁", "多大", "岁"),
    "birthday": ("生日", "出生"),
    "study": ("专业", "大学", "上学", "学位"),
    "language": ("语言", "会说"),
    "medicine": ("药",),
    "hobby": ("爱好", "兴趣", "业余"),
    "origin": ("来自", "老家", "家乡", "哪里人", "籍贯"),
    "spouse": ("妻子", "老婆", "太太", "丈夫", "老公", "结婚", "配偶", "女朋友", "男朋友", "对象"),
    "sister": ("姐姐", "妹妹", "姐妹"),
    "brother": ("哥哥", "弟弟", "兄弟"),
    "mother": ("妈妈", "母亲", "妈"),
    "father": ("爸爸", "父亲", "爸"),
    "child": ("儿子", "女儿", "孩子"),
    "friend": ("朋友",),
    "boss": ("老板", "上司"),
    "pet": ("宠物",),
    "dog": ("狗",),
    "cat": ("猫",),
    "meat": ("素食", "吃素", "牛肉", "猪肉", "肉", "荤"),
    "colour": ("颜色",),
    "film": ("电影",),
    "music": ("音乐", "歌曲", "唱歌"),
    "car": ("汽车",),
    "team": ("球队", "团队"),
}

SILENT = word_set(
    """
    什么 哪里 哪儿 哪个 哪些 哪 怎么样 怎么 怎样 为什么 多少 几个 什么时候 时候 何时
    是不是 有没有 能不能 会不会 知道 记得 告诉 说过 提过 提到 关于 还 吗 呢 吧 啊 呀
    么 的 了 过 着 是 在 有 我们 我 你们 你 您 他 她 它 谁 这 那 个 和 与 跟
    对 把 被 给 到 从 也 都 就 才 很 不 没 请 一 会 能 要 想 可以 现在 之前
    以前 最 做 上次 以及 昨天 聊 说 谈 讲 讨论 事 情 种 只 条 位 里 者
    """
)

PATTERNS = Patterns(
    question=re.compile(
        r"[?？]|[吗呢]\W*$|(?<!没)什么|哪[里儿个些]|谁|多少|几[个岁]|怎么|怎样|是不是|有没有|为什么|何时|多大"
    ),
    yes_no=re.compile(r"吗\W*$|是不是|有没有|能不能|会不会"),
    personal=re.compile(r"我|咱"),
    addressed=re.compile(r"[你您](?!.{0,2}(?:记得|知道|了解|告诉))"),
    greeting=re.compile(
        r"^(?:你好(?!吗)|您好|嗨|哈喽|哈啰|早上好|下午好|晚上好|早安|早$|hi|hello|hey)[啊呀\s,，!！。.]*"
    ),
    thanks=re.compile(r"^(?:谢谢|多谢|感谢)[^?？]{0,20}$"),
    farewell=re.compile(r"^(?:再见|拜拜|晚安|回头见|下次见)[^?？]{0,20}$"),
    machine=re.compile(
        r"你.{0,4}是.{0,5}(?:ai|人工智能|机器|程序|真人|人类|活人|人吗|人还是|语言模型|大模型)|(?:和|跟).{0,4}(?:ai|机器人|真人|人类)(?:说话|聊天)"
    ),
    identity=re.compile(r"你是谁|你是什么|你叫什么|你的名字|介绍.{0,4}你自己|自我介绍"),
    feeling=re.compile(r"你好吗|你怎么样|你还好吗|你.{0,2}心情"),
    ability=re.compile(r"你(?:能|会|可以)(?:做|干)(?:些|点)?什么"),
    about_user=re.compile(
        r"(?:知道|了解|记得|记住)(?:了|些)?我(?:的)?(?:什么|多少|哪些|些什么|情况|事)|(?:记得|认识|了解)我[吗么]?\W*$|"
        r"对我.{0,3}(?:了解|知道)|关于我(?:的|,|，|你|\W*$)|我.{0,3}(?:告诉过你|跟你说过|和你说过)(?:些|了)?什么\W*$"
    ),
    user_name=re.compile(r"我叫什么|我的名字|我是谁|我姓什么"),
    last_time=re.compile(r"上次|上一次|昨天|之前.{0,3}聊|我们聊.{0,3}什么"),
    agent_said=re.compile(r"你.{0,3}(?:说过|说了|答应|推荐过|推荐了|建议过|建议了|回答过)"),
    past=re.compile(r"以前|之前|曾经|过去"),
    today=re.compile(r"今天.{0,3}(?:几号|日期|星期几|是哪天)|现在.{0,3}几号"),
    forget=re.compile(r"^(?:请|麻烦)?(?:你)?(?:忘记|忘掉|忘了|删除|删掉)"),
    remember=re.compile(r"^(?:请|麻烦)?(?:你)?(?:记住|记下|记一下)"),
    request=re.compile(
        r"^(?:请|麻烦|能不能|可以|能)?(?:你)?(?:帮我|给我|替我|为我)?(?:写|翻译|解释|总结|计算|算|画|唱|生成|推荐(?!过|了)|"
        r"建议(?!过|了)|讲个?(?:笑话|故事)|查|搜索)|^(?:请)?(?:你)?(?:帮我|替我)|我(?:应该|该)|^\d+\s*[-+*/×÷^]\s*\d+(?:等于|是)?(?:多少|几)?\W*$"
    ),
)

SENTENCES = Sentences(
    offline="（我现在离线运行，没有语言模型，只能引用你告诉过我的话。）",
    offline_again="（离线）",
    told_on="{date}你告诉我：“{quote}”。",
    told="你告诉过我：“{quote}”。",
    noted_on="{date}我记下的是：“{quote}”。",
    noted="我记下的是：“{quote}”。",
    said_on="{date}我说过：“{quote}”。",
    said="我说过：“{quote}”。",
    earlier="刚才在这次对话里你说：“{quote}”。",
    before_that_on="在那之前，{date}：“{quote}”。",
    before_that="在那之前：“{quote}”。",
    closest="这一点我没有你的原话，最接近的是：",
    listed="这些是你告诉我的：",
    last_time="这些是你以前说的话：",
    nothing="关于这一点，我没有找到你说过的话。愿意的话，告诉我吧。",
    nothing_handed="我现在手边没有记忆，只有这次对话，里面没有提到。愿意的话，告诉我吧。",
    know_nothing="我对你还一无所知。愿意的话，和我说说你自己吧。",
    known_as="我知道你叫{user}。",
    greeting="你好，我是{agent}。",
    greeting_named="{user}，你好，我是{agent}。",
    greeting_again="欢迎回来。",
    thanks="不客气。",
    farewell="下次见。",
    machine="我是AI：我叫{agent}，是程序，不是人。",
    identity="我是{agent}，一个AI。",
    feeling="我是{agent}，我在这里听着；我不会编造心情。",
    ability=(
        "我能找到你告诉过我的话，并按日期引用。要做别的事，我需要语言模型：请设置 OPENAI_API_KEY，"
        "或者 OPENAI_BASE_URL 和 PERDURE_MODEL。"
    ),
    today="按给我的时钟，今天是{date}。",
    forget="我自己在这里不能删除任何内容。请用 forget 命令，它会先给你看要删掉什么。",
    secret="密码、密钥、验证码和卡号我不会记下来，请保存在安全的地方。",
    remember="我听到了。至于是否已经保存，我在这里无法确认。",
    cannot=(
        "没有语言模型，这件事我做不到。要接上模型，请设置 OPENAI_API_KEY，"
        "或者 OPENAI_BASE_URL 和 PERDURE_MODEL。"
    ),
    heard=("我听到了{comma_user}。", "谢谢你告诉我。", "我在听{comma_user}。"),
)

CHINESE = Language(
    gap="",
    topics=TOPICS,
    silent=SILENT,
    patterns=PATTERNS,
    sentences=SENTENCES,
    phrases={},
    date_form="{year}年{month}月{day}日",
)
