// SPDX-License-Identifier: Apache-2.0
// The one driver for every core behind the multiplier contract, linked with the verilated core into
// a shared library that Python loads with ctypes.
//
// Python hands over a batch of multiplications and modulus loads as contiguous buffers; the loop
// over clock cycles, the handshakes, the idles and the watching of the contract are here. Whether a
// result is right is not judged here but in Python, with GMP.
//
// An operand in a buffer is one little-endian integer of `operand_bytes` bytes, a multiple of 8;
// the driver cuts it into beats of `word_bits` bits. Port types follow from the verilated class, so
// widths need no configuration at compile time.
//
// Which modulus a multiplication is made with: the last one of its place whose last beat was
// accepted in a cycle before that of the first operand beat. A core may let a modulus wait until
// its place is out of use, or let each multiplication take its own along.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "model_frame.h"

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "ports are filled as little-endian bytes");

namespace {

// One stream's will to go: always, or in runs of random length. Short runs shake the handshakes,
// runs of up to two intervals fill or drain the pipeline.
class Pacer {
  public:
    void start(bool stalls, uint64_t longest) {
        stalls_ = stalls;
        longest_ = longest < 2 ? 2 : longest;
        go_ = true;
        left_ = 0;
    }
    bool step(Random &random) {
        if (!stalls_)
            return true;
        if (!left_) {
            go_ = !go_;
            const uint64_t kind = random.below(16);
            const uint64_t limit = kind < 9 ? 3 : kind < 15 ? 10 : longest_;
            left_ = 1 + random.below(limit);
        }
        --left_;
        return go_;
    }

  private:
    bool stalls_ = false;
    bool go_ = true;
    uint64_t longest_ = 2;
    uint64_t left_ = 0;
};

template <typename Port>
void put(Port &port, const uint8_t *operand, uint32_t beat, uint32_t word_bits, bool single) {
    if (single) {
        // The buffer is a multiple of 8 bytes long, so it holds at least the port's own size.
        std::memcpy(&port, operand, sizeof(Port));
        return;
    }
    uint8_t word[sizeof(Port) + 8] = {};
    const uint64_t first = uint64_t{beat} * word_bits;
    for (uint32_t bit = 0; bit < word_bits; bit += 32) {
        uint64_t chunk;
        std::memcpy(&chunk, operand + (first + bit) / 8, 8);
        chunk >>= (first + bit) % 8;
        if (word_bits - bit < 32)
            chunk &= (uint64_t{1} << (word_bits - bit)) - 1;
        const uint32_t bits = static_cast<uint32_t>(chunk);
        std::memcpy(word + bit / 8, &bits, 4);
    }
    std::memcpy(&port, word, sizeof(Port));
}

template <typename Port>
void take(const Port &port, uint8_t *operand, uint32_t beat, uint32_t word_bits, bool single) {
    if (single) {
        std::memcpy(operand, &port, sizeof(Port));
        return;
    }
    uint8_t word[sizeof(Port) + 8] = {};
    std::memcpy(word, &port, sizeof(Port));
    const uint64_t first = uint64_t{beat} * word_bits;
    for (uint32_t bit = 0; bit < word_bits; bit += 32) {
        uint32_t bits;
        std::memcpy(&bits, word + bit / 8, 4);
        uint64_t chunk = bits;
        if (word_bits - bit < 32)
            chunk &= (uint64_t{1} << (word_bits - bit)) - 1;
        uint64_t old;
        std::memcpy(&old, operand + (first + bit) / 8, 8);
        old |= chunk << ((first + bit) % 8);
        std::memcpy(operand + (first + bit) / 8, &old, 8);
    }
}

template <typename Port> void scramble(Port &port, uint32_t word_bits, Random &random) {
    uint8_t word[sizeof(Port) + 8] = {};
    for (uint32_t bit = 0; bit < word_bits; bit += 32) {
        uint32_t bits = static_cast<uint32_t>(random.next());
        if (word_bits - bit < 32)
            bits &= (uint32_t{1} << (word_bits - bit)) - 1;
        std::memcpy(word + bit / 8, &bits, 4);
    }
    std::memcpy(&port, word, sizeof(Port));
}

// An exponentiator has a port for the exponent's length, a multiplier has not.
template <typename Model> void set_bits(Model &model, uint32_t bits) {
    if constexpr (REDC_HAS(model, bits_i))
        model.bits_i = bits;
    else
        (void)bits;
}

// Some multipliers are told, with the first word, of a pair that is one number twice. What stands
// there later must not matter.
template <typename Model> void set_square(Model &model, bool first, bool square, Random &random) {
    if constexpr (REDC_HAS(model, in_square_i))
        model.in_square_i = first ? square : random.below(2);
    else
        (void)first, (void)square, (void)random;
}

} // namespace

