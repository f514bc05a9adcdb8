"""The areas of many predictors, made at once, are those of each predictor by itself."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocstats as rs
from rocstats.errors import InputError

RNG = np.random.default_rng(20)
N = 40
Y = np.arange(N) % 2
SCORES = {
    "continuous": RNG.standard_normal(N) + 0.7 * Y,
    "tied": RNG.integers(0, 4, N) + Y,
    "one score": np.ones(N),
    "area 1": Y + RNG.uniform(0, 0.5, N),
    "area 0": RNG.uniform(0, 0.5, N) - Y,
    "far below": RNG.standard_normal(N) - 1.5 * Y,
    "signed zeros": np.where(RNG.uniform(size=N) < 0.5, -0.0, 0.0) + (RNG.uniform(size=N) < 0.2),
    "infinite": np.where(RNG.uniform(size=N) < 0.3, np.inf * (Y - 0.5), RNG.standard_normal(N)),
    "wide": np.repeat([5e-324, 1e-308, 3.0, 1e308], N // 4) * RNG.permutation(np.tile([1, -1], 20)),
    "around": np.where(Y == 1, 0.0, np.tile([-1.0, -1.0, 1.0, 1.0], N // 4)),
    "least": RNG.integers(-2, 3, N) * 5e-324,
}


def one_by_one(y: Any, scores: dict[str, Any], roles: Any, options: Any) -> list[pd.DataFrame]:
    def own(name: str) -> pd.DataFrame:
        mine = dict(roles)
        if isinstance(mine.get("higher_is_positive"), dict):
            mine["higher_is_positive"] = mine["higher_is_positive"].get(name, True)
        return rs.Study(y, {name: scores[name]}, **mine).auc(**options)

    return [own(name) for name in scores]


def agree(y: Any, scores: dict[str, Any], roles: Any = (), **options: Any) -> None:
    """Assert that a study of all predictors says what studies of each say, in any container."""
    roles = dict(roles)
    with warnings.catch_warnings(record=True) as alone:
        warnings.simplefilter("always")
        frames = one_by_one(y, scores, roles, options)
    expected = pd.concat(frames, ignore_index=True)
    if "group" in expected:
        order = expected["group"].map(frames[0]["group"].tolist().index)
        expected = expected.loc[order.argsort(kind="stable")].reset_index(drop=True)
    frame = pd.DataFrame(scores)
    named = {**roles, "predictor": list(scores)}
    for given_as, more in ((scores, roles), (frame, roles), (frame.to_numpy(), named)):
        with warnings.catch_warnings(record=True) as together:
            warnings.simplefilter("always")
            found = rs.Study(y, given_as, **more).auc(**options)
        pd.testing.assert_frame_equal(pd.DataFrame(found), expected, rtol=1e-12, atol=1e-14)
        assert {str(w.message) for w in together} == {str(w.message) for w in alone}
        assert len(together) == len({str(w.message) for w in together})
        mine, theirs = (dict(f.attrs["rocstats"]) for f in (found, frames[0]))
        assert mine.pop("predictors") == list(scores)
        theirs.pop("predictors")
        assert mine == theirs


ROLES: dict[str, dict[str, Any]] = {
    "none": {},
    "folds": {"fold": np.repeat([1, 2], N // 2)},
    "groups": {"group": np.repeat(["b", "a"], N // 2)},
    "groups and folds": {
        "group": np.repeat(["b", "a"], N // 2),
        "fold": np.tile(np.repeat([1, 2], 5), 4),
    },
    "a group of one class": {"group": np.where(Y == 1, np.repeat(["b", "a"], N // 2), "b")},
    "clusters": {"cluster": np.arange(N) // 3},
    "frequencies": {"frequency": RNG.integers(1, 4, N)},
    "weights": {"sample_weight": RNG.uniform(1, 2, N)},
    "lower": {"higher_is_positive": False},
    "mixed directions": {"higher_is_positive": {"tied": False, "area 0": False}},
}


@pytest.mark.parametrize("roles", ROLES.values(), ids=ROLES)
def test_every_role(roles: dict[str, Any]) -> None:
    interval = {"interval": "percentile", "rng": 1} if "sample_weight" in roles else {}
    several = {name: SCORES[name] for name in list(SCORES)[:4]} if interval else SCORES
    if interval:  # draws are keyed by the place of a predictor: estimates alone agree
        several_study = rs.Study(Y, several, **roles)
        alone = one_by_one(Y, several, roles, interval)
        found = several_study.auc(**interval, n_resamples=100)
        assert found["estimate"].tolist() == [frame["estimate"][0] for frame in alone]
        return
    agree(Y, several, roles)


OPTIONS: list[dict[str, Any]] = [
    {"interval": interval, "alternative": alternative, "null_value": 0.6, "confidence_level": 0.9}
    for interval, alternative in (
        ("logit-t", "two-sided"),
        ("logit-t", "greater"),
        ("logit", "less"),
        ("wald", "two-sided"),
        ("probit", "greater"),
        ("newcombe", "two-sided"),
        ("effective-wilson", "less"),
        ("exact", "two-sided"),
    )
]


@pytest.mark.parametrize("options", OPTIONS, ids=lambda o: f"{o['interval']}-{o['alternative']}")
def test_every_interval(options: dict[str, Any]) -> None:
    agree(Y, SCORES, **options)


@pytest.mark.parametrize("level", [1e-6, 1 - 1e-15])
def test_extreme_levels(level: float) -> None:
    agree(Y, SCORES, confidence_level=level)


@pytest.mark.parametrize("variance", ["hanley-mcneil", "unbiased"])
def test_other_variances(variance: str) -> None:
    agree(Y, SCORES, variance=variance)


def test_partial_areas() -> None:
    agree(Y, {name: SCORES[name] for name in list(SCORES)[:5]}, fpr_range=(0, 0.3))


@pytest.mark.parametrize("n_pos", [1, 2])
def test_a_class_of_one_or_two(n_pos: int) -> None:
    agree((np.arange(N) < n_pos).astype(int), SCORES)


def test_missing_scores() -> None:
    holed = {name: np.array(score, dtype=float) for name, score in SCORES.items()}
    holed["tied"][3], holed["wide"][7] = np.nan, np.nan
    with pytest.raises(InputError, match=r"got 1 of 'tied' \(row 3\)"):
        rs.Study(Y, holed)
    kept = np.delete(np.arange(N), [3, 7])
    whole = {name: score[kept] for name, score in holed.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = rs.Study(Y, holed, nan_policy="omit").auc()
        expected = pd.concat(one_by_one(Y[kept], whole, {}, {}), ignore_index=True)
    assert found["note"].str.contains("rows-dropped=2").all()
    numbers = [name for name in expected if name != "note"]
    pd.testing.assert_frame_equal(
        pd.DataFrame(found)[numbers], expected[numbers], rtol=1e-12, atol=1e-14
    )
    agree(Y, holed, {"nan_policy": "available"})


values = st.one_of(
    st.integers(-2, 2).map(float),
    st.floats(allow_nan=False),
    st.sampled_from([0.0, -0.0, 5e-324, -5e-324, 1.5e308, np.inf, -np.inf]),
)


@given(st.data())
def test_any_scores(data: st.DataObject) -> None:
    n = data.draw(st.integers(2, 9))
    y = [0, 1, *data.draw(st.lists(st.integers(0, 1), min_size=n - 2, max_size=n - 2))]
    rows = data.draw(st.lists(st.lists(values, min_size=n, max_size=n), min_size=4, max_size=5))
    scores: dict[str, npt.NDArray[np.float64]] = {f"s{k}": np.array(r) for k, r in enumerate(rows)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = rs.Study(y, scores).auc()
    for k, score in enumerate(scores.values()):
        # All pairs, ties half: the definition.
        pos, neg = (score[np.array(y) == label] for label in (1, 0))
        above = pos[:, np.newaxis] > neg
        placed = above + (pos[:, np.newaxis] == neg) / 2
        assert found["estimate"][k] == pytest.approx(placed.mean(), abs=1e-14)
        m, n_neg = placed.shape
        if min(m, n_neg) > 1:
            variance = placed.mean(1).var(ddof=1) / m + placed.mean(0).var(ddof=1) / n_neg
            assert found["se"][k] ** 2 == pytest.approx(variance, rel=1e-12, abs=1e-15)
        else:
            assert np.isnan(found["se"][k])
