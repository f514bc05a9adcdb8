"""Marks drawn from a search model, with readers whose marks on a case are correlated.

False marks of a case are Poisson with mean ``false`` times a gamma frailty of the case; their
ratings share a case effect. A lesion is seen with probability ``found``, with half of the latent
variable the lesion's own; its rating is normal with effects of the reader, the case and the lesion.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from rocstats.facts.arrays import Factor
from rocstats.study.detection import DetectionSample

Floats = npt.NDArray[np.float64]


class SearchModel(NamedTuple):
    """Ratings of lesions, the share of them seen, and false marks per case of each modality.

    ``alike`` is the share of the variance of lesions' ratings, and of seeing them, that the lesions
    of a case have in common. ``sd_reader`` and ``sd_pair`` are those of readers, and of readers
    under a modality; modalities are equal.
    """

    strength: float = 1.5
    found: float = 0.75
    false: float = 1.0
    alike: float = 0.2
    sd_reader: float = 0.3
    sd_pair: float = 0.2

    def draw(
        self,
        rng: np.random.Generator,
        sizes: tuple[int, int],
        lesions: tuple[int, int],
        n_modalities: int,
        n_readers: int,
    ) -> DetectionSample:
        """Return a study of positives and negatives (``sizes``), with lesions low to high each."""
        n_pos, n_neg = sizes
        n = n_pos + n_neg
        number = rng.integers(lesions[0], lesions[1] + 1, n_pos)
        at = np.repeat(np.arange(n_pos), number)
        frailty, suspicion = rng.gamma(2.0, 0.5, n), rng.normal(size=n)
        of_case, ease_of_case = rng.normal(size=(2, n_pos))
        hardness, ease = rng.normal(size=(2, len(at)))
        alone = n_readers == 1
        of_reader = 0.0 * rng.normal(size=n_readers) if alone else rng.normal(size=n_readers)
        found, parts = [], []
        for i in range(n_modalities):
            for j in range(n_readers):
                mean = self.strength
                if not alone:
                    mean += self.sd_reader * of_reader[j] + self.sd_pair * rng.normal()
                where = np.repeat(np.arange(n), rng.poisson(self.false * frailty))
                rating = np.sqrt(0.2) * suspicion[where] + np.sqrt(0.8) * rng.normal(
                    size=len(where)
                )
                own = (1 - self.alike) * np.array([0.375, 0.625])
                z = mean + np.sqrt(self.alike) * of_case[at] + np.sqrt(own[0]) * hardness
                z = z + np.sqrt(own[1]) * rng.normal(size=len(at))
                latent = np.sqrt(0.5) * rng.normal(size=len(at))
                common = self.alike if self.alike > 0.5 else 0.0
                latent += np.sqrt(0.5 * common) * ease_of_case[at]
                latent += np.sqrt(0.5 * (1 - common)) * ease
                found.append(np.where(latent < ndtri(self.found), z, -np.inf))
                parts.append((where, rating, np.full(len(where), i * n_readers + j)))
        case, rating, curve = (np.concatenate(each) for each in zip(*parts, strict=True))
        names = tuple(f"r{j}" for j in range(n_readers))
        fields = {
            "predictors": tuple("AB"[:n_modalities]),
            "readers": names,
            "_everyone": names,
            "machine": None,
            "case": Factor(tuple(map(str, range(n))), np.arange(n)),
            "is_positive": np.arange(n) < n_pos,
            "weighted": False,
            "_found": np.stack(found).reshape(n_modalities, n_readers, -1),
            "_lesion_case": at,
            "_lesion_weight": 1 / number[at],
            "_false_case": case,
            "_false_rating": rating,
            "_false_curve": curve,
            "_extra": np.zeros(n, dtype=np.intp),
        }
        return DetectionSample._of(fields)


MODELS = {
    "mid": SearchModel(),
    "good": SearchModel(2.5, 0.95, 0.3),
    "best": SearchModel(3.5, 0.99, 0.1),
    "mid, many false marks": SearchModel(false=4.0),
    "mid, unequal readers": SearchModel(sd_reader=0.8, sd_pair=0.4),
    "mid, lesions alike": SearchModel(alike=0.9),
    "good, lesions alike": SearchModel(2.5, 0.95, 0.3, alike=0.9),
    "hardly a mark": SearchModel(1.5, 0.05, 0.05),
    "no marks at all": SearchModel(1.5, 1e-12, 0.0),
}
"""Models by name; the area under the wAFROC curve is .72, .96 and .99 of the first three."""
