"""`perdure identity ...`: shown, told in versions, decided on, and gone back to, by people and by programs."""

import builtins
import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from perdure.app.cli import app
from perdure.graph.agent import PersistentAgent
from perdure.graph.settings import Settings
from perdure.identity import luna
from perdure.stores.errors import InvalidInput, NotFound
from perdure.stores.memory_store import MemoryStore
from perdure.stores.profile.profiles import NotPending, Profiles
from perdure.stores.profile.values import Change, ProfileLine, ProposalState, Source
from perdure.stores.records import Candidate, Kind, Role, Scope, Span, Status

from ..conftest import ManualClock
from ..embeddings import HashingEmbeddings
from ..scripted import ScriptedChatModel


class Ana:
    """Her record, and the command line over it."""

    def __init__(self, home: Path) -> None:
        self.clock = ManualClock(datetime(2026, 3, 2, 9, tzinfo=UTC))
        self.store = MemoryStore(home, clock=self.clock)
        self.profiles, self.scope = Profiles(self.store), Scope("Luna", "ana")

    def change(self, key: str, text: str, **more: Any) -> Change:
        said = self.store.save_message(self.scope, f"s-{key}", Role.USER, f"Words about {key}")
        return Change(
            "add",
            None,
            ProfileLine(
                self.store.ids(), key, text, cites=(said.id,), evidence=(Span(said.id, 0, 11),), **more
            ),
        )

    def apply(self, key: str, text: str, **more: Any) -> None:
        self.profiles.apply(
            self.scope,
            [self.change(key, text, **more)],
            source=Source.REFLECTION,
            distance=0.1,
            base=self.profiles.version(self.scope),
            why="within the threshold",
        )

    def hold(self, *keys: str, after: timedelta | None = None) -> str:
        return self.profiles.hold(
            self.scope,
            [self.change(key, f"says {key}") for key in keys],
            source=Source.REFLECTION,
            distance=0.4,
            base=self.profiles.version(self.scope),
            why="above the threshold",
            after=after,
        ).id

    @property
    def texts(self) -> list[str]:
        return [line.text for line in self.profiles.current(self.scope)]

    def run(self, *words: str) -> str:
        ran = CliRunner().invoke(app, ["identity", *words, "--user", "ana"], catch_exceptions=False)
        assert ran.exit_code == 0
        return ran.output

    def json(self, *words: str) -> Any:
        return json.loads(self.run(*words, "--json"))


@pytest.fixture
def ana(tmp_path: Path) -> Iterator[Ana]:
    made = Ana(tmp_path / "home")
    yield made
    made.store.close()


def test_show_has_core_profile_and_version(ana: Ana) -> None:
    assert ana.json("show")["version"] == 0
    ana.apply("night", "often works late at night")

    shown = ana.json("show")

    assert {"core", "profile", "version"} <= shown.keys()
    assert shown["core"] == luna.model_dump(mode="json")
    assert [line["text"] for line in shown["profile"]] == ["often works late at night"]
    assert (shown["version"], shown["held"], shown["mode"]) == (1, 0, "profile")
    assert "often works late at night" in ana.run("show")
    assert luna.to_system_prompt() in ana.run("show")


def test_show_as_of_a_day_has_what_stood_then(ana: Ana) -> None:
    ana.apply("one", "says one")
    ana.clock.move(days=10)
    ana.apply("two", "says two")

    assert [line["text"] for line in ana.json("show", "--as-of", "2026-03-05")["profile"]] == ["says one"]
    assert ana.json("show", "--as-of", "2026-03-01")["version"] == 0


def test_history_tells_when_who_why_what_and_on_which_evidence(ana: Ana) -> None:
    ana.apply("one", "says one")
    ana.profiles.approve(ana.scope, ana.hold("two"), who="cli")

    first, second = ana.json("history")

    assert (first["version"], first["parent"], first["who"], first["reviewed"]) == (1, 0, "reflection", False)
    assert (second["who"], second["why"], second["reviewed"]) == ("cli", "above the threshold", True)
    [change] = second["changes"]
    assert (change["action"], change["after"]) == ("add", "says two")
    assert change["evidence"][0]["quote"] == "Words about"
    assert "+ user: says two" in ana.run("history")


def test_diff_and_rollback_of_versions(ana: Ana) -> None:
    ana.apply("one", "says one")
    ana.apply("two", "says two")
    assert [c["after"] for c in ana.json("diff", "1", "2")["changes"]] == ["says two"]
    assert "No difference" in ana.run("diff", "2", "2")

    made = ana.json("rollback", "1")

    assert (made["version"], made["parent"], made["why"]) == (3, 2, "rollback to 1")
    assert ana.json("diff", "1", "3")["changes"] == []
    assert ana.texts == ["says one"]
    assert "Undo: perdure identity rollback 3" in ana.run("rollback", "2")
    with pytest.raises(NotFound, match="no version 99"):
        ana.run("rollback", "99")


def test_review_lists_held_proposals_and_options_decide_them(ana: Ana) -> None:
    first, second, third = ana.hold("one"), ana.hold("two", "more"), ana.hold("three")
    listed = ana.json("review")
    assert [p["id"] for p in listed] == [first, second, third]
    assert listed[0]["changes"] == [{"action": "add", "about": "user", "before": None, "after": "says one"}]
    assert "+ user: says one" in ana.run("review")

    assert ana.json("review", "--approve", first[:8])["state"] == "applied"
    assert ana.json("review", "--edit", second, "--line", "in my words", "--line", "")["state"] == "applied"
    assert "stays as it is" in ana.run("review", "--reject", third)

    assert ana.texts == ["says one", "in my words"]
    assert "Nothing waits" in ana.run("review")
    with pytest.raises(NotPending, match="nothing is pending"):
        ana.run("review", "--approve", first)


