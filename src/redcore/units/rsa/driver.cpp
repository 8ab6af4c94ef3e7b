// SPDX-License-Identifier: Apache-2.0
// Drives redc_rsa, or several behind one face: commands with their operands and random bits in,
// their output and their answers out, with or without idles and back-pressure, with or without
// faults. What is right is judged in Python.

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>

#include "model_frame.h"

// As in rsa_bench.py, which compares what is said below it.
struct Job {
    const uint32_t *operands;
    uint64_t operand_count;
    uint64_t last_at; // the operand word that comes with in_last_i
    uint32_t *output;
    uint64_t output_room;
    const uint8_t *random; // one bit a byte
    uint64_t random_count;
    uint64_t fault_at; // the multiplier's result, from 0, that is turned; ~0: none
    uint64_t patience;
    uint32_t command;
    uint32_t stalls;
    uint32_t resumed; // the command was given before and goes on
    uint32_t read_lock;
    uint32_t several; // commands may be taken before the one before is answered
    uint64_t lock_turns_at; // output words, from which on it is the other way
    // Given back:
    uint64_t output_count;
    uint64_t random_used;
    uint64_t operands_taken;
    uint64_t results;
    uint64_t waited; // for the command to be taken
    uint64_t cycles; // from there to its answer
    uint32_t status;
    uint32_t key;
    uint32_t err;
};
REDC_LAYOUT(Job,
            REDC_FIELD(Job, operands), REDC_FIELD(Job, operand_count), REDC_FIELD(Job, last_at),
            REDC_FIELD(Job, output), REDC_FIELD(Job, output_room), REDC_FIELD(Job, random),
            REDC_FIELD(Job, random_count), REDC_FIELD(Job, fault_at), REDC_FIELD(Job, patience),
            REDC_FIELD(Job, command), REDC_FIELD(Job, stalls), REDC_FIELD(Job, resumed),
            REDC_FIELD(Job, read_lock), REDC_FIELD(Job, several), REDC_FIELD(Job, lock_turns_at),
            REDC_FIELD(Job, output_count), REDC_FIELD(Job, random_used),
            REDC_FIELD(Job, operands_taken), REDC_FIELD(Job, results), REDC_FIELD(Job, waited),
            REDC_FIELD(Job, cycles),
            REDC_FIELD(Job, status), REDC_FIELD(Job, key), REDC_FIELD(Job, err))

namespace {

// Commands one behind the other: `jobs[0]` has the random bits, the fault and the stalls of all.
void run(Clocked &handle, Job *jobs, uint64_t count) {
    Vmodel &model = *handle.model;
    Job &all = jobs[0];
    const bool several = all.several != 0, stalled = all.stalls != 0;
    // Jobs whose command was taken, whose operands were, and that are answered.
    uint64_t taken = all.resumed, fed = 0, answered = 0, quiet = 0;
    bool in_valid = false, rnd_valid = false, offered = false, done_offered = false;
    uint32_t offer = 0;
    while (answered < count && quiet < all.patience) {
        handle.heed_end();
        Job &job = jobs[answered];
        const uint64_t dice = stalled ? handle.random.next() : ~uint64_t{0};
        while (!in_valid && fed < count && jobs[fed].operands_taken == jobs[fed].operand_count)
            ++fed;
        if (!in_valid)
            in_valid = fed < count && (dice >> 20 & 3);
        if (!rnd_valid)
            rnd_valid = all.random_used < all.random_count && (dice >> 24 & 1);
        model.cmd_valid_i = taken < count;
        if (taken < count)
            model.cmd_i = jobs[taken].command;
        model.in_valid_i = in_valid;
        if (in_valid) {
            model.in_data_i = jobs[fed].operands[jobs[fed].operands_taken];
            model.in_last_i = jobs[fed].operands_taken == jobs[fed].last_at;
        }
        model.rnd_valid_i = rnd_valid;
        model.rnd_data_i = rnd_valid && all.random[all.random_used];
        model.out_ready_i = !stalled || (dice >> 28 & 3);
        model.done_ready_i = !stalled || (dice >> 32 & 1);
        model.read_lock_i = (job.read_lock != 0) != (job.output_count >= job.lock_turns_at);
        model.fault_i = 0;
        handle.settle();
        bool moved = false;
        if (model.result_o) {
            if (all.results == all.fault_at) {
                model.fault_i = 1;
                handle.settle();
            }
            ++all.results;
            moved = true;
        }
        if (offered && (!model.out_valid_o || model.out_data_o != offer))
            throw std::runtime_error("an output word was taken back or changed");
        if (done_offered && !model.done_valid_o)
            throw std::runtime_error("an answer was taken back");
        offered = model.out_valid_o && !model.out_ready_i;
        offer = model.out_data_o;
        done_offered = model.done_valid_o && !model.done_ready_i;
        for (uint64_t k = answered; k < taken; ++k)
            ++jobs[k].cycles;
        if (taken == answered)
            ++job.waited;
        else if (!model.busy_o)
            throw std::runtime_error("busy_o is low while a command goes on");
        if (model.cmd_valid_i && model.cmd_ready_o) {
            if (model.busy_o && !several)
                throw std::runtime_error("busy_o is high while a command is taken");
            ++taken;
            moved = true;
        }
        if (in_valid && model.in_ready_o) {
            moved = true;
            in_valid = false;
            ++jobs[fed].operands_taken;
        }
        if (rnd_valid && model.rnd_ready_o) {
            moved = true;
            rnd_valid = false;
            ++all.random_used;
        }
        if (model.out_valid_o && model.out_ready_i) {
            moved = true;
            if (job.output_count == job.output_room)
                throw std::runtime_error("too many output words");
            const bool last = job.output_count + 1 == job.output_room;
            if (model.out_last_o != last)
                throw std::runtime_error("out_last_o is on the wrong word");
            job.output[job.output_count++] = model.out_data_o;
        }
        job.key = model.key_o;
        job.err = model.err_o;
        if (model.done_valid_o && model.done_ready_i) {
            job.status = model.status_o;
            moved = true;
            ++answered;
        }
        quiet = moved ? 0 : quiet + 1;
        handle.edge();
    }
    model.cmd_valid_i = 0;
    model.in_valid_i = 0;
    model.rnd_valid_i = 0;
    model.out_ready_i = 0;
    model.done_ready_i = 0;
    if (answered < count)
        throw std::runtime_error("no handshake for " + std::to_string(quiet) + " cycles");
}

} // namespace

