// SPDX-License-Identifier: Apache-2.0
// Drives a prime tester or a prime generator: candidates or requests in, random bits in, answers or
// primes out, with or without idles and back-pressure. Which of the two it is follows from the
// ports. What is right is judged in Python.

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

#include "model_frame.h"

// As in prime_bench.py, which compares what is said below it.
struct Job {
    uint64_t count;
    const uint8_t *numbers; // `bytes` each, little-endian; a generator has none
    uint8_t *results;       // a generator's primes, likewise; zeroed by the caller
    const uint8_t *random;  // one bit a byte
    uint64_t random_count;
    uint32_t *answers;  // prime | reason << 8 | base << 16; count | tested << 16 of a generator
    uint64_t *accepted; // cycle of the first beat
    uint64_t *answered; // cycle in which the answer's first beat is offered
    uint64_t patience;
    uint32_t bytes;
    uint32_t word_bits;
    uint32_t beats;
    uint32_t stalls;
    uint32_t lone;
    // Given back:
    uint32_t err;
    uint64_t random_used;
    uint64_t done;
    uint64_t cycles;
};
REDC_LAYOUT(Job,
            REDC_FIELD(Job, count), REDC_FIELD(Job, numbers), REDC_FIELD(Job, results),
            REDC_FIELD(Job, random), REDC_FIELD(Job, random_count), REDC_FIELD(Job, answers),
            REDC_FIELD(Job, accepted), REDC_FIELD(Job, answered), REDC_FIELD(Job, patience),
            REDC_FIELD(Job, bytes), REDC_FIELD(Job, word_bits), REDC_FIELD(Job, beats),
            REDC_FIELD(Job, stalls), REDC_FIELD(Job, lone), REDC_FIELD(Job, err),
            REDC_FIELD(Job, random_used), REDC_FIELD(Job, done), REDC_FIELD(Job, cycles))

namespace {

uint32_t bit_of(const uint8_t *number, uint64_t bit) { return number[bit / 8] >> (bit % 8) & 1; }

template <typename Port>
void put(Port &port, const uint8_t *number, uint32_t beat, uint32_t word_bits) {
    uint8_t word[sizeof(Port)] = {};
    for (uint32_t bit = 0; bit < word_bits; ++bit)
        word[bit / 8] |= bit_of(number, uint64_t{beat} * word_bits + bit) << (bit % 8);
    std::memcpy(&port, word, sizeof(Port));
}

template <typename Port>
void take(const Port &port, uint8_t *number, uint32_t beat, uint32_t word_bits) {
    uint8_t word[sizeof(Port)];
    std::memcpy(word, &port, sizeof(Port));
    for (uint32_t bit = 0; bit < word_bits; ++bit) {
        const uint64_t at = uint64_t{beat} * word_bits + bit;
        number[at / 8] |= bit_of(word, bit) << (at % 8);
    }
}

template <typename Model> void run(Clocked &handle, Model &model, Job &job) {
    constexpr bool generates = REDC_HAS(model, out_data_o);
    const uint32_t in_beats = generates ? 1 : job.beats;
    uint64_t sent = 0, quiet = 0;
    uint32_t in_beat = 0, out_beat = 0;
    bool in_valid = false, rnd_valid = false, offered = false;
    const uint64_t start = handle.cycle;
    while (job.done < job.count && quiet < job.patience) {
        handle.heed_end();
        const bool stalled = job.stalls != 0;
        const uint64_t dice = stalled ? handle.random.next() : ~uint64_t{0};
        if (!in_valid)
            in_valid = sent < job.count && (!job.lone || job.done == sent) && (dice >> 20 & 3);
        if (!rnd_valid)
            rnd_valid = job.random_used < job.random_count && (dice >> 24 & 1);
        model.in_valid_i = in_valid;
        if constexpr (!generates) {
            if (in_valid) {
                put(model.in_data_i, job.numbers + sent * job.bytes, in_beat, job.word_bits);
                model.in_last_i = in_beat + 1 == job.beats;
            }
        }
        model.rnd_valid_i = rnd_valid;
        model.rnd_data_i = rnd_valid && job.random[job.random_used];
        // Now and then nothing is taken for long.
        model.out_ready_i = !stalled || ((dice >> 28 & 3) && (handle.cycle >> 10 & 7) != 5);
        handle.settle();
        bool moved = false;
        if (model.out_valid_o) {
            if (!offered && !out_beat)
                job.answered[job.done] = handle.cycle;
            offered = true;
        } else if (offered) {
            throw std::runtime_error("an answer was taken back");
        }
        if (in_valid && model.in_ready_o) {
            if (in_beat == 0)
                job.accepted[sent] = handle.cycle;
            moved = true;
            in_valid = false;
            if (++in_beat == in_beats) {
                in_beat = 0;
                ++sent;
            }
        }
        if (rnd_valid && model.rnd_ready_o) {
            moved = true;
            rnd_valid = false;
            ++job.random_used;
        }
        if (model.out_valid_o && model.out_ready_i) {
            moved = true;
            offered = false;
            if constexpr (generates) {
                take(model.out_data_o, job.results + job.done * job.bytes, out_beat, job.word_bits);
                job.answers[job.done] = model.out_count_o | uint32_t{model.out_tested_o} << 16;
                if (model.out_last_o != (out_beat + 1 == job.beats))
                    throw std::runtime_error("out_last_o is on the wrong beat");
                out_beat = (out_beat + 1) % job.beats;
            } else {
                job.answers[job.done] = model.out_prime_o | uint32_t{model.out_reason_o} << 8 |
                                        uint32_t{model.out_base_o} << 16;
            }
            job.done += !out_beat;
        }
        quiet = moved ? 0 : quiet + 1;
        handle.edge();
        job.cycles = handle.cycle - start; // others look while this runs
    }
    job.err = model.err_o;
    if (job.done < job.count)
        throw std::runtime_error("no handshake for " + std::to_string(quiet) + " cycles");
}

} // namespace

REDC_API Clocked *prime_open(uint64_t seed) { return new Clocked{seed}; }

REDC_API void prime_close(Clocked *handle) { delete handle; }

REDC_API void prime_reset(Clocked *handle) {
    Vmodel &model = *handle->model;
    model.in_valid_i = 0;
    model.rnd_valid_i = 0;
    model.out_ready_i = 0;
    handle->reset();
}

// The fault, or nothing.
REDC_API const char *prime_run(Clocked *handle, Job *job) {
    return handle->guarded([&] { run(*handle, *handle->model, *job); });
}
