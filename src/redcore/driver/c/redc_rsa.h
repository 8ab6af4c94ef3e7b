/* SPDX-License-Identifier: Apache-2.0 */
/* Driver of redc_rsa_host: RSA on a bus. C99, no allocation, no globals. Numbers are words of 32
   bits, least significant first; the same calls as redcore.driver.Rsa. Each returns one of enum
   redc_result; where a job ends with a status other than success that is REDC_FAULT, and `status`
   has it (docs/units/rsa.md). What a call was to give back is zeros then. */
#ifndef REDC_RSA_H
#define REDC_RSA_H

#include "redc_bus.h"

struct redc_rsa {
    struct redc_bus bus;
    /* How often STATUS is looked at before a wait is given up. */
    uint32_t polls;
    /* Bits of n; words of numbers of its size, and of a prime's. */
    uint32_t width;
    uint32_t full;
    uint32_t half;
    /* How the last job ended: 0 done, 1 no key, 2 wrong length, 3 bad key, 4 bad operand, 5 fault,
       6 random source stuck, 7 cannot make keys. */
    uint32_t status;
    /* What CAUSE said of the last refused access: REDC_RSA_AXI_CAUSE_*_MASK of redc_rsa_axi.h. Over
       plain memory nothing else tells of it; the call returns REDC_REFUSED. */
    uint32_t cause;
};

/* Look whose registers these are, and how large. Refused accesses that nobody has looked at are
   forgotten. */
int redc_rsa_open(struct redc_rsa *unit, struct redc_bus bus, uint32_t polls);

/* Drop the job, forget and overwrite the key. */
int redc_rsa_zeroize(struct redc_rsa *unit);

/* A private key: n, e and d of `full` words, p, q, d mod p - 1, d mod q - 1 and 1 / q mod p of `half`
   words, one behind the other. */
int redc_rsa_load_key(struct redc_rsa *unit, const uint32_t *key);

/* A public key: n and e of `full` words. */
int redc_rsa_load_public(struct redc_rsa *unit, const uint32_t *key);

/* Make a key; random bits come from the unit's port. */
int redc_rsa_generate(struct redc_rsa *unit);

/* n and e of the key that is held, `full` words each; private numbers that follow are dropped. */
int redc_rsa_read_public(struct redc_rsa *unit, uint32_t *key);

/* x^e mod n, and x^d mod n by p and q (crt) or by d alone; `full` words each. */
int redc_rsa_public(struct redc_rsa *unit, const uint32_t *x, uint32_t *result);
int redc_rsa_private(struct redc_rsa *unit, const uint32_t *x, int crt, uint32_t *result);

/* Forget the key. */
int redc_rsa_clear(struct redc_rsa *unit);

#endif
