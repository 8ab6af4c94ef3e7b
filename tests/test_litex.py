# SPDX-License-Identifier: Apache-2.0
"""The wrapper for LiteX: elaborated by LiteX, and simulated with masters on its buses."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from litex.build.generic_platform import Pins, Subsignal
from litex.build.io import CRG
from litex.build.sim import SimPlatform
from litex.gen import LiteXModule
from litex.gen.fhdl.verilog import convert
from litex.soc.integration.soc import SoCRegion
from litex.soc.integration.soc_core import SoCMini
from litex.soc.interconnect import csr_bus, wishbone
from migen import ClockDomain

from redcore import toolchain
from redcore.bundle.writer import VERILATOR_OPTIONS
from redcore.catalogue import design_of
from redcore.driver import Registers
from redcore.driver.registers import Refused
from test_every_bus import UNIT_LINES, done

sys.path.append(str(Path(__file__).resolve().parents[1] / "packages" / "litex"))
from redcore_litex import Multiplier, Unit

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


ORIGIN = 0x3000_0000
SOC_BENCH = """
module bench;
  logic clk = 0, we = 0, cyc = 0, ack, err;
  logic [29:0] adr = 0;
  logic [31:0] dat_w = 0, dat_r;
  logic [Lanes-1:0] random = 0;
  always #5 clk = ~clk;
  always @(negedge clk) random = Lanes'($urandom);
  soc dut (.sys_clk(clk), .master_adr(adr), .master_dat_w(dat_w), .master_dat_r(dat_r),
           .master_sel(4'hf), .master_cyc(cyc), .master_stb(cyc), .master_we(we),
           .master_ack(ack), .master_err(err), .master_cti(3'b0), .master_bte(2'b0)
           RandomPort);
  int write, address, value;
  initial begin
    repeat (8) @(negedge clk);
    while ($fscanf(32'h8000_0000, "%d %h %h", write, address, value) == 3) begin
      repeat (64) @(negedge clk);
      {adr, dat_w, we, cyc} = {address[31:2], value, write[0], 1'b1};
      @(posedge clk);
      while (!ack) @(posedge clk);
      $display("= %0d %h", err, dat_r);
      $fflush;
      @(negedge clk) {we, cyc} = 0;
    end
    $finish;
  end
endmodule
"""


class Soc(SoCMini):  # type: ignore[misc]  # LiteX has no types
    """A SoC without a processor: a master from outside, and the unit behind the interconnect."""

    def __init__(self, line: str, folder: Path) -> None:
        names = ("adr", "dat_w", "dat_r", "sel", "cyc", "stb", "ack", "we", "cti", "bte", "err")
        bits = {"adr": 30, "dat_w": 32, "dat_r": 32, "sel": 4, "cti": 3, "bte": 2}
        pins = [Subsignal(name, Pins(bits.get(name, 1))) for name in names]
        platform = SimPlatform("SIM", [("sys_clk", 0, Pins(1)), ("master", 0, *pins)])
        SoCMini.__init__(self, platform, clk_freq=1_000_000, bus_timeout=None)
        self.crg = CRG(platform.request("sys_clk"))
        self.unit = Unit(line, str(folder), platform)
        self.bus.add_slave("unit", self.unit.bus, SoCRegion(ORIGIN, 4096, cached=False))
        master = wishbone.Interface(data_width=32)
        self.comb += master.connect_to_pads(platform.request("master"), mode="slave")
        self.bus.add_master("outside", master)
        for name, signal in self.unit.random.items():
            platform.add_extension([(name, 0, Pins(len(signal)))])
            pin = platform.request(name)
            self.comb += pin.eq(signal) if name.endswith("_o") else signal.eq(pin)
        self.finalize()


class Behind(Registers):
    """The unit's registers, by a master at the other end of the SoC's interconnect."""

    def __init__(self, program: Path) -> None:
        self.running = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def access(self, write: bool, address: int, value: int = 0) -> int:
        assert self.running.stdin and self.running.stdout
        print(f"{int(write)} {ORIGIN + address:x} {value:x}", file=self.running.stdin, flush=True)
        for line in self.running.stdout:
            if line.startswith("= "):
                _, refused, data = line.split()
                if int(refused):
                    raise Refused(address, write)
                return int(data, 16)
        raise AssertionError("the simulation has ended")

    def read(self, address: int) -> int:
        return self.access(False, address)

    def write(self, address: int, value: int) -> None:
        self.access(True, address, value)


@pytest.mark.consumer("LiteX", of="unit")
@pytest.mark.parametrize(
    "unit",
    [unit if unit == "modmul" else pytest.param(unit, marks=pytest.mark.full)
     for unit in UNIT_LINES],
)  # fmt: skip
def test_a_unit_is_a_slave_of_a_soc(
    unit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its driver has a job done through LiteX's interconnect; what is refused ends, too."""
    monkeypatch.setattr("redcore.bundle.plain.run_bench", lambda *arguments: None)
    soc = Soc(UNIT_LINES[unit], tmp_path / "unit")
    monkeypatch.chdir(tmp_path)
    soc.platform.get_verilog(soc, name="soc").write("soc.v")
    random = soc.unit.random
    ports = "".join(
        f", .{name}({'' if name.endswith('_o') else 'random' if 'data' in name else chr(39) + '1'})"
        for name in random
    )
    lanes = max((len(signal) for signal in random.values()), default=1)
    text = SOC_BENCH.replace("RandomPort", ports).replace(
        "module bench;", f"module bench;\n  localparam int Lanes = {lanes};"
    )
    Path("bench.sv").write_text(text)
    flags = [word for option in VERILATOR_OPTIONS for word in option.split(" ", 1)]
    build = ["--binary", "--timing", "--quiet", "-Wno-fatal", *flags, "--top-module", "bench"]
    made = subprocess.run(
        [toolchain.verilator_program(), *build, "bench.sv", "soc.v", soc.unit.verilog],
        env=toolchain.verilator_environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    core = Behind(tmp_path / "obj_dir" / "Vbench")
    try:
        done(unit, design_of(UNIT_LINES[unit]), core)
        with pytest.raises(Refused):
            core.read(0xFFC)
    finally:
        assert core.running.stdin
        core.running.stdin.close()
        core.running.wait(60)
