# SPDX-License-Identifier: Apache-2.0
"""Memory, queue, register slice and line: every sequence of inputs of some cycles, by SAT."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from patched import patched_sources
from redcore import synthesize, toolchain
from redcore.rtl import rtl_folder, sources
from redcore.simulate import refusal
from redcore.synthesize import cell_faces, target

pytestmark = pytest.mark.kept

# A word is watched, whichever; `bad_o` says that it is read wrong.
RAM = """
module bench (
  input wire logic clk_i, input wire logic rst_ni, input wire logic [LANES-1:0] write_i,
  input wire logic [ADDRESS-1:0] write_address_i, input wire logic [BITS-1:0] write_data_i,
  input wire logic [ADDRESS-1:0] watch_i,
  input wire logic read_i, input wire logic [PORTS-1:0][ADDRESS-1:0] read_address_i,
  output logic legal_o, output logic bad_o
);
  logic [PORTS-1:0][BITS-1:0] read;
  redc_prim_ram #(.Bits(BITS), .Depth(DEPTH), .Ports(PORTS), .Storage(STORAGE),
    .Registered(REGISTERED), .LaneBits(BITS / LANES)) i_ram (.read_data_o(read), .*);
  logic [ADDRESS-1:0] watch_q;
  logic [BITS-1:0]    data_q;
  logic [LANES-1:0]   known_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) watch_q <= watch_i;
    known_q <= {LANES{rst_ni}} & (known_q | (write_i & {LANES{write_address_i == watch_q}}));
    for (int l = 0; l < LANES; l++) if (write_i[l] && write_address_i == watch_q)
      data_q[l*BITS/LANES +: BITS/LANES] <= write_data_i[l*BITS/LANES +: BITS/LANES];
  end
  logic [PORTS-1:0] wrong;
  for (genvar p = 0; p < PORTS; p++) begin : gen_port
    logic            here, here_q;
    logic [BITS-1:0] seen_q;
    assign here = (&known_q) & (read_address_i[p] == watch_q);
    always_ff @(posedge clk_i) begin
      if (read_i) seen_q <= data_q;
      here_q <= rst_ni & (read_i ? here & ~((|write_i) & write_address_i == watch_q) : here_q);
    end
    assign wrong[p] = (REGISTERED != 0) ? here_q & (read[p] != seen_q)
                                        : here & (read[p] != data_q);
  end
  assign legal_o = (32'(watch_q) < DEPTH) & (32'(write_address_i) < DEPTH);
  assign bad_o   = |wrong;
