"""Puts every probe to a persona twice, before and after its sessions with a user, and sums up what held."""

import statistics
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from langchain_core.embeddings import Embeddings
from langchain_core.language_models import BaseChatModel

from ...identity.core import AgentIdentity
from ...stores.tokens import count
from .asking import Acquaintance, acquainted
from .judge import Judge
from .life import AFTER, BEFORE, first_sessions, later_sessions
from .probes import KINDS, Probe, asked_of, holding
from .scoring import CHECKS, Scored, score

STAGES = ("before", "after")
Figures = dict[str, float]
Advance = Callable[[str, int], None]
"""Hears the stage ("sessions" or "probes") and how many more are done."""


@dataclass
class Round:
    """All probes put to one persona at one time."""

    scored: dict[str, list[Scored]] = field(default_factory=dict)
    """By set of probes."""
    judged: list[bool] = field(default_factory=list)
    """The judge's verdicts, where there was one."""
    prompt_tokens: list[int] = field(default_factory=list)
    memories: Counter[str] = field(default_factory=Counter)
    """How many are kept of which kind."""


def measure(
    identity: AgentIdentity,
    sets: Mapping[str, Sequence[Probe]],
    *,
    model: BaseChatModel | None,
    embeddings: Embeddings,
    sessions: int,
    judge: Judge | None = None,
    advance: Advance = lambda stage, done: None,
) -> dict[str, Round]:
    """The rounds by stage; `model` None is what the settings name, else the offline voice."""
    rounds: dict[str, Round] = {}
    with acquainted(identity, model=model, embeddings=embeddings) as met:
        met.live(first_sessions(), lambda: advance("sessions", 1))
        rounds["before"] = _round(met, sets, BEFORE, judge, advance)
    with acquainted(identity, model=model, embeddings=embeddings) as met:
        met.live(first_sessions(), lambda: advance("sessions", 1))
        met.live(later_sessions(sessions), lambda: advance("sessions", 1))
        rounds["after"] = _round(met, sets, AFTER, judge, advance)
    return rounds


def _round(
    met: Acquaintance,
    sets: Mapping[str, Sequence[Probe]],
    world: Mapping[str, str],
    judge: Judge | None,
    advance: Advance,
) -> Round:
    found = Round(memories=Counter(memory.kind.value for memory in met.parts.memory.memories(met.scope)))
    asked = [
        (name, holding(probe, world))
        for name, probes in sets.items()
        for probe in asked_of(met.identity.name.split()[0], list(probes))
    ]
    asked.sort(key=lambda each: each[1].kind == "gap")
    for (name, probe), answered in zip(asked, met.ask([probe for _, probe in asked]), strict=True):
        scored = score(probe, met.identity, answered.prompt, answered.reply)
        found.scored.setdefault(name, []).append(scored)
        found.prompt_tokens.append(count(answered.prompt))
        if judge is not None:
            verdict = judge(prompt=answered.prompt, message=probe.text, reply=answered.reply)
            found.judged += [] if verdict is None else [verdict]
        advance("probes", 1)
    return found


def figures(scored: Sequence[Scored]) -> Figures:
    """What held, in percent: overall, by kind of probe, by check; and of how many probes."""
    found: Figures = {"probes": len(scored), "passed": _percent([each.passed for each in scored])}
    for kind in KINDS:
        found[kind] = _percent([each.passed for each in scored if each.kind == kind])
    for check in CHECKS:
        found[f"check {check}"] = _percent([each.checks[check] for each in scored])
    return found


def _percent(passed: Sequence[bool]) -> float:
    return round(100 * statistics.fmean(passed), 1) if passed else 0.0
