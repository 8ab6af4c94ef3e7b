# SPDX-License-Identifier: Apache-2.0
"""The wrapper for LiteX: elaborated by LiteX, and simulated with a master on its CSR bus."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from litex.gen import LiteXModule
from litex.gen.fhdl.verilog import convert
from litex.soc.interconnect import csr_bus
from migen import ClockDomain

from redcore import toolchain
from redcore.bundle.writer import VERILATOR_OPTIONS
from redcore.catalogue import design_of

sys.path.append(str(Path(__file__).resolve().parents[1] / "packages" / "litex"))
from redcore_litex import Multiplier

pytestmark = pytest.mark.kept(reads=("packages",))

BENCH = """
module bench;
  logic clk = 0, rst = 1, we = 0, re = 0;
  logic [13:0] adr = 0;
  logic [31:0] dat_w = 0, dat_r;
  always #5 clk = ~clk;
  litex_top dut (.sys_clk(clk), .sys_rst(rst), .bus_adr(adr), .bus_dat_r(dat_r),
                 .bus_dat_w(dat_w), .bus_re(re), .bus_we(we));
  task automatic write(input int register, input int value);
    @(negedge clk) {adr, dat_w, we} = {14'(register), 32'(value), 1'b1};
    @(negedge clk) we = 0;
  endtask
  task automatic read(input int register, output int value);
    @(negedge clk) {adr, re} = {14'(register), 1'b1};
    @(negedge clk) {re, value} = {1'b0, dat_r};
  endtask
  int numbers [3 * Operations], at = 0, told;
  initial begin
    $readmemh("numbers.hex", numbers);
    repeat (4) @(negedge clk);
    rst = 0;
    write(M, Modulus);
    for (int k = 0; k < Operations; k++) begin
      write(B, numbers[at++]);
      write(A, numbers[at++]);
      do read(Valid, told); while (told == 0);
      read(P, told);
      if (told != numbers[at]) $fatal(1, "product %0d is %h, not %h", k, told, numbers[at]);
      at++;
    end
    read(Valid, told);
    if (told != 0) $fatal(1, "a read of p has not taken it");
    read(Error, told);
    if (told != 0) $fatal(1, "err_o");
    $display("%0d products", Operations);
    $finish;
  end
endmodule
"""


class Top(LiteXModule):  # type: ignore[misc]  # LiteX has no types
    """The multiplier's registers on a CSR bus, which is all of the top's ports."""

    def __init__(self, design: str, folder: Path) -> None:
        self.cd_sys = ClockDomain("sys")
        self.mul = Multiplier(design, str(folder))
        self.mul.add_csrs()
        sizes = {"data_width": 32, "address_width": 14}
        self.bus = csr_bus.Interface(**sizes)
        self.banks = csr_bus.CSRBankArray(self, lambda name, memory: 0, **sizes)
        self.interconnect = csr_bus.Interconnect(self.bus, self.banks.get_buses())


@pytest.mark.consumer("LiteX", of=("mul",))
def test_registers_of_the_wrapper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line, modulus, choose, count = "csa --width 16", 0xFFF1, Random(1), 20
    monkeypatch.setattr("redcore.bundle.plain.run_bench", lambda *arguments: None)
    top = Top(line, tmp_path / "mul")
    made = convert(top, {top.cd_sys.clk, top.cd_sys.rst, *top.bus.flatten()}, name="litex_top")
    monkeypatch.chdir(tmp_path)
    made.write("litex_top.v")
    ((_, _, _, bank),) = top.banks.banks
    places = {each.name.rstrip("0"): place for place, each in enumerate(bank.simple_csrs)}
    numbers = []
    for _ in range(count):
        a, b = choose.randrange(modulus), choose.randrange(modulus)
        numbers += [b, a, design_of(line).product(a, b, modulus)]
    (tmp_path / "numbers.hex").write_text("\n".join(f"{each:x}" for each in numbers))
    constants = {name.capitalize(): place for name, place in places.items()}
    constants |= {"Modulus": modulus, "Operations": count}
    parameters = "".join(
        f"  localparam int {name} = {value};\n" for name, value in constants.items()
    )
    bench = BENCH.replace("module bench;\n", f"module bench;\n{parameters}")
    (tmp_path / "bench.sv").write_text(bench)
    # LiteX, too, has Verilator go on where its Verilog is warned of.
    flags = [word for option in VERILATOR_OPTIONS for word in option.split(" ", 1)]
    build = ["--binary", "--timing", "--quiet", "-Wno-fatal", *flags]
    files = ["--top-module", "bench", "bench.sv", "litex_top.v", top.mul.verilog]
    done = subprocess.run(
        [toolchain.verilator_program(), *build, *files], env=toolchain.verilator_environment(),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    ran = subprocess.run(["obj_dir/Vbench"], capture_output=True, text=True, check=False)
    assert ran.returncode == 0 and f"{count} products" in ran.stdout, ran.stdout
