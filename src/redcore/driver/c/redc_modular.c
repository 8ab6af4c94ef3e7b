/* SPDX-License-Identifier: Apache-2.0 */
#include "redc_modular.h"

#include "redc_host.h"

#define REDC_MODULAR_ID 0x4d4f4431u
#define REDC_MODULAR_MAJOR 1u

static int get(struct redc_modular *unit, uint32_t address, uint32_t *word)
{
    return unit->bus.read(unit->bus.context, address, word) ? REDC_REFUSED : REDC_OK;
}

static int put(struct redc_modular *unit, uint32_t address, uint32_t word)
{
    return unit->bus.write(unit->bus.context, address, word) ? REDC_REFUSED : REDC_OK;
}

/* Until bits of STATUS are all set, or none of them is; all of it as it is then. */
static int wait_and_tell(struct redc_modular *unit, uint32_t mask, int set, uint32_t *status)
{
    uint32_t looks;
    for (looks = 0; looks < unit->polls; looks++) {
        int result = get(unit, REDC_HOST_STATUS, status);
        if (result != REDC_OK)
            return result;
        if (((*status & mask) != 0) == (set != 0))
            return REDC_OK;
    }
    return REDC_TIMEOUT;
}

static int wait_for(struct redc_modular *unit, uint32_t mask, int set)
{
    uint32_t status = 0;
    return wait_and_tell(unit, mask, set, &status);
}

/* Whether registers refused an access, or the unit a number. */
static int no_fault(struct redc_modular *unit)
{
    uint32_t status = 0, cause = 0;
    int result = get(unit, REDC_HOST_CAUSE, &cause);
    cause &= ~REDC_HOST_CAUSE_UNIT_MASK;
    if (result == REDC_OK && cause != 0) {
        unit->cause = cause;
        result = put(unit, REDC_HOST_CAUSE, cause);
        return result == REDC_OK ? REDC_REFUSED : result;
    }
    if (result == REDC_OK)
        result = get(unit, REDC_HOST_STATUS, &status);
    if (result == REDC_OK && (status & REDC_HOST_STATUS_UNIT_ERROR_MASK) != 0)
        result = REDC_FAULT;
    return result;
}

/* As `result`, or what went wrong where nothing has changed for long. */
static int or_fault(struct redc_modular *unit, int result)
{
    if (result == REDC_TIMEOUT) {
        int fault = no_fault(unit);
        if (fault != REDC_OK)
            return fault;
    }
    return result;
}

static int put_word(struct redc_modular *unit, uint32_t address, uint32_t room, uint32_t word)
{
    int result = or_fault(unit, wait_for(unit, room, 1));
    return result == REDC_OK ? put(unit, address, word) : result;
}

int redc_modular_open(struct redc_modular *unit, struct redc_bus bus, uint32_t polls)
{
    uint32_t id = 0, version = 0, sizes = 0, numbers = 0, what = 0, of_result;
    unit->bus = bus;
    unit->polls = polls;
    unit->cause = 0;
    unit->status = 0;
    if (get(unit, REDC_HOST_ID, &id) != REDC_OK ||
        get(unit, REDC_HOST_VERSION, &version) != REDC_OK)
        return REDC_REFUSED;
    if (id != REDC_MODULAR_ID ||
        version >> REDC_HOST_VERSION_MAJOR_VERSION_SHIFT != REDC_MODULAR_MAJOR)
        return REDC_WRONG_UNIT;
    if (get(unit, REDC_HOST_WORDS, &sizes) != REDC_OK ||
        get(unit, REDC_HOST_NUMBERS, &numbers) != REDC_OK ||
        get(unit, REDC_HOST_UNIT, &what) != REDC_OK)
        return REDC_REFUSED;
    of_result = (sizes & REDC_HOST_WORDS_OPERAND_MASK) >> REDC_HOST_WORDS_OPERAND_SHIFT;
    /* Version 1.0 of the map has results of as many words as operands, and does not say so. */
    if ((version & REDC_HOST_VERSION_MINOR_VERSION_MASK) != 0 &&
        get(unit, REDC_HOST_RESULT_WORDS, &of_result) != REDC_OK)
        return REDC_REFUSED;
    unit->words = (sizes & REDC_HOST_WORDS_OPERAND_MASK) >> REDC_HOST_WORDS_OPERAND_SHIFT;
    unit->modulus_words = (sizes & REDC_HOST_WORDS_MODULUS_MASK) >> REDC_HOST_WORDS_MODULUS_SHIFT;
    unit->width = (numbers & REDC_HOST_NUMBERS_WIDTH_MASK) >> REDC_HOST_NUMBERS_WIDTH_SHIFT;
    unit->r_bits = (numbers & REDC_HOST_NUMBERS_R_BITS_MASK) >> REDC_HOST_NUMBERS_R_BITS_SHIFT;
    unit->operation = (what & REDC_HOST_UNIT_OPERATION_MASK) >> REDC_HOST_UNIT_OPERATION_SHIFT;
    unit->bound = (what & REDC_HOST_UNIT_BOUND_MASK) >> REDC_HOST_UNIT_BOUND_SHIFT;
    unit->moduli = (what & REDC_HOST_UNIT_MODULI_MASK) >> REDC_HOST_UNIT_MODULI_SHIFT;
    unit->status_bits =
        (what & REDC_HOST_UNIT_STATUS_BITS_MASK) >> REDC_HOST_UNIT_STATUS_BITS_SHIFT;
    unit->result_words = of_result & REDC_HOST_RESULT_WORDS_WORDS_MASK;
    return put(unit, REDC_HOST_CAUSE, 0xffffffffu);
}

