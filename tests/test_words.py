"""Words in other spellings, the nearest word to a mistyped one, and who Python's errors name."""

from __future__ import annotations

import ast
import pickle
from pathlib import Path

import numpy as np
import pytest

import rocstats as rs
from rocstats.curves.criteria import CRITERIA
from rocstats.errors import require_choice, require_name
from rocstats.facts.measures import MEASURES, QUANTITIES
from rocstats.facts.words import ALIASES, did_you_mean, known_word, listed
from tests.quick import each

ROOT = Path(rs.__file__).parent
TAKEN = {"require_choice", "require_level", "require_by", "require_combination", "read_options"}
ONE = rs.Study.from_confusion(tp=46, fn=4, fp=9, tn=91)
TWO = rs.Study([0, 1, 0, 1], {"area": [1, 2, 3, 4], "texture": [2, 1, 3, 4]})


@pytest.mark.parametrize(
    ("spelled", "word"),
    [
        ("sensitivity", "tpr"),
        ("Sens", "tpr"),
        ("RECALL", "tpr"),
        ("true positive rate", "tpr"),
        ("Specificity", "tnr"),
        ("1 - specificity", "fpr"),
        ("precision", "ppv"),
        ("PPV", "ppv"),
        ("Positive Predictive Value", "ppv"),
        ("LR+", "lr_positive"),
        ("lr-", "lr_negative"),
        ("lr-positive", "lr_positive"),
        ("DOR", "odds_ratio"),
        ("F1 score", "f1"),
        ("Balanced Accuracy", "balanced_accuracy"),
        ("Youden's J", "youden"),
    ],
)
def test_quantities_have_the_spellings_of_the_field(spelled, word):
    assert known_word(spelled, MEASURES) == word
    asked = {"threshold": 1, "prevalence": 0.1}
    frame = ONE.operating_points(quantities=[spelled], **asked)
    assert frame["quantity"].tolist() == [word]
    assert frame.equals(ONE.operating_points(quantities=[word], **asked))
    assert frame.equals(ONE.operating_points(quantities=spelled, **asked))


@pytest.mark.parametrize("spelled", ["se", "sp", "lr", "f-score", "j", "", "-", "tpr2", "+"])
def test_what_has_several_meanings_is_not_guessed(spelled):
    assert known_word(spelled, [*MEASURES, *CRITERIA]) is None
    with pytest.raises(rs.InputError, match=r"^`quantities` must be some of tpr, tnr"):
        ONE.operating_points(threshold=1, quantities=[spelled])


@pytest.mark.parametrize(
    ("spelled", "word"),
    [
        ("Youden", "youden"),
        ("youden-index", "youden"),
        ("Youden's index", "youden"),
        ("closest.topleft", "closest-topleft"),
        ("Cohen's kappa", "kappa"),
        ("EER", "equal-error"),
    ],
)
def test_criteria_have_the_spellings_of_the_field(spelled, word):
    cases = rs.Study([1, 0, 1, 0, 1, 0], [5, 4, 3.5, 2, 1, 3])
    asked = {"n_resamples": 100, "rng": 1}
    for question in (cases.cutpoints, cases.cutpoint_draws):
        frame = question(spelled, **asked)
        assert set(frame["criterion"]) == {word}
        assert frame.equals(question(word, **asked))


def test_other_words_may_be_in_capitals_or_with_underscores():
    """Every word of every question is tried by the property machine (validation/torture)."""
    cases = rs.Study([1, 1, 1, 0, 0, 0], {"a": [3, 5, 2, 4, 1, 0], "b": [6, 2, 5, 1, 3, 4]})
    spelled = {"method": "Hanley_McNeil", "alternative": "two.sided", "adjust": "Bonferroni"}
    plain = {"method": "hanley-mcneil", "alternative": "two-sided", "adjust": "bonferroni"}
    frame = cases.compare_auc(**spelled)
    assert frame.equals(cases.compare_auc(**plain))
    assert rs.format_table(frame, "JAMA").equals(rs.format_table(frame, "jama"))
    points = cases.operating_points(threshold="ALL", interval="Clopper Pearson")
    assert points.equals(cases.operating_points(threshold="all", interval="clopper-pearson"))


FOLLOWED = rs.SurvivalStudy(
    [3, 5, 6, 8, 9, 11, 12, 14],
    [1, 0, 1, 2, 1, 0, 1, 0],
    {"a": [8, 3, 7, 6, 5, 2, 4, 1], "b": [6, 4, 8, 5, 3, 7, 2, 1]},
)
RISKS = rs.Study(
    [1, 1, 1, 0, 0, 0], {"a": [0.8, 0.6, 0.3, 0.5, 0.2, 0.1], "b": [0.7, 0.2, 0.6, 0.4, 0.3, 0.1]}
)


