// SPDX-License-Identifier: Apache-2.0
// redc_exp_window: the table of powers of a fixed-window exponentiation, and the entry in use.
//
// Contract  the table is written word by word. start_i takes the next digits_i bits of the exponent
//           and brings the entry of that number forward: ready from a cycle before the entry stands
//           at the read port until start_i.
// Method    every entry is read, whichever is wanted, and the wanted one is gathered by masking:
//           neither time nor addresses nor enables depend on the exponent. Of several words, block
//           memory is read through a register more, from the place of the next cycle: in tables of
//           2048 words, or of 4096 above that, between which a choice is made behind it. So is an
//           entry of more than 32 words, where block memory stands beside it (Far).
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
  /// 1: words of the entry in use come two cycles later, as those of block memory beside them.
  parameter int unsigned Far = 0,
  /// Of block memory, as redc_prim_block has it.
  parameter int unsigned Technology = 0,
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
  /// Of several, word of it to read, now and in the next cycle; it is there a cycle later and
  /// while read_i is high, Far two more later.
  input  wire logic [BeatBits-1:0] read_beat_i,
  input  wire logic [BeatBits-1:0] read_ahead_i,
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
    StReady  = 2'b00,
    StDigits = 2'b01,
    StScan   = 2'b10
  } state_e;

  // Every entry's word, then the next word of each.
  typedef struct packed {
    logic [BeatBits-1:0] beat;
    logic [Window-1:0]   entry;
  } place_t;

  state_e                 state_q;
  logic [2:0]             digits_q;
  logic [Window-1:0]      number_q;
  // What is read in the next cycle; what is read, a cycle later what is gathered, and in the one
  // behind it what is written. A vector of one bit is not split, and Verilator says so.
  // verilator lint_off SPLITVAR
  place_t                 next_q, at /*verilator split_var*/;
  // verilator lint_on SPLITVAR
  logic                   read_q, ready_q, write_q;
  logic [BeatBits-1:0]    read_word_q, write_word_q;
  logic                   scan, scan_next;
  // It is the last one; what is read in the next cycle is; one digit is left.
  logic                   last_q, next_last_q, last_digit_q;

  // Each state but the first has a bit.
  assign bit_next_o = state_q[0] & bit_valid_i;
  assign scan       = state_q[1];
  assign scan_next  = (bit_next_o & last_digit_q) | (scan & ~last_q);
  // It moves on in the cycle before it is read: nothing has to be chosen in front of memories. What
  // is read next is the last one for a cycle, in which nothing else than the scan goes on.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || (scan && next_last_q)) {next_q, next_last_q} <= '0;
    else if (scan_next) begin
      next_q      <= next_q + 1'b1;
      next_last_q <= next_q == {BeatBits'(Beats - 1), Window'(Entries - 2)};
    end
    last_q <= rst_ni & scan & next_last_q;
  end
  assign ready_ahead_o = ready_q | (state_q == StReady);

  // A lane's part of the table has an address of its own: from one for all it would take most of a
  // cycle to get to the last bit. A deep table is read a cycle ahead of the gathering.
  localparam int unsigned Ahead    = (Storage != 1 || TableDepth > 16) ? 1 : 0;
  localparam int unsigned LaneBits = (Storage != 1) ? WordBits
      : redc_pkg::ceil_div(WordBits, redc_pkg::ceil_div(WordBits * TableDepth, 16 * 96));
  localparam int unsigned Lanes    = redc_pkg::ceil_div(WordBits, LaneBits);
  // A table of up to 128 words is two, each of them read in parts of 32: of longer parts a choice
  // among memories of 16 words would lie between address and registers.
  localparam bit          Fetched    = (Storage == 2 && Beats > 1);
  localparam int unsigned TableWords = Fetched ? ((TableDepth > 4096) ? 4096 : 2048)
      : (Storage == 1 && TableDepth > 64 && TableDepth <= 128) ? 64 : TableDepth;
  localparam int unsigned Tables     = redc_pkg::ceil_div(TableDepth, TableWords);
  localparam int unsigned WhichBits  = redc_pkg::index_bits(Tables);
  // The entry in use is in block memory, too: of more words distributed memory is many cells, and
  // of fewer no block is worth it.
  localparam bit          Deep       = Far != 0 && Beats > 32;

  // Entries change every cycle; what counts them has registers of its own.
  place_t [Lanes:0]             place;
  logic [AddressBits-1:0]       write_address;
  // Numbers of entries have the bits of the largest window.
  assign write_address = AddressBits'({write_beat_i, Window'(write_entry_i)});
  wire unused = ^write_entry_i;
  // It is the first entry; it is the wanted one.
  logic                         first_q;
  logic [Lanes-1:0]             wanted;
  redc_prim_fanout #(.Copies(Lanes)) u_wanted (
    .clk_i, .d_i(at.entry == number_q), .q_o(wanted)
  );
  redc_prim_fanout #(.Bits($bits(place_t)), .Copies(Lanes + 1)) u_place (
    .clk_i, .d_i((Ahead != 0) ? next_q : at), .q_o(place)
  );
  if (Ahead != 0) begin : gen_ahead
    assign at = place[Lanes];
  end else begin : gen_at_once
    always_ff @(posedge clk_i) at <= next_q;
    wire unused_place = ^place[Lanes];
  end

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam int unsigned Low = l * LaneBits;
    localparam int unsigned Own = redc_pkg::min(LaneBits, WordBits - Low);
    logic [Own-1:0] table_word, gathered_q;

    logic [AddressBits-1:0]     read_address, fetched;
    logic [Tables-1:0][Own-1:0] words;
    assign read_address = AddressBits'(place[l]);
    assign fetched      = AddressBits'(next_q);
    wire unused_addresses = &{1'b0, read_address, fetched};
    for (genvar t = 0; t < Tables; t++) begin : gen_table
      localparam int unsigned Depth = redc_pkg::min(TableWords, TableDepth - t * TableWords);
      localparam int unsigned Bits  = redc_pkg::index_bits(Depth);
      logic write;
      assign write = write_i & (32'(write_address) / TableWords == t);
      if (Fetched) begin : gen_fetched
        redc_prim_block #(.Bits(Own), .Depth(Depth), .Technology(Technology)) u_table (
          .clk_i, .write_i(write), .write_address_i(Bits'(write_address)),
          .write_data_i(write_data_i[Low+:Own]), .read_address_i(Bits'(fetched)), .read_i(1'b1),
          .read_data_o(words[t])
        );
      end else begin : gen_read
        redc_prim_ram #(
          .Bits(Own), .Depth(Depth), .Storage(Storage), .Registered(3 * Ahead)
        ) u_table (
          .clk_i, .write_i(write), .write_address_i(Bits'(write_address)),
          .write_data_i(write_data_i[Low+:Own]), .read_i(1'b1),
          .read_address_i(Bits'(read_address)), .read_data_o(words[t])
        );
      end
    end
    if (Tables == 1) begin : gen_one_table
      assign table_word = words[0];
    end else begin : gen_tables
      logic [WhichBits-1:0] which_q;
      always_ff @(posedge clk_i) which_q <= WhichBits'(32'(read_address) / TableWords);
      assign table_word = words[which_q];
    end

    // The entry in use: gathered entry by entry. Of several words each is written again and again,
    // and stays as it was last: that of the last one comes while the first one can be read.
    always_ff @(posedge clk_i) if (read_q)
      gathered_q <= (first_q ? '0 : gathered_q) | (table_word & {Own{wanted[l]}});
    if (Beats == 1) begin : gen_word
      assign read_data_o[Low+:Own] = gathered_q;
    end else begin : gen_words
      // Each lane has its own number of the word.
      logic [BeatBits-1:0] read_beat;
      if (Far == 0) begin : gen_near
        redc_prim_fanout #(.Bits(BeatBits), .Copies(1)) u_beat (
          .clk_i, .d_i(read_ahead_i), .q_o(read_beat)
        );
      end else begin : gen_far
        // Block memory is two registers, the other one.
        localparam int unsigned Waits = Deep ? 1 : 2;
        logic [Waits-1:0][BeatBits-1:0] read_beat_q;
        always_ff @(posedge clk_i) if (read_i)
          read_beat_q <= (Waits * BeatBits)'({read_beat_q, read_beat_i});
        assign read_beat = read_beat_q[Waits-1];
      end
      if (Deep) begin : gen_block
        redc_prim_block #(
          .Bits(Own), .Depth(Beats), .Technology(Technology), .Held(1)
        ) u_word (
          .clk_i, .write_i(write_q), .write_address_i(write_word_q), .write_data_i(gathered_q),
          .read_address_i(read_beat), .read_i, .read_data_o(read_data_o[Low+:Own])
        );
      end else begin : gen_ram
        redc_prim_ram #(
          .Bits(Own), .Depth(Beats), .Storage(redc_pkg::min(Storage, 1)), .Registered(1)
        ) u_word (
          .clk_i, .write_i(write_q), .write_address_i(write_word_q), .write_data_i(gathered_q),
          .read_i, .read_address_i(read_beat), .read_data_o(read_data_o[Low+:Own])
        );
      end
    end
  end
  wire unused_read = &{1'b0, write_q, write_word_q, read_beat_i, read_ahead_i, read_i};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StReady;
      read_q  <= 1'b0;
      ready_q <= 1'b0;
    end else begin
      read_q  <= scan;
      ready_q <= ready_ahead_o & ~start_i;
      unique case (state_q)
        StReady: if (start_i) state_q <= StDigits;
        StDigits: if (bit_valid_i && last_digit_q) state_q <= StScan;
        StScan: if (last_q) state_q <= StReady;
        default: state_q <= StReady;
      endcase
    end

    first_q      <= at.entry == '0;
    write_q      <= read_q;
    read_word_q  <= at.beat;
    write_word_q <= read_word_q;
    if (start_i) begin
      digits_q     <= digits_i;
      last_digit_q <= digits_i == 3'd1;
      number_q     <= '0;
    end else if (bit_next_o) begin
      digits_q     <= digits_q - 1'b1;
      last_digit_q <= digits_q == 3'd2;
      number_q     <= Window'({number_q, bit_i});
    end
  end

endmodule

`default_nettype wire
