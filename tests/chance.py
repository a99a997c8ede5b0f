"""Whether what chance brought is what was to be expected."""

from __future__ import annotations

import numpy as np


def assert_as_expected(found, expected):
    """Pearson's chi-square is within four standard deviations of its mean."""
    freedom = len(found) - 1
    assert ((found - expected) ** 2 / expected).sum() < freedom + 4 * np.sqrt(2 * freedom)
