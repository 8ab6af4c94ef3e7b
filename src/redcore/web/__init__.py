# SPDX-License-Identifier: Apache-2.0
"""The web page: ``redcore serve``.

``asked`` reads the form, ``candidates`` are the points with the model's figures, ``engine`` says
which are best, ``jobs`` and ``step`` run what was asked for, ``guard`` refuses what does not come
from the page, ``page``, ``chart`` and ``fields`` are what one sees, ``server`` puts them together.
NiceGUI is imported by the last four alone.
"""
