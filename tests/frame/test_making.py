from __future__ import annotations

import io
import json

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.curves.roc import ROC_CURVE
from rocstats.estimate.bands import BANDS
from rocstats.facts import columns as glossary
from rocstats.frame import make as making
from rocstats.studies.catalogue import declared_questions
from tests import examples


def questions(study):
    yield study.auc()
    yield study.auc_draws(n_resamples=100, rng=1)
    yield study.auc(interval="percentile", n_resamples=100, rng=1)
    yield study.roc_curve()
    yield study.pr_curve()
    yield study.pr_curve(tpr=[0.5, 1.0])
    yield study.lift_curve()
    yield study.det_curve()
    yield study.average_precision()
    if study.sample_weight is None:
        yield study.pr_band("fixed-width", at=[0.5, 1.0], n_resamples=100, rng=1)
        yield study.average_precision(variance="bootstrap", n_resamples=100, rng=1)
        yield study.bootstrap(examples.difference_of_means, n_resamples=100, rng=1)
    yield study.roc_hull()
    yield study.roc_hull(across="predictors")
    yield study.optimal_points(cost_fp=1, cost_fn=2)
    yield study.optimal_points(slope=0.5, across="predictors")
    yield study.cost_curve()
    yield from questions_of_chance(study)
    yield from questions_of_bands(study)
    yield from questions_of_averages(study)
    yield from questions_of_cutpoints(study)
    if study.fold is None and study.sample_weight is None:
        yield study.auc_bounds()
    if study.sample_weight is None:
        yield study.binormal()
        yield study.binormal(fpr_range=(0, 0.2), n_bins=4)
        yield study.binormal(method="normal-theory")
        yield study.binormal_curve()
    if study.cluster is None and study.sample_weight is None:
        yield study.test_performance_goals(threshold=1, tpr=0.8, tnr=0.7)
    if len(study.predictors) > 1:
        yield from questions_of_pairs(study)
        yield from questions_of_costs(study)
        yield from comparisons(study)
        yield study.test_equal_auc()
        yield study.superiority_curve()
        yield study.lc_index(low=0.1, mode=0.2, high=0.6)
        drawn = {"n_resamples": 100, "rng": 1}
        yield study.lc_index(low=0.1, mode=0.2, high=0.6, interval="percentile", **drawn)
    if study.group is not None:
        yield study.compare_auc(across="groups")
        yield study.test_equal_groups()
        yield study.stratified_auc()
        if len(study.predictors) > 1:
            yield study.compare_stratified_auc()


def questions_of_pairs(study):
    if study.sample_weight is None:
        yield study.compare_curves(n_resamples=99, rng=1)
        yield study.compare_operating_points(threshold=3)
        yield study.compare_operating_points(threshold=3, hypothesis="non-inferiority", margin=0.1)
        yield study.compare_operating_points(fpr=[0.1, 0.5], n_resamples=100, rng=1)
        yield study.compare_operating_points(tpr=0.9, n_resamples=100, rng=1)
        yield study.compare_operating_points(threshold=3, quantities=["fpr_ratio", "mcc"])
        if study.group is not None:
            yield study.compare_curves(across="groups", n_resamples=99, rng=1)
            yield study.compare_operating_points(threshold=3, across="groups")
            yield study.compare_operating_points(fpr=0.1, across="groups", n_resamples=100, rng=1)


def questions_of_costs(study):
    if study.sample_weight is None:
        drawn = {"n_resamples": 100, "rng": 1}
        yield study.compare_costs(cost_fp=1, cost_fn=3, threshold=3)
        yield study.compare_costs(cost_fp=1, cost_fn=3, prevalence=0.2, **drawn)
        yield study.cost_difference_band(at=[0.2, 0.5, 0.8], **drawn)
        cuts = {name: {0.2: 3} for name in study.predictors}
        yield study.net_benefit(risk_threshold=0.2, threshold=cuts)
        yield study.compare_net_benefit(risk_threshold=0.2, threshold=cuts)


