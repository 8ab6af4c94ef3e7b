// SPDX-License-Identifier: Apache-2.0
// redc_rsa_several: several RSA units with one key, that look like one with as many places.
//
// Contract  that of redc_rsa towards the host, but for this: an operation (CmdPublic, CmdPrivate,
//           CmdPrivateCrt) may be given before the one before it has been answered. Answers come in
//           the order of the commands. Each unit is a redc_rsa beside its own multiplier. The first
//           one alone is built with Generate, and with ReadPrivate where it is.
// Method    operation k goes to unit k mod Copies, counted from the last command about keys. Such a
//           command waits until all operations have been answered. Loading and clearing go to all
//           units; the first one makes a key and reads it, and the others load what it reads. Where
//           some units end well and others do not, or one finds a fault or a stuck source, all are
//           cleared before the next command. What was taken before that is answered as each unit
//           has it. The random bits go to the first unit that wants some.
// Timing    an operation's cycles are those of a unit. The turn never passes a unit by: where the
//           operations are unlike, those that are done wait for one that is not.
// Leakage   none of its own: what a unit takes depends on when random bits come, and they come
//           later where others draw, too. No word of a key or number is kept here.
// Refuses   Copies < 1 or > 1024, Generate > 1, ReadPrivate > 1: at elaboration.
// Partner   src/redcore/units/rsa/copies.py.
`default_nettype none

module redc_rsa_several #(
  /// Units, 1 to 1024.
  parameter int unsigned Copies = 2,
  /// 1: the first unit makes keys. 0: none does.
  parameter int unsigned Generate = 1,
  /// 1: CmdReadKey gives all of a private key, while read_lock_i is low. 0: n and e alone.
  parameter int unsigned ReadPrivate = 0
) (
  input  wire logic                    clk_i,
  /// Active low, synchronous; to be given to the units, too.
  input  wire logic                    rst_ni,

  /// Commands.
  input  wire logic                    cmd_valid_i,
  output      logic                    cmd_ready_o,
  input  wire logic [2:0]              cmd_i,
  /// Operands behind their command.
  input  wire logic                    in_valid_i,
  output      logic                    in_ready_o,
  input  wire logic [31:0]             in_data_i,
  input  wire logic                    in_last_i,
  /// Output, before the command's answer.
  output      logic                    out_valid_o,
  input  wire logic                    out_ready_i,
  output      logic [31:0]             out_data_o,
  output      logic                    out_last_o,
  /// Random bits.
  input  wire logic                    rnd_valid_i,
  output      logic                    rnd_ready_o,
  input  wire logic                    rnd_data_i,
  /// As of redc_rsa.
  input  wire logic                    read_lock_i,
  /// Commands are going on, or numbers are being overwritten.
  output      logic                    busy_o,
  /// The key that all of them hold.
  output      logic [1:0]              key_o,
  /// One answer a command, in order.
  output      logic                    done_valid_o,
  input  wire logic                    done_ready_i,
  output      logic [3:0]              status_o,
  /// One of the multipliers says so.
  output      logic                    err_o,

  /// The same ports of each unit; those with operands and random bits share the data.
  output      logic [Copies-1:0]       unit_cmd_valid_o,
  input  wire logic [Copies-1:0]       unit_cmd_ready_i,
  output      logic [Copies-1:0][2:0]  unit_cmd_o,
  output      logic [Copies-1:0]       unit_in_valid_o,
  input  wire logic [Copies-1:0]       unit_in_ready_i,
  output      logic [31:0]             unit_in_data_o,
  output      logic                    unit_in_last_o,
  input  wire logic [Copies-1:0]       unit_out_valid_i,
  output      logic [Copies-1:0]       unit_out_ready_o,
  input  wire logic [Copies-1:0][31:0] unit_out_data_i,
  input  wire logic [Copies-1:0]       unit_out_last_i,
  output      logic [Copies-1:0]       unit_rnd_valid_o,
  input  wire logic [Copies-1:0]       unit_rnd_ready_i,
  output      logic                    unit_rnd_data_o,
  output      logic                    unit_read_lock_o,
  input  wire logic [Copies-1:0]       unit_busy_i,
  input  wire logic [Copies-1:0][1:0]  unit_key_i,
  input  wire logic [Copies-1:0]       unit_done_valid_i,
  output      logic [Copies-1:0]       unit_done_ready_o,
  input  wire logic [Copies-1:0][3:0]  unit_status_i,
  input  wire logic [Copies-1:0]       unit_err_i
);
  import redc_rsa_pkg::*;

  if (Copies < 1 || Copies > 1024) begin : gen_refuse_copies
    $error("redc_rsa_several: Copies=%0d is not within 1 to 1024", Copies);
  end
  if (Generate > 1) begin : gen_refuse_generate
    $error("redc_rsa_several: Generate=%0d is neither 0 nor 1", Generate);
  end
  if (ReadPrivate > 1) begin : gen_refuse_read
    $error("redc_rsa_several: ReadPrivate=%0d is neither 0 nor 1", ReadPrivate);
  end

  // An illegal number must reach its own message above.
  localparam int unsigned Units = redc_pkg::max(Copies, 1);
  typedef logic [Units-1:0] units_t;
  localparam units_t First = units_t'(1);
  localparam units_t All   = '1;

  typedef enum logic [1:0] {
    /// Operations go to the units in turn.
    Serve,
    /// A command about keys goes on.
    Ask,
    /// It has ended, and that is told.
    Tell
  } state_e;

  state_e     state_q;
  command_e   cmd_q;
  status_e    status_q;
  // Of operations: one bit set, whose turn it is; who has one.
  units_t     in_turn_q, out_turn_q, pending_q;
  // Of a command about keys: who is still to be given it, and to answer.
  units_t     ask_q, wait_q;
  // Operands are coming in; who has this word already.
  logic       open_q;
  units_t     took_q;
  // The key just made goes from the first unit to the others.
  logic       hand_q;
  // The host waits for an answer.
  logic       tells_q;
  // All are to be cleared.
  logic       forget_q;
  // A unit has ended well.
  logic       well_q;

  logic   serves, operation, loads, may_take, deals, takes_key, word_valid, word_room, word_taken;
  logic   answered, ends_badly;
  units_t fed, dealt, unit_answered;

  // ------------------------------------------------------------------------------------------
  // Commands
  // ------------------------------------------------------------------------------------------
  assign serves    = state_q == Serve;
  assign operation = cmd_i == CmdPublic || cmd_i == CmdPrivate || cmd_i == CmdPrivateCrt;
  assign loads     = cmd_i == CmdLoadKey || cmd_i == CmdLoadPublic;
  assign may_take  = serves & ~open_q & ~forget_q;
  assign deals     = may_take & operation;
  assign takes_key = may_take & ~operation & ~(|pending_q);

  assign cmd_ready_o      = deals ? |(unit_cmd_ready_i & in_turn_q) : takes_key;
  assign dealt            = {Units{deals & cmd_valid_i}} & in_turn_q;
  assign unit_cmd_valid_o = dealt | ask_q;

  always_comb begin
    for (int unsigned i = 0; i < Units; i++) begin
      if (serves) unit_cmd_o[i] = cmd_i;
      else if (hand_q) unit_cmd_o[i] = (i == 0) ? CmdReadKey : CmdLoadKey;
      else unit_cmd_o[i] = cmd_q;
    end
  end

  // ------------------------------------------------------------------------------------------
  // Operands
  // ------------------------------------------------------------------------------------------
  always_comb begin
    if (serves) fed = in_turn_q;
    else fed = hand_q ? All ^ First : All;
  end
  assign word_valid      = open_q & (hand_q ? unit_out_valid_i[0] : in_valid_i);
  assign word_room       = open_q & (&(~fed | took_q | unit_in_ready_i));
  assign word_taken      = word_valid & word_room;
  assign in_ready_o      = word_room & ~hand_q;
  assign unit_in_valid_o = {Units{word_valid}} & fed & ~took_q;
  assign unit_in_data_o  = hand_q ? unit_out_data_i[0] : in_data_i;
  assign unit_in_last_o  = hand_q ? unit_out_last_i[0] : in_last_i;

  // ------------------------------------------------------------------------------------------
  // Output and answers
  // ------------------------------------------------------------------------------------------
  assign out_valid_o      = ~hand_q & (|(unit_out_valid_i & out_turn_q));
  assign out_last_o       = |(unit_out_last_i & out_turn_q);
  assign unit_out_ready_o = hand_q ? {Units{word_room}} & First : {Units{out_ready_i}} & out_turn_q;
  assign unit_read_lock_o = ~hand_q & (read_lock_i | (ReadPrivate == 0));

  assign done_valid_o      = serves ? |(unit_done_valid_i & out_turn_q) : state_q == Tell;
  assign answered          = serves & done_valid_o & done_ready_i;
  assign unit_done_ready_o = serves ? {Units{done_ready_i}} & out_turn_q : wait_q;
  assign unit_answered     = unit_done_valid_i & unit_done_ready_o;

  always_comb begin
    logic [3:0] operation_status;
    out_data_o       = '0;
    operation_status = '0;
    key_o            = '1;
    ends_badly       = 1'b0;
    for (int unsigned i = 0; i < Units; i++) begin
      if (out_turn_q[i]) out_data_o |= unit_out_data_i[i];
      if (out_turn_q[i]) operation_status |= unit_status_i[i];
      // All hold the same, or some hold nothing, which is 0.
      key_o &= unit_key_i[i];
      ends_badly |= unit_done_valid_i[i]
                  & (unit_status_i[i] == StatusFault || unit_status_i[i] == StatusRandomStuck);
    end
    if (forget_q || ends_badly) key_o = KeyNone;
    status_o = serves ? operation_status : status_q;
  end

  assign busy_o = ~serves | open_q | forget_q | (|pending_q) | (|unit_busy_i);
  assign err_o  = |unit_err_i;

  // ------------------------------------------------------------------------------------------
  // Random bits: those in front go before
  // ------------------------------------------------------------------------------------------
  logic unused_stuck;  // each unit watches the source itself
  redc_random_share #(.Users(Units)) i_random (
    .clk_i, .rst_ni, .rnd_valid_i, .rnd_ready_o, .rnd_data_i,
    .user_valid_o(unit_rnd_valid_o), .user_ready_i(unit_rnd_ready_i), .stuck_o(unused_stuck)
  );
  assign unit_rnd_data_o = rnd_data_i;

  // ------------------------------------------------------------------------------------------
  // What goes on
  // ------------------------------------------------------------------------------------------
  function automatic units_t after(units_t turn);
    return units_t'({turn, turn} >> (Units - 1));
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q    <= Serve;
      cmd_q      <= CmdClear;
      status_q   <= StatusOk;
      in_turn_q  <= First;
      out_turn_q <= First;
      pending_q  <= '0;
      ask_q      <= '0;
      wait_q     <= '0;
      open_q     <= 1'b0;
      took_q     <= '0;
      hand_q     <= 1'b0;
      tells_q    <= 1'b0;
      forget_q   <= 1'b0;
      well_q     <= 1'b0;
    end else begin
      took_q <= word_taken ? '0 : took_q | (unit_in_valid_o & unit_in_ready_i);
      ask_q  <= ask_q & ~unit_cmd_ready_i;
      if (ends_badly) forget_q <= 1'b1;
      if (word_taken && unit_in_last_o) begin
        open_q <= 1'b0;
        if (serves) in_turn_q <= after(in_turn_q);
      end
      if (answered) out_turn_q <= after(out_turn_q);
      pending_q <= (pending_q | (dealt & unit_cmd_ready_i)) & ~({Units{answered}} & out_turn_q);

      unique case (state_q)
        Serve: begin
          if (|(dealt & unit_cmd_ready_i)) open_q <= 1'b1;
          if ((takes_key && cmd_valid_i) || (forget_q && !open_q && pending_q == '0)) begin
            state_q    <= Ask;
            status_q   <= StatusOk;
            tells_q    <= ~forget_q;
            forget_q   <= 1'b0;
            well_q     <= 1'b0;
            in_turn_q  <= First;
            out_turn_q <= First;
            cmd_q      <= forget_q ? CmdClear : command_e'(cmd_i);
            open_q     <= ~forget_q & loads;
            if (forget_q || loads || cmd_i == CmdClear) begin
              ask_q  <= All;
              wait_q <= All;
            end else begin
              ask_q  <= First;
              wait_q <= First;
            end
          end
        end
        Ask: begin
          wait_q <= wait_q & ~unit_answered;
          for (int unsigned i = 0; i < Units; i++) begin
            if (unit_answered[i] && unit_status_i[i] == StatusOk) well_q <= 1'b1;
            if (unit_answered[i] && unit_status_i[i] != StatusOk)
              status_q <= status_e'(unit_status_i[i]);
          end
          if (wait_q == '0) begin
            hand_q <= 1'b0;
            if (Generate != 0 && Units > 1 && cmd_q == CmdGenerate && !hand_q && !forget_q
                && status_q == StatusOk) begin
              hand_q <= 1'b1;
              open_q <= 1'b1;
              ask_q  <= All;
              wait_q <= All;
            end else begin
              state_q <= tells_q ? Tell : Serve;
              if (well_q && status_q != StatusOk) forget_q <= 1'b1;
            end
          end
        end
        default: if (done_ready_i) begin  // Tell
          state_q <= Serve;
          tells_q <= 1'b0;
        end
      endcase
    end
  end

endmodule

`default_nettype wire