REDC_API Clocked *rsa_open(uint64_t seed) { return new Clocked{seed}; }

REDC_API void rsa_close(Clocked *handle) { delete handle; }

REDC_API void rsa_reset(Clocked *handle) {
    Vmodel &model = *handle->model;
    model.cmd_valid_i = 0;
    model.in_valid_i = 0;
    model.rnd_valid_i = 0;
    model.out_ready_i = 0;
    model.done_ready_i = 0;
    model.fault_i = 0;
    handle->reset();
}

// Cycles without any input, up to `count` or until nothing is going on; how many they were.
REDC_API uint64_t rsa_wait(Clocked *handle, uint64_t count) {
    uint64_t cycle = 0;
    for (; cycle < count && !handle->ended; ++cycle) {
        handle->settle();
        if (!handle->model->busy_o)
            break;
        handle->edge();
    }
    return cycle;
}

// The key that is held.
REDC_API uint32_t rsa_key(Clocked *handle) { return handle->model->key_o; }

// In driver_inside.cpp: the words of the unit's memory, `count` of them; and how often `size` bytes
// stand somewhere in the simulation's state.
uint64_t words_inside(const Vmodel &model, uint32_t *words, uint64_t count);
uint64_t traces_inside(const Vmodel &model, const uint8_t *bytes, uint64_t size);
REDC_API uint64_t rsa_memory(Clocked *handle, uint32_t *words, uint64_t count) {
    return words_inside(*handle->model, words, count);
}
REDC_API uint64_t rsa_traces(Clocked *handle, const uint8_t *bytes, uint64_t size) {
    return traces_inside(*handle->model, bytes, size);
}

// A model begins with zeros: where its state has gaps, memory used before would show through, and
// with it the key of a former model.
void *operator new(std::size_t size, std::align_val_t alignment) {
    const auto step = static_cast<std::size_t>(alignment);
    const std::size_t whole = (size + step - 1) / step * step;
    void *const place = std::aligned_alloc(step, whole);
    if (place == nullptr) throw std::bad_alloc{};
    return std::memset(place, 0, whole);
}
void operator delete(void *place, std::align_val_t) noexcept { std::free(place); }
void operator delete(void *place, std::size_t, std::align_val_t) noexcept { std::free(place); }

// Every register and memory by its name, where the design was built so, after a cycle in which all
// inputs are zero.
REDC_API const char *rsa_state(Clocked *handle) {
    Vmodel &model = *handle->model;
    model.cmd_i = 0;
    model.in_data_i = 0;
    model.in_last_i = 0;
    model.read_lock_i = 0;
    model.rnd_data_i = 0;
    model.fault_i = 0;
    handle->settle();
    handle->edge();
    handle->settle();
    static std::string text;
    text = handle->state();
    return text.c_str();
}

// The fault, or nothing.
REDC_API const char *rsa_run(Clocked *handle, Job *jobs, uint64_t count) {
    return handle->guarded([&] { run(*handle, jobs, count); });
}