// As in simulator.py, which compares what is said below it. All cycles are clock edges counted
// since the handle was made.
struct Job {
    uint64_t count;   // multiplications
    const uint8_t *a; // count operands
    const uint8_t *b;
    const uint32_t *place;  // count modulus places
    uint64_t load_count;    // modulus loads, in order
    const uint8_t *modulus; // load_count numbers of modulus_bytes
    const uint32_t *load_place;
    const uint64_t *load_from;  // offered once so many multiplications of the batch are accepted
    const uint64_t *load_until; // and no more than so many are offered before it is accepted
    uint8_t *result;            // count operands, zeroed by the caller
    uint64_t *accepted;         // cycle of the first operand beat
    uint64_t *answered;         // cycle of the last result beat
    uint64_t *loaded;           // loads accepted before the first operand beat
    uint64_t patience;          // cycles without any handshake that count as a hang
    uint64_t longest_stall;     // cycles
    uint32_t stalls;
    uint32_t lone; // nothing else in flight
    // null, or for each multiplication the cycles by which it is offered later than it might be
    const uint32_t *rests;
    // Given back:
    uint64_t results;
    uint64_t most_in_flight;
    uint64_t cycles;
};
REDC_LAYOUT(Job,
            REDC_FIELD(Job, count), REDC_FIELD(Job, a), REDC_FIELD(Job, b),
            REDC_FIELD(Job, place), REDC_FIELD(Job, load_count), REDC_FIELD(Job, modulus),
            REDC_FIELD(Job, load_place), REDC_FIELD(Job, load_from), REDC_FIELD(Job, load_until),
            REDC_FIELD(Job, result), REDC_FIELD(Job, accepted), REDC_FIELD(Job, answered),
            REDC_FIELD(Job, loaded), REDC_FIELD(Job, patience), REDC_FIELD(Job, longest_stall),
            REDC_FIELD(Job, stalls), REDC_FIELD(Job, lone), REDC_FIELD(Job, rests),
            REDC_FIELD(Job, results), REDC_FIELD(Job, most_in_flight), REDC_FIELD(Job, cycles))

struct Handle : Clocked {
    uint32_t word_bits;
    uint32_t beats;
    uint32_t operand_bytes;
    uint32_t modulus_beats; // words on the modulus stream, and their buffer's size
    uint32_t modulus_bytes;
    uint32_t exponent_bits = 0;
    bool squares_told = false;
    bool random_stalls = false;
    std::string faults; // one per line, the first few
    uint32_t fault_count = 0;
    bool err_seen = false;

    using Clocked::Clocked;

    void fault(const std::string &text) {
        if (fault_count++ < 8)
            faults += "cycle " + std::to_string(cycle) + ": " + text + "\n";
    }

    void settle() {
        model->clk_i = 0;
        give_random(*model, random, random_lanes, random_stalls);
        evaluate();
    }

    void quiet() {
        model->mod_valid_i = 0;
        model->in_valid_i = 0;
        model->out_ready_i = 0;
    }

    void reset(uint32_t cycles) {
        quiet();
        model->rst_ni = 0;
        for (uint32_t i = 0; i < cycles; ++i) {
            settle();
            edge();
        }
        model->rst_ni = 1;
        err_seen = false;
    }

    bool run(Job &job);
};

