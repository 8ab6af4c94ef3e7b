// SPDX-License-Identifier: Apache-2.0
// redc_proof_bus: what the adapters redc_bus_* promise, with any legal master and any registers.
//
// Contract  redc_proof_bus_pkg, which tests/test_bus_proofs.py writes, says which Bus: 0 AXI4-Lite,
//           1 APB, 2 Wishbone, 3 TileLink-UL. Of each output bad_* it is asked that it is never 1,
//           and of cover_* of the same name that it can be.
// Method    every any_* input is chosen by the solver in every cycle. A master keeps what it offers
//           until it is taken; on Wishbone it may give up, on TileLink say what is illegal.
//           Registers answer anything in the cycle of an access.
// Partner   tests/test_bus_proofs.py.
`default_nettype none

module redc_proof_bus
  import redc_proof_bus_pkg::*;
(
    input  logic        clk_i,
    input  logic        any_reset_i,
    // What the master offers, when, and whether it takes answers.
    input  logic        any_offer_i,
    input  logic        any_offer_data_i,
    input  logic        any_offer_read_i,
    input  logic        any_take_i,
    input  logic        any_take_read_i,
    input  logic        any_drop_i,
    input  logic        any_write_i,
    input  logic [11:0] any_addr_i,
    input  logic [31:0] any_data_i,
    input  logic [ 3:0] any_strb_i,
    input  logic [ 2:0] any_opcode_i,
    input  logic [ 1:0] any_size_i,
    input  logic [ 7:0] any_source_i,
    // What the registers say.
    input  logic        any_wr_err_i,
    input  logic        any_rd_err_i,
    input  logic [31:0] any_word_i,
    // An access that nobody asked for, or the second one for a request.
    output logic        bad_twice_o,
    output logic        cover_twice_o,
    // An access that is not the one asked for.
    output logic        bad_other_o,
    output logic        cover_other_o,
    // An answer that is not the registers', or none where there was one.
    output logic        bad_answer_o,
    output logic        cover_answer_o,
    // A request that waits though nothing is in its way.
    output logic        bad_slow_o,
    output logic        cover_slow_o
);

  localparam int unsigned Patience = 4;

  logic started_q, rst_n;
  initial started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  assign rst_n = started_q & ~any_reset_i;

  logic        wr, rd;
  logic [11:0] wr_addr, rd_addr;
  logic [31:0] wr_data;
  logic [ 3:0] wr_strb;

  if (Bus == 0) begin : gen_axi
    // ---- a master: what waits on each channel, as it was offered --------------------------------
    logic        aw_q, w_q, ar_q, aw, w, ar, aw_ready, w_ready, ar_ready, b, r;
    logic [ 1:0] b_resp, r_resp;
    logic [31:0] r_data;
    logic [11:0] aw_addr_q, aw_addr, ar_addr_q, ar_addr;
    logic [35:0] w_all_q, w_all;
    assign aw      = rst_n & (aw_q | any_offer_i);
    assign w       = rst_n & (w_q | any_offer_data_i);
    assign ar      = rst_n & (ar_q | any_offer_read_i);
    assign aw_addr = aw_q ? aw_addr_q : any_addr_i;
    assign w_all   = w_q ? w_all_q : {any_strb_i, any_data_i};
    assign ar_addr = ar_q ? ar_addr_q : any_addr_i;
    always_ff @(posedge clk_i) begin
      {aw_q, w_q, ar_q} <= {aw & ~aw_ready, w & ~w_ready, ar & ~ar_ready};
      {aw_addr_q, w_all_q, ar_addr_q} <= {aw_addr, w_all, ar_addr};
    end

    redc_bus_axi u_bus (
        .clk_i, .rst_ni(rst_n), .s_axi_awvalid_i(aw), .s_axi_awready_o(aw_ready),
        .s_axi_awaddr_i(aw_addr), .s_axi_awprot_i('0), .s_axi_wvalid_i(w),
        .s_axi_wready_o(w_ready), .s_axi_wdata_i(w_all[31:0]), .s_axi_wstrb_i(w_all[35:32]),
        .s_axi_bvalid_o(b), .s_axi_bready_i(any_take_i), .s_axi_bresp_o(b_resp),
        .s_axi_arvalid_i(ar), .s_axi_arready_o(ar_ready), .s_axi_araddr_i(ar_addr),
        .s_axi_arprot_i('0), .s_axi_rvalid_o(r), .s_axi_rready_i(any_take_read_i),
        .s_axi_rdata_o(r_data), .s_axi_rresp_o(r_resp),
        .wr_o(wr), .wr_addr_o(wr_addr), .wr_data_o(wr_data), .wr_strb_o(wr_strb),
        .wr_err_i(any_wr_err_i), .rd_o(rd), .rd_addr_o(rd_addr), .rd_data_i(any_word_i),
        .rd_err_i(any_rd_err_i)
    );

    // ---- what was taken and waits for its access, and what was accessed for its answer ----------
    logic        aw_held_q, w_held_q, ar_held_q, b_due_q, r_due_q, b_err_q, r_err_q;
    logic [11:0] aw_held_addr_q, ar_held_addr_q;
    logic [35:0] w_held_all_q;
    logic [31:0] r_word_q;
    logic [ 2:0] slow_q;
    logic        stuck;
    always_ff @(posedge clk_i) begin
      if (!rst_n) begin
        {aw_held_q, w_held_q, ar_held_q, b_due_q, r_due_q} <= '0;
        slow_q <= '0;
      end else begin
        aw_held_q <= (aw & aw_ready) | (aw_held_q & ~wr);
        w_held_q  <= (w & w_ready) | (w_held_q & ~wr);
        ar_held_q <= (ar & ar_ready) | (ar_held_q & ~rd);
        b_due_q   <= wr | (b_due_q & ~(b & any_take_i));
        r_due_q   <= rd | (r_due_q & ~(r & any_take_read_i));
        slow_q    <= stuck ? slow_q + 3'(slow_q != '1) : '0;
      end
      if (aw && aw_ready) aw_held_addr_q <= aw_addr;
      if (w && w_ready) w_held_all_q <= w_all;
      if (ar && ar_ready) ar_held_addr_q <= ar_addr;
      if (wr) b_err_q <= any_wr_err_i;
      if (rd) {r_err_q, r_word_q} <= {any_rd_err_i, any_rd_err_i ? r_word_q : any_word_i};
    end
    // Both halves of a write, or a read, are there, and no answer is in the way; or a channel is
    // shut though nothing of it is held.
    assign stuck = (aw_held_q & w_held_q & ~wr & ~(b_due_q & ~any_take_i))
                 | (ar_held_q & ~rd & ~(r_due_q & ~any_take_read_i))
                 | (aw & ~aw_ready & ~aw_held_q) | (w & ~w_ready & ~w_held_q)
                 | (ar & ~ar_ready & ~ar_held_q);

    assign bad_twice_o    = rst_n & ((wr & ~(aw_held_q & w_held_q)) | (rd & ~ar_held_q));
    assign cover_twice_o  = rst_n & wr & rd;
    assign bad_other_o    = rst_n & ((wr & ({wr_strb, wr_data, wr_addr}
                                            != {w_held_all_q, aw_held_addr_q}))
                                     | (rd & (rd_addr != ar_held_addr_q)));
    assign cover_other_o  = rst_n & wr & (w_held_all_q != '0);
    // An answer before is taken by then, or the new one would take its place.
    assign bad_answer_o   = rst_n & ((b != b_due_q) | (r != r_due_q)
                          | (wr & b_due_q & ~any_take_i) | (rd & r_due_q & ~any_take_read_i)
                          | (b & (b_resp != {b_err_q, 1'b0})) | (r & (r_resp != {r_err_q, 1'b0}))
                          | (r & ~r_err_q & (r_data != r_word_q)) | (~r & (r_data != '0)));
    assign cover_answer_o = rst_n & b & r & b_err_q & ~r_err_q;
    assign bad_slow_o     = rst_n & (slow_q >= 3'd2);
    assign cover_slow_o   = rst_n & aw_held_q & w_held_q & b_due_q & ~any_take_i;
  end else begin : gen_single
    // ---- a master: one transfer at a time, as it was offered ------------------------------------
    logic        busy_q, busy, begins, ends, gone, legal, write, write_q, shown, a_twice, told_err;
    logic [11:0] addr, addr_q;
    logic [31:0] data, data_q, told;
    logic [ 3:0] strb, strb_q;
    logic [ 2:0] opcode, opcode_q;
    logic [ 1:0] size, size_q, low;
    logic [ 7:0] source, source_q;
    logic [ 3:0] lanes;
    logic        told_right;

    assign begins = rst_n & ~busy_q & any_offer_i;
    assign busy   = busy_q | begins;
    assign {write, addr, data, strb, opcode, size, source} = busy_q
         ? {write_q, addr_q, data_q, strb_q, opcode_q, size_q, source_q}
         : {(Bus == 3) ? any_opcode_i != 3'd4 : any_write_i, any_addr_i, any_data_i, any_strb_i,
            any_opcode_i, any_size_i, any_source_i};
    always_ff @(posedge clk_i) begin
      busy_q <= rst_n & busy & ~ends & ~gone;
      {write_q, addr_q, data_q, strb_q, opcode_q, size_q, source_q}
          <= {write, addr, data, strb, opcode, size, source};
    end

    // Which bytes a TileLink message may name.
    assign low   = addr[1:0];
    assign lanes = (size == 2'd0) ? 4'b0001 << low : (size == 2'd1) ? 4'b0011 << low : 4'b1111;
    assign legal = (Bus != 3)
                 | ((opcode == 3'd4 | opcode == 3'd1 | (opcode == 3'd0 & strb == lanes))
                 & (size != 2'd3) & (size != 2'd2 | low == '0) & (size != 2'd1 | ~low[0])
                 & ((strb & ~lanes) == '0));

    if (Bus == 1) begin : gen_apb
      assign {a_twice, gone} = '0;
      assign told_right      = 1'b1;
      assign ends            = busy_q & shown;
      redc_bus_apb u_bus (
          .clk_i, .rst_ni(rst_n), .s_apb_psel_i(busy),
          // While another completer is selected it is as that one has it.
          .s_apb_penable_i(busy ? busy_q : any_offer_data_i),
          .s_apb_pwrite_i(write), .s_apb_paddr_i(addr), .s_apb_pwdata_i(data),
          .s_apb_pstrb_i(strb), .s_apb_pprot_i('0), .s_apb_pready_o(shown),
          .s_apb_prdata_o(told), .s_apb_pslverr_o(told_err),
          .wr_o(wr), .wr_addr_o(wr_addr), .wr_data_o(wr_data), .wr_strb_o(wr_strb),
          .wr_err_i(any_wr_err_i), .rd_o(rd), .rd_addr_o(rd_addr), .rd_data_i(any_word_i),
          .rd_err_i(any_rd_err_i)
      );
    end else if (Bus == 2) begin : gen_wishbone
      logic ack, err, strobe, cyc, stb;
      // It gives up: the strobe is low in this cycle.
      assign gone       = busy_q & any_drop_i;
      assign strobe     = busy & ~gone;
      // Else it has a cycle without a transfer, or a strobe is another's.
      assign cyc        = strobe | any_offer_data_i;
      assign stb        = strobe | (any_offer_read_i & ~any_offer_data_i);
      assign a_twice    = 1'b0;
      assign shown      = ack | err;
      assign told_err   = err;
      assign ends       = strobe & shown;
      assign told_right = ~(ack & err) & (strobe | ~shown);
      redc_bus_wishbone u_bus (
          .clk_i, .rst_ni(rst_n), .s_wb_cyc_i(cyc), .s_wb_stb_i(stb), .s_wb_we_i(write),
          .s_wb_adr_i(addr[11:2]), .s_wb_dat_i(data), .s_wb_sel_i(strb), .s_wb_ack_o(ack),
          .s_wb_err_o(err), .s_wb_dat_o(told),
          .wr_o(wr), .wr_addr_o(wr_addr), .wr_data_o(wr_data), .wr_strb_o(wr_strb),
          .wr_err_i(any_wr_err_i), .rd_o(rd), .rd_addr_o(rd_addr), .rd_data_i(any_word_i),
          .rd_err_i(any_rd_err_i)
      );
    end else begin : gen_tilelink
      logic [2:0] d_opcode, d_param;
      logic [1:0] d_size;
      logic [7:0] d_source;
      logic       d_sink, d_valid, a_open, a_taken_q;
      always_ff @(posedge clk_i) a_taken_q <= rst_n & busy & ~ends & (a_taken_q | a_open);
      // Once a message is taken, channel A may say anything.
      logic [60:0] a_says;
      assign a_says     = a_taken_q
          ? {any_opcode_i, any_size_i, any_source_i, any_addr_i, any_strb_i, any_data_i}
          : {opcode, size, source, addr, strb, data};
      assign gone       = 1'b0;
      // The next message is taken while this one has no answer.
      assign a_twice    = a_taken_q & a_open;
      assign shown      = d_valid;
      assign ends       = d_valid & any_take_i;
      assign told_right = (d_opcode == ((opcode == 3'd4) ? 3'd1 : 3'd0)) & (d_size == size)
                        & (d_source == source) & ~d_sink & (d_param == '0);
      redc_bus_tilelink u_bus (
          .clk_i, .rst_ni(rst_n), .tl_a_valid_i(busy & (~a_taken_q | any_offer_i)),
          .tl_a_ready_o(a_open),
          .tl_a_opcode_i(a_says[60:58]), .tl_a_param_i('0), .tl_a_size_i(a_says[57:56]),
          .tl_a_source_i(a_says[55:48]), .tl_a_address_i(a_says[47:36]),
          .tl_a_mask_i(a_says[35:32]), .tl_a_data_i(a_says[31:0]), .tl_d_valid_o(d_valid),
          .tl_d_ready_i(any_take_i), .tl_d_opcode_o(d_opcode), .tl_d_param_o(d_param),
          .tl_d_size_o(d_size), .tl_d_source_o(d_source), .tl_d_sink_o(d_sink),
          .tl_d_data_o(told), .tl_d_error_o(told_err),
          .wr_o(wr), .wr_addr_o(wr_addr), .wr_data_o(wr_data), .wr_strb_o(wr_strb),
          .wr_err_i(any_wr_err_i), .rd_o(rd), .rd_addr_o(rd_addr), .rd_data_i(any_word_i),
          .rd_err_i(any_rd_err_i)
      );
    end

    // ---- whether its access has happened, and what the registers said ---------------------------
    logic        accessed_q, err_q, shown_q;
    logic [31:0] word_q;
    logic [ 2:0] slow_q;
    always_ff @(posedge clk_i) begin
      accessed_q <= rst_n & busy & ~ends & ~gone & (accessed_q | wr | rd);
      shown_q    <= rst_n & busy & shown & ~ends & ~gone;
      if (wr || rd) {err_q, word_q} <= {wr ? any_wr_err_i : any_rd_err_i, rd ? any_word_i : 32'd0};
      slow_q     <= (rst_n & busy & ~shown & ~gone) ? slow_q + 3'(slow_q != '1) : '0;
    end

    assign bad_twice_o    = rst_n & (a_twice
                          | ((wr | rd) & (~busy | accessed_q | gone | (wr & rd))));
    assign cover_twice_o  = rst_n & wr & (addr[11:2] != '0);
    // TileLink and Wishbone name words.
    assign bad_other_o    = rst_n & (wr | rd) & ((wr != write) | ~legal
                          | ((wr ? wr_addr : rd_addr)
                             != ((Bus == 1) ? addr : {addr[11:2], 2'b00}))
                          | (wr & ({wr_data, wr_strb} != {data, strb})));
    assign cover_other_o  = rst_n & rd;
    assign bad_answer_o   = rst_n & ((shown & (~busy | ~told_right
                          | (legal ? ~accessed_q | (told_err != err_q)
                                     | (~write & ~err_q & (told != word_q))
                                   : ~told_err | accessed_q | (told != '0))))
                          | (shown_q & ~shown & ~gone) | (~shown & told_err & busy_q));
    assign cover_answer_o = rst_n & shown & ~write & ~err_q & (word_q != '0);
    assign bad_slow_o     = rst_n & (32'(slow_q) > Patience);
    assign cover_slow_o   = rst_n & ends;
  end

endmodule

`default_nettype wire