def comparisons(study):
    yield study.compare_auc()
    yield study.compare_auc(adjust="single-step", hypothesis="non-inferiority", margin=0.1)
    yield study.compare_auc(fpr_range=(0, 0.5), hypothesis="equivalence", margin=0.1)
    drawn = {"method": "bootstrap", "interval": "percentile", "n_resamples": 100, "rng": 1}
    yield study.compare_auc(**drawn)
    if study.sample_weight is None:
        yield study.compare_auc(method="permutation", n_resamples=99, rng=1)
        yield study.compare_auc(method="permutation-asymptotic")
        if study.cluster is None:
            yield study.compare_auc(method="bootstrap")
            if study.fold is None:
                yield study.compare_auc(method="hanley-mcneil", correlation="kendall")


def questions_of_chance(study):
    yield study.versus_random(method="brunner-munzel" if study.cluster is not None else None, rng=1)
    if study.cluster is None:
        yield study.versus_random(method="permutation", n_resamples=99, rng=1)
        yield study.versus_random(statistic="average_precision", n_resamples=99, rng=1)
        if study.sample_weight is None:
            yield study.operating_points_versus_random(threshold=[1, 3])
            yield study.random_band()
            yield study.random_band(scope="simultaneous")
            yield study.random_band(at="flagged")
            yield study.random_points(n_points=20, rng=1)


def questions_of_bands(study):
    asked = {"at": [0.2, 0.5, 0.8], "n_resamples": 100, "rng": 1}
    if study.sample_weight is not None:
        return
    for method, kind in ((record.word, record) for record in BANDS):
        if study.cluster is None or kind.clusters:
            range_ = (0.1, 0.9) if method == "regional" else None
            yield study.roc_band(method, fpr_range=range_, **asked)
    if len(study.predictors) > 1:
        yield study.roc_difference_band(**asked)


def questions_of_cutpoints(study):
    asked = {"n_resamples": 100, "rng": 1}
    if study.sample_weight is not None:
        return
    yield study.cutpoints(**asked)
    yield study.cutpoints("cost", cost_fp=1, cost_fn=5, **asked)
    yield study.cutpoints("fixed-tpr", tpr=0.8, **asked)
    yield study.cutpoints(method="kernel", **asked)
    yield study.cutpoint_draws("kappa", **asked)
    if study.cluster is None:
        yield study.cutpoints(method="normal-theory")


def questions_of_averages(study):
    yield study.operating_points(threshold=[1, 3])
    yield study.operating_points(threshold=1, interval="wald", joint=True)
    yield study.operating_points(threshold="all", prevalence=[0.1, 0.4], prevalence_cases=50)
    yield study.operating_points(threshold=2, sampling="case-control")
    yield study.operating_points(fpr=[0.2, 0.5], n_resamples=100, rng=1)
    yield study.operating_points(tpr=0.7, reading="attained", n_resamples=100, rng=1)
    if study.fold is None:
        return
    bars = "binomial" if study.cluster is None else "effective"
    yield study.roc_average(bars=bars, n_resamples=100, rng=1)
    yield study.roc_average("threshold", bars=bars, joint=True, n_samples=3)
    yield study.roc_average("merged", bars=bars, at=[1, 3])
    yield study.roc_average("threshold", independent=False, at=2)
    yield study.roc_average_difference(at=[0.2, 1], n_resamples=100, rng=1)


def every_kind_of_study(patients):
    arguments = {"data": patients, "pos_label": "Poor"}
    yield rs.Study("outcome", "a", **arguments)
    yield rs.Study("outcome", ["a", "b"], **arguments)
    yield rs.Study("outcome", ["a", "b"], frequency="n", **arguments)
    yield rs.Study("outcome", ["a", "b"], sample_weight="n", **arguments)
    yield rs.Study("outcome", ["a", "b"], cluster="patient", **arguments)
    yield rs.Study("outcome", ["a", "b"], fold="part", **arguments)
    yield rs.Study("outcome", ["a", "b"], fold="part", cluster="patient", **arguments)
    yield rs.Study("outcome", ["a", "b"], group="site", **arguments)
    yield rs.Study("outcome", ["b", "a"], higher_is_positive=False, **arguments)
    yield rs.Study.from_confusion(tp=3, fn=1, fp=2, tn=5)


def every_multiclass_study(patients):
    y, scores = ["u", "v", "w"] * 4, {"u": "a", "v": "b", "w": "n"}
    named = {label: patients[name] for label, name in scores.items()}
    for role, name in (
        ("frequency", "n"),
        ("sample_weight", "n"),
        ("cluster", "patient"),
        ("fold", "part"),
        ("group", "site"),
    ):
        yield rs.MulticlassStudy(y, named, **{role: patients[name]})
    other = {label: patients[name] for label, name in zip("uvw", "nab", strict=True)}
    yield rs.MulticlassStudy(y, {"one": named, "two": other})


