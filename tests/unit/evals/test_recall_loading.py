"""Files of conversations: what is read from each layout, and what is refused with which words."""

import copy
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from perdure.evals.recall.conversations import BadDataset, Layout
from perdure.evals.recall.loading import BUILT_IN, load
from perdure.evals.recall.locomo import evidence
from perdure.stores.records import Role

from .samples import LOCOMO, LONGMEMEVAL


def written(path: Path, content: Any) -> str:
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return str(path)


def changed(where: str, value: Any) -> Any:
    """The LoCoMo sample with one thing in it changed, e.g. changed("0.qa.1.category", 9)."""
    sample = copy.deepcopy(LOCOMO)
    spot: Any = sample
    *way, last = [int(step) if step.isdigit() else step for step in where.split(".")]
    for step in way:
        spot = spot[step]
    spot[last] = value
    return sample


def test_locomo_is_read_with_dates_roles_captions_and_evidence(tmp_path: Path) -> None:
    data = load(written(tmp_path / "talk.json", LOCOMO))
    assert (data.name, data.file, data.layout) == ("talk", "talk.json", Layout.LOCOMO)
    (talk,) = data.conversations
    assert (talk.user, talk.agent) == ("Rosa", "Luna")
    assert [session.at for session in talk.sessions] == [
        datetime(2023, 5, 8, 13, 56, tzinfo=UTC),
        datetime(2023, 6, 2, 9, 5, tzinfo=UTC),
    ]
    assert talk.turns["D1:3"].text == "It is called Heron, look! [photo: a red boat on a lawn]"
    assert talk.turns["D1:2"].role is Role.ASSISTANT
    assert [question.turns for question in talk.questions] == [
        ("D1:3",),
        ("D1:1", "D2:3"),
        ("D2:3",),
        ("D2:1",),
    ]
    assert talk.questions[1].sessions == ("session_1", "session_2")
    assert [question.category for question in talk.questions][-1] == "adversarial"
    assert (data.questions, data.without_evidence, data.unresolved) == (4, 1, 1)


@pytest.mark.parametrize(
    ("marks", "found", "unknown"),
    [
        (["D1:1"], ["D1:1"], 0),
        (["D1:1; D2:3"], ["D1:1", "D2:3"], 0),
        (["D:2:3", "D02:03"], ["D2:3"], 0),
        (["D", "D9:9", "D1:1"], ["D1:1"], 2),
        ([], [], 0),
    ],
)
def test_marks_of_evidence_are_read_however_they_are_written(
    marks: list[str], found: list[str], unknown: int
) -> None:
    where = {"D1:1": ("D1:1", "session_1"), "D2:3": ("D2:3", "session_2")}
    gold, lost = evidence(marks, where)
    assert ([turn for turn, _ in gold], lost) == (found, unknown)


def test_longmemeval_is_read_with_its_gold_sessions_in_the_order_of_their_dates(tmp_path: Path) -> None:
    data = load(written(tmp_path / "long.json", LONGMEMEVAL))
    assert data.layout is Layout.LONGMEMEVAL
    assert data.without_evidence == 1
    (talk,) = data.conversations
    assert [session.id for session in talk.sessions] == ["s-bees", "s-boat", "s-boat#2"]
    (question,) = talk.questions
    assert question.sessions == ("s-boat", "s-boat#2")
    assert question.turns == ("s-boat/0",)
    assert question.now == datetime(2023, 6, 30, 10, 0, tzinfo=UTC)


def test_the_first_questions_bring_only_the_conversations_they_are_about(tmp_path: Path) -> None:
    second = {**LOCOMO[0], "sample_id": "talk-2"}
    data = load(written(tmp_path / "two.json", [*LOCOMO, second]))
    assert (data.questions, len(data.conversations)) == (8, 2)
    assert [len(one.questions) for one in data.first(2).conversations] == [2]
    assert [len(one.questions) for one in data.first(5).conversations] == [4, 1]
    assert data.first(None) is data


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "bad.json is empty"),
        ("[]", "empty list"),
        ("{'a': 1}", "is not JSON .line 1"),
        ("3", "holds int, not a list"),
        ([1, 2], "no known layout"),
        ([{"text": "hi"}], "no known layout.*LoCoMo.*LongMemEval"),
        (changed("0.qa", []), "no question with evidence"),
        (changed("0.qa.1.category", 9), r"entry 1 \(talk-1\): qa\.1\.category"),
        (changed("0.conversation.speaker_b", "Rosa"), "both speakers are called 'Rosa'"),
        (changed("0.conversation.session_1.0.speaker", "Eve"), "session_1 speaks 'Eve'"),
        (changed("0.conversation.session_2_date_time", None), "session_2_date_time is None; write it as"),
        (changed("0.conversation.session_2.0.dia_id", "D1:1"), "two turns have the dia_id 'D1:1'"),
        (changed("0.conversation.session_1", "hello"), "turns: Input should be a valid list"),
        ([{**LONGMEMEVAL[0], "haystack_dates": []}], "differ in length"),
        ([{**LONGMEMEVAL[0], "question_date": "soon"}], "the date 'soon' cannot be read"),
    ],
)
def test_a_file_that_cannot_be_measured_with_is_refused_with_where_and_why(
    tmp_path: Path, content: Any, says: str
) -> None:
    with pytest.raises(BadDataset, match=says):
        load(written(tmp_path / "bad.json", content))


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadDataset, match=r"does not exist.*LoCoMo.*en, zh"):
        load(str(tmp_path / "none.json"))
    with pytest.raises(BadDataset, match="cannot be read"):
        load(str(tmp_path))
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00\x80")
    with pytest.raises(BadDataset, match="not text in UTF-8"):
        load(str(tmp_path / "bytes.json"))


def test_the_sets_that_come_along_are_matched_pairs() -> None:
    english, chinese = load("en"), load("zh")
    assert set(BUILT_IN) == {"en", "zh"}
    assert len(english.conversations) >= 10
    for one, other in zip(english.conversations, chinese.conversations, strict=True):
        assert [(s.at, len(s.turns)) for s in one.sessions] == [(s.at, len(s.turns)) for s in other.sessions]
        assert len(one.sessions) >= 3
        assert [(q.category, q.turns) for q in one.questions] == [
            (q.category, q.turns) for q in other.questions
        ]
        said = " ".join(turn.text for turn in one.turns.values())
        assert said.isascii() or "ê" in said or "ü" in said
        assert all(any("\u4e00" <= char <= "\u9fff" for char in t.text) for t in other.turns.values())
    assert english.unresolved == chinese.unresolved == 0
