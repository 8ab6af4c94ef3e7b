# SPDX-License-Identifier: Apache-2.0
"""Look up, simulate, synthesize and verify one core."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from redcore.commands.options import (
    OF_DEVICES,
    Amount,
    AsJson,
    Command,
    CurveName,
    FamilyName,
    ModulusTexts,
    NoPnr,
    Scheduler,
    SetCommand,
    Settings,
    WidthOrCurve,
    amount,
    described,
    design_of,
    designs_of,
    kept,
    modulus_of,
    number,
    positive,
    prime_of,
    print_json,
    said_of,
    say,
    seed_option,
    show_answer,
    switch,
    text,
    vectors_option,
)
from redcore.errors import BadInput, CheckFailed

if TYPE_CHECKING:
    from redcore.design import Design, Family

app = typer.Typer()


@app.command("list", cls=Command)
def list_families(as_json: AsJson = False) -> None:
    """Show every family of cores and its parameters."""
    from redcore.catalogue import UNITS, multipliers, on
    from redcore.commands.keys import family_keys, unit_keys
    from redcore.families import registered

    families = [family_keys(family) for family in registered().values()]
    for unit in UNITS:
        names = multipliers(unit)
        families.append(unit_keys(unit, on(unit, names[0]), names))
    show_answer(
        as_json,
        {"families": families},
        "Families",
        ["family", "kind", "what it is", "parameters", "source"],
        [
            (
                entry["name"],
                entry["kind"],
                entry["title"],
                ", ".join(parameter["name"] for parameter in entry["parameters"]),
                entry["source"],
            )
            for entry in families
        ],
    )


@app.command("targets", cls=Command)
def list_targets(as_json: AsJson = False) -> None:
    """Show every device, what it holds, and what can be done for it here."""
    from redcore.commands.keys import target_keys
    from redcore.synthesize.targets import targets

    entries = [target_keys(each) for each in targets().values()]
    sizes = ("lut", "ff", "dsp", "bram")
    show_answer(
        as_json,
        {"targets": entries},
        "Targets",
        ["target", "device", "LUTs", "registers", "multipliers", "memories", "flow"],
        [
            (
                entry["name"],
                entry["title"],
                *(f"{entry[size]:,}" if entry[size] is not None else "" for size in sizes),
                entry["flow"],
            )
            for entry in entries
        ],
    )


@app.command(cls=SetCommand)
def info(
    name: FamilyName,
    width: Annotated[
        int | None,
        number("--width", "Operand size in bits; without it the parameters are explained."),
    ] = None,
    curve: CurveName = None,
    settings: Settings = None,
    template: Annotated[
        bool, switch("--template", "Print instances to copy, in Verilog and VHDL.")
    ] = False,
    top: Annotated[
        bool,
        switch("--top", "Of --template: the top of a bundle or export, its parameters chosen."),
    ] = False,
    schedule: Annotated[
        bool,
        switch(
            "--schedule",
            "Of a curve processor: its program's loops and a whole job, beside what no order"
            " beats, and an iteration of each loop as a picture.",
        ),
    ] = False,
    svg: Annotated[
        Path | None, text("--svg", "FILE", "Of --schedule: draw these iterations there.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show a family's parameters; with --width sizes and cycles, or why it is illegal."""
    from redcore.catalogue import family
    from redcore.commands.keys import info_keys

    chosen = family(name)
    if top and not template:
        raise BadInput("--top is of --template: give that, too")
    if svg is not None and not schedule:
        raise BadInput("--svg is of --schedule: give that, too")
    if width is None and curve is None:
        if settings:
            raise BadInput("--set makes a design of a width: give --width, too")
        if template:
            raise BadInput("--template prints the ports of a width: give --width, too")
        if schedule:
            raise BadInput("--schedule is that of a width: give --width, too")
        _explain(chosen, as_json)
        return
    width, values = said_of(chosen, width, settings, curve)
    reasons = chosen.reasons(width, values)
    complete = {"copies": 1, **chosen.complete(width, values)}
    keys = info_keys(chosen, width, complete, reasons)
    if template and not reasons:
        from redcore.bundle.instance import core_instance

        keys |= {"template": core_instance(chosen.design(width, values), top)}
    if schedule and not reasons:
        keys |= _scheduled(chosen.design(width, values), svg)
    if as_json:
        # An illegal set is an answer too: the object says why, and the exit code is 2 all the same.
        print_json(keys)
    if reasons:
        raise BadInput("; ".join(reasons))
    if template and not as_json:
        print(f"// Verilog, SystemVerilog\n{keys['template']['verilog']}")
        print(f"-- VHDL\n{keys['template']['vhdl']}", end="")
    elif not as_json:
        from redcore.commands.terminal import show_rows

        hidden = {"family", "width", "parameters", "valid", "reasons", "schedule", "job"}
        rows = [(key, value) for key, value in keys.items() if key not in hidden and value != ""]
        show_rows(
            f"{chosen.title}, {width} bits",
            [*((f"--set {key}", str(value)) for key, value in complete.items()), *rows],
        )
        for loop in keys.get("schedule", ()):
            _show_loop(loop)
        if schedule:
            job = keys["job"]
            print(
                f"\na job: {job['cycles']:,} cycles: {job['above_percent']:g} % above"
                f" {job['bound']:,}, which no order beats"
            )