int redc_modular_reset(struct redc_modular *unit)
{
    int result = put(unit, REDC_HOST_CONTROL, REDC_HOST_CONTROL_RESET_MASK);
    if (result == REDC_OK)
        result = wait_for(unit, REDC_HOST_STATUS_BUSY_MASK, 0);
    if (result == REDC_OK)
        result = put(unit, REDC_HOST_CAUSE, 0xffffffffu);
    return result;
}

int redc_modular_choose(struct redc_modular *unit, uint32_t place)
{
    int result;
    if (place >= unit->moduli)
        return REDC_BAD_INPUT;
    result = or_fault(unit, wait_for(unit, REDC_HOST_STATUS_BUSY_MASK, 0));
    if (result == REDC_OK)
        result = put(unit, REDC_HOST_PLACE, place);
    return result;
}

static int put_modulus(struct redc_modular *unit, const uint32_t *modulus)
{
    uint32_t k;
    int result = REDC_OK;
    for (k = 0; k < unit->modulus_words && result == REDC_OK; k++)
        result = put_word(unit, REDC_HOST_MODULUS, REDC_HOST_STATUS_MODULUS_ROOM_MASK, modulus[k]);
    return result;
}

int redc_modular_load_modulus(struct redc_modular *unit, const uint32_t *modulus, uint32_t place)
{
    int result;
    if (unit->modulus_words == 0 || (modulus[0] & 1u) == 0)
        return REDC_BAD_INPUT;
    result = redc_modular_choose(unit, place);
    if (result == REDC_OK)
        result = put_modulus(unit, modulus);
    if (result == REDC_OK)
        result = or_fault(unit, wait_for(unit, REDC_HOST_STATUS_BUSY_MASK, 0));
    if (result == REDC_OK)
        result = no_fault(unit);
    return result;
}

int redc_modular_set_length(struct redc_modular *unit, uint32_t bits)
{
    int result = or_fault(unit, wait_for(unit, REDC_HOST_STATUS_BUSY_MASK, 0));
    if (result == REDC_OK)
        result = put(unit, REDC_HOST_LENGTH, bits);
    return result == REDC_OK ? no_fault(unit) : result;
}

int redc_modular_start(struct redc_modular *unit, const uint32_t *a, const uint32_t *b)
{
    uint32_t k;
    int result = REDC_OK;
    for (k = 0; k < unit->words && result == REDC_OK; k++) {
        result = put_word(unit, REDC_HOST_A, REDC_HOST_STATUS_A_ROOM_MASK, a[k]);
        if (result == REDC_OK && b != 0)
            result = put_word(unit, REDC_HOST_B, REDC_HOST_STATUS_B_ROOM_MASK, b[k]);
    }
    return result;
}

int redc_modular_result(struct redc_modular *unit, uint32_t *result)
{
    uint32_t k, status = 0;
    int done = REDC_OK;
    for (k = 0; k < unit->result_words && done == REDC_OK; k++) {
        done = or_fault(unit,
                        wait_and_tell(unit, REDC_HOST_STATUS_RESULT_READY_MASK, 1, &status));
        if (done == REDC_OK)
            done = get(unit, REDC_HOST_RESULT, &result[k]);
    }
    unit->status = (status & REDC_HOST_STATUS_RESULT_STATUS_MASK) >>
                   REDC_HOST_STATUS_RESULT_STATUS_SHIFT;
    if (done == REDC_OK)
        done = no_fault(unit);
    if (done != REDC_OK)
        redc_wipe(result, unit->result_words);
    return done;
}

int redc_modular_compute(struct redc_modular *unit, const uint32_t *a, const uint32_t *b,
                         uint32_t *result)
{
    int done = redc_modular_start(unit, a, b);
    return done == REDC_OK ? redc_modular_result(unit, result) : done;
}
