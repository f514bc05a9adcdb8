"""All calls: questions of studies, functions beside them, and what takes their frames."""

from __future__ import annotations

import contextlib
import inspect
import io
import sys
import tempfile
import warnings
import zlib
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import typer

import rocstats as rs
from rocstats import cli
from validation.golden.answers import Record, figure_of, neutral, page_of, text_of
from validation.golden.options import (
    BASES,
    CLASSES,
    LABELS,
    MEASURES,
    READERS,
    SURVIVAL,
    hints_of,
    option_text,
    options_of,
)
from validation.golden.studies import (
    ASKED_EVERYTHING,
    binary_studies,
    counted_studies,
    draw_labels,
    draw_risks,
    draw_scores,
    other_studies,
)
from validation.torture.values import words_of

CONSTRUCTORS = ("from_", "stack")
BASES_OF_KIND: dict[type, dict[str, list[dict[str, Any]]]] = {
    rs.SurvivalStudy: SURVIVAL,
    rs.MulticlassStudy: CLASSES,
    rs.MultilabelStudy: LABELS,
    rs.ReaderStudy: READERS,
}
SHARE = 0.22
"""Of the further calls of a study that is not asked everything: some 11 000 calls in a minute."""


def questions_of(kind: type) -> list[str]:
    """Return the methods of a study that ask something."""
    found = []
    for name in dir(kind):
        value = inspect.getattr_static(kind, name)
        if not name.startswith(("_", *CONSTRUCTORS)) and inspect.isroutine(value):
            found.append(name)
    return found


def ask_studies(record: Record) -> None:
    """Ask every study of every kind."""
    made: dict[str, tuple[type, Any]] = {
        n: (rs.Study, partial(rs.Study, **options)) for n, options in binary_studies().items()
    }
    made |= {n: (rs.Study, build) for n, build in counted_studies().items()}
    made |= {n: (kind, partial(kind, **options)) for n, (kind, options) in other_studies().items()}
    for label, (kind, build) in made.items():
        study = record.ask(f"{label}:study ", build)
        if study is None:
            continue
        own = BASES_OF_KIND.get(kind, {})
        for name in questions_of(kind):
            bases = own.get(name) or BASES.get(name) or [{}]
            study = build()  # a study warns of each doubt once
            question, refused = getattr(study, name), Counter[str]()
            for number, options in enumerate(options_of(getattr(kind, name), bases)):
                key = f"{label}:{name} {option_text(options)}"
                # The sample of a question's calls differs between studies.
                chosen = (
                    label in ASKED_EVERYTHING
                    or number == 0
                    or zlib.crc32(key.encode()) % 1000 < SHARE * 1000
                )
                costly = options.get("simulate") or (
                    options.get("covariance") == "bootstrap" and label != "readers-machine"
                )
                if not chosen or costly or max(refused.values(), default=0) >= 3:
                    continue
                given = dict(options)
                if given.get("by") == "GROUPS":
                    n = study.n_pos + study.n_neg
                    given["by"] = {"sex": np.array(["F", "M"])[np.arange(int(n)) % 2]}
                # A study that a question always refuses is refused three times.
                record.ask(key, partial(question, **given))
                reason = record.reason_of_last()
                if reason is not None and number < 4:
                    refused[reason] += 1


def _mean_difference_rule(X: Any, y: Any) -> Any:
    gap = X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)
    return lambda rows: rows @ gap


def _score(X: Any, y: Any) -> float:
    return float(X[y == 1, 0].mean() - X[y == 0, 0].mean())


class _Stump:
    classes_ = (0, 1)

    def fit(self, X: Any, y: Any, sample_weight: Any) -> Any:
        x = np.asarray(X)[:, 0]
        wrong = [
            float(np.sum(np.asarray(sample_weight) * ((x >= t) != (np.asarray(y) == 1)))) for t in x
        ]
        self.cut = x[int(np.argmin(wrong))]
        return self

    def predict(self, X: Any) -> Any:
        return (np.asarray(X)[:, 0] >= self.cut).astype(int)

    def predict_proba(self, X: Any) -> Any:
        p = 1 / (1 + np.exp(-np.round(np.asarray(X)[:, 0])))
        return np.column_stack([1 - p, p])


