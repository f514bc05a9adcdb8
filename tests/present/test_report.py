"""The report: one well-formed page that needs nothing else and tells the truth of its frames."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from rocstats.present.report.figure import roc_svg
from rocstats.present.report.sentences import band_sentence

import rocstats as rs
from rocstats.errors import InputError, StatisticalWarning
from rocstats.present.report.report import report
from tests.present.hand_frames import (
    NAN,
    area_row,
    auc_frame,
    compare_frame,
    curve_frame,
    difference_row,
    equality_frame,
)

POINTS = [(0.0, 0.0), (0.25, 0.8), (1.0, 1.0)]


@dataclass
class Role:
    labels: list[str]


def band_frame(names, confidence_level, seed, method="fixed-width"):
    frame = pd.concat(
        [
            pd.DataFrame({"predictor": name, "fpr": [0.0, 0.5, 1.0], "tpr": [0.0, 0.9, 1.0]})
            for name in names
        ],
        ignore_index=True,
    ).assign(
        tpr_low=lambda f: f["tpr"] / 2,
        tpr_high=1.0,
        confidence_level=confidence_level,
        scope="simultaneous",
        method=method,
    )
    frame.attrs["rocstats"] = {"n_resamples": 2000, "seed": seed}
    return frame


@dataclass
class HandStudy:
    """A study whose answers are written down."""

    areas: pd.DataFrame
    differences: pd.DataFrame | None = None
    equality: pd.DataFrame | None = None
    n_pos: float = 41.0
    n_neg: float = 72.0
    n_dropped: int = 0
    own_dropped: tuple[int, ...] | None = None
    group: Role | None = None
    cluster: Role | None = None
    fold: Role | None = None
    sample_weight: object | None = None
    levels: tuple[float, ...] = ()
    outcome: str | None = None

    labels = {}  # noqa: RUF012 (a study without labels)

    @property
    def predictors(self):
        return tuple(dict.fromkeys(self.areas["predictor"]))

    def roc_curve(self):
        return curve_frame([(name, "", POINTS) for name in self.predictors])

    def roc_band(self, method, /, *, confidence_level, rng, progress):
        return band_frame(self.predictors, confidence_level, rng, method)

    def auc(self, *, confidence_level):
        self.levels += (confidence_level,)
        return self.areas

    def compare_auc(self, *, confidence_level):
        self.levels += (confidence_level,)
        return self.differences

    def test_equal_auc(self):
        return self.equality


def one(name="wfns", **more):
    return HandStudy(auc_frame(area_row(name, 0.8231, 0.7489, 0.8957, **more)))


def three():
    areas = auc_frame(
        area_row("wfns", 0.8231, 0.7489, 0.8957),
        area_row("s100b", 0.7314, 0.6299, 0.8325),
        area_row("ndka", 0.6120, 0.5011, 0.7125),
    )
    # Holm: 3 * .004 = .012, 2 * .03 = .06, 1 * .6 = .6.
    differences = compare_frame(
        difference_row(
            "wfns", "s100b", 0.0925, 0.0302, 0.1548, p_value=0.004, p_adjusted=0.012, note=HOLM
        ),
        difference_row(
            "wfns", "ndka", 0.2114, 0.0049, 0.4179, p_value=0.03, p_adjusted=0.06, note=HOLM
        ),
        difference_row(
            "s100b", "ndka", -0.0311, -0.1468, 0.0846, p_value=0.6, p_adjusted=0.6, note=HOLM
        ),
    )
    return HandStudy(areas, differences, equality_frame(12.345, 2.0, 0.002084))


def page_of(study, tmp_path, **arguments):
    return report(study, tmp_path / "report.html", **arguments).read_text(encoding="utf-8")


class Page(HTMLParser):
    """Checks that tags are closed in order; collects the text outside style, and the cells."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.open, self.text, self.rows, self.tags = [], "", [], []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag != "meta":
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" in self.open:
            return
        self.text += data
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data

    @property
    def words(self):
        return " ".join(self.text.split())


