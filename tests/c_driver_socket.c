/* SPDX-License-Identifier: Apache-2.0 */
/* One operation of a unit behind the socket of `redcore emulate`: PORT M A B, in hexadecimal. */
#define _POSIX_C_SOURCE 200112L
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "redc_modular.h"

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

int main(int count, char **given)
{
    struct sockaddr_in to;
    struct redc_modular unit;
    struct redc_bus bus;
    uint32_t m[MOST], a[MOST], b[MOST], result[MOST], k;
    int stream = socket(AF_INET, SOCK_STREAM, 0), done;
    if (count != 5)
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
    parse(given[2], m);
    parse(given[3], a);
    parse(given[4], b);
    done = redc_modular_open(&unit, bus, 1000000u);
    if (done == REDC_OK && unit.words > MOST)
        done = REDC_BAD_INPUT;
    if (done == REDC_OK)
        done = redc_modular_reset(&unit);
    if (done == REDC_OK)
        done = redc_modular_load_modulus(&unit, m, 0);
    if (done == REDC_OK)
        done = redc_modular_compute(&unit, a, b, result);
    close(stream);
    if (done != REDC_OK) {
        fprintf(stderr, "redc_modular says %d\n", done);
        return 1;
    }
    for (k = unit.words; k-- > 0;)
        printf("%08lx", (unsigned long)result[k]);
    printf("\n");
    return 0;
}
