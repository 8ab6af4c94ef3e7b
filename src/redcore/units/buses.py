# SPDX-License-Identifier: Apache-2.0
"""The buses that units are put on: their adapters (``rtl/redc_bus_*.sv``) and ports."""

from __future__ import annotations

from dataclasses import dataclass

from redcore.ports import Port


@dataclass(frozen=True)
class Bus:
    """A bus: the adapter between it and registers, its name for people, and its ports."""

    module: str
    title: str
    ports: tuple[Port, ...]


AXI = Bus(
    "redc_bus_axi",
    "AXI4-Lite",
    (
        Port("s_axi_awvalid_i", 0, "AXI4-Lite: write address."),
        Port("s_axi_awready_o", 0, "As AXI4-Lite has it."),
        Port("s_axi_awaddr_i", 12, "A byte address."),
        Port("s_axi_awprot_i", 3, "Not looked at."),
        Port("s_axi_wvalid_i", 0, "Write data."),
        Port("s_axi_wready_o", 0, "As AXI4-Lite has it."),
        Port("s_axi_wdata_i", 32, "The word."),
        Port("s_axi_wstrb_i", 4, "Its bytes."),
        Port("s_axi_bvalid_o", 0, "Write response."),
        Port("s_axi_bready_i", 0, "As AXI4-Lite has it."),
        Port("s_axi_bresp_o", 2, "0 done, 2 refused."),
        Port("s_axi_arvalid_i", 0, "Read address."),
        Port("s_axi_arready_o", 0, "As AXI4-Lite has it."),
        Port("s_axi_araddr_i", 12, "A byte address."),
        Port("s_axi_arprot_i", 3, "Not looked at."),
        Port("s_axi_rvalid_o", 0, "Read data."),
        Port("s_axi_rready_i", 0, "As AXI4-Lite has it."),
        Port("s_axi_rdata_o", 32, "The word."),
        Port("s_axi_rresp_o", 2, "0 done, 2 refused."),
    ),
)
APB = Bus(
    "redc_bus_apb",
    "APB",
    (
        Port("s_apb_psel_i", 0, "APB: the unit is selected."),
        Port("s_apb_penable_i", 0, "The access phase."),
        Port("s_apb_pwrite_i", 0, "A write."),
        Port("s_apb_paddr_i", 12, "A byte address."),
        Port("s_apb_pwdata_i", 32, "The word."),
        Port("s_apb_pstrb_i", 4, "Its bytes."),
        Port("s_apb_pprot_i", 3, "Not looked at."),
        Port("s_apb_pready_o", 0, "As APB has it."),
        Port("s_apb_prdata_o", 32, "The word read."),
        Port("s_apb_pslverr_o", 0, "Refused."),
    ),
)
WISHBONE = Bus(
    "redc_bus_wishbone",
    "Wishbone B4 classic",
    (
        Port("s_wb_cyc_i", 0, "Wishbone: a cycle."),
        Port("s_wb_stb_i", 0, "A transfer in it."),
        Port("s_wb_we_i", 0, "A write."),
        Port("s_wb_adr_i", 10, "The number of a word: a byte address without its lowest two bits."),
        Port("s_wb_dat_i", 32, "The word."),
        Port("s_wb_sel_i", 4, "Its bytes."),
        Port("s_wb_ack_o", 0, "Done."),
        Port("s_wb_err_o", 0, "Refused."),
        Port("s_wb_dat_o", 32, "The word read."),
    ),
)
TILELINK = Bus(
    "redc_bus_tilelink",
    "TileLink-UL",
    (
        Port("tl_a_valid_i", 0, "TileLink-UL: a message on channel A."),
        Port("tl_a_ready_o", 0, "It is taken at the end of this cycle."),
        Port("tl_a_opcode_i", 3, "0 PutFullData, 1 PutPartialData, 4 Get."),
        Port("tl_a_param_i", 3, "Not looked at."),
        Port("tl_a_size_i", 2, "log2 of its bytes."),
        Port("tl_a_source_i", 8, "Given back with the answer."),
        Port("tl_a_address_i", 12, "A byte address."),
        Port("tl_a_mask_i", 4, "Its bytes."),
        Port("tl_a_data_i", 32, "The word."),
        Port("tl_d_valid_o", 0, "An answer on channel D."),
        Port("tl_d_ready_i", 0, "It is taken at the end of this cycle."),
        Port("tl_d_opcode_o", 3, "0 AccessAck, 1 AccessAckData."),
        Port("tl_d_param_o", 3, "0."),
        Port("tl_d_size_o", 2, "As it was asked."),
        Port("tl_d_source_o", 8, "As it was asked."),
        Port("tl_d_sink_o", 0, "0."),
        Port("tl_d_data_o", 32, "The word read."),
        Port("tl_d_error_o", 0, "Refused."),
    ),
)
REGISTER_BUSES = {"axi": AXI, "apb": APB, "wishbone": WISHBONE, "tilelink": TILELINK}
"""Those that reach registers, by the value of the parameter ``bus``."""
IRQ = Port("irq_o", 0, "Interrupt, a level.")


