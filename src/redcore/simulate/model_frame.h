// SPDX-License-Identifier: Apache-2.0
// What every driver of a verilated design has in common: how messages of the RTL end, the clock, and
// a design's life from making it to its end.
//
// A driver is one file, compiled once for all designs whose ports have the same types: it sees ports
// alone. What looks into the design (driver_inside.cpp, where there is one) is compiled with it.

#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "Vmodel.h"
#include "random_numbers.h"
#include "verilated.h"
#include "verilated_syms.h"
#if VM_TRACE
#include "verilated_vcd_c.h"
#endif
#if VM_COVERAGE
#include <cstdlib>
#include <unistd.h>

#include "verilated_cov.h"
#endif

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

// How a structure lies in memory, as text: its size, then name, offset and size of each field.
// Python mirrors the structure by hand and compares when it loads the library.
#define REDC_FIELD(type, name)                                                                     \
    std::string(" " #name " ") + std::to_string(offsetof(type, name)) + " " +                      \
        std::to_string(sizeof(type::name))
#define REDC_LAYOUT(type, ...)                                                                     \
    REDC_API const char *redc_layout() {                                                           \
        static const std::string layout = [] {                                                     \
            std::string text = std::to_string(sizeof(type));                                       \
            for (const std::string &field : {__VA_ARGS__})                                         \
                text += field;                                                                     \
            return text;                                                                           \
        }();                                                                                       \
        return layout.c_str();                                                                     \
    }

// Whether an object, of a type that a template is given, has such a member.
template <typename Type, typename Look> constexpr bool redc_has(Look) {
    return std::is_invocable_v<Look, Type &>;
}
#define REDC_HAS(object, member)                                                                   \
    (redc_has<decltype(object)>([](auto &it) -> decltype(void(it.member)) {}))

// Verilator's own evaluation, without the locking that Vmodel::eval wraps around it for class
// objects and messages of other threads: there are none here, and it costs a fifth of a small
// core's time. Vmodel::eval runs first, as it initialises, and always where waveforms are written.
void Vmodel___024root___eval(Vmodel___024root *vlSelf);

namespace {

// Sources of random bits, one a lane, are ready always or now and then, all at once.
template <typename Model>
void give_random(Model &model, Random &random, uint64_t lanes, bool stalls) {
    if constexpr (REDC_HAS(model, rnd_valid_i)) {
        if (!lanes)
            return;
        const uint64_t dice = random.next();
        const uint64_t valid = !stalls || random.below(4) ? lanes : 0, data = dice & lanes;
        constexpr size_t size = std::min(sizeof(model.rnd_valid_i), sizeof valid);
        std::memcpy(&model.rnd_valid_i, &valid, size);
        std::memcpy(&model.rnd_data_i, &data, size);
    } else {
        (void)model, (void)random, (void)lanes, (void)stalls;
    }
}

// Whether a design has clear_i, which is so now.
template <typename Model> bool set_clear(Model &model, bool on) {
    if constexpr (REDC_HAS(model, clear_i)) {
        model.clear_i = on;
        return true;
    }
    (void)model, (void)on;
    return false;
}

// A design with its clock. Registers without reset start at random, so that it cannot lean on zeros.
struct Clocked {
    std::unique_ptr<VerilatedContext> context = std::make_unique<VerilatedContext>();
    std::unique_ptr<Vmodel> model;
    Random random;
    uint64_t cycle = 0;
    std::string failure; // of the last `guarded`
    std::atomic<bool> ended{false}; // another thread wants no more of it
    uint64_t random_lanes = 0; // ones, one for each source; 0: their ports are left as they are
#if VM_TRACE
    std::unique_ptr<VerilatedVcdC> trace; // goes before the model does
    uint64_t trace_from = 0;
    uint64_t trace_until = 0;
#endif

    explicit Clocked(uint64_t seed) : random{seed} {
        context->randReset(2);
        context->randSeed(static_cast<int>(seed & 0x3fffffff) + 1);
#if VM_TRACE
        context->traceEverOn(true);
#endif
        model = std::make_unique<Vmodel>(context.get(), "core");
        enter();
        model->clk_i = 0;
        model->rst_ni = 0;
        set_clear(*model, false);
        model->eval();
    }

#if VM_COVERAGE
    // What was covered is added up later, over all files; their names only have to be different.
    ~Clocked() {
        static std::atomic<unsigned> number{0};
        if (const char *folder = std::getenv("REDCORE_COVERAGE"))
            context->coveragep()->write(std::string(folder) + "/" + std::to_string(getpid()) + "-" +
                                        std::to_string(reinterpret_cast<uintptr_t>(&number)) + "-" +
                                        std::to_string(number++) + ".dat");
    }
#endif

    // Verilator looks for files in the context that a thread had first, which may be another model's
    // or be gone.
    void enter() {
        if (Verilated::threadContextp() != context.get())
            Verilated::threadContextp(context.get());
    }
    void evaluate() {
#if VM_TRACE
        model->eval(); // notes what has to be dumped, too
#else
        Vmodel___024root___eval(model->rootp);
#endif
    }
    void settle() {
        enter(); // two simulations of one thread may take turns
        model->clk_i = 0;
        evaluate();
    }
    // What is settled is dumped before the clock rises, as inputs may change until then.
    void edge() {
        dump(0);
        model->clk_i = 1;
        evaluate();
        dump(1);
        ++cycle;
    }
    void dump(int half) {
#if VM_TRACE
        if (trace && cycle >= trace_from && cycle < trace_until)
            trace->dump(2 * cycle + half);
#else
        (void)half;
#endif
    }

    // So many sources of random bits; 0: their ports are left as they are.
    void set_random_lanes(uint32_t lanes) {
        random_lanes = lanes ? ~uint64_t{0} >> (64 - lanes) : 0;
    }

    // Once a cycle in every loop that may take long.
    void heed_end() {
        if (ended.load(std::memory_order_relaxed))
            throw std::runtime_error("the simulation was ended");
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

    // Every signal, register and memory of the design, a line each: its name and its bytes. Of a
    // design that was built with visible names; else there are none.
    std::string state() const {
        static const char digits[] = "0123456789abcdef";
        std::string text;
        const VerilatedScopeNameMap *const scopes = context->scopeNameMap();
        if (scopes == nullptr)
            return text;
        for (const auto &[scope_name, scope] : *scopes) {
            if (scope->varsp() == nullptr)
                continue;
            for (const auto &[name, variable] : *scope->varsp()) {
                if (variable.isParam())
                    continue;
                text.append(scope_name).append(1, '.').append(name).append(1, ' ');
                const auto *bytes = static_cast<const uint8_t *>(variable.datap());
                for (std::size_t at = 0; at < variable.totalSize(); ++at) {
                    text += digits[bytes[at] >> 4];
                    text += digits[bytes[at] & 15];
                }
                text += '\n';
            }
        }
        return text;
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

// From any thread: what runs on this handle ends within a cycle, and nothing runs on it any more.
REDC_API void redc_end(Clocked *handle) { handle->ended = true; }

// Edges of the clock so far.
REDC_API uint64_t redc_cycle(Clocked *handle) { return handle->cycle; }

// Sources of random bits of the ports rnd_*, where drivers make them up.
REDC_API void redc_set_random_lanes(Clocked *handle, uint32_t lanes) {
    handle->set_random_lanes(lanes);
}

// Dump cycles [from, until) as VCD, cycle n at time 2n and its clock edge at 2n + 1; 1 in a build
// without tracing, or where the file cannot be written.
REDC_API int redc_trace(Clocked *handle, const char *path, uint64_t from, uint64_t until) {
#if VM_TRACE
    handle->enter();
    handle->trace = std::make_unique<VerilatedVcdC>();
    handle->model->trace(handle->trace.get(), 99);
    handle->trace->open(path);
    handle->trace_from = from;
    handle->trace_until = until;
    return handle->trace->isOpen() ? 0 : 1;
#else
    (void)handle, (void)path, (void)from, (void)until;
    return 1;
#endif
}