bool Handle::run(Job &job) {
    Vmodel &m = *model;
    const bool single = beats == 1;
    const size_t size = operand_bytes;
    const bool stalls = job.stalls != 0;
    const uint64_t start = cycle;

    Pacer in_pace, out_pace, mod_pace;
    in_pace.start(stalls, job.longest_stall);
    out_pace.start(stalls, job.longest_stall);
    mod_pace.start(stalls, job.longest_stall);

    set_bits(m, exponent_bits);
    random_stalls = stalls;
    uint64_t next = 0; // operand being offered, or the next to be
    uint32_t in_beat = 0;
    bool in_valid = false;
    uint64_t load = 0;
    uint32_t mod_beat = 0;
    bool mod_valid = false;
    uint64_t done = 0; // results complete
    uint64_t rest = job.rests && job.count ? job.rests[0] : 0;
    uint32_t out_beat = 0;
    bool waiting = false; // a result was valid and not taken in the cycle before
    std::remove_reference_t<decltype(m.p_o)> held_p{};
    uint8_t held_last = 0;
    uint64_t last_progress = cycle;
    job.results = 0;
    job.most_in_flight = 0;

    while (done < job.count || load < job.load_count) {
        heed_end();
        // A valid that is up stays up; the pacer speaks only when a new beat could start.
        if (!in_valid && next < job.count) {
            bool permitted = (load >= job.load_count || next < job.load_until[load]) &&
                             (!job.lone || next == done) &&
                             (!job.lone || load >= job.load_count);
            if (permitted && !in_beat && rest) {
                --rest;
                permitted = false;
            }
            if (in_pace.step(random) && (in_beat || permitted)) {
                in_valid = true;
                put(m.a_i, job.a + next * size, in_beat, word_bits, single);
                put(m.b_i, job.b + next * size, in_beat, word_bits, single);
                const size_t at = next * size;
                set_square(m, in_beat == 0,
                           squares_told && !in_beat && !std::memcmp(job.a + at, job.b + at, size),
                           random);
                m.in_idx_i = job.place[next];
                m.in_last_i = in_beat + 1 == beats;
            } else if (stalls) {
                // What stands on the data lines without valid must not matter.
                scramble(m.a_i, word_bits, random);
                scramble(m.b_i, word_bits, random);
                m.in_last_i = random.below(2);
                set_square(m, false, false, random);
            }
        }
        m.in_valid_i = in_valid;
        if (!mod_valid && load < job.load_count) {
            if ((mod_beat || next >= job.load_from[load]) && mod_pace.step(random)) {
                mod_valid = true;
                put(m.mod_data_i, job.modulus + load * modulus_bytes, mod_beat, word_bits,
                    modulus_beats == 1);
                m.mod_idx_i = job.load_place[load];
                m.mod_last_i = mod_beat + 1 == modulus_beats;
            } else if (stalls) {
                scramble(m.mod_data_i, word_bits, random);
            }
        }
        m.mod_valid_i = mod_valid;
        const bool out_ready = out_pace.step(random);
        m.out_ready_i = out_ready;

        settle();

        const bool in_fire = in_valid && m.in_ready_o;
        const bool mod_fire = mod_valid && m.mod_ready_o;
        const bool out_valid = m.out_valid_o;
        if (waiting) {
            if (!out_valid) {
                fault("out_valid_o fell before out_ready_i took the result");
            } else if (std::memcmp(&held_p, &m.p_o, sizeof(held_p)) != 0 ||
                       held_last != m.out_last_o) {
                fault("p_o or out_last_o changed while the result waited for out_ready_i");
            }
        }
        waiting = out_valid && !out_ready;
        if (waiting) {
            std::memcpy(&held_p, &m.p_o, sizeof(held_p));
            held_last = m.out_last_o;
        }
        if (m.err_o && !err_seen) {
            err_seen = true;
            fault("err_o rose though modulus and operands are legal");
        }
        const uint64_t now = cycle;
        if (in_fire) {
            if (in_beat == 0) {
                job.accepted[next] = now;
                job.loaded[next] = load;
            }
            in_valid = false;
            if (++in_beat == beats) {
                in_beat = 0;
                ++next;
                rest = job.rests && next < job.count ? job.rests[next] : 0;
            }
            last_progress = now;
        }
        if (out_valid && out_ready) {
            if (done >= next) {
                fault("a result came that no multiplication asked for");
                return false;
            }
            take(m.p_o, job.result + done * size, out_beat, word_bits, single);
            const bool last = out_beat + 1 == beats;
            if (static_cast<bool>(m.out_last_o) != last) {
                fault("out_last_o is " + std::to_string(int{m.out_last_o}) + " on beat " +
                      std::to_string(out_beat) + " of " + std::to_string(beats));
            }
            if (last) {
                job.answered[done++] = now;
                job.results = done;
                out_beat = 0;
            } else {
                ++out_beat;
            }
            last_progress = now;
        }
        if (mod_fire) {
            mod_valid = false;
            if (++mod_beat == modulus_beats) {
                mod_beat = 0;
                ++load;
            }
            last_progress = now;
        }
        if (next - done > job.most_in_flight)
            job.most_in_flight = next - done;

        edge();
        if (cycle - last_progress > job.patience) {
            fault("nothing moved for " + std::to_string(job.patience) + " cycles: " +
                  std::to_string(next) + " multiplications accepted, " + std::to_string(done) +
                  " answered, " + (mod_valid ? "a modulus waits" : "no modulus waits") + ", " +
                  (in_valid ? "an operand waits" : "no operand waits"));
            return false;
        }
    }
    quiet();
    // A result too many shows only after the last one.
    const uint64_t tail = 8;
    for (uint64_t i = 0; i < tail; ++i) {
        m.out_ready_i = 1;
        settle();
        if (m.out_valid_o) {
            fault("a result came that no multiplication asked for");
            return false;
        }
        edge();
    }
    job.cycles = cycle - start;
    return true;
}

