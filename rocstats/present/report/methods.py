"""The paragraph of methods behind one table, with its numbered references."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocstats.present.report.sentences import area_sentence, band_sentence, software_sentence
from rocstats.present.wording import Sentence, method_sentences
from rocstats.references import vancouver

if TYPE_CHECKING:
    import pandas as pd


def methods_lines(frame: pd.DataFrame) -> list[str]:
    """Return the paragraph on how the numbers of a frame were computed, then its references.

    Parameters
    ----------
    frame : pandas.DataFrame
        What a question of a study returned.

    Returns
    -------
    list of str
        The paragraph, whose numbers in brackets are those of the references; then a line for each
        of these, in the order in which they are cited.

    Examples
    --------
    >>> import rocstats as rs
    >>> from rocstats.present.report.methods import methods_lines
    >>> data = rs.load_breast_cancer()
    >>> study = rs.Study("diagnosis", "area", data=data, pos_label="malignant")
    >>> paragraph, *references = methods_lines(study.auc())
    >>> paragraph.split(". ")[1]
    'Standard errors were estimated by the method of DeLong et al [2]'
    >>> references[1][:50]
    '2. DeLong ER, DeLong DM, Clarke-Pearson DL. Compar'
    """
    sentences = [*_estimator(frame), *method_sentences(frame)]
    if "scope" in frame and (frame["scope"] == "simultaneous").all() and len(frame):
        sentences.append(band_sentence(frame))
    keys = list(dict.fromkeys(key for sentence in sentences for key in sentence.references))
    sentences.append(software_sentence(frame))
    paragraph = " ".join(_cited(sentence, keys) for sentence in sentences)
    return [paragraph, *(f"{i}. {vancouver(key)}" for i, key in enumerate(keys, start=1))]


def _estimator(frame: pd.DataFrame) -> list[Sentence]:
    """Return the sentence on how areas were estimated, if the frame has estimates of them."""
    if "quantity" not in frame or not (frame["quantity"] == "auc").any():
        return []
    # The area of a fitted curve is no Mann-Whitney statistic.
    if (frame["quantity"] == "a").any() or "design" in frame:
        return []
    return [area_sentence(over_folds=frame["method"].str.contains("fold").any())]


def _cited(sentence: Sentence, keys: list[str]) -> str:
    numbers = ", ".join(str(keys.index(key) + 1) for key in sentence.references)
    return f"{sentence.text.removesuffix('.')} [{numbers}]." if numbers else sentence.text