def _scheduled(design: Design, picture: Path | None) -> dict[str, Any]:
    """The loops of a design's program, and a whole job beside what no order of it beats; the loops
    are drawn where a file is named."""
    from redcore.bundle.schedule import drawn, require_schedule
    from redcore.writable import require_writable

    found = require_schedule(design)
    if picture is not None:
        require_writable(picture)
        picture.write_text(drawn(design, found), encoding="utf-8")
        say(f"wrote {picture}")
    cycles, bound = (each.latency_cycles for each in (design.geometry, design.outlook))
    above = round(100 * (cycles / bound - 1), 1)
    return {"schedule": found, "job": {"cycles": cycles, "bound": bound, "above_percent": above}}


def _show_loop(loop: dict[str, Any]) -> None:
    """A loop of a program: a sentence, its bounds, and an iteration."""
    bits = f"{loop['bits']} bits each" if loop["bits"] > 1 else "a bit each"
    print(
        f"\n{loop['loop']}: {loop['iterations']} iterations, {bits}, of {loop['cycles']:,} cycles:"
        f" {loop['above_percent']:g} % above {loop['bound']:,}, which no order beats (products"
        f" {loop['products']:,}, words read {loop['reads']:,}, longest way {loop['path']:,}"
        + (f", turn {loop['turn']:,}" if loop["turn"] else "")
        + f"); the multiplier works {loop['busy_percent']:g} % of the time"
    )
    print("\n".join(loop["gantt"]))


def _explain(family: Family, as_json: bool) -> None:
    """Every parameter with its meaning, range and default."""
    from redcore.commands.keys import family_keys

    keys = family_keys(family)
    show_answer(
        as_json,
        keys,
        f"{family.title}: --width {family.minimum_width} to {family.maximum_width}, and --set",
        ["parameter", "meaning", "range", "default"],
        [
            tuple(entry[key] for key in ("name", "doc", "range_text", "default_text"))
            for entry in keys["parameters"]
        ],
    )
    if not as_json:
        print(f"redcore info {family.name} --width N shows sizes and cycles of a design")


