/* SPDX-License-Identifier: Apache-2.0 */
#include "redc_rsa.h"

#include "redc_rsa_axi.h"

#define REDC_RSA_ID 0x52534131u
#define REDC_RSA_MAJOR 1u

enum { GENERATE, LOAD_KEY, LOAD_PUBLIC, READ_KEY, PUBLIC, PRIVATE, PRIVATE_CRT, CLEAR };

static int get(struct redc_rsa *unit, uint32_t address, uint32_t *word)
{
    return unit->bus.read(unit->bus.context, address, word) ? REDC_REFUSED : REDC_OK;
}

static int put(struct redc_rsa *unit, uint32_t address, uint32_t word)
{
    return unit->bus.write(unit->bus.context, address, word) ? REDC_REFUSED : REDC_OK;
}

static int wait_until_idle(struct redc_rsa *unit)
{
    uint32_t looks, status;
    for (looks = 0; looks < unit->polls; looks++) {
        int done = get(unit, REDC_RSA_AXI_STATUS, &status);
        if (done != REDC_OK)
            return done;
        if ((status & REDC_RSA_AXI_STATUS_BUSY_MASK) == 0)
            return REDC_OK;
    }
    return REDC_TIMEOUT;
}

/* Results of a job whose wait was given up would be taken for the next one's. */
static int drop_results(struct redc_rsa *unit)
{
    uint32_t level = 0, word;
    int done = get(unit, REDC_RSA_AXI_RESULT_LEVEL, &level);
    for (level &= REDC_RSA_AXI_RESULT_LEVEL_WORDS_MASK; done == REDC_OK && level > 0; level--)
        done = get(unit, REDC_RSA_AXI_RESULT, &word);
    return done;
}

/* The next operand word, if there is room for it; how many are given then. */
static int give(struct redc_rsa *unit, const uint32_t *operands, uint32_t count, uint32_t *given)
{
    uint32_t level;
    int done = get(unit, REDC_RSA_AXI_OPERAND_LEVEL, &level);
    if (done != REDC_OK || level >> REDC_RSA_AXI_OPERAND_LEVEL_ROOM_SHIFT == 0)
        return done;
    done = put(unit, *given + 1 == count ? REDC_RSA_AXI_OPERAND_LAST : REDC_RSA_AXI_OPERAND,
               operands[*given]);
    if (done == REDC_OK)
        ++*given;
    return done;
}

/* Whether registers refused an access. */
static int not_refused(struct redc_rsa *unit)
{
    uint32_t cause = 0;
    int done = get(unit, REDC_RSA_AXI_CAUSE, &cause);
    cause &= ~(REDC_RSA_AXI_CAUSE_JOB_MASK | REDC_RSA_AXI_CAUSE_CORE_MASK);
    if (done != REDC_OK || cause == 0)
        return done;
    unit->cause = cause;
    done = put(unit, REDC_RSA_AXI_CAUSE, cause);
    return done == REDC_OK ? REDC_REFUSED : done;
}

/* Give a command and its operands, and take its output, as far as there is room for it. */
static int run(struct redc_rsa *unit, uint32_t command, const uint32_t *operands, uint32_t count,
               uint32_t *results, uint32_t room)
{
    uint32_t given = 0, taken = 0, looks, status = 0, word;
    int done = wait_until_idle(unit);
    if (done == REDC_OK)
        done = drop_results(unit);
    if (done == REDC_OK)
        done = put(unit, REDC_RSA_AXI_COMMAND, command);
    for (looks = 0; done == REDC_OK; looks++) {
        if (looks == unit->polls) {
            done = not_refused(unit);
            return done == REDC_OK ? REDC_TIMEOUT : done;
        }
        done = get(unit, REDC_RSA_AXI_STATUS, &status);
        if (done != REDC_OK)
            break;
        if ((status & REDC_RSA_AXI_STATUS_RESULT_READY_MASK) != 0) {
            done = get(unit, REDC_RSA_AXI_RESULT, &word);
            if (done == REDC_OK && taken < room)
                results[taken++] = word;
        } else if ((status & REDC_RSA_AXI_STATUS_BUSY_MASK) == 0) {
            unit->status = (status & REDC_RSA_AXI_STATUS_JOB_STATUS_MASK) >>
                           REDC_RSA_AXI_STATUS_JOB_STATUS_SHIFT;
            done = not_refused(unit);
            if (done != REDC_OK)
                break;
            if (unit->status == 0)
                return taken == room ? REDC_OK : REDC_FAULT;
            done = put(unit, REDC_RSA_AXI_CAUSE, REDC_RSA_AXI_CAUSE_JOB_MASK);
            return done == REDC_OK ? REDC_FAULT : done;
        } else if (given < count && (status & REDC_RSA_AXI_STATUS_OPERANDS_WANTED_MASK) != 0) {
            done = give(unit, operands, count, &given);
        }
    }
    return done;
}

