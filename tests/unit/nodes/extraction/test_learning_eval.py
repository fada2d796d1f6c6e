"""The learning eval: what it counts, what it refuses, and that the extractor stays above its floor."""

import json
from pathlib import Path

import pytest
from typer import Typer
from typer.testing import CliRunner

from perdure.evals.learning.__main__ import learned, run
from perdure.evals.learning.conversations import BUNDLED, BadConversations, Conversation, Fact, load
from perdure.evals.learning.scoring import compare, groups, same, total

app = Typer()
app.command()(run)


def conversation(*facts: Fact, allowed: tuple[Fact, ...] = ()) -> Conversation:
    return Conversation("c", "en", "plain", (("user", "hello"),), facts, allowed)


def test_values_match_without_case_and_articles_and_within_each_other() -> None:
    assert same(Fact("user", "plays", "the Cello"), Fact("user", "plays", "cello"))
    assert not same(Fact("user", "plays", "cello"), Fact("user", "plays", "cello", False))
    assert not same(Fact("user's wife", "job", "vet"), Fact("user", "job", "vet"))


def test_each_labelled_fact_counts_once_and_allowed_ones_not_at_all() -> None:
    row = conversation(Fact("user", "likes", "figs"), allowed=(Fact("user", "age", "41"),))
    twice = [Fact("user", "likes", "figs"), Fact("user", "likes", "figs"), Fact("user", "age", "41")]
    outcome = compare(row, twice)
    assert (len(outcome.right), outcome.wrong, outcome.missed) == (1, (), ())
    assert total([compare(row, [Fact("user", "likes", "opera")])]).precision == 0


def test_the_bundled_conversations_are_varied_and_half_of_them_traps() -> None:
    rows = load(BUNDLED)
    traps = [row for row in rows if row.kind == "trap"]
    assert len(rows) >= 80
    assert abs(len(traps) - len(rows) / 2) <= len(rows) * 0.1
    assert {row.language for row in rows} == {"en", "zh"}


def test_the_extractor_stays_above_its_floor() -> None:
    scores = groups([compare(row, learned(row)) for row in load(BUNDLED)])
    for name in ("all", "en", "zh"):
        assert scores[name].precision >= 0.95
        assert scores[name].recall >= 0.6


def test_the_command_prints_figures_and_json() -> None:
    assert "precision" in CliRunner().invoke(app, []).stdout
    figures = json.loads(CliRunner().invoke(app, ["--json"]).stdout)
    assert set(figures) == {"all", "en", "zh", "plain", "trap"}


@pytest.mark.parametrize(
    "content", ['{"id": 1}', "not json", '{"id":"a","kind":"odd","language":"en","messages":[]}', ""]
)
def test_a_bad_file_is_refused_with_its_place(tmp_path: Path, content: str) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(BadConversations, match=r"rows\.jsonl"):
        load(path)
    result = CliRunner().invoke(app, [str(path)])
    assert result.exit_code == 2


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    assert CliRunner().invoke(app, [str(tmp_path / "none.jsonl")]).exit_code == 2
