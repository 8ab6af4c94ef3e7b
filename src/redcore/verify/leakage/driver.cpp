// SPDX-License-Identifier: Apache-2.0
// Power traces of a unit by toggles, and their statistics in one pass.
//
// A sample is what toggles from one settled cycle to the next, weighted: of registers and memories,
// or of every net of a mapped netlist. The design is built with visible names; Python says which
// signals count, with which weight and in which channel. Of each channel and cycle the sums of the
// first four powers are kept for two classes of traces, about the first trace of all, so that sums
// of whole numbers are exact.

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "model_frame.h"

// As in traces.py.
struct Job {
    uint64_t count;         // traces
    uint64_t length;        // samples of each
    uint64_t expected;      // cycle of the answer; traces with another one are left out; 0: any
    const uint8_t *a;       // operands, a_bytes each; of RSA the words of a message
    const uint8_t *b;       // b_bytes each
    const uint8_t *keys;    // of RSA: what is loaded before each trace, key_bytes each; 0: nothing
    const uint8_t *classes; // 0 or 1 each
    uint64_t a_bytes, b_bytes, key_bytes;
    double *reference; // channels * length
    double *sums;      // 2 * channels * 4 * length
    float *raw;        // count * length of one channel, or none
    uint8_t *result;   // a_bytes each
    uint32_t *answered; // the cycle of each answer
    uint32_t raw_channel;
    uint32_t replay;  // the same random bits for each trace
    uint32_t command; // of RSA
    uint32_t exponent_bits;
    // Given back:
    uint64_t counted[2], left_out[2];
    uint64_t taken; // the last operand beat of the first trace that counts
    uint64_t given; // the first word of its answer
};
REDC_LAYOUT(Job, REDC_FIELD(Job, count), REDC_FIELD(Job, length), REDC_FIELD(Job, expected),
            REDC_FIELD(Job, a), REDC_FIELD(Job, b), REDC_FIELD(Job, keys),
            REDC_FIELD(Job, classes), REDC_FIELD(Job, a_bytes), REDC_FIELD(Job, b_bytes),
            REDC_FIELD(Job, key_bytes), REDC_FIELD(Job, reference), REDC_FIELD(Job, sums),
            REDC_FIELD(Job, raw), REDC_FIELD(Job, result), REDC_FIELD(Job, answered),
            REDC_FIELD(Job, raw_channel), REDC_FIELD(Job, replay), REDC_FIELD(Job, command),
            REDC_FIELD(Job, exponent_bits), REDC_FIELD(Job, counted), REDC_FIELD(Job, left_out),
            REDC_FIELD(Job, taken), REDC_FIELD(Job, given))

namespace {

constexpr uint32_t LOAD_KEY = 1; // redc_rsa_pkg's CmdLoadKey
constexpr uint64_t PATIENCE = 4'000'000;
constexpr uint64_t READY = 4096; // cycles in which a unit at rest becomes ready

struct Signal {
    const uint8_t *data;
    uint32_t bytes, at; // and where the value before is kept
    uint64_t mask;      // of signals of a byte
    uint32_t channel;
    double weight;
};

// Bits of a number into a port or out of it.
template <typename Port>
void put(Port &port, const uint8_t *number, uint64_t first, uint32_t bits) {
    uint8_t word[sizeof(Port)] = {};
    for (uint64_t k = 0; k < bits; ++k)
        word[k / 8] |= uint8_t((number[(first + k) / 8] >> ((first + k) % 8) & 1) << k % 8);
    std::memcpy(&port, word, sizeof(Port));
}
template <typename Port>
void take(const Port &port, uint8_t *number, uint64_t first, uint32_t bits) {
    uint8_t word[sizeof(Port)];
    std::memcpy(word, &port, sizeof(Port));
    for (uint64_t k = 0; k < bits; ++k)
        number[(first + k) / 8] |= uint8_t((word[k / 8] >> k % 8 & 1) << (first + k) % 8);
}

struct Bench : Clocked {
    uint32_t word_bits, beats, modulus_beats;
    std::vector<Signal> signals;
    uint32_t channels = 1;
    std::vector<uint8_t> before;
    std::vector<double> samples;
    bool referred = false;

    Bench(uint64_t seed, uint32_t word, uint32_t operand, uint32_t modulus, uint32_t lanes)
        : Clocked{seed}, word_bits{word}, beats{operand}, modulus_beats{modulus} {
        set_random_lanes(lanes);
        quiet(*model);
        reset();
    }

