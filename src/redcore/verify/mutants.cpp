// SPDX-License-Identifier: Apache-2.0
// The driver of a core that holds many mutants of itself: the contract's driver, and which mutant
// it is, what is left behind by a reset in the middle of work, and the level of err_o.

#include "driver.cpp"

// The mutant of this number from now on; none of them for 0.
REDC_API void redc_become(void *opaque, uint32_t number) {
    static_cast<Handle *>(opaque)->model->mutsel = number;
}

REDC_API uint32_t redc_error(void *opaque) {
    auto &handle = *static_cast<Handle *>(opaque);
    handle.settle();
    return handle.model->err_o;
}

// Random words on all streams for so many cycles, whatever comes out; then a reset, which ends with
// the work half done, and so many cycles in which nothing may come out. 0 when done, as redc_reset.
REDC_API int redc_shake(void *opaque, uint32_t cycles, uint32_t reset_cycles, uint32_t quiet_cycles,
                        uint32_t places) {
    auto &handle = *static_cast<Handle *>(opaque);
    handle.enter();
    try {
        Vmodel &m = *handle.model;
        Random &random = handle.random;
        uint32_t in_beat = 0, mod_beat = 0;
        bool in_valid = false, mod_valid = false;
        // Often a stream goes all the time, or rests: states that rare moves alone do not reach.
        const uint64_t in_odds = 1 + random.below(4), out_odds = random.below(5);
        const uint64_t mod_odds = random.below(4) ? 0 : 1 + random.below(3);
        for (uint32_t i = 0; i < cycles; ++i) {
            if (!in_valid && random.below(4) < in_odds) {
                in_valid = true;
                scramble(m.a_i, handle.word_bits, random);
                scramble(m.b_i, handle.word_bits, random);
                if (in_beat == 0)
                    m.in_idx_i = random.below(places);
                m.in_last_i = in_beat + 1 == handle.beats;
            }
            if (!mod_valid && random.below(16) < mod_odds) {
                mod_valid = true;
                scramble(m.mod_data_i, handle.word_bits, random);
                if (mod_beat == 0)
                    m.mod_idx_i = random.below(places);
                m.mod_last_i = mod_beat + 1 == handle.modulus_beats;
            }
            m.in_valid_i = in_valid;
            m.mod_valid_i = mod_valid;
            m.out_ready_i = random.below(4) < out_odds;
            handle.settle();
            if (in_valid && m.in_ready_o) {
                in_valid = false;
                in_beat = in_beat + 1 == handle.beats ? 0 : in_beat + 1;
            }
            if (mod_valid && m.mod_ready_o) {
                mod_valid = false;
                mod_beat = mod_beat + 1 == handle.modulus_beats ? 0 : mod_beat + 1;
            }
            handle.edge();
        }
        handle.reset(reset_cycles);
        for (uint32_t i = 0; i < quiet_cycles; ++i) {
            m.out_ready_i = 1;
            handle.settle();
            if (m.out_valid_o) {
                handle.fault("a result came after a reset though nothing was asked for since");
                return 1;
            }
            if (m.err_o) {
                handle.fault("err_o is high after a reset");
                return 1;
            }
            handle.edge();
        }
        return 0;
    } catch (const std::exception &error) {
        handle.fault(error.what());
        return 1;
    }
}
