// SPDX-License-Identifier: Apache-2.0
// What every driver of a verilated design has in common: how messages of the RTL end, random
// numbers, the clock, and a design's life from making it to its end.
//
// A driver is one file, compiled together with the design; this comes into no second one.

#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "Vmodel.h"
#include "Vmodel___024root.h"
#include "verilated.h"

#define REDC_API extern "C" __attribute__((visibility("default")))

// A failing assertion or an unstable loop in the RTL must not end the Python process.
void vl_finish(const char *file, int line, const char *) VL_MT_UNSAFE {
    throw std::runtime_error(std::string("$finish at ") + file + ":" + std::to_string(line));
}
void vl_stop(const char *file, int line, const char *) VL_MT_UNSAFE {
    throw std::runtime_error(std::string("$stop or failed assertion at ") + file + ":" +
                             std::to_string(line));
}
void vl_fatal(const char *file, int line, const char *, const char *text) VL_MT_UNSAFE {
    throw std::runtime_error(std::string(text) + " at " + file + ":" + std::to_string(line));
}

namespace {

// xorshift64*: fast, seeded, and enough for idles.
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

// A design with its clock. Registers without reset start at random, so that it cannot lean on zeros.
struct Clocked {
    std::unique_ptr<VerilatedContext> context = std::make_unique<VerilatedContext>();
    std::unique_ptr<Vmodel> model;
    Random random;
    uint64_t cycle = 0;
    std::string failure; // of the last `guarded`

    explicit Clocked(uint64_t seed) : random{seed} {
        context->randReset(2);
        context->randSeed(static_cast<int>(seed & 0x3fffffff) + 1);
#if VM_TRACE
        context->traceEverOn(true);
#endif
        model = std::make_unique<Vmodel>(context.get(), "core");
    }

    void settle() {
        model->clk_i = 0;
        model->eval();
    }
    void edge() {
        model->clk_i = 1;
        model->eval();
        ++cycle;
    }

    // A few cycles of reset; other inputs are the driver's business.
    void reset() {
        model->rst_ni = 0;
        for (int k = 0; k < 3; ++k) {
            settle();
            edge();
        }
        model->rst_ni = 1;
    }

    // What went wrong in `work`, or nothing.
    template <typename Work> const char *guarded(Work work) {
        failure.clear();
        try {
            work();
        } catch (const std::exception &error) {
            failure = error.what();
            if (failure.empty())
                failure = "a fault";
        }
        return failure.c_str();
    }
};

} // namespace
