// SPDX-License-Identifier: Apache-2.0
// Accesses to the registers of a design on a bus, one after another, by whichever bus it has.

#include <cstdint>
#include <stdexcept>

#include "model_frame.h"

// As in simulated.py, which compares what is said below it.
struct Access {
    uint32_t write;
    uint32_t address;
    uint32_t data; // given back where it is a read
    uint32_t strobes;
    uint32_t patience; // cycles without an answer after which there is no hope
    // Given back:
    uint32_t refused;
    uint32_t irq;
};
REDC_LAYOUT(Access, REDC_FIELD(Access, write), REDC_FIELD(Access, address),
            REDC_FIELD(Access, data), REDC_FIELD(Access, strobes), REDC_FIELD(Access, patience),
            REDC_FIELD(Access, refused), REDC_FIELD(Access, irq))

namespace {

// What the pins of a bus are while an access is going on, and whether it has been answered.
template <typename Model> struct Pins {
    Model &model;
    Access &access;
    bool address_left = true, data_left = true;

    // Nothing is wanted.
    void rest() {
        if constexpr (REDC_HAS(model, s_axi_awvalid_i)) {
            model.s_axi_awvalid_i = model.s_axi_wvalid_i = model.s_axi_arvalid_i = 0;
            model.s_axi_bready_i = model.s_axi_rready_i = 0;
        } else if constexpr (REDC_HAS(model, s_apb_psel_i)) {
            model.s_apb_psel_i = model.s_apb_penable_i = 0;
        } else if constexpr (REDC_HAS(model, s_wb_cyc_i)) {
            model.s_wb_cyc_i = model.s_wb_stb_i = 0;
        } else {
            model.tl_a_valid_i = model.tl_d_ready_i = 0;
        }
    }

    // Before an edge of the clock.
    void drive() {
        if constexpr (REDC_HAS(model, s_axi_awvalid_i)) {
            model.s_axi_awvalid_i = access.write && address_left;
            model.s_axi_wvalid_i = access.write && data_left;
            model.s_axi_arvalid_i = !access.write && address_left;
            model.s_axi_awaddr_i = model.s_axi_araddr_i = access.address;
            model.s_axi_wdata_i = access.data;
            model.s_axi_wstrb_i = access.strobes;
            model.s_axi_bready_i = model.s_axi_rready_i = 1;
        } else if constexpr (REDC_HAS(model, s_apb_psel_i)) {
            model.s_apb_psel_i = 1;
            model.s_apb_penable_i = !address_left;
            model.s_apb_pwrite_i = access.write;
            model.s_apb_paddr_i = access.address;
            model.s_apb_pwdata_i = access.data;
            model.s_apb_pstrb_i = access.write ? access.strobes : 0;
        } else if constexpr (REDC_HAS(model, s_wb_cyc_i)) {
            model.s_wb_cyc_i = model.s_wb_stb_i = 1;
            model.s_wb_we_i = access.write;
            model.s_wb_adr_i = access.address >> 2;
            model.s_wb_dat_i = access.data;
            model.s_wb_sel_i = access.strobes;
        } else {
            model.tl_a_valid_i = address_left;
            model.tl_a_opcode_i = !access.write ? 4 : access.strobes == 15 ? 0 : 1;
            model.tl_a_size_i = 2;
            model.tl_a_address_i = access.address;
            model.tl_a_mask_i = access.strobes;
            model.tl_a_data_i = access.data;
            model.tl_d_ready_i = 1;
        }
    }

    // With outputs settled: whether this is the answer.
    bool answered() {
        bool done, refused;
        uint32_t word = 0;
        if constexpr (REDC_HAS(model, s_axi_awvalid_i)) {
            done = access.write ? model.s_axi_bvalid_o : model.s_axi_rvalid_o;
            refused = (access.write ? model.s_axi_bresp_o : model.s_axi_rresp_o) != 0;
            word = model.s_axi_rdata_o;
            if (access.write ? model.s_axi_awready_o : model.s_axi_arready_o)
                address_left = false;
            if (model.s_axi_wready_o)
                data_left = false;
        } else if constexpr (REDC_HAS(model, s_apb_psel_i)) {
            done = model.s_apb_pready_o && !address_left;
            refused = model.s_apb_pslverr_o;
            word = model.s_apb_prdata_o;
            address_left = false;
        } else if constexpr (REDC_HAS(model, s_wb_cyc_i)) {
            done = model.s_wb_ack_o || model.s_wb_err_o;
            refused = model.s_wb_err_o;
            word = model.s_wb_dat_o;
        } else {
            done = model.tl_d_valid_o;
            refused = model.tl_d_error_o;
            word = model.tl_d_data_o;
            if (model.tl_a_ready_o)
                address_left = false;
        }
        if (done) {
            access.refused = refused;
            if (!access.write)
                access.data = word;
        }
        return done;
    }
};

void cycle(Clocked &handle) {
    handle.heed_end();
    give_random(*handle.model, handle.random, handle.random_lanes, false);
    handle.settle();
}

} // namespace

REDC_API Clocked *bus_open(uint64_t seed) { return new Clocked{seed}; }

REDC_API void bus_close(Clocked *handle) { delete handle; }

REDC_API void bus_reset(Clocked *handle) {
    Access none{};
    Pins<Vmodel>{*handle->model, none}.rest();
    handle->reset();
}

// So many cycles, in which nothing is asked.
REDC_API const char *bus_wait(Clocked *handle, uint64_t cycles) {
    return handle->guarded([&] {
        for (uint64_t k = 0; k < cycles; ++k) {
            cycle(*handle);
            handle->edge();
        }
    });
}

REDC_API const char *bus_access(Clocked *handle, Access *access) {
    return handle->guarded([&] {
        Pins<Vmodel> pins{*handle->model, *access};
        bool done = false;
        for (uint32_t k = 0; !done; ++k) {
            if (k == access->patience)
                throw std::runtime_error("the bus does not answer");
            pins.drive();
            cycle(*handle);
            done = pins.answered();
            handle->edge();
        }
        pins.rest();
        handle->settle();
        access->irq = handle->model->irq_o;
    });
}
