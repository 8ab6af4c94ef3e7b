// SPDX-License-Identifier: Apache-2.0
// Random numbers of drivers.

#pragma once

#include <cstdint>

namespace {

// xorshift64*: fast, seeded, and enough for idles and operands.
class Random {
  public:
    explicit Random(uint64_t seed) : state_{seed * 0x9E3779B97F4A7C15ull + 0xD1B54A32D192ED03ull} {
        if (!state_)
            state_ = 1;
    }
    uint64_t next() {
        state_ ^= state_ >> 12;
        state_ ^= state_ << 25;
        state_ ^= state_ >> 27;
        return state_ * 0x2545F4914F6CDD1Dull;
    }
    uint64_t below(uint64_t limit) { return (next() >> 16) % limit; }

  private:
    uint64_t state_;
};

} // namespace
