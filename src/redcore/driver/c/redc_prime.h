/* SPDX-License-Identifier: Apache-2.0 */
/* Driver of redc_host with a prime tester or a prime generator behind it, over redc_modular.h, whose
   open, reset and sizes are these units', too. C99, no allocation, no globals. Numbers are words of 32
   bits, least significant first; the same calls as redcore.driver.Prime. Each returns one of enum
   redc_result: REDC_FAULT where the random source is stuck. */
#ifndef REDC_PRIME_H
#define REDC_PRIME_H

#include "redc_modular.h"

/* UNIT.operation. */
#define REDC_PRIME_TESTS 2u
#define REDC_PRIME_GENERATES 3u

/* A tester's answer. */
struct redc_prime_answer {
    uint32_t prime;
    /* 0 trial division, 1 a base, 2 it passed all bases, 3 it has too many bits; */
    uint32_t reason;
    /* strong tests that it passed. */
    uint32_t passed;
};

/* Look whose registers these are; REDC_WRONG_UNIT where they are no prime unit's. */
int redc_prime_open(struct redc_modular *unit, struct redc_bus bus, uint32_t polls);

/* Give a candidate of `words` words; answers come in the same order. REDC_BAD_INPUT where the unit
   does not test numbers. */
int redc_prime_start_test(struct redc_modular *unit, const uint32_t *candidate);

/* Wait for the next answer; all of it is 0 where that goes wrong. */
int redc_prime_tested(struct redc_modular *unit, struct redc_prime_answer *answer);

/* Both. */
int redc_prime_test(struct redc_modular *unit, const uint32_t *candidate,
                    struct redc_prime_answer *answer);

/* Ask for a prime, and wait for it: `result_words` words. REDC_BAD_INPUT where the unit finds none. */
int redc_prime_start_search(struct redc_modular *unit);
int redc_prime_found(struct redc_modular *unit, uint32_t *prime);
int redc_prime_find(struct redc_modular *unit, uint32_t *prime);

#endif
