/* SPDX-License-Identifier: Apache-2.0 */
#include "redc_prime.h"

int redc_prime_open(struct redc_modular *unit, struct redc_bus bus, uint32_t polls)
{
    int result = redc_modular_open(unit, bus, polls);
    if (result == REDC_OK && unit->operation != REDC_PRIME_TESTS &&
        unit->operation != REDC_PRIME_GENERATES)
        result = REDC_WRONG_UNIT;
    return result;
}

int redc_prime_start_test(struct redc_modular *unit, const uint32_t *candidate)
{
    if (unit->operation != REDC_PRIME_TESTS)
        return REDC_BAD_INPUT;
    return redc_modular_start(unit, candidate, 0);
}

int redc_prime_tested(struct redc_modular *unit, struct redc_prime_answer *answer)
{
    uint32_t word = 0;
    int result;
    if (unit->operation != REDC_PRIME_TESTS)
        return REDC_BAD_INPUT;
    result = redc_modular_result(unit, &word);
    answer->prime = word & 1u;
    answer->reason = word >> 1 & 3u;
    answer->passed = word >> 16;
    return result;
}

int redc_prime_test(struct redc_modular *unit, const uint32_t *candidate,
                    struct redc_prime_answer *answer)
{
    int result = redc_prime_start_test(unit, candidate);
    return result == REDC_OK ? redc_prime_tested(unit, answer) : result;
}

int redc_prime_start_search(struct redc_modular *unit)
{
    const uint32_t request = 0;
    if (unit->operation != REDC_PRIME_GENERATES)
        return REDC_BAD_INPUT;
    return redc_modular_start(unit, &request, 0);
}

int redc_prime_found(struct redc_modular *unit, uint32_t *prime)
{
    if (unit->operation != REDC_PRIME_GENERATES)
        return REDC_BAD_INPUT;
    return redc_modular_result(unit, prime);
}

int redc_prime_find(struct redc_modular *unit, uint32_t *prime)
{
    int result = redc_prime_start_search(unit);
    return result == REDC_OK ? redc_prime_found(unit, prime) : result;
}