def ask_functions(record: Record) -> None:
    """Ask the functions beside the studies, each with the options of its signature."""
    y, r = draw_labels(60, 5)
    X = r.normal(size=(60, 2)).round(2) + y[:, None] * [0.8, 0.2]
    s = draw_scores(y, r)
    frame = pd.DataFrame(
        {
            "ill": y,
            **s,
            "site": np.where(np.arange(60) % 2, "x", "y"),
            "patient": np.arange(60) // 2,
        }
    )
    study = rs.Study(y, s)
    places = {"A": (0.1, 0.6), "B": (0.3, 0.8), "C": (0.2, 0.5)}
    calls = {n: (v > 0.5).astype(int) for n, v in s.items()}
    folds = {
        "estimator": [_Stump(), _Stump()],
        "indices": {"test": [np.arange(0, 60, 2), np.arange(1, 60, 2)]},
    }
    areas = r.random((6, 3)).round(3)
    ask_designs(record, study)
    table = rs.count_scores(frame, "ill", "a")
    asked: list[tuple[Any, list[dict[str, Any]]]] = [
        (
            rs.begg_greenes,
            [
                {
                    "tp": 30,
                    "fp": 10,
                    "fn": 4,
                    "tn": 40,
                    "n_test_positive": 60,
                    "n_test_negative": 90,
                },
                {
                    "tp": 30,
                    "fp": 0,
                    "fn": 0,
                    "tn": 40,
                    "n_test_positive": 30,
                    "n_test_negative": 90,
                },
            ],
        ),
        (
            rs.compare_published_auc,
            [
                {"auc": 0.85, "reference_auc": 0.78, "se": 0.03, "reference_se": 0.035},
                {
                    "auc": 0.85,
                    "reference_auc": 0.78,
                    "n_pos": 60,
                    "n_neg": 90,
                    "correlation": 0.4,
                    "hypothesis": "non-inferiority",
                    "margin": 0.05,
                },
                {"auc": 0.85, "reference_auc": 0.78, "se": 0.03},
            ],
        ),
        (
            rs.verified_auc,
            [
                {
                    "y_true": y,
                    "y_score": s,
                    "verified": np.arange(60) % 4 > 0,
                    "probability": np.linspace(0.5, 0.9, 60),
                },
                {
                    "y_true": y,
                    "y_score": s,
                    "verified": np.arange(60) % 4 > 0,
                    "probability": np.full(60, 0.75),
                    "cluster": np.arange(60) // 2,
                },
            ],
        ),
        (
            rs.confusion_rates,
            [
                {"tables": {"A": (10, 3, 4, 20), "B": (5, 5, 5, 5)}},
                {"tables": {"A": (10, 3, 4, 20)}, "negate": ["A"]},
            ],
        ),
        (
            rs.chain_classifiers,
            [
                {"positions": places, "max_cost": 0.5},
                {"decisions": calls, "y_true": y, "cost_fp": 1, "cost_fn": 3},
            ],
        ),
        (
            rs.conjoin_classifiers,
            [{"positions": places}, {"decisions": calls, "y_true": y}],
        ),
        (
            rs.disjoin_classifiers,
            [{"positions": places}, {"decisions": calls, "y_true": y}],
        ),
        (
            rs.interpolate_classifiers,
            [
                {"positions": {"A": (0.1, 0.6), "B": (0.3, 0.8)}, "k": 0.4},
                {"positions": {"A": (0.1, 0.6), "B": (0.3, 0.8)}, "fpr": 0.2},
                {
                    "positions": {"A": (0.1, 0.6), "B": (0.3, 0.8)},
                    "n_positive_calls": 20,
                    "n_pos": 30,
                    "n_neg": 50,
                },
            ],
        ),
        (rs.repair_concavities, [{"study": study, "predictor": "a"}]),
        (
            rs.sweep_class_weight,
            [
                {
                    "estimator": _Stump(),
                    "X": X,
                    "y": y,
                    "X_test": X,
                    "y_test": y,
                    "weights": [0.5, 1.0, 2.0],
                }
            ],
        ),
        (
            rs.shift_prevalence,
            [{"p": [0.2, 0.7], "source": 0.4, "target": 0.1}],
        ),
        (
            rs.cost_benefit_matrix,
            [
                {
                    "benefits": {"Y": {"p": 3.0, "n": -1}, "N": {"p": -2, "n": 0}},
                    "y_true": np.where(y, "p", "n"),
                    "pos_label": "p",
                }
            ],
        ),
        (
            rs.critical_auc,
            [
                {"n_pos": 20, "n_neg": 30},
                {"n_pos": 20, "n_neg": 30, "n_candidates": [1, 10, 1000], "alpha": 0.01},
            ],
        ),
        (
            rs.compare_learners,
            [
                {"areas": areas, "n_train": 90, "n_test": 10},
                {
                    "areas": {"l0": areas[:, 0], "l1": areas[:, 1]},
                    "n_train": 90,
                    "n_test": 10,
                    "reference": "l1",
                },
            ],
        ),
        (
            rs.compare_over_datasets,
            [
                {"areas": areas},
                {"areas": {"l0": areas[:, 0], "l1": areas[:, 1]}, "reference": "l1"},
            ],
        ),
        (
            rs.optimism_corrected_auc,
            [{"fit": _mean_difference_rule, "X": X, "y": y}],
        ),
        (rs.permute_pipeline, [{"fit_and_score": _score, "X": X, "y": y}]),
        (
            rs.stack_test_sets,
            [{"studies": [rs.Study(y, s), rs.Study(y[::-1], s)]}],
        ),
        (
            rs.simulate_readers,
            [{"n_readers": 3, "n_pos": 5, "n_neg": 6, "separation": [1.0, 1.5], "structure": "HL"}],
        ),
        (
            rs.count_scores,
            [
                {"frame": frame, "label": "ill", "score": "a"},
                {"frame": frame, "label": "ill", "score": "a", "by": "site", "bits": 5},
            ],
        ),
        (
            rs.count_paired,
            [
                {"frame": frame, "label": "ill", "score": ["a", "b"]},
                {
                    "frame": frame,
                    "label": "ill",
                    "score": ["a", "b"],
                    "cluster": "patient",
                    "by": "site",
                },
            ],
        ),
        (
            rs.count_sql,
            [
                {"dialect": d, "table": "visits", "label": "ill", "score": "a", "by": "site"}
                for d in words_of(hints_of(rs.count_sql).get("dialect")) or ["duckdb"]
            ],
        ),
        (rs.merge_counts, [{"counts": [table, table]}]),
        (
            rs.Study.from_estimator,
            [{"estimators": {"t": _Stump()}, "X": X, "y_true": y}],
        ),
        (
            rs.Study.from_cv_results,
            [{"results": {"t": folds}, "X": X, "y_true": y}],
        ),
        (rs.Study.from_tree, [{"tree": _Stump(), "X": X, "y_true": y}]),
    ]
    for function, bases in asked:
        for options in options_of(function, bases):
            if function is rs.permute_pipeline:
                options["n_resamples"] = 99
            data = (np.ndarray, dict, pd.DataFrame, list, rs.Study)
            brief = {k: v for k, v in options.items() if not isinstance(v, data)}
            name = f"function:{function.__name__} {option_text(brief)}"
            record.ask(name, partial(function, **options))
    roles: dict[str, dict[str, Any]] = {
        "plain": {},
        "groups": {"by": "site"},
        "clusters": {"cluster": "patient"},
    }
    for label, columns in roles.items():
        paired = rs.count_paired(frame, "ill", ["a", "b"], **columns)
        for name in questions_of(rs.PairedCounts):
            for options in options_of(getattr(rs.PairedCounts, name), [{}]):
                key = f"paired-{label}:{name} {option_text(options)}"
                record.ask(key, partial(getattr(paired, name), **options))


