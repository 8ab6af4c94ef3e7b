// SPDX-License-Identifier: Apache-2.0
// Accesses to the registers of a design on a bus, one after another, by whichever bus it has; two
// at once where they have channels of their own.

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
    // For those who try what the bus allows; else 0. Cycles before an address, the data of a write
    // (AXI4-Lite) and readiness for the answer (AXI4-Lite, TileLink); after so many the host gives
    // up (Wishbone); TileLink's opcode and 1 (0: as a driver has it), size and source.
    uint32_t address_after;
    uint32_t data_after;
    uint32_t answer_after;
    uint32_t given_up_after;
    uint32_t opcode;
    uint32_t size;
    uint32_t source;
    // Given back:
    uint32_t refused;
    uint32_t irq;
    uint32_t echo; // opcode, size and source of TileLink's answer, from bit 0, 3 and 5
};
REDC_LAYOUT(Access, REDC_FIELD(Access, write), REDC_FIELD(Access, address),
            REDC_FIELD(Access, data), REDC_FIELD(Access, strobes), REDC_FIELD(Access, patience),
            REDC_FIELD(Access, address_after), REDC_FIELD(Access, data_after),
            REDC_FIELD(Access, answer_after), REDC_FIELD(Access, given_up_after),
            REDC_FIELD(Access, opcode), REDC_FIELD(Access, size), REDC_FIELD(Access, source),
            REDC_FIELD(Access, refused), REDC_FIELD(Access, irq), REDC_FIELD(Access, echo))

namespace {

// What the pins of a bus are while an access is going on, and whether it has been answered.
template <typename Model> struct Pins {
    Model &model;
    Access &access;
    bool address_left = true, data_left = true, done = false;
    uint32_t at = 0; // cycles so far

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
        const bool address = address_left && !done && at >= access.address_after;
        const bool ready = at >= access.answer_after;
        // What is not valid is none of an adapter's business: other bits are there.
        const uint32_t junk = address ? 0 : ~0u;
        if constexpr (REDC_HAS(model, s_axi_awvalid_i)) {
            if (access.write) {
                model.s_axi_awvalid_i = address;
                model.s_axi_wvalid_i = data_left && !done && at >= access.data_after;
                model.s_axi_awaddr_i = (access.address ^ junk) & 0xfff;
                model.s_axi_wdata_i = model.s_axi_wvalid_i ? access.data : ~access.data;
                model.s_axi_wstrb_i = access.strobes;
                model.s_axi_bready_i = ready;
            } else {
                model.s_axi_arvalid_i = address;
                model.s_axi_araddr_i = (access.address ^ junk) & 0xfff;
                model.s_axi_rready_i = ready;
            }
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
            model.tl_a_valid_i = address;
            model.tl_a_opcode_i = access.opcode    ? access.opcode - 1
                                  : !access.write  ? 4
                                  : access.strobes == 15 ? 0
                                                   : 1;
            model.tl_a_size_i = access.opcode ? access.size : 2;
            model.tl_a_source_i = (access.source ^ junk) & 0xff;
            model.tl_a_address_i = (access.address ^ junk) & 0xfff;
            model.tl_a_mask_i = access.strobes;
            model.tl_a_data_i = access.data ^ junk;
            model.tl_d_ready_i = ready;
        }
    }

    // With outputs settled: whether this is the answer, and it is taken. A channel that has had its
    // own rests from the next cycle on, while another's may still be going on.
    bool answered() {
        if (done)
            return true;
        const bool ready = at++ >= access.answer_after;
        bool refused;
        uint32_t word = 0;
        if constexpr (REDC_HAS(model, s_axi_awvalid_i)) {
            done = (access.write ? model.s_axi_bvalid_o : model.s_axi_rvalid_o) && ready;
            refused = (access.write ? model.s_axi_bresp_o : model.s_axi_rresp_o) != 0;
            word = model.s_axi_rdata_o;
            if (access.write ? model.s_axi_awvalid_i && model.s_axi_awready_o
                             : model.s_axi_arvalid_i && model.s_axi_arready_o)
                address_left = false;
            if (model.s_axi_wvalid_i && model.s_axi_wready_o)
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
            if (!done && at == access.given_up_after)
                return done = true;
        } else {
            done = model.tl_d_valid_o && ready;
            refused = model.tl_d_error_o;
            word = model.tl_d_data_o;
            if (model.tl_a_valid_i && model.tl_a_ready_o)
                address_left = false;
            access.echo = model.tl_d_opcode_o | model.tl_d_size_o << 3 | model.tl_d_source_o << 5;
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

// An access, and a read beside it that goes on meanwhile, where the bus has channels for both.
REDC_API const char *bus_access(Clocked *handle, Access *access, Access *beside) {
    return handle->guarded([&] {
        Access none{};
        Pins<Vmodel> pins{*handle->model, *access};
        Pins<Vmodel> others{*handle->model, beside ? *beside : none};
        others.done = beside == nullptr;
        bool done = false;
        for (uint32_t k = 0; !done; ++k) {
            if (k == access->patience)
                throw std::runtime_error("the bus does not answer");
            pins.drive();
            if (beside)
                others.drive();
            cycle(*handle);
            done = pins.answered() & others.answered();
            handle->edge();
        }
        pins.rest();
        handle->settle();
        access->irq = handle->model->irq_o;
    });
}
