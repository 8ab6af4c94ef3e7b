# SPDX-License-Identifier: Apache-2.0
"""For people: tables on stdout, progress bars on stderr and only where that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table


class Tell:
    """Where progress goes; this one, for a stderr that is no terminal, tells lines that stay."""

    def __call__(self, text: str, done: int, total: int, note: str = "") -> None:
        """What is going on, how much is done, how much there is (0: not known), a word more."""

    def say(self, text: str) -> None:
        """A line that stays."""
        print(text, file=sys.stderr, flush=True)


def for_people(value: object) -> str:
    """A value as people read it: four digits of a fraction, yes and no; texts as they are."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
    if isinstance(value, list | tuple):
        return ", ".join(map(for_people, value))
    return str(value)


def show_rows(title: str, rows: Iterable[tuple[str, object]]) -> None:
    """Print labels and values, one to a line."""
    table = Table(show_header=False)
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    for label, value in rows:
        table.add_row(label, for_people(value))
    console = _stdout()
    # Not the table's title, which would be broken to the width of the numbers below it.
    console.print(title, style="italic", soft_wrap=True)
    console.print(table)


def show_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table with a heading line."""
    table = Table(title=title, title_justify="left")
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*map(for_people, row))
    _stdout().print(table)


@contextmanager
def progress_bar() -> Iterator[Tell]:
    """A bar on stderr that lives as long as the block; none where stderr is not a terminal.

    Each call with a new text starts the bar anew.
    """
    console = Console(stderr=True)
    if not console.is_terminal:
        yield Tell()
        return
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeElapsedColumn(),
        TextColumn("{task.fields[note]}"),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        yield _Bar(progress)


class _Bar(Tell):
    """A bar of rich's."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task = progress.add_task("starting", total=None, note="")
        self._text = ""

    def __call__(self, text: str, done: int, total: int, note: str = "") -> None:
        if text != self._text:
            self._progress.reset(self._task, description=text)
            self._text = text
        self._progress.update(self._task, completed=done, total=total or None, note=note)

    def say(self, text: str) -> None:
        self._progress.console.print(text, highlight=False, markup=False)


def _stdout() -> Console:
    # Piped output has no width of its own: wide enough that no cell is broken.
    return Console(width=None if sys.stdout.isatty() else 120, highlight=False, markup=False)
