# SPDX-License-Identifier: Apache-2.0
"""The web page: ``redcore serve``.

``engine`` turns a form into points with figures, ``jobs`` and ``step`` run what was asked for,
``guard`` refuses what does not come from the page, ``page``, ``chart`` and ``fields`` are what one
sees, ``server`` puts them together. NiceGUI is imported by the last four alone.
"""
