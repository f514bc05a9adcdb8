"""Reader studies: their data, the arrays and the design made of them, and what is refused."""

from __future__ import annotations

import itertools
import pickle
import re
from typing import get_args

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocstats as rs
from rocstats.errors import InputError
from rocstats.study.cases import Reads
from rocstats.study.readers import Pattern, reads_of_reader_columns, study_design
from tests.quick import each
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


# --- The design: each pattern from the smallest data that have it ---------------------------------


def reads_of(**read):
    """Return reads by modality: {"A": "12:abcd 3:ab"} is readers 1, 2 of all, 3 of two cases."""
    rows = [
        (modality, reader, case)
        for modality, text in read.items()
        for readers, cases in (part.split(":") for part in text.split())
        for reader, case in itertools.product(readers, cases)
    ]
    modality, reader, case = (list(column) for column in zip(*rows, strict=True))
    rating = np.arange(len(rows))
    truth = [name in "ab" for name in case]
    return rs.ReaderStudy(truth, rating, reader=reader, case=case, modality=modality)


DESIGNS = [
    ("fully crossed", "fully crossed", {"A": "12:abcd", "B": "12:abcd"}, 0, 1),
    ("readers nested in modalities", "readers nested in modalities",
     {"A": "12:abcd", "B": "34:abcd"}, 16, 1),
    # The same readers of a modality, each modality with cases of its own.
    ("readers nested in modalities", "readers nested in modalities",
     {"A": "12:ac", "B": "34:bd"}, 24, 2),
    ("cases nested in modalities", "cases nested in modalities",
     {"A": "12:ac", "B": "12:bd"}, 8, 1),
    ("partially paired", "partially paired", {"A": "12:abc", "B": "12:acd"}, 4, 1),
    ("partially paired", "partially paired", {"A": "12:abcd", "B": "12:ac"}, 4, 1),
    ("cases nested in readers", "cases nested in readers",
     {"A": "1:ac 2:bd", "B": "1:ac 2:bd"}, 8, 2),
    ("split plot", "split plot", {"A": "12:ac 3:bd", "B": "12:ac 3:bd"}, 12, 2),
    ("missing reads", "missing reads", {"A": "12:abcd", "B": "1:abcd 2:abc"}, 1, 1),
    # Two groups that share case c.
    ("missing reads", "missing reads", {"A": "1:abc 2:cd", "B": "1:abc 2:cd"}, 6, 1),
    # A split plot with one read less: still two groups.
    ("missing reads", "missing reads", {"A": "12:ac 3:bd", "B": "12:ac 3:b"}, 13, 2),
    # Reader 3 reads under one modality only.
    ("missing reads", "missing reads", {"A": "123:abcd", "B": "12:abcd"}, 4, 1),
    ("one modality", "fully crossed", {"A": "12:abcd"}, 0, 1),
    ("one modality", "split plot", {"A": "12:ac 34:bd"}, 8, 2),
    ("one modality", "cases nested in readers", {"A": "1:ac 2:bd"}, 4, 2),
    ("one modality", "missing reads", {"A": "1:abcd 2:abc"}, 1, 1),
    ("one reader", "fully crossed", {"A": "1:abcd"}, 0, 1),
    ("one reader", "fully crossed", {"A": "1:abcd", "B": "1:abcd"}, 0, 1),
    ("one reader", "partially paired", {"A": "1:abcd", "B": "1:abc"}, 1, 1),
    ("one reader", "cases nested in modalities", {"A": "1:ac", "B": "1:bd"}, 4, 1),
]  # fmt: skip


@each(("name", "pattern", "read", "n_missing", "n_blocks"), DESIGNS)
def test_designs(name, pattern, read, n_missing, n_blocks):
    study = reads_of(**read)
    design = study.design
    assert (design.name, design.pattern) == (name, pattern)
    assert design.crossed == (pattern == "fully crossed")
    assert design.n_missing == n_missing
    assert len(design.blocks) == n_blocks
    assert design.n_reads == len(study.rating)
    assert sum(block.n_pos for block in design.blocks) == design.n_pos == study.n_pos
    assert sum(block.n_neg for block in design.blocks) == design.n_neg == study.n_neg
    assert sorted(j for block in design.blocks for j in block.readers) == [*range(design.n_readers)]


def test_every_pattern_has_an_example_and_a_definition():
    assert {pattern for _, pattern, *_ in DESIGNS} == set(get_args(Pattern))
    for pattern in get_args(Pattern):
        assert f'"{pattern}"' in rs.ReaderStudy.__doc__, pattern


def test_a_design_does_not_hang_on_the_order_of_rows():
    rng = np.random.default_rng(1)
    for name, pattern, read, *_ in DESIGNS:
        study = reads_of(**read)
        rows = rng.permutation(len(study.rating))
        columns = (study.reader, study.case, study.modality)
        reader, case, modality = (np.array(f.labels)[f.codes][rows] for f in columns)
        again = rs.ReaderStudy(
            study.is_positive[rows], rows, reader=reader, case=case, modality=modality
        ).design
        assert again[:9] == study.design[:9]
        assert (again.name, again.pattern) == (name, pattern)


