"""The offline count stays within 15 % of o200k_base where the project promises it."""

import re
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.stores import text, tokens
from perdure.stores.tokens import cost, count, rounded

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # it reads its data with an old call
    import bpe_openai

ENCODING = bpe_openai.get_encoding("o200k_base")

ENGLISH = """I finally booked the ferry for the second weekend of June, so we'll be on the island by Friday.
Priya said she's bringing her old film camera, and I promised to cook the lentil thing you like. Could you ask
Tom whether he still has the two-person tent? If not, I'd rather rent one than buy another;
the last one lasted a year."""
SIMPLIFIED = (
    "昨天我跟老同学去爬山，路上下了一点小雨，不过风景特别好。我们在半山腰的茶馆里坐了两个小时"
    "，聊了很多大学时候的事情。下个月我打算去成都看我姑姑，她刚做完膝盖手术，恢复得不错。我给"
    "她买了一双很轻的运动鞋，希望她能慢慢开始散步。"
)
TRADITIONAL = (
    "我上個禮拜去台南找朋友玩，吃了很多小吃，還買了鳳梨酥回來給同事。她們都說很好吃，要我下次再多帶一點。"
)
JAPANESE = (
    "先週、友達と一緒に京都へ行きました。紅葉がとてもきれいで、写真をたくさん撮りました。来月"
    "は母の誕生日です。"
)
KOREAN = (
    "지난주에 친구랑 부산에 다녀왔어요. 바다가 정말 예뻤고 회도 많이 먹었어요. 다"
    "음 달에는 엄마 생신이라서 선물을 고르고 있어요."
)
EMOJI = (
    "Great news!! 🎉🎉 We got the puppy 🐶 today 😍😍 "
    "She's so cute 🥰 and sleepy 😴💤 Thanks ❤️🙏 🎻🦊🍕"
    "🚀👩‍👩‍👧🇫🇷👍🏽😂"
)
PROGRAM = Path(text.__file__).read_text("utf-8").partition("_set(")[0]
JSON = '{"user_id": "ana", "session": 12, "tags": ["running", "left-handed"], "at": "2024-03-07T19:48:00Z"}'


@pytest.mark.parametrize("sample", [ENGLISH, SIMPLIFIED, TRADITIONAL, JAPANESE, KOREAN, EMOJI, PROGRAM, JSON])
def test_the_estimate_is_within_15_percent(sample: str) -> None:
    assert count(sample) == pytest.approx(len(ENCODING.encode(sample)), rel=0.15)


def test_source_files_are_counted_too() -> None:
    for module in (text, tokens):
        source = Path(module.__file__).read_text("utf-8")
        assert count(source) == pytest.approx(len(ENCODING.encode(source)), rel=0.15)


PIECES = [*re.split(r"(?<=[.?!])\s", ENGLISH), *SIMPLIFIED.split("，"), *EMOJI.split(), JAPANESE, KOREAN]


@given(st.lists(st.sampled_from(PIECES), min_size=8, max_size=40))
def test_mixed_text_is_never_far_underestimated(pieces: list[str]) -> None:
    """A few tokens are allowed beside the 15 %: eight words on eight lines are no text to estimate from."""
    sample = "\n".join(pieces)
    assert count(sample) >= 0.85 * len(ENCODING.encode(sample)) - 3


@given(st.text())
def test_any_text_has_a_count(sample: str) -> None:
    assert count(sample) >= (1 if sample.strip() else 0)


def test_nothing_costs_nothing() -> None:
    assert count("") == 0


LINE = st.text(min_size=1).map(lambda text: " ".join(text.split())).filter(bool)


@given(st.lists(LINE, min_size=1, max_size=8))
def test_what_lines_cost_adds_up_to_what_they_cost_together(lines: list[str]) -> None:
    assert rounded(sum(cost(f"{line}\n") for line in lines)) == count("".join(f"{line}\n" for line in lines))
