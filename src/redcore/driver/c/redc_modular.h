/* SPDX-License-Identifier: Apache-2.0 */
/* Driver of redc_host: a multiplier, modmul, an exponentiator or a curve unit on a bus.
   C99, no allocation, no globals. Numbers are words of 32 bits, least significant first; the same
   calls as redcore.driver.Modular. Each returns one of enum redc_result. */
#ifndef REDC_MODULAR_H
#define REDC_MODULAR_H

#include "redc_bus.h"

struct redc_modular {
    struct redc_bus bus;
    /* How often STATUS is looked at before a wait is given up. */
    uint32_t polls;
    /* As the registers tell: words of an operand, of a modulus; */
    uint32_t words;
    uint32_t modulus_words;
    /* bits of the longest modulus, log2 R or 0, the multiple of m that operands and results are
       below, places for moduli, and what is computed (UNIT.operation). */
    uint32_t width;
    uint32_t r_bits;
    uint32_t bound;
    uint32_t moduli;
    uint32_t operation;
    /* Words of a result. */
    uint32_t result_words;
    /* Bits of why a result is 0, 0 where the unit does not say; */
    uint32_t status_bits;
    /* why the last one is, 0 where it is a result: docs/units/curve.md has the numbers. */
    uint32_t status;
    /* What CAUSE said of the last refused access: REDC_HOST_CAUSE_*_MASK of redc_host.h. */
    uint32_t cause;
};

/* Look whose registers these are, and how large. Refused accesses that nobody has looked at are
   forgotten. */
int redc_modular_open(struct redc_modular *unit, struct redc_bus bus, uint32_t polls);

/* Drop what is under way, forget moduli, empty and overwrite the FIFOs. */
int redc_modular_reset(struct redc_modular *unit);

/* Load an odd modulus of modulus_words words to a place, and choose the place for operands. */
int redc_modular_load_modulus(struct redc_modular *unit, const uint32_t *modulus, uint32_t place);

/* Choose the place of the modulus that operands use. Waits for what is under way. */
int redc_modular_choose(struct redc_modular *unit, uint32_t place);

/* Bits of an exponent to go through, from 1. Waits for what is under way; REDC_REFUSED where the
   unit has no exponent, or none so long. */
int redc_modular_set_length(struct redc_modular *unit, uint32_t bits);

/* Give operands of `words` words each, a word of each once there is room for it; results come in the
   same order. Without b (0) a is all there is. */
int redc_modular_start(struct redc_modular *unit, const uint32_t *a, const uint32_t *b);

/* Wait for the next result, of `result_words` words, below `bound` times m. REDC_REFUSED where
   registers refused an access, which over plain memory only CAUSE tells: `cause` has it. Whatever
   goes wrong, `result` is zeros then. What the unit itself refuses is REDC_OK, zeros, and a `status`
   that is not 0. */
int redc_modular_result(struct redc_modular *unit, uint32_t *result);

/* Both: a b / R mod m, a b mod m or a^b mod m, as the unit is built. */
int redc_modular_compute(struct redc_modular *unit, const uint32_t *a, const uint32_t *b,
                         uint32_t *result);

#endif
