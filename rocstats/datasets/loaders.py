"""The shipped data as frames."""

from __future__ import annotations

from importlib.resources import files

import pandas as pd


def load_ct_ratings() -> pd.DataFrame:
    """Return the CT ratings of Hanley & McNeil as counts; a row is one rating in one class.

    Returns
    -------
    pandas.DataFrame
        Columns ``abnormal`` (0 or 1), ``rating`` (from 1, definitely normal, to 5, definitely
        abnormal) and ``n`` (number of images with this rating). There are 58 normal and 51 abnormal
        images.

    References
    ----------
    - Hanley & McNeil (1982), table I [hanley-mcneil-1982]

    Examples
    --------
    >>> import rocstats as rs
    >>> rs.load_ct_ratings().groupby("abnormal")["n"].sum().to_dict()
    {0: 58, 1: 51}
    """
    return _read("ct_ratings.csv")


def load_fawcett_instances() -> pd.DataFrame:
    """Return the twenty scored instances of Fawcett's figure 3; a row is one instance.

    Returns
    -------
    pandas.DataFrame
        Columns ``instance`` (1 to 20), ``class`` ("p" or "n", ten of each) and ``score``.

    References
    ----------
    - Fawcett (2004), figure 3 [fawcett-2004]

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.Study("class", "score", data=rs.load_fawcett_instances(), pos_label="p")
    >>> round(float(study.auc(interval="newcombe")["estimate"].iloc[0]), 2)
    0.68
    """
    return _read("fawcett_instances.csv")


def load_breast_cancer() -> pd.DataFrame:
    """Return measurements of 569 breast masses; a row is one patient's fine needle aspirate.

    Returns
    -------
    pandas.DataFrame
        Columns ``diagnosis`` (212 "malignant" and 357 "benign") and five measurements of the cell
        nuclei (means over the image). ``concave_points``, ``area``, ``texture`` and ``symmetry``
        are larger in malignant masses. ``fractal_dimension`` hardly differs between the classes.

    References
    ----------
    - Wolberg, Mangasarian, Street & Street (1995), licence CC BY 4.0; values from the copy in
      scikit-learn [wolberg-1995]

    Examples
    --------
    >>> import rocstats as rs
    >>> rs.load_breast_cancer()["diagnosis"].value_counts().to_dict()
    {'benign': 357, 'malignant': 212}
    """
    return _read("breast_cancer.csv")


def load_heart_disease() -> pd.DataFrame:
    """Return findings of 303 patients who had a coronary angiogram; a row is one patient.

    Returns
    -------
    pandas.DataFrame
        No value is missing. The columns are:

        - ``age`` (years) and ``sex``.
        - ``chest_pain``: "typical angina", "atypical angina", "non-anginal" or "none".
        - ``blood_pressure`` (systolic at rest, mm Hg) and ``cholesterol`` (mg/dL).
        - Findings of an exercise test: ``max_heart_rate`` (beats per minute), ``exercise_angina``
          (0 or 1) and ``st_depression`` (mm).
        - ``disease``: 1 if a coronary artery was narrowed by more than half (139 patients), else 0.

    Notes
    -----
    The patients are from the Cleveland Clinic; the source also has patients of other clinics. Codes
    are replaced by words. Columns with missing values and three other columns are left out.

    References
    ----------
    - Janosi, Steinbrunn, Pfisterer & Detrano (1989), licence CC BY 4.0 [janosi-1989]
    - Detrano, Janosi, Steinbrunn, Pfisterer & Schmid (1989), and others, description of the
      patients [detrano-1989]

    Examples
    --------
    >>> import rocstats as rs
    >>> rs.load_heart_disease().groupby("sex")["disease"].agg(["sum", "size"])
            sum  size
    sex
    female   25    97
    male    114   206
    """
    return _read("heart_disease.csv")


