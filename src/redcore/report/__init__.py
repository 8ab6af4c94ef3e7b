# SPDX-License-Identifier: Apache-2.0
"""What redcore hands over: a design's verified bundle, and files derived from the registry."""

from redcore.report.bundle import BuildReport, build_bundle

__all__ = ["BuildReport", "build_bundle"]
