"""What a request implies about a preference: an observation, a fact only once it has been made often "
"enough."""

import re
from collections.abc import Iterator

from ....stores.records import Candidate
from ...extraction.values import FLEETING
from .sentences import Sentence

FORMAT = "prefers_format"

_FORMATS = (
    r"PDF|Word(?= (?:file|document|doc)|\W*$)|docx?|Excel|xlsx|CSV|TSV|JSON|YAML|XML|Markdown|HTML|LaTeX|"
    r"PowerPoint|pptx|slides?|EPUB|PNG|SVG|spreadsheet|table|bullet points|bullets|checklist|"
    r"numbered list|plain text"
)
_REQUEST = re.compile(
    r"^(?:(?:ok(?:ay)?|hi|hey|and|also|now|then|so|great|thanks|perfect|alright)[, ]+)*(?:please |pls |"
    r"just )*"
    r"(?:(?:can|could|would|will) you (?:please |just )*|i(?:'d| would) like you to |i(?:'d| would) like |"
    r"i need |i want )?"
    r"(?:(?:export|save|send|give|make|format|deliver|generate|produce|print|download|provide|put|render|"
    r"present|lay out|show)\b"
    r"[^.?!,;:]{0,60}?|(?:it|that|this|them|the \w+(?: \w+)?) )"
    rf"\b(?:as|in|into|to) (?:a |an |the )?(?P<value>{_FORMATS})(?: (?:format|file|document|doc|"
    rf"form))?(?: (?:please|again|too))*$",
    re.I,
)
_FORMATS_ZH = r"PDF|Word|Excel|CSV|JSON|Markdown|HTML|PPT|LaTeX|表格|清单|列表|思维导图|纯文本|幻灯片|要点"
_REQUEST_ZH = re.compile(
    r"^(?:好的?|那|然后|再|现在|你|，|,|\s)*(?:请|麻烦|帮我|能不能|能否|可以|可不可以|给我|我想|我要|你)*"
    r"(?:(?:把|将)?[^，。？！]{0,20}?(?:导出|保存|存|输出|做|整理|生成|打印|下载|转|发|写|"
    r"排)(?:一下)?(?:成|为|到|给我)|(?:用|以)|给我(?:一[份个])?|要(?:一[份个])?)"
    rf"(?:一?[份个张])?(?P<value>{_FORMATS_ZH})(?:格式|文件|文档|版本?|的)*(?:的?形式)?(?:给我|发给我|"
    rf"发我|导出|输出|展示|回答)?(?:吧|吗|好吗|谢谢|就行)?$",
    re.I,
)
_ONCE = re.compile(
    r"\b(?:this (?:time|once|one)|just (?:once|this|now)|only (?:once|this)|for (?:now|once|my (?:boss|"
    r"colleague|friend|sister|brother|mother|father|wife|husband|client|teacher))|instead|convert|"
    r"translate|don'?t|do not|never|without|how (?:do|can|to))\b"
    r"|这次|这回|这一次|今天|暂时|别|不要|不用|怎么|如何|转换|翻译|老板|同事|客户|老师",
    re.I,
)


def implied(said: list[Sentence]) -> Iterator[Candidate]:
    """The preferences that requests imply, one a sentence. What is asked for this once implies none."""
    for sentence in said:
        text = sentence.text
        if _ONCE.search(text) or FLEETING.search(text):
            continue
        match = (_REQUEST_ZH if sentence.chinese else _REQUEST).match(text.strip())
        if match is None:
            continue
        value = sentence.said[match.start("value") : match.end("value")]
        yield Candidate(
            subject="user",
            attribute=FORMAT,
            value=value,
            statement=f"更喜欢{value}。" if sentence.chinese else f"Prefers {value}.",
            span=sentence.whole,
            explicit=False,
        )
