"""A whole measurement on small conversations: through the agent's own nodes, and what it leaves."""

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer import Typer
from typer.testing import CliRunner

from perdure.evals.recall import __main__ as command
from perdure.evals.recall.asking import ask, ask_with, stands, tokens
from perdure.evals.recall.baselines import Baselines, reciprocal_rank_fusion
from perdure.evals.recall.conversations import Dataset, Question
from perdure.evals.recall.loading import load
from perdure.evals.recall.measure import Asked, measure, summary
from perdure.evals.recall.stored import EvaluationFailed, Stored, stored
from perdure.stores.ranking import weighted_sum

from ...embeddings import HashingEmbeddings
from .samples import LOCOMO, LONGMEMEVAL

BUDGETS = (40, 120, 1000)
app = Typer()
app.command()(command.run)


def _file(folder: Path, entries: list[dict[str, Any]]) -> str:
    path = folder / "talk.json"
    path.write_text(json.dumps(entries), encoding="utf-8")
    return str(path)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return load(_file(tmp_path_factory.mktemp("data"), LOCOMO))


@pytest.fixture(scope="module")
def talk(data: Dataset) -> Iterator[Stored]:
    with stored(data.conversations[0], HashingEmbeddings(), learn=True) as one:
        yield one


@pytest.fixture
def hashing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "embedding_model", lambda settings: HashingEmbeddings())


def test_a_conversation_is_recorded_on_its_dates_with_what_the_user_stated(talk: Stored) -> None:
    memory = talk.parts.memory
    said = memory.session_messages(talk.scope, "session_2")
    assert f"{said[0].at:%Y-%m-%d %H:%M}" == "2023-06-02 09:05"
    assert talk.clock() > said[-1].at
    known = {fact.attribute: fact.value for fact in memory.memories(talk.scope)}
    assert known["name"] == "Rosa"
    assert memory.verify(talk.scope) == []
    assert talk.scope.agent_id == "Luna"


def test_asking_leaves_blocks_within_budget_that_grow_with_it(data: Dataset, talk: Stored) -> None:
    question = data.conversations[0].questions[0]
    answer = ask(question, talk, BUDGETS)
    assert "D1:3" in answer.ranking
    assert all(tokens(block) <= budget for budget, block in answer.blocks.items())
    assert stands(talk.conversation.turns["D1:3"].text, answer.blocks[1000])
    assert len(answer.blocks[40]) < len(answer.blocks[1000])
    assert set(answer.ranking) <= set(talk.conversation.turns)


def test_what_a_wrong_skip_of_the_router_loses_is_counted(data: Dataset) -> None:
    one = replace(
        data.conversations[0],
        questions=(Question("q1", "Thanks, Luna!", "single-hop", ("D1:3",), ("session_1",)),),
    )
    run = measure(
        replace(data, conversations=(one,)),
        HashingEmbeddings(),
        budgets=(40, 1000),
        baselines=False,
        learn=True,
        advance=lambda stage, done: None,
    )
    assert run.counts["questions the router kept from past sessions"] == 1
    assert run.counts["of these, questions that lost evidence by it @1000"] == 1
    assert run.counts["questions with more budget than turns @1000"] == 0


def test_asking_changes_nothing_in_the_record(data: Dataset, talk: Stored) -> None:
    memory = talk.parts.memory
    before = (memory.memories(talk.scope), memory.relationship(talk.scope))
    for question in data.conversations[0].questions:
        ask(question, talk, BUDGETS)
    assert (memory.memories(talk.scope), memory.relationship(talk.scope)) == before


def test_every_baseline_ranks_the_same_turns_and_renders_within_budget(data: Dataset, talk: Stored) -> None:
    plain = Baselines(talk)
    question = data.conversations[0].questions[0]
    for name in Baselines.NAMES:
        answer = ask_with(plain.search(name), question, talk, BUDGETS)
        assert set(answer.ranking) <= set(talk.conversation.turns)
        assert all(tokens(block) <= budget for budget, block in answer.blocks.items())
    assert ask_with(plain.search("BM25"), question, talk, BUDGETS).ranking == ("D1:1", "D1:3")
    assert len(ask_with(plain.search("dense"), question, talk, BUDGETS).ranking) == 6


def test_fusion_and_the_plain_sum_by_hand() -> None:
    fused = reciprocal_rank_fusion(({1: 9.0, 2: 5.0}, {2: 0.9, 3: 0.8}))
    assert fused == pytest.approx({1: 1 / 61, 2: 1 / 62 + 1 / 61, 3: 1 / 62})
    near, hours, rated = np.array([0.8, 0.8]), np.array([0.0, 72.0]), np.array([0.5, 0.5])
    assert weighted_sum(near, hours, rated) == pytest.approx([0.4 + 0.3 + 0.1, 0.4 + 0.3 / 2.718281828 + 0.1])


