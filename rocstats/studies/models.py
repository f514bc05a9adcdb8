"""Studies of classifiers that were fitted elsewhere: on held-out cases, or over folds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from rocstats.errors import InputError, require_text
from rocstats.study.base import NanPolicy
from rocstats.study.columns import Rows, require_equal_rows
from rocstats.study.forms import role_vectors
from rocstats.study.models import (
    HeldOut,
    class_scores_of,
    class_tables_by_name,
    folds_of_splitter,
    held_out_scores,
    labels_in,
    positive_scores,
    positive_scores_of,
    require_a_label_a_row,
    scores_by_name,
    scores_of_cross_val_predict,
)
from rocstats.study.multiclass import MulticlassSample
from rocstats.study.sample import Sample
from rocstats.study.vectors import Vector, read_vector


class FromEstimators(Sample):
    """Makes studies of classifiers that were fitted elsewhere."""

    @classmethod
    def from_estimator(
        cls,
        estimators: Any,
        X: Any,
        y_true: Any,
        *,
        predictor: str | Sequence[str] | None = None,
        pos_label: Any = None,
        **roles: Any,
    ) -> Self:
        """Return a study of fitted classifiers on held-out cases.

        Parameters
        ----------
        estimators : object, sequence of objects, or mapping of str to object
            A fitted classifier with ``classes_`` and ``predict_proba`` or ``decision_function``,
            such as a classifier of scikit-learn. Pass several classifiers as a mapping of names to
            classifiers, or as a sequence with their names in ``predictor``.
        X : array-like
            Features of the held-out cases, passed on to each classifier.
        y_true : array-like of shape (n,)
            Class labels of the held-out cases.
        predictor : str or sequence of str, optional
            Names of the classifiers if ``estimators`` is not a mapping. Default: the Python class
            of each classifier, or of the last step of a pipeline. Needed if two classifiers have
            the same Python class.
        pos_label : object, optional
            Label of the positive class. Needed unless the labels are 0/1, -1/1 or booleans.
        **roles
            ``frequency``, ``sample_weight``, ``cluster``, ``fold``, ``group``, ``nan_policy``,
            ``labels`` and ``outcome``, as in ``Study``.

        Returns
        -------
        Study
            The score of a case is the probability of the positive class, or the decision function
            if the classifier has no probability. Predictors have the names of the classifiers.

        Raises
        ------
        InputError
            If an estimator is not a fitted classifier of two classes; if two estimators have the
            same name; if ``X`` and ``y_true`` differ in length or index; if probabilities have a
            different index from ``X``; or if another argument is not as described for ``Study``.

        Notes
        -----
        Do not pass the training cases of a classifier: areas are too high in these cases. Without a
        test set, use ``optimism_corrected_auc`` or ``from_cv_results``.

        References
        ----------
        - Fawcett (2004), section 2 (classifiers that give scores) [fawcett-2004]

        Examples
        --------
        >>> import numpy as np
        >>> import rocstats as rs
        >>> class Stump:
        ...     classes_ = np.array([0, 1])
        ...     def predict_proba(self, X):
        ...         p = np.where(np.asarray(X) > 3, 0.75, 0.2)
        ...         return np.column_stack([1 - p, p])
        >>> study = rs.Study.from_estimator({"stump": Stump()}, [1, 2, 4, 5], [0, 1, 1, 1])
        >>> study.roc_curve()[["predictor", "threshold", "fp", "tp"]]
          predictor  threshold  fp  tp
        0     stump        inf   0   0
        1     stump       0.75   0   2
        2     stump       0.20   1   3
        """
        scores = scores_by_name(estimators, X, y_true, pos_label, predictor)
        return cls(y_true, scores, pos_label=pos_label, **roles)

    @classmethod
    def from_cv_results(
        cls,
        results: Any,
        X: Any,
        y_true: Any,
        *,
        predictor: str | Sequence[str] | None = None,
        pos_label: Any = None,
        cluster: Any = None,
        group: Any = None,
        labels: Mapping[str, str] | None = None,
        outcome: str | None = None,
    ) -> Self:
        """Return a study of cross-validated classifiers on the test cases of each fold.

        Parameters
        ----------
        results : dict, sequence of dict, or mapping of str to dict
            Result of scikit-learn's ``cross_validate`` with ``return_estimator=True`` and
            ``return_indices=True``. Pass several results with the same folds as a mapping of names
            to results, or as a sequence with their names in ``predictor``.
        X : array-like
            Features of all cases, as passed to ``cross_validate``.
        y_true : array-like of shape (n,)
            Class labels of all cases.
        predictor : str or sequence of str, optional
            Names of the classifiers if ``results`` is not a mapping. Default: the Python class of
            each classifier, or of the last step of a pipeline. Needed if two classifiers have the
            same Python class.
        pos_label : object, optional
            Label of the positive class. Needed unless the labels are 0/1, -1/1 or booleans.
        cluster, group : array-like of shape (n,), optional
            Cluster and group of each case, as in ``Study``; ``group`` may have several columns.
        labels, outcome : mapping of str to str, and str, optional
            Printed names, as in ``Study``.

        Returns
        -------
        Study
            Study with a row for each test case of each fold, scored by the classifier of that fold.
            Folds are named "1", "2", .... In repeated cross-validation, each case is a cluster.

        Raises
        ------
        InputError
            If classifiers or rows are not in the results; if classifiers have different test cases;
            if ``X``, ``y_true``, ``cluster`` and ``group`` differ in length or index; or if another
            argument is not as described for ``Study``.

        Notes
        -----
        Areas are means over folds, and classifiers are compared on the same test cases. Intervals
        are for these fitted classifiers on new cases. To compare learning algorithms, use
        ``compare_learners``, since training sets of folds overlap.

        References
        ----------
        - LeDell, Petersen & van der Laan (2015) [ledell-2015]

        Examples
        --------
        >>> import numpy as np
        >>> import rocstats as rs
        >>> class Mean:
        ...     classes_ = np.array([0, 1])
        ...     def decision_function(self, X):
        ...         return np.asarray(X).mean(axis=1)
        >>> X, y = np.array([[1, 2], [3, 5], [2, 2], [4, 1]]), [0, 1, 0, 1]
        >>> results = {"estimator": [Mean(), Mean()], "indices": {"test": [[0, 1], [2, 3]]}}
        >>> study = rs.Study.from_cv_results({"mean": results}, X, y)
        >>> study.roc_curve(by="fold")[["fold", "threshold", "fp", "tp"]]
          fold  threshold  fp  tp
        0    1        inf   0   0
        1    1        4.0   0   1
        2    1        1.5   1   1
        3    2        inf   0   0
        4    2        2.5   0   1
        5    2        2.0   1   1
        """
        truth = read_vector(y_true, "y_true")
        tested = held_out_scores(results, X, positive_scores_of(pos_label), predictor)
        roles = _roles_of_held_out(tested, X, truth, cluster, group)
        return cls(
            truth.take(tested.rows),
            tested.scores,
            pos_label=pos_label,
            **roles,
            labels=labels,
            outcome=outcome,
        )

    @classmethod
    def from_cross_val_predict(
        cls,
        y_true: Any,
        y_score: Any,
        *,
        cv: Any,
        predictor: str | None = None,
        pos_label: Any = None,
        cluster: Any = None,
        **roles: Any,
    ) -> Self:
        """Return a study of scores that scikit-learn's ``cross_val_predict`` made, with its folds.

        Parameters
        ----------
        y_true : array-like of shape (n,)
            Class labels, as passed to ``cross_val_predict``.
        y_score : array-like of shape (n,) or (n, 2), or mapping of str to them
            Result of ``cross_val_predict`` with ``method="predict_proba"`` or
            ``"decision_function"``. Pass several results with the same ``cv`` as a mapping of names
            to results. If a result has the probabilities of both classes, the column of the
            positive class is used.
        cv : int, splitter, or sequence of (train, test)
            The ``cv`` passed to ``cross_val_predict``: a number of folds (stratified), an object
            with ``split``, or pairs of training and test rows. Shuffling needs a whole number as
            ``random_state``.
        predictor : str, optional
            Name of a single result; default "score".
        pos_label : object, optional
            Label of the positive class. Needed unless the labels are 0/1, -1/1 or booleans.
        cluster : array-like of shape (n,), optional
            Unit of each case, as in ``Study``. The units are passed to the splitter as ``groups``.
        **roles
            ``frequency``, ``sample_weight``, ``group``, ``nan_policy``, ``higher_is_positive``,
            ``labels`` and ``outcome``, as in ``Study``.

        Returns
        -------
        Study
            Study with a row for each case, in the order of ``y_true``. Folds are named "1", "2" and
            so on.

        Raises
        ------
        InputError
            If the splitter shuffles without a seed; if a case is in no test fold or in several; if
            ``y_score`` has neither one score for each case nor probabilities of both classes; or if
            another argument is not as described for ``Study``.

        Notes
        -----
        ``cross_val_predict`` returns scores without the folds they come from. Scores of different
        folds are from different models. A curve of all scores together therefore assumes that folds
        have comparable scores. Areas are means over folds. The splitter is run twice, to check that
        it gives the same folds again.

        If a loop collected the scores, pass the fold labels to ``Study(fold=...)``. For repeated
        cross-validation, repeat the rows, use different fold labels in each repeat, and pass an
        identifier of the case as ``cluster``.

        References
        ----------
        - LeDell, Petersen & van der Laan (2015) [ledell-2015]

        Examples
        --------
        >>> import rocstats as rs
        >>> y, risk = [0, 1, 0, 1], [0.2, 0.9, 0.4, 0.3]
        >>> folds = [([2, 3], [0, 1]), ([0, 1], [2, 3])]
        >>> study = rs.Study.from_cross_val_predict(y, risk, cv=folds)
        >>> study.roc_curve(by="fold")[["fold", "threshold", "fp", "tp"]]
          fold  threshold  fp  tp
        0    1        inf   0   0
        1    1        0.9   0   1
        2    1        0.2   1   1
        3    2        inf   0   0
        4    2        0.4   1   0
        5    2        0.3   1   1
        """
        truth = read_vector(y_true, "y_true")
        scores = scores_of_cross_val_predict(y_score, truth, pos_label, predictor)
        fold = folds_of_splitter(cv, y_true, len(truth), cluster)
        return cls(y_true, scores, pos_label=pos_label, fold=fold, cluster=cluster, **roles)

    @classmethod
    def from_tree(
        cls,
        tree: Any,
        X: Any,
        y_true: Any,
        *,
        pos_label: Any = None,
        predictor: str = "score",
        frequency: Any = None,
        sample_weight: Any = None,
        cluster: Any = None,
        fold: Any = None,
        group: Any = None,
        nan_policy: NanPolicy = "raise",
        labels: Mapping[str, str] | None = None,
        outcome: str | None = None,
    ) -> Self:
        """Return a study of a fitted decision tree on held-out cases.

        Parameters
        ----------
        tree : object
            A fitted classifier with ``predict_proba`` and ``classes_``, such as scikit-learn's
            DecisionTreeClassifier.
        X : array-like
            Features of the held-out cases, passed on to the tree.
        y_true : array-like of shape (n,)
            Class labels of the held-out cases.
        pos_label : object, optional
            Label of the positive class. Needed unless the labels are 0/1, -1/1 or booleans.
        predictor : str, default "score"
            Name of the tree.
        frequency, sample_weight, cluster, fold, group : array-like, optional
            Roles of the held-out cases, as in ``Study``.
        nan_policy : {"raise", "omit"}, default "raise"
            Rows with a missing label or role are refused ("raise") or omitted ("omit").
        labels, outcome : mapping of str to str, and str, optional
            Printed names, as in ``Study``.

        Returns
        -------
        Study
            The score of a case is the share of positives at its leaf; cases of a leaf are tied.

        Raises
        ------
        InputError
            If ``tree`` is not a fitted classifier of two classes, or ``X`` and ``y_true`` differ in
            length or index.

        Notes
        -----
        The share of positives at a leaf is computed by ``predict_proba`` from the training
        instances (weighted, if the tree was fitted with weights). Other classifiers with
        ``predict_proba`` and ``classes_`` are accepted too. Do not pass the training set: a tree
        grown to pure leaves has an AUC of 1 on its training set.

        References
        ----------
        - Fawcett (2004), section 3.3 and appendix A [fawcett-2004]
        - Provost & Domingos (2001) [provost-domingos-2001]

        Examples
        --------
        >>> import numpy as np
        >>> import rocstats as rs
        >>> class Stump:
        ...     classes_ = np.array(["n", "p"])
        ...     def predict_proba(self, X):
        ...         p = np.where(np.asarray(X) > 3, 0.75, 0.2)
        ...         return np.column_stack([1 - p, p])
        >>> study = rs.Study.from_tree(Stump(), [1, 2, 4, 5], ["n", "p", "p", "p"], pos_label="p")
        >>> study.roc_curve()[["threshold", "fp", "tp"]]
           threshold  fp  tp
        0        inf   0   0
        1       0.75   0   2
        2       0.20   1   3
        """
        # Checked before the constructor, whose message would speak of y_score, not of X.
        score = positive_scores(tree, X, pos_label, "tree")
        require_a_label_a_row(read_vector(y_true, "y_true"), score)
        require_text("predictor", predictor)
        return cls(
            y_true,
            {predictor: score},
            pos_label=pos_label,
            frequency=frequency,
            sample_weight=sample_weight,
            cluster=cluster,
            fold=fold,
            group=group,
            nan_policy=nan_policy,
            labels=labels,
            outcome=outcome,
        )


# --- Several classes ------------------------------------------------------------------------------


class FromClassEstimators(MulticlassSample):
    """Makes studies of classifiers of several classes that were fitted elsewhere."""

    @classmethod
    def from_estimator(
        cls,
        estimators: Any,
        X: Any,
        y_true: Any,
        *,
        predictor: str | Sequence[str] | None = None,
        **roles: Any,
    ) -> Self:
        """Return a study of fitted classifiers of several classes on held-out cases.

        Parameters
        ----------
        estimators : object, sequence of objects, or mapping of str to object
            A fitted classifier with ``classes_`` and ``predict_proba`` or ``decision_function``,
            such as a classifier of scikit-learn. Pass several classifiers as a mapping of names to
            classifiers, or as a sequence with their names in ``predictor``.
        X : array-like
            Features of the held-out cases, passed on to each classifier.
        y_true : array-like of shape (n,)
            Class labels of the held-out cases. Every class must have a case.
        predictor : str or sequence of str, optional
            Names of the classifiers if ``estimators`` is not a mapping. Default: the Python class
            of each classifier, or of the last step of a pipeline. Needed if two classifiers have
            the same Python class.
        **roles
            ``frequency``, ``sample_weight``, ``cluster``, ``fold``, ``group``, ``nan_policy`` and
            ``display_labels``, as in ``MulticlassStudy``.

        Returns
        -------
        MulticlassStudy
            The scores of a case are the probabilities of the classes, or the decision function of
            each class if the classifier has no probability. Predictors have the names of the
            classifiers.

        Raises
        ------
        InputError
            If an estimator is not a fitted classifier of the classes in ``y_true``; if ``X`` and
            ``y_true`` differ in length or index; if probabilities have a different index from
            ``X``; or if another argument is not as described for ``MulticlassStudy``.

        Notes
        -----
        Do not pass the training cases of a classifier: all measures are too good in these cases. A
        decision function must have a column for each class ("ovr" in scikit-learn's ``SVC``, not
        "ovo"). If the scores are not probabilities, ``probability_scores`` and ``calibration`` are
        unavailable.

        References
        ----------
        - Fawcett (2004), section 7.3 (several classes) [fawcett-2004]

        Examples
        --------
        >>> import numpy as np
        >>> import rocstats as rs
        >>> class Nearest:
        ...     classes_ = np.array(["low", "mid", "top"])
        ...     def decision_function(self, X):
        ...         return -abs(np.reshape(X, (-1, 1)) - [1, 3, 5])
        >>> y = ["low", "low", "mid", "mid", "top", "top"]
        >>> study = rs.MulticlassStudy.from_estimator(Nearest(), [1, 2.2, 3, 4, 4.5, 5], y)
        >>> study.auc(method="ovr-macro")[["class", "estimate"]].round(3)
          class  estimate
        0   low     1.000
        1   mid     0.875
        2   top     1.000
        3   all     0.958
        """
        return cls(y_true, class_tables_by_name(estimators, X, y_true, predictor), **roles)

    @classmethod
    def from_cv_results(
        cls,
        results: Any,
        X: Any,
        y_true: Any,
        *,
        predictor: str | Sequence[str] | None = None,
        cluster: Any = None,
        group: Any = None,
        display_labels: Mapping[str, str] | None = None,
    ) -> Self:
        """Return a study of cross-validated classifiers of several classes on the test cases.

        Parameters
        ----------
        results : dict, sequence of dict, or mapping of str to dict
            Result of scikit-learn's ``cross_validate`` with ``return_estimator=True`` and
            ``return_indices=True``. Pass several results with the same folds as a mapping of names
            to results, or as a sequence with their names in ``predictor``.
        X : array-like
            Features of all cases, as passed to ``cross_validate``.
        y_true : array-like of shape (n,)
            Class labels of all cases.
        predictor : str or sequence of str, optional
            Names of the classifiers if ``results`` is not a mapping, as in ``from_estimator``.
        cluster, group : array-like of shape (n,), optional
            Cluster and group of each case, as in ``MulticlassStudy``; ``group`` may have several
            columns.
        display_labels : mapping of str to str, optional
            Printed names, as in ``MulticlassStudy``.

        Returns
        -------
        MulticlassStudy
            Study with a row for each test case of each fold, scored by the classifier of that fold.
            Folds are named "1", "2", .... In repeated cross-validation, each case is a cluster.

        Raises
        ------
        InputError
            If classifiers or rows are not in the results; if a classifier was not fitted to every
            class; if classifiers have different test cases; if ``X``, ``y_true``, ``cluster`` and
            ``group`` differ in length or index; or if another argument is not as described for
            ``MulticlassStudy``.

        Notes
        -----
        Areas are means over folds, and classifiers are compared on the same test cases. Since
        training sets of folds overlap, intervals are for these fitted classifiers on new cases.
        Every fold needs a case of every class for areas: use ``StratifiedKFold``.

        References
        ----------
        - LeDell, Petersen & van der Laan (2015) [ledell-2015]

        Examples
        --------
        >>> import numpy as np
        >>> import rocstats as rs
        >>> class Nearest:
        ...     classes_ = np.array([1, 3, 5])
        ...     def decision_function(self, X):
        ...         return -abs(np.reshape(X, (-1, 1)) - self.classes_)
        >>> X, y = np.array([1, 3, 5, 2, 4, 5]), [1, 3, 5, 1, 3, 5]
        >>> results = {"estimator": [Nearest()] * 2, "indices": {"test": [[0, 1, 2], [3, 4, 5]]}}
        >>> study = rs.MulticlassStudy.from_cv_results({"nearest": results}, X, y)
        >>> study.fold.labels, study.n_of
        (('1', '2'), array([2., 2., 2.]))
        """
        truth = read_vector(y_true, "y_true")
        labels = labels_in(truth)
        tested = held_out_scores(results, X, class_scores_of(labels), predictor)
        tables = {
            name: dict(zip(labels, table, strict=True)) for name, table in tested.scores.items()
        }
        roles = _roles_of_held_out(tested, X, truth, cluster, group)
        return cls(
            truth.take(tested.rows),
            tables,
            **roles,
            display_labels=display_labels,
        )


# --- Roles of cross-validated cases ---------------------------------------------------------------


def _roles_of_held_out(
    tested: HeldOut, X: Any, truth: Vector, cluster: Any, group: Any
) -> dict[str, Any]:
    """Return fold, cluster and group of the test cases; a case of several folds is a cluster."""
    features, rows = Rows.of(X, "X"), tested.rows
    roles = {} if cluster is None else {"": read_vector(cluster, "cluster")}
    groups = role_vectors(group, "group", None, len(truth))
    for role in (*roles.values(), *groups.values()):
        if len(role) != len(truth):
            raise InputError(
                f"`{role.argument}` must have as many rows as `y_true`; got {len(role)} and"
                f" {len(truth)}. Pass the role of every case."
            )
    require_equal_rows([truth, features, *roles.values(), *groups.values()])
    if cluster is None and len(np.unique(rows)) < len(rows):
        roles = {"": read_vector(np.arange(len(truth)), "cluster")}
    of_groups = {name: one.take(rows) for name, one in groups.items()}
    return {
        "fold": tested.fold,
        "cluster": roles[""].take(rows) if roles else None,
        "group": of_groups.get("", of_groups or None),  # one column without a name
    }
