// SPDX-License-Identifier: Apache-2.0
// Turns bits of registers of redc_rsa in cycles of a command, or of a curve processor in cycles of
// a job, and looks what comes of it.
//
// Of a curve processor command 0 is a modulus with its constants, 1 a job, whose operands are words
// of both ports by turns.
//
// The design is built with visible names, so that writing a register reaches all logic behind it at
// the next evaluation. A command runs once without a fault, and the whole state is kept in every
// cycle; each fault goes on from there. Once a run is again what it was without its fault, it would
// end as that one did, and is cut short. Of all faults in a bit, from the last cycle to the first,
// one is cut short as well where nothing but that bit differs in a later cycle: that is a fault
// whose end is known.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "verilated.h"
// Checks in simulation alone, which a fault may break, do not end it: hardware has none.
// They are counted.
#define vl_stop stop_of_the_frame
#include "model_frame.h"
#undef vl_stop
static uint32_t complaints = 0;
void vl_stop(const char *, int, const char *) VL_MT_UNSAFE { ++complaints; }

namespace {

constexpr uint32_t WORDS = 64;

// What drives the design beside it, and what has come out of it; no pointers, so that it is kept by
// copying.
struct Face {
    uint64_t fed, drawn, count, cycles, lasts; // lasts: which output words were said to be the last
    uint32_t taken, answered, status, key, output[WORDS];
};

struct State {
    std::vector<uint8_t> bytes;
    Face face;
};

// Any signal; Python says which ones are registers.
struct Register {
    std::string name;
    uint8_t *data;
    uint32_t bits, size, elements; // bits and bytes of each element
};

} // namespace

// In faults_inside.cpp: all of the design's state.
uint8_t *state_inside(Vmodel &model);
std::size_t state_size();

// As in studies/faults.py.
struct Result {
    uint64_t cycles, count, lasts;
    uint32_t status, answered, same, asserted, unasked, left;
    uint32_t output[WORDS];
};
// A bit that is turned, at the beginning of a cycle.
struct Turn {
    uint64_t cycle;
    uint32_t number, element, bit;
};
REDC_LAYOUT(Result, REDC_FIELD(Result, cycles), REDC_FIELD(Result, count),
            REDC_FIELD(Result, lasts), REDC_FIELD(Result, status), REDC_FIELD(Result, answered),
            REDC_FIELD(Result, same), REDC_FIELD(Result, asserted), REDC_FIELD(Result, unasked),
            REDC_FIELD(Result, left), REDC_FIELD(Result, output))

struct Bench : Clocked {
    std::vector<Register> registers;
    std::vector<uint32_t> operands;
    std::vector<uint8_t> random_bits;
    uint32_t command = 0, stays = 0, right_left = 0;
    Face face{};
    std::vector<State> golden, idle;
    // Cycles of the command that is kept, and of the longest of all.
    uint64_t length = 0, longest = 0;
    std::size_t differed = 0;
    std::vector<uint32_t> right;
    // Where the unit has seen a fault in a command, and waits for the exponentiator, cycles.
    const Register *fault = nullptr, *works = nullptr, *waited = nullptr;

    explicit Bench(uint64_t seed) : Clocked{seed} {
        quiet();
        reset();
        const VerilatedScopeNameMap *const scopes = context->scopeNameMap();
        for (const auto &[scope_name, scope] : *scopes) {
            if (scope->varsp() == nullptr)
                continue;
            for (const auto &[name, variable] : *scope->varsp()) {
                if (variable.isParam())
                    continue;
                const uint32_t size = variable.entSize();
                registers.push_back({std::string(scope_name) + "." + name,
                                     static_cast<uint8_t *>(variable.datap()),
                                     static_cast<uint32_t>(variable.entBits()), size,
                                     static_cast<uint32_t>(variable.totalSize() / size)});
            }
        }
        for (const Register &each : registers) {
            if (ends(each.name, ".i_sequencer.fault_q"))
                fault = &each;
            if (ends(each.name, ".i_sequencer.works_o"))
                works = &each;
            if (ends(each.name, ".i_control.waited_q"))
                waited = &each;
        }
    }

