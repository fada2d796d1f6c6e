"""Checks each thing the agent stands on by using it, and says what to do about what fails."""

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ..graph.checkpoints import CHECKPOINTS, open_checkpoints
from ..graph.models import as_model_error, describe
from ..graph.offline_voice import OfflineVoice
from ..graph.parts import Parts, open_parts
from ..graph.personas import chosen_persona
from ..graph.settings import Settings, unknown_variables
from ..stores.errors import PerdureError

ROOM = 64 * 2**20
"""So many bytes have to be free where memories are written: a file that is cleaned is written anew."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What one part is, and what is wrong with it, if anything."""

    part: str
    ok: bool
    what: str
    problem: str | None = None


def run(settings: Settings, *, as_json: bool) -> int:
    """Print a finding for each part; returns 1 when any failed."""
    parts = open_parts(settings, background=False)
    findings = [
        _check("settings", lambda: f"{len(settings.model_fields_set)} of the environment", _try_settings),
        _check("model", lambda: _model(parts, settings), lambda: _try_model(parts)),
        _check("persona", lambda: settings.persona, lambda: _try_persona(settings)),
        _check(
            "embeddings",
            lambda: parts.recall.indexer.embedder.name,
            lambda: _try_embeddings(parts),
        ),
        _check("database", lambda: str(parts.memory.database.path), lambda: _try_database(parts)),
        _check(
            "checkpoints",
            lambda: str(parts.memory.home / CHECKPOINTS),
            lambda: _try_checkpoints(parts.memory.home),
        ),
        _check(
            "index",
            lambda: settings.chroma_url or str(parts.memory.home / "index"),
            lambda: _try_index(parts),
        ),
    ]
    parts.close()
    if as_json:
        print(json.dumps([asdict(finding) for finding in findings], ensure_ascii=False, indent=2))
    else:
        _show(findings)
    return 0 if all(finding.ok for finding in findings) else 1


def _check(part: str, what: Callable[[], str], attempt: Callable[[], str | None]) -> Finding:
    name = "?"
    try:
        name = what()
        problem = attempt()
        return Finding(part, problem is None, name, problem)
    except PerdureError as error:
        return Finding(part, False, name, str(error))
    except Exception as error:
        return Finding(part, False, name, f"unexpected {type(error).__name__}: {error}")


def _try_settings() -> str | None:
    unknown = unknown_variables(os.environ)
    told = [f"{name} is read by nothing{f'; {near} is' if near else ''}." for name, near in unknown.items()]
    return f"{' '.join(told)} Correct or unset it." if told else None


def _model(parts: Parts, settings: Settings) -> str:
    """The model, and that a name for one goes unused where there is no way to reach it."""
    unused = isinstance(parts.model, OfflineVoice) and "model" in settings.model_fields_set
    return f"{describe(parts.model)}{'; PERDURE_MODEL is not used until then' if unused else ''}"


def _try_persona(settings: Settings) -> str | None:
    chosen_persona(settings)
    return None


def _try_model(parts: Parts) -> str | None:
    if isinstance(parts.model, OfflineVoice):
        return None
    try:
        parts.model.invoke("Answer with the single word: ready")
    except Exception as error:
        return str(as_model_error(error))
    return None


def _try_embeddings(parts: Parts) -> str | None:
    try:
        parts.recall.indexer.embedder.query("ready")
    except Exception as error:
        return f"{as_model_error(error)} Search goes by keywords until this works; see PERDURE_EMBEDDINGS."
    return None


def _try_database(parts: Parts) -> str | None:
    found = parts.memory.database.check()
    if found != "ok":
        return f"damaged: {found}. Restore the file from a backup."
    free = shutil.disk_usage(parts.memory.home).free
    return None if free >= ROOM else f"only {free // 2**20} MB are free on its disk. Make room."


def _try_checkpoints(home: Path) -> str | None:
    if (home / CHECKPOINTS).exists():
        open_checkpoints(home).conn.close()
    return None


def _try_index(parts: Parts) -> str | None:
    state = parts.recall.indexer.state()
    if state["unavailable"]:
        return f"{state['unavailable']} Memories are searched exactly in the record meanwhile."
    if state["failed"]:
        return f"{state['failed']} entries failed and will be tried again."
    return None


def _show(findings: list[Finding]) -> None:
    console = Console(highlight=False, soft_wrap=True)
    for finding in findings:
        mark = Text("ok    ", style="green") if finding.ok else Text("failed", style="bold red")
        console.print(mark, Text(f"{finding.part:<12}{finding.what}"))
        if finding.problem:
            console.print(Text(f"       {finding.problem}"))
