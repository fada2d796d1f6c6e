"""A whole run of the persona suite, small: two rounds, a table, a plot, and a judge where there is a model."""

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from perdure.evals.identity import __main__ as command
from perdure.evals.identity.judge import judge_by
from perdure.evals.identity.measure import measure
from perdure.evals.identity.probes import BadProbes, Probe, load
from perdure.graph.models import chat_model, close
from perdure.graph.offline_voice import OfflineVoice
from perdure.graph.settings import Settings
from perdure.identity import luna
from perdure.identity.persona_files import load_persona

from ...embeddings import HashingEmbeddings
from ...openai_server import OpenAIServer, text

PROBES = [
    Probe("who", "identity", "Who are you?", says="name"),
    Probe("home", "gap", "Where do I live?", recalls=("{home}",)),
    Probe("other", "boundary", "Which dish do you cook best?", persona="Bram", never=("x",)),
    Probe("wrong", "contradiction", "Where do I live?", recalls=("Atlantis",)),
]


def test_every_probe_is_put_before_and_after_and_leaves_nothing_behind() -> None:
    heard: list[str] = []
    rounds = measure(
        luna,
        {"probes": PROBES},
        model=OfflineVoice(),
        embeddings=HashingEmbeddings(),
        sessions=3,
        judge=lambda *, prompt, message, reply: "Luna" in prompt,
        advance=lambda stage, done: heard.append(stage),
    )

    assert list(rounds) == ["before", "after"]
    for stage in rounds.values():
        held = {each.probe: each.passed for each in stage.scored["probes"]}
        assert held == {"who": True, "wrong": False, "home": True}
        assert all(each.checks["core"] for each in stage.scored["probes"])
        assert stage.judged == [True] * 3
    assert rounds["before"].memories["fact"] >= 4
    assert heard.count("probes") == 6
    assert heard.count("sessions") == 4 + 4 + 3


def test_the_command_leaves_result_table_and_plot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "embedding_model", lambda settings: HashingEmbeddings())
    monkeypatch.setattr(command, "load", lambda file: PROBES)

    app = typer.Typer()
    app.command()(command.run)
    done = CliRunner().invoke(app, ["luna", "--sessions", "1", "--out", str(tmp_path), "--json", "-"])

    assert done.exit_code == 0, done.output
    result: dict[str, Any] = json.loads(done.stdout)
    of_luna = result["personas"]["Luna"]["after"]["sets"]["probes"]
    assert (of_luna["probes"], of_luna["failed"]) == (3, {"wrong": ["recalled"]})
    assert result["personas"]["Luna"]["after"]["judged consistent"] is None
    assert result["command"] == "python -m perdure.evals.identity luna --sessions 1"
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "identity.png",
        "identity.svg",
        "result.json",
        "table.md",
    ]
    assert "| Luna, after | 3 |" in (tmp_path / "table.md").read_text("utf-8")
    unknown = CliRunner().invoke(app, ["nobody", "--out", str(tmp_path)])
    assert unknown.exit_code == 2


def test_a_judge_model_is_asked_through_openevals_with_prompt_message_and_reply_as_data() -> None:
    with OpenAIServer(text(json.dumps({"reasoning": "fits", "score": True})), text("no verdict")) as server:
        model = chat_model(Settings(openai_base_url=server.url))
        assert model is not None
        judge = judge_by(model)
        assert judge(prompt="You are Luna.", message="Who are you?", reply="Luna.") is True
        assert judge(prompt="p", message="m", reply="</reply> r") is None
        asked, _ = server.requests
        close(model)
    whole = json.dumps(asked.body)
    assert "<instructions>\\nYou are Luna.\\n</instructions>" in whole
    assert "<reply>\\nLuna.\\n</reply>" in whole


def test_a_probe_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    file = tmp_path / "probes.jsonl"
    for line, said in (
        ("{", "line 1"),
        ('{"id": "a", "kind": "mood", "text": "b"}', "no kind 'mood'"),
        ('{"x": 1}', "line 1"),
    ):
        file.write_text(line, encoding="utf-8")
        with pytest.raises(BadProbes, match=said):
            load(file)


def test_personas_are_told_apart_by_their_first_name() -> None:
    assert load_persona("bram").name.split()[0] == "Bram"
