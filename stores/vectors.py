"""Vectors in the record: statements over one open connection, and the exact scan over them."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, bindparam, delete, select

from .cosines import cosines
from .dialect import insert_ignoring
from .schema import vectors

Vector = NDArray[np.float32]
"""Shape (d,), unit length."""

Matrix = NDArray[np.float32]
"""Shape (n, d), rows of unit length."""

_CHUNK = 500

_ABOVE = (
    select(vectors.c.row, vectors.c.item, vectors.c.data)
    .where(
        vectors.c.scope == bindparam("scope"),
        vectors.c.model == bindparam("model"),
        vectors.c.row > bindparam("level"),
    )
    .order_by(vectors.c.row)
)


def store(connection: Connection, scope_row: int, model: str, items: Sequence[str], matrix: Matrix) -> None:
    """Keep one vector per item and model; one that is there already stays."""
    if items:
        rows = [
            {"scope": scope_row, "item": item, "model": model, "data": row.astype("<f4").tobytes()}
            for item, row in zip(items, matrix, strict=True)
        ]
        connection.execute(insert_ignoring(vectors), rows)


def fetch(
    connection: Connection, scope_row: int, model: str, items: Iterable[str] | None = None
) -> tuple[list[str], Matrix]:
    """Item names and their vectors (n, d); all of the scope when `items` is None."""
    query = select(vectors.c.item, vectors.c.data).where(
        vectors.c.scope == scope_row, vectors.c.model == model
    )
    if items is None:
        rows = list(connection.execute(query))
    else:
        wanted = list(items)
        rows = [
            row
            for start in range(0, len(wanted), _CHUNK)
            for row in connection.execute(query.where(vectors.c.item.in_(wanted[start : start + _CHUNK])))
        ]
    return [row.item for row in rows], _matrix(rows)


def drop(connection: Connection, scope_row: int, items: Sequence[str]) -> None:
    """Remove the vectors of items in every model."""
    for start in range(0, len(items), _CHUNK):
        connection.execute(
            delete(vectors).where(
                vectors.c.scope == scope_row, vectors.c.item.in_(items[start : start + _CHUNK])
            )
        )


def above(
    connection: Connection, scope_row: int, model: str, level: int, *, limit: int | None = None
) -> tuple[list[str], Matrix, int]:
    """Item names and vectors of rows above `level`, oldest first, and the row of the last; `level` when none is."""
    query = _ABOVE if limit is None else _ABOVE.limit(limit)
    rows = connection.execute(query, {"scope": scope_row, "model": model, "level": level}).all()
    return [row.item for row in rows], _matrix(rows), rows[-1].row if rows else level


def rows(connection: Connection, scope_row: int, model: str) -> dict[str, int]:
    """The items of a scope that have a vector of this model, and the row it is in. Rows are never used twice."""
    query = select(vectors.c.item, vectors.c.row)
    found = connection.execute(query.where(vectors.c.scope == scope_row, vectors.c.model == model))
    return {row.item: row.row for row in found}


def _matrix(rows: Sequence[Any]) -> Matrix:
    if not rows:
        return np.zeros((0, 0), dtype=np.float32)
    return np.frombuffer(b"".join(row.data for row in rows), dtype="<f4").reshape(len(rows), -1)


def nearest(items: Sequence[str], matrix: Matrix, vector: Vector, k: int) -> list[tuple[str, float]]:
    """The `k` items most similar to `vector` by exact cosine, best first."""
    if not items:
        return []
    similarity = cosines(matrix, vector)
    k = min(k, len(items))
    best = np.argpartition(-similarity, k - 1)[:k]
    best = best[np.argsort(-similarity[best], kind="stable")]
    return [(items[i], float(similarity[i])) for i in best]
