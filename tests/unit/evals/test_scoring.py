"""The scorers on numbers worked out by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.evals.scoring import distinct, interval, mean, ndcg_at, recall, recall_at, reciprocal_rank

RANKING = ["c", "a", "x", "b", "y"]


@pytest.mark.parametrize(
    ("gold", "found", "part"),
    [("ab", "ab", 1.0), ("ab", "bxy", 0.5), ("abc", "xa", 1 / 3), ("a", "", 0.0), ("aab", "b", 0.5)],
)
def test_recall_is_the_part_of_the_gold_that_was_found(gold: str, found: str, part: float) -> None:
    assert recall(gold, found) == pytest.approx(part)


@pytest.mark.parametrize(("k", "part"), [(1, 0.0), (2, 0.5), (3, 0.5), (4, 1.0), (50, 1.0)])
def test_recall_at_k_looks_at_the_first_k_only(k: int, part: float) -> None:
    assert recall_at(k, "ab", RANKING) == part


@pytest.mark.parametrize(("gold", "rank"), [("c", 1.0), ("ab", 1 / 2), ("b", 1 / 4), ("z", 0.0)])
def test_reciprocal_rank_is_that_of_the_first_found(gold: str, rank: float) -> None:
    assert reciprocal_rank(gold, RANKING) == rank


def test_ndcg_discounts_by_rank_and_is_one_at_its_best() -> None:
    assert ndcg_at(10, "ca", RANKING) == pytest.approx(1.0)
    best = 1 + 1 / math.log2(3)
    assert ndcg_at(10, "ab", RANKING) == pytest.approx((1 / math.log2(3) + 1 / math.log2(5)) / best)
    assert ndcg_at(2, "ab", RANKING) == pytest.approx((1 / math.log2(3)) / best)
    assert ndcg_at(1, "cab", RANKING) == 1.0  # no more than one can stand there
    assert ndcg_at(10, "z", RANKING) == 0.0


def test_a_ranking_of_sessions_keeps_where_each_came_first() -> None:
    assert distinct([2, 1, 2, 3, 1]) == [2, 1, 3]


def test_nothing_to_find_has_no_score() -> None:
    for score in (lambda: recall("", "a"), lambda: ndcg_at(5, "", "a"), lambda: mean([])):
        with pytest.raises(ValueError, match=r"needs at least one|no mean"):
            score()
    with pytest.raises(ValueError, match="no interval"):
        interval([], seed=1)


def test_the_interval_is_the_same_for_a_seed_and_narrows_with_more_values() -> None:
    few, many = [0.0, 1.0] * 10, [0.0, 1.0] * 500
    assert interval(few, seed=3) == interval(few, seed=3)
    low, high = interval(few, seed=3)
    assert low < 0.5 < high
    # The normal approximation of the same interval: 0.5 +- 1.96 * 0.5 / sqrt(1000)
    assert interval(many, seed=3) == pytest.approx((0.469, 0.531), abs=0.004)
    assert interval([0.7] * 9, seed=3) == pytest.approx((0.7, 0.7))


@given(st.sets(st.integers(0, 20), min_size=1), st.lists(st.integers(0, 20), unique=True))
def test_scores_lie_between_none_and_all(gold: set[int], ranking: list[int]) -> None:
    scores = [recall_at(5, gold, ranking), reciprocal_rank(gold, ranking), ndcg_at(5, gold, ranking)]
    assert all(0.0 <= score <= 1.0 + 1e-9 for score in scores)
    assert (recall(gold, ranking) == 1.0) == gold.issubset(ranking)
