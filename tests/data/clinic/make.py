"""Writes the small studies of this folder (simulated; nobody's data). Run here: python make.py."""

import numpy as np
import pandas as pd


def german(rng):
    """Return lesions of patients, as Excel in Germany would write them."""
    patients = 110
    lesions = rng.integers(1, 4, patients)
    pid = np.repeat(np.arange(1, patients + 1), lesions)
    n = len(pid)
    frailty = np.repeat(rng.normal(0, 0.6, patients), lesions)
    bad = rng.random(n) < 1 / (1 + np.exp(1.0 - frailty))
    d = pd.DataFrame(
        {
            "Patient ID": pid,
            "Prüfgröße (µg/l)": np.exp(rng.normal(0.4, 0.7, n) + 0.9 * bad + 0.3 * frailty).round(
                2
            ),
            "Läsionsgröße": (rng.normal(12, 4, n) + 3 * bad).round(1).clip(2),
            "Diagnose": np.where(bad, "bösartig", "gutartig"),
            "Albumin": (rng.normal(44, 3.5, n) - 3.2 * bad).round(1),
        }
    )
    for c in ("Prüfgröße (µg/l)", "Albumin"):
        d.loc[rng.choice(n, 3, replace=False), c] = np.nan
    return d


def two_tests(rng):
    """Return two tests of the same patients, one with missing results."""
    n = 120
    ill = rng.random(n) < 0.35
    a = rng.normal(size=n) + 1.1 * ill
    b = 0.6 * a + 0.8 * rng.normal(size=n) + 0.5 * ill
    t = pd.DataFrame(
        {
            "disease": np.where(ill, "yes", "no"),
            "test_a": a.round(3),
            "test_b": b.round(3),
            "sex": rng.choice(["f", "m"], n),
            "centre": rng.choice(list("ABC"), n),
        }
    )
    t.loc[rng.choice(n, 11, replace=False), "test_b"] = np.nan
    return t


def ratings():
    """Return a published table of five ratings, with counts."""
    counts = [38, 12, 9, 5, 3, 2, 4, 7, 14, 29]
    rows = {"rating": [1, 2, 3, 4, 5] * 2, "status": [0] * 5 + [1] * 5, "n": counts}
    return pd.DataFrame(rows)


def tables():
    """Return the 2x2 tables of two tests."""
    tests = {"rapid": (670, 202, 74, 640), "laboratory": (698, 131, 46, 711)}
    rows = [(name, *counts) for name, counts in tests.items()]
    return pd.DataFrame(rows, columns=["test", "tp", "fp", "fn", "tn"])


def folds(rng):
    """Return probabilities of two classifiers out of five folds, three times, of the same cases."""
    n = 240
    y = (rng.random(n) < 0.4).astype(int)
    x = rng.normal(size=n) + y
    return pd.concat([repeat(rng, r, x, y) for r in range(3)])


def repeat(rng, r, x, y):
    """Return one repeat of the cross-validation."""
    n = len(y)
    return pd.DataFrame(
        {
            "case": np.arange(n),
            "repeat": r,
            "fold": r * 5 + rng.permutation(n) % 5,
            "y": y,
            "logistic": (1 / (1 + np.exp(-(x + rng.normal(0, 0.2, n) - 0.5)))).round(4),
            "forest": (1 / (1 + np.exp(-(0.8 * x + rng.normal(0, 0.6, n) - 0.4)))).round(2),
        }
    )


def main():
    """Write the files, in the order of their draws."""
    rng = np.random.default_rng(20261122)
    lesions = german(rng)
    excel = {"sep": ";", "decimal": ",", "index": False}
    lesions.to_csv("german.csv", encoding="utf-8-sig", **excel)
    lesions.to_csv("german_cp1252.csv", encoding="cp1252", **excel)
    note = "Export of the trial data base; data are on the second sheet."
    with pd.ExcelWriter("sheets.xlsx") as book:
        pd.DataFrame({"Notes": [note]}).to_excel(book, sheet_name="Read me", index=False)
        lesions.to_excel(book, sheet_name="Data", index=False)
    two_tests(rng).to_csv("two_tests_missing.csv", index=False)
    ratings().to_csv("ratings.csv", index=False)
    tables().to_csv("two_by_two.csv", index=False)
    folds(rng).to_csv("folds.csv", index=False)


if __name__ == "__main__":
    main()