    static bool ends(const std::string &text, const std::string &with) {
        return text.size() >= with.size() &&
               text.compare(text.size() - with.size(), with.size(), with) == 0;
    }
    void turn(const Turn &one) const {
        const Register &each = registers[one.number];
        each.data[std::size_t{one.element} * each.size + one.bit / 8] ^= uint8_t(1u << one.bit % 8);
    }
    bool told_by_the_unit() const { return fault && *fault->data && *works->data; }
    // What never comes is waited for as long as the longest command takes, and no longer.
    void hurry() {
        if (!waited)
            return;
        uint64_t cycles = 0;
        std::memcpy(&cycles, waited->data, waited->size);
        if (cycles > longest && !(cycles >> (waited->bits - 1))) {
            cycles = (uint64_t{1} << (waited->bits - 1)) - 1;
            std::memcpy(waited->data, &cycles, waited->size);
        }
    }
    // With all words out the last one is said to be.
    uint64_t last_of(uint64_t count) const {
        return count && count == right.size() ? uint64_t{1} << (count - 1) : 0;
    }
    // Nothing wrong is out.
    bool right_so_far() const {
        return face.count <= right.size() &&
               std::memcmp(face.output, right.data(), face.count * 4) == 0 &&
               face.lasts == last_of(face.count);
    }
    // A curve processor's answer without a result: zeros, behind words that were right.
    bool refused() const {
        uint64_t at = 0;
        while (at < face.count && at < right.size() && face.output[at] == right[at])
            ++at;
        while (at < face.count && !face.output[at])
            ++at;
        return !works && face.status && face.answered == 1 && face.count == right.size() &&
               at == face.count && face.lasts == last_of(face.count);
    }
    // Of the operands, words that are not taken: the next command would get them.
    uint32_t left() const {
        return static_cast<uint32_t>(operands.size() - std::min(face.fed, operands.size()));
    }
    // As in studies/faults.py: right or as without a fault, reported, not answered, or to be looked
    // at.
    uint8_t outcome() const {
        if (refused())
            return 1;
        if (!right_so_far() || face.answered > 1)
            return 3;
        if (!face.answered)
            return 2;
        if (left() != right_left)
            return 3;
        return face.status ? 1 : face.count == right.size() && !stays ? 0 : 3;
    }

    void quiet() { quiet(*model); }
    template <typename Model> void quiet(Model &m) {
        m.in_valid_i = m.rnd_valid_i = m.out_ready_i = 0;
        if constexpr (REDC_HAS(m, cmd_valid_i))
            m.cmd_valid_i = m.done_ready_i = m.read_lock_i = m.fault_i = 0;
        else
            m.mod_valid_i = 0;
    }

    State keep() const {
        const uint8_t *const raw = state_inside(*model);
        return {{raw, raw + state_size()}, face};
    }
    void restore(const State &state) {
        std::memcpy(state_inside(*model), state.bytes.data(), state.bytes.size());
        face = state.face;
    }
    // What differed last mostly does still: it is looked at first.
    bool equals(const State &state) {
        constexpr std::size_t PART = 256;
        const uint8_t *const raw = state_inside(*model);
        const auto part_differs = [&](std::size_t at) {
            return std::memcmp(raw + at, state.bytes.data() + at,
                               std::min(PART, state.bytes.size() - at)) != 0;
        };
        if (part_differs(differed) || std::memcmp(&face, &state.face, sizeof(face)) != 0)
            return false;
        for (std::size_t at = 0; at < state.bytes.size(); at += PART)
            if (part_differs(at)) {
                differed = at;
                return false;
            }
        return true;
    }

    void step() {
        model->rnd_valid_i = 1;
        model->rnd_data_i = random_bits[face.drawn % random_bits.size()];
        model->out_ready_i = 1;
        offer_and_take(*model);
        edge();
        ++face.cycles;
    }
    template <typename Model> void offer_and_take(Model &m) {
        constexpr bool rsa = REDC_HAS(m, cmd_valid_i);
        const uint64_t ports = rsa || !command ? 1 : 2;
        const bool valid = face.fed < operands.size();
        const bool last = valid && face.fed + ports == operands.size();
        bool takes = false;
        if constexpr (rsa) {
            m.cmd_valid_i = !face.taken;
            m.cmd_i = command;
            m.in_valid_i = valid;
            m.in_data_i = valid ? operands[face.fed] : 0;
            m.in_last_i = last;
            m.done_ready_i = 1;
            settle();
            takes = valid && m.in_ready_o;
            face.taken |= m.cmd_valid_i && m.cmd_ready_o;
        } else {
            m.mod_valid_i = valid && !command;
            m.in_valid_i = valid && command;
            m.mod_data_i = m.a_i = valid ? operands[face.fed] : 0;
            m.b_i = valid && command ? operands[face.fed + 1] : 0;
            m.mod_last_i = m.in_last_i = last;
            settle();
            takes = valid && (command ? m.in_ready_o : m.mod_ready_o);
        }
        if (takes)
            face.fed += ports;
        if (m.rnd_ready_o)
            ++face.drawn;
        if (m.out_valid_o) {
            if constexpr (rsa)
                face.output[face.count % WORDS] = m.out_data_o;
            else
                face.output[face.count % WORDS] = m.p_o;
            face.lasts |= uint64_t{m.out_last_o} << face.count % WORDS;
            ++face.count;
        }
        if constexpr (rsa) {
            if (m.done_valid_o) {
                ++face.answered;
                face.status = m.status_o;
            }
            face.key = m.key_o;
        } else if (m.out_valid_o) {
            face.status |= m.status_o;
            face.answered += m.out_last_o;
        } else if (!command && takes && last) {
            ++face.answered;
        }
    }

