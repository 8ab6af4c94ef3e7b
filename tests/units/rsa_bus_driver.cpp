// SPDX-License-Identifier: Apache-2.0
// Drives redc_rsa behind a bus: single accesses on AXI4-Lite, words of packets on AXI4-Stream, a
// source of random bits, a fault. What is right is judged in Python.

#include <cstdint>
#include <stdexcept>
#include <string>

#include "model_frame.h"

// As in test_rsa_forgets_on_a_bus.py and benchmarks/rsa_packets.py. Where an access ends without an
// answer, answered is 0.
struct Job {
    uint64_t fault_at; // the multiplier's result from now, from 0, that is turned; ~0: none
    uint32_t random;   // 0, 1: the source is stuck at it. 2: it is not. 3: it gives nothing.
    uint32_t write;
    uint32_t address; // on AXI4-Lite; on AXI4-Stream whether it is the packet's last word
    uint32_t data;
    uint32_t keep;     // bytes of a packet's word
    uint32_t answered; // given back, as data of what is read and
    uint32_t refused;  // on AXI4-Lite whether it was refused, on AXI4-Stream the last word
};
REDC_LAYOUT(Job, REDC_FIELD(Job, fault_at), REDC_FIELD(Job, random), REDC_FIELD(Job, write),
            REDC_FIELD(Job, address), REDC_FIELD(Job, data), REDC_FIELD(Job, keep),
            REDC_FIELD(Job, answered), REDC_FIELD(Job, refused))

namespace {

constexpr int Patience = 2'000'000;

struct Bus : Clocked {
    uint32_t bit = 0; // that the random source offers
    explicit Bus(uint64_t seed) : Clocked{seed} {}
    void draw() { bit = random.next() >> 40 & 1; }
};

// A cycle with the random source and the fault; `look` sees the outputs before its edge.
template <typename Look> void cycle(Bus &handle, Job &job, Look look) {
    Vmodel &model = *handle.model;
    model.rnd_valid_i = job.random < 3;
    model.rnd_data_i = job.random < 2 ? job.random : job.random == 2 && handle.bit;
    model.fault_i = 0;
    handle.settle();
    if (model.result_o && job.fault_at != ~uint64_t{0} && job.fault_at-- == 0) {
        model.fault_i = 1;
        handle.settle();
    }
    if (model.rnd_ready_o)
        handle.draw();
    look();
    handle.edge();
}

template <typename Model> void access(Bus &handle, Model &model, Job &job) {
    if constexpr (REDC_HAS(model, s_axi_awvalid_i)) {
        bool address = true, data = true;
        for (int k = 0; k < Patience && !job.answered; ++k) {
            model.s_axi_awvalid_i = job.write && address;
            model.s_axi_wvalid_i = job.write && data;
            model.s_axi_arvalid_i = !job.write && address;
            (job.write ? model.s_axi_awaddr_i : model.s_axi_araddr_i) = job.address;
            model.s_axi_wdata_i = job.write ? job.data : 0;
            model.s_axi_wstrb_i = 15;
            model.s_axi_bready_i = model.s_axi_rready_i = 1;
            cycle(handle, job, [&] {
                address &= job.write ? !model.s_axi_awready_o : !model.s_axi_arready_o;
                data &= !model.s_axi_wready_o;
                if (job.write ? !model.s_axi_bvalid_o : !model.s_axi_rvalid_o)
                    return;
                job.refused = (job.write ? model.s_axi_bresp_o : model.s_axi_rresp_o) != 0;
                if (!job.write)
                    job.data = model.s_axi_rdata_o;
                job.answered = 1;
            });
        }
        model.s_axi_awvalid_i = model.s_axi_wvalid_i = model.s_axi_arvalid_i = 0;
        model.s_axi_awaddr_i = model.s_axi_araddr_i = model.s_axi_wdata_i = 0;
        model.s_axi_wstrb_i = model.s_axi_bready_i = model.s_axi_rready_i = 0;
    } else {
        model.read_lock_i = 0;
        for (int k = 0; k < Patience && !job.answered; ++k) {
            model.s_axis_tvalid_i = job.write;
            model.s_axis_tdata_i = job.write ? job.data : 0;
            model.s_axis_tkeep_i = job.keep;
            model.s_axis_tlast_i = job.write && job.address;
            model.m_axis_tready_i = !job.write;
            cycle(handle, job, [&] {
                if (job.write ? !model.s_axis_tready_o : !model.m_axis_tvalid_o)
                    return;
                if (!job.write) {
                    job.data = model.m_axis_tdata_o;
                    job.refused = model.m_axis_tlast_o;
                }
                job.answered = 1;
            });
        }
        model.s_axis_tvalid_i = model.s_axis_tdata_i = model.s_axis_tkeep_i = 0;
        model.s_axis_tlast_i = model.m_axis_tready_i = 0;
    }
}

} // namespace

REDC_API Bus *bus_open(uint64_t seed) { return new Bus{seed}; }
REDC_API void bus_close(Bus *handle) { delete handle; }
REDC_API void bus_reset(Bus *handle) { handle->reset(); }
REDC_API void bus_seed(Bus *handle, uint64_t seed) {
    handle->random = Random{seed};
    handle->draw();
}

// Cycles without an access.
REDC_API void bus_wait(Bus *handle, Job *job, uint64_t count) {
    while (count--)
        cycle(*handle, *job, [] {});
}

// One access, or one word; the fault, or nothing.
REDC_API const char *bus_access(Bus *handle, Job *job) {
    return handle->guarded([&] {
        job->answered = 0;
        access(*handle, *handle->model, *job);
    });
}

// Every register and memory by its name, all inputs zero.
REDC_API const char *bus_state(Bus *handle) {
    handle->model->rnd_valid_i = handle->model->rnd_data_i = handle->model->fault_i = 0;
    for (int k = 0; k < 2; ++k) {
        handle->settle();
        handle->edge();
    }
    handle->settle();
    static std::string text;
    text = handle->state();
    return text.c_str();
}