def test_tables_are_those_of_the_frames(tmp_path):
    page = Page(page_of(three(), tmp_path, style="jama"))
    assert page.rows[:4] == [
        ["Predictor", "AUC (95% CI)", "Positives", "Negatives"],
        ["wfns", "0.82 (0.75-0.90)", "41", "72"],
        ["s100b", "0.73 (0.63-0.83)", "41", "72"],
        ["ndka", "0.61 (0.50-0.71)", "41", "72"],
    ]
    assert page.rows[5:9] == [
        ["Predictor", "Reference", "Difference in AUC (95% CI)", "P value", "Adjusted P value"],
        ["wfns", "s100b", "0.09 (0.03 to 0.15)", ".004", ".01"],
        ["wfns", "ndka", "0.21 (<0.01 to 0.42)", ".03", ".06"],
        ["s100b", "ndka", "−0.03 (−0.15 to 0.08)", ".60", ".60"],
    ]


def test_text_is_that_of_a_paper(tmp_path):
    words = Page(page_of(three(), tmp_path, style="jama")).words
    # 41 of 113 is 36.28%.
    assert "The study has 113 cases, of which 36.3% (41/113) are positive." in words
    assert "Table 1. Area under the ROC curve" in words
    assert "Table 2. Differences in area between predictors" in words
    assert (
        "The global test that all 3 areas are equal gives chi-square = 12.35 on 2 degrees of"
        " freedom, P=.002."
    ) in words
    assert "Figure 1. Empirical ROC curves of wfns, s100b and ndka (41 positives" in words
    assert "wfns 0.82 (0.75-0.90)" in words


def test_methods_cite_in_order_and_references_answer(tmp_path):
    words = Page(page_of(three(), tmp_path)).words
    methods, references = words.split("Statistical methods")[1].split("References")
    for sentence in (
        "every distinct score serves as a threshold.1 ",
        "estimated by the Mann-Whitney statistic, ties counting one half.2 ",
        "Standard errors of the AUCs were estimated by the method of DeLong et al.3 ",
        "Confidence intervals of the AUCs (95%) were computed on the logit scale. ",
        "on the same cases, so that differences in AUC (predictor minus reference) are paired. ",
        "Standard errors of the differences were estimated by the method of DeLong et al.3 ",
        "Confidence intervals of the differences (95%) were computed by the normal approximation. ",
        "P values of the differences are for two-sided z tests of no difference. ",
        "Adjusted P values allow for the 3 comparisons by the method of Holm; intervals are not"
        " adjusted.4 ",
        "P values of the global test are for chi-square tests of equal areas",
        f"rocstats {rs.__version__}.",
    ):
        assert sentence in methods
    authors = re.findall(r"(Fawcett|Hanley|DeLong|Holm) (?:T|JA|ER|S)\b", references)
    assert authors == ["Fawcett", "Hanley", "DeLong", "Holm"]


def test_predictors_with_their_own_cases_are_reported_with_their_numbers(tmp_path):
    y, score = np.arange(60) % 2, np.arange(60) * 37 % 59 + 20.0 * (np.arange(60) % 2)
    holes = np.where(np.arange(60) % 10 == 4, np.nan, score[::-1])
    study = rs.Study(y, {"a": score, "b": holes}, nan_policy="available")
    page = page_of(study, tmp_path)
    assert "Positives of the reference" in page
    words = Page(page).words
    for sentence in (
        "Rows left out for a missing value: 0 for a and 6 for b.",
        "each area from the cases with a score of its predictor and the covariance from the shared",
        "comparing correlated ROC curves using incomplete data. Stat Med. 1996;15(15):1687-1698.",
    ):
        assert sentence in words
    assert rs.format_table(study.compare_auc())["Shared negatives"].tolist() == ["24"]
    contrast = study.compare_auc(contrasts=[[2, -2]])
    assert rs.format_table(contrast)["Positives of the reference"].tolist() == [""]


def test_methods_follow_clusters_folds_and_groups(tmp_path):
    study = one(method="foldwise-obuchowski/logit", note=["rows-dropped=4"])
    study.cluster, study.fold = Role([f"patient{i}" for i in range(61)]), Role(["1", "2", "3"])
    study.n_dropped = 4
    words = Page(page_of(study, tmp_path)).words
    for sentence in (
        "The cases come from 61 clusters.",
        "Scores come from 3 cross-validation folds.",
        "Left out for a missing value: 4 rows.",
        "as the mean over the folds of its estimates by the Mann-Whitney statistic",
        "by the method of Obuchowski for clustered data, over the cross-validation folds.3",
        "Nonparametric analysis of clustered ROC curve data. Biometrics. 1997;53(2):567-578.",
        "One curve pools the scores of all folds",
    ):
        assert sentence in words
    assert "DeLong" not in words
    assert words.count("missing value") == 1