REDC_API void *redc_open(uint64_t seed, uint32_t word_bits, uint32_t beats,
                         uint32_t operand_bytes) {
    auto handle = std::make_unique<Handle>(seed);
    handle->quiet();
    handle->word_bits = word_bits;
    handle->beats = beats;
    handle->operand_bytes = operand_bytes;
    handle->modulus_beats = beats;
    handle->modulus_bytes = operand_bytes;
    return handle.release();
}

REDC_API void redc_close(void *opaque) {
    delete static_cast<Handle *>(opaque);
}

// Operands of another number of beats from now on, where the modulus sets the precision.
REDC_API void redc_set_beats(void *opaque, uint32_t beats, uint32_t operand_bytes) {
    auto &handle = *static_cast<Handle *>(opaque);
    handle.beats = beats;
    handle.operand_bytes = operand_bytes;
}

// Moduli of another number of beats than operands: constants may follow a modulus.
REDC_API void redc_set_modulus_beats(void *opaque, uint32_t beats, uint32_t modulus_bytes) {
    auto &handle = *static_cast<Handle *>(opaque);
    handle.modulus_beats = beats;
    handle.modulus_bytes = modulus_bytes;
}

REDC_API void redc_set_bits(void *opaque, uint32_t bits) {
    static_cast<Handle *>(opaque)->exponent_bits = bits;
}

// Whether a pair of equal operands is told to be a square from now on.
REDC_API void redc_tell_squares(void *opaque, uint32_t told) {
    static_cast<Handle *>(opaque)->squares_told = told != 0;
}

// 0 when done, 1 when the core stopped answering or the RTL raised an error; redc_faults says why.
REDC_API int redc_reset(void *opaque, uint32_t cycles) {
    auto &handle = *static_cast<Handle *>(opaque);
    handle.enter();
    try {
        handle.reset(cycles);
        return 0;
    } catch (const std::exception &error) {
        handle.fault(error.what());
        return 1;
    }
}

REDC_API int redc_run(void *opaque, Job *job) {
    auto &handle = *static_cast<Handle *>(opaque);
    handle.enter();
    try {
        return handle.run(*job) ? 0 : 1;
    } catch (const std::exception &error) {
        handle.fault(error.what());
        return 1;
    }
}

// The faults seen since the last call's clearing: text of the first eight, one per line.
REDC_API const char *redc_faults(void *opaque) {
    return static_cast<Handle *>(opaque)->faults.c_str();
}

REDC_API void redc_clear_faults(void *opaque) {
    auto &handle = *static_cast<Handle *>(opaque);
    handle.faults.clear();
    handle.fault_count = 0;
}
