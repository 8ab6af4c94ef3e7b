# SPDX-License-Identifier: Apache-2.0
"""The repetition test of random bits: every string of bits, and when each is taken."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from prime_simulator import PrimeBench, library

from redcore import rtl
from redcore.simulate import refusal
from redcore.units.prime.model import PrimeTester

pytestmark = pytest.mark.kept

BITS = 7
# A word: bits, from the lowest on, and above them which of them are taken. The bit before the
# first is the last one of the word before, which must not count.
TOP = """
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module prime_bench (
  input wire logic clk_i, input wire logic rst_ni,
  input wire logic in_valid_i, output logic in_ready_o, input wire logic [15:0] in_data_i,
  input wire logic in_last_i,
  input wire logic rnd_valid_i, output logic rnd_ready_o, input wire logic rnd_data_i,
  output logic out_valid_o, input wire logic out_ready_i, output logic out_prime_o,
  output logic [1:0] out_reason_o, output logic [15:0] out_base_o, output logic err_o
);
  logic [BITS-1:0] bits_q, taken_q;
  logic [3:0]      left_q;
  logic [15:0]     seen_q;
  logic            busy_q, stuck;
  redc_random_repetition #(.Limit(LIMIT)) i_test (
    .clk_i, .rst_ni, .clear_i(in_ready_o & in_valid_i), .valid_i(busy_q & taken_q[0]),
    .data_i(bits_q[0]), .stuck_o(stuck)
  );
  assign in_ready_o   = ~busy_q;
  assign out_valid_o  = busy_q & (left_q == '0);
  assign out_prime_o  = stuck;
  assign out_base_o   = seen_q;
  assign out_reason_o = '0;
  assign {rnd_ready_o, err_o} = '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) busy_q <= 1'b0;
    else busy_q <= in_ready_o ? in_valid_i : ~(out_valid_o & out_ready_i);
    if (in_ready_o) begin
      {taken_q, bits_q} <= in_data_i[2*BITS-1:0];
      left_q <= 4'(BITS);
      seen_q <= '0;
    end else if (left_q != '0) begin
      {taken_q, bits_q} <= {1'b0, taken_q[BITS-1:1], 1'b0, bits_q[BITS-1:1]};
      left_q <= left_q - 1'b1;
      // After how many cycles it rose.
      if (!stuck) seen_q <= seen_q + 1'b1;
    end
  end
endmodule
`default_nettype wire
"""


def stuck_after(word: int, limit: int) -> int:
    """The bits up to the one that makes the source stuck, or all."""
    taken = [place for place in range(BITS) if word >> (BITS + place) & 1]
    for count in range(limit, len(taken) + 1):
        last = [word >> place & 1 for place in taken[count - limit : count]]
        if all(one == next_one for one, next_one in pairwise(last)):
            return taken[count - 1] + 1
    return BITS


def differing(limit: int, folder: Path, old: str = "", new: str = "") -> int:
    """How many words are told otherwise than they should be, with a text of the RTL changed."""
    bench_file, files = folder / "prime_bench.sv", rtl.sources("redc_random_repetition")
    text = TOP.replace("BITS", str(BITS)).replace("LIMIT", str(limit))
    bench_file.write_text(text, encoding="utf-8")
    if old:
        (own,) = (path for path in files if old in path.read_text(encoding="utf-8"))
        changed = folder / own.name
        changed.write_text(own.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
        files = [changed if path == own else path for path in files]
    words = range(1 << 2 * BITS)
    with PrimeBench(PrimeTester(16, 16), library([*files, bench_file])) as bench:
        answers = bench.run(words)
    return sum(
        answer.passed != stuck_after(word, limit)
        for word, answer in zip(words, answers, strict=True)
    )


@pytest.mark.parametrize("limit", [2, 3, 5])
def test_every_string_of_bits(limit: int, tmp_path: Path) -> None:
    assert differing(limit, tmp_path) == 0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("RunBits'(Limit - 1)", "RunBits'(Limit)"),
        ("!rst_ni || clear_i", "!rst_ni"),
        ("bit_q <= data_i;", "bit_q <= bit_q;"),
        ("else if (valid_i) begin", "else begin"),
    ],
    ids=["one more", "bits from before", "a bit is kept", "bits that are not taken"],
)
def test_seeded_faults_are_found(old: str, new: str, tmp_path: Path) -> None:
    assert differing(3, tmp_path, old, new) > 0


@pytest.mark.parametrize("limit", [0, 1])
def test_no_bit_is_too_many(limit: int) -> None:
    module = "redc_random_repetition"
    reason = refusal(rtl.sources(module), module, {"Limit": limit})
    assert reason is not None and f"Limit={limit} is below 2" in reason
