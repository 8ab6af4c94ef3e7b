// SPDX-License-Identifier: Apache-2.0
// What faults.cpp asks of the design's inside.

#include <cstddef>
#include <cstdint>

#include "Vmodel.h"

// Behind all that is plain the root has a vector for each memory that is written in a loop. These
// are empty between evaluations and own what they point to, so they are no state to be copied. Each
// time that the header names one it is counted.
namespace {
template <int> struct Counted {
    template <typename Target, bool partial, typename Element, std::size_t rank>
    using Queue = VlNBACommitQueue<Target, partial, Element, rank>;
};
constexpr int FIRST = __COUNTER__ + 1;
using Empty = VlNBACommitQueue<VlUnpacked<CData, 2>, false, CData, 1>;
} // namespace
#ifdef VERILATED_VMODEL___024ROOT_H_
#error "Verilator's header was included before"
#endif
#define VlNBACommitQueue Counted<__COUNTER__>::Queue
#include "Vmodel___024root.h"
#undef VlNBACommitQueue
constexpr std::size_t QUEUES = __COUNTER__ - FIRST;

uint8_t *state_inside(Vmodel &model) { return reinterpret_cast<uint8_t *>(model.rootp); }

std::size_t state_size() {
    return offsetof(Vmodel___024root, vlSymsp) - QUEUES * sizeof(Empty);
}
