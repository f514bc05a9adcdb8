"""Draw the figure of the README: python docs/images/make.py."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

import rocstats as rs

mpl.rcParams["svg.hashsalt"] = "rocstats"
study = rs.Study(
    "diagnosis",
    ["concave_points", "area", "texture"],
    data=rs.load_breast_cancer(),
    pos_label="malignant",
)
figure = Figure(figsize=(5, 5), layout="constrained")
rs.plot_roc(study.roc_curve(), auc=study.auc(), ax=figure.subplots())
figure.savefig(Path(__file__).with_name("readme_roc.svg"), metadata={"Date": None})
