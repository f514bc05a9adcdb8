"""Reader studies: every way of handing reads in, and the arrays that are made of them."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocstats as rs
from tests.strategies import SEEDS

# Two readers, two modalities, positives a and b, negatives c and d; r2 did not read d under CT.
READS = pd.DataFrame(
    [
        ("r1", "MR", "c", 0, 1.0), ("r1", "MR", "a", 1, 4.0),
        ("r1", "MR", "b", 1, 3.0), ("r1", "MR", "d", 0, 2.0),
        ("r2", "CT", "a", 1, 9.0), ("r2", "CT", "b", 1, 7.0), ("r2", "CT", "c", 0, 8.0),
        ("r2", "MR", "a", 1, 5.0), ("r2", "MR", "b", 1, 6.0),
        ("r2", "MR", "c", 0, 0.0), ("r2", "MR", "d", 0, 5.0),
        ("r1", "CT", "a", 1, 6.0), ("r1", "CT", "b", 1, 6.0),
        ("r1", "CT", "c", 0, 5.0), ("r1", "CT", "d", 0, 7.0),
    ],
    columns=["reader", "modality", "case", "truth", "rating"],
)  # fmt: skip
ROLES = ["reader", "case", "modality"]
NAN = np.nan


def study_of(data, **options):
    return rs.ReaderStudy(
        "truth", "rating", data=data, **{**dict(zip(ROLES, ROLES, strict=True)), **options}
    )


@pytest.fixture
def study():
    return study_of(READS)


def test_arrays(study):
    assert (study.modalities, study.predictors) == (("MR", "CT"),) * 2
    assert study.readers == ("r1", "r2")
    assert study.case.labels == ("c", "a", "b", "d")
    assert (study.n_pos, study.n_neg) == (2, 2)
    np.testing.assert_array_equal(study.reads.pos, [[[4, 3], [5, 6]], [[6, 6], [9, 7]]])
    np.testing.assert_array_equal(study.reads.neg, [[[1, 2], [0, 5]], [[5, 7], [8, NAN]]])
    assert study.reads.pos_cluster is None
    assert study.design.name == "missing reads"
    assert study.reads.n_modalities == study.reads.n_readers == 2
    np.testing.assert_array_equal(study.reads.has_read.sum(axis=2), [[4, 4], [4, 3]])


def same(one, other):
    assert one.readers == other.readers
    assert one.predictors == other.predictors
    assert one.case.labels == other.case.labels
    for mine, yours in zip(one.reads, other.reads, strict=True):
        if mine is None:
            assert yours is None
        else:
            np.testing.assert_array_equal(mine, yours)


@pytest.mark.parametrize(
    "kind",
    [dict, pl.DataFrame, pd.DataFrame, lambda d: pd.DataFrame(d).convert_dtypes(),
     lambda d: pd.DataFrame(d).astype(dict.fromkeys(ROLES, "category"))],
    ids=["dict", "polars", "pandas", "nullable", "categories"],
)  # fmt: skip
def test_frames_of_every_kind(study, kind):
    same(study_of(kind(READS.to_dict("list"))), study)


@pytest.mark.parametrize("kind", [list, np.array, pd.Series, pl.Series])
def test_arrays_of_every_kind(study, kind):
    column = {name: kind(READS[name].tolist()) for name in READS}
    again = rs.ReaderStudy(
        column["truth"], column["rating"], **{role: column[role] for role in ROLES}
    )
    same(again, study)


def test_names_are_compared_as_text(study):
    numbers = {"a": 1, "b": 2, "c": 3, "d": 4}
    whole = study_of(READS.assign(case=READS["case"].map(numbers)))
    floats = study_of(READS.assign(case=READS["case"].map(numbers).astype(float)))
    assert whole.case.labels == floats.case.labels == ("3", "1", "2", "4")
    same(whole, floats)
    np.testing.assert_array_equal(whole.reads.pos, study.reads.pos)
    scores = whole.machine_scores({1: 5, 2: 6, 3: 7, 4: 8, 99: 0})
    np.testing.assert_array_equal(np.concatenate(scores), [5, 6, 7, 8])


@pytest.mark.parametrize(
    ("rating", "name"),
    [(READS["rating"], "rating"), (READS["rating"].to_numpy(), "modality"),
     (READS["rating"].rename("suspicion"), "suspicion")],
)  # fmt: skip
def test_one_modality_has_the_name_of_its_ratings(rating, name):
    rows = READS["modality"] == "MR"
    study = rs.ReaderStudy(
        READS["truth"][rows].to_numpy(),
        rating[rows],
        reader=READS["reader"][rows].to_numpy(),
        case=READS["case"][rows].to_numpy(),
    )
    assert study.modalities == (name,)
    assert study.design.name == "one modality"


def test_the_direction_turns_ratings(study):
    low = study_of(READS.assign(rating=-READS["rating"]), higher_is_positive=False)
    same(low, study)
    assert low.rating[0] == -READS["rating"][0]
    mixed = study_of(READS, higher_is_positive={"CT": False})
    np.testing.assert_array_equal(mixed.reads.pos[0], study.reads.pos[0])
    np.testing.assert_array_equal(mixed.reads.pos[1], -study.reads.pos[1])
    assert mixed.higher_is_positive == (True, False)


def test_ordered_categories_are_numbered_from_0():
    words = ["no", "maybe", "yes"]
    rating = pd.Categorical.from_codes(np.arange(len(READS)) % 3, words, ordered=True)
    study = study_of(READS.assign(rating=rating))
    same(study, study_of(READS.assign(rating=np.arange(len(READS)) % 3)))


def test_infinite_ratings_are_legal(study):
    data = READS.assign(rating=READS["rating"].replace({1.0: -np.inf, 9.0: np.inf}))
    reads = study_of(data).reads
    assert reads.neg[0, 0, 0] == -np.inf
    assert reads.pos[1, 1, 0] == np.inf
    assert study_of(data).design == study.design


def test_omitted_rows_are_reads_not_made(study):
    more = pd.concat([READS, pd.DataFrame([("r2", "CT", "d", 0, NAN)], columns=READS.columns)])
    omitted = study_of(more, nan_policy="omit")
    same(omitted, study)
    assert (omitted.n_dropped, study.n_dropped) == (1, 0)
    # A case without a rating is gone, and so is a reader.
    lost = pd.DataFrame([("r3", "CT", "e", 0, NAN)], columns=READS.columns)
    same(study_of(pd.concat([lost, READS]), nan_policy="omit"), study)


@given(SEEDS, st.integers(1, 3), st.integers(1, 4), st.integers(2, 6), st.booleans())
def test_reads_rebuild_the_rows(seed, t, r, c, clustered):
    rng = np.random.default_rng(seed)
    truth = rng.permutation(np.arange(c) % 2)
    made = rng.random((t, r, c)) < 0.7
    made[:, 0] = True  # every modality has a reader, and every case
    i, j, k = rng.permutation(np.argwhere(made)).T
    ratings = rng.integers(9, size=len(i))
    data = pd.DataFrame({"modality": i, "reader": j, "case": k, "truth": truth[k]})
    data["rating"], data["cluster"] = ratings, k // 2
    study = study_of(data, cluster="cluster" if clustered else None)
    reads, labels = study.reads, np.array(study.case.labels, dtype=int)
    sides = {1: (reads.pos, reads.pos_cluster), 0: (reads.neg, reads.neg_cluster)}
    rebuilt, clusters = [], {}
    for value, (side, cluster) in sides.items():
        cases = labels[truth[labels] == value]
        for a, b, d in np.argwhere(~np.isnan(side)):
            rebuilt.append(
                (int(study.modalities[a]), int(study.readers[b]), cases[d], value, side[a, b, d])
            )
        if clustered:
            for case, code in zip(cases, cluster, strict=True):
                clusters.setdefault(case // 2, set()).add(int(code))
    columns = ["modality", "reader", "case", "truth", "rating"]
    assert sorted(rebuilt) == sorted(data[columns].itertuples(index=False, name=None))
    # Clusters have one code each, from 0 on.
    assert sorted(clusters.values(), key=min) == [{code} for code in range(len(clusters))]


def test_the_order_of_rows_changes_only_the_order_of_names():
    data = READS.assign(place=READS["case"].map({"a": "x", "b": "y", "c": "x", "d": "y"}))
    study = study_of(data, cluster="place")
    again = study_of(data.sample(frac=1, random_state=3), cluster="place")

    def ordered(one):
        i, j = np.argsort(one.modalities), np.argsort(one.readers)
        names = np.array(one.case.labels)
        is_pos = np.isin(names, ["a", "b"])
        places = [np.argsort(names[is_pos]), np.argsort(names[~is_pos])]
        return [
            side[np.ix_(i, j, place)] for side, place in zip(one.reads[:2], places, strict=True)
        ]

    for mine, yours in zip(ordered(study), ordered(again), strict=True):
        np.testing.assert_array_equal(mine, yours)


def test_curves_are_binary_samples(study):
    data = READS.assign(place=READS["case"].map({"a": "x", "b": "y", "c": "x", "d": "y"}))
    clustered = study_of(data, cluster="place", higher_is_positive={"CT": False})
    sample = clustered.curve(1, 1)
    assert (sample.predictors, sample.higher_is_positive) == (("CT",), (False,))
    np.testing.assert_array_equal(sample.scores, [[9, 7, 8]])
    np.testing.assert_array_equal(sample.is_positive, [True, True, False])
    assert sample.cluster.codes.tolist() == [
        clustered.cluster.labels.index(place) for place in "xyx"
    ]
    rows = READS.query("reader == 'r1' and modality == 'MR'")
    alone = rs.Study(rows["truth"].to_numpy(), {"MR": rows["rating"].to_numpy()})
    np.testing.assert_array_equal(study.curve(0, 0).scores, alone.scores)


def test_machines(study):
    of_case = {"a": 0.9, "b": 0.4, "c": 0.6, "d": 0.1}
    data = READS.assign(AI=READS["case"].map(of_case), risk=READS["case"].map(of_case) * -1)
    named = study_of(data, machine=["AI", "risk"], higher_is_positive={"risk": False})
    assert named.machines == ("AI", "risk")
    same(named, study)
    expected = [[0.9, 0.4], [0.6, 0.1]]
    for machine in ("AI", "risk", of_case, pd.Series(of_case), pd.Series(of_case)[::-1]):
        for side, scores in zip(named.machine_scores(machine), expected, strict=True):
            np.testing.assert_array_equal(side, scores)
    for machine, name in (
        ({"net": data["AI"].to_numpy()}, "net"),
        (data[["AI"]], "AI"),
        (pl.DataFrame({"AI": data["AI"].to_list()}), "AI"),
        (data["AI"], "AI"),
        (data["AI"].to_numpy(), "machine"),
    ):
        again = study_of(READS, machine=machine)
        assert again.machines == (name,)
        np.testing.assert_array_equal(again.machine_scores(name)[0], expected[0])
    # True or False is about ratings only.
    low = study_of(data, machine="AI", higher_is_positive=False)
    np.testing.assert_array_equal(low.machine_scores("AI")[0], expected[0])


def test_groups_have_their_own_readers_and_cases():
    other = READS.assign(
        reader=READS["reader"].map({"r1": "r1", "r2": "r3"}),
        case=READS["case"] + "2",
        rating=READS["rating"] * 2,
    )
    data = pd.concat([READS.assign(site="u"), other.assign(site="v")])
    data["AI"] = data["rating"].groupby(data["case"]).transform("max")
    study = study_of(data, group="site", machine="AI", cluster="case")
    assert study.readers == ("r1", "r2", "r3")
    (first, one), (second, two) = study.by_group()
    assert (first, second) == ("u", "v")
    alone = study_of(READS, cluster="case")
    same(one, alone)
    assert two.readers == ("r1", "r3")
    assert one.design == alone.design
    np.testing.assert_array_equal(two.reads.neg, 2 * alone.reads.neg)
    np.testing.assert_array_equal(two.machine_scores("AI")[0], [18, 14])


def test_without_a_modality(study):
    rest = study.without("MR")
    assert rest.modalities == ("CT",)
    np.testing.assert_array_equal(rest.reads.pos, study.reads.pos[1:])
    assert isinstance(rest, rs.ReaderStudy)
    low = study_of(READS, higher_is_positive={"CT": False}).without("MR")
    assert low.higher_is_positive == (False,)
    nested = READS.assign(case=READS["case"] + READS["modality"]).query(
        "modality == 'MR' or truth == 1"
    )
    with pytest.raises(rs.InputError, match="`truth` must hold both classes"):
        study_of(nested).without("MR")


def test_inputs_are_copied_and_the_study_cannot_be_changed():
    data = READS.copy()
    study = study_of(data)
    before = study.reads.pos.copy()
    data.loc[:, "rating"] = 0.0
    np.testing.assert_array_equal(study.reads.pos, before)
    for array in (study.rating, study.case.codes, *study.reads[:2]):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 1
    with pytest.raises(AttributeError, match="immutable"):
        study.readers = ("a", "b")


def test_a_pickled_study_is_alike():
    study = study_of(READS.assign(m=1.0), machine="m", labels={"MR": "MRI"}, outcome="Tear")
    again = pickle.loads(pickle.dumps(study))
    same(again, study)
    assert (again.labels, again.outcome, again.machines) == ({"MR": "MRI"}, "Tear", ("m",))
    assert not again.rating.flags.writeable


def test_print():
    text = repr(study_of(READS.assign(m=1.0), machine="m", higher_is_positive={"CT": False}))
    assert text == (
        "ReaderStudy\n"
        "  design          missing reads: 2 modalities x 2 readers x 4 cases (2 positive, 2"
        " negative), 15 reads\n"
        "  reads not made  1 of 16\n"
        "  modalities      MR, CT (lower is positive)\n"
        "  readers         r1, r2\n"
        "  machines        m\n"
        "  positive class  label 1"
    )
    html = study_of(READS.replace({"reader": {"r1": "<b>"}}))._repr_html_()
    assert "&lt;b&gt;" in html
    assert "<b>" not in html


def test_readers_of_one_class_are_named():
    data = READS[~((READS["reader"] == "r2") & (READS["truth"] == 0) & (READS["modality"] == "MR"))]
    assert "  of one class    r2 (MR)\n" in repr(study_of(data))


def test_viper_is_a_split_plot():
    study = study_of(rs.load_viper())
    design = study.design
    assert (design.name, design.n_readers, design.n_reads) == ("split plot", 20, 2390)
    assert (study.modalities, study.n_pos, study.n_neg) == (("FFDM", "SFM"), 109, 130)
    assert [len(block.readers) for block in design.blocks] == [5] * 4
    assert sorted(block.n_pos + block.n_neg for block in design.blocks) == [59, 60, 60, 60]
