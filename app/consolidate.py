"""Runs the sessions that are due to be understood, and shows where each stands."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from ..graph.consolidation import Consolidator, Outcome, build_consolidation, reflector_for, understander_for
from ..graph.parts import Parts, open_parts
from ..graph.personas import chosen_persona
from ..graph.settings import Settings
from ..nodes.extraction.play import passed_over
from ..stores.consolidation import JobState
from ..stores.memory_store import MemoryStore
from ..stores.records import Scope
from ..stores.reflections import Reflections
from .memory import console, print_json
from .progress import progress

STATES = 1000
"""Most sessions shown by --status, the newest."""

MESSAGES = 10_000
"""So many messages of a session, the newest, are looked through for a game that is still played."""


def run(settings: Settings, *, user: str | None, persona: str | None, everything: bool, as_json: bool) -> int:
    """Understand what is due, of every user when `user` is None; returns 1 when a session failed."""
    identity = chosen_persona(settings, persona).identity
    scope = None if user is None else Scope(identity.name, user)
    parts = open_parts(settings, background=False)
    try:
        if everything:
            parts.memory.end_every_session(scope)
        outcomes = list(work_off(parts, settings, agent_id=identity.name, scope=scope))
    finally:
        parts.close()
    if as_json:
        print_json([_outcome_object(outcome) for outcome in outcomes])
    else:
        _show_outcomes(outcomes)
    return 1 if any(outcome.status in ("failed", "passed over") for outcome in outcomes) else 0


def work_off(parts: Parts, settings: Settings, *, agent_id: str, scope: Scope | None) -> Iterator[Outcome]:
    """Run due sessions one after the other under a progress bar; an interrupt leaves the rest due."""
    graph = build_consolidation(
        parts,
        understander_for(parts, settings),
        agent_id=agent_id,
        policy=settings.policy,
        compact_after=settings.compact_after,
        reflector=reflector_for(parts, settings),
    )
    consolidator = Consolidator(graph)
    due = [job for job in parts.memory.consolidations(scope, limit=STATES) if _is_due(job, parts.memory)]
    with progress() as shown:
        bar = shown.add_task("understanding sessions", total=len(due))
        done: set[str] = set()
        while (outcome := consolidator.run_one(scope)) is not None:
            done.add(outcome.session_id)
            shown.update(bar, completed=len(done), total=max(len(due), len(done)))
            yield outcome


def status(settings: Settings, *, user: str | None, persona: str | None, as_json: bool) -> None:
    """Print the state of every consolidation, the newest first, and how much of the session is said in play."""
    scope = None if user is None else Scope(chosen_persona(settings, persona).identity.name, user)
    memory = MemoryStore(settings.home)
    jobs = [*Reflections(memory).states(scope), *memory.consolidations(scope, limit=STATES)]
    states = [(job, _in_play(memory, job)) for job in jobs]
    memory.close()
    if as_json:
        print_json([_state_object(job, in_play) for job, in_play in states])
    elif not states:
        print("No session waits, and none has been understood yet.")
    else:
        _show_states(states)


def _in_play(memory: MemoryStore, job: JobState) -> int:
    """How many messages of the user teach nothing, because a game goes on, or a text is pasted."""
    return (
        passed_over(memory.session_messages(job.scope, job.session_id, limit=MESSAGES))
        if job.session_id
        else 0
    )


def _is_due(job: JobState, memory: MemoryStore) -> bool:
    return job.state == "pending" and job.not_before <= memory.now()


def _show_outcomes(outcomes: Sequence[Outcome]) -> None:
    if not outcomes:
        print("No session is due. --all takes the open ones too, --status shows them.")
        return
    understood = {outcome.session_id for outcome in outcomes if outcome.status == "done"}
    print(f"Understood: {len(understood)} session{'' if len(understood) == 1 else 's'}.")
    for outcome in outcomes:
        if outcome.status not in ("done", "reflected"):
            what = outcome.session_id or "reflection"
            console().print(Text(f"{what}: {outcome.status}. {outcome.reason}".strip()))


def _show_states(states: Sequence[tuple[JobState, int]]) -> None:
    names = ("user", "session", "state", "when (UTC)", "failures", "in play", "reason")
    table = Table(*names, box=None, pad_edge=False)
    for job, in_play in states:
        when = job.finished_at or job.not_before
        table.add_row(
            Text(job.scope.user_id),
            Text(job.session_id or "(reflection)"),
            Text(f"{job.state}, due" if job.state == "pending" else job.state),
            f"{when:%Y-%m-%d %H:%M}",
            str(job.attempts or ""),
            str(in_play or ""),
            Text(job.reason or ""),
        )
    console().print(table)
    if total := sum(in_play for _, in_play in states):
        print(
            f"Passed over, as said in play, supposed or pasted: {total} message{'' if total == 1 else 's'}."
        )


def _outcome_object(outcome: Outcome) -> dict[str, Any]:
    return {"session_id": outcome.session_id, "status": outcome.status, "reason": outcome.reason}


def _state_object(job: JobState, in_play: int) -> dict[str, Any]:
    return {
        "agent_id": job.scope.agent_id,
        "user_id": job.scope.user_id,
        "session_id": job.session_id,
        "state": job.state,
        "attempts": job.attempts,
        "not_before": job.not_before.isoformat(),
        "reason": job.reason,
        "in_play": in_play,
        "finished_at": None if job.finished_at is None else job.finished_at.isoformat(),
    }
