"""Draw the figure of the README: python docs/images/make.py."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl

import rocstats as rs

mpl.use("Agg")
mpl.rcParams["svg.hashsalt"] = "rocstats"
study = rs.Study(
    "diagnosis",
    ["concave_points", "area", "texture"],
    data=rs.load_breast_cancer(),
    pos_label="malignant",
)
ax = rs.plot_roc(study.roc_curve(), auc=study.auc())
ax.figure.savefig(Path(__file__).with_name("readme_roc.svg"), metadata={"Date": None})