def load_viper() -> pd.DataFrame:
    """Return the ratings of a reader study of screening mammograms; a row is one read.

    Returns
    -------
    pandas.DataFrame
        There are 2390 reads. The columns are:

        - ``reader``: 20 radiologists.
        - ``case``: 239 women with dense breasts, of whom 109 had cancer within 455 days.
        - ``modality``: "FFDM" (full-field digital mammography) or "SFM" (screen-film mammography).
        - ``rating``: 0 to 201. A reader recalls a woman if the rating is above 100.
        - ``truth``: 1 for cancer, else 0.

        There are four groups of five readers. Each group read different cases (59 or 60) under both
        modalities (a split plot).

    Notes
    -----
    This is one of five studies of the VIPER project (Validation of Imaging Premarket Evaluation and
    Regulation) of the U.S. Food and Drug Administration: the screening study with high prevalence.

    References
    ----------
    - Gallas, Chen, Cole, Ochs, Petrick, Pisano, Sahiner, Samuelson & Myers (2019); data in the
      public domain (CC0 1.0), https://github.com/DIDSR/viperData [gallas-2019]

    Examples
    --------
    >>> import rocstats as rs
    >>> rs.load_viper().groupby("modality")["case"].nunique().to_dict()
    {'FFDM': 239, 'SFM': 239}
    """
    return _read("viper_screening.csv")


def load_marks_example() -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Return simulated marks of 4 readers under 2 modalities: tables of marks, cases and lesions.

    Readers find more lesions, with fewer false marks, under modality "A". The data were generated
    by a computer: they describe no real readers.

    Returns
    -------
    marks : pandas.DataFrame
        Columns ``case``, ``reader`` (0 to 3), ``modality`` ("A" or "B"), ``rating`` and ``lesion``
        (missing for a false mark): 737 marks, 440 of them false.
    cases : pandas.DataFrame
        Column ``case``: 55 cases. Cases 0 to 29 have no lesion.
    lesions : pandas.DataFrame
        Columns ``case`` and ``lesion``: 49 lesions, 1 to 3 in a case.

    References
    ----------
    - Chakraborty & Zhai (2016), marks and their analysis [chakraborty-2016]

    Examples
    --------
    >>> import rocstats as rs
    >>> marks, cases, lesions = rs.load_marks_example()
    >>> marks.groupby("modality")["lesion"].count().to_dict()
    {'A': 158, 'B': 139}
    """
    lesions = _read("marks_example_lesions.csv")
    return _read("marks_example.csv"), pd.DataFrame({"case": range(55)}), lesions


def load_audit_c() -> pd.DataFrame:
    """Return the 2x2 tables of 14 studies of the AUDIT-C questionnaire; a row is one study.

    Returns
    -------
    pandas.DataFrame
        Columns ``study`` (1 to 14), ``tp``, ``fp``, ``fn`` and ``tn``: people with and without
        unhealthy alcohol use, by the result of three questions.

    References
    ----------
    - Kriston, Hölzel, Weiser, Berner & Härter (2008) [kriston-2008]

    Examples
    --------
    >>> import rocstats as rs
    >>> rs.load_audit_c()[["tp", "fp", "fn", "tn"]].sum().to_dict()
    {'tp': 1843, 'fp': 5025, 'fn': 228, 'tn': 11236}
    """
    return _read("audit_c.csv")


def load_lymph_nodes() -> pd.DataFrame:
    """Return the 2x2 tables of 44 studies of imaging of lymph nodes; a row is one table.

    Returns
    -------
    pandas.DataFrame
        Columns ``study`` (first author and year), ``modality`` ("CT", 17 tables; "LAG",
        lymphangiography, 17; "MRI", 10), ``tp``, ``fp``, ``fn`` and ``tn``: women with cervical
        cancer, with and without metastases in lymph nodes. Seven studies have tables of two
        modalities.

    References
    ----------
    - Scheidler, Hricak, Yu, Subak & Segal (1997) [scheidler-1997]

    Examples
    --------
    >>> import rocstats as rs
    >>> rs.load_lymph_nodes()["modality"].value_counts().to_dict()
    {'CT': 17, 'LAG': 17, 'MRI': 10}
    """
    return _read("lymph_nodes.csv")


def _read(name: str) -> pd.DataFrame:
    # Read anew at each call: a frame that a user changes is not the next user's data.
    # importlib.resources also finds files of a package that is not unpacked on disk.
    with files("rocstats.datasets").joinpath(name).open(encoding="utf-8") as file:
        return pd.read_csv(file)
