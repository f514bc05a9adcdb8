"""A report of a study in one file: the answer, tables, figures, methods and references."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeGuard, cast

from rocstats.errors import InputError
from rocstats.reports.contents import report_of
from rocstats.reports.document import Printable
from rocstats.reports.options import Cutoffs, Explorer, ReportCriterion, read_report_options
from rocstats.reports.page import to_page, to_pdf
from rocstats.reports.readers import read_reader_options, reader_report
from rocstats.reports.word import to_word
from rocstats.tables.files import path_with_known_ending, write_files_all_or_none
from rocstats.tables.protocols import FigureBand, ReaderStudyLike, StudyLike
from rocstats.tables.text import StyleName

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from os import PathLike
    from pathlib import Path


WRITERS: dict[str, Callable[[Printable], bytes]] = {
    ".html": to_page,
    ".docx": to_word,
    ".pdf": to_pdf,
}
"""What writes a report, by the ending of its file."""


def is_of_several(study: StudyLike | ReaderStudyLike) -> TypeGuard[ReaderStudyLike]:
    """Return whether a study is one of several readers."""
    return hasattr(study, "modalities")


def report(
    study: StudyLike | ReaderStudyLike,
    path: str | PathLike[str],
    *,
    title: str | None = None,
    style: StyleName = "plain",
    confidence_level: float = 0.95,
    band: FigureBand = "fixed-width",
    prespecified: Cutoffs | None = None,
    criterion: ReportCriterion | None = "youden",
    prevalence: float | Sequence[float] | None = None,
    risk_threshold: float | Sequence[float] | None = None,
    words: Mapping[str, str] | None = None,
    comparison: Mapping[str, Any] | None = None,
    explorer: Explorer | None = "counts",
    source: str | None = None,
    rng: Any = None,
    progress: bool = False,
) -> Path:
    """Write a report of a study to a file, and return its path.

    Parameters
    ----------
    study : Study or ReaderStudy
        A study of a binary outcome, or of several readers: their report has no options ``band``,
        ``criterion``, ``prevalence``, ``explorer`` and ``rng``.
    path : str or path-like
        The file. An existing one is replaced, and only once the new one is whole. Its ending says
        what is written:

        - ".html": a page, with its explorer.
        - ".docx": a Word document; needs ``pip install "rocstats[files]"``.
        - ".pdf": the page as printed; needs Chromium, Chrome or Edge.
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
    prespecified : float, sequence of float, or mapping of str to them, optional
        Cutoffs set before the study, on the scale of the scores; a mapping gives each predictor its
        own. Their rates need no correction. Of a reader study, one rating: the page has the rates
        of each reader who calls positive from it.
    criterion : str or None, default "youden"
        How a cutoff is chosen after seeing the data, see ``cutpoints``: "youden",
        "closest-topleft", "product", "equal-error", "accuracy" or "kappa". None: none is chosen.
    prevalence : float in (0, 1), or sequence of float, optional
        Up to five shares of positives where the test is to be used, for predictive values there. By
        default the page has those at the share of the study only.
    risk_threshold : float in (0, 1), or sequence of float, optional
        Up to five risks from which on one would act, for scores that are risks: the page has the
        net benefit there. The first one is where the explorer starts to weigh false alarms.
    words : mapping of str to str, optional
        What the page calls the cases: "case" and "cases" (patient, patients; case, cases with
        clusters, where a patient may have several, unless each cluster is one case in several
        folds), "condition" (the ``outcome`` of the study, else
        "the condition"), and "action", what follows a positive result (treat). For instance
        ``{"case": "woman", "condition": "cancer"}``.
    comparison : mapping of str to object, optional
        How the modalities of a reader study are compared: options of ``compare_auc``, such as
        ``{"readers": "fixed"}`` or ``{"hypothesis": "non-inferiority", "margin": 0.05}``.
    explorer : {"counts", "exact"} or None, default "counts"
        What the interactive part of the page holds.

        - "counts": counts of cases between thresholds, none from 1 to 4 except beside the cutoffs
          that the report names. The thresholds, up to 200, are scores of some patients. At another
          threshold that a reader types the page shows the next one that it has, and says so.
        - "exact": the counts at each score: a page that holds the scores of patients, and answers
          every threshold that a reader types.
        - None: the page has no interactive part.
    source : str, optional
        Where the data come from, a sentence for the page.
    rng : int, SeedSequence, Generator or None
        Seed of the resamples; the page names the integer that repeats them.
    progress : bool, default False
        Whether to show a progress bar if resampling takes over two seconds.

    Returns
    -------
    pathlib.Path
        The path of the file.

    Raises
    ------
    InputError
        If the ending is another, the directory does not exist, an option is not possible, or the
        study does not allow areas.

    Warns
    -----
    StatisticalWarning
        For each doubt about the results, which the page also states at the foot of the tables.

    Notes
    -----
    The page says what was studied; what the test finds and clears, in whole people, at each cutoff;
    whether the cutoff was set before the study or chosen after seeing the data, in which case rates
    are corrected for the choice and the cutoff has an interval; areas with P values against 0.5,
    their differences and the global test; diagnostic accuracy at the cutoffs; paired comparisons
    there; figures; areas by group; the statistical methods and their references; what the report
    cannot say; and which items of STARD 2015 are left to the authors. A test with two results has
    no areas, curve or choice of a cutoff. What a study does not allow is left out, with the reason.
    Sentences on methods are assembled from the frames of this study. The page is one file that
    needs no network. Names are escaped. The same study, options and seed give the same bytes.

    The figures are drawn from all scores, in every format: in a small study a bar may be one
    patient.

    References
    ----------
    - Bossuyt et al (2015), STARD: items 12, 14, 16, 17, 23 and 24 [bossuyt-2015]

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import rocstats as rs
    >>> study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = rs.report(study, Path(folder) / "report.html", style="jama")
    ...     "0.70 (0.48-0.85)" in page.read_text(encoding="utf-8")
    True
    """
    file = path_with_known_ending(path, tuple(WRITERS))
    _require_study_of_two_classes(study)
    if is_of_several(study):
        wanted = read_reader_options(
            study, title=title, style=style, confidence_level=confidence_level,
            prespecified=prespecified, comparison=comparison, words=words, source=source,
            band=band, criterion=criterion, prevalence=prevalence,
            risk_threshold=risk_threshold, rng=rng,
        )  # fmt: skip
        write_files_all_or_none({file: WRITERS[file.suffix.lower()](reader_report(study, wanted))})
        return file
    if comparison is not None:
        raise InputError(
            f"`comparison` must be left out but for a reader study; got {comparison!r}. Leave it"
            " out."
        )
    binary = cast("StudyLike", study)
    options = read_report_options(
        binary, title=title, style=style, confidence_level=confidence_level, band=band,
        prespecified=prespecified, criterion=criterion, prevalence=prevalence,
        risk_threshold=risk_threshold, words=words, explorer=explorer, source=source, rng=rng,
        progress=progress,
    )  # fmt: skip
    write_files_all_or_none({file: WRITERS[file.suffix.lower()](report_of(binary, options))})
    return file


def _require_study_of_two_classes(study: object) -> None:
    """Raise InputError for what is no study of two classes, such as one of times to an event."""
    if hasattr(study, "n_events"):
        raise InputError(
            "`study` must be a Study or a ReaderStudy; got one of times to an event. Its report is"
            " written by the command rocstats survival."
        )
    if not hasattr(study, "cutpoints") and not hasattr(study, "modalities"):
        raise InputError(
            f"`study` must be a Study or a ReaderStudy; got {type(study).__name__}. Describe the"
            " cases with Study."
        )
