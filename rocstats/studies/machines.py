"""The machines of a reader study as binary studies of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from rocstats.sample.readers import ReaderSample
from rocstats.studies.study import Study


class WithMachines(ReaderSample):
    """A reader study whose machines can be studied alone."""

    def machine_study(self, machine: str | Mapping[Any, float] | pd.Series) -> Study:
        """Return the binary study of a machine's scores, one case a row.

        Parameters
        ----------
        machine : str, or Series or mapping of float by name of the case
            Name of a machine of the study, or its scores: higher scores mean positive.

        Returns
        -------
        Study
            Scores of all cases, higher meaning more positive, with the clusters and groups of the
            study. The predictor is the machine's name, or "machine".

        Raises
        ------
        InputError
            If the machine is unknown, or a case has no score.

        References
        ----------
        - See ``compare_with``, which compares readers with a machine

        Examples
        --------
        >>> import rocstats as rs
        >>> data = rs.load_viper()
        >>> films = data[data["modality"] == "SFM"]
        >>> study = rs.ReaderStudy("truth", "rating", data=films, reader="reader", case="case")
        >>> machine = study.machine_study(films.groupby("case")["rating"].max())
        >>> round(float(machine.auc()["estimate"][0]), 3)
        0.736
        """
        pos, neg = self.machine_scores(machine)
        is_positive = self._case_is_positive
        scores = np.empty(len(is_positive))
        scores[is_positive], scores[~is_positive] = pos, neg
        name = machine if isinstance(machine, str) else "machine"
        roles: dict[str, Any] = {
            role: np.array(factor.labels, dtype=object)[self._of_cases(factor.codes)]
            for role, factor in (("cluster", self.cluster), ("group", self.group))
            if factor is not None
        }
        shown = {key: label for key, label in self.labels.items() if key == name}
        return Study(
            is_positive, {name: scores}, **roles, labels=shown or None, outcome=self.outcome
        )
