# SPDX-License-Identifier: Apache-2.0
"""What tests of proofs at a given width ask of the answers, and of the tools."""

from __future__ import annotations

import shutil
from collections.abc import Sequence

import pytest

from redcore.verify import WidthResult
from redcore.verify.properties import Finding

needs_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed")


def by_status(results: Sequence[Finding], status: str) -> set[str]:
    """Names of the properties that have this status."""
    assert all(isinstance(each, WidthResult) for each in results)
    return {each.property_name for each in results if getattr(each, "status", "") == status}