@app.command(cls=SetCommand)
def simulate(
    name: FamilyName,
    width: WidthOrCurve = None,
    curve: CurveName = None,
    settings: Settings = None,
    modulus_texts: ModulusTexts = None,
    vectors: Annotated[int, vectors_option()] = 10_000,
    seed: Annotated[int, seed_option("Decides operands and idle cycles.")] = 1,
    stalls: Annotated[bool, switch("--stalls", "Random idle cycles and back-pressure.")] = False,
    waveform: Annotated[Path | None, text("--waveform", "FILE", "Write a VCD of the run.")] = None,
    as_json: AsJson = False,
) -> None:
    """Simulate a core and check every product against GMP."""
    design = design_of(name, width, settings, curve)
    positive("--vectors", vectors)
    from redcore.commands.terminal import progress_bar
    from redcore.moduli import modulus
    from redcore.simulate import simulate as check

    moduli = [modulus(text, design.width) for text in modulus_texts or []]
    if curve is not None and not moduli:
        moduli = [prime_of(name, curve)]
    with progress_bar() as tell:
        result = check(
            design,
            [chosen.value for chosen in moduli],
            vectors,
            seed=seed,
            stalls=stalls,
            progress=lambda done, total: tell("simulating", done, total),
            waveform=waveform,
        )
    keys = result.as_json()
    answer = {
        **described(design),
        "moduli": [chosen.name or hex(chosen.value) for chosen in moduli],
        "seed": seed,
        "stalls": stalls,
        **keys,
    }
    hidden = {"first_mismatch", "failures", "faults"}
    rows = [(key, value) for key, value in keys.items() if key not in hidden]
    show_answer(as_json, answer, design.command_line(), (), rows)
    if not result.ok:
        raise CheckFailed("; ".join(result.failures()))