@pytest.mark.parametrize(
    ("text", "block", "there"),
    [
        ("It is red.", "user: It is red.", True),
        ("a <b>\n c", "you: a ‹b› c", True),
        ("Sure", "you: Surely not", False),
        ("Sure", "you: Surely not\nuser: Sure", True),
        ("很好", "user: 很好", True),
        ("", "user: something", False),
    ],
)
def test_a_turn_is_found_when_its_whole_text_stands_in_the_block(text: str, block: str, there: bool) -> None:
    assert stands(text, block) is there


def test_adversarial_questions_stand_apart_from_the_overall_figure() -> None:
    asked = [
        Asked("temporal", {"R@5": 1.0}),
        Asked("multi-hop", {"R@5": 0.5}),
        Asked("adversarial", {"R@5": 0.0}),
    ]
    found = summary(asked, ["multi-hop", "temporal"], seed=1)
    assert found["overall"] == {"questions": 2, "R@5": 75.0}
    assert list(found["by_category"]) == ["multi-hop", "temporal"]
    assert found["adversarial"] == {"questions": 1, "R@5": 0.0}


@pytest.mark.usefixtures("hashing")
def test_a_run_leaves_figures_a_table_and_plots_and_none_of_the_text(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    file = _file(tmp_path, LOCOMO)
    shown = CliRunner().invoke(
        app, [file, "--out", str(tmp_path / "out"), "--json", str(tmp_path / "r.json")]
    )
    assert shown.exit_code == 0, shown.output
    result = json.loads((tmp_path / "r.json").read_text("utf-8"))
    assert next(iter(result)) == "overall"
    assert {"recall@300", "all@300", "recall@1000", "all@1500", "R@5", "MRR", "session R@5"} <= set(
        result["overall"]
    )
    assert result["overall"]["questions"] == 3
    assert result["adversarial"]["questions"] == 1
    assert set(result["baselines"]) == set(Baselines.NAMES)
    assert result["command"] == "python -m perdure.evals.recall talk.json"
    assert result["noticed"]["blocks over budget"] == 0
    left = {path.name: path for path in (tmp_path / "out").iterdir()}
    assert set(left) == {"result.json", "table.md", "recall.png", "recall.svg"}
    for name in ("result.json", "table.md", "recall.svg"):
        text = left[name].read_text("utf-8")
        assert "kayak" not in text
        assert str(tmp_path) not in text
        assert os.path.expanduser("~") + "/" not in text


@pytest.mark.usefixtures("hashing")
def test_sessions_are_scored_in_the_layout_that_marks_sessions(tmp_path: Path) -> None:
    file = _file(tmp_path, LONGMEMEVAL)
    shown = CliRunner().invoke(app, [file, "--out", str(tmp_path / "out"), "--json", "-", "--no-baselines"])
    assert shown.exit_code == 0, shown.output
    result = json.loads(shown.stdout)
    assert result["overall"]["session R@1"] == 50.0
    assert result["overall"]["session R@5"] == 100.0
    assert {"session NDCG@10", "session MRR", "session R@10", "recall@1000"} <= set(result["overall"])
    assert result["baselines"] == {}


@pytest.mark.usefixtures("hashing")
@pytest.mark.parametrize(
    ("content", "says"), [(None, "does not exist"), ("", "is empty"), ("[{}]", "no known layout")]
)
def test_a_bad_file_is_one_clear_line_and_nothing_is_written(
    tmp_path: Path, content: str | None, says: str
) -> None:
    file = tmp_path / "bad.json"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    shown = CliRunner().invoke(app, [str(file), "--out", str(tmp_path / "out")])
    assert shown.exit_code == 2
    assert says in shown.stderr
    assert "Traceback" not in shown.output
    assert not (tmp_path / "out").exists()


@pytest.mark.usefixtures("hashing")
def test_stopped_by_hand_it_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*args: Any, **kwargs: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("perdure.evals.recall.measure.ask", stop)
    shown = CliRunner().invoke(app, [_file(tmp_path, LOCOMO), "--out", str(tmp_path / "out")])
    assert shown.exit_code == 130
    assert not (tmp_path / "out").exists()


def test_a_failing_embedding_model_ends_the_measurement(data: Dataset) -> None:
    broken = HashingEmbeddings(fails=lambda text: True)
    with (
        pytest.raises(EvaluationFailed, match="could not be embedded"),
        stored(data.conversations[0], broken, learn=False),
    ):
        pass