    template <typename Model> void quiet(Model &m) {
        if constexpr (REDC_HAS(m, cmd_valid_i)) {
            m.cmd_valid_i = m.in_valid_i = m.rnd_valid_i = m.out_ready_i = m.done_ready_i = 0;
            m.read_lock_i = m.fault_i = 0;
        } else {
            m.mod_valid_i = m.in_valid_i = m.out_ready_i = 0;
            m.in_idx_i = m.mod_idx_i = 0;
        }
    }

    void settled() {
        give_random(*model, random, random_lanes, false);
        settle();
    }

    void measure(uint64_t cycle, uint64_t length) {
        for (const Signal &each : signals) {
            uint8_t *const old = before.data() + each.at;
            uint64_t toggles = 0;
            switch (each.bytes) {
            case 1: toggles = changed<uint8_t>(each, old, 0) & each.mask; break;
            case 2: toggles = changed<uint16_t>(each, old, 0); break;
            case 4: toggles = changed<uint32_t>(each, old, 0); break;
            case 8: toggles = changed<uint64_t>(each, old, 0); break;
            default:
                if (std::memcmp(old, each.data, each.bytes) == 0)
                    continue;
                for (uint32_t k = 0; k + 4 < each.bytes; k += 4)
                    toggles += ones(changed<uint32_t>(each, old, k));
                // The last bytes, how many they may be.
                for (uint32_t k = (each.bytes - 1) / 4 * 4; k < each.bytes; ++k)
                    toggles += ones(changed<uint8_t>(each, old, k));
                spend(each, toggles, cycle, length);
                continue;
            }
            if (toggles)
                spend(each, ones(toggles), cycle, length);
        }
    }

    template <typename Word>
    static uint64_t changed(const Signal &signal, uint8_t *old, uint32_t at) {
        Word now, then;
        std::memcpy(&now, signal.data + at, sizeof(Word));
        std::memcpy(&then, old + at, sizeof(Word));
        std::memcpy(old + at, &now, sizeof(Word));
        return static_cast<Word>(now ^ then);
    }