@app.command(cls=SetCommand)
def synth(
    name: FamilyName,
    width: WidthOrCurve = None,
    curve: CurveName = None,
    target_name: Annotated[
        str | None, text("--target", "T", "A name from `redcore targets`.")
    ] = None,
    liberty: Annotated[
        str | None, text("--liberty", "FILE", "Instead: the cells of a Liberty file.")
    ] = None,
    settings: Settings = None,
    no_pnr: NoPnr = False,
    seed: Annotated[int, seed_option("Of place and route: another one places anew.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Synthesize a core, and place and route it where the target's tools can."""
    design = design_of(name, width, settings, curve)
    from dataclasses import asdict

    from redcore.commands.terminal import progress_bar
    from redcore.synthesize import synthesis_keys, synthesize
    from redcore.synthesize.targets import target

    if (target_name is None) == (liberty is None):
        raise BadInput("give one of --target and --liberty")
    chosen = target(f"liberty:{liberty}" if target_name is None else target_name)
    with kept(), progress_bar() as tell:
        result = synthesize(
            design,
            chosen,
            place_and_route=not no_pnr,
            seed=seed,
            progress=lambda step: tell(step, 0, 0),
        )
    keys = synthesis_keys(result)
    answer = {
        **described(design),
        "target": chosen.name,
        "seed": seed,
        **keys,
        "slowest_path": result.slowest_path and asdict(result.slowest_path),
        "failure": result.failure,
        "tool_versions": result.tool_versions,
        "commands": list(result.commands),
    }
    # what this target has no figure of is left out here, but for the clock
    # latency_ns says what time_per_op_ns does
    rows = [
        (key, keys[key])
        for key in keys
        if key != "time_per_op_ns"
        and (keys[key] is not None or key == "fmax_mhz")
        and not (result.gates_nand2 is not None and key in OF_DEVICES)
    ]
    if result.slowest_path:
        rows.append(("slowest path", str(result.slowest_path)))
    show_answer(as_json, answer, f"{design.command_line()} on {chosen.name}", (), rows)
    if result.failure:
        raise CheckFailed(result.failure)


@app.command(cls=SetCommand)
def verify(
    name: FamilyName,
    prove_it: Annotated[
        bool,
        switch("--prove", "Prove result, handshakes and timing, at small widths or at --width."),
    ] = False,
    size: Annotated[
        Amount | None,
        typer.Option(
            "--campaign",
            parser=amount,
            metavar="N",
            help="Simulate N random parameter sets, or with a suffix N multiplications (or"
            " operations of a unit): 500k, 10M.",
        ),
    ] = None,
    netlist: Annotated[
        bool,
        switch(
            "--netlist",
            "Prove that what `redcore synth` makes for --target does what the RTL does.",
        ),
    ] = False,
    mutant_count: Annotated[
        int | None,
        number(
            "--mutants", "Change N places of the RTL, one at a time: does the quick check see it?"
        ),
    ] = None,
    widths: Annotated[
        list[int] | None,
        number("--width", "The design of this width, with --set, instead of small or drawn ones."),
    ] = None,
    curve: CurveName = None,
    settings: Settings = None,
    thorough: Annotated[
        bool, switch("--thorough", "Try longer before settling for a bound.")
    ] = False,
    leakage: Annotated[
        bool, switch("--leakage", "Test whether toggles tell secrets of the unit of --width.")
    ] = False,
    traces: Annotated[int | None, number("--traces", "Of --leakage, for each secret.")] = None,
    secrets: Annotated[
        list[str] | None,
        text("--secret", "NAME", "Of --leakage: message, exponent, scalar ... Default: all."),
    ] = None,
    orders: Annotated[
        list[int] | None, number("--order", "Of --leakage: 1 (means), 2 (variances), or both.")
    ] = None,
    modulus_text: Annotated[
        str | None, text("--modulus", "M", "Of --leakage. Default: a usual one.")
    ] = None,
    target_name: Annotated[
        str | None,
        text(
            "--target",
            "T",
            "Of --netlist: the device; of --leakage: nets of its LUTs, not"
            " registers; of --mutants: its own cells alone.",
        ),
    ] = None,
    inside: Annotated[
        bool, switch("--inside", "Of --leakage: judge what is between operands and answer.")
    ] = False,
    seed: Annotated[
        int | None, seed_option("Decides what --campaign, --leakage and --mutants simulate.")
    ] = None,
    scheduler: Scheduler = None,
    as_json: AsJson = False,
) -> None:
    """Prove a family's cores, simulate random ones or mutants, or test what toggles tell."""
    from redcore.catalogue import family

    chosen = family(name)
    says_which = bool(widths) or curve is not None

    def given() -> list[Design]:
        return designs_of(chosen, widths, settings, curve)

    if thorough and not prove_it:
        raise BadInput("--thorough is of --prove; give that, too")
    draws = leakage or mutant_count is not None or (size and size.count)
    if seed is not None and not draws:
        raise BadInput("--seed is of --campaign, --leakage and --mutants; give one of them, too")
    if scheduler is not None and not (size and size.count):
        raise BadInput("--scheduler is of --campaign; give that, too")
    drawn = 1 if seed is None else seed
    of_leakage = traces, secrets, orders, modulus_text, inside or None
    if leakage:
        if prove_it or size or netlist or mutant_count is not None:
            raise BadInput(
                "--leakage goes alone, without --prove, --campaign, --netlist and --mutants"
            )
        if len(designs := given()) != 1:
            raise BadInput("--leakage is of one design: give its --width, or --curve")
        from redcore.commands.leakage import measure_leakage
        from redcore.verify.leakage import TRACES

        measure_leakage(
            designs[0],
            TRACES if traces is None else traces,
            secrets or [],
            orders or [],
            modulus_of(designs[0], modulus_text, curve),
            target_name,
            inside,
            drawn,
            as_json,
        )
        return
    if any(each is not None for each in of_leakage):
        raise BadInput(
            "--traces, --secret, --order, --modulus and --inside are of --leakage; give that, too"
        )
    if mutant_count is not None:
        if prove_it or size or netlist:
            raise BadInput("--mutants goes alone, without --prove, --campaign and --netlist")
        if settings and not says_which:
            raise BadInput("--set is of one design: give its --width as well, or --curve")
        from redcore.commands.mutation import judge_mutants

        judge_mutants(chosen, mutant_count, given(), target_name, drawn, as_json)
        return
    if chosen.other_face and (prove_it or not (size or netlist)):
        raise BadInput(
            f"{name} has a face of its own, which proofs do not know;"
            f" `{chosen.other_face}` simulates it, and --campaign N"
        )
    if size and size.count < 0:
        raise BadInput(f"--campaign must not be below zero, not {size.count}")
    campaign_size = size.count if size else 0
    if not prove_it and not campaign_size and not netlist:
        raise BadInput(
            "say what to do: --prove, --campaign N, --netlist --target T, --mutants N or --leakage"
        )
    if netlist and not (says_which and target_name):
        raise BadInput(
            "--netlist is of one design on one device: give --width, or --curve, and --target"
        )
    if target_name and not netlist:
        raise BadInput("--target is of --netlist, --leakage and --mutants: give one of them, too")
    if settings and not says_which:
        raise BadInput("--set is of one design: give its --width as well, or --curve")
    if says_which and size and campaign_size and not size.multiplications:
        raise BadInput(
            f"--campaign {campaign_size} draws widths; with --width or --curve it takes a number of"
            f" multiplications, such as {campaign_size}k"
        )
    from redcore import verify as checks
    from redcore.commands.terminal import progress_bar, show_table

    results: list[checks.PropertyResult] = []
    at_width: list[checks.Finding] = []
    campaign = None

    device = None
    if netlist and target_name:
        from redcore.synthesize.targets import target

        device = target(target_name)
    with kept(), progress_bar() as tell:
        if prove_it:
            designs = chosen.proof_designs(widths or [chosen.minimum_width])
            if not designs and not (says_which and chosen.kind != "mul"):
                least, most = chosen.minimum_width, chosen.maximum_width
                if any(least <= each <= most for each in widths or [least]):
                    if chosen.kind != "mul" and checks.can_be_proved(chosen.design(least)):
                        raise BadInput(f"a proof of {name} is of one width: give --width N")
                    raise BadInput(f"{name} has no proofs; simulate it with --campaign N instead")
                raise BadInput(
                    f"{name} has nothing to prove at these widths; they are {least} to {most}"
                )
            effort = checks.THOROUGH if thorough else checks.QUICK

            def proving(done: int, total: int) -> None:
                tell("proving", done, total)

            if says_which:
                at_width += checks.prove_at_width(given(), proving, effort=effort)
            else:
                results = checks.prove(designs, progress=proving, effort=effort)
        if device:
            for design in given():
                at_width.append(
                    checks.prove_netlist(design, device, progress=lambda step: tell(step, 0, 0))
                )
        if size and campaign_size:

            def simulating(done: int, total: int) -> None:
                tell("simulating", done, total)

            if size.multiplications:
                campaign = checks.multiplications(
                    chosen,
                    campaign_size,
                    drawn,
                    simulating,
                    designs=given(),
                    scheduler=scheduler,
                )
            else:
                campaign = checks.campaign(
                    chosen, campaign_size, drawn, simulating, scheduler=scheduler
                )
    counts = checks.summary(results)
    entries = [found.as_entry() for found in at_width]
    if as_json:
        print_json(
            {
                "family": name,
                "properties": entries if says_which else counts,
                "results": [result.as_json() for result in results],
                "campaign": campaign.as_json() if campaign else None,
            }
        )
    else:
        if entries:
            columns = ["design", "property", "status", "seconds", "says"]
            show_table(
                f"Proofs of {name}", columns, [[each[key] for key in columns] for each in entries]
            )
            for each in entries:
                if each["status"] == "unavailable":
                    print(f"{each['property']} of {each['design']}: {each['reason']}")
                for assumption in each["assumptions"]:
                    print(f"{each['property']} of {each['design']} assumes: {assumption}")
        if results:
            columns = ["parameter_sets", *checks.STATUSES]
            show_table(
                f"Proofs of {name}",
                ["property", *(column.replace("_", " ") for column in columns)],
                [(entry, *(count[key] for key in columns)) for entry, count in counts.items()],
            )
        if campaign:
            told = campaign.as_json()
            never, cases = told.pop("never_met"), told.pop("cases")
            show_table(f"Campaign of {name}", ["what", "count"], told.items())
            if told["runs"] != told["failed"]:
                print(f"{len(cases) - len(never)} of {len(cases)} cases met")
            if never:
                print(f"never met: {'; '.join(never)}")
    faults = checks.failures([*results, *at_width])
    if campaign:
        faults += [f"{entry.design}: {'; '.join(entry.failures)}" for entry in campaign.failed]
    for fault in faults:
        print(fault, file=sys.stderr)  # with its trace, many lines
    if faults:
        raise CheckFailed(f"{len(faults)} checks of {name} failed")