/* As `run`; no words are left of a job that went wrong. */
static int job(struct redc_rsa *unit, uint32_t command, const uint32_t *operands, uint32_t count,
               uint32_t *results, uint32_t room)
{
    int done = run(unit, command, operands, count, results, room);
    if (done != REDC_OK)
        redc_wipe(results, room);
    return done;
}

int redc_rsa_open(struct redc_rsa *unit, struct redc_bus bus, uint32_t polls)
{
    uint32_t id = 0, version = 0;
    unit->bus = bus;
    unit->polls = polls;
    unit->status = 0;
    unit->cause = 0;
    if (get(unit, REDC_RSA_AXI_ID, &id) != REDC_OK ||
        get(unit, REDC_RSA_AXI_VERSION, &version) != REDC_OK ||
        get(unit, REDC_RSA_AXI_WIDTH, &unit->width) != REDC_OK)
        return REDC_REFUSED;
    if (id != REDC_RSA_ID ||
        version >> REDC_RSA_AXI_VERSION_MAJOR_VERSION_SHIFT != REDC_RSA_MAJOR)
        return REDC_WRONG_UNIT;
    unit->full = (unit->width + 31u) / 32u;
    unit->half = (unit->width + 63u) / 64u;
    return put(unit, REDC_RSA_AXI_CAUSE, 0xffffffffu);
}

int redc_rsa_zeroize(struct redc_rsa *unit)
{
    int done = put(unit, REDC_RSA_AXI_CONTROL, REDC_RSA_AXI_CONTROL_ZEROIZE_MASK);
    if (done == REDC_OK)
        done = wait_until_idle(unit);
    if (done == REDC_OK)
        done = put(unit, REDC_RSA_AXI_CAUSE, 0xffffffffu);
    return done;
}

int redc_rsa_load_key(struct redc_rsa *unit, const uint32_t *key)
{
    return job(unit, LOAD_KEY, key, 3u * unit->full + 5u * unit->half, 0, 0);
}

int redc_rsa_load_public(struct redc_rsa *unit, const uint32_t *key)
{
    return job(unit, LOAD_PUBLIC, key, 2u * unit->full, 0, 0);
}

int redc_rsa_generate(struct redc_rsa *unit)
{
    return job(unit, GENERATE, 0, 0, 0, 0);
}

int redc_rsa_read_public(struct redc_rsa *unit, uint32_t *key)
{
    return job(unit, READ_KEY, 0, 0, key, 2u * unit->full);
}

int redc_rsa_public(struct redc_rsa *unit, const uint32_t *x, uint32_t *result)
{
    return job(unit, PUBLIC, x, unit->full, result, unit->full);
}

int redc_rsa_private(struct redc_rsa *unit, const uint32_t *x, int crt, uint32_t *result)
{
    return job(unit, crt ? PRIVATE_CRT : PRIVATE, x, unit->full, result, unit->full);
}

int redc_rsa_clear(struct redc_rsa *unit)
{
    return job(unit, CLEAR, 0, 0, 0, 0);
}
