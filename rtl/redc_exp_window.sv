// SPDX-License-Identifier: Apache-2.0
// redc_exp_window: the table of powers of a fixed-window exponentiation, and the entry in use.
//
// Contract  the table is written word by word. start_i takes the next digits_i bits of the exponent
//           and brings the entry of that number forward: ready from a cycle before the entry stands
//           at the read port until start_i.
// Method    every entry is read, whichever is wanted, and the wanted one is gathered by masking:
//           neither time nor addresses nor enables depend on the exponent.
// Timing    the entry stands digits_i + 2^Window * Beats + 2 cycles after start_i, later where the
//           bits are not there yet.
// Leakage   as under Method; the gathered data themselves are secret and toggle registers.
// Refuses   Window < 1 or > 6: at elaboration.
`default_nettype none

module redc_exp_window #(
  /// Bits of a word.
  parameter int unsigned WordBits = 32,
  /// Words of an entry.
  parameter int unsigned Beats = 8,
  /// Bits of the exponent that choose an entry, 1 to 6.
  parameter int unsigned Window = 4,
  /// 0: the table in registers. 1: in distributed memory. 2: in block memory.
  parameter int unsigned Storage = 1,
  /// Derived; not to be set.
  localparam int unsigned BeatBits = redc_pkg::index_bits(Beats)
) (
  input  wire logic                clk_i,
  /// Active low, synchronous.
  input  wire logic                rst_ni,

  /// Writes a word of an entry.
  input  wire logic                write_i,
  input  wire logic [5:0]          write_entry_i,
  input  wire logic [BeatBits-1:0] write_beat_i,
  input  wire logic [WordBits-1:0] write_data_i,

  /// Takes the next entry's number from the exponent and gathers the entry.
  input  wire logic                start_i,
  /// Bits to take, 1 to Window.
  input  wire logic [2:0]          digits_i,
  /// The exponent, bit by bit.
  input  wire logic                bit_valid_i,
  input  wire logic                bit_i,
  output      logic                bit_next_o,

  /// The entry is there in the next cycle, if there is no start_i now.
  output      logic                ready_ahead_o,
  /// Word of it to read; of several, a cycle later and while read_i is high.
  input  wire logic [BeatBits-1:0] read_beat_i,
  input  wire logic                read_i,
  output      logic [WordBits-1:0] read_data_o
);

  if (Window < 1 || Window > 6) begin : gen_refuse_window
    $error("redc_exp_window: Window=%0d is not within 1 to 6", Window);
  end
  if (Storage > 2) begin : gen_refuse_storage
    $error("redc_exp_window: Storage=%0d is not within 0 to 2", Storage);
  end

  localparam int unsigned Entries     = 1 << Window;
  localparam int unsigned TableDepth  = Entries * Beats;
  localparam int unsigned AddressBits = redc_pkg::index_bits(TableDepth);

  typedef enum logic [1:0] {
    StReady,
    StDigits,
    StScan
  } state_e;

  state_e                 state_q;
  logic [2:0]             digits_q;
  logic [Window-1:0]      number_q;
  // What is read, and a cycle later what is gathered.
  logic                   read_q, ready_q;
  logic [Window-1:0]      entry_q;
  // It is the first entry; it is the wanted one.
  logic                   first_q, wanted_q;
  logic [BeatBits-1:0]    beat_q, gather_beat_q;
  logic [WordBits-1:0]    table_word;
  logic                   last_beat, last_entry;

  assign bit_next_o = (state_q == StDigits) & bit_valid_i;
  assign last_beat  = beat_q == BeatBits'(Beats - 1);
  assign last_entry = &entry_q;
  assign ready_ahead_o = ready_q | (state_q == StReady);

  // The table, read a cycle ahead of the gathering.
  logic [AddressBits-1:0] write_address, read_address;
  // Numbers of entries have the bits of the largest window.
  assign write_address = AddressBits'(
      redc_exp_pkg::shared_address(32'(write_beat_i), 32'(Window'(write_entry_i)), Entries));
  assign read_address  = AddressBits'(
      redc_exp_pkg::shared_address(32'(beat_q), 32'(entry_q), Entries));
  wire unused = ^write_entry_i;

  redc_prim_ram #(
    .Bits(WordBits), .Depth(TableDepth), .Storage(Storage), .Registered(2)
  ) u_table (
    .clk_i, .write_i, .write_address_i(write_address), .write_data_i, .read_i(1'b1),
    .read_address_i(read_address), .read_data_o(table_word)
  );

  // The entry in use: gathered entry by entry, all of them written alike.
  localparam int unsigned ChosenStorage = (Beats == 1) ? 0 : redc_pkg::min(Storage, 1);
  logic [WordBits-1:0]      chosen, gathered;

  assign gathered = (first_q ? '0 : chosen) | (table_word & {WordBits{wanted_q}});

  redc_prim_ram #(.Bits(WordBits), .Depth(Beats), .Storage(ChosenStorage)) u_chosen (
    .clk_i, .write_i(read_q), .write_address_i(gather_beat_q), .write_data_i(gathered),
    .read_i(1'b1), .read_address_i(gather_beat_q), .read_data_o(chosen)
  );
  redc_prim_ram #(
    .Bits(WordBits), .Depth(Beats), .Storage(ChosenStorage), .Registered((Beats == 1) ? 0 : 1)
  ) u_read (
    .clk_i, .write_i(read_q), .write_address_i(gather_beat_q), .write_data_i(gathered), .read_i,
    .read_address_i(read_beat_i), .read_data_o
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StReady;
      read_q  <= 1'b0;
      ready_q <= 1'b0;
    end else begin
      read_q <= (state_q == StScan);
      ready_q <= ready_ahead_o & ~start_i;
      unique case (state_q)
        StReady: if (start_i) state_q <= StDigits;
        StDigits: if (bit_valid_i && digits_q == 3'd1) state_q <= StScan;
        StScan: if (last_beat && last_entry) state_q <= StReady;
        default: state_q <= StReady;
      endcase
    end

    first_q       <= entry_q == '0;
    wanted_q      <= entry_q == number_q;
    gather_beat_q <= beat_q;
    if (start_i) begin
      digits_q <= digits_i;
      number_q <= '0;
      entry_q  <= '0;
      beat_q   <= '0;
    end else if (bit_next_o) begin
      digits_q <= digits_q - 1'b1;
      number_q <= Window'({number_q, bit_i});
    end else if (state_q == StScan) begin
      beat_q <= last_beat ? '0 : beat_q + 1'b1;
      if (last_beat) entry_q <= entry_q + 1'b1;
    end
  end

endmodule

`default_nettype wire