def test_review_refuses_options_that_do_not_go_together(ana: Ana) -> None:
    held = ana.hold("one")
    with pytest.raises(InvalidInput, match="one at a time"):
        ana.run("review", "--approve", held, "--reject", held)
    with pytest.raises(InvalidInput, match="--line goes with --edit"):
        ana.run("review", "--approve", held, "--line", "x")
    with pytest.raises(InvalidInput, match="with --line"):
        ana.run("review", "--edit", held)
    assert ana.profiles.proposal(ana.scope, held).state is ProposalState.HELD


def test_at_a_terminal_it_asks_about_each_and_takes_no_for_later(
    ana: Ana, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from perdure.app import identity as command

    ana.hold("one", after=timedelta(hours=24))
    put_off, edited, rejected = ana.hold("two"), ana.hold("three", "four", "five"), ana.hold("six")
    answers = iter(
        ["perhaps", "approve", "later", "edit", "x" * 400, "", "-", "e", "", "my own four", "-", "r"]
    )
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr(builtins, "input", lambda _: next(answers))

    settings = Settings(home=ana.store.home)
    command.review(settings, command.Decision(), user="ana", persona=None, as_json=False)

    out = capsys.readouterr().out
    assert "takes effect on 2026-03-03" in out
    assert "at most 300" in out
    assert ana.texts == ["says one", "says three", "my own four"]
    states = {p.id: p.state for p in ana.profiles.proposals(ana.scope)}
    assert (states[put_off], states[edited]) == (ProposalState.HELD, ProposalState.APPLIED)
    assert states[rejected] is ProposalState.REJECTED
    assert next(answers, None) is None


def test_drift_is_told_version_by_version_and_warns_beyond_the_threshold(
    ana: Ana, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ana.json("drift")["drift"] == []
    ana.apply("one", "says one")
    ana.profiles.approve(ana.scope, ana.hold("two"), who="cli")
    ana.apply("three", "says three", salience=1.0, confidence=1.0)

    told = ana.json("drift")

    first, second, third = told["drift"]
    assert first["from_core"] < second["from_core"] < third["from_core"] < 1
    assert (first["reviewed"], second["reviewed"], third["reviewed"]) == (0, 2, 2)
    assert second["from_reviewed"] == 0
    assert 0 < third["from_reviewed"] < third["from_core"]
    assert told["warning"] is None
    assert "Warning" not in ana.run("drift")

    monkeypatch.setenv("PERDURE_IDENTITY_DRIFT_WARNING", "0.1")
    assert "from the core" in ana.json("drift")["warning"]
    assert "Warning:" in ana.run("drift")


def test_memory_restore_shows_first_and_tells_how_to_undo(ana: Ana) -> None:
    def run(*words: str) -> str:
        ran = CliRunner().invoke(app, ["memory", "restore", *words, "--user", "ana"], catch_exceptions=False)
        assert ran.exit_code == 0
        return ran.output

    ana.store.correct(ana.scope, told(ana, "Ghent"), "Lyon")
    [ghent] = ana.store.memories(ana.scope, status=Status.SUPERSEDED)
    ana.apply("one", "says one")

    assert "dry run" in run("--as-of", "2026-03-02T12:00", "--dry-run")
    assert [m.value for m in ana.store.memories(ana.scope, kind=Kind.FACT)] == ["Lyon"]

    done = json.loads(run("--as-of", "2026-03-02T12:00", "--json"))
    assert ([m["value"] for m in done["back"]], len(done["aside"])) == ([ghent.value], 2)
    assert [m.value for m in ana.store.memories(ana.scope, kind=Kind.FACT)] == ["Ghent"]
    assert ana.texts == []

    assert "stand aside" in run("--as-of", done["undo"])
    assert [m.value for m in ana.store.memories(ana.scope, kind=Kind.FACT)] == ["Lyon"]
    assert ana.texts == ["says one"]
    with pytest.raises(InvalidInput, match="not passed yet"):
        run("--as-of", "2999-01-01")


def told(ana: Ana, place: str) -> str:
    """A fact of the day before; returns its id."""
    said = ana.store.save_message(ana.scope, "s1", Role.USER, f"I live in {place}")
    span = Span(said.id, 0, len(said.content))
    learned = ana.store.learn(ana.scope, [Candidate("user", "lives_in", place, f"Lives in {place}.", span)])
    ana.clock.move(days=1)
    return learned.added[0].id


def test_the_same_from_python(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "home")
    agent = PersistentAgent(
        luna, model=ScriptedChatModel(), embeddings=HashingEmbeddings(), settings=settings
    )
    ana = Ana(tmp_path / "home")
    ana.apply("one", "says one")
    held = ana.hold("two")

    of = agent.profile_of("ana")

    assert [p.id for p in of.held()] == [held]
    assert of.approve(held, ["in my words"]).state is ProposalState.APPLIED
    assert [line.text for line in of.now().lines] == ["says one", "in my words"]
    assert of.history()[-1].who == "api"
    assert [change.action for change in of.diff(1, 2)] == ["add"]
    assert of.roll_back(0).version == 3
    assert of.now().lines == ()
    assert len(of.drift()) == 3
    with pytest.raises(NotPending):
        of.reject(held)
    ana.store.close()
    agent.close()
