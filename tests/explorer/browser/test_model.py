"""The tests of the model files, in Node.js, and recorded mutants of these files."""

from __future__ import annotations

import pytest

from validation.mutants.pages import check, run_tests
from validation.mutants.rooms import ROOT

pytestmark = pytest.mark.browser


def test_the_model_files_pass_their_tests():
    assert run_tests(ROOT) == []


def test_recorded_mutants_of_the_model_files_are_killed_again():
    assert check(3) == []
