// SPDX-License-Identifier: Apache-2.0
// Turns one bit of one register of redc_rsa in one cycle of a command, and looks what comes of it.
//
// The design is built with visible names, so that writing a register reaches all logic behind it at
// the next evaluation. A command runs once without a fault, and the whole state is kept every
// `STEP` cycles; each fault goes on from there. Once a run is again what it was without its fault,
// it would end as that one did, and is cut short.

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "verilated.h"
// Checks in simulation alone, which a fault may break, do not end it: hardware has none.
#define vl_stop stop_of_the_frame
#include "model_frame.h"
#undef vl_stop
void vl_stop(const char *, int, const char *) VL_MT_UNSAFE {}

namespace {

constexpr uint64_t STEP = 32;
constexpr uint32_t WORDS = 64;

// What drives the design beside it, and what has come out of it; no pointers, so that it is kept by
// copying.
struct Face {
    uint64_t fed, drawn, count, cycles;
    uint32_t taken, answered, status, key, output[WORDS];
};

struct State {
    std::vector<uint8_t> bytes;
    Face face;
};

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
    uint64_t cycles, count;
    uint32_t status, answered, same;
    uint32_t output[WORDS];
};
REDC_LAYOUT(Result, REDC_FIELD(Result, cycles), REDC_FIELD(Result, count),
            REDC_FIELD(Result, status), REDC_FIELD(Result, answered), REDC_FIELD(Result, same),
            REDC_FIELD(Result, output))

struct Bench : Clocked {
    std::vector<Register> registers;
    std::vector<uint32_t> operands;
    std::vector<uint8_t> random_bits;
    uint32_t command = 0;
    Face face{};
    std::vector<State> golden;
    uint64_t length = 0;
    State at{}; // of the cycle that was asked for last
    bool at_known = false;

    explicit Bench(uint64_t seed) : Clocked{seed} {
        quiet();
        reset();
        const VerilatedScopeNameMap *const scopes = context->scopeNameMap();
        for (const auto &[scope_name, scope] : *scopes) {
            if (scope->varsp() == nullptr)
                continue;
            for (const auto &[name, variable] : *scope->varsp()) {
                const std::string text{name};
                if (variable.isParam() || text.size() < 2 || text.substr(text.size() - 2) != "_q")
                    continue;
                const uint32_t size = variable.entSize();
                registers.push_back({std::string(scope_name) + "." + text,
                                     static_cast<uint8_t *>(variable.datap()),
                                     static_cast<uint32_t>(variable.entBits()), size,
                                     static_cast<uint32_t>(variable.totalSize() / size)});
            }
        }
    }

    void quiet() {
        model->cmd_valid_i = 0;
        model->in_valid_i = 0;
        model->rnd_valid_i = 0;
        model->out_ready_i = 0;
        model->done_ready_i = 0;
        model->read_lock_i = 0;
        model->fault_i = 0;
    }

    State keep() const {
        const uint8_t *const raw = state_inside(*model);
        return {{raw, raw + state_size()}, face};
    }
    void restore(const State &state) {
        std::memcpy(state_inside(*model), state.bytes.data(), state.bytes.size());
        face = state.face;
    }
    bool equals(const State &state) const {
        return std::memcmp(state_inside(*model), state.bytes.data(), state.bytes.size()) == 0 &&
               std::memcmp(&face, &state.face, sizeof(face)) == 0;
    }

    void step() {
        Vmodel &m = *model;
        m.cmd_valid_i = !face.taken;
        m.cmd_i = command;
        const bool in_valid = face.fed < operands.size();
        m.in_valid_i = in_valid;
        m.in_data_i = in_valid ? operands[face.fed] : 0;
        m.in_last_i = in_valid && face.fed + 1 == operands.size();
        m.rnd_valid_i = 1;
        m.rnd_data_i = random_bits[face.drawn % random_bits.size()];
        m.out_ready_i = 1;
        m.done_ready_i = 1;
        settle();
        if (m.cmd_valid_i && m.cmd_ready_o)
            face.taken = 1;
        if (in_valid && m.in_ready_o)
            ++face.fed;
        if (m.rnd_ready_o)
            ++face.drawn;
        if (m.out_valid_o) {
            face.output[face.count % WORDS] = m.out_data_o;
            ++face.count;
        }
        if (m.done_valid_o) {
            ++face.answered;
            face.status = m.status_o;
        }
        face.key = m.key_o;
        edge();
        ++face.cycles;
    }

    void begin() {
        const uint64_t drawn = face.drawn;
        face = Face{};
        face.drawn = drawn;
    }

    void told(Result &result, bool same) const {
        result = Result{face.cycles, face.count, face.status, face.answered, same, {}};
        std::memcpy(result.output, face.output, sizeof(face.output));
    }
};

REDC_API Bench *faults_open(uint64_t seed) { return new Bench{seed}; }
REDC_API void faults_close(Bench *bench) { delete bench; }

// Name, bits of an element and elements of each register and memory, a line each.
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
    bench->at_known = false;
    if (kept)
        bench->golden.clear();
    while (!bench->face.answered && bench->face.cycles < limit) {
        if (kept && bench->face.cycles % STEP == 0)
            bench->golden.push_back(bench->keep());
        bench->step();
    }
    if (kept)
        bench->length = bench->face.cycles;
    bench->told(*result, true);
}

// A bit of a register turned at the beginning of a cycle of that command, which then goes on up to
// `limit` cycles. `same`: it is as without the fault. The state afterwards stays.
REDC_API void faults_try(Bench *bench, uint64_t cycle, uint32_t number, uint32_t element,
                         uint32_t bit, uint64_t limit, Result *result) {
    bench->enter();
    if (!bench->at_known || bench->at.face.cycles != cycle) {
        bench->restore(bench->golden[cycle / STEP]);
        while (bench->face.cycles < cycle)
            bench->step();
        bench->at = bench->keep();
        bench->at_known = true;
    }
    bench->restore(bench->at);
    const Register &turned = bench->registers[number];
    turned.data[std::size_t{element} * turned.size + bit / 8] ^= uint8_t(1u << bit % 8);
    while (!bench->face.answered && bench->face.cycles < limit) {
        if (bench->face.cycles % STEP == 0 && bench->face.cycles > cycle &&
            bench->face.cycles / STEP < bench->golden.size() &&
            bench->equals(bench->golden[bench->face.cycles / STEP])) {
            bench->told(*result, true);
            return;
        }
        bench->step();
    }
    bench->told(*result, false);
}