def questions_of_classes(study):
    drawn = {"interval": "percentile", "n_resamples": 100, "rng": 1}
    yield study.auc()
    yield study.auc(method="class-reference", null_value=0.5)
    yield study.auc(**drawn)
    yield study.roc_curve()
    yield study.roc_curve(average="micro")
    yield study.roc_curve(average="macro")
    if study.sample_weight is None:
        yield study.roc_band(at=[0.2, 0.5], n_resamples=100, rng=1)
    if len(study.predictors) > 1:
        yield study.compare_auc()
        yield study.compare_auc(hypothesis="non-inferiority", margin=0.1, **drawn)


def questions_of_verification(patients):
    yield rs.begg_greenes(tp=9, fp=2, fn=0, tn=4, n_test_positive=20, n_test_negative=30)
    yield rs.verified_auc(
        "outcome", ["a", "b"], np.arange(12) % 5 > 0, probability=np.full(12, 0.8), data=patients,
        pos_label="Poor", n_resamples=100, rng=1,
    )  # fmt: skip


class Answers:
    """Every question asked once of every kind of study; the frames are read, never changed."""

    def __init__(self):
        self.patients = examples.patients()
        self.asked = [
            (study, ask, list(ask(study)))
            for studies, ask in (
                (every_kind_of_study(self.patients), questions),
                (every_multiclass_study(self.patients), questions_of_classes),
            )
            for study in studies
        ]
        self.verification = list(questions_of_verification(self.patients))

    def __iter__(self):
        for study, _, found in self.asked:
            yield from ((study, frame) for frame in found)
        for frame in self.verification:
            yield rs.Study([1, 0], [1, 0]), frame

    def stacked(self):
        """The frames of each schema on top of each other: to a file and back in one go."""
        by_columns = {}
        for _, frame in self:
            by_columns.setdefault(tuple(frame.columns), []).append(frame)
        return [pd.concat(frames, ignore_index=True) for frames in by_columns.values()]


@pytest.fixture(scope="module")
def answers():
    return Answers()


def assert_same(found, expected):
    # equals takes a twentieth of the time, but does not say what differs, nor look at the index
    if not (type(found.index) is type(expected.index) and found.equals(expected)):
        pd.testing.assert_frame_equal(found, expected.copy(), check_exact=True)


def test_columns_order_and_types_are_those_of_the_schema(answers):
    declared = declared_questions()
    for study, frame in answers:
        schema = declared[frame.attrs["rocstats"]["function"]].columns
        grouped = study.group is not None
        assert list(frame.columns) == [name for name in schema if name != "group" or grouped]
        assert isinstance(frame.index, pd.RangeIndex)
        for name, column in frame.items():
            if glossary.GLOSSARY[name].kind == "text":
                assert set(map(type, column.tolist())) <= {str}
            else:
                assert column.dtype == examples.number_type(name, column)


def test_inputs_are_untouched(answers):
    pd.testing.assert_frame_equal(answers.patients, examples.patients())


def test_any_two_estimate_frames_concatenate(answers):
    estimates = [frame for _, frame in answers if "estimate" in frame and "group" not in frame]
    together = pd.concat(estimates, ignore_index=True)
    assert len(together) == sum(map(len, estimates))
    assert set(together["predictor"]) >= {"a", "b", "all", "score"}


def test_csv_round_trip_is_exact(answers, tmp_path):
    for number, frame in enumerate(answers.stacked()):
        path = tmp_path / f"{number}.csv"
        frame.to_csv(path, index=False)
        assert_same(rs.read_csv(path), frame)


def test_labels_that_look_like_numbers_or_missing_survive_csv():
    study = rs.Study([1, 0, 1, 0], {"NA": [3, 1, 2, 0.5]}, group=["1", "1", "", ""])
    frame = study.auc()
    again = rs.read_csv(io.StringIO(frame.to_csv(index=False)))
    assert again[["predictor", "group"]].to_numpy().tolist() == [["NA", "1"], ["NA", ""]]


def test_parquet_round_trip_is_exact(answers, tmp_path):
    for number, frame in enumerate(answers.stacked()):
        path = tmp_path / f"{number}.parquet"
        frame.to_parquet(path)
        assert_same(pd.read_parquet(path), frame)


