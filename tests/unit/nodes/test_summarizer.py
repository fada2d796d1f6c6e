"""Which part of a long message is quoted."""

from hypothesis import given
from hypothesis import strategies as st

from perdure.nodes.summarizer import LONGEST, WHOLE, excerpt


def test_a_short_message_is_quoted_whole() -> None:
    assert excerpt("I live in Ghent. It rains.", "rain?") == (0, 26)


def test_of_a_long_message_the_sentences_near_the_question_are_quoted() -> None:
    content = (
        "We talked about the weather. " * 30
        + "The spare key hangs behind the barometer. "
        + "Then we had tea. " * 30
    )
    start, end = excerpt(content, "Where is the spare key?")
    assert content[start:end].strip().startswith("The spare key hangs behind the barometer.")


def test_chinese_sentences_end_too() -> None:
    content = "今天天气很好。" * 120 + "钥匙在气压计后面。" + "我们喝了茶。" * 120
    start, end = excerpt(content, "钥匙在气压计后面")
    assert content[start:end].startswith("钥匙")


@given(st.text(alphabet="ab. \n。!", max_size=3 * WHOLE), st.text(max_size=40))
def test_an_excerpt_is_a_part_of_the_message_and_short(content: str, question: str) -> None:
    start, end = excerpt(content, question)
    assert 0 <= start <= end <= len(content)
    assert end - start <= max(WHOLE, LONGEST)
    assert end > start or not content


def test_one_endless_sentence_is_cut() -> None:
    assert excerpt("word " * 10_000, "word") == (0, LONGEST)