def ask_designs(record: Record, study: rs.Study) -> None:
    """Ask the power and the size of planned studies, each design with every option."""
    components = {
        "modality-x-reader": 0.0003,
        "error": 0.002,
        "cov-1": 0.0009,
        "cov-2": 0.0008,
        "correlation-3": 0.3,
    }
    designs: dict[str, Any] = {
        "one": rs.OneAUC(0.8),
        "one-variance": rs.OneAUC(0.8, variance="hanley-mcneil"),
        "two": rs.TwoAUCs(0.8, 0.7),
        "paired": rs.PairedAUCs(0.8, 0.7, correlation_pos=0.4, correlation_neg=0.4),
        "pilot": rs.PilotAUCs(study, predictor="a", reference="b"),
        "rate": rs.OneRate("tpr", 0.9, goal=0.8),
        "rates": rs.PairedRates("tnr", only_predictor=0.2, only_reference=0.1),
        "readers": rs.ReaderDesign(auc=0.85, reference_auc=0.8, structure="HL"),
        "reader-pilot": rs.ReaderDesign(
            components=components, difference=0.05, pilot_n_pos=40, pilot_n_neg=60
        ),
    }
    classes: list[tuple[Any, list[dict[str, Any]]]] = [
        (rs.OneAUC, [{"auc": 0.8}]),
        (rs.TwoAUCs, [{"auc": 0.8, "reference_auc": 0.7}]),
        (
            rs.PairedAUCs,
            [{"auc": 0.8, "reference_auc": 0.7, "correlation_pos": 0.4, "correlation_neg": 0.4}],
        ),
        (
            rs.PilotAUCs,
            [
                {"pilot": study, "predictor": "a", "reference": "b"},
                {"pilot": study, "predictor": "a", "reference": "b", "difference": 0.1},
            ],
        ),
        (rs.OneRate, [{"quantity": "tpr", "rate": 0.9, "goal": 0.8}]),
        (rs.PairedRates, [{"quantity": "tnr", "only_predictor": 0.2, "only_reference": 0.1}]),
        (rs.ReaderDesign, [{"auc": 0.85, "reference_auc": 0.8, "structure": "HL"}]),
    ]
    for design, bases in classes:
        for options in options_of(design, bases):
            key = f"{design.__name__} {option_text(options)[:150]}"
            record.ask(
                f"function:{key}", partial(design, **options), lambda made: repr(made)[:2000]
            )
            record.ask(
                f"function:power {key}",
                lambda d=design, o=options: rs.power(
                    d(**o), n_pos=30, n_neg=50, n_readers=6 if d is rs.ReaderDesign else None
                ),
            )
    for label, design in designs.items():
        readers = {"n_readers": 5} if "reader" in label else {}
        powers: list[dict[str, Any]] = [
            {},
            {"alpha": 0.01},
            {"n_pos": [20, 40], "n_neg": 50},
            {"n_groups": 2},
            {"simulate": True, "n_simulations": 100, "rng": 7, "n_pos": 12, "n_neg": 15},
        ]
        for more in powers:
            options = {"n_pos": 30, "n_neg": 60, **readers, **more}
            record.ask(f"function:power {label} {more}", partial(rs.power, design, **options))
        sizes: list[dict[str, Any]] = [
            {},
            {"power": [0.8, 0.9]},
            {"half_width": 0.05},
            {"ratio": 2.0},
            {"n_groups": 2},
        ]
        for more in sizes:
            options = {**readers, **more}
            record.ask(
                f"function:sample_size {label} {more}", partial(rs.sample_size, design, **options)
            )


