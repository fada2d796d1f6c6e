"""The vector index: item names and unit vectors in, nearest items out."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from filelock import FileLock
from hypothesis import given
from hypothesis import strategies as st

from perdure.stores.chroma_index import ChromaIndex, collection_name, connect_index, open_index
from perdure.stores.errors import InvalidInput
from perdure.stores.vectors import Matrix

NAME = "0123456789abcdef0123456789abcdef-aaaaaaaaaaaa"


@pytest.fixture
def index(tmp_path: Path) -> "ChromaIndex":
    opened = open_index(tmp_path / "index")
    yield opened  # type: ignore[misc]
    opened.close()


def unit(*rows: list[float]) -> Matrix:
    matrix = np.array(rows, dtype=np.float32)
    return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def test_the_nearest_come_first_with_their_cosine(index: ChromaIndex) -> None:
    vectors = unit([1, 0, 0], [1, 1, 0], [0, 0, 1], [-1, 0, 0])
    index.upsert(NAME, ["t1", "t2", "m3", "t4"], vectors)
    found = index.nearest(NAME, vectors[0], 4)
    assert [item for item, _ in found] == ["t1", "t2", "m3", "t4"]
    assert [score for _, score in found] == pytest.approx([1.0, 0.7071, 0.0, -1.0], abs=1e-3)


def test_more_is_asked_for_than_there_is(index: ChromaIndex) -> None:
    vectors = unit([1, 0], [0, 1])
    assert index.nearest(NAME, vectors[0], 5) == []
    index.upsert(NAME, ["t1"], vectors[:1])
    assert [item for item, _ in index.nearest(NAME, vectors[1], 200)] == ["t1"]


def test_an_item_put_again_is_replaced(index: ChromaIndex) -> None:
    vectors = unit([1, 0], [0, 1])
    index.upsert(NAME, ["t1"], vectors[:1])
    index.upsert(NAME, ["t1"], vectors[1:])
    assert index.items(NAME) == {"t1"}
    assert index.nearest(NAME, vectors[1], 1)[0][1] == pytest.approx(1.0)


def test_an_item_taken_out_is_gone_and_an_unknown_one_no_error(index: ChromaIndex) -> None:
    vectors = unit([1, 0], [0, 1])
    index.upsert(NAME, ["t1", "t2"], vectors)
    index.delete(NAME, ["t1", "t999"])
    index.delete(NAME, [])
    index.upsert(NAME, [], np.zeros((0, 2), dtype=np.float32))
    assert index.items(NAME) == {"t2"}


def test_collections_know_nothing_of_each_other(index: ChromaIndex) -> None:
    vectors = unit([1, 0], [0, 1])
    other = NAME.replace("0", "f")
    index.upsert(NAME, ["t1"], vectors[:1])
    index.upsert(other, ["t2"], vectors[:1])
    assert index.items(NAME) == {"t1"}
    assert [item for item, _ in index.nearest(other, vectors[0], 5)] == ["t2"]


def test_more_than_a_batch_goes_in_at_once(index: ChromaIndex) -> None:
    rng = np.random.default_rng(7)
    vectors = unit(*rng.normal(size=(1203, 8)).tolist())
    index.upsert(NAME, [f"t{n}" for n in range(1203)], vectors)
    assert len(index.items(NAME)) == 1203
    assert index.nearest(NAME, vectors[1201], 1)[0][0] == "t1201"


def test_what_was_put_in_outlives_the_index_object(tmp_path: Path) -> None:
    vectors = unit([1, 0], [0, 1])
    first = open_index(tmp_path / "index")
    first.upsert(NAME, ["t1", "t2"], vectors)
    first.close()
    second = open_index(tmp_path / "index")
    assert second.nearest(NAME, vectors[1], 1)[0][0] == "t2"
    second.close()


def test_everyone_in_a_process_shares_one_index_and_the_last_closes_it(tmp_path: Path) -> None:
    first, second = open_index(tmp_path / "index"), open_index(tmp_path / "index")
    assert first is second
    first.close()
    second.upsert(NAME, ["t1"], unit([1, 0]))
    second.close()
    third = open_index(tmp_path / "index")
    assert third is not first
    third.close()


def test_another_process_is_told_that_the_index_is_in_use(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path\n"
        "from perdure.stores.chroma_index import open_index\n"
        "from perdure.stores.errors import StoreUnavailable\n"
        "try: open_index(Path(sys.argv[1]))\n"
        "except StoreUnavailable as error: print(error)\n"
    )
    held = open_index(tmp_path / "index")
    other = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "index")], capture_output=True, text=True, check=True
    )
    held.close()
    assert "is in use by another process" in other.stdout


def test_a_damaged_folder_is_an_error_and_keeps_no_lock(tmp_path: Path) -> None:
    (tmp_path / "index").mkdir()
    (tmp_path / "index" / "chroma.sqlite3").write_bytes(b"not an index " * 1000)
    with pytest.raises(Exception, match=r"."):
        open_index(tmp_path / "index")
    with FileLock(tmp_path / "index.lock", timeout=0):
        pass


def test_nothing_of_a_text_could_be_in_the_folder_and_it_is_private(tmp_path: Path) -> None:
    index = open_index(tmp_path / "index")
    index.upsert(NAME, ["t1"], unit([1, 0]))
    index.close()
    assert (tmp_path / "index").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "index.lock").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("url", ["localhost:8000", "ftp://localhost", "http://", "chroma"])
def test_a_server_is_named_by_a_url(url: str) -> None:
    with pytest.raises(InvalidInput, match="http://localhost:8000"):
        connect_index(url)


@given(st.text(max_size=80), st.text(max_size=80))
def test_the_name_of_a_collection_tells_models_apart_and_keeps_to_the_rules_of_chroma(
    one: str, other: str
) -> None:
    key = "0123456789abcdef0123456789abcdef"
    name = collection_name(key, one)
    assert 3 <= len(name) <= 63
    assert name.replace("-", "").isalnum()
    assert (name == collection_name(key, other)) == (one == other)
