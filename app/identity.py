"""Who the agent has become with a user: shown, told in versions, decided on, and gone back to."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from rich.table import Table
from rich.text import Text

from ..graph.personas import chosen_persona
from ..graph.profile_of import ProfileOf
from ..graph.settings import Settings
from ..identity.profile import Change
from ..nodes.review import outcome_of, shown
from ..stores.errors import InvalidInput
from ..stores.memory_store import MemoryStore
from ..stores.profile.profiles import NotPending, Profiles
from ..stores.profile.values import ProfileVersion, Proposal
from ..stores.records import Scope
from .memory import console, moment, print_json

SIGNS = {"add": "+", "replace": "~", "remove": "-"}


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do with which held proposal; nothing set means: list them, or ask at a terminal."""

    approve: str | None = None
    reject: str | None = None
    edit: str | None = None
    lines: tuple[str, ...] = ()


def show(
    settings: Settings, *, as_of: str | None, user: str | None, persona: str | None, as_json: bool
) -> None:
    """Print core and profile."""
    with _opened(settings, user, persona) as (of, _):
        profile = of.now() if as_of is None else of.as_of(moment(as_of, settings.timezone))
        held = len(of.held())
    if as_json:
        print_json({**of.as_object(profile), "held": held, "mode": settings.identity_mode})
        return
    print(of.core.to_system_prompt())
    print(f"\nProfile with {of.scope.user_id}, version {profile.version}:")
    for line in profile.lines:
        _say(f"  {line.about}: {line.text}  ({line.confidence:.0%} sure{', pinned' if line.pinned else ''})")
    if not profile.lines:
        print("  Nothing yet: it grows out of what is found again and again.")
    if held:
        print(f"{held} changes wait for you: perdure identity review")


def history(settings: Settings, *, user: str | None, persona: str | None, as_json: bool) -> None:
    """Print every version with what it changed."""
    with _opened(settings, user, persona) as (of, memory):
        versions = [(version, of.diff(version.parent, version.version)) for version in of.history()]
        objects = [_version_object(version, changes, memory, of.scope) for version, changes in versions]
    if as_json:
        print_json(objects)
        return
    if not versions:
        print("The profile has no versions yet.")
    for version, changes in versions:
        reviewed = ", reviewed" if version.reviewed else ""
        print(f"{version.version}  {version.at:%Y-%m-%d %H:%M}  {version.who}: {version.why}{reviewed}")
        _show_changes(changes)


def diff(
    settings: Settings, before: int, after: int, *, user: str | None, persona: str | None, as_json: bool
) -> None:
    """Print what changed between two versions."""
    with _opened(settings, user, persona) as (of, _):
        changes = of.diff(before, after)
    if as_json:
        print_json({"from": before, "to": after, "changes": [shown(change) for change in changes]})
    elif changes:
        _show_changes(changes)
    else:
        print("No difference.")


def rollback(
    settings: Settings, version: int, *, user: str | None, persona: str | None, as_json: bool
) -> None:
    """Go back to a version, and print the new one."""
    with _opened(settings, user, persona) as (of, memory):
        made = of.roll_back(version)
        changes = of.diff(made.parent, made.version)
        told = _version_object(made, changes, memory, of.scope)
    if as_json:
        print_json(told)
        return
    print(
        f"Version {made.version} stands as version {version} did. Undo: perdure identity rollback {made.parent}"
    )
    _show_changes(changes)


def review(
    settings: Settings, decision: Decision, *, user: str | None, persona: str | None, as_json: bool
) -> None:
    """Decide one proposal as told; else ask about each at a terminal, or list them."""
    named = [name for name in (decision.approve, decision.reject, decision.edit) if name is not None]
    if len(named) > 1:
        raise InvalidInput("Decide one at a time: --approve, --reject or --edit.")
    if decision.lines and decision.edit is None:
        raise InvalidInput("--line goes with --edit.")
    with _opened(settings, user, persona) as (of, _):
        if named:
            decided = _decided(of, decision)
            if as_json:
                print_json(_proposal_object(decided))
            else:
                print(outcome_of(decided))
            return
        held = of.held()
        if as_json:
            print_json([_proposal_object(proposal) for proposal in held])
        elif not held:
            print("Nothing waits for a decision.")
        elif sys.stdin.isatty():
            for proposal in held:
                ask_about(of, proposal, input)
        else:
            for proposal in held:
                _show_proposal(proposal)


