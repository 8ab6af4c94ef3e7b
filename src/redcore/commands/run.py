# SPDX-License-Identifier: Apache-2.0
"""Run simulated hardware on the user's own numbers.

The commands are what the units declare (``redcore.units.running``); here they get their options.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from redcore.commands.options import (
    AsJson,
    SetCommand,
    Settings,
    integer,
    number,
    print_json,
    say,
    seed_option,
    text,
)
from redcore.errors import BadInput, CheckFailed, Stopped

if TYPE_CHECKING:
    from redcore.design import Design, Family, Value
    from redcore.progress import Counted, Staged
    from redcore.synthesize.targets import Target
    from redcore.units.running import Option, Ran, RunCommand


MultiplierName = Annotated[str, text("--family", "F", "The multiplier, from `redcore list`.")]

Placed = Annotated[str | None, text("--target", "T", "Place and route there, for the time taken.")]


class _Runs(TyperGroup):
    """The commands that the units declare, looked up when one is asked for."""

    _found: dict[str, Any] | None = None

    @property
    def commands(self) -> Any:
        """Them by name."""
        if self._found is None:
            from redcore.catalogue import COMMANDS

            found = typer.Typer()
            for command in COMMANDS.values():
                found.command(command.name, cls=SetCommand)(_callback(command))
            self._found = dict(typer.main.get_group(found).commands)
        return self._found

    @commands.setter
    def commands(self, _none: Any) -> None:
        """The parser's own start has none yet."""


app = typer.Typer(cls=_Runs, help="Run simulated hardware on your own numbers.")


def _callback(command: RunCommand) -> Callable[..., None]:
    """What carries a command out, with its options as parameters."""

    def carried_out(**given: Any) -> None:
        _run(command, given)

    typed: dict[str, tuple[Any, Any]] = {}
    if command.as_wide_as:
        flag = next(one.flags for one in command.numbers if one.name == command.as_wide_as)
        told = number("--width", f"{command.width} By default those of {flag}.")
        typed["width"] = Annotated[int | None, told], None
    elif command.width is not None:
        typed["width"] = Annotated[int, number("--width", command.width)], Parameter.empty
    typed |= {option.name: _typed(option) for option in command.numbers}
    typed["name"] = MultiplierName, "csa"
    typed |= {option.name: _typed(option) for option in command.options()}
    typed["settings"] = Settings, None
    typed["target_name"] = Placed, None
    typed["seed"] = Annotated[int, seed_option(command.seed)], 1
    typed["as_json"] = AsJson, False
    carried_out.__doc__ = command.help
    carried_out.__annotations__ = {name: kind for name, (kind, _) in typed.items()}
    carried_out.__signature__ = Signature(  # type: ignore[attr-defined]
        [
            Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=kind)
            for name, (kind, default) in typed.items()
        ]
    )
    return carried_out


def _typed(option: Option) -> tuple[Any, Any]:
    """An option's annotation and default."""
    parser = integer if option.kind is int else None
    told = typer.Option(
        *option.flags.split(","), parser=parser, metavar=option.metavar, help=option.help
    )
    if option.required:
        return Annotated[option.kind, told], Parameter.empty
    if option.kind is bool and "/" not in option.flags:
        return Annotated[bool, told], False
    return Annotated[option.kind | None, told], None


def _run(command: RunCommand, given: Mapping[str, Any]) -> None:
    """Make the design, run it, show what came of it."""
    numbers = {option.name: given[option.name] for option in command.numbers}
    family = _family(command, given["name"])
    width = given.get("width")
    if width is None and command.as_wide_as:
        width = max(command.bits(numbers), family.minimum_width)
    width, implied = command.prepare(numbers, width)
    design = _design(command, family, width, given, implied)
    device = _device(given["target_name"])
    seed: int = given["seed"]
    done, spent, fault = _simulated(
        command.doing,
        lambda progress: command.run(design, numbers, seed, progress),
        design,
        device,
        seed,
    )
    if command.warning:
        say(command.warning)
    found = done.answer if given["as_json"] or done.told is None else done.told
    answer = {**_described(design, given["name"], command.shown), **found, **spent}
    _show_run(command.title + design.command_line(), answer, given["as_json"], done.fault or fault)


