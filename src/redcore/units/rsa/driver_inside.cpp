// SPDX-License-Identifier: Apache-2.0
// What driver.cpp asks of the unit's inside.

#include <cstdint>
#include <cstring>

#include "Vmodel.h"
#include "Vmodel___024root.h"

#define REDC_JOIN(left, right) left##right
#define REDC_MEMORY                                                                                \
    REDC_JOIN(rsa_bench__DOT__i_unit__DOT__i_control__DOT__i_numbers__DOT__gen_any__DOT__i_memory, \
              __DOT__gen_port__BRA__0__KET____DOT__gen_whole__DOT__gen_any__DOT__memory_q)

namespace {

// A netlist has no memory of that name.
template <typename Root>
auto memory_words(const Root &root, uint32_t *words, uint64_t count, int)
    -> decltype(void(root.REDC_MEMORY), uint64_t{}) {
    const uint64_t size = sizeof(root.REDC_MEMORY) / sizeof(uint32_t);
    std::memcpy(words, &root.REDC_MEMORY, (count < size ? count : size) * sizeof(uint32_t));
    return size;
}
template <typename Root> uint64_t memory_words(const Root &, uint32_t *, uint64_t, long) {
    return 0;
}

} // namespace

uint64_t words_inside(const Vmodel &model, uint32_t *words, uint64_t count) {
    return memory_words(*model.rootp, words, count, 0);
}

uint64_t traces_inside(const Vmodel &model, const uint8_t *bytes, uint64_t size) {
    const auto *state = reinterpret_cast<const uint8_t *>(model.rootp);
    uint64_t found = 0;
    for (uint64_t at = 0; at + size <= sizeof(*model.rootp); ++at)
        found += std::memcmp(state + at, bytes, size) == 0;
    return found;
}