def ask_frames(record: Record) -> None:
    """Ask what takes frames: pooling, tables, figures, reports, files and the command."""
    folder = Path(tempfile.mkdtemp())
    b, o = binary_studies(), other_studies()
    risk, ties, grouped = rs.Study(**b["risks"]), rs.Study(**b["ties"]), rs.Study(**b["two-groups"])
    folds = rs.Study(**b["folds"])
    readers, surv = rs.ReaderStudy(**o["readers-machine"][1]), rs.SurvivalStudy(**o["survival"][1])
    draws: dict[str, Any] = {"n_resamples": 100, "rng": 7}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        f = {
            "auc": risk.auc(),
            "auc-groups": grouped.auc(),
            "compare": ties.compare_auc(),
            "points": risk.operating_points(threshold=[0.3, 0.6]),
            "cutpoints": risk.cutpoints(method="empirical", **draws),
            "calibration": risk.calibration(),
            "scores": risk.probability_scores(),
            "net_benefit": risk.net_benefit(risk_threshold=[0.1, 0.3, 0.5]),
            "survival": surv.auc(time=[5.0, 10.0]),
            "concordance": surv.concordance(time_limit=10.0),
            "reader_auc": readers.auc(),
            "reader_compare": readers.compare_auc(),
            "reader_points": readers.operating_points(threshold=2.0),
            "subgroups": risk.subgroups(by={"sex": np.array(["F", "M"] * 30)}),
            "power": rs.power(rs.OneAUC(0.8), n_pos=[20, 40, 80], n_neg=50),
            "components": readers.components(),
            "goals": risk.test_performance_goals(threshold=0.5, tpr=0.6, tnr=0.5),
            "binormal": ties.binormal(),
            "zone": risk.grey_zone(thresholds=[0.3, 0.7]),
            "average_precision": risk.average_precision(),
        }
        c = {
            "roc": risk.roc_curve(),
            "band": risk.roc_band(rng=7),
            "pr": risk.pr_curve(),
            "pr_band": risk.pr_band(**draws),
            "det": risk.det_curve(),
            "lift": risk.lift_curve(),
            "cost": risk.cost_curve(),
            "hull": risk.roc_hull(),
            "average": folds.roc_average(**draws),
            "folds": folds.roc_curve(by="fold"),
            "diff": risk.roc_difference_band(**draws),
            "cost_diff": risk.cost_difference_band(**draws),
            "superiority": risk.superiority_curve(),
            "cal": risk.calibration_curve(),
            "cal_band": risk.calibration_band(),
            "nb_band": risk.net_benefit_band(risk_threshold=(0.1, 0.5), rng=7),
            "random": risk.random_points(rng=7),
            "null": risk.random_band(),
            "fit": ties.binormal_curve(),
            "draws": risk.cutpoint_draws(**draws),
            "sroc": surv.roc_curve(time=8.0),
            "sband": surv.auc_band(time=[4.0, 8.0, 12.0]),
            "rroc": readers.roc_curve(),
            "groups": grouped.roc_curve(),
            "prev": risk.operating_points(
                threshold=0.5, prevalence=[0.05, 0.1, 0.2, 0.4], quantities=["ppv", "npv"]
            ),
        }
    styles = words_of(hints_of(rs.format_table)["style"]) or ["plain"]
    layouts = words_of(hints_of(rs.format_table).get("layout")) or [None]
    for name, frame in f.items():
        record.ask(f"print:brief {name}", lambda x=frame: str(rs.brief(x)))
        record.ask(f"print:repr {name}", partial(repr, frame))
        for style in styles:
            table = partial(rs.format_table, frame, style=style)
            record.ask(f"print:format_table {name} {style}", table)
        for layout in layouts[1:]:
            table = partial(rs.format_table, frame, layout=layout)
            record.ask(f"print:format_table {name} layout={layout}", table)
        for end in (
            ("csv", "tex", "html", "md", "docx", "xlsx")
            if name in ("auc", "compare", "points", "reader_auc", "calibration")
            else ("csv", "md")
        ):
            path = folder / f"{name}.{end}"
            save = partial(rs.save_table, frame, path)
            record.ask(f"print:save_table {path.name}", save, lambda _, p=path: text_of(p))
    record.ask("print:read_csv", lambda: rs.read_csv(folder / "auc.csv"))
    drawn: list[tuple[Any, dict[str, Any]]] = [
        (rs.plot_roc, {"curve": c["roc"]}),
        (
            rs.plot_roc,
            {
                "curve": c["roc"],
                "auc": f["auc"],
                "band": c["band"],
                "points": f["points"],
                "null_band": c["null"],
            },
        ),
        (rs.plot_roc, {"curve": c["groups"], "auc": f["auc-groups"]}),
        (rs.plot_roc, {"curve": c["folds"], "average": c["average"]}),
        (rs.plot_roc, {"curve": ties.roc_curve(), "fit": c["fit"]}),
        (rs.plot_roc_difference, {"difference": c["diff"]}),
        (rs.plot_calibration, {"frame": c["cal"], "band": c["cal_band"]}),
        (rs.plot_random_points, {"points": c["random"], "curve": c["roc"]}),
        (rs.plot_cost, {"cost": c["cost"]}),
        (rs.plot_cost_difference, {"difference": c["cost_diff"]}),
        (rs.plot_superiority, {"superiority": c["superiority"]}),
        (rs.plot_hull, {"hull": c["hull"], "curve": c["roc"]}),
        (rs.plot_net_benefit, {"frame": f["net_benefit"]}),
        (
            rs.plot_net_benefit,
            {"frame": risk.net_benefit(risk_threshold=[0.1, 0.3, 0.5]), "band": c["nb_band"]},
        ),
        (
            rs.plot_cutpoint_draws,
            {"draws": c["draws"], "cutpoints": f["cutpoints"]},
        ),
        (rs.plot_scores, {"curve": c["roc"]}),
        (rs.plot_scores, {"curve": c["roc"], "cutpoints": f["cutpoints"]}),
        (rs.plot_det, {"curve": c["det"]}),
        (rs.plot_forest, {"frame": f["auc-groups"]}),
        (rs.plot_forest, {"frame": f["subgroups"]}),
        (rs.plot_forest, {"frame": f["compare"]}),
        (rs.plot_power, {"power": f["power"], "wanted": 0.8}),
        (
            rs.plot_measures,
            {"frame": rs.Study(**b["plain"]).operating_points(threshold=[-0.5, 0, 0.5, 1.0])},
        ),
        (rs.plot_lift, {"curve": c["lift"]}),
        (
            rs.plot_pr,
            {"curve": c["pr"], "average_precision": f["average_precision"], "band": c["pr_band"]},
        ),
        (rs.plot_predictive_values, {"frame": c["prev"]}),
        (rs.plot_readers, {"curve": c["rroc"], "auc": f["reader_auc"]}),
        (
            rs.plot_readers,
            {"curve": c["rroc"], "comparison": f["reader_compare"], "points": f["reader_points"]},
        ),
        (rs.plot_auc_over_time, {"frame": c["sband"]}),
        (rs.plot_survival_roc, {"curve": c["sroc"], "auc": f["survival"]}),
        (
            rs.plot_survival_scores,
            {"curve": c["sroc"][c["sroc"].predictor == "new"]},
        ),
    ]
    for number, (function, frames) in enumerate(drawn):
        name = f"figure:{function.__name__} {number}"
        record.ask(name, partial(function, **frames), figure_of)
        if "width" in inspect.signature(function).parameters and number % 3 == 0:
            record.ask(f"{name} width", partial(function, **frames, width=3.3), figure_of)
    y, r = draw_labels(60, 6)
    sets = [draw_risks(y, r) for _ in range(3)]
    for name, ask in {
        "auc": lambda st: st.auc(),
        "compare_auc": lambda st: st.compare_auc(),
        "points": lambda st: st.operating_points(threshold=0.5, quantities=MEASURES),
        "average_precision": lambda st: st.average_precision(),
        "calibration": lambda st: st.calibration(
            quantities=["observed_expected_ratio", "calibration_slope"]
        ),
        "probability_scores": lambda st: st.probability_scores(),
        "net_benefit": lambda st: st.net_benefit(risk_threshold=0.3),
        "test_equal_auc": lambda st: st.test_equal_auc(),
    }.items():
        for role in ({}, {"cluster": np.arange(60) // 2}, {"group": np.arange(60) % 2}):
            record.ask(
                f"pool:{name} {list(role)}",
                lambda a=ask, w=role: rs.pool_imputations(
                    [a(rs.Study(y, one, **w)) for one in sets]
                ),
            )
    record.ask("pool:reader_auc", lambda: rs.pool_imputations([f["reader_auc"], f["reader_auc"]]))
    reports: list[tuple[str, Any, dict[str, Any]]] = [
        ("plain", risk, {}),
        ("ties", ties, {"explorer": None, "prespecified": 3.0}),
        ("groups", grouped, {"style": "jama", "prevalence": [0.1, 0.3]}),
        (
            "risks",
            risk,
            {"risk_threshold": [0.2, 0.4], "criterion": None, "band": "smoothed-score"},
        ),
        ("readers", readers, {}),
    ]
    for name, study, more in reports:
        path = folder / f"{name}.html"
        given = {**more, **({"rng": 7} if name != "readers" else {}), "source": "patients.csv"}
        write = partial(rs.report, study, path, **given)
        record.ask(f"report:{path.name}", write, lambda _, p=path: page_of(p))
    path = folder / "plain.docx"
    record.ask("report:plain.docx", lambda: rs.report(risk, path, rng=7), lambda _: text_of(path))
    ask_command(record, folder)


def ask_command(record: Record, folder: Path) -> None:
    """Run commands in this process."""
    # Made once: that takes longer than an answer.
    vars(cli)["app"] = typer.main.get_command(cli.app)

    def run_command(words: list[str]) -> dict[str, Any]:
        out, err, kept = io.StringIO(), io.StringIO(), sys.argv
        sys.argv = ["rocstats", *words]
        status: Any = None
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                cli.main()
            except SystemExit as stop:
                status = stop.code
        sys.argv = kept
        texts = [one.getvalue().replace(str(folder), "FOLDER") for one in (out, err)]
        return {
            "status": status,
            "out": neutral(texts[0]).splitlines(),
            "err": neutral(texts[1]).splitlines(),
        }

    y, r = draw_labels(60, 8)
    data = folder / "patients.csv"
    pd.DataFrame(
        {
            "ill": np.where(y, "yes", "no"),
            **draw_risks(y, r),
            "site": np.where(np.arange(60) % 2, "x", "y"),
        }
    ).to_csv(data, index=False)
    time, event = np.ceil(r.exponential(8, 60)), r.integers(0, 2, 60)
    follow = folder / "follow.csv"
    pd.DataFrame({"months": time, "died": event, **draw_risks(y, r)}).to_csv(follow, index=False)
    base = f"{data} ill a b --positive yes"
    lines = [
        f"{w} --help"
        for w in ("auc", "compare", "points", "report", "power", "readers", "survival")
    ] + [
        f"auc {base}",
        f"auc {base} --group site",
        f"auc {base} --format json",
        f"auc {base} --format csv",
        f"auc {data} ill nobody",
        f"compare {base}",
        f"random {base}",
        f"binormal {base}",
        f"curve {base}",
        f"band {base} --seed 7",
        f"points {base} --threshold 0.5",
        f"cutpoint {base} --seed 7 --resamples 100",
        f"calibration {base}",
        f"net-benefit {base} --risk-threshold 0.3",
        f"subgroups {base} --by site",
        f"goals {base} --threshold 0.5 --tpr 0.7 --tnr 0.6",
        f"likelihood-ratios {base} --edge 0.3 --edge 0.6 --prevalence 0.1",
        f"grey-zone {base} --threshold 0.3 --threshold 0.6",
        f"precision-recall {base}",
        f"auc {base} --group site --within-groups",
        "compare-published --auc 0.85 --reference-auc 0.78 --se 0.03 --reference-se 0.035",
        "verified-table 30 10 4 40 --n-test-positive 60 --n-test-negative 90",
        "",
        "table 40 5 10 95",
        "power --auc 0.8 --n-pos 30 --n-neg 50",
        "size --auc 0.8 --power 0.9",
        f"survival {follow} months died a b --time 8",
        f"plot {base} --out {folder / 'fig.svg'}",
        f"auc {data}",
        "nothing",
    ]
    for line in lines:
        name = f"command:{line.replace(str(folder), '')}"
        record.ask(name, partial(run_command, line.split()), lambda printed: printed)


def ask_everything() -> dict[str, Any]:
    """Return the answers of the package that is imported, by the name of each call."""
    record = Record()
    ask_studies(record)
    ask_functions(record)
    ask_frames(record)
    return record.answers
