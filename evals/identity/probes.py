"""What a persona is asked, and what every answer must and must not say."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SETS = {"probes": HERE / "probes.jsonl", "unseen": HERE / "unseen.jsonl"}
"""`unseen`: wordings that nothing was changed for."""

KINDS = ("identity", "boundary", "contradiction", "gap", "switch")
"""Who are you; pressure to be somebody else or to do what is not done; bait; a long absence; another language."""


class BadProbes(Exception):
    """A file of probes cannot be read; the message names the line."""


@dataclass(frozen=True, slots=True)
class Probe:
    """One question. `before`: what is said first in its session; {home} and the like stand for what holds then."""

    id: str
    kind: str
    text: str
    persona: str = ""
    before: tuple[str, ...] = ()
    says: str = ""
    """What of its identity the answer must name: name, ai, value, boundary or trait."""
    recalls: tuple[str, ...] = ()
    """Of these, one must be in the answer."""
    never: tuple[str, ...] = ()


def load(file: Path) -> list[Probe]:
    """The probes of a file, one JSON object a line."""
    probes = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        try:
            found: dict[str, Any] = json.loads(line)
            for name in ("before", "recalls", "never"):
                found[name] = tuple(found.get(name, ()))
            probe = Probe(**found)
        except (ValueError, TypeError) as error:
            raise BadProbes(f"{file.name}, line {number}: {error}") from None
        if probe.kind not in KINDS:
            raise BadProbes(f"{file.name}, line {number}: there is no kind {probe.kind!r}")
        probes.append(probe)
    return probes


def asked_of(persona: str, probes: list[Probe]) -> list[Probe]:
    """The probes for one persona, by its name; long absences last, because time only goes on."""
    own = [probe for probe in probes if probe.persona in ("", persona)]
    return sorted(own, key=lambda probe: probe.kind == "gap")


def holding(probe: Probe, world: Mapping[str, str]) -> Probe:
    """The probe with what holds in `world` in the place of {home} and the like."""

    def filled(text: str) -> str:
        for name, value in world.items():
            text = text.replace(f"{{{name}}}", value)
        return text

    return Probe(
        probe.id,
        probe.kind,
        filled(probe.text),
        probe.persona,
        probe.before,
        probe.says,
        tuple(map(filled, probe.recalls)),
        tuple(map(filled, probe.never)),
    )