def test_one_predictor_has_nothing_to_compare(tmp_path):
    words = Page(page_of(one(), tmp_path)).words
    assert "ROC analysis of wfns" in words
    for absent in (
        "Table 2",
        "global test",
        "differences",
        "Holm",
        "clusters",
        "folds",
        "Left out",
    ):
        assert absent not in words


def test_two_predictors_have_no_global_test(tmp_path):
    study = three()
    study.areas = study.areas.iloc[:2]
    study.differences = study.differences.iloc[:1]
    words = Page(page_of(study, tmp_path)).words
    assert "Table 2" in words
    assert "global test" not in words


def test_weights_leave_the_page_readable(tmp_path):
    missing = {"se": NAN, "method": "none/none", "note": ["weights-need-bootstrap"]}
    with pytest.warns(StatisticalWarning):
        areas = auc_frame(
            area_row("a", 0.8, NAN, NAN, **missing), area_row("b", 0.7, NAN, NAN, **missing)
        )
    untested = {"statistic": NAN, "df": NAN, "p_value": NAN, "p_adjusted": NAN}
    with pytest.warns(StatisticalWarning):
        differences = compare_frame(difference_row("a", "b", 0.1, NAN, NAN, **missing, **untested))
    page = Page(page_of(HandStudy(areas, differences), tmp_path, style="jama"))
    assert page.rows[1] == ["a", "0.80 (NA)", "41", "72"]
    assert page.rows[4:6] == [
        ["Predictor", "Reference", "Difference in AUC (95% CI)"],
        ["a", "b", "0.10 (NA)"],
    ]
    assert "only the estimate is given. AUC," in page.words
    assert "nan" not in page.words.lower()
    assert "Standard errors" not in page.words


def test_global_test_that_cannot_be_made(tmp_path):
    study = three()
    study.equality = equality_frame(NAN, NAN, NAN)
    words = Page(page_of(study, tmp_path)).words
    assert "The global test that all 3 areas are equal is not available." in words


def test_level_and_title(tmp_path):
    study = three()
    words = Page(page_of(study, tmp_path, title="My <i>title</i>", confidence_level=0.9)).words
    assert study.levels == (0.9, 0.9)
    assert "My <i>title</i>" in words
    assert "ROC analysis of" not in words


@pytest.mark.parametrize(
    "name",
    [
        "<script>alert('x')</script>",
        'a & "b"',
        "=1+1",
        "名前 Ärger",
        "$x^2",
        "{{ 70 * 71 }}",
        "n_" * 99,
    ],
)
def test_names_are_text_whatever_they_look_like(tmp_path, name):
    page = Page(page_of(one(name), tmp_path))
    assert page.rows[1][0] == name
    assert f"ROC analysis of {name}" in page.words
    assert "script" not in page.tags
    assert "4970" not in page.words