    void begin() {
        const uint64_t drawn = face.drawn;
        face = Face{};
        face.drawn = drawn;
    }

    void told(Result &result, bool same) const {
        result = Result{face.cycles, face.count, face.lasts, face.status, face.answered,
                        same,        complaints, 0,          left(),      {}};
        std::memcpy(result.output, face.output, sizeof(face.output));
    }
};

REDC_API Bench *faults_open(uint64_t seed) { return new Bench{seed}; }
REDC_API void faults_close(Bench *bench) {
    // Names of signals are taken out of the thread's context, which may be that of another unit.
    bench->enter();
    delete bench;
}

// Name, bits of an element and elements of each signal, a line each.
REDC_API const char *faults_registers(Bench *bench) {
    static std::string text;
    text.clear();
    for (const Register &each : bench->registers)
        text += each.name + " " + std::to_string(each.bits) + " " + std::to_string(each.elements) +
                "\n";
    return text.c_str();
}

// What the next commands are: their number, operands and random bits, one a byte.
REDC_API void faults_set(Bench *bench, uint32_t command, const uint32_t *operands, uint64_t count,
                         const uint8_t *random, uint64_t random_count) {
    bench->command = command;
    bench->operands.assign(operands, operands + count);
    bench->random_bits.assign(random, random + random_count);
}

// The command without a fault, up to `limit` cycles. `kept`: faults are going to be tried in it.
REDC_API void faults_run(Bench *bench, uint64_t limit, uint32_t kept, Result *result) {
    bench->enter();
    bench->begin();
    complaints = 0;
    if (kept)
        bench->golden.clear();
    while (!bench->face.answered && bench->face.cycles < limit) {
        if (kept)
            bench->golden.push_back(bench->keep());
        bench->step();
    }
    // What comes behind a fault may wait for what never comes.
    if (kept || bench->golden.empty())
        bench->longest = std::max(bench->longest, bench->face.cycles);
    if (kept)
        bench->length = bench->face.cycles;
    bench->told(*result, true);
}

// The words that are right, behind the command without a fault, whose operands are not taken more
// than there; `stays`: what is right shows in the commands behind this one.
REDC_API void faults_right(Bench *bench, const uint32_t *words, uint64_t count, uint32_t stays) {
    bench->right.assign(words, words + count);
    bench->stays = stays;
    bench->right_left = bench->left();
}

// A register's element at the beginning of a cycle of the command without a fault; or as it is now,
// where there is no such cycle.
REDC_API void faults_look(Bench *bench, uint64_t cycle, uint32_t number, uint32_t element,
                          uint8_t *value) {
    bench->enter();
    if (cycle < bench->golden.size())
        bench->restore(bench->golden[cycle]);
    const Register &each = bench->registers[number];
    std::memcpy(value, each.data + std::size_t{element} * each.size, each.size);
}

// Bits of registers turned, each at the beginning of its cycle of that command, in the order of
// cycles; it then goes on up to `limit` cycles. `same`: it is as without the fault. The state
// afterwards stays. With a count of 0 it goes on from the first one's cycle as it is.
REDC_API void faults_try(Bench *bench, const Turn *turns, uint64_t count, uint64_t limit,
                         Result *result) {
    bench->enter();
    bench->restore(bench->golden[turns[0].cycle]);
    complaints = 0;
    uint64_t turned = 0;
    while (!bench->face.answered && bench->face.cycles < limit) {
        const uint64_t cycle = bench->face.cycles;
        if (count && turned == count && cycle < bench->golden.size() &&
            bench->equals(bench->golden[cycle])) {
            bench->told(*result, true);
            return;
        }
        for (; turned < count && turns[turned].cycle == cycle; ++turned)
            bench->turn(turns[turned]);
        bench->hurry();
        bench->step();
    }
    bench->told(*result, false);
}