endmodule
"""
QUEUE = """
module bench (
  input wire logic clk_i, input wire logic rst_ni, input wire logic wipe_i,
  input wire logic clear_i, input wire logic write_i, input wire logic [1:0] data_i,
  input wire logic push_i, input wire logic pop_i, output logic legal_o, output logic bad_o
);
  localparam int unsigned LevelBits = $clog2(DEPTH + 1);
  logic [1:0] head, head_next, next_q;
  logic [LevelBits-1:0] level, count_q, wiped_q;
  logic some, follows_q;
  redc_prim_queue #(.Bits(2), .Depth(DEPTH), .Storage(STORAGE)) i_queue (
    .head_o(head), .head_next_o(head_next), .level_o(level), .some_o(some), .*);
  logic [DEPTH:0][1:0] entries_q, entries;
  always_comb begin
    entries = entries_q;
    if (push_i) entries[count_q] = data_i;
  end
  always_ff @(posedge clk_i) begin
    entries_q <= pop_i ? entries >> 2 : entries;
    count_q   <= (rst_ni & ~wipe_i & ~clear_i) ? count_q + LevelBits'(push_i) - LevelBits'(pop_i)
                                               : '0;
    wiped_q   <= (!rst_ni || (write_i && !wipe_i)) ? '0
               : (wipe_i && wiped_q != LevelBits'(DEPTH)) ? wiped_q + 1'b1 : wiped_q;
    next_q    <= head_next;
    follows_q <= rst_ni & (STORAGE == 0) & ~wipe_i & ~clear_i;
  end
  assign legal_o = (~push_i | (write_i & ~wipe_i)) & (~write_i | (32'(count_q) < DEPTH))
                 & (~pop_i | (~wipe_i & ~clear_i & (count_q != '0)));
  assign bad_o   = (level != count_q) | (some != (count_q != '0))
                 | (some & (head != entries_q[0])) | (some & follows_q & (head != next_q))
                 | ((wiped_q == LevelBits'(DEPTH)) & (head != '0));
endmodule
"""
ORDER = """
module bench (
  input wire logic clk_i, input wire logic rst_ni, input wire logic push_i,
  input wire logic [1:0] data_i, input wire logic pop_i, output logic legal_o, output logic bad_o
);
  logic [1:0] head;
  redc_exp_order #(.Bits(2), .Depth(DEPTH)) i_order (.head_o(head), .*);
  logic [DEPTH:0][1:0]        entries_q, entries;
  logic [$clog2(DEPTH+1)-1:0] count_q;
  always_comb begin
    entries = entries_q;
    if (push_i) entries[count_q] = data_i;
  end
  always_ff @(posedge clk_i) begin
    entries_q <= pop_i ? entries >> 2 : entries;
    count_q   <= rst_ni ? count_q + push_i - pop_i : '0;
  end
  assign legal_o = ~(push_i & count_q == DEPTH) & ~(pop_i & count_q == '0);
  assign bad_o   = count_q != '0 & head != entries_q[0];
endmodule
"""
SLICE = """
module bench (
  input wire logic clk_i, input wire logic rst_ni, input wire logic valid_i,
  input wire logic [1:0] data_i, input wire logic ready_i, output logic legal_o, output logic bad_o
);
  logic ready, valid;
  logic [1:0] data, count_q;
  redc_prim_slice #(.Bits(2)) i_slice (
    .ready_o(ready), .valid_o(valid), .data_o(data), .*);
  logic [2:0][1:0] words_q, words;
  logic take, give;
  assign take = valid_i & ready;
  assign give = valid & ready_i;
  always_comb begin
    words = words_q;
    if (take) words[count_q] = data_i;
  end
  always_ff @(posedge clk_i) begin
    words_q <= give ? words >> 2 : words;
    count_q <= rst_ni ? count_q + 2'(take) - 2'(give) : '0;
  end
  // A stall begins and ends without an idle cycle, and what is offered is the oldest.
  assign legal_o = 1'b1;
  assign bad_o   = (ready != (count_q < 2)) | (valid != (count_q != 0))
                 | (valid & (data != words_q[0]));
endmodule
"""
# What came so many cycles before, once the ring has gone around since the last reset.
LINE = """
module bench (
  input wire logic clk_i, input wire logic rst_ni, input wire logic [1:0] d_i,
  output logic legal_o, output logic bad_o
);
  logic [1:0] q;
  redc_prim_line #(.Bits(2), .Cycles(CYCLES), .Storage(STORAGE)) i_line (.q_o(q), .*);
  logic [CYCLES-1:0][1:0] line_q;
  logic [CYCLES-1:0]      known_q;
  always_ff @(posedge clk_i) begin
    line_q  <= {line_q[CYCLES-2:0], d_i};
    known_q <= rst_ni ? {known_q[CYCLES-2:0], 1'b1} : '0;
  end
  assign legal_o = 1'b1;
  assign bad_o   = known_q[CYCLES-1] & (q != line_q[CYCLES-1]);
endmodule
"""
# A word is watched: what was there is taken behind it while it is read on, and stays there while it
# is not.
BLOCK = """
module bench (
  input wire logic clk_i, input wire logic rst_ni, input wire logic write_i,
  input wire logic [1:0] write_address_i, input wire logic [1:0] write_data_i,
  input wire logic [1:0] watch_i, input wire logic [1:0] read_address_i, input wire logic read_i,
  output logic legal_o, output logic bad_o
);
  logic [1:0] read, watch_q, data_q, seen_q, due_q;
  logic       known_q, here_q, due_here_q, reads;
  assign reads = (HELD == 0) | read_i;
  redc_prim_block #(.Bits(2), .Depth(DEPTH), .Held(HELD)) i_block (.read_data_o(read), .*);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) watch_q <= watch_i;
    known_q <= rst_ni & (known_q | (write_i & write_address_i == watch_q));
    if (write_i && write_address_i == watch_q) data_q <= write_data_i;
    here_q     <= rst_ni & (reads ? known_q & (read_address_i == watch_q)
                                  & ~(write_i & write_address_i == watch_q) : here_q);
    if (reads) seen_q <= data_q;
    due_here_q <= rst_ni & (read_i ? here_q : due_here_q);
    if (read_i) due_q <= seen_q;
  end
  assign legal_o = (32'(watch_q) < DEPTH) & (32'(write_address_i) < DEPTH);
  assign bad_o   = due_here_q & (read != due_q);
endmodule
"""
# What was in a ring at an address two cycles before, though it is overwritten in that very cycle.
RINGS = """
module bench (
  input wire logic clk_i, input wire logic rst_ni, input wire logic [1:0][3:0] address_i,
  input wire logic [1:0][1:0] data_i, input wire logic [3:0] watch_i, input wire logic ring_i,
  output logic legal_o, output logic bad_o
);
  logic [1:0][1:0] data;
  logic [3:0]      watch_q;
  logic            ring_q, here, known_q, here_q, due_q;
  logic [1:0]      last_q, seen_q, want_q;
  redc_prim_rings #(.Bits(2)) i_rings (.data_o(data), .*);
  assign here = address_i[ring_q] == watch_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {ring_q, watch_q} <= {ring_i, watch_i};
    known_q <= rst_ni & (known_q | here);
    if (here) last_q <= data_i[ring_q];
    here_q <= rst_ni & known_q & here;
    seen_q <= last_q;
    due_q  <= rst_ni & here_q;
    want_q <= seen_q;
  end
  assign legal_o = 1'b1;
  assign bad_o   = due_q & (data[ring_q] != want_q);
endmodule
"""
# What is read is what was at the address two reads before.
ROM = """
module bench (
  input wire logic clk_i, input wire logic rst_ni, input wire logic read_i,
  input wire logic [1:0] address_i, output logic legal_o, output logic bad_o
);
  localparam logic [3:0][2:0] Words = 12'o3614;
  logic [2:0] data;
  logic [1:0] first_q, second_q;
  logic [1:0] reads_q;
  redc_prim_rom #(.Bits(3), .Depth(4), .Content(Words)) i_rom (
    .clk_i, .read_i, .address_i, .data_o(data));
  always_ff @(posedge clk_i) begin
    if (read_i) {second_q, first_q} <= {first_q, address_i};
    reads_q <= !rst_ni ? '0 : read_i ? {reads_q[0], 1'b1} : reads_q;
  end
  assign legal_o = 1'b1;
  assign bad_o   = reads_q[1] & (data != Words[second_q]);
endmodule
"""
# The same of a memory that two streams write, the second one where it reads.
TWO_WRITERS = """
module bench (
  input wire logic clk_i, input wire logic rst_ni, input wire logic first_write_i,
  input wire logic [1:0] first_address_i, input wire logic [1:0] first_data_i,
  input wire logic second_write_i, input wire logic [1:0] second_data_i,
  input wire logic [1:0] watch_i, input wire logic [1:0] read_address_i,
  output logic legal_o, output logic bad_o
);
  logic [1:0] read, watch_q, data_q, seen_q, due_q;
  logic       known_q, here_q, due_here_q, first, second;
  redc_prim_two_writers #(.Bits(2), .Depth(4)) i_block (.read_data_o(read), .*);
  assign first  = first_write_i & (first_address_i == watch_q);
  assign second = second_write_i & (read_address_i == watch_q);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) watch_q <= watch_i;
    known_q <= rst_ni & (known_q | first | second);
    if (first) data_q <= first_data_i;
    if (second) data_q <= second_data_i;
    here_q     <= rst_ni & known_q & (read_address_i == watch_q) & ~first & ~second_write_i;
    seen_q     <= data_q;
    due_here_q <= rst_ni & here_q;
    due_q      <= seen_q;
  end
  assign legal_o = ~(first_write_i & second_write_i);
  assign bad_o   = due_here_q & (read != due_q);
endmodule
"""
BENCHES = {
    "redc_prim_block": BLOCK,
    "redc_prim_two_writers": TWO_WRITERS,
    "redc_prim_rom": ROM,
    "redc_prim_ram": RAM,
    "redc_prim_queue": QUEUE,
    "redc_prim_slice": SLICE,
    "redc_exp_order": ORDER,
    "redc_prim_line": LINE,
    "redc_prim_rings": RINGS,
}

# Bits that look random in all of a block.
ROM_TOP = """
`default_nettype none
module bench (
  input wire logic clk_i, input wire logic read_i, input wire logic [9:0] address_i,
  output logic [17:0] data_o
);
  function automatic logic [1023:0][17:0] words();
    for (int unsigned k = 0; k < 1024; k++) words[k] = 18'((k + 1) * 40503) ^ 18'(k << 9);
  endfunction
  redc_prim_rom #(.Bits(18), .Depth(1024), .Technology(TECHNOLOGY), .Content(words())) i_rom (.*);
endmodule
"""

# Bits, depth, read ports, lanes, storage, registered: all kinds, depths that are no power of two.
MEMORIES = [
    *[(2, 3, 2, 1, storage, registered) for storage in (0, 1) for registered in (0, 1, 2)],
    *[(2, 3, 2, 1, storage, 1) for storage in (2, 3)],
    *[(2, 2, 1, 2, storage, 1) for storage in (2, 3)],
    (1, 1, 1, 1, 0, 0),
    (1, 64, 1, 1, 1, 2),
    (1, 40, 1, 1, 1, 2),
    (1, 40, 1, 1, 1, 3),
    (1, 130, 1, 1, 1, 3),
]
QUEUES = [(depth, storage) for depth in (1, 2, 3) for storage in (0, 1, 2)]


def right(module: str, names: dict[str, int], cycles: int, files: list[Path], top: Path) -> bool:
    """Whether `bad_o` stays low in every run of so many cycles from any state that resets."""
    text = "`default_nettype none\n" + BENCHES[module]
    for name, value in names.items():
        text = text.replace(name, str(value))
    top.write_text(text, encoding="utf-8")
    script = [
        f"read_slang --top bench {' '.join(map(str, [*files, top]))}",
        "hierarchy -top bench; proc; flatten; opt; memory; opt -full",
        f"sat -verify -seq {cycles} -prove-skip 1 -set-at 1 rst_ni 0 -set legal_o 1 -prove bad_o 0",
    ]
    program = (
        "from pyosys import libyosys as ys; design = ys.Design()\n"
        f"for line in {script!r}:\n    ys.run_pass(line, design)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert "no model found: SUCCESS" in done.stdout or "model found: FAIL" in done.stdout, (
        done.stdout[-2000:] + done.stderr
    )
    return done.returncode == 0


def memory(shape: tuple[int, ...]) -> dict[str, int]:
    bits, depth, ports, lanes, storage, registered = shape
    return {
        "ADDRESS": max(1, (depth - 1).bit_length()),
        "BITS": bits,
        "DEPTH": depth,
        "PORTS": ports,
        "LANES": lanes,
        "STORAGE": storage,
        "REGISTERED": registered,
    }


@pytest.mark.parametrize("shape", MEMORIES, ids=str)
def test_memories_keep_their_words(shape: tuple[int, ...], tmp_path: Path) -> None:
    files = sources("redc_prim_ram")
    assert right("redc_prim_ram", memory(shape), 6, files, tmp_path / "bench.sv")


@pytest.mark.parametrize("depth, storage", QUEUES)
def test_queues_keep_the_order(depth: int, storage: int, tmp_path: Path) -> None:
    names = {"DEPTH": depth, "STORAGE": storage}
    files = sources("redc_prim_queue")
    assert right("redc_prim_queue", names, 2 * depth + 4, files, tmp_path / "bench.sv")


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_an_order_of_entries_is_kept(depth: int, tmp_path: Path) -> None:
    files = sources("redc_exp_order")
    assert right("redc_exp_order", {"DEPTH": depth}, 2 * depth + 4, files, tmp_path / "bench.sv")


def test_a_slice_keeps_the_order(tmp_path: Path) -> None:
    assert right("redc_prim_slice", {}, 8, sources("redc_prim_slice"), tmp_path / "bench.sv")


@pytest.mark.parametrize("cycles, storage", [(3, 1), (4, 1), (6, 1), (3, 2), (6, 2)])
def test_a_line_hands_on_what_came(cycles: int, storage: int, tmp_path: Path) -> None:
    names = {"CYCLES": cycles, "STORAGE": storage}
    files = sources("redc_prim_line")
    assert right("redc_prim_line", names, 2 * cycles + 4, files, tmp_path / "bench.sv")


@pytest.mark.parametrize("held", [0, 1])
@pytest.mark.parametrize("depth", [3, 4])
def test_a_block_reads_and_holds_what_was_there(depth: int, held: int, tmp_path: Path) -> None:
    names = {"DEPTH": depth, "HELD": held}
    files = sources("redc_prim_block")
    assert right("redc_prim_block", names, 8, files, tmp_path / "bench.sv")


def test_a_block_of_two_writers_reads_what_was_there(tmp_path: Path) -> None:
    files = sources("redc_prim_two_writers")
    assert right("redc_prim_two_writers", {}, 7, files, tmp_path / "bench.sv")


def test_a_rom_reads_its_words(tmp_path: Path) -> None:
    assert right("redc_prim_rom", {}, 6, sources("redc_prim_rom"), tmp_path / "bench.sv")


def test_the_words_of_a_rom_are_where_yosys_puts_them(tmp_path: Path) -> None:
    """ECP5: the block's parameters are those of what Yosys maps itself."""
    found = []
    top, cell = tmp_path / "bench.sv", tmp_path / "DP16KD.sv"
    cell.write_text(cell_faces(target("ecp5-85k"), "DP16KD #(")["DP16KD"], encoding="utf-8")
    for technology in (0, 1):
        top.write_text(ROM_TOP.replace("TECHNOLOGY", str(technology)), encoding="utf-8")
        files = [*sources("redc_prim_rom"), top, cell]
        script = [
            f"read_slang --top bench {' '.join(map(str, files))}",
            "synth_ecp5 -top bench",
            f"write_json {tmp_path / 'netlist.json'}",
        ]
        program = (
            "from pyosys import libyosys as ys; design = ys.Design()\n"
            f"for line in {script!r}:\n    ys.run_pass(line, design)"
        )
        subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
        cells = json.loads((tmp_path / "netlist.json").read_text())["modules"]["bench"]["cells"]
        (block,) = (cell for cell in cells.values() if cell["type"] == "DP16KD")
        found.append(
            {name: v for name, v in block["parameters"].items() if name.startswith("INITVAL")}
        )
    # Two bits between two groups belong to none of them.
    groups = [
        {
            name: [bits[::-1][20 * k : 20 * k + 18] for k in range(16)]
            for name, bits in block.items()
        }
        for block in found
    ]
    assert groups[0] == groups[1] and len(groups[0]) == 64
    assert all("1" in group for group in groups[0]["INITVAL_3F"])


def test_rings_are_read_before_they_are_written(tmp_path: Path) -> None:
    files = sources("redc_prim_rings")
    assert right("redc_prim_rings", {}, 8, files, tmp_path / "bench.sv")


# The same writes and reads on the memory of ECP5, whose blocks are narrower the deeper they are.
SAME_AS_ECP5 = """
module bench;
  localparam int unsigned Bits = 20;
  localparam int unsigned AddressBits = (DEPTH > 1) ? $clog2(DEPTH) : 1;
  logic clk = 0, first, second;
  logic [AddressBits-1:0] first_at, read_at;
  logic [Bits-1:0] first_data, second_data;
  logic [1:0][Bits-1:0] read;
  logic [2:0] known;
  logic written [DEPTH];
  always #1 clk = ~clk;
  for (genvar t = 0; t < 2; t++) begin : gen_memory
    redc_prim_two_writers #(.Bits(Bits), .Depth(DEPTH), .Technology(t)) i_memory (
      .clk_i(clk), .first_write_i(first), .first_address_i(first_at), .first_data_i(first_data),
      .second_write_i(second), .second_data_i(second_data), .read_address_i(read_at),
      .read_data_o(read[t]));
  end
  // half of the accesses go to few words, so that what was written is read
  function automatic logic [AddressBits-1:0] place();
    return AddressBits'(($urandom % 2 == 0) ? $urandom % DEPTH
                                            : ($urandom % 8) * ((DEPTH - 1) / 7));
  endfunction
  int unsigned compared = 0;
  initial begin
    for (int k = 0; k < DEPTH; k++) written[k] = 0;
    known = '0;
    for (int cycle = 0; cycle < 40000; cycle++) begin
      first = 1'($urandom); second = ~first & ($urandom % 4 == 0);
      first_at = place(); read_at = place(); first_data = Bits'($urandom);
      second_data = Bits'($urandom);
      #1;
      known = {known[1:0], ~second & written[read_at] & ~(first & first_at == read_at)};
      if (first) written[first_at] = 1;
      if (second) written[read_at] = 1;
      #1;
      if (known[1]) begin
        compared++;
        if (read[0] !== read[1]) $fatal(1, "word %h for %h", read[1], read[0]);
      end
    end
    if (compared < 4000) $fatal(1, "only %0d words compared", compared);
    $finish;
  end
endmodule
"""


# Of the memory that is held there are no second writes, but cycles in which it is.
BLOCK_AS_ECP5 = (
    SAME_AS_ECP5.replace(
        "redc_prim_two_writers #(", "redc_prim_block #(")
    .replace(
        ".first_write_i(first), .first_address_i(first_at), .first_data_i(first_data),",
        ".write_i(first), .write_address_i(first_at), .write_data_i(first_data),")
    .replace(".second_write_i(second), .second_data_i(second_data),", ".read_i(~second),")
    .replace("second = ~first & ($urandom % 4 == 0);", "second = $urandom % 4 == 0;")
    .replace("known = {known[1:0], ~second & written[read_at] & ~(first & first_at == read_at)};",
             "known = {1'b0, second ? known[1] : known[0],\n"
             "               written[read_at] & ~(first & first_at == read_at)};")
    .replace("if (second) written[read_at] = 1;", "")
)  # fmt: skip
# Where it is held with the register, what was read stays known, too.
HELD_AS_ECP5 = (
    BLOCK_AS_ECP5.replace("redc_prim_block #(", "redc_prim_block #(.Held(1), ")
    .replace("               written[read_at] & ~(first & first_at == read_at)};",
             "               second ? known[0]\n"
             "                      : written[read_at] & ~(first & first_at == read_at)};")
)  # fmt: skip


def same_on_ecp5(depth: int, files: list[Path], folder: Path, text: str = SAME_AS_ECP5) -> bool:
    """Whether ECP5's block memory gives the words of the generic one, in one random run."""
    bench = folder / "bench.sv"
    bench.write_text(text.replace("DEPTH", str(depth)), encoding="utf-8")
    cell = Path(synthesize.__file__).parent / "cells" / "DP16KD.v"
    subprocess.run(
        [str(toolchain.verilator_program()), "--binary", "--timing", "-Wno-fatal", "-Wno-lint",
         "-CFLAGS", "-std=gnu++20 -fcoroutines",
         "--Mdir", str(folder / "model"), "--top-module", "bench", *map(str, files), str(cell),
         str(bench)],
        check=True, capture_output=True, env=toolchain.verilator_environment(),
    )  # fmt: skip
    done = subprocess.run(
        [str(folder / "model" / "Vbench")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0 or " for " in done.stdout + done.stderr, done.stdout + done.stderr
    return done.returncode == 0


@pytest.mark.parametrize("depth", [64, 3000])
def test_ecp5_blocks_keep_what_two_streams_write(depth: int, tmp_path: Path) -> None:
    assert same_on_ecp5(depth, list(sources("redc_prim_two_writers")), tmp_path)


@pytest.mark.parametrize("bench", [BLOCK_AS_ECP5, HELD_AS_ECP5], ids=["register", "both"])
@pytest.mark.parametrize("depth", [64, 3000, 20000])
def test_ecp5_blocks_are_held_alike(depth: int, bench: str, tmp_path: Path) -> None:
    assert same_on_ecp5(depth, list(sources("redc_prim_block")), tmp_path, bench)


def test_a_block_that_is_not_held_on_ecp5_is_found(tmp_path: Path) -> None:
    patches = {"redc_prim_block": [(".OCEB(read_i)", ".OCEB(1'b1)")]}
    files = patched_sources(tmp_path, sources("redc_prim_block"), patches)
    assert not same_on_ecp5(64, list(files), tmp_path, BLOCK_AS_ECP5)


def test_a_memory_that_is_not_held_on_ecp5_is_found(tmp_path: Path) -> None:
    patches = {"redc_prim_block": [(".CEB((Held == 0) ? 1'b1 : read_i)", ".CEB(1'b1)")]}
    files = patched_sources(tmp_path, sources("redc_prim_block"), patches)
    assert not same_on_ecp5(64, list(files), tmp_path, HELD_AS_ECP5)


def test_a_port_too_few_on_ecp5_is_found(tmp_path: Path) -> None:
    patches = {"redc_prim_two_writers": [(".WEB(second_write_i)", ".WEB(1'b0)")]}
    files = patched_sources(tmp_path, sources("redc_prim_two_writers"), patches)
    assert not same_on_ecp5(64, files, tmp_path)


# File, what of it is replaced by what, and the bench that finds it.
SEEDED: dict[str, tuple[str, str, str, str, dict[str, int]]] = {
    "a register reads without being told to": (
        "redc_prim_ram", "if (read_i) read_q <= word;", "read_q <= word;",
        "redc_prim_ram", memory((2, 3, 1, 1, 1, 1))),
    "the halves are exchanged": (
        "redc_prim_ram", "assign read_data_o[port] = read_q[upper_q];",
        "assign read_data_o[port] = read_q[~upper_q];",
        "redc_prim_ram", memory((1, 64, 1, 1, 1, 2))),
    "the second stream writes where the first one would": (
        "redc_prim_two_writers", "second_write_i ? read_address_i : first_address_i",
        "first_address_i", "redc_prim_two_writers", {}),
    "the second stream writes what the first one has": (
        "redc_prim_two_writers", "second_write_i ? second_data_i : first_data_i",
        "first_data_i", "redc_prim_two_writers", {}),
    "a second port reads the first one's word": (
        "redc_prim_ram", "address = read_address_i[port];", "address = read_address_i[0];",
        "redc_prim_ram", memory((2, 3, 2, 1, 0, 0))),
    "what is written late is the head": (
        "redc_prim_queue", "head_o      = arrived_q ? data_q : read;", "head_o      = read;",
        "redc_prim_queue", {"DEPTH": 2, "STORAGE": 2}),
    "a wipe leaves an entry": (
        "redc_prim_queue", "wipe_i ? '0 : data_i;", "data_i;",
        "redc_prim_queue", {"DEPTH": 2, "STORAGE": 1}),
    "the last of several entries is none": (
        "redc_prim_queue", "(level_q == LevelBits'(1)) & pop_i", "(level_q != '0) & pop_i",
        "redc_prim_queue", {"DEPTH": 3, "STORAGE": 0}),
    "an entry moves up where none does": (
        "redc_exp_order", "used_q[(k + 1) % Depth])", "1'b1)", "redc_exp_order", {"DEPTH": 2}),
    "the oldest of all is dropped with the one that comes": (
        "redc_exp_order", "used_q <= push_i ? Depth'({used_q, 1'b1}) : used_q >> 1;",
        "used_q <= push_i ? {Depth{1'b1}} : used_q >> 1;", "redc_exp_order", {"DEPTH": 3}),
    "a stalled word is overwritten": (
        "redc_prim_slice", "if (!valid_q || ready_i) data_q", "if (ready_q || ready_i) data_q",
        "redc_prim_slice", {}),
    "a block that is held goes on": (
        "redc_prim_block", "if (read_i) read_q <= read;", "read_q <= read;",
        "redc_prim_block", {"DEPTH": 3, "HELD": 0}),
    "a memory goes on that is held with its register": (
        "redc_prim_block", ".read_i((Held == 0) ? 1'b1 : read_i)", ".read_i(1'b1)",
        "redc_prim_block", {"DEPTH": 3, "HELD": 1}),
    "a block has a register too few": (
        "redc_prim_block", "assign read_data_o = read_q;", "assign read_data_o = read;",
        "redc_prim_block", {"DEPTH": 3, "HELD": 0}),
    "a read-only memory has a register too few": (
        "redc_prim_rom", "assign data_o = data_q;", "assign data_o = read_q;",
        "redc_prim_rom", {}),
    "a line's block memory is read where it is written": (
        "redc_prim_line", "read_address_i(next_q)", "read_address_i(address_q)",
        "redc_prim_line", {"CYCLES": 3, "STORAGE": 2}),
    "a ring is written before it is read": (
        "redc_prim_rings", "word_q                    <= memory_q[address_i[ring]];",
        "word_q                    <= data_i[ring];", "redc_prim_rings", {}),
    "a line's ring is a word too long": (
        "redc_prim_line", "max(Cycles, 3) - 1;", "max(Cycles, 3);",
        "redc_prim_line", {"CYCLES": 3, "STORAGE": 1}),
}  # fmt: skip


@pytest.mark.parametrize("bug", SEEDED)
def test_seeded_bugs_are_found(bug: str, tmp_path: Path) -> None:
    stem, old, new, module, names = SEEDED[bug]
    text = (rtl_folder() / f"{stem}.sv").read_text(encoding="utf-8")
    assert text.count(old) == 1
    broken = tmp_path / f"{stem}.sv"
    broken.write_text(text.replace(old, new), encoding="utf-8")
    files = [broken if path.stem == stem else path for path in sources(module)]
    assert not right(module, names, 8, files, tmp_path / "bench.sv")


@pytest.mark.parametrize(
    ("module", "parameters"),
    [
        ("redc_prim_ram", {"Storage": 2, "Registered": 0}),
        ("redc_prim_ram", {"Storage": 4}),
        ("redc_prim_ram", {"LaneBits": 12, "Bits": 32}),
        ("redc_prim_ram", {"Storage": 1, "LaneBits": 16}),
        ("redc_prim_queue", {"Storage": 3}),
        ("redc_prim_queue", {"Depth": 0}),
        ("redc_prim_block", {"Depth": 0}),
        ("redc_prim_block", {"Held": 2}),
        ("redc_prim_slice", {"Bits": 0}),
        ("redc_exp_order", {"Depth": 0}),
        ("redc_prim_rom", {"Bits": 0}),
        ("redc_prim_rom", {"Depth": 1025, "Technology": 1}),
        ("redc_prim_rings", {"Bits": 0}),
        ("redc_prim_rings", {"Bits": 19, "Technology": 1}),
        ("redc_prim_line", {"Cycles": 2}),
        ("redc_prim_line", {"Storage": 0}),
    ],
    ids=str,
)
def test_illegal_parameters_are_refused(module: str, parameters: dict[str, int]) -> None:
    told = refusal(sources(module), module, parameters)
    assert told is not None and f"{module}: " in told
    assert all(f"{name}={value}" in told for name, value in parameters.items())
