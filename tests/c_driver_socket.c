/* SPDX-License-Identifier: Apache-2.0 */
/* Units behind the socket of `redcore emulate`, numbers in hexadecimal: PORT M A B is one operation,
   PORT N a prime test, PORT alone a search for a prime, PORT N E D P Q DP DQ QI X is x^e by RSA, and
   its x^d. */
#define _POSIX_C_SOURCE 200112L
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "redc_modular.h"
#include "redc_prime.h"
#include "redc_rsa.h"

#define MOST 64

static void put_word(unsigned char *at, uint32_t word)
{
    int k;
    for (k = 0; k < 4; k++)
        at[k] = (unsigned char)(word >> 8 * k);
}

static uint32_t get_word(const unsigned char *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static int ask(void *context, uint32_t kind, uint32_t address, uint32_t *word)
{
    int stream = *(int *)context;
    unsigned char request[12], answer[8];
    size_t had = 0;
    put_word(request, kind);
    put_word(request + 4, address);
    put_word(request + 8, *word);
    if (write(stream, request, sizeof request) != (ssize_t)sizeof request)
        return 1;
    while (had < sizeof answer) {
        ssize_t more = read(stream, answer + had, sizeof answer - had);
        if (more <= 0)
            return 1;
        had += (size_t)more;
    }
    *word = get_word(answer + 4);
    return get_word(answer) != 0;
}

static int socket_read(void *context, uint32_t address, uint32_t *word)
{
    *word = 0;
    return ask(context, 1, address, word);
}

static int socket_write(void *context, uint32_t address, uint32_t word)
{
    return ask(context, 2, address, &word);
}

/* A hexadecimal number as words, least significant first. */
static void parse(const char *text, uint32_t *words)
{
    size_t length = strlen(text), k;
    memset(words, 0, MOST * sizeof *words);
    for (k = 0; k < length; k++) {
        char digit[2] = {text[length - 1 - k], 0};
        words[k / 8] |= (uint32_t)strtoul(digit, NULL, 16) << 4 * (k % 8);
    }
}

static void print_number(const uint32_t *words, uint32_t count)
{
    while (count-- > 0)
        printf("%08lx", (unsigned long)words[count]);
    printf("\n");
}

static int modular(struct redc_bus bus, char **given)
{
    struct redc_modular unit;
    uint32_t m[MOST], a[MOST], b[MOST], result[MOST];
    int done = redc_modular_open(&unit, bus, 1000000u);
    parse(given[0], m);
    parse(given[1], a);
    parse(given[2], b);
    if (done == REDC_OK && unit.words > MOST)
        done = REDC_BAD_INPUT;
    if (done == REDC_OK)
        done = redc_modular_reset(&unit);
    if (done == REDC_OK)
        done = redc_modular_load_modulus(&unit, m, 0);
    if (done == REDC_OK)
        done = redc_modular_compute(&unit, a, b, result);
    if (done == REDC_OK)
        print_number(result, unit.words);
    /* Of a unit that says why a result is 0: why, as the exit status. */
    if (done == REDC_OK && unit.status != 0)
        return unit.status_bits != 0 ? 100 + (int)unit.status : 99;
    return done;
}

static int prime(struct redc_bus bus, char **given, int tests)
{
    struct redc_modular unit;
    struct redc_prime_answer answer;
    uint32_t number[MOST];
    int done = redc_prime_open(&unit, bus, 1000000u);
    if (done == REDC_OK)
        done = redc_modular_reset(&unit);
    if (done == REDC_OK && (unit.words > MOST || unit.result_words > MOST))
        done = REDC_BAD_INPUT;
    if (done == REDC_OK && tests) {
        parse(given[0], number);
        done = redc_prime_test(&unit, number, &answer);
        if (done == REDC_OK)
            printf("%u %u %u\n", (unsigned)answer.prime, (unsigned)answer.reason,
                   (unsigned)answer.passed);
        if (done == REDC_OK && redc_prime_find(&unit, number) != REDC_BAD_INPUT)
            return 100;
    } else if (done == REDC_OK) {
        done = redc_prime_find(&unit, number);
        if (done == REDC_OK)
            print_number(number, unit.result_words);
        if (done == REDC_OK && redc_prime_test(&unit, number, &answer) != REDC_BAD_INPUT)
            return 100;
    }
    return done;
}

static int rsa(struct redc_bus bus, char **given)
{
    struct redc_rsa unit;
    uint32_t number[MOST], key[8 * MOST], x[MOST], y[MOST], at = 0, k, place;
    int done = redc_rsa_open(&unit, bus, 10000000u);
    if (done == REDC_OK && unit.full > MOST)
        done = REDC_BAD_INPUT;
    if (done == REDC_OK)
        done = redc_rsa_zeroize(&unit);
    for (place = 0; done == REDC_OK && place < 8; place++) {
        parse(given[place], number);
        for (k = 0; k < (place < 3 ? unit.full : unit.half); k++)
            key[at++] = number[k];
    }
    parse(given[8], x);
    y[0] = 7;
    if (done == REDC_OK && redc_rsa_public(&unit, x, y) != REDC_FAULT)
        return 100; /* there is no key yet */
    if (done == REDC_OK && (unit.status != 1 || y[0] != 0))
        return 101;
    if (done == REDC_OK)
        done = redc_rsa_load_key(&unit, key);
    if (done == REDC_OK)
        done = redc_rsa_public(&unit, x, y);
    if (done == REDC_OK)
        print_number(y, unit.full);
    if (done == REDC_OK)
        done = redc_rsa_private(&unit, y, 1, x);
    if (done == REDC_OK)
        print_number(x, unit.full);
    if (done == REDC_OK)
        done = redc_rsa_clear(&unit);
    return done;
}

int main(int count, char **given)
{
    struct sockaddr_in to;
    struct redc_bus bus;
    int stream = socket(AF_INET, SOCK_STREAM, 0), done;
    if (count != 2 && count != 3 && count != 5 && count != 11)
        return 2;
    memset(&to, 0, sizeof to);
    to.sin_family = AF_INET;
    to.sin_port = htons((uint16_t)strtoul(given[1], NULL, 10));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(stream, (struct sockaddr *)&to, sizeof to) != 0)
        return 3;
    bus.read = socket_read;
    bus.write = socket_write;
    bus.context = &stream;
    if (count < 5)
        done = prime(bus, given + 2, count == 3);
    else
        done = count == 5 ? modular(bus, given + 2) : rsa(bus, given + 2);
    close(stream);
    if (done != REDC_OK)
        fprintf(stderr, "the driver says %d\n", done);
    return done != REDC_OK;
}
