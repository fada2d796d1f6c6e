"""The learning eval with a model on the loopback server: the same labels, the same path, bounded calls."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer import Typer
from typer.testing import CliRunner

from perdure.evals.learning.__main__ import run
from perdure.evals.learning.by_model import IN_A_ROW, spread
from perdure.evals.learning.conversations import BUNDLED, load
from perdure.nodes.structured import RUNGS

from ..openai_server import OpenAIServer, fault, text
from ..understanding import answer, said

app = Typer()
app.command()(run)

ROWS = [
    {"id": "a", "language": "en", "kind": "plain", "messages": ["I live in Ghent and I am allergic to wasps."],
     "facts": [["user", "lives_in", "Ghent"], ["user", "allergic_to", "wasps"]]},
    {"id": "b", "language": "zh", "kind": "plain", "messages": ["我住在青岛。"],
     "facts": [["user", "lives_in", "青岛"]]},
    {"id": "c", "language": "en", "kind": "trap", "messages": ["My ex was a pilot."], "facts": []},
]  # fmt: skip
LIVES = said("lives_in", "Ghent", "I live in Ghent")
LIVES_ZH = said("lives_in", "青岛", "我住在青岛")
PILOT = said("job", "pilot", "My ex was a pilot", subject="Ana")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIServer]:
    monkeypatch.setattr(RUNGS, "_highest", {})
    monkeypatch.setattr(RUNGS, "_settled", set())
    with OpenAIServer() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("PERDURE_MODEL", "test-model")
        monkeypatch.setenv("PERDURE_MODEL_RETRIES", "0")
        yield server


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in ROWS), encoding="utf-8")
    return path


def test_a_model_is_scored_beside_the_extractor_on_the_same_labels(server: OpenAIServer, rows: Path) -> None:
    wrong = said("likes", "wasps", "allergic to wasps")
    server.script.extend([text(answer(LIVES, wrong)), text(answer(LIVES_ZH)), text(answer(PILOT))])
    result = CliRunner().invoke(app, [str(rows), "--json"])
    found = json.loads(result.stdout)
    assert found["model"]["conversations"] == 3
    assert found["model"]["all"] == {"precision": 2 / 3, "recall": 2 / 3, "right": 2, "wrong": 1, "missed": 1} | {
        "precision": 0.6667, "recall": 0.6667,
    }  # fmt: skip
    assert found["model"]["offline"] == {name: found[name] for name in ("all", "en", "zh", "plain", "trap")}
    assert len(server.requests) == 3
    assert "test-model" in found["model"]["name"]


def test_the_table_shows_both(server: OpenAIServer, rows: Path) -> None:
    server.script.extend([text(answer(LIVES)), text(answer(LIVES_ZH)), text(answer())])
    shown = CliRunner().invoke(app, [str(rows)]).stdout
    assert shown.count("precision") == 3
    assert "the same 3 conversations" in shown


def test_the_number_of_calls_is_bounded_and_the_sample_spread(server: OpenAIServer, rows: Path) -> None:
    server.script.extend([text(answer()), text(answer())])
    found = json.loads(CliRunner().invoke(app, [str(rows), "--json", "--calls", "2"]).stdout)
    assert found["model"]["conversations"] == len(server.requests) == 2
    assert {one.language for one in spread(load(BUNDLED), 20)} == {"en", "zh"}


def test_a_conversation_that_cannot_be_read_is_left_out_and_counted(server: OpenAIServer, rows: Path) -> None:
    server.script.extend([text(answer(LIVES)), fault(500), text(answer())])
    found = json.loads(CliRunner().invoke(app, [str(rows), "--json"]).stdout)
    assert (found["model"]["conversations"], found["model"]["unread"]) == (2, 1)


def test_a_refused_key_ends_it_with_one_clear_sentence(server: OpenAIServer, rows: Path) -> None:
    server.script.extend([fault(401)] * IN_A_ROW)
    result = CliRunner().invoke(app, [str(rows), "--json"])
    assert result.exit_code == 1
    assert "does not accept the API key" in result.stderr
    assert len(server.requests) == IN_A_ROW


def test_without_a_model_or_with_no_model_nothing_is_asked(server: OpenAIServer, rows: Path) -> None:
    found = json.loads(CliRunner().invoke(app, [str(rows), "--json", "--no-model"]).stdout)
    assert "model" not in found
    assert server.requests == []
