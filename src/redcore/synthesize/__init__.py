# SPDX-License-Identifier: Apache-2.0
"""From a design to LUTs, flip-flops and a clock: Yosys, and nextpnr where it knows the device."""

from redcore.synthesize.flow import (
    Entry,
    check_seed,
    default_store,
    entries,
    mapped_netlist,
    stored,
    synthesize,
    synthesize_median,
)
from redcore.synthesize.result import Resources, SynthesisResult, synthesis_keys
from redcore.synthesize.store import Store
from redcore.synthesize.targets import Target, cell_faces, cell_models, target, targets