def test_csv_of_others_is_refused():
    with pytest.raises(
        rs.InputError, match=r"`path` must hold columns of the glossary; got \['x'\]"
    ):
        rs.read_csv(io.StringIO("x\n1\n"))


def test_provenance_is_json(answers):
    for _, frame in answers:
        about = frame.attrs["rocstats"]
        assert json.loads(json.dumps(about)) == about
        assert about["version"] == rs.__version__
        assert about["references"]


def test_the_same_question_gives_the_same_frame(answers):
    # Every second kind of study: all questions are among them, and every role but clusters.
    for study, ask, found in answers.asked[1::2]:
        for first, second in zip(found, ask(study), strict=True):
            assert_same(first, second)


def test_every_schema_speaks_the_glossary():
    declared = declared_questions().values()
    questions = [question.of_own_cases() for question in declared]
    questions += [question.of_bins() for question in declared if question.binned]
    used = {name for question in questions for name in question.columns}
    assert used <= set(glossary.GLOSSARY)
    assert used == set(glossary.GLOSSARY), "a column nobody returns"


def test_a_frame_that_does_not_fit_its_schema_is_a_bug():
    with pytest.raises(KeyError, match="do not fit the schema"):
        making.make_frame(ROC_CURVE, {"predictor": ["a"]}, grouped=False)


def test_a_doubt_is_warned_once_per_call_and_code():
    study = rs.Study(examples.Y, {"a": examples.D1, "b": examples.D2})
    with pytest.warns(rs.StatisticalWarning) as caught:
        study.auc()
    assert [str(w.message).partition(":")[0] for w in caught] == ["few-cases"]
    assert caught[0].filename == __file__


def test_facts_are_noted_without_a_warning(recwarn):
    y = np.tile([1, 0], 25)
    score = np.where(np.arange(50) == 7, np.nan, np.arange(50) % 7.0)
    frame = rs.Study(y, score, nan_policy="omit").auc()
    assert frame["note"].tolist() == ["rows-dropped=1"]
    assert not recwarn.list


@pytest.mark.parametrize(
    "part",
    [
        lambda frame: frame[frame["quantity"].isin(["tpr", "tnr"])].reset_index(drop=True),
        lambda frame: frame[frame["estimate"] > 2],
        lambda frame: frame.head(1).assign(quantity="tpr"),
        lambda frame: frame.drop(columns="se"),
    ],
)
def test_a_part_of_a_frame_carries_what_the_frame_does(part):
    """Labels and seeds reach the tables and figures of a report, which print parts of frames."""
    frame = rs.Study([1, 1, 0, 0], [3, 1, 2, 0], labels={"score": "Mine"}).auc()
    assert part(frame).attrs == frame.attrs
    assert frame.attrs["rocstats"]["labels"] == {"score": "Mine"}


def test_naming_the_columns_of_a_frame_leaves_other_frames_alone():
    study = rs.Study([0, 1, 1, 0], [0.1, 0.4, 0.3, 0.2])
    curve = study.roc_curve()
    curve.columns.name = "mine"
    curve.loc[0, "predictor"] = "other"
    again = study.roc_curve()
    assert again.columns.name is None
    assert set(again["predictor"]) == {"score"}


def test_long_columns_are_made_by_parts():
    n = 40_001
    y = np.arange(n) % 3 == 0
    curve = rs.Study(y, -np.arange(n)).roc_curve()
    for name, calls in (("tp", y), ("fp", ~y)):
        assert curve[name].dtype == np.int64
        np.testing.assert_array_equal(curve[name], np.concatenate(([0], np.cumsum(calls))))
    # The last positive alone has a fraction, far behind the first part: its column is no count.
    weight = np.where(np.arange(n) == np.flatnonzero(y)[-1], 0.5, 1.0)
    weighted = rs.Study(y, -np.arange(n), sample_weight=weight).roc_curve()
    assert (weighted["tp"].dtype, weighted["fp"].dtype) == (np.float64, np.int64)
    np.testing.assert_array_equal(weighted["tp"], np.concatenate(([0], np.cumsum(y * weight))))


def test_a_word_in_a_column_of_numbers_is_named():
    with pytest.raises(rs.InputError, match=r"`path` must hold numbers .*; got 'abc'"):
        rs.read_csv(io.StringIO("fpr\n0.5\nabc\n"))
