# SPDX-License-Identifier: Apache-2.0
"""What is tried on buses by the benches of cocotb and by random accesses: units, and faults of
adapters and registers that both find."""

from __future__ import annotations

CASES: dict[str, str] = {
    "axi": "cios --width 40 --set checks=1",  # three words of 17 bits
    "apb": "csa --width 33 --set moduli=3",  # one of 33
    "wishbone": "exp-csa --width 16 --set exp_bits=64 r2=outside",  # four of 16, whole words of 32
    "tilelink": "modmul-scalable --width 24",  # three of 8
}
"""Of each bus a unit whose words have another size."""

Seeded = tuple[str, str, str, str]
"""Bus, file, text and what stands there instead."""
FOUND_BY_BOTH: dict[str, Seeded] = {
    "an access that nobody asked for": (
        "apb",
        "redc_bus_apb",
        "assign req             = s_apb_psel_i & ~s_apb_penable_i;",
        "assign req             = ~s_apb_penable_i;",
    ),
    "bytes outside a message are taken": (
        "tilelink",
        "redc_bus_tilelink",
        "|| (tl_a_mask_i & ~lanes) != '0) bad",
        ") bad",
    ),
    "an answer has another's source": (
        "tilelink",
        "redc_bus_tilelink",
        "if (idle) {get_q",
        "if (idle || tl_d_ready_i) {get_q",
    ),
    "what is left over is one place off": (
        "axi",
        "redc_host_gather",
        "assign left       = LeftBits'(level_q - LevelBits'(Out));",
        "assign left       = LeftBits'(level_q - LevelBits'(Out + 1));",
    ),
    "the unit is not reset": (
        "apb",
        "redc_host",
        "assign unit_rst_no     = rst_ni & ~wipe;",
        "assign unit_rst_no     = rst_ni;",
    ),
    "a cause that comes as it is cleared is lost": (
        "axi",
        "redc_host_registers",
        "cause_set | (cause_q & ~(",
        "cause_set & ~cause_q | (cause_q & ~(",
    ),
}