    // Without the processor's own instruction, which a library that travels may not find.
    static uint64_t ones(uint64_t bits) {
        bits -= bits >> 1 & 0x5555555555555555;
        bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
        return ((bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101 >> 56;
    }

    void spend(const Signal &signal, uint64_t toggles, uint64_t cycle, uint64_t length) {
        if (cycle >= length)
            return;
        const double spent = signal.weight * double(toggles);
        samples[cycle] += spent;
        if (channels > 1)
            samples[signal.channel * length + cycle] += spent;
    }

    // Whether a trace counts yet; until then those before are overwritten.
    static bool counted(const Job &job) { return job.counted[0] + job.counted[1] != 0; }

    // One trace of a unit behind the multiplier contract, from the cycle that takes operands.
    template <typename Model>
    uint64_t contract(Model &m, Job &job, uint64_t number) {
        const uint8_t *const a = job.a + number * job.a_bytes;
        const uint8_t *const b = job.b + number * job.b_bytes;
        if constexpr (REDC_HAS(m, bits_i))
            m.bits_i = job.exponent_bits;
        uint32_t in_beat = 0, out_beat = 0;
        uint64_t ended = 0;
        const auto offer = [&] {
            m.in_valid_i = in_beat < beats;
            if (in_beat < beats) {
                put(m.a_i, a, uint64_t{in_beat} * word_bits, word_bits);
                put(m.b_i, b, uint64_t{in_beat} * word_bits, word_bits);
                m.in_last_i = in_beat + 1 == beats;
            }
        };
        m.out_ready_i = 1;
        for (uint64_t wait = 0; wait < READY; ++wait) {
            settled();
            if (m.in_ready_o)
                break;
            measure(job.length, job.length);
            edge();
        }
        measure(job.length, job.length);
        for (uint64_t at = 0; at < job.length; ++at) {
            heed_end();
            offer();
            if (at)
                settled();
            else
                settle(); // the cycle in which it was found ready
            measure(at, job.length);
            if (m.in_valid_i && m.in_ready_o && ++in_beat == beats && !counted(job))
                job.taken = at;
            if (m.out_valid_o) {
                if (!out_beat && !counted(job))
                    job.given = at;
                if (out_beat < beats)
                    take(m.p_o, job.result + number * job.a_bytes, uint64_t{out_beat} * word_bits,
                         word_bits);
                if (++out_beat == beats)
                    ended = at;
            }
            edge();
        }
        return ended;
    }

    // A command of an RSA unit with its words; the cycle of its answer. Without `measured` it is
    // followed to its end, however long that takes.
    template <typename Model>
    uint64_t command(Model &m, Job &job, uint64_t number, uint32_t command, const uint8_t *words,
                     uint64_t count, bool measured) {
        uint64_t fed = 0, given = 0, ended = 0;
        m.cmd_valid_i = 0;
        m.out_ready_i = m.done_ready_i = 1;
        for (uint64_t wait = 0; wait < PATIENCE; ++wait) {
            settled();
            if (m.cmd_ready_o)
                break;
            measure(job.length, job.length);
            edge();
        }
        measure(job.length, job.length);
        bool taken = false;
        const uint64_t end = measured ? job.length : PATIENCE;
        for (uint64_t at = 0; at < end && (measured || !ended); ++at) {
            heed_end();
            m.cmd_valid_i = !taken;
            m.cmd_i = command;
            m.in_valid_i = fed < count;
            if (fed < count) {
                uint32_t word;
                std::memcpy(&word, words + 4 * fed, 4);
                m.in_data_i = word;
                m.in_last_i = fed + 1 == count;
            }
            if (at)
                settled();
            else
                settle();
            measure(measured ? at : job.length, job.length);
            taken |= m.cmd_valid_i && m.cmd_ready_o;
            if (m.in_valid_i && m.in_ready_o && ++fed == count && measured && !counted(job))
                job.taken = at;
            if (m.out_valid_o) {
                if (measured && !given && !counted(job))
                    job.given = at;
                if (measured && 4 * given < job.a_bytes)
                    std::memcpy(job.result + number * job.a_bytes + 4 * given, &m.out_data_o, 4);
                ++given;
            }
            if (m.done_valid_o && !ended) {
                ended = at;
                if (m.status_o)
                    throw std::runtime_error("a command was answered with status " +
                                             std::to_string(int(m.status_o)));
            }
            edge();
        }
        if (!measured && !ended)
            throw std::runtime_error("a command is not answered");
        return ended;
    }

    template <typename Model> uint64_t trace(Model &m, Job &job, uint64_t number) {
        if constexpr (REDC_HAS(m, cmd_valid_i)) {
            if (job.key_bytes)
                command(m, job, number, LOAD_KEY, job.keys + number * job.key_bytes,
                        job.key_bytes / 4, false);
            std::fill(samples.begin(), samples.end(), 0.0);
            return command(m, job, number, job.command, job.a + number * job.a_bytes,
                           job.a_bytes / 4, true);
        } else {
            std::fill(samples.begin(), samples.end(), 0.0);
            return contract(m, job, number);
        }
    }

    __attribute__((optimize("O3"))) void add(Job &job, bool one) {
        const uint64_t all = channels * job.length;
        if (!referred)
            std::memcpy(job.reference, samples.data(), 8 * all);
        referred = true;
        for (uint64_t channel = 0; channel < channels; ++channel) {
            const double *const x = samples.data() + channel * job.length;
            const double *const r = job.reference + channel * job.length;
            double *const s = job.sums + 4 * job.length * (one * channels + channel);
            double *const s2 = s + job.length, *const s3 = s2 + job.length,
                          *const s4 = s3 + job.length;
            for (uint64_t k = 0; k < job.length; ++k) {
                const double d = x[k] - r[k], square = d * d;
                s[k] += d;
                s2[k] += square;
                s3[k] += square * d;
                s4[k] += square * square;
            }
        }
    }

    void run(Job &job) {
        samples.assign(channels * job.length, 0.0);
        referred = false;
        for (uint64_t number = 0; number < job.count; ++number) {
            if (job.replay)
                random = Random{7};
            const uint64_t ended = trace(*model, job, number);
            job.answered[number] = static_cast<uint32_t>(ended);
            const uint8_t one = job.classes[number];
            if (!ended || (job.expected && ended != job.expected)) {
                ++job.left_out[one];
                continue;
            }
            ++job.counted[one];
            if (job.sums)
                add(job, one);
            if (job.raw)
                for (uint64_t k = 0; k < job.length; ++k)
                    job.raw[number * job.length + k] =
                        static_cast<float>(samples[job.raw_channel * job.length + k]);
        }
    }

    template <typename Model> void load(Model &m, const uint8_t *modulus) {
        if constexpr (!REDC_HAS(m, cmd_valid_i)) {
            for (uint32_t beat = 0; beat < modulus_beats;) {
                m.mod_valid_i = 1;
                put(m.mod_data_i, modulus, uint64_t{beat} * word_bits, word_bits);
                m.mod_last_i = beat + 1 == modulus_beats;
                settled();
                beat += m.mod_ready_o;
                edge();
                if (cycle > PATIENCE)
                    throw std::runtime_error("the modulus is not taken");
            }
            m.mod_valid_i = 0;
            // Constants are computed before operands are taken.
            for (uint64_t wait = 0; wait < PATIENCE; ++wait) {
                settled();
                const bool ready = m.in_ready_o;
                edge();
                if (ready)
                    break;
            }
        } else {
            (void)modulus;
        }
    }
};

} // namespace

REDC_API Bench *leakage_open(uint64_t seed, uint32_t word_bits, uint32_t beats,
                             uint32_t modulus_beats, uint32_t random_lanes) {
    return new Bench{seed, word_bits, beats, modulus_beats, random_lanes};
}
REDC_API void leakage_close(Bench *bench) { delete bench; }

// Name, bytes of an element, its bits and the elements of every signal of the design, a line each.
REDC_API const char *leakage_signals(Bench *bench) {
    static std::string text;
    text.clear();
    for (const auto &[scope_name, scope] : *bench->context->scopeNameMap()) {
        if (scope->varsp() == nullptr)
            continue;
        for (const auto &[name, variable] : *scope->varsp())
            if (!variable.isParam())
                text += std::string(scope_name) + "." + name + " " +
                        std::to_string(variable.entSize()) + " " +
                        std::to_string(variable.entBits()) + " " +
                        std::to_string(variable.totalSize() / variable.entSize()) + "\n";
    }
    return text.c_str();
}

// What counts: of signals by their places in that list, all bits, or one where `bits` is not -1.
REDC_API void leakage_choose(Bench *bench, uint64_t count, const uint32_t *places,
                             const int32_t *bits, const uint32_t *channel, const double *weight,
                             uint32_t channels) {
    std::vector<std::pair<const uint8_t *, uint32_t>> all;
    for (const auto &[scope_name, scope] : *bench->context->scopeNameMap()) {
        if (scope->varsp() == nullptr)
            continue;
        for (const auto &[name, variable] : *scope->varsp())
            if (!variable.isParam())
                all.emplace_back(static_cast<const uint8_t *>(variable.datap()),
                                 static_cast<uint32_t>(variable.totalSize()));
    }
    bench->signals.clear();
    bench->channels = channels;
    uint32_t at = 0;
    for (uint64_t k = 0; k < count; ++k) {
        auto [data, bytes] = all[places[k]];
        uint64_t mask = ~uint64_t{0};
        if (bits[k] >= 0) {
            data += bits[k] / 8;
            bytes = 1;
            mask = uint64_t{1} << bits[k] % 8;
        }
        bench->signals.push_back({data, bytes, at, mask, channel[k], weight[k]});
        at += bytes;
    }
    bench->before.assign(at, 0);
}

REDC_API const char *leakage_load(Bench *bench, const uint8_t *modulus) {
    return bench->guarded([&] { bench->load(*bench->model, modulus); });
}

// A command of an RSA unit outside of any trace.
template <typename Model> void commanded(Bench &bench, Model &m, uint32_t command,
                                         const uint8_t *words, uint64_t count) {
    if constexpr (REDC_HAS(m, cmd_valid_i)) {
        Job none{};
        bench.samples.assign(1, 0.0);
        bench.command(m, none, 1, command, words, count, false);
    } else {
        (void)bench, (void)command, (void)words, (void)count;
    }
}
REDC_API const char *leakage_command(Bench *bench, uint32_t command, const uint8_t *words,
                                     uint64_t count) {
    return bench->guarded([&] { commanded(*bench, *bench->model, command, words, count); });
}

REDC_API const char *leakage_run(Bench *bench, Job *job) {
    return bench->guarded([&] { bench->run(*job); });
}
