# SPDX-License-Identifier: Apache-2.0
"""What this machine has and lacks."""

from __future__ import annotations

from typing import Any

import typer

from redcore.commands.options import AsJson, Command, show_answer
from redcore.errors import CheckFailed

app = typer.Typer()


@app.command(cls=Command)
def doctor(as_json: AsJson = False) -> None:
    """Show what redcore needs on this machine, what is missing and how to get it."""
    from redcore.doctor import examine

    state = examine()
    show_answer(
        as_json,
        state,
        f"redcore on {state['system']}, Python {state['python']}",
        ["tool", "for", "state"],
        [
            *(
                (tool["name"], tool["purpose"], tool["version"] or _how_to_get(tool))
                for tool in state["tools"]
            ),
            (
                "cache",
                "builds and results (REDCORE_CACHE, REDCORE_CACHE_LIMIT)",
                f"{_size(state['cache_bytes'])} of at most {_size(state['cache_limit_bytes'])}",
            ),
        ],
    )
    if not state["ready"]:
        raise CheckFailed(f"missing: {', '.join(state['missing'])}")


def _size(count: int) -> str:
    power = next(power for power in range(5) if count < 1024 ** (power + 1) or power == 4)
    return f"{count / 1024**power:.4g} {('bytes', 'KB', 'MB', 'GB', 'TB')[power]}"


def _how_to_get(tool: dict[str, Any]) -> str:
    if tool["installed"]:
        return "installed"
    ways = dict.fromkeys(tool["install"].values())
    if len(ways) == 1:
        how = next(iter(ways))
    else:
        how = "; ".join(f"{system}: {way}" for system, way in tool["install"].items())
    return f"{'MISSING' if tool['needed'] else 'not installed'}: {how}"