def test_words():
    crossed = reads_of(A="12:abcd", B="12:abcd").design
    assert crossed.in_words() == (
        "fully crossed: 2 modalities x 2 readers x 4 cases (2 positive, 2 negative), 16 reads"
    )
    single = reads_of(A="1:abcd").design
    assert single.in_words() == (
        "one reader, fully crossed: 1 modality x 1 reader x 4 cases (2 positive, 2 negative),"
        " 4 reads"
    )
    split = reads_of(A="12:ac 3:bd", B="12:ac 3:bd").design
    assert split.blocks_in_words() == "2 of 1 to 2 readers, who read 2 cases"


def test_readers_are_linked_by_chains_of_shared_cases():
    # Reader j reads cases j and j + 1: a chain of 40 links, of which the last pair is cut off.
    n = 42
    read = np.full((1, n, n + 1), np.nan)
    for j in range(n):
        read[0, j, j : j + 2] = 1
    read[0, 39, 40] = np.nan
    design = study_design(Reads(read[..., ::2], read[..., 1::2]))
    assert [len(block.readers) for block in design.blocks] == [40, 2]


# --- What is refused ------------------------------------------------------------------------------

# Two readers, two modalities, cases a, b (positive) and c, d: 16 reads, by reader, then modality.
FULL = pd.DataFrame(
    {
        "truth": [1, 1, 0, 0] * 4,
        "rating": np.arange(16.0),
        "reader": ["r1"] * 8 + ["r2"] * 8,
        "case": ["a", "b", "c", "d"] * 4,
        "modality": (["film"] * 4 + ["digital"] * 4) * 2,
    }
)


def of(**changed):
    """Return the study of the columns, of which some are changed."""
    return rs.ReaderStudy(**{**{name: FULL[name].tolist() for name in FULL}, **changed})


def at(name, *changes):
    """Return a column with other values in some rows."""
    found = FULL[name].tolist()
    for row, value in changes:
        found[row] = value
    return found


def machine_at(row, value):
    return [value if k == row else 1 + k % 4 for k in range(16)]