def stream_ports(word: int, index: int, bits: int, status: int = 0) -> tuple[Port, ...]:
    """AXI4-Stream for a unit with the multiplier contract: words and indices of so many bits, an
    exponent's length of ``bits``, and results with ``status`` bits of why they are 0; 0 where there
    is none."""
    each = 8 * -(-word // 8)
    told = [Port("m_axis_tuser_o", status, "Why the result is 0: the unit's status_o.")]
    return (
        Port("s_axis_mod_tvalid_i", 0, "A word of a modulus."),
        Port("s_axis_mod_tready_o", 0, "As AXI4-Stream has it."),
        Port("s_axis_mod_tdata_i", each, "The word in the lowest bits, least significant first."),
        Port("s_axis_mod_tlast_i", 0, "The modulus's last word."),
        Port("s_axis_mod_tuser_i", index, "The place it is stored in."),
        Port("s_axis_op_tvalid_i", 0, "A word of both operands."),
        Port("s_axis_op_tready_o", 0, "As AXI4-Stream has it."),
        Port("s_axis_op_tdata_i", 2 * each, "The word of a below, that of b above."),
        Port("s_axis_op_tlast_i", 0, "The operands' last word."),
        Port(
            "s_axis_op_tuser_i",
            index + bits,
            "The place of the modulus to use"
            + (", and above it the bits of the exponent to go through." if bits else "."),
        ),
        Port("m_axis_tvalid_o", 0, "A word of a result."),
        Port("m_axis_tready_i", 0, "As AXI4-Stream has it."),
        Port("m_axis_tdata_o", each, "The word in the lowest bits, least significant first."),
        Port("m_axis_tlast_o", 0, "The result's last word."),
        *told * bool(status),
        Port("err_o", 0, "Sticky: the unit's err_o."),
    )


def in_and_out(given: str, word: int, told: str, answer: int) -> tuple[Port, ...]:
    """AXI4-Stream for a unit with one stream in and one out, words of so many bits each."""
    return (
        Port("s_axis_tvalid_i", 0, f"A word of {given}."),
        Port("s_axis_tready_o", 0, "As AXI4-Stream has it."),
        Port("s_axis_tdata_i", 8 * -(-word // 8), "The word in the lowest bits, least significant"
             " first."),
        Port("s_axis_tlast_i", 0, "The last word of it."),
        Port("m_axis_tvalid_o", 0, f"A word of {told}."),
        Port("m_axis_tready_i", 0, "As AXI4-Stream has it."),
        Port("m_axis_tdata_o", 8 * -(-answer // 8), "The word in the lowest bits, least significant"
             " first."),
        Port("m_axis_tlast_o", 0, "The last word of it."),
        Port("err_o", 0, "Sticky: the unit's err_o."),
    )  # fmt: skip
