// SPDX-License-Identifier: Apache-2.0
// What faults.cpp asks of the design's inside.

#include <cstddef>
#include <cstdint>

#include "Vmodel.h"
#include "Vmodel___024root.h"

uint8_t *state_inside(Vmodel &model) { return reinterpret_cast<uint8_t *>(model.rootp); }

std::size_t state_size() { return sizeof(Vmodel___024root); }