ONE_OF_A_CASE = "must be the same in all rows of a case; got different values for case"
CASES = [
    (
        lambda: of(case=at("case", (5, "a")), truth=at("truth", (5, 1))),
        "`rating` must be one value for each reader, case and modality; got 2 of reader 'r1', case"
        " 'a', modality 'digital' (rows 4, 5).",
    ),
    (
        lambda: of(case=at("case", (9, "a"), (13, "a"))),
        "`rating` must be one value for each reader, case and modality; got 2 of reader 'r2', case"
        " 'a', modality 'film' (rows 8, 9), the first of 2 such reads.",
    ),
    (lambda: of(truth=at("truth", (5, 0))), f"`truth` {ONE_OF_A_CASE} 'b' (rows 1, 5, 9, 13)."),
    (
        lambda: of(cluster=at("case", (6, "x"), (7, "x"))),
        f"`cluster` {ONE_OF_A_CASE} 'c' (rows 2, 6, 10, 14), the first of 2 such cases.",
    ),
    (
        lambda: of(group=FULL["reader"].tolist()),
        f"`group` {ONE_OF_A_CASE} 'a' (rows 0, 4, 8, 12), the first of 4 such cases.",
    ),
    (lambda: of(machine=machine_at(4, 9)), f"`machine` {ONE_OF_A_CASE} 'a' (rows 0, 4, 8, 12)."),
    (
        lambda: of(machine={"AI": machine_at(4, np.nan)}),
        "`machine` must have a score for every case; got missing scores of 'AI' (row 4).",
    ),
    (
        lambda: of(machine={"film": machine_at(0, 1)}),
        "`machine` must have a name that no modality has; got 'film'.",
    ),
    (lambda: of(machine="AI"), "`machine` must be an array unless `data` is given"),
    (
        lambda: of(rating=at("rating", (3, "high"))),
        "`rating` must be numbers; got 1 cell of text: 'high' (row 3).",
    ),
    (
        lambda: of(rating=at("rating", (3, np.nan))),
        "`rating` must have no missing values; got 1 of 'modality' (row 3).",
    ),
    (
        lambda: of(reader=at("reader", (2, None))),
        "`reader` must have no missing values; got 1 (row 2).",
    ),
    (
        lambda: of(truth=at("truth", (5, 0)), rating=at("rating", (0, np.nan)), nan_policy="omit"),
        f"`truth` {ONE_OF_A_CASE} 'b' (rows 1, 5, 9, 13).",
    ),
    (
        lambda: of(modality=pd.Categorical(FULL["modality"], ["film", "digital", "tomo"])),
        "`modality` must be read by at least one reader; got no reads of 'tomo'.",
    ),
    (
        lambda: of(
            rating=FULL["rating"].where(FULL["modality"] != "film").tolist(), nan_policy="omit"
        ),
        "`modality` must be read by at least one reader; got no reads of 'film'.",
    ),
    (
        lambda: of(truth=[0] * 16),
        "`truth` must hold both classes; got 0 positive cases (label 1) and 4 negative ones.",
    ),
    (
        lambda: of(truth=["ill"] * 16, pos_label="ill"),
        "`truth` must hold both classes; got 4 positive cases (label 'ill') and 0 negative ones.",
    ),
    (
        lambda: of(truth=["ill", "ill", "well", "well"] * 4),
        "`pos_label` must be given for labels other than 0/1, -1/1 and booleans; got labels 'ill',",
    ),
    (
        lambda: of(group=FULL["truth"].tolist()),
        "`group` must have both classes in every group; got 2 positive and 0 negative cases in"
        " '1'.",
    ),
    (
        lambda: rs.ReaderStudy(
            [1, 0, 1, 0],
            [1, 2, 3, 4],
            reader=["r"] * 4,
            case=list("abcd"),
            modality=list("AABB"),
            group=[1, 1, 2, 2],
        ),
        "`group` must have reads under every modality in every group; got none of 'B' in '1'.",
    ),
    (lambda: study_of(FULL, modality="modalty"), "`modality` must name one column of `data`"),
    (
        lambda: rs.ReaderStudy("truth", "score", data=FULL, reader="reader", case="case"),
        "`rating` must name one column of `data`; got 'score', of which there is no column.",
    ),
    (lambda: of(case=at("case")[:15]), "`case` must have as many rows as `truth`"),
    (lambda: of(machine=[1, 2, 3, 4]), "`machine` must have as many rows as `truth`"),
    (lambda: of(reader=None), "`reader` must be one-dimensional; got shape ()."),
    (
        lambda: of(case=at("case", (0, 1), (8, "1"))),
        "`case` must not hold labels that look the same; got 1 and '1'.",
    ),
    (lambda: of(higher_is_positive={"flim": False}), "`higher_is_positive` must name modalities"),
    (
        lambda: of(higher_is_positive="film"),
        "`higher_is_positive` must be True or False, or a dict of them",
    ),
    (lambda: of(nan_policy="available"), "`nan_policy` must be one of 'raise', 'omit'"),
    (lambda: of(labels={"mri": "MRI"}), "`labels` must use names of the study"),
    (
        lambda: of(machine={"AI-1": machine_at(0, 1)}).machine_scores("AI-11"),
        "`machine` must name a machine of the study; got 'AI-11'. The machines are ['AI-1'].",
    ),
    (
        lambda: of().machine_scores([1, 2, 3, 4]),
        "`machine` must be the name of a machine, or scores by case; got list.",
    ),
    (
        lambda: of().machine_scores({"a": 1, "b": np.nan, "c": 2}),
        "`machine` must have a score for every case; got none for 2 of the 4 cases, such as ['b',"
        " 'd'].",
    ),
    (
        lambda: rs.ReaderStudy(
            [0, 1] * 4, range(8), reader=["r"] * 8, case=list("abcdefgh"), modality=["m"] * 8
        ).machine_scores({"a": 1}),
        "`machine` must have a score for every case; got none for 7 of the 8 cases, such as ['b',"
        " 'c', 'd',"
        " 'e', 'f'].",
    ),
    (
        lambda: of().machine_scores(pd.Series([1, 2], ["a", "a"])),
        "`machine` must have one score per case; got several of case 'a'.",
    ),
    (lambda: of().without("flim"), "`modality` must be one of several modalities"),
    (
        lambda: of().without("film").without("digital"),
        "`modality` must be one of several modalities; got 'digital' of ['digital'].",
    ),
]


@each(("call", "message"), CASES)
def test_message(call, message):
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        call()


def test_a_forgotten_reader_is_pythons_error():
    with pytest.raises(TypeError, match=r"ReaderStudy.__init__\(\) missing .* 'reader'"):
        rs.ReaderStudy([1, 0], [1, 2], case=["a", "b"])  # type: ignore[call-arg]


def test_a_row_for_each_read():
    frame = pd.DataFrame({"case": [1, 2], "R1": [3, 4], "R2": [5, NAN], "R*": [0, 0]})
    found = reads_of_reader_columns(frame, ["R1", "R2"], "rating", "reader")
    rows = found[["case", "reader", "rating"]].to_numpy().tolist()
    assert rows == [[1, "R1", 3], [2, "R1", 4], [1, "R2", 5]]
    assert "R*" in found
    exact = reads_of_reader_columns(frame, ["R*"], "rating", "reader")
    assert exact["reader"].unique().tolist() == ["R*"]
    with pytest.raises(InputError, match="must fit a column; got 'X'"):
        reads_of_reader_columns(frame, ["X"], "rating", "reader")
    with pytest.raises(InputError, match="without a column 'reader'"):
        reads_of_reader_columns(frame.assign(reader=1), ["R1"], "rating", "reader")