def _family(command: RunCommand, name: str) -> Family:
    """The multiplier of that name, or the command's unit on it."""
    from redcore.catalogue import multiplier, on

    return on(command.unit.kind, name) if command.unit else multiplier(name)


def _design(
    command: RunCommand,
    family: Family,
    width: int,
    given: Mapping[str, Any],
    implied: Mapping[str, Value],
) -> Design:
    """The design that ``redcore synth UNIT-MULTIPLIER`` takes for the same settings."""
    from redcore.units.hosted import Hosted

    values = family.parse_settings(given["settings"] or [])
    for option in command.options():
        value = option.value(given[option.name])
        if value is None:
            continue
        if option.name in values:
            raise BadInput(
                f"{option.name} is given twice, by --set and by its own option; leave one out"
            )
        if isinstance(value, int) and value < 0:
            raise BadInput(f"{option.flags} must not be below zero, not {value}")
        values[option.name] = family.parameter(option.name).parse(str(value))
    design = family.design(width, {**implied, **values})
    if isinstance(design.family, Hosted):
        raise BadInput(
            f"`redcore run` drives a unit's own ports; leave out bus={values['bus']}, or take"
            " `redcore emulate`, which simulates it on a bus"
        )
    return design


def _described(design: Design, multiplier: str, names: Sequence[str]) -> dict[str, Any]:
    """What was run, as JSON keys: ``names`` are parameters that stand among the others, too."""
    values = design.values
    own = {"family": multiplier}
    if design.family.name != multiplier:
        own["unit"] = design.family.name
    return (
        own
        | {"width": design.width, "parameters": values}
        | {name: bool(values[name]) if name == "halves" else values[name] for name in names}
    )


def _device(name: str | None) -> Target | None:
    """The target of that name, where one is wanted."""
    from redcore.synthesize.targets import target

    if name is None:
        return None
    device = target(name)
    if not device.places:
        raise BadInput(
            f"{device.name} has no place and route, and so no clock for the time taken; name"
            " another target, or none"
        )
    return device


def _simulated(
    doing: str,
    work: Callable[[Counted], Ran],
    design: Design,
    device: Target | None,
    seed: int,
) -> tuple[Ran, dict[str, Any], BaseException | None]:
    """What ``work`` gives, given a way to tell how far it is, and the JSON keys of the time taken.

    Under a progress bar; with a device, the design is placed and routed there for its clock in MHz,
    and the seconds are those that the cycles take at it. Where that fails or is interrupted, what
    ``work`` gave is not lost: the third value is then what is to be raised once it is shown.
    """
    from redcore.commands.terminal import progress_bar

    fmax: float | None = None
    fault: BaseException | None = None
    with progress_bar() as tell:
        tell("building", 0, 0)
        done = work(lambda now, total: tell(doing, now, total))
        if device:
            try:
                fmax = _placed_clock(design, device, seed, tell)
            except (CheckFailed, KeyboardInterrupt, Stopped) as error:
                fault = error
    seconds = None if fmax is None else done.cycles / fmax / 1e6
    return done, {"cycles": done.cycles, "fmax_mhz": fmax, "time_at_fmax": seconds}, fault


def _show_run(
    title: str, answer: dict[str, Any], as_json: bool, fault: BaseException | None
) -> None:
    """Print the answer, then raise what came after it was found."""
    if as_json:
        print_json(answer)
    else:
        from redcore.commands.terminal import show_rows

        asked = {"seed", *answer["parameters"]} - {"halves"}  # as they are typed
        rows = [
            (key, str(value) if key in asked else value)
            for key, value in answer.items()
            if key != "parameters"
        ]
        show_rows(title, rows)
    if fault is not None:
        raise fault


def _placed_clock(design: Design, device: Target, seed: int, tell: Staged) -> float:
    """The clock in MHz that place and route reaches; CheckFailed where it reaches none."""
    from redcore.synthesize import synthesize

    result = synthesize(design, device, seed=seed, progress=lambda step: tell(step, 0, 0))
    if result.fmax_mhz is None:
        raise CheckFailed(result.failure or f"{device.name} gave no clock")
    return result.fmax_mhz