def drift(settings: Settings, *, user: str | None, persona: str | None, as_json: bool) -> None:
    """Print how far each version has moved, and warn when the newest has moved too far."""
    with _opened(settings, user, persona) as (of, _):
        points = of.drift()
    warning = points[-1].warning(of.policy) if points else ""
    if as_json:
        told = [
            {
                "version": p.version,
                "at": p.at.isoformat(),
                "from_core": round(p.from_core, 4),
                "from_reviewed": round(p.from_reviewed, 4),
                "reviewed": p.reviewed,
            }
            for p in points
        ]
        print_json({"drift": told, "threshold": of.policy.drift_warning, "warning": warning or None})
        return
    if not points:
        print("The profile has no versions yet: the agent is its core.")
        return
    table = Table("version", "when", "from core", "from reviewed", box=None, pad_edge=False)
    for p in points:
        since = f"{p.from_reviewed:.2f} (version {p.reviewed})"
        table.add_row(str(p.version), f"{p.at:%Y-%m-%d}", f"{p.from_core:.2f}", since)
    console().print(table)
    if warning:
        print(f"Warning: {warning}")


def ask_about(of: ProfileOf, proposal: Proposal, ask: Callable[[str], str]) -> None:
    """Show one proposal, and ask until it is decided or put off."""
    _show_proposal(proposal)
    while True:
        answer = ask("approve, edit, reject or later? ").strip().lower()
        if answer in ("l", "later", ""):
            return
        try:
            match answer:
                case "a" | "approve":
                    decided = of.approve(proposal.id)
                case "r" | "reject":
                    decided = of.reject(proposal.id)
                case "e" | "edit":
                    decided = of.approve(proposal.id, _reworded(proposal, ask))
                case _:
                    continue
        except NotPending as late:
            print(late)
            return
        except InvalidInput as error:
            print(error)
            continue
        print(outcome_of(decided))
        return


def _reworded(proposal: Proposal, ask: Callable[[str], str]) -> list[str]:
    """A text for each line that is written: blank keeps it, a dash leaves it out."""
    lines = []
    for change in proposal.changes:
        if change.after is not None:
            said = ask(f"{change.after.text!r}, in your words (blank: as it is, -: leave it out): ").strip()
            lines.append("" if said == "-" else said or change.after.text)
    return lines


def _decided(of: ProfileOf, decision: Decision) -> Proposal:
    if decision.reject is not None:
        return of.reject(decision.reject)
    if decision.approve is not None:
        return of.approve(decision.approve)
    if not decision.lines:
        raise InvalidInput("With --edit, say each line that the proposal writes with --line.")
    return of.approve(decision.edit or "", decision.lines)


@contextmanager
def _opened(
    settings: Settings, user: str | None, persona: str | None
) -> Iterator[tuple[ProfileOf, MemoryStore]]:
    core = chosen_persona(settings, persona).identity
    memory = MemoryStore(settings.home)
    scope = Scope(core.name, user if user is not None else settings.user)
    try:
        yield ProfileOf(core, Profiles(memory), scope, settings.policy, who="cli"), memory
    finally:
        memory.close()


def _show_proposal(proposal: Proposal) -> None:
    print(f"\n{proposal.id[:8]}  {proposal.at:%Y-%m-%d}  moves {proposal.distance:.2f}, {proposal.why}")
    _show_changes(proposal.changes)
    if proposal.effective_at is not None:
        print(f"  takes effect on {proposal.effective_at:%Y-%m-%d %H:%M} UTC unless rejected")


def _show_changes(changes: Sequence[Change]) -> None:
    for change in changes:
        said = f"  {SIGNS[change.action]} {change.line.about}: {change.line.text}"
        if change.before is not None and change.after is not None and change.before.text != change.after.text:
            said += f"  (was: {change.before.text})"
        _say(said)


def _say(text: str) -> None:
    console().print(Text(text))


def _proposal_object(proposal: Proposal) -> dict[str, Any]:
    def written(at: Any) -> str | None:
        return None if at is None else at.isoformat()

    return {
        "id": proposal.id,
        "at": proposal.at.isoformat(),
        "state": proposal.state.value,
        "source": proposal.source.value,
        "distance": round(proposal.distance, 4),
        "why": proposal.why,
        "base_version": proposal.base_version,
        "effective_at": written(proposal.effective_at),
        "decided_at": written(proposal.decided_at),
        "decided_by": proposal.decided_by,
        "changes": [shown(change) for change in proposal.changes],
    }


def _version_object(
    version: ProfileVersion, changes: Sequence[Change], memory: MemoryStore, scope: Scope
) -> dict[str, Any]:
    spans = [span for change in changes if change.after is not None for span in change.after.evidence]
    said = memory.messages(scope, [span.message_id for span in spans])
    quotes = {
        span: said[span.message_id].content[span.start : span.end]
        for span in spans
        if span.message_id in said
    }
    return {
        "version": version.version,
        "parent": version.parent,
        "at": version.at.isoformat(),
        "who": version.who,
        "why": version.why,
        "proposal": version.proposal,
        "reviewed": version.reviewed,
        "changes": [
            {
                **shown(change),
                "evidence": [
                    {"message_id": span.message_id, "quote": quotes[span]}
                    for span in (change.after.evidence if change.after else ())
                    if span in quotes
                ],
            }
            for change in changes
        ],
    }
