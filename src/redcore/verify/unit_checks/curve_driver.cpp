// SPDX-License-Identifier: Apache-2.0
// Numbers to and from a curve processor word by word, whatever they are, with its status; and all
// of its state. Words have at most 64 bits.

#include "driver.cpp"

namespace {

constexpr uint64_t PATIENCE = 10'000'000;

} // namespace

// Words of the modulus stream (operands 0) or of the operand stream; how many were taken within
// `most` cycles.
REDC_API uint32_t curve_give(void *opaque, int operands, const uint64_t *a, const uint64_t *b,
                             uint32_t count, uint64_t most) {
    auto &handle = *static_cast<Handle *>(opaque);
    Vmodel &m = *handle.model;
    uint32_t done = 0;
    handle.quiet();
    for (const uint64_t end = handle.cycle + most; done < count && handle.cycle < end;) {
        (operands ? m.in_valid_i : m.mod_valid_i) = 1;
        m.a_i = m.mod_data_i = a[done];
        m.b_i = b[done];
        m.in_last_i = m.mod_last_i = done + 1 == count;
        handle.settle();
        done += operands ? m.in_ready_o : m.mod_ready_o;
        handle.edge();
    }
    handle.quiet();
    return done;
}

// Operands on one stream without a pause, and from the first one taken on a word on the other; how
// many were taken before that word was, -1 where it was not within `most` cycles.
REDC_API int curve_together(void *opaque, uint64_t a, uint64_t b, uint64_t modulus, uint64_t most) {
    auto &handle = *static_cast<Handle *>(opaque);
    Vmodel &m = *handle.model;
    int done = 0;
    handle.quiet();
    for (const uint64_t end = handle.cycle + most; handle.cycle < end;) {
        m.in_valid_i = m.in_last_i = m.mod_last_i = m.out_ready_i = 1;
        m.mod_valid_i = done > 0;
        m.a_i = a;
        m.b_i = b;
        m.mod_data_i = modulus;
        handle.settle();
        const bool loads = m.mod_valid_i && m.mod_ready_o;
        done += m.in_ready_o;
        handle.edge();
        if (loads) {
            handle.quiet();
            return done;
        }
    }
    handle.quiet();
    return -1;
}

// A result's words, and its status; -1 where none comes, -2 where the status changes or is there
// without a result.
REDC_API int curve_take(void *opaque, uint64_t *p, uint32_t count, uint64_t most) {
    auto &handle = *static_cast<Handle *>(opaque);
    Vmodel &m = *handle.model;
    int status = -1;
    uint32_t done = 0;
    for (const uint64_t end = handle.cycle + most; done < count && handle.cycle < end;) {
        m.out_ready_i = 1;
        handle.settle();
        if (m.out_valid_o) {
            if (done && status != m.status_o)
                return -2;
            status = m.status_o;
            p[done++] = m.p_o;
        } else if (m.status_o) {
            return -2;
        }
        handle.edge();
    }
    handle.quiet();
    return done < count ? -1 : status;
}

// Cycles without an offer; how many random bits were taken meanwhile, which have room in `drawn`.
REDC_API uint64_t curve_wait(void *opaque, uint64_t cycles, uint8_t *drawn) {
    auto &handle = *static_cast<Handle *>(opaque);
    Vmodel &m = *handle.model;
    uint64_t count = 0;
    m.a_i = m.b_i = m.mod_data_i = m.in_last_i = m.mod_last_i = 0;
    for (handle.quiet(); cycles; --cycles) {
        handle.settle();
        if (m.rnd_valid_i && m.rnd_ready_o)
            drawn[count++] = m.rnd_data_i;
        handle.edge();
    }
    handle.settle();
    return count;
}

// A cycle of clear_i with nothing offered; whether there is such a port.
REDC_API int curve_clear(void *opaque) {
    auto &handle = *static_cast<Handle *>(opaque);
    handle.quiet();
    const bool has = set_clear(*handle.model, true);
    handle.settle();
    handle.edge();
    set_clear(*handle.model, false);
    handle.settle();
    return has;
}

// Words of one stream, as of curve_give, and clear_i in cycle `when` from the first offer on, until
// as many result words as `results` have come, or a modulus is taken, and that cycle is over.
// Offers pause and results wait where `stalls`, and with `held` results wait until `held`
// cycles behind the clear. The status; -1 where something does not end, -2 where what is offered
// changes or goes before it is taken, or where words tell differently.
REDC_API int curve_cleared(void *opaque, int operands, const uint64_t *a, const uint64_t *b,
                           uint32_t count, uint64_t when, int stalls, uint64_t held, uint64_t *p,
                           uint32_t results) {
    auto &handle = *static_cast<Handle *>(opaque);
    Vmodel &m = *handle.model;
    uint32_t given = 0, done = 0;
    int status = 0;
    bool offers = false, waits = false;
    uint64_t word = 0;
    int told = 0, last = 0;
    handle.quiet();
    for (uint64_t at = 0; at < PATIENCE; ++at) {
        if (given == count && done == results && at > when) {
            handle.quiet();
            return status;
        }
        offers = offers || (given < count && !(stalls && handle.random.below(2)));
        (operands ? m.in_valid_i : m.mod_valid_i) = offers;
        if (given < count) {
            m.a_i = m.mod_data_i = a[given];
            m.b_i = b[given];
            m.in_last_i = m.mod_last_i = given + 1 == count;
        }
        m.out_ready_i = done < results && at >= (held ? when + held : 0) &&
                        !(stalls && handle.random.below(2));
        set_clear(m, at == when);
        handle.settle();
        if (waits && !(m.out_valid_o && m.p_o == word && m.status_o == told &&
                       m.out_last_o == last))
            return -2;
        waits = m.out_valid_o && !m.out_ready_i;
        word = m.p_o, told = m.status_o, last = m.out_last_o;
        if (m.out_valid_o && m.out_ready_i) {
            if ((done && status != told) || last != (done + 1 == results))
                return -2;
            status = told;
            p[done++] = word;
        }
        if (offers && (operands ? m.in_ready_o : m.mod_ready_o)) {
            ++given;
            offers = false;
        }
        handle.edge();
        set_clear(m, false);
    }
    return -1;
}

// Random bits come now and then.
REDC_API void curve_stall(void *opaque) { static_cast<Handle *>(opaque)->random_stalls = true; }

// Random bits are all the same from now on, or (-1) random again.
REDC_API void curve_stick(void *opaque, int bit) {
    auto &handle = *static_cast<Handle *>(opaque);
    handle.random_lanes = bit < 0;
    handle.model->rnd_valid_i = 1;
    handle.model->rnd_data_i = bit > 0;
}

REDC_API int curve_err(void *opaque) { return static_cast<Handle *>(opaque)->model->err_o; }

REDC_API const char *curve_state(void *opaque) {
    static std::string text;
    text = static_cast<Handle *>(opaque)->state();
    return text.c_str();
}
