// SPDX-License-Identifier: Apache-2.0
// Operands drawn and products judged, many a call: Python would take as long over each as a small
// core's simulation does. It is compiled once, with Verilator's runtime, into every library.
//
// A number is `words` 64-bit words, the least significant first, as in the driver's buffers. What
// is right is said by GMP: its functions on words come from the library that gmpy2 uses, which
// Python finds.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "random_numbers.h"

#define REDC_API extern "C" __attribute__((visibility("default")))

namespace {

using Word = uint64_t;
using Words = std::vector<Word>;

// mpn_mul and mpn_tdiv_qr; sizes are GMP's mp_size_t.
using Multiply = Word (*)(Word *, const Word *, long, const Word *, long);
using Divide = void (*)(Word *, Word *, long, const Word *, long, const Word *, long);

bool below(const Word *one, const Word *other, uint64_t words) {
    for (uint64_t at = words; at-- > 0;)
        if (one[at] != other[at])
            return one[at] < other[at];
    return false;
}

// one -= other, which is not above it.
void subtract(Word *one, const Word *other, uint64_t words) {
    Word borrow = 0;
    for (uint64_t at = 0; at < words; ++at) {
        const Word part = other[at] + borrow;
        borrow = (part < borrow) | (one[at] < part);
        one[at] -= part;
    }
}

// Ones below bit `end`.
void ones_below(Word *value, uint64_t end, uint64_t words) {
    for (uint64_t at = 0; at < words; ++at)
        value[at] = end >= 64 * (at + 1) ? ~Word{0}
                    : end > 64 * at      ? (Word{1} << (end - 64 * at)) - 1
                                         : 0;
}

// What operands of one port and place are drawn from.
struct Range {
    const Word *limit; // what they are below, one word longer than they are
    uint64_t bits;     // of the limit
    const Word *pool;  // edge values
    uint64_t edges;
};

void draw(Random &random, const Range &range, Word *operand, uint64_t words, Words &scratch) {
    const uint64_t kind = random.below(10), whole = words + 1;
    if (kind >= 7 && kind < 9) {
        std::memcpy(operand, range.pool + random.below(range.edges) * words, 8 * words);
        return;
    }
    Word *const value = scratch.data(), *const mask = value + whole;
    ones_below(mask, range.bits, whole);
    if (kind < 7) {
        for (uint64_t at = 0; at < whole; ++at)
            value[at] = mask[at] ? random.next() & mask[at] : 0;
    } else {
        // A long carry run: ones between two random bits, sometimes with a hole or complemented.
        uint64_t high = random.below(range.bits + 1), low = random.below(range.bits + 1);
        if (high < low)
            std::swap(high, low);
        Word *const lower = mask + whole;
        ones_below(value, high, whole);
        ones_below(lower, low, whole);
        const uint64_t shape = random.below(3), hole = random.below(range.bits);
        for (uint64_t at = 0; at < whole; ++at)
            value[at] = (value[at] & ~lower[at]) ^ (shape == 2 ? mask[at] : 0);
        if (shape == 1)
            value[hole / 64] ^= Word{1} << hole % 64;
    }
    // It has no more bits than the limit, so that it is below twice that.
    if (!below(value, range.limit, whole))
        subtract(value, range.limit, whole);
    std::memcpy(operand, value, 8 * words);
}

} // namespace

// `count` multiplications into a, b and place, in places 0 to places - 1 at random; `state` goes on
// from call to call. Of place k, range 2k is a's and 2k + 1 is b's: its limit of words + 1 words,
// the limit's bits, a pool of `room` numbers and how many of them are there.
REDC_API void redc_draw(uint64_t *state, uint64_t count, uint64_t words, uint64_t places,
                        const Word *limits, const uint64_t *bits, const Word *pools, uint64_t room,
                        const uint64_t *edges, Word *a, Word *b, uint32_t *place) {
    Random random{*state};
    *state = random.next();
    Words scratch(3 * (words + 1));
    for (uint64_t at = 0; at < count; ++at) {
        const uint64_t chosen = places > 1 ? random.below(places) : 0;
        place[at] = static_cast<uint32_t>(chosen);
        for (uint64_t port = 0; port < 2; ++port) {
            const uint64_t k = 2 * chosen + port;
            const Range range{limits + k * (words + 1), bits[k], pools + k * room * words,
                              edges[k]};
            draw(random, range, (port ? b : a) + at * words, words, scratch);
        }
    }
}

// How many of `count` results are not below their modulus's top or not result * 2^r_bits = a * b
// modulo it. Of `moduli` and `tops` the first are those in the places before, the others those of
// the loads, in order; `loaded` is how many loads each multiplication came after. A top has
// words + 1 words.
REDC_API uint64_t redc_wrong(uint64_t count, uint64_t words, uint64_t r_bits, const Word *a,
                             const Word *b, const Word *results, const uint32_t *place,
                             const uint64_t *loaded, uint64_t places, const uint32_t *load_place,
                             const Word *moduli, const Word *tops, Multiply multiply,
                             Divide divide) {
    const uint64_t left = r_bits / 64, by = r_bits % 64;
    const uint64_t all = (left + 1 > words ? left + 1 : words) + words;
    Words product(all), shifted(all), quotient(all + 1), rest(words);
    std::vector<uint64_t> now(places);
    for (uint64_t at = 0; at < places; ++at)
        now[at] = at;
    uint64_t passed = 0, wrong = 0;
    for (uint64_t at = 0; at < count; ++at) {
        for (; passed < loaded[at]; ++passed)
            now[load_place[passed]] = places + passed;
        const Word *const modulus = moduli + now[place[at]] * words;
        const Word *const top = tops + now[place[at]] * (words + 1);
        const Word *const result = results + at * words;
        if (!top[words] && !below(result, top, words)) {
            ++wrong;
            continue;
        }
        std::fill(product.begin(), product.end(), 0);
        multiply(product.data(), a + at * words, static_cast<long>(words), b + at * words,
                 static_cast<long>(words));
        std::fill(shifted.begin(), shifted.end(), 0);
        for (uint64_t k = 0; k < words; ++k) {
            shifted[left + k] |= result[k] << by;
            if (by)
                shifted[left + k + 1] = result[k] >> (64 - by);
        }
        Words &more = below(product.data(), shifted.data(), all) ? shifted : product;
        subtract(more.data(), (&more == &product ? shifted : product).data(), all);
        uint64_t length = words;
        while (length > 1 && !modulus[length - 1])
            --length;
        divide(quotient.data(), rest.data(), 0, more.data(), static_cast<long>(all), modulus,
               static_cast<long>(length));
        for (uint64_t k = 0; k < length; ++k)
            if (rest[k]) {
                ++wrong;
                break;
            }
    }
    return wrong;
}