def test_page_needs_nothing_from_elsewhere(tmp_path):
    page = page_of(three(), tmp_path)
    assert page.startswith("<!DOCTYPE html>")
    namespaces = re.findall(r'xmlns(?::\w+)?="(http[^"]*)"', page)
    assert set(namespaces) == {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert len(re.findall("https?:", page)) == len(namespaces)
    assert not re.search(r"\bsrc\s*=|@import|<link|<script|<image|//cdn", page)
    assert set(re.findall(r"url\((.)", page)) <= {"#"}
    assert set(re.findall(r'href="(.)', page)) <= {"#"}
    assert page.count("<svg") == page.count("</svg>") == 1


def test_same_study_same_page(tmp_path):
    first, second = page_of(three(), tmp_path), page_of(three(), tmp_path)
    assert first == second
    assert not re.search(r"dc:date|20\d\d-\d\d-\d\dT", first)


def test_figure_does_not_depend_on_the_users_settings():
    import matplotlib as mpl

    study = one()
    expected = roc_svg(study.roc_curve(), study.areas)
    with mpl.rc_context({"font.size": 30, "axes.facecolor": "red", "svg.fonttype": "path"}):
        assert roc_svg(study.roc_curve(), study.areas) == expected


@pytest.mark.parametrize("name", ["report.pdf", "report"])
def test_other_endings(tmp_path, name):
    with pytest.raises(InputError, match=r"`path` must end in \.html; got"):
        report(one(), tmp_path / name)


def test_wrong_arguments_write_nothing(tmp_path):
    with pytest.raises(InputError, match="`path` must lie in a directory that exists"):
        report(one(), tmp_path / "typo" / "report.html")
    with pytest.raises(InputError, match="`style` must be one of"):
        report(one(), tmp_path / "report.html", style="lancet")
    assert list(tmp_path.iterdir()) == []


# with real studies ---------------------------------------------------------------------------


HOLM = ["adjusted=holm"]


@pytest.fixture
def cells():
    data = rs.load_breast_cancer()
    generator = np.random.default_rng(7)
    data["site"] = generator.choice(["Basel", "Örebro"], len(data))
    data["patient"] = data["site"] + generator.integers(0, 200, len(data)).astype(str)
    data["part"] = generator.integers(0, 3, len(data)).astype(str)
    return data


PREDICTORS = ["area", "texture", "symmetry"]


@pytest.mark.filterwarnings("ignore::rocstats.errors.StatisticalWarning")
@pytest.mark.parametrize(
    "roles",
    [
        {},
        {"group": "site"},
        {"cluster": "patient"},
        {"fold": "part"},
        {"group": "site", "cluster": "patient", "fold": "part"},
        {"sample_weight": "texture"},
    ],
)
def test_real_studies_with_every_role(tmp_path, cells, roles):
    study = rs.Study("diagnosis", PREDICTORS, data=cells, pos_label="malignant", **roles)
    page = Page(page_of(study, tmp_path))
    estimates = [f"{value:.3f}" for value in study.auc()["estimate"]]
    rows = page.rows[1 : 1 + len(estimates)]
    assert [row[-3].split(" ")[0] for row in rows] == estimates
    assert ("Obuchowski" in page.words) == ("cluster" in roles)
    assert ("Basel" in page.words) == ("group" in roles)
    assert "nan" not in page.words.lower()


def test_confusion_study(tmp_path):
    # AUC = (14/20 + 22/30) / 2 = .71667.
    study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    page = Page(page_of(study, tmp_path, style="jama"))
    assert page.rows[1][1].startswith("0.72 (")


def test_one_or_two_curves_have_bands_and_the_page_says_which(tmp_path):
    one = HandStudy(auc_frame(area_row("wfns", 0.82, 0.75, 0.89)))
    page = report(one, tmp_path / "one.html", rng=7).read_text(encoding="utf-8")
    assert "Each shaded area is a simultaneous 95% confidence band for the whole curve" in page
    assert "fixed-width bands, from 2000 bootstrap resamples (seed 7)" in page
    assert "Campbell G. Advances in statistical methodology" in page
    rows = [area_row(name, 0.82, 0.75, 0.89) for name in ("a", "b", "c")]
    differences = compare_frame(difference_row("a", "b", 0.1, 0.0, 0.2))
    many = HandStudy(auc_frame(*rows), differences, equality_frame(3.0, 2.0, 0.2))
    page = report(many, tmp_path / "many.html", rng=7).read_text(encoding="utf-8")
    assert "band" not in page


def test_the_band_of_the_figure_can_be_ours_and_the_page_says_so(tmp_path):
    study = HandStudy(auc_frame(area_row("wfns", 0.82, 0.75, 0.89)))
    page = report(study, tmp_path / "one.html", band="smoothed-score", rng=7)
    assert (
        "score-adjusted bands from a smoothed bootstrap (of rocstats, not peer-reviewed), from"
        " 2000 bootstrap resamples (seed 7)"
    ) in page.read_text(encoding="utf-8")
    with pytest.raises(InputError, match="`band` must be one of 'fixed-width', 'smoothed-score'"):
        report(study, tmp_path / "one.html", band="joint")


def test_weights_and_uncertain_clusters_have_no_bands(tmp_path):
    areas = auc_frame(area_row("wfns", 1.0, 0.75, 1.0))
    for roles in ({"sample_weight": [1.0]}, {"cluster": Role(["p1", "p2"])}):
        page = report(HandStudy(areas, **roles), tmp_path / "page.html", rng=7)
        assert "shaded" not in page.read_text(encoding="utf-8")


def test_a_joint_band_that_stands_in_is_named():
    text = band_sentence(band_frame(["wfns"], 0.95, 7, "fixed-width/joint")).text
    assert "for wfns, whose resamples do not vary, the joint band" in text