@pytest.mark.parametrize(
    ("question", "options"),
    [
        (FOLLOWED.compare_auc, {"time": 7, "controls": "event-free", "adjust": "bonferroni"}),
        (FOLLOWED.compare_concordance, {"method": "harrell", "adjust": "bonferroni"}),
        (FOLLOWED.operating_points, {"time": 7, "threshold": 5, "controls": "event-free"}),
        (RISKS.compare_probability_scores, {"quantity": "log_score", "adjust": "bonferroni"}),
        (RISKS.compare_average_precision, {"alternative": "greater", "adjust": "bonferroni"}),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_words_that_are_read_with_others_may_be_in_capitals(question, options):
    words = {k: v.upper() if isinstance(v, str) else v for k, v in options.items()}
    assert question(**words).equals(question(**options))


def test_measures_are_drawn_by_any_of_their_names():
    points = ONE.operating_points(threshold="all")
    ax = rs.plot_measures(points, ["Sensitivity", "PPV"])
    names = [text.get_text().replace("\n", " ") for text in ax.texts]
    assert names == ["Sensitivity", "Positive predictive value"]


def test_a_design_has_the_words_of_the_package():
    design = rs.OneRate("Sensitivity", 0.9, goal=0.8, method="Exact", alternative="GREATER")
    assert design == rs.OneRate("tpr", 0.9, goal=0.8, method="exact", alternative="greater")
    asked = {"hypothesis": "NonInferiority", "margin": 0.05, "variance": "Hanley McNeil"}
    compared = rs.TwoAUCs(0.75, 0.75, **asked)
    assert (compared.hypothesis, compared.variance) == ("non-inferiority", "hanley-mcneil")


def test_an_alias_has_one_meaning_and_is_no_other_word():
    for word, aliases in ALIASES.items():
        others = {*ALIASES, *MEASURES, *CRITERIA, *QUANTITIES} - {word}
        assert [alias for alias in aliases if known_word(alias, others)] == []
        assert {known_word(alias, ALIASES) for alias in aliases} == {word}


def test_the_word_of_the_package_wins_over_an_alias():
    assert known_word("Recall", ["tpr", "recall"]) == "recall"
    assert require_choice("by", "recall", ["tpr", "recall"]) == "recall"
    assert require_choice("by", None, [None, "fold"]) is None


def test_every_word_that_is_checked_is_taken_from_the_check():
    """A word that is checked and not taken would go on in the user's spelling."""
    texts = {path: path.read_text(encoding="utf-8") for path in ROOT.rglob("*.py")}
    calling = {path: text for path, text in texts.items() if any(name in text for name in TAKEN)}
    assert len(calling) > 50
    for path, text in calling.items():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                called = getattr(node.value.func, "id", getattr(node.value.func, "attr", ""))
                assert called not in TAKEN, f"{path}:{node.lineno}"


@each(
    ("text", "advice"),
    [
        ("yuoden", " Did you mean 'youden'?"),
        ("Youdn", " Did you mean 'youden'?"),
        ("senssitivity", " Did you mean 'tpr'?"),
        ("npv", ""),
        ("gini", ""),
        ("", ""),
        (3, ""),
        (["youden"], ""),
    ],
)
def test_only_a_near_word_is_named(text, advice):
    assert did_you_mean(text, ["youden", "tpr", "ppv", None]) == advice


REFUSED = {
    "choice": (
        lambda: require_choice("adjust", "hlm", ("holm", "bonferroni", "none")),
        "`adjust` must be one of 'holm', 'bonferroni', 'none'; got 'hlm'. Did you mean 'holm'?",
    ),
    "far choice": (
        lambda: require_choice("adjust", "tukey", ("holm", "bonferroni", "none")),
        "`adjust` must be one of 'holm', 'bonferroni', 'none'; got 'tukey'. Pass one of these.",
    ),
    "choice that is no text": (
        lambda: require_choice("adjust", np.array(["holm"]), ("holm", "none")),
        "`adjust` must be one of 'holm', 'none'; got array(['holm'], dtype='<U4'). Pass one of"
        " these.",
    ),
    "name in another case": (
        lambda: require_name("reference", "Area", ["area", "texture"]),
        "`reference` must be one of 'area', 'texture'; got 'Area'. Did you mean 'area'?",
    ),
    "quantity": (
        lambda: ONE.operating_points(threshold=1, quantities=["tpr", "specificty"]),
        "`quantities` must be some of tpr, tnr, fpr, fnr, ppv, npv, lr_positive, lr_negative,"
        " odds_ratio, accuracy, balanced_accuracy, youden, f1, mcc, kappa, false_discovery,"
        " false_omission, number_needed_to_diagnose, f_beta, true_prevalence, each once; got"
        " ['tpr', 'specificty']. Did you mean 'tnr'?",
    ),
    "quantity twice": (
        lambda: ONE.operating_points(threshold=1, quantities=["recall", "sensitivity"], joint=True),
        "`quantities` must be some of tpr, tnr, fpr, fnr, each once; got"
        " ['recall', 'sensitivity']. Leave it out for all of them.",
    ),
    "quantity without a side": (
        lambda: ONE.operating_points(threshold=1, quantities=["precision"], joint=True),
        "`quantities` must be some of tpr, tnr, fpr, fnr, each once; got ['precision']."
        " Simultaneous limits are offered for rates only: leave joint out for the others.",
    ),
    "style": (
        lambda: rs.format_table(ONE.auc(), "radiolgy"),
        "`style` must be one of 'plain', 'jama', 'radiology', 'nejm', 'bmj'; got 'radiolgy'. Did"
        " you mean 'radiology'?",
    ),
    "column": (
        lambda: rs.Study("y", "areas", data={"y": [0, 1], "area": [1, 2]}),
        "`y_score` must name one column of `data`; got 'areas', of which there is no column. The"
        " columns are ['y', 'area']. Did you mean 'area'?",
    ),
    "threshold of a predictor": (
        lambda: ONE.operating_points(threshold={"scor": 1}),
        "`threshold` must name predictors; got ['scor']. The predictors are ['score']. Did you"
        " mean 'score'?",
    ),
    "direction of a predictor": (
        lambda: rs.Study([0, 1], {"area": [1, 2]}, higher_is_positive={"Area": False}),
        "`higher_is_positive` must name predictors; got ['Area']. The predictors are ['area']. Did"
        " you mean 'area'?",
    ),
    "concavities of a predictor": (
        lambda: rs.repair_concavities(TWO, predictor="areas"),
        "`predictor` must be one of ['area', 'texture']; got 'areas'. Did you mean 'area'?",
    ),
    "reference": (
        lambda: TWO.compare_auc(reference="textur"),
        "`reference` must be one of 'area', 'texture'; got 'textur'. Did you mean 'texture'?",
    ),
}


@each("name", list(REFUSED))
def test_a_refused_word_names_the_nearest(name):
    call, message = REFUSED[name]
    with pytest.raises(rs.InputError) as caught:
        call()
    assert str(caught.value) == message


MISTYPED = {
    "Study.__init__": lambda typo: rs.Study([1, 0], [2, 1], **typo),
    "Study.from_confusion": lambda typo: rs.Study.from_confusion(**typo),
    "Study.from_samples": lambda typo: rs.Study.from_samples(**typo),
    "Study.from_cv_results": lambda typo: rs.Study.from_cv_results({}, [], [], **typo),
    "Study.auc": lambda typo: ONE.auc(**typo),
    "MulticlassStudy.__init__": lambda typo: rs.MulticlassStudy([1, 0], [2, 1], **typo),
    "MulticlassStudy.auc": lambda typo: rs.MulticlassStudy.auc(None, **typo),
    "OneAUC.__init__": lambda typo: rs.OneAUC(0.8, **typo),
}


@pytest.mark.parametrize("name", list(MISTYPED))
def test_a_mistyped_keyword_names_the_public_class(name):
    with pytest.raises(TypeError) as caught:
        MISTYPED[name]({"clusters": [1, 2]})
    # Later Pythons add the nearest keyword.
    assert str(caught.value).startswith(f"{name}() got an unexpected keyword argument 'clusters'")


@pytest.mark.parametrize("method", [rs.Study.auc, rs.MulticlassStudy.auc, rs.Study.from_confusion])
def test_methods_can_be_pickled(method):
    assert pickle.loads(pickle.dumps(method)) == method


def test_one_word_may_be_given_for_a_list_of_words():
    assert listed("tpr") == ["tpr"]
    assert listed(("tpr", "tnr")) == ["tpr", "tnr"]
    assert listed(np.array("tpr")) == [np.array("tpr")]
    assert listed(None) == [None]


@pytest.mark.parametrize(
    ("asked", "quantity"), [("sensitivity", "tpr"), (["F1 score"], "f1"), (["MCC"], "mcc")]
)
def test_comparisons_of_points_understand_other_names(asked, quantity):
    study = rs.Study([1, 1, 1, 0, 0, 0], {"a": [6, 3, 5, 4, 2, 1], "b": [6, 4, 2, 5, 3, 1]})
    frame = study.compare_operating_points(threshold=4, quantities=asked)
    assert frame["quantity"].tolist() == [f"{quantity}_difference"]
    with pytest.raises(rs.InputError, match=r"Did you mean 'accuracy'\?$"):
        study.compare_operating_points(threshold=4, quantities=["accurracyy"])
    with pytest.raises(rs.InputError, match=r"^`quantities` must be some of"):
        study.compare_operating_points(threshold=4, quantities=np.array("delong"))
