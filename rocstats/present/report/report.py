"""A report of a study on one HTML page: sample, tables, figure, methods, references."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any, get_args

from rocstats.errors import require_choice, require_flag
from rocstats.frames.labels import labelled
from rocstats.frames.making import text_frame
from rocstats.present.footnotes import footnotes
from rocstats.present.formats.files import checked_path
from rocstats.present.formats.html_tables import TABLE_CSS, to_html
from rocstats.present.formats.markup import printed_table
from rocstats.present.layouts import by_heading, table_columns
from rocstats.present.protocols import FigureBand
from rocstats.present.report import sentences
from rocstats.present.report.figure import roc_svg
from rocstats.present.report.sentences import Answers
from rocstats.present.styles import StyleName, style_of
from rocstats.references import vancouver

if TYPE_CHECKING:
    from os import PathLike
    from pathlib import Path

    import pandas as pd

    from rocstats.present.layouts import by_heading, table_columns
from rocstats.present.protocols import StudyLike

# Translucent bands of three curves overlap so much that none can be told from the others.
_MOST_BANDS = 2


def report(
    study: StudyLike,
    path: str | PathLike[str],
    *,
    title: str | None = None,
    style: StyleName = "plain",
    confidence_level: float = 0.95,
    band: FigureBand = "fixed-width",
    rng: Any = None,
    progress: bool = False,
) -> Path:
    """Write an HTML report of a study, and return its path.

    Parameters
    ----------
    study : Study
        A study of a binary outcome.
    path : str or path-like
        The file, ending in ``.html``. An existing file is replaced.
    title : str, optional
        Heading of the page; by default it names the predictors and
        the outcome, in the labels of the study.
    style : {"plain", "jama", "radiology", "nejm", "bmj"}, default "plain"
        Rules of print, see ``format_table``.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of intervals and bands.
    band : {"fixed-width", "smoothed-score"}, default "fixed-width"
        Simultaneous band of the figure, as in ``roc_band``.

        - "fixed-width": Campbell's, published.
        - "smoothed-score": ours, simulated, not peer-reviewed; mostly narrower, and the better one
          with a class of 20 cases or fewer or an AUC near 1. The page says that it is ours.
    rng : int, SeedSequence, Generator or None
        Seed of the resamples for the bands; the page names the integer that repeats them.
    progress : bool, default False
        Whether to show a bar for resampling that takes over two seconds.

    Returns
    -------
    pathlib.Path
        The path of the page.

    Raises
    ------
    InputError
        If the ending is another, the directory does not exist, ``style`` or ``band`` is unknown,
        ``confidence_level`` is not in (0, 1), or the study does not allow a question.

    Warns
    -----
    StatisticalWarning
        For each doubt about the results, which the page also states at the foot of the tables.

    Notes
    -----
    The page holds the sample, the areas with their intervals (Table 1), all pairwise differences
    (Table 2, with two predictors or more) with the global test (three or more), the ROC curves
    (Figure 1; one or two curves have simultaneous bands), the statistical methods and their
    references. The sentences on methods are assembled from the frames of this study. The page is
    one file that needs no network: it contains the figure and the style sheet. Names are escaped.

    References
    ----------
    - Bossuyt et al (2015), STARD items 14 and 24: methods of estimation and comparison, estimates
      with precision [bossuyt-2015]

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
    answers = _ask(study, confidence_level, band, rng, progress)
    heading = sentences.title_of(study) if title is None else title
    file.write_text(_page(study, answers, heading, style, confidence_level), encoding="utf-8")
    return file


def band_of_figure(
    study: StudyLike,
    auc: pd.DataFrame,
    confidence_level: float,
    band: FigureBand,
    rng: Any,
    progress: bool,
) -> pd.DataFrame | None:
    """Return the simultaneous bands for the figure of a study, or None.

    Parameters
    ----------
    study : Study
        The study.
    auc : pandas.DataFrame
        Its areas.
    confidence_level : float
        Simultaneous coverage of each band, in (0, 1).
    band : {"fixed-width", "smoothed-score"}
        Which band.
    rng : int, SeedSequence, Generator or None
        Seed of the resamples.
    progress : bool
        Whether to show a bar for resampling that takes over two seconds.

    Returns
    -------
    pandas.DataFrame or None
        Bands for whole curves. None for more than two curves, whose bands would hide
        one another; with weights, for which there are no bands; and with clusters if an area is
        0, 1 or undefined, since resamples of clusters then do not vary.
    """
    band = require_choice("band", band, get_args(FigureBand))
    require_flag("progress", progress)
    degenerate = study.cluster is not None and not auc["estimate"].between(0, 1, "neither").all()
    if len(auc) > _MOST_BANDS or study.sample_weight is not None or degenerate:
        return None
    return study.roc_band(band, confidence_level=confidence_level, rng=rng, progress=progress)


def _ask(
    study: StudyLike, confidence_level: float, band: FigureBand, rng: Any, progress: bool
) -> Answers:
    several, many = len(study.predictors) >= 2, len(study.predictors) >= 3
    areas = study.auc(confidence_level=confidence_level)
    answers = Answers(
        auc=areas,
        curve=study.roc_curve(),
        band=band_of_figure(study, areas, confidence_level, band, rng, progress),
        comparisons=study.compare_auc(confidence_level=confidence_level) if several else None,
        equality=study.test_equal_auc() if many else None,
    )
    named = (frame if frame is None else labelled(frame, study.labels) for frame in answers)
    return Answers(*named)  # type: ignore[arg-type] # None only where it was


def _page(
    study: StudyLike, answers: Answers, title: str, style: str, confidence_level: float
) -> str:
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    methods = sentences.methods_text(study, answers)
    keys = list(dict.fromkeys(key for sentence in methods for key in sentence.references))
    caption = sentences.figure_caption(study, answers.band)
    figure = roc_svg(answers.curve, answers.auc, answers.band, style=style, description=caption)
    # StrictUndefined: a word misspelt in the template fails instead of leaving a gap on the page.
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    source = files("rocstats.present.report").joinpath("template.html").read_text(encoding="utf-8")
    return environment.from_string(source).render(
        title=title,
        # Markup() exempts from escaping what is escaped already: CSS, tables and figure.
        table_css=Markup(TABLE_CSS),
        sample=sentences.sample_text(study, style),
        tables=[Markup(table) for table in _tables(answers, style)],
        global_test=sentences.global_test_text(
            study, answers.equality, style, 1 - confidence_level
        ),
        figure=Markup(figure),
        figure_caption=caption,
        methods=[
            (sentence.text, [keys.index(key) + 1 for key in sentence.references])
            for sentence in methods
        ],
        references=[vancouver(key) for key in keys],
    )


def _tables(answers: Answers, style: str) -> list[str]:
    tables = [_table(answers.auc, style, "Table 1. Area under the ROC curve")]
    if answers.comparisons is not None:
        pairs = answers.comparisons
        # Comparisons are paired: the numbers of cases are those of Table 1, but for shared ones.
        if "n_pos_shared" not in pairs:
            pairs = pairs.drop(columns=["n_pos", "n_neg"])
        tables.append(_table(pairs, style, "Table 2. Differences in area between predictors"))
    return tables


def _table(frame: pd.DataFrame, style: str, caption: str) -> str:
    columns = by_heading(table_columns(frame, style))
    notes = footnotes(frame, columns, methods=False, without=sentences.IN_SAMPLE)
    printed = printed_table(text_frame(columns, footnotes=notes), caption=caption, footnotes=notes)
    return to_html(printed)