// The state of an idle unit, which has an operand offered, is kept: faults are going to be tried.
REDC_API void faults_idle(Bench *bench, uint64_t cycles) {
    bench->enter();
    bench->begin();
    bench->face.taken = 1;
    bench->idle.clear();
    for (uint64_t cycle = 0; cycle <= cycles; ++cycle) {
        bench->idle.push_back(bench->keep());
        bench->step();
    }
}

// A bit is turned in a cycle of the idle unit, which is then left alone for `wait` cycles, has to
// do the command, and is left alone again. `unasked`: words or answers that nobody asked for, and
// operands that were taken for nothing. `same`: it is idle as without the fault.
REDC_API void faults_idle_try(Bench *bench, const Turn *turn, uint64_t wait, uint64_t limit,
                              Result *result) {
    bench->enter();
    bench->restore(bench->idle[turn->cycle]);
    complaints = 0;
    bench->turn(*turn);
    const auto unasked = [bench] {
        return static_cast<uint32_t>(bench->face.answered + bench->face.count + bench->face.fed);
    };
    for (uint64_t cycle = 0; cycle < wait; ++cycle) {
        bench->step();
        const uint64_t now = bench->face.cycles;
        if (now < bench->idle.size() && bench->equals(bench->idle[now])) {
            bench->told(*result, true);
            return;
        }
    }
    const uint32_t before = unasked();
    const uint64_t drawn = bench->face.drawn;
    bench->begin();
    bench->face.drawn = drawn;
    // Whatever comes before the command is taken is no answer to it.
    uint32_t early = 0;
    while (!bench->face.answered && bench->face.cycles < limit) {
        const bool asked = bench->face.taken;
        bench->hurry();
        bench->step();
        if (!asked)
            early = unasked();
    }
    bench->told(*result, false);
    bench->begin();
    bench->face.taken = 1;
    bench->face.fed = bench->operands.size();
    for (uint64_t cycle = 0; cycle < wait; ++cycle)
        bench->step();
    result->unasked = before + early + unasked() - static_cast<uint32_t>(bench->operands.size());
    result->asserted = complaints;
}

// Of one bit, turned in every `stride`-th cycle, the outcomes, a byte a cycle, from `begin` on; 4:
// a cycle after the unit has seen a fault in the command that it works on, with nothing wrong out.
// One of `every` of these is not cut short.
REDC_API void faults_all(Bench *bench, uint32_t number, uint32_t element, uint32_t bit,
                         uint64_t begin, uint64_t stride, uint64_t every, uint64_t limit,
                         uint8_t *outcomes, uint8_t *asserted) {
    bench->enter();
    if (begin >= bench->length)
        return;
    uint64_t told = bit + number;
    for (uint64_t at = (bench->length - 1 - begin) / stride;; --at) {
        const Turn one{begin + at * stride, number, element, bit};
        bench->restore(bench->golden[one.cycle]);
        bench->turn(one);
        complaints = 0;
        uint8_t outcome = 255;
        bool whole = false;
        while (outcome == 255 && !bench->face.answered && bench->face.cycles < limit) {
            // A word that leaves beside a fault does so in this cycle.
            const bool seen = bench->told_by_the_unit();
            bench->hurry();
            bench->step();
            const uint64_t cycle = bench->face.cycles;
            if (!whole && seen && bench->right_so_far()) {
                whole = ++told % every == 0;
                if (!whole)
                    outcome = 4;
            }
            if (outcome == 255 && cycle < bench->golden.size() &&
                (cycle < one.cycle + 64 || cycle % 32 == 0 || (cycle - begin) % stride == 0)) {
                if (bench->equals(bench->golden[cycle])) {
                    outcome = 0;
                } else if (cycle >= begin && (cycle - begin) % stride == 0) {
                    bench->turn(one);
                    if (bench->equals(bench->golden[cycle])) {
                        outcome = outcomes[(cycle - begin) / stride];
                        complaints += asserted[(cycle - begin) / stride];
                    }
                    bench->turn(one);
                }
            }
        }
        outcomes[at] = outcome == 255 ? bench->outcome() : outcome;
        asserted[at] = complaints != 0;
        if (at == 0)
            return;
    }
}
