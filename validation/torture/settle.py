"""Makes drawn options fit each other, so that most calls are answered and not refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import rocstats as rs
from validation.torture.detection_studies import DetectionParts
from validation.torture.reader_studies import ReaderParts
from validation.torture.survival_studies import SurvivalParts
from validation.torture.values import NUMBERS, Drawing, Recipe, recipe_of

EXACTLY_ONE = {
    "operating_points": ("threshold", "fpr", "tpr"),
    "compare_operating_points": ("threshold", "fpr", "tpr"),
    "interpolate_classifiers": ("k", "fpr", "tpr", "n_positive_calls"),
    "sample_size": ("power", "half_width"),
}
"""Options of which a question takes one."""

OF_CRITERION = {
    "cost": ("cost_fp", "cost_fn", "prevalence"),
    "fixed-tpr": ("tpr",),
    "fixed-fpr": ("fpr",),
}
"""Options that a criterion of the cutpoint needs; other criteria take none."""


def settle(
    given: Drawing, options: dict[str, Any], recipes: Mapping[str, Recipe]
) -> dict[str, Any]:
    """Return the options without those that exclude each other, and with those they need."""
    _keep_one(given, options, recipes)
    _range(given, options)
    if "hypothesis" in options or "margin" in options:
        _hypothesis(given, options)
    if given.question in ("cutpoints", "cutpoint_draws"):
        _criterion(given, options)
    if given.question == "operating_points":
        _by_request(given, options, recipes)
    if given.question == "grey_zone":
        _zones(given, options, recipes)
    if given.question == "subgroups":
        _subgroups(options)
    if given.question == "optimal_points":
        _slope(given, options)
    if given.question == "compare_auc":
        _comparison(options)
    if given.question == "compare_operating_points" and "threshold" not in options:
        options.pop("quantities", None)
    if given.question in ("power", "sample_size"):
        _plan(given, options)
    _function(given, options, recipes)
    return options


def _drop(options: dict[str, Any], *names: str) -> None:
    for name in names:
        options.pop(name, None)


def _zones(given: Drawing, options: dict[str, Any], recipes: Mapping[str, Recipe]) -> None:
    """Leave thresholds, or both targets in their place."""
    if "thresholds" in options:
        _drop(options, "tpr", "tnr")
        return
    for name in ("tpr", "tnr"):
        options.setdefault(name, recipe_of(recipes, given.question, name)(given))


def _subgroups(options: dict[str, Any]) -> None:
    """Leave a threshold where the quantity is read at one."""
    if options.get("quantity", "auc") == "auc":
        options.pop("threshold", None)
    elif "threshold" not in options:
        options.pop("quantity")


def _function(given: Drawing, options: dict[str, Any], recipes: Mapping[str, Recipe]) -> None:
    """Settle the options of a function that has no study."""
    if given.question in ("conjoin_classifiers", "disjoin_classifiers", "chain_classifiers"):
        _classifiers(given, options, recipes)
    if given.question == "from_confusion":
        _tables(given, options, recipes)
    if given.question == "begg_greenes":
        _sums(given, options)
    if given.question in ("ReaderDesign", "simulate_readers"):
        _reader_plan(given, options, recipes)


def _reader_plan(given: Drawing, options: dict[str, Any], recipes: Mapping[str, Recipe]) -> None:
    """Keep one source of the variances: a pilot, a structure or variances."""
    pilot = ("difference", "pilot_n_pos", "pilot_n_neg")
    model = ("auc", "reference_auc", "structure", "variances", "nested")
    from_pilot = options.get("components") is not None
    _drop(options, *(model if from_pilot else ("components", *pilot)))
    needed: tuple[str, ...] = pilot
    if not from_pilot:
        source = given.pick("structure", "structure", "variances")
        options.pop({"structure": "variances", "variances": "structure"}[source], None)
        options.pop("separation" if given.question == "ReaderDesign" else "auc", None)
        areas = ("auc", "reference_auc") if given.question == "ReaderDesign" else ("separation",)
        needed = (*areas, source)
    for name in needed:
        if options.get(name) is None:
            options[name] = recipe_of(recipes, given.question, name)(given)


def _reader_study(given: Drawing, options: dict[str, Any]) -> None:
    """Keep one random factor, one threshold a modality, and both thresholds or none."""
    if all(str(options.get(name)) == "fixed" for name in ("readers", "cases")):
        options.pop("cases")
    if isinstance(options.get("threshold"), list):
        options["threshold"] = 1.0
    if given.question in ("operating_points", "compare_operating_points"):
        _reader_place(given, options)
    cuts = ("threshold", "machine_threshold")
    if given.question == "compare_with" and not all(name in options for name in cuts):
        _drop(options, *cuts)


def _detection_study(given: Drawing, options: dict[str, Any]) -> None:
    """Keep one random factor, one place, and the machine of the study."""
    if options.get("cases") == "fixed" and given.rng.random() < 0.8:
        _drop(options, "readers", "by")
    places = ("threshold", "false_marks", "fpr")
    if given.question in ("operating_points", "compare_operating_points"):
        kept = given.pick(*places)
        options.setdefault(kept, {"threshold": "any", "false_marks": [0.5, 2], "fpr": 0.2}[kept])
        _drop(options, *(name for name in places if name != kept))
        if kept == "threshold":
            _drop(options, "hypothesis", "margin")
    if given.question == "compare_with" and given.rng.random() < 0.8:
        options["machine"] = given.parts.arguments.get("machine", "r")


def _survival_study(given: Drawing, options: dict[str, Any]) -> None:
    """Keep one time of a net benefit, by which scores are risks."""
    if (
        given.question == "net_benefit"
        and isinstance(options.get("time"), list)
        and options["time"]
    ):
        options["time"] = options["time"][0]


def _reader_place(given: Drawing, options: dict[str, Any]) -> None:
    """Keep a threshold or a false positive rate, which has one method and one covariance."""
    kept = given.pick("threshold", "fpr")
    options.setdefault(kept, 1.0 if kept == "threshold" else 0.1)
    if isinstance(options.get("fpr"), list):
        options["fpr"] = [rate for rate in options["fpr"] if rate != 1] or 0.1
    excluded = ("fpr",) if kept == "threshold" else ("threshold", "method", "covariance")
    _drop(options, *excluded)


def _tables(given: Drawing, options: dict[str, Any], recipes: Mapping[str, Recipe]) -> None:
    """Keep either the tables or the four cells of one test."""
    cells = ("tp", "fn", "fp", "tn")
    if "table" in options:
        _drop(options, "predictor", *cells)
        return
    for name in cells:
        options.setdefault(name, recipe_of(recipes, given.question, name)(given))


def _by_request(given: Drawing, options: dict[str, Any], recipes: Mapping[str, Recipe]) -> None:
    """Drop the arguments of measures that are not asked for, and give those that are theirs."""
    asked = options.get("quantities")
    words = asked if isinstance(asked, list) else []
    if "f_beta" not in words:
        options.pop("beta", None)
    if "true_prevalence" not in words:
        options.pop("apparent_prevalence", None)
    elif given.parts.kind is rs.Study:
        options["apparent_prevalence"] = recipes["apparent_prevalence"](given)


def _sums(given: Drawing, options: dict[str, Any]) -> None:
    for total, cells in {"n_test_positive": ("tp", "fp"), "n_test_negative": ("fn", "tn")}.items():
        counts = [options[cell] for cell in cells]
        if all(type(count) is int for count in counts):
            options[total] = sum(counts) + given.pick(0, 7)


def _keep_one(given: Drawing, options: dict[str, Any], recipes: Mapping[str, Recipe]) -> None:
    if isinstance(given.parts, ReaderParts):
        _reader_study(given, options)
        return
    if isinstance(given.parts, SurvivalParts):
        _survival_study(given, options)
        return
    if isinstance(given.parts, DetectionParts):
        _detection_study(given, options)
        return
    names = EXACTLY_ONE.get(given.question, ())
    # Called classes have no thresholds, called labels nothing else.
    if not names or given.parts.kind in (rs.MulticlassStudy, rs.MultilabelStudy):
        return
    kept = given.pick(*names)
    for name in names:
        if name != kept:
            options.pop(name, None)
    if options.get(kept) is None:
        options[kept] = recipe_of(recipes, given.question, kept)(given)
    if kept == "n_positive_calls":
        options["n_pos"], options["n_neg"] = 10, 20


def _range(given: Drawing, options: dict[str, Any]) -> None:
    if "fpr_range" in options and "tpr_range" in options:
        options.pop(given.pick("fpr_range", "tpr_range"))


def _hypothesis(given: Drawing, options: dict[str, Any]) -> None:
    if options.get("hypothesis", "difference") == "difference":
        options.pop("margin", None)
        return
    options.setdefault("margin", NUMBERS["margin"](given))
    _drop(options, "alternative", "null_value")


def _criterion(given: Drawing, options: dict[str, Any]) -> None:
    _drop(options, "cost_fp", "cost_fn", "prevalence", "tpr", "fpr")
    needed = OF_CRITERION.get(str(options.get("criterion")), ())
    smooth = options.get("method", "empirical") != "empirical"
    if given.question == "cutpoints" and not smooth and given.rng.random() < 0.5:
        needed = (*needed, "prevalence")  # predictive values
    for name in needed:
        options[name] = recipe_of(NUMBERS, given.question, name)(given)


def _slope(given: Drawing, options: dict[str, Any]) -> None:
    costs = ("cost_fp", "cost_fn", "prevalence")
    if options.get("slope") is not None:
        _drop(options, *costs)
        return
    options.pop("slope", None)
    for name in costs[:2]:
        options[name] = NUMBERS[name](given)


def _comparison(options: dict[str, Any]) -> None:
    drawn = options.get("method") in ("bootstrap", "permutation")
    if not (drawn or options.get("interval") == "percentile"):
        _drop(options, "n_resamples", "rng", "stratified")
    if options.get("method") != "hanley-mcneil":
        options.pop("correlation", None)
    if options.get("contrasts") is not None:
        options.pop("reference", None)


def _plan(given: Drawing, options: dict[str, Any]) -> None:
    design = options.get("design")
    if design is not None:
        _drop(options, "auc", "null_auc", "ratio")
    else:
        options.setdefault("auc", 0.8)
    if hasattr(design, "readers"):
        options.setdefault("n_readers", 5)
        options["simulate"] = False
    else:
        _drop(options, "n_readers", "n_groups")
    if given.question == "power":
        # A rate takes the cases of its class alone, both if none has a say.
        options.setdefault("n_pos", 20)
        options.setdefault("n_neg", 20)
        unused = {"tpr": "n_neg", "tnr": "n_pos"}.get(getattr(design, "quantity", ""))
        options.pop(unused or "", None)


def _classifiers(given: Drawing, options: dict[str, Any], recipes: Mapping[str, Recipe]) -> None:
    """Keep positions, or decisions with their labels; all conditions of a cost, or none."""
    if given.rng.random() < 0.5:
        options["positions"] = recipes["positions"](given)
        _drop(options, "decisions", "y_true", "pos_label")
    else:
        options.pop("positions", None)
        options["decisions"], options["y_true"] = (
            recipes["decisions"](given),
            recipes["y_true"](given),
        )
    costs = ("max_cost", "cost_fp", "cost_fn", "prevalence")
    if options.get("max_cost") is None:
        _drop(options, *costs)
    else:
        options.update({name: recipes[name](given) for name in costs})
