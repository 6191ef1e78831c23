// Other forms of a model file, by the engine's own quantiser.
#pragma once

#include "model.hpp"

struct runner_shim_types {
    std::vector<runner_shim::TensorType> items;
};

namespace runner_shim {

// The file type whose default tensor type is the form's. Upstream's mixtures do not count: `pure`
// keeps them out.
inline bool file_type_of(runner_shim_form form, llama_ftype * type) {
    switch (form) {
        case RUNNER_SHIM_FORM_F32:    *type = LLAMA_FTYPE_ALL_F32; return true;
        case RUNNER_SHIM_FORM_F16:    *type = LLAMA_FTYPE_MOSTLY_F16; return true;
        case RUNNER_SHIM_FORM_BF16:   *type = LLAMA_FTYPE_MOSTLY_BF16; return true;
        case RUNNER_SHIM_FORM_Q8_0:   *type = LLAMA_FTYPE_MOSTLY_Q8_0; return true;
        case RUNNER_SHIM_FORM_Q6_K:   *type = LLAMA_FTYPE_MOSTLY_Q6_K; return true;
        case RUNNER_SHIM_FORM_Q5_K:   *type = LLAMA_FTYPE_MOSTLY_Q5_K_S; return true;
        case RUNNER_SHIM_FORM_Q5_1:   *type = LLAMA_FTYPE_MOSTLY_Q5_1; return true;
        case RUNNER_SHIM_FORM_Q5_0:   *type = LLAMA_FTYPE_MOSTLY_Q5_0; return true;
        case RUNNER_SHIM_FORM_Q4_K:   *type = LLAMA_FTYPE_MOSTLY_Q4_K_S; return true;
        case RUNNER_SHIM_FORM_Q4_1:   *type = LLAMA_FTYPE_MOSTLY_Q4_1; return true;
        case RUNNER_SHIM_FORM_Q4_0:   *type = LLAMA_FTYPE_MOSTLY_Q4_0; return true;
        case RUNNER_SHIM_FORM_IQ4_NL: *type = LLAMA_FTYPE_MOSTLY_IQ4_NL; return true;
    }
    return false;
}

} // namespace runner_shim

extern "C" {

runner_shim_status runner_shim_requantise(const char * source, const char * target,
                                          runner_shim_form form, uint32_t threads) {
    return guarded([&] {
        Capture capture;
        llama_model_quantize_params params = llama_model_quantize_default_params();
        if (!file_type_of(form, &params.ftype)) { return fail(RUNNER_SHIM_UNSUPPORTED, "unknown form of a model"); }
        if (threads == 0 || threads > GGML_MAX_N_THREADS) {
            return fail(RUNNER_SHIM_INVALID, std::to_string(threads) + " threads are not in 1 to " +
                                                 std::to_string(GGML_MAX_N_THREADS));
        }
        params.nthread = int32_t(threads);
        params.allow_requantize = true;
        params.pure = true;
        if (llama_model_quantize(source, target, &params) != 0) {
            return fail(RUNNER_SHIM_MODEL, capture.reason("the engine gave no reason"));
        }
        return RUNNER_SHIM_OK;
    });
}

runner_shim_status runner_shim_types_read(const char * path, runner_shim_types ** types) {
    return guarded([&] {
        Capture capture;
        auto made = std::make_unique<runner_shim_types>();
        if (!read_tensor_types(path, made->items)) {
            return fail(RUNNER_SHIM_MODEL, capture.reason("not a GGUF file"));
        }
        *types = made.release();
        return RUNNER_SHIM_OK;
    });
}

void runner_shim_types_free(runner_shim_types * types) { delete types; }

size_t runner_shim_types_count(const runner_shim_types * types) { return types->items.size(); }

runner_shim_status runner_shim_types_item(const runner_shim_types * types, size_t index,
                                          uint32_t * tensors, uint64_t * bytes, char * text,
                                          size_t capacity, size_t * length) {
    return guarded([&] {
        if (index >= types->items.size()) { return no_such("tensor type", index); }
        *tensors = types->items[index].tensors;
        *bytes = types->items[index].bytes;
        return write_text(types->items[index].name, text, capacity, length);
    });
}

} // extern "C"
