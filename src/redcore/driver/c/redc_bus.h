/* SPDX-License-Identifier: Apache-2.0 */
/* The way from a driver to registers: words of 32 bits at byte addresses of one page.
   On bare metal redc_memory_bus() is all that is needed; another way fills in its own functions. */
#ifndef REDC_BUS_H
#define REDC_BUS_H

#include <stdint.h>

/* What a driver's call came to. */
enum redc_result {
    REDC_OK = 0,
    /* Other registers than the driver's, or another version of them. */
    REDC_WRONG_UNIT,
    /* A number, a length or a place that the unit does not take. */
    REDC_BAD_INPUT,
    /* The bus failed, or the unit refused an access. */
    REDC_REFUSED,
    /* Nothing has changed in as many looks as are allowed. */
    REDC_TIMEOUT,
    /* The unit says that a number was illegal, or that it is at fault. */
    REDC_FAULT
};

struct redc_bus {
    /* 0 where it was done; anything else where it was not. */
    int (*read)(void *context, uint32_t address, uint32_t *word);
    int (*write)(void *context, uint32_t address, uint32_t word);
    void *context;
};

/* Zeros in place of a number that is not to be used; volatile, as a compiler would call memset. */
static inline void redc_wipe(uint32_t *number, uint32_t words)
{
    volatile uint32_t *word = number;
    while (words-- > 0)
        *word++ = 0;
}

static inline int redc_memory_read(void *page, uint32_t address, uint32_t *word)
{
    *word = ((volatile uint32_t *)page)[address / 4u];
    return 0;
}

static inline int redc_memory_write(void *page, uint32_t address, uint32_t word)
{
    ((volatile uint32_t *)page)[address / 4u] = word;
    return 0;
}

/* Registers at an address of this process or chip. */
static inline struct redc_bus redc_memory_bus(void *page)
{
    struct redc_bus bus;
    bus.read = redc_memory_read;
    bus.write = redc_memory_write;
    bus.context = page;
    return bus;
}

#endif
