// SPDX-License-Identifier: Apache-2.0
// redc_rsa_sequencer: the instruction of redc_rsa_program_pkg that is under way.
//
// Contract  ins_o is under way while stays_o is high, and in the cycle of done_o behind. It begins
//           at LReset; behind OpStatus it goes to LIdle, and from OpIdle to the command's entry.
//           After a fault it goes to LFault; with no command under way, which could be answered, to
//           LReset.
// Method    the two instructions behind and the address of the one after them are in registers;
//           where nothing jumps one follows the other without a gap. Calls are up to 4 deep. What
//           an instruction is, whether it ends and where it goes are in registers, too. Any one bit
//           of what decides where the program goes that is turned is a fault: an address and an
//           instruction have a parity bit from where they come from, flags a copy, and one bit of
//           is_o is set while one is under way. That it ends, that another one comes and that the
//           program leaves is known a cycle ahead, and compared with what says so then. Of works_o,
//           by which a fault is answered or not, there are three copies, of which two decide.
// Timing    an instruction that needs nothing takes a cycle, with OpCount and OpReturn two, any
//           other ends in the cycle behind ends_i. One that may jump is followed by three cycles
//           without any: in the first its target is fetch_q, then it is read, then it is ahead.
//           The program leaves three cycles after a fault.
// Leakage   which instructions run is seen in cycles; the program sees to it.
// Refuses   a program that addresses are too short for: at elaboration.
// Partner   redc_rsa_control.
`default_nettype none

module redc_rsa_sequencer
  import redc_rsa_instruction_pkg::*;
  import redc_rsa_program_pkg::*;
#(
  /// Primitives of the program's memory: 0 generic, 1 ECP5, 2 as 0.
  parameter int unsigned Technology = 0
) (
  input  wire logic         clk_i,
  /// Active low, synchronous.
  input  wire logic         rst_ni,
  /// The command that OpIdle goes to (redc_rsa_pkg::command_e), with ends_i.
  input  wire logic [2:0]   cmd_i,
  /// A command is there, which OpIdle takes; one was answered in the cycle before.
  input  wire logic         asks_i,
  input  wire logic         answered_i,
  /// The instruction under way has done its work: the next cycle is its last one.
  input  wire logic         ends_i,
  /// With ends_i: OpBranch is taken.
  input  wire logic         taken_i,
  /// OpLoop goes back.
  input  wire logic         again_i,
  /// It ends at once and goes to LStuck.
  input  wire logic         gives_up_i,
  /// Faults were seen elsewhere;
  input  wire logic [5:0]   faults_i,
  /// in the cycle before; and here or there, of which the program leaves in the next cycle.
  output      logic         seen_o,
  output      logic         fault_o,
  /// A command has come and is not answered: OpIdle takes none.
  output      logic         works_o,
  /// The last cycle.
  output      logic         done_o,
  /// An instruction is under way, and in the next cycle, too.
  output      logic         stays_o,
  output      instruction_t ins_o,
  /// The bit of the operation under way.
  output      ops_t         is_o,
  /// A pass or a loop follows, which looks at no number in its first cycles.
  output      logic         chained_o,
  /// An OpFill from the generator is under way; ins_o is an OpModulus: from registers.
  output      logic         from_generator_o,
  output      logic         sends_modulus_o
);

  if (Lines > Size) begin : gen_refuse_program
    $error("redc_rsa_sequencer: the program has %0d instructions, above %0d", Lines, Size);
  end

  localparam int unsigned StackDepth = 4;
  // What takes one cycle, and what does not go on to what is behind it.
  localparam ops_t One     = 1;
  localparam ops_t Single  = One << OpHold | One << OpUse | One << OpLoop | One << OpJump
      | One << OpCall | One << OpExponent | One << OpUsed | One << OpReset
      | One << OpKey;
  localparam ops_t Jumping = One << OpIdle | One << OpLoop | One << OpJump | One << OpCall
      | One << OpReturn | One << OpBranch | One << OpStatus;

  // An instruction, decoded: what it is, and whether it ends at once, jumps, may overlap with a
  // pass before it, is an OpFill from the generator; of the first, `single` and `jumps` the parity.
  typedef struct packed {
    instruction_t ins;
    ops_t         is;
    logic         single;
    logic         jumps;
    logic         parity;
    logic         chained;
    logic         generates;
  } decoded_t;
  typedef decoded_t [Size-1:0] decodes_t;

  function automatic decodes_t decode(code_t code);
    decodes_t decodes;
    for (int unsigned place = 0; place < Size; place++) begin
      decodes[place].ins       = code[place];
      decodes[place].is        = One << code[place].op;
      decodes[place].single    = |(One << code[place].op & Single);
      decodes[place].jumps     = |(One << code[place].op & Jumping);
      decodes[place].parity    = ^{code[place], decodes[place].single, decodes[place].jumps};
      decodes[place].chained   = code[place].op inside {OpPass, OpLoop};
      decodes[place].generates = code[place].op == OpFill && code[place].a == FromGenerator;
    end
    return decodes;
  endfunction
  localparam decodes_t Decodes = decode(Code);

  // An address; all of it has even parity.
  typedef struct packed {
    logic parity;
    arg_t at;
  } address_t;

  function automatic address_t address_of(arg_t place);
    return {^place, place};
  endfunction

  // The address behind it, without a carry chain, at whose end its parity would be late: a bit
  // turns where all below it are set.
  function automatic address_t after(address_t place);
    arg_t turned;
    for (int unsigned k = 0; k < $bits(arg_t); k++) turned[k] = &(place.at | ('1 << k));
    return place ^ {^turned, turned};
  endfunction

  localparam address_t NoCall = address_of(At[LFault]);

  decoded_t     ahead;
  instruction_t ins_q;
  // Addresses of what is fetched, of what is read, of ahead, and where ins_q goes, unless that is
  // OpLoop.
  address_t     fetch_q, read_address_q, following_q, target_q, branch_to_q, next, aside;
  address_t     fault_to_q;  // where it goes with a fault
  ops_t         is_q;
  logic         run_q, read_valid_q, ahead_valid_q, ends_q, single_q, jumps_q;
  logic         parity_q, read_valid, ahead_valid, ends, gives_up, fault;
  // The instruction ends, the next one comes, the program goes elsewhere: known a cycle ahead, from
  // registers, as much hangs on each.
  logic         done, done_q, moves_on, moves_on_q, leaves, leaves_q;
  logic         from_generator_q, sends_modulus_q, chained_q, gives_up_q;
  // Where calls return to, the last one first; behind them what a return without a call would be.
  address_t [StackDepth-1:0] stack_q;
  // `odd_q`: a parity is wrong, or a fault was seen elsewhere.
  logic         fault_q, works, working;
  logic [14:0]  odd_q;
  // Three, of which two decide: whether a fault is answered hangs on it.
  logic [2:0]   works_q;
  // The complements of flags, which synthesis is not to make of these: attributes on the signal for
  // vendors' tools, on the process for Yosys.
  (* keep = "true", dont_touch = "true", syn_preserve = 1 *)
  logic         read_valid_nq, ahead_valid_nq, ends_nq, gives_up_nq, fault_nq;

  assign stays_o          = ~moves_on_q;
  assign done_o           = done_q;
  assign ins_o            = ins_q;
  assign is_o             = is_q;
  assign chained_o        = chained_q;
  assign from_generator_o = from_generator_q;
  assign sends_modulus_o  = sends_modulus_q;
  assign seen_o           = |odd_q[11:6];
  assign fault_o          = fault_q;
  assign works            = redc_vote_pkg::majority(works_q);
  assign works_o          = works;
  assign working          = rst_ni & ~answered_i & (works | (is_q[OpIdle] & asks_i & ~fault_q));

  redc_prim_rom #(
    .Bits($bits(decoded_t)), .Depth(Size), .Technology(Technology), .Content(Decodes)
  ) i_program (
    .clk_i, .read_i(moves_on_q), .address_i(fetch_q.at), .data_o(ahead)
  );

  redc_prim_fanout #(.Copies(3)) i_works (
    .clk_i, .d_i(working), .q_o(works_q)
  );

  always_comb begin
    // With a fault it goes on by whether a command is to be answered, which is known late. Either
    // of two registers says so, as a turned bit is not to lead elsewhere.
    if (fault_q || !fault_nq) next = fault_to_q;
    else next = (is_q[OpLoop] && !again_i && !gives_up_q) ? following_q : target_q;
    // Of what stays; beside a fault it makes no difference, as the program leaves.
    ends = ends_i | is_q[OpReturn] | is_q[OpCount];
    gives_up = rst_ni & run_q & gives_up_i;
    fault = rst_ni & (|odd_q);
    {ahead_valid, read_valid} = {ahead_valid_q, read_valid_q};
    if (!rst_ni || leaves_q) {ahead_valid, read_valid} = '0;
    else if (moves_on_q) {ahead_valid, read_valid} = {read_valid_q, 1'b1};
    done     = rst_ni & ~leaves_q & (moves_on_q ? ahead_valid_q & ahead.single : ends);
    moves_on = ~rst_ni | leaves_q | (moves_on_q ? ~ahead_valid_q | ahead.single : ends);
    leaves   = rst_ni & (fault
             | (~leaves_q & (moves_on_q ? ahead_valid_q & (gives_up | (ahead.single & ahead.jumps))
                                        : gives_up | (ends & jumps_q))));
  end

  (* keep *)
  always_ff @(posedge clk_i)
    {fault_nq, gives_up_nq, ends_nq, ahead_valid_nq, read_valid_nq}
        <= ~{fault, gives_up, rst_ni & ~moves_on_q & ends, ahead_valid, read_valid};

  // What has come from nowhere yet has any parity.
  always_ff @(posedge clk_i) begin
    odd_q[0]  <= ^{fetch_q, target_q};
    odd_q[12] <= (read_valid_q & ^read_address_q) ^ (ahead_valid_q & ^following_q);
    odd_q[1] <= ^stack_q;
    odd_q[2] <= run_q & ^{ins_q, single_q, jumps_q, parity_q};
    odd_q[5] <= (is_q[OpIdle] & works & ~ends_q)
              | (run_q & (sends_modulus_q ^ is_q[OpModulus]))
              | (from_generator_q ^ (is_q[OpFill] & (ins_q.a == FromGenerator)));
    odd_q[3] <= ^{run_q, is_q};
    odd_q[4] <= ~&({fault_q, gives_up_q, read_valid_q, ahead_valid_q, ends_q}
                   ^ {fault_nq, gives_up_nq, read_valid_nq, ahead_valid_nq, ends_nq});
    odd_q[11:6] <= faults_i;
    odd_q[14] <= (done_q ^ (run_q & (single_q | ends_q))) | (moves_on_q ^ (~run_q | done_q));
    odd_q[13] <= (leaves_q ^ (fault_q | (run_q & (gives_up_q | (done_q & jumps_q)))));
    if (!rst_ni) odd_q <= '0;
    fault_q <= fault;
  end

  // At most one of these instructions is under way: alternatives side by side, none behind another.
  assign aside = (address_of(At[arg_t'(LGenerate) + arg_t'(cmd_i)])
                  & {$bits(address_t){is_q[OpIdle]}})
               | (stack_q[0] & {$bits(address_t){is_q[OpReturn]}})
               | ((taken_i ? branch_to_q : following_q) & {$bits(address_t){is_q[OpBranch]}})
               | (address_of(At[LIdle])
                  & {$bits(address_t){~(is_q[OpIdle] | is_q[OpReturn] | is_q[OpBranch])}});

  always_ff @(posedge clk_i) begin
    branch_to_q <= address_of(ins_q.arg);
    // Of what jumps without more ado it is known as it comes; else it is of the first cycle, with
    // OpIdle of the one that a command comes in, with OpBranch of the last but one.
    target_q <= (moves_on_q && ahead_valid_q) ? address_of(ahead.ins.arg) : aside;
    if (gives_up) target_q <= address_of(At[LStuck]);
    fault_to_q <= address_of(working ? At[LFault] : At[LReset]);
    ends_q     <= rst_ni & ~moves_on_q & ends;
    gives_up_q <= gives_up;
    {done_q, moves_on_q, leaves_q} <= {done, moves_on, leaves};
    chained_q  <= ahead.chained;
    if (moves_on_q) begin
      read_address_q  <= fetch_q;
      following_q     <= read_address_q;
      ins_q           <= ahead.ins;
      sends_modulus_q <= ahead.is[OpModulus];
      single_q        <= ahead.single;
      jumps_q         <= ahead.jumps;
      parity_q        <= ahead.parity;
    end
    if (!rst_ni || leaves_q || (moves_on_q && !ahead_valid_q)) begin
      {run_q, is_q, from_generator_q} <= '0;
    end else if (moves_on_q) begin
      {run_q, is_q, from_generator_q} <= {1'b1, ahead.is, ahead.generates};
    end
    {ahead_valid_q, read_valid_q} <= {ahead_valid, read_valid};
    if (!rst_ni) fetch_q <= address_of(At[LReset]);
    else if (leaves_q) fetch_q <= next;
    else if (moves_on_q) fetch_q <= after(fetch_q);
    if (!rst_ni || fault_q || (done_q && is_q[OpKey])) stack_q <= {StackDepth{NoCall}};
    else if (done_q && is_q[OpCall]) stack_q <= {stack_q[StackDepth-2:0], following_q};
    else if (done_q && is_q[OpReturn]) stack_q <= {NoCall, stack_q[StackDepth-1:1]};
  end

endmodule

`default_nettype wire
