"""What an answer says, in sentences: for the screen, for Word, and to be copied into a text."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.facts.measures import STARD, base_of, uncapital
from rocstats.facts.sentences import phrase, phrase_or
from rocstats.facts.words import RowLike, capital, is_difference, quantity_text, row_dicts
from rocstats.frame.checks import require_frame
from rocstats.frame.make import about_of, in_print
from rocstats.frame.plans import is_plan, plan_sentences
from rocstats.tables.cells import (
    COMPARISON,
    LABELS,
    SIGNS,
    CellRules,
    estimate_text,
    heading_of_identifying_column,
    is_interaction,
    measure_text,
    row_identifying_columns,
    rules_of,
    threshold_text,
    unit_text,
)
from rocstats.tables.text import (
    MINUS,
    StyleName,
    digits_of,
    format_count,
    format_level,
    format_number,
    p_statement,
    style_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


def format_sentences(
    frame: pd.DataFrame,
    style: StyleName = "plain",
    *,
    digits: int | None = None,
    percent: bool | None = None,
    labels: Mapping[str, str] | None = None,
) -> list[str]:
    """Return what an answer says, in sentences for the text of a paper.

    Parameters
    ----------
    frame : pandas.DataFrame
        Any answer of this package: estimates, comparisons, curves, bands, a plan.
    style : {"plain", "jama", "radiology", "nejm", "bmj"}, default "plain"
        Journal style of numbers, see ``format_table``.
    digits : int, optional
        Decimals of estimates and limits, see ``format_table``.
    percent : bool, optional
        Whether shares of cases are percentages, see ``format_table``.
    labels : mapping of str to str, optional
        Printed names of predictors, see ``format_table``.

    Returns
    -------
    list of str
        A sentence for each place (predictor, group, threshold) with all its measures. Of more than
        eight measures, only sensitivity, specificity, predictive values and likelihood ratios are
        told. Of more than eight places of a predictor, the first and the last are told. A curve or
        band has one sentence for each predictor, a plan has a sentence for each row.

    Raises
    ------
    InputError
        If ``frame`` is not an answer, or ``style`` or ``digits`` is invalid.

    Notes
    -----
    The numbers are those of ``format_table`` with the same options.

    References
    ----------
    - JAMA Network Editors (2020), AMA Manual of Style, chapters 18 and 19 [ama-2020]

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.Study.from_confusion({"predictor": ["CT"], "tp": [181], "fn": [31], "fp": [30],
    ...                                  "tn": [327]})
    >>> points = study.operating_points(threshold=1, quantities=["tpr"])
    >>> rs.format_sentences(points, "radiology")
    ['The sensitivity of CT was 85% (181 of 212; 95% CI: 80, 90).']
    """
    style_of(style)
    frame, _ = in_print(labels, require_frame(frame))
    if frame.empty:
        raise InputError("`frame` must have rows; got 0. Pass an answer with rows.")
    return sentences_of_answer(frame, style, digits=digits, percent=percent)


def sentences_of_answer(
    frame: pd.DataFrame, style: str, *, digits: int | None = None, percent: bool | None = None
) -> list[str]:
    """Return the sentences of ``format_sentences`` of a frame with labels in the place of names."""
    if is_plan(frame):
        return plan_sentences(frame)
    if {"quantity", "estimate", "ci_low", "confidence_level"} <= set(frame):
        rules = rules_of(frame, style, digits, percent)
        texts = list(_sentences_on_estimates(frame, rules))
    else:
        texts = list(_sentences_on_other_answers(frame, digits_of(style, digits)))
    return [f"{capital(text)}." for text in dict.fromkeys(texts)]


# --- Estimates ------------------------------------------------------------------------------------

# A page has no room for more sentences of one kind, a sentence none for more measures.
_MOST_PLACES = _MOST_MEASURES = 8

# Names of what is estimated, which are no place.
_SUBJECTS = ("predictor", "modality", "reference")


class _Told(NamedTuple):
    """A row with the name of what it is about, and where."""

    row: RowLike
    subject: str
    reference: str
    place: str


def _sentences_on_estimates(frame: pd.DataFrame, rules: CellRules) -> Iterator[str]:
    told = _rows_with_places(frame, rules)
    tests = [one for one in told if _is_test(one.row)]
    yield from _sentences_on_places([one for one in told if not _is_test(one.row)], rules)
    for one in tests:
        yield _sentence_on_test(one, frame, rules)


def _is_test(row: RowLike) -> bool:
    """Return whether a row is a test without an estimate."""
    return math.isnan(row["estimate"]) and not math.isnan(row.get("p_value", math.nan))


def _rows_with_places(frame: pd.DataFrame, rules: CellRules) -> list[_Told]:
    """Return the rows that are told, of many measures the usual ones."""
    if frame["quantity"].nunique() > _MOST_MEASURES:
        usual = frame["quantity"].map(base_of).isin(STARD)
        if usual.any():
            kept = frame[usual]
            kept.attrs = frame.attrs
            frame = kept
    columns = row_identifying_columns(frame, rules.digits)
    names = {heading_of_identifying_column(frame, name): name for name in LABELS if name in frame}
    compared = columns.pop(COMPARISON, None)
    places = [""] * len(frame)
    rows = row_dicts(frame)
    # A chosen cutoff is an estimate with limits: it is no place.
    unsaid = {*_SUBJECTS, "variable", *(["threshold"] if _has_chosen_cutoffs(frame) else [])}
    for heading, cells in columns.items():
        name = names.get(heading, "other")
        if name == "level" and "variable" not in frame:
            # Levels of a review are its classes, or what is compared.
            name = "class"
        if name in unsaid or (name == "group" and "reference" in frame):
            continue
        for i, cell in enumerate(cells):
            if name == "class" and rows[i].get("level") and rows[i].get("reference"):
                continue
            places[i] += _place_in_words(name, heading, cell, rows[i])
    return [
        _Told(
            row,
            _subject_of_row(row) if compared is None else compared[i],
            str(row.get("reference", "")) if compared is None else "",
            places[i],
        )
        for i, row in enumerate(rows)
    ]


def _has_chosen_cutoffs(frame: pd.DataFrame) -> bool:
    return bool(frame["quantity"].eq("threshold").any())


def _subject_of_row(row: RowLike) -> str:
    """Return what a row is about; of a comparison, with its group."""
    name, group = str(row.get("predictor", row.get("modality", ""))), str(row.get("group", ""))
    if row.get("reference") and row.get("level") and "variable" not in row:
        name = str(row["level"])
    return f"{name} ({group})" if row.get("reference") and group not in ("", "all") else name


def _place_in_words(name: str, heading: str, cell: str, row: RowLike) -> str:
    if not cell or (name in ("group", "level", "class") and cell == "all"):
        return ""
    named = {"heading": uncapital(heading), "value": cell, "variable": row.get("variable", "")}
    return phrase_or(f"place.{name}", "place.other", **named)


def _sentences_on_places(told: Sequence[_Told], rules: CellRules) -> Iterator[str]:
    by_subject: dict[tuple[str, str], dict[str, list[_Told]]] = {}
    for one in told:
        places = by_subject.setdefault((one.subject, one.reference), {})
        places.setdefault(one.place, []).append(one)
    for places in by_subject.values():
        if len(places) > _MOST_PLACES:
            yield _sentence_on_many_places(list(places.values()), rules)
            continue
        for rows in places.values():
            yield _sentence_on_one_place(rows, rules)


def _sentence_on_one_place(rows: Sequence[_Told], rules: CellRules) -> str:
    """Return one sentence on all measures of a place."""
    known = [one for one in rows if not math.isnan(one.row["estimate"])]
    if not known:
        first = rows[0]
        return phrase(
            "result.undefined", quantity=_quantity(first.row), subject=first.subject,
            place=first.place,
        )  # fmt: skip
    parts = [_first_part(known[0], rules)]
    parts += [
        phrase(
            "result.next", quantity=_quantity(one.row), state=_state(one.row),
            value=_value_in_words(one.row, rules),
        )
        for one in known[1:]
    ]  # fmt: skip
    return "; ".join(parts)


def _first_part(one: _Told, rules: CellRules) -> str:
    key = "estimate" if one.subject else "alone"
    if is_difference(one.row):
        key = "difference"
        if not one.reference:
            key = "compared"
        elif str(one.row["quantity"]).endswith("_ratio"):
            key = "ratio"
        elif not str(one.row["quantity"]).endswith("_difference"):
            key = "between"
    return phrase(
        f"result.{key}", quantity=_quantity(one.row), subject=one.subject,
        reference=one.reference, place=one.place, state=_state(one.row),
        value=_value_in_words(one.row, rules),
    )  # fmt: skip


def _quantity(row: RowLike) -> str:
    return uncapital(quantity_text(row, with_risk=False))


def _state(row: RowLike) -> str:
    """Return at which prevalence a value holds, and whether it is corrected; "" of others."""
    state = measure_text(row).removeprefix(quantity_text(row, with_risk=False))
    return f"{state}," if ", " in state else state


def _value_in_words(row: RowLike, rules: CellRules) -> str:
    """Return an estimate with its unit, its limits and its P value."""
    # The limits of a sentence need no common form.
    alone = rules._replace(signed=is_difference(row))
    if math.isnan(row["ci_low"]) and math.isnan(row["ci_high"]):
        row = {**row, "confidence_level": math.nan, "ci_low": math.nan, "ci_high": math.nan}  # type: ignore[dict-item]
    text = estimate_text(row, alone, with_level=True)
    if row["quantity"] == "threshold":
        text = f"{SIGNS.get(str(row.get('direction')), '')}{text}"
    if unit := unit_text(row, alone).removeprefix(", "):
        number, _, limits = text.partition(" ")
        unit = unit.removesuffix("s") if number.lstrip(MINUS) == "1" else unit
        text = " ".join(filter(None, [number, unit, limits]))
    return ", ".join(filter(None, [text, _p_in_words(row, rules)]))


_CLAIMS = ("superiority", "non-inferiority", "equivalence")


def _p_in_words(row: RowLike, rules: CellRules) -> str:
    """Return the P value of a row, with what it tests where that is not plain; "" without one."""
    if math.isnan(row.get("p_value", math.nan)):
        return ""
    level = row.get("confidence_level", math.nan)
    alpha = 0.05 if math.isnan(level) else 1 - level
    allowed = row.get("p_adjusted", math.nan)
    adjusted = rules.adjusted and not math.isnan(allowed)
    p = p_statement(allowed if adjusted else row["p_value"], style=rules.style, alpha=alpha)
    if adjusted:
        p = phrase("p.adjusted", p=p)
    null, hypothesis = row.get("null_value", math.nan), str(row.get("hypothesis", ""))
    if hypothesis in _CLAIMS:
        named = {"p": p, "hypothesis": hypothesis, "margin": f"{abs(null):g}"}
        return phrase("p.margin" if null else "p.claim", **named)
    plain = is_difference(row) and null == (1 if str(row["quantity"]).endswith("_ratio") else 0)
    return p if plain or math.isnan(null) else phrase("p.null", p=p, null=f"{null:g}")


def _sentence_on_many_places(places: Sequence[Sequence[_Told]], rules: CellRules) -> str:
    """Return the first and the last value along a curve, or over many places."""
    known = [rows[0] for rows in places if not math.isnan(rows[0].row["estimate"])]
    first = places[0][0]
    if not known:
        return phrase(
            "result.undefined", quantity=_quantity(first.row), subject=first.subject, place=""
        )
    start, end = known[0], known[-1]
    subject = first.subject
    if first.reference:
        subject = f"{first.subject} minus {first.reference}"
    return phrase(
        "result.many", quantity=_quantity(start.row), subject=subject, state=_state(start.row),
        first=_value_in_words(start.row, rules), place=start.place,
        last=_value_in_words(end.row, rules), last_place=end.place, number=len(places),
    )  # fmt: skip


def _sentence_on_test(one: _Told, frame: pd.DataFrame, rules: CellRules) -> str:
    """Return the statistic and the P value of a test without an estimate."""
    row = one.row
    named = {"quantity": _quantity(row), "subject": one.subject, "reference": one.reference}
    key = "other"
    if "variable" in frame and is_interaction(row):
        key, named["level"] = "interaction", str(row["variable"])
    elif one.subject == "all":
        key = "averages" if "reader" in frame else "equal"
    elif about_of(frame).get("function") == "test_equal_groups":
        key = "equal_groups"
    elif one.reference:
        key = "difference"
    p = _p_in_words({**row, "null_value": math.nan, "hypothesis": ""}, rules)  # type: ignore[dict-item]
    what, statistic = phrase(f"test.{key}", **named), _statistic_in_words(row)
    return phrase("result.test", what=what, statistic=statistic, p=p)


def _statistic_in_words(row: RowLike) -> str:
    """Return "F(1, 4.6) = 0.51, ", "chi-square(2) = 1.3, "; "" without a statistic."""
    value, df = row.get("statistic", math.nan), row.get("df", math.nan)
    if math.isnan(value):
        return ""
    number, first = format_number(float(value), 2), row.get("df_numerator", math.nan)
    if not math.isnan(first):
        return f"F({format_count(first)}, {format_number(float(df), 1)}) = {number}, "
    if math.isnan(df):
        return f"a statistic of {number}, "
    return f"z = {number}, " if math.isinf(df) else f"chi-square({format_count(df)}) = {number}, "


# --- Curves, bands, counts ------------------------------------------------------------------------

# Along which rate a band lies, what it is of, and its limits.
_BANDS = (
    ("fpr", "tpr", "tpr_low", "tpr_high"),
    ("tpr", "ppv", "ppv_low", "ppv_high"),
)
# Where a band is told: at the false positive rate, or the sensitivity, nearest to this one.
_TOLD_AT = {"fpr": 0.1, "tpr": 0.8}


def _sentences_on_other_answers(frame: pd.DataFrame, digits: int) -> Iterator[str]:
    """Yield what a frame without intervals of estimates says."""
    function = str(about_of(frame).get("function", ""))
    # Of several classes and readers the answer has a longer name: "multiclass_roc_curve".
    names = [name for name in ("roc_curve", "roc_band") if function.endswith(name)]
    curve = phrase_or(f"curve.{function}", f"curve.{names[0] if names else 'other'}")
    band = next((band for band in _BANDS if set(band) <= set(frame)), None)
    if "critical_value" in frame:
        yield from (_sentence_on_critical_value(row, digits) for row in row_dicts(frame))
    elif "component" in frame:
        yield from (
            phrase(
                "table.component",
                component=re.sub("[-_]", " ", str(row["component"])),
                value=f"{row['estimate']:.4g}".replace("-", MINUS),
            )
            for row in row_dicts(frame)
        )
    elif "score" in frame and "predictor" not in frame:
        yield phrase(
            "table.counts", number=len(frame), n_pos=format_count(float(frame["n_pos"].sum())),
            n_neg=format_count(float(frame["n_neg"].sum())),
        )  # fmt: skip
    elif "expected_cost" in frame or "cost_share_low" in frame:
        yield from (_sentence_on_costs(row, digits) for row in row_dicts(frame))
    elif {"tnr", "ppv"} <= set(frame):
        yield from (
            phrase(
                "table.rates", subject=row["predictor"], tpr=_share(row["tpr"], digits),
                tnr=_share(row["tnr"], digits),
            )
            for row in row_dicts(frame)
        )  # fmt: skip
    elif not {"predictor", "modality"} & set(frame):
        yield phrase("table.rows", number=len(frame))
    else:
        for subject, rows in _rows_by_subject(frame):
            if band is not None:
                yield _sentence_on_band(rows, subject, curve, band, digits)
                continue
            key = "curve" if curve.endswith("curve") else "points"
            key = "draws" if "resample" in frame else key
            yield phrase(f"table.{key}", curve=curve, subject=subject, number=len(rows))


def _share(value: float, digits: int) -> str:
    return format_number(float(value), digits, guard=(0, 1))


def _rows_by_subject(frame: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    keys = [name for name in ("predictor", "modality", "reader", "class", "group") if name in frame]
    for names, rows in frame.groupby(keys, sort=False):
        yield ", ".join(str(name) for name in names if str(name)), rows


def _sentence_on_band(
    rows: pd.DataFrame, subject: str, curve: str, band: tuple[str, str, str, str], digits: int
) -> str:
    along, across, low, high = band
    scope = str(rows["scope"].iloc[0]) if "scope" in rows else "pointwise"
    level = format_level(float(rows["confidence_level"].iloc[0]))
    whole = phrase(f"band.{scope}", level=level, curve=curve, subject=subject)
    known = rows[rows[[low, high]].notna().all(axis=1)]
    if known.empty:
        return whole
    nearest = known.iloc[int(np.argmin(np.abs(known[along].to_numpy() - _TOLD_AT[along])))]
    names = {"fpr": "false positive rate", "tpr": "sensitivity", "ppv": "positive predictive value"}
    at = phrase(
        "band.at", along=names[along], across=names[across],
        place=_share(nearest[along], digits), low=_share(nearest[low], digits),
        high=_share(nearest[high], digits),
    )  # fmt: skip
    return f"{whole}; {at}"


def _sentence_on_costs(row: RowLike, digits: int) -> str:
    if "cost_share_low" in row:
        ends = {name: _share(row[f"cost_share_{name}"], digits) for name in ("low", "high")}
        key = "superior" if row["predictor"] else "no_superior"
        return phrase(f"table.{key}", subject=row["predictor"], **ends)
    cut = threshold_text(float(row["threshold"]), row.get("next_score", math.nan), 0)
    named = {"threshold": f"{SIGNS.get(str(row['direction']), '')}{cut}"}
    cost = f"{row['expected_cost']:.3g}"
    return phrase("table.best", subject=row["predictor"], cost=cost, **named)


def _sentence_on_critical_value(row: RowLike, digits: int) -> str:
    number = int(row["n_candidates"])
    return phrase(
        "table.critical",
        candidates=f"{number} candidate{'s' * (number != 1)}",
        quantity=_quantity(row),
        value=_share(row["critical_value"], digits),
        alpha=f"{row['alpha']:g}",
        n_pos=format_count(row["n_pos"]),
        n_neg=format_count(row["n_neg"]),
    )
