"""A study as one page of a paper: tables, figure, methods, in one file."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from rocstats.frames import text_frame
from rocstats.notes import NOTES
from rocstats.present.files import checked_path
from rocstats.present.markup import TABLE_CSS, printed_table, to_html
from rocstats.present.report.figure import roc_svg
from rocstats.present.tables import footnotes, table_columns
from rocstats.present.text import (
    format_count,
    format_number,
    format_percent,
    p_statement,
    style_of,
)
from rocstats.present.wording import (
    Sentence,
    list_words,
    method_sentences,
    note_sentences,
)
from rocstats.present.words import REFERENCES

if TYPE_CHECKING:
    from os import PathLike
    from pathlib import Path

    import pandas as pd

    from rocstats.present.protocols import RoleLike, StudyLike

_LISTED = 8
_MOST_BANDS = 2
_SAID_OF_THE_SAMPLE = ("rows-dropped",)


@dataclass(frozen=True, eq=False)
class Answers:
    """The frames of a study that its report shows; None is what cannot be asked of it."""

    curve: pd.DataFrame
    auc: pd.DataFrame
    band: pd.DataFrame | None
    comparisons: pd.DataFrame | None
    equality: pd.DataFrame | None


def report(
    study: StudyLike,
    path: str | PathLike[str],
    *,
    title: str | None = None,
    style: str = "plain",
    confidence_level: float = 0.95,
    rng: Any = None,
) -> Path:
    """Return the path of the page into which the study was written up.

    Parameters
    ----------
    study : Study
        The study of a binary outcome.
    path : str or path-like
        Where to write, ending in ``.html``. A file that is there already is replaced.
    title : str, optional
        Heading of the page; by default it names the predictors.
    style : {"plain", "jama", "radiology", "nejm", "bmj"}, default "plain"
        Whose rules of print numbers follow.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval, and of the bands.
    rng : int, SeedSequence, Generator or None
        Source of the resamples behind the bands; the page names the integer that repeats them.

    Returns
    -------
    pathlib.Path
        Where the page is.

    Raises
    ------
    InputError
        If the ending is another one, the directory does not exist, ``style`` or
        ``confidence_level`` is not possible, or a question cannot be asked of the study.

    Warns
    -----
    StatisticalWarning
        For each doubt about the results; the page says them too, at the foot of the tables.

    Notes
    -----
    The page holds the sample, the areas with their intervals (Table 1), all pairwise differences
    (Table 2, from two predictors on) with the global test (from three on), the ROC curves
    (Figure 1; of one or two curves with simultaneous bands, see ``band_of_figure``), the
    statistical methods and their references. What it says of the methods is
    assembled from the frames, so that it is true of the study at hand. The page is one file that
    needs no network: the figure and the styles are in it, and names are escaped.

    References
    ----------
    STARD 2015, items 14 and 24: methods of estimation and comparison, estimates with precision.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import rocstats as rs
    >>> study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = rs.report(study, Path(folder) / "report.html", style="jama")
    ...     "0.72 (0.57-0.83)" in page.read_text(encoding="utf-8")
    True
    """
    file = checked_path(path, (".html",))
    style_of(style)
    answers = _ask(study, confidence_level, rng)
    heading = _title(study) if title is None else title
    file.write_text(_page(study, answers, heading, style, confidence_level), encoding="utf-8")
    return file


def band_of_figure(
    study: StudyLike, auc: pd.DataFrame, confidence_level: float, rng: Any
) -> pd.DataFrame | None:
    """Return the bands for the figure of a study; None where there are none to draw.

    Parameters
    ----------
    study : Study
        The study.
    auc : pandas.DataFrame
        Its areas.
    confidence_level : float
        Level of the bands.
    rng : int, SeedSequence, Generator or None
        Source of the resamples.

    Returns
    -------
    pandas.DataFrame or None
        Fixed-width bands, which hold the whole curve. None for more than two curves, whose bands
        would hide one another; under weights, which bands do not take; and with clusters whose
        resamples cannot vary, the area being 0 or 1 or nothing.
    """
    uncertain = study.cluster is not None and not auc["estimate"].between(0, 1, "neither").all()
    if len(auc) > _MOST_BANDS or study.sample_weight is not None or uncertain:
        return None
    return study.roc_band(confidence_level=confidence_level, rng=rng)


def _ask(study: StudyLike, confidence_level: float, rng: Any) -> Answers:
    several, many = len(study.predictors) >= 2, len(study.predictors) >= 3
    areas = study.auc(confidence_level=confidence_level)
    return Answers(
        auc=areas,
        curve=study.roc_curve(),
        band=band_of_figure(study, areas, confidence_level, rng),
        comparisons=study.compare_auc(confidence_level=confidence_level) if several else None,
        equality=study.test_equal_auc() if many else None,
    )


def _page(
    study: StudyLike, answers: Answers, title: str, style: str, confidence_level: float
) -> str:
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    sentences = _methods(study, answers)
    keys = list(dict.fromkeys(key for sentence in sentences for key in sentence.references))
    figure_caption = _figure_caption(study, answers.band)
    figure = roc_svg(
        answers.curve, answers.auc, answers.band, style=style, description=figure_caption
    )
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    source = files("rocstats.present.report").joinpath("template.html").read_text(encoding="utf-8")
    return environment.from_string(source).render(
        title=title,
        table_css=Markup(TABLE_CSS),
        sample=_sample(study, style),
        tables=[Markup(table) for table in _tables(answers, style)],
        global_test=_global_test(study, answers.equality, style, 1 - confidence_level),
        figure=Markup(figure),
        figure_caption=figure_caption,
        methods=[
            (sentence.text, [keys.index(key) + 1 for key in sentence.references])
            for sentence in sentences
        ],
        references=[REFERENCES[key] for key in keys],
    )


def _title(study: StudyLike) -> str:
    names = study.predictors
    subject = list_words(names) if len(names) <= 3 else f"{len(names)} predictors"
    return f"ROC analysis of {subject}"


def _sample(study: StudyLike, style: str) -> str:
    cases = study.n_pos + study.n_neg
    share = format_percent(study.n_pos, cases, style=style)
    parts = [f"The study has {format_count(cases)} cases, of which {share} are positive."]
    if study.cluster is not None:
        parts.append(f"The cases come from {len(study.cluster.labels)} clusters.")
    if study.group is not None:
        parts.append(f"They are in {_counted(study.group, 'groups')}, analysed apart.")
    if study.fold is not None:
        parts.append(f"Scores come from {len(study.fold.labels)} cross-validation folds.")
    if study.n_dropped:
        rows = "row" if study.n_dropped == 1 else "rows"
        parts.append(f"Left out for a missing value: {study.n_dropped} {rows}.")
    return " ".join(parts)


def _counted(role: RoleLike, word: str) -> str:
    labels = [str(label) for label in role.labels]
    listed = f" ({list_words(labels)})" if len(labels) <= _LISTED else ""
    return f"{len(labels)} {word}{listed}"


def _tables(answers: Answers, style: str) -> list[str]:
    tables = [_table(answers.auc, style, "Table 1. Area under the ROC curve")]
    if answers.comparisons is not None:
        # The cases are those of Table 1.
        pairs = answers.comparisons.drop(columns=["n_pos", "n_neg"])
        tables.append(_table(pairs, style, "Table 2. Differences in area between predictors"))
    return tables


def _table(frame: pd.DataFrame, style: str, caption: str) -> str:
    columns = table_columns(frame, style, compact=True)
    notes = footnotes(frame, columns, methods=False, without=_SAID_OF_THE_SAMPLE)
    printed = printed_table(text_frame(columns, footnotes=notes), caption=caption, footnotes=notes)
    return to_html(printed)


def _global_test(
    study: StudyLike, equality: pd.DataFrame | None, style: str, alpha: float
) -> str | None:
    if equality is None:
        return None
    subject = f"The global test that all {len(study.predictors)} areas are equal"
    results = []
    for _, row in equality.iterrows():
        place = f" in {row['group']}" if "group" in equality else ""
        if row["statistic"] != row["statistic"]:
            results.append(f"{subject}{place} is not available.")
            continue
        statistic = f"chi-square = {format_number(row['statistic'], 2)}"
        p = p_statement(row["p_value"], style=style, alpha=alpha)
        df = format_count(row["df"])
        unit = "degree" if row["df"] == 1 else "degrees"
        results.append(f"{subject}{place} gives {statistic} on {df} {unit} of freedom, {p}.")
    return " ".join([*results, *note_sentences(equality, without=_SAID_OF_THE_SAMPLE)])


def _figure_caption(study: StudyLike, band: pd.DataFrame | None) -> str:
    curves = "curve" if len(study.predictors) == 1 and study.group is None else "curves"
    names = study.predictors
    subject = list_words(names) if len(names) <= _LISTED else f"{len(names)} predictors"
    counts = f"{format_count(study.n_pos)} positives, {format_count(study.n_neg)} negatives"
    caption = f"Empirical ROC {curves} of {subject} ({counts}). The dotted diagonal is chance."
    if band is not None and len(band):
        level = f"{100 * band['confidence_level'].iloc[0]:.4g}%"
        caption += f" Each shaded {level} band is to hold the whole true curve."
    if study.fold is None:
        return caption
    meaning = NOTES["pooled-folds"].meaning
    return f"{caption} {meaning[0].upper()}{meaning[1:]}."


def _methods(study: StudyLike, answers: Answers) -> list[Sentence]:
    estimator = "by the Mann-Whitney statistic, ties counting one half"
    if study.fold is not None:
        estimator = f"as the mean over the folds of its estimates {estimator}"
    sentences = [
        Sentence(
            "ROC curves are empirical: every distinct score serves as a threshold.",
            ("fawcett-2004",),
        ),
        Sentence(
            "The area under the receiver operating characteristic curve (AUC) was estimated"
            f" {estimator}.",
            ("hanley-mcneil-1982",),
        ),
        *method_sentences(answers.auc, "the AUCs" if len(answers.auc) > 1 else "the AUC"),
    ]
    if answers.band is not None and len(answers.band):
        sentences.append(_of_bands(answers.band))
    if answers.comparisons is not None:
        sentences.append(
            Sentence(
                "All predictors were measured on the same cases, so that differences in AUC"
                " (predictor minus reference) are paired."
            )
        )
        sentences += method_sentences(answers.comparisons, "the differences")
    if answers.equality is not None:
        sentences += method_sentences(answers.equality, "the global test")
    return [*sentences, _software(answers.auc)]


def _of_bands(band: pd.DataFrame) -> Sentence:
    about = band.attrs.get("rocstats", {})
    text = (
        "Simultaneous bands around the curves are Campbell's fixed-width bands, from"
        f" {about.get('n_resamples')} bootstrap resamples (seed {about.get('seed')})"
    )
    joint = band.loc[band["method"].str.endswith("/joint"), "predictor"].unique()
    if len(joint):
        text += (
            f"; for {list_words([str(name) for name in joint])}, whose resamples do not vary, the"
            " joint band of both classes' Kolmogorov limits stands in"
        )
    return Sentence(f"{text}.", ("campbell-1994",))


def _software(frame: pd.DataFrame) -> Sentence:
    version = frame.attrs.get("rocstats", {}).get("version", "")
    return Sentence(f"Analyses were made with the Python package rocstats {version}".rstrip() + ".")
