"""Sentences on methods that tables and reports share; the paragraph behind one table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from rocstats.facts.measures import base_of
from rocstats.facts.references import vancouver
from rocstats.facts.sentences import phrase
from rocstats.frame.make import about_of
from rocstats.study.marks import LIMITS
from rocstats.tables.reader_frames import is_of_readers, rows_of_reader_averages
from rocstats.tables.readers import sentences_on_reader_model, subject_of_methods_sentences
from rocstats.tables.sizes import units_sentences
from rocstats.tables.wording import BAND_WORDS, Sentence, list_words, method_sentences

if TYPE_CHECKING:
    from collections.abc import Sequence


def methods_lines(frame: pd.DataFrame | Sequence[pd.DataFrame]) -> list[str]:
    """Return the paragraph on how the numbers of a frame were computed, then its references.

    Parameters
    ----------
    frame : pandas.DataFrame
        What a question of a study returned; several answers of a reader study in a list.

    Returns
    -------
    list of str
        The paragraph, whose numbers in brackets are those of the references; then a line for each
        of these, in the order in which they are cited.

    Examples
    --------
    >>> import rocstats as rs
    >>> from rocstats.tables.methods import methods_lines
    >>> data = rs.load_breast_cancer()
    >>> study = rs.Study("diagnosis", "area", data=data, pos_label="malignant")
    >>> paragraph, *references = methods_lines(study.auc())
    >>> paragraph.split(". ")[1]
    'Standard errors were estimated by the method of DeLong et al [2]'
    >>> references[1][:50]
    '2. DeLong ER, DeLong DM, Clarke-Pearson DL. Compar'
    """
    if not isinstance(frame, pd.DataFrame):
        return _paragraph_and_numbered_references(reader_sentences(frame), frame[0])
    if is_of_readers(frame):
        return _paragraph_and_numbered_references(reader_sentences([frame]), frame)
    sentences = [
        *sample_sentences(frame),
        *limit_sentences(frame),
        *_estimator_sentences(frame),
        *method_sentences(frame),
    ]
    # The limits of areas over time are said as such.
    banded = "scope" in frame and "time" not in frame and len(frame) > 0
    if banded and (frame["scope"] == "simultaneous").all():
        sentences.append(band_sentence(frame))
    return _paragraph_and_numbered_references(sentences, frame)


def _area_of_marks(curve: str, what: str, *references: str) -> Sentence:
    return Sentence(
        f"The area under the {curve} curve is the share of pairs in which {what}; ties count one"
        " half.",
        references,
    )


_LESION = "a lesion has a higher mark than a case without lesions has false marks"
_OF_MARKS = {
    "wafroc_auc": _area_of_marks(
        "wAFROC", f"{_LESION}, each case with lesions weighing the same", "chakraborty-2016"
    ),
    "afroc_auc": _area_of_marks("AFROC", _LESION, "chakraborty-2004"),
    "wafroc1_auc": _area_of_marks(
        "wAFROC1",
        "a lesion has a higher mark than a case, with or without lesions, has false marks, each"
        " case with lesions weighing the same",
        "chakraborty-2016",
    ),
    "afroc1_auc": _area_of_marks(
        "AFROC1",
        "a lesion has a higher mark than a case, with or without lesions, has false marks",
        "chakraborty-2004",
    ),
    "inferred_auc": _area_of_marks(
        "inferred ROC", "a case with lesions has a higher mark than a case without"
    ),
    "lroc_auc": _area_of_marks(
        "LROC",
        "the highest mark of a case with lesions is on a lesion, and is higher than the marks of a"
        " case without",
        "swensson-1996",
    ),
    "froc_score": Sentence(
        "The FROC score is the mean lesion sensitivity at several numbers of false marks per case,"
        " read from the empirical FROC curve.",
        ("niemeijer-2011",),
    ),
}
"""What the quantities of marks are, by their words."""


def reader_sentences(frames: Sequence[pd.DataFrame]) -> list[Sentence]:
    """Return sentences on how the answers of a reader study were computed, and for whom.

    Parameters
    ----------
    frames : sequence of pandas.DataFrame
        Its answers; ``components()`` is passed over.
    """
    answers = [frame for frame in frames if is_of_readers(frame)]
    quantities = {base_of(name) for frame in answers for name in frame["quantity"]}
    words = {
        str(method) for frame in answers for method in rows_of_reader_averages(frame)["method"]
    }
    weighted = any(word.startswith("u-statistic") for word in words)
    how = (
        "weight readers by their numbers of pairs of cases"
        if weighted
        else "are means over readers"
    )
    sentences = [
        *(sample_sentences(answers[0]) if answers else []),
        *([area_sentence(over_folds=False)] if "auc" in quantities else []),
        *(sentence for name, sentence in _OF_MARKS.items() if name in quantities),
        *([Sentence(f"Averages {how}.")] if words else []),
        *(Sentence(text) for frame in answers for text in sentences_on_reader_model(frame)),
        *(
            sentence
            for frame in answers
            for sentence in method_sentences(frame, subject_of_methods_sentences(frame))
        ),
    ]
    # Several answers may be made alike.
    return list(dict.fromkeys(sentences))


def _paragraph_and_numbered_references(sentences: list[Sentence], frame: pd.DataFrame) -> list[str]:
    """Return a paragraph with numbers of references, and a line for each of these."""
    keys = list(dict.fromkeys(key for sentence in sentences for key in sentence.references))
    sentences = [*sentences, _software_sentence(frame)]
    paragraph = " ".join(_with_citations(sentence, keys) for sentence in sentences)
    return [paragraph, *(f"{i}. {vancouver(key)}" for i, key in enumerate(keys, start=1))]


def _estimator_sentences(frame: pd.DataFrame) -> list[Sentence]:
    """Return the sentence on how areas were estimated, if the frame has estimates of them."""
    if "quantity" not in frame or "auc" not in set(frame["quantity"].map(base_of)):
        return []
    # The area of a fitted curve is no Mann-Whitney statistic.
    if (frame["quantity"] == "a").any() or "design" in frame:
        return []
    # Nobody but its authors knows how a published area was estimated.
    if frame["method"].str.startswith("published").all():
        return []
    if "time" in frame:
        return [area_at_a_time_sentence(frame)]
    return [area_sentence(over_folds=any("fold" in method for method in frame["method"]))]


def _with_citations(sentence: Sentence, keys: list[str]) -> str:
    numbers = ", ".join(str(keys.index(key) + 1) for key in sentence.references)
    return f"{sentence.text.removesuffix('.')} [{numbers}]." if numbers else sentence.text


def area_sentence(*, over_folds: bool) -> Sentence:
    """Return the sentence on the estimator of areas, which with folds is a mean over them."""
    estimator = "by the Mann-Whitney statistic, ties counting one half"
    if over_folds:
        estimator = f"as the mean over the folds of its estimates {estimator}"
    return Sentence(
        "The area under the receiver operating characteristic curve (AUC) was estimated"
        f" {estimator}.",
        ("hanley-mcneil-1982",),
    )


def sample_sentences(frame: pd.DataFrame) -> list[Sentence]:
    """Return the sentence on the patients behind a frame; [] where its columns have the numbers.

    Of a survival study it says which codes were the event; of others whose rows are no patients,
    how many patients there were, and how many rows.
    """
    words = about_of(frame).get("events")
    return [Sentence(text) for text in (units_sentences(frame) if words is None else [words])]


def area_at_a_time_sentence(frame: pd.DataFrame) -> Sentence:
    """Return the sentence on the estimator of areas at a time, and on who are controls."""
    without = {"not-case": "without the event of interest", "event-free": "without any event"}
    controls = list_words(without[word] for word in dict.fromkeys(frame["controls"]))
    return Sentence(
        "The area under the receiver operating characteristic curve (AUC) at a time compares"
        f" patients who had the event by then with those {controls} by then, each weighted by the"
        " inverse probability of not being censored.",
        ("uno-2007", "blanche-2013"),
    )


def band_sentence(band: pd.DataFrame) -> Sentence:
    """Return the sentence on the bands of the figure, with the seed that repeats them."""
    about = about_of(band)
    used = BAND_WORDS[str(band["method"].iloc[0]).partition("/")[0]]
    # The largest of normal variables is drawn, not cases.
    drawn = "normal draws" if used.word.endswith("max-normal") else "bootstrap resamples"
    text = (
        f"Simultaneous bands around the curves are {used.phrase}, from"
        f" {about.get('n_resamples')} {drawn} (seed {about.get('seed')})"
    )
    # "fixed-width/joint" replaces the fixed width where resamples have no spread to set it by.
    joint = band.loc[band["method"].str.endswith("/joint"), "predictor"].unique()
    if len(joint):
        text += (
            f"; for {list_words([str(name) for name in joint])}, whose resamples do not vary, the"
            " joint band of both classes' Kolmogorov limits is drawn"
        )
    return Sentence(f"{text}.", used.references)


def limit_sentences(frame: pd.DataFrame) -> list[Sentence]:
    """Return how results beyond a limit of detection were ranked; [] without any."""
    sentences = []
    for name, limits in about_of(frame).get(LIMITS, {}).items():
        for signs, rank in (("<≤", "lowest"), (">≥", "highest")):
            counted = [
                phrase("limits.counted", limit=limit.strip(), number=number)
                for limit, number in limits.items()
                if limit.strip()[0] in signs
            ]
            if counted:
                told = phrase(f"limits.{rank}", name=name, limits=list_words(counted))
                sentences.append(Sentence(f"{told}."))
    return sentences


def _software_sentence(frame: pd.DataFrame) -> Sentence:
    """Return the sentence on the package and its version, which made the frame."""
    version = about_of(frame).get("version", "")
    return Sentence(f"Analyses were made with the Python package rocstats {version}".rstrip() + ".")
