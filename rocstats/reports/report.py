"""A report of a study in one file: the answer, tables, figures, methods and references."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeGuard, cast

from rocstats.errors import InputError
from rocstats.reports.contents import report_of
from rocstats.reports.document import Printable
from rocstats.reports.options import Cutoffs, Explorer, ReportCriterion, read_report_options
from rocstats.reports.page import to_page
from rocstats.reports.pdf import to_pdf
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
        A study of a binary outcome, or a reader study. The report of a reader study does not use
        ``band``, ``criterion``, ``prevalence``, ``explorer`` and ``rng``.
    path : str or path-like
        The file. An existing file is replaced only after the new file is complete. The extension
        determines the format:

        - ".html": a page, with an interactive explorer.
        - ".docx": a Word document; needs ``pip install "rocstats[files]"``.
        - ".pdf": A4 pages; needs ``pip install "rocstats[files]"``.
    title : str, optional
        Heading of the page; by default the labels of the predictors and of the outcome.
    style : {"plain", "jama", "radiology", "nejm", "bmj"}, default "plain"
        Journal style, see ``format_table``.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of intervals and bands.
    band : {"fixed-width", "smoothed-score"}, default "fixed-width"
        Simultaneous band of the figure, as in ``roc_band``.

        - "fixed-width": the published band of Campbell.
        - "smoothed-score": a band of rocstats, tested in simulations but not peer-reviewed. It is
          mostly narrower, and is better for an AUC near 1 or a class of 20 cases or fewer. The page
          states the origin of this band.
    prespecified : float, sequence of float, or mapping of str to them, optional
        Cutoffs chosen before the study, on the scale of the scores. A mapping has separate cutoffs
        for each predictor. Rates at such cutoffs need no correction. For a reader study, pass one
        rating: the page has the rates of each reader at this cutoff.
    criterion : str or None, default "youden"
        Criterion to choose a cutoff after seeing the data, see ``cutpoints``: "youden",
        "closest-topleft", "product", "equal-error", "accuracy" or "kappa". With None no cutoff is
        chosen.
    prevalence : float in (0, 1), or sequence of float, optional
        Up to five shares of positives in populations of use, for predictive values. By default
        predictive values use only the share in the study.
    risk_threshold : float in (0, 1), or sequence of float, optional
        Up to five risk thresholds (the lowest risk that leads to treatment), for scores that are
        risks. The page has the net benefit at each threshold. Each threshold is also a cutoff set
        before the study, and the page starts with the first one.
    words : mapping of str to str, optional
        Words of the page, such as ``{"case": "woman", "condition": "cancer"}``. "case" and "cases"
        are by default "patient" and "patients"; if clusters have several cases, the defaults are
        "case" and "cases". "condition" is by default the ``outcome`` of the study, else "the
        condition". "action" is the action after a positive result, by default "treat".
    comparison : mapping of str to object, optional
        Options of ``compare_auc`` for the modalities of a reader study, such as ``{"readers":
        "fixed"}`` or ``{"hypothesis": "non-inferiority", "margin": 0.05}``.
    explorer : {"counts", "exact"} or None, default "counts"
        Data in the interactive part of the page.

        - "counts": counts of cases at thresholds that single out no patient. Each count of such a
          threshold is 0 or at least 5. At least 5 patients lie between two of them, and none of
          these is the only one of a class. Counts next to the cutoffs of the report may be smaller.
          The thresholds are scores of some patients. For any other threshold the page uses the next
          of these thresholds, with a message. A study with frequencies has all thresholds.
        - "exact": counts at each score, for every threshold. The page then contains the scores of
          patients.
        - None: the page has no interactive part.
    source : str, optional
        A sentence on the source of the data, printed on the page.
    rng : int, SeedSequence, Generator or None
        Seed of the resamples; the page states the integer that reproduces them.
    progress : bool, default False
        Whether to show a progress bar if resampling takes over two seconds.

    Returns
    -------
    pathlib.Path
        The path of the file.

    Raises
    ------
    InputError
        If the extension is not supported; if the directory does not exist; if an option is invalid;
        or if areas cannot be estimated in the study.

    Warns
    -----
    StatisticalWarning
        For each warning about the results; the page also prints it below the tables.

    Notes
    -----
    The page describes the study, and the results per 100 people at each cutoff. It states whether a
    cutoff was chosen before the study or after seeing the data. Rates at a cutoff chosen in these
    data are corrected for optimism, and this cutoff has an interval. The page has areas with P
    values against 0.5, their differences and the global test. It has diagnostic accuracy and paired
    comparisons at the cutoffs, figures, and areas by group. It ends with statistical methods and
    references, limitations, and the items of STARD 2015 that authors must add. A binary test has no
    areas, curve or chosen cutoff. Unsupported parts are omitted, and the page states the reason.
    The page is one file that needs no network. Names are escaped. The same study, options and seed
    give the same bytes.

    In every format the figures show all scores: in a small study a bar may be one patient.

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
    ...     "70% (14/20; 48%-85%)" in page.read_text(encoding="utf-8")
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
            f"`comparison` must be left out except for a reader study; got {comparison!r}. Leave"
            " it out."
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
            "`study` must be a Study or a ReaderStudy; got a survival study. Use the command"
            " rocstats survival for its report."
        )
    if hasattr(study, "froc_score"):
        raise InputError(
            "`study` must be a Study or a ReaderStudy; got a study of marks. Use the command"
            " rocstats marks for its report."
        )
    if not hasattr(study, "cutpoints") and not hasattr(study, "modalities"):
        raise InputError(
            f"`study` must be a Study or a ReaderStudy; got {type(study).__name__}. Describe the"
            " cases with Study."
        )
