// The tensors of a loaded model.
#pragma once

#include "model.hpp"

namespace runner_shim {

inline const NamedTensors & weights_of(const runner_shim_model & model) {
    static const NamedTensors none;
    const NamedTensors * tensors = tensors_of(model.model.get(), 0);
    return tensors == nullptr ? none : *tensors;
}

// Null, with the last error set, where there is no such tensor.
inline const std::pair<std::string, ggml_tensor *> * weight_at(const runner_shim_model & model, size_t index) {
    const NamedTensors & tensors = weights_of(model);
    if (index < tensors.size()) { return &tensors[index]; }
    no_such("tensor", index);
    return nullptr;
}

// The buffer types in which a backend keeps tensors in an order of its own.
inline std::vector<ggml_backend_buffer_type_t> repacking_types() {
    std::vector<ggml_backend_buffer_type_t> types;
    for (size_t i = 0; i < ggml_backend_dev_count(); ++i) {
        ggml_backend_dev_t device = ggml_backend_dev_get(i);
        auto read = reinterpret_cast<ggml_backend_dev_get_extra_bufts_t>(ggml_backend_reg_get_proc_address(
            ggml_backend_dev_backend_reg(device), "ggml_backend_dev_get_extra_bufts"));
        if (read == nullptr) { continue; }
        for (auto * type = read(device); type != nullptr && *type != nullptr; ++type) { types.push_back(*type); }
    }
    return types;
}

inline bool is_repacked(const ggml_tensor * tensor) {
    ggml_backend_buffer_t buffer = tensor->view_src != nullptr ? tensor->view_src->buffer : tensor->buffer;
    if (buffer == nullptr) { return true; } // nothing that could be read
    const std::vector<ggml_backend_buffer_type_t> types = repacking_types();
    return std::find(types.begin(), types.end(), ggml_backend_buffer_get_type(buffer)) != types.end();
}

} // namespace runner_shim

extern "C" {

size_t runner_shim_weight_count(const runner_shim_model * model) { return weights_of(*model).size(); }

runner_shim_status runner_shim_weight(const runner_shim_model * model, size_t index,
                                      uint64_t * lengths, char * text, size_t capacity,
                                      size_t * length) {
    return guarded([&] {
        const auto * weight = weight_at(*model, index);
        if (weight == nullptr) { return RUNNER_SHIM_INVALID; }
        std::copy_n(weight->second->ne, GGML_MAX_DIMS, lengths);
        return write_text(weight->first, text, capacity, length);
    });
}

runner_shim_status runner_shim_weight_type(const runner_shim_model * model, size_t index,
                                           char * text, size_t capacity, size_t * length) {
    return guarded([&] {
        const auto * weight = weight_at(*model, index);
        if (weight == nullptr) { return RUNNER_SHIM_INVALID; }
        return write_text(text_or_empty(ggml_type_name(weight->second->type)), text, capacity, length);
    });
}

runner_shim_status runner_shim_weight_repacked(const runner_shim_model * model, size_t index,
                                               int32_t * repacked) {
    return guarded([&] {
        const auto * weight = weight_at(*model, index);
        if (weight == nullptr) { return RUNNER_SHIM_INVALID; }
        *repacked = is_repacked(weight->second) ? 1 : 0;
        return RUNNER_SHIM_OK;
    });
}

runner_shim_status runner_shim_weight_buffer(const runner_shim_model * model, size_t index,
                                             uint64_t * bytes, char * text, size_t capacity,
                                             size_t * length) {
    return guarded([&] {
        const auto * weight = weight_at(*model, index);
        if (weight == nullptr) { return RUNNER_SHIM_INVALID; }
        const ggml_tensor * tensor = weight->second;
        ggml_backend_buffer_t buffer = tensor->view_src != nullptr ? tensor->view_src->buffer : tensor->buffer;
        if (buffer == nullptr) { return fail(RUNNER_SHIM_UNSUPPORTED, "`" + weight->first + "` lies in no buffer"); }
        *bytes = ggml_nbytes(tensor);
        return write_text(text_or_empty(ggml_backend_buffer_name(buffer)), text, capacity, length);
    });
}

runner_shim_status runner_shim_weight_read(const runner_shim_model * model, size_t index,
                                           uint64_t first, uint64_t count, float * values) {
    return guarded([&] {
        const auto * weight = weight_at(*model, index);
        if (weight == nullptr) { return RUNNER_SHIM_INVALID; }
        const ggml_tensor * tensor = weight->second;
        const uint64_t rows = uint64_t(ggml_nrows(tensor));
        if (first > rows || count > rows - first) {
            return fail(RUNNER_SHIM_INVALID, "`" + weight->first + "` has " + std::to_string(rows) + " rows only");
        }
        if (is_repacked(tensor) || !ggml_is_contiguous(tensor)) {
            return fail(RUNNER_SHIM_UNSUPPORTED, "`" + weight->first + "` does not lie in memory as in the file");
        }
        const int64_t width = tensor->ne[0];
        const size_t row_bytes = ggml_row_size(tensor->type, width);
        if (tensor->type == GGML_TYPE_F32) {
            ggml_backend_tensor_get(tensor, values, first * row_bytes, count * row_bytes);
            return RUNNER_SHIM_OK;
        }
        const auto * traits = ggml_get_type_traits(tensor->type);
        if (traits == nullptr || traits->to_float == nullptr) {
            return fail(RUNNER_SHIM_UNSUPPORTED, "`" + weight->first + "` is of a type that the engine cannot turn "
                                                 "into floating point: " + text_or_empty(ggml_type_name(tensor->type)));
        }
        std::vector<uint8_t> bytes(size_t(count) * row_bytes);
        ggml_backend_tensor_get(tensor, bytes.data(), first * row_bytes, bytes.size());
        for (uint64_t row = 0; row < count; ++row) {
            traits->to_float(bytes.data() + row * row_bytes, values + row * uint64_t(width), width);
        }
        return RUNNER_SHIM_OK;
    });
}

} // extern "C"
