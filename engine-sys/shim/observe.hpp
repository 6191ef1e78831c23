// Looking into an evaluation: the callback that the scheduler makes for every node of a graph.
#pragma once

#include "context.hpp"

// A node for the time of one call.
struct runner_shim_node {
    runner_shim_context & owner;
    ggml_tensor * tensor;
    bool computed;
};

namespace runner_shim {

// Not so operations that only relabel data, nor those of a branch that is not taken.
inline bool computes(ggml_tensor * tensor) {
    switch (tensor->op) {
        case GGML_OP_NONE:
        case GGML_OP_RESHAPE:
        case GGML_OP_VIEW:
        case GGML_OP_PERMUTE:
        case GGML_OP_TRANSPOSE: return false;
        default:                return is_taken(tensor, 0);
    }
}

inline bool is_float(const ggml_tensor * tensor) {
    return tensor->type == GGML_TYPE_F32 || tensor->type == GGML_TYPE_F16 || tensor->type == GGML_TYPE_BF16;
}

inline void count_operation(runner_shim_context & owner, ggml_tensor * tensor) {
    const std::string name = lower_case(text_or_empty(ggml_op_desc(tensor)));
    owner.operations[{name, device_of(owner, tensor)}] += 1;
}

// Raises the positions that the node reads, once for each tensor that holds them: the scheduler
// makes a copy for every backend.
inline void misplace(runner_shim_context & owner, const ggml_tensor * tensor) {
    for (ggml_tensor * source : tensor->src) {
        if (source == nullptr || source->type != GGML_TYPE_I32) { continue; }
        const bool holds_positions = std::strstr(source->name, "inp_pos") != nullptr;
        if (!holds_positions || owner.raised.count(source) != 0) { continue; }
        std::vector<int32_t> positions(size_t(ggml_nelements(source)));
        ggml_backend_tensor_get(source, positions.data(), 0, ggml_nbytes(source));
        for (int32_t & position : positions) { position += position >= owner.misplaced_from ? 1 : 0; }
        ggml_backend_tensor_set(source, positions.data(), 0, ggml_nbytes(source));
        owner.raised.insert(source);
    }
}

inline bool visits(const runner_shim_context & owner, const ggml_tensor * tensor) {
    return owner.visitor != nullptr && owner.stopped.empty() && is_float(tensor) &&
           ggml_nelements(tensor) > 0;
}

// The scheduler asks before it computes each node whether someone wants to see its data. Where nobody
// does, a split is computed whole, as in an unobserved run, and fusion is not disturbed; where
// someone does, nothing after that node has been computed when its data are shown.
bool on_node(ggml_tensor * tensor, bool ask, void * data) {
    if (!computes(tensor)) { return false; }
    auto & owner = *static_cast<runner_shim_context *>(data);
    bool goes_on = !ask;
    const runner_shim_status status = guarded([&] {
        runner_shim_node node = {owner, tensor, !ask};
        if (ask) {
            count_operation(owner, tensor);
            if (owner.misplaced_from >= 0) { misplace(owner, tensor); }
            goes_on = visits(owner, tensor) && owner.visitor(owner.visitor_data, &node, 0) != 0;
        } else if (owner.visitor != nullptr && owner.visitor(owner.visitor_data, &node, 1) == 0) {
            owner.stopped = "the observer ended the evaluation";
            goes_on = false;
        }
        return RUNNER_SHIM_OK;
    });
    if (status != RUNNER_SHIM_OK) {
        owner.stopped = last_error();
        return false;
    }
    return goes_on;
}

// Where a value lies, in bytes from the tensor's start.
inline size_t place_of(const ggml_tensor * tensor, size_t index) {
    size_t place = 0;
    for (int dimension = 0; dimension < GGML_MAX_DIMS; ++dimension) {
        const size_t length = size_t(tensor->ne[dimension]);
        place += index % length * tensor->nb[dimension];
        index /= length;
    }
    return place;
}

inline void widen(ggml_type type, const void * bytes, float * values, size_t count) {
    switch (type) {
        case GGML_TYPE_F16:
            ggml_fp16_to_fp32_row(static_cast<const ggml_fp16_t *>(bytes), values, int64_t(count));
            break;
        case GGML_TYPE_BF16:
            ggml_bf16_to_fp32_row(static_cast<const ggml_bf16_t *>(bytes), values, int64_t(count));
            break;
        default: std::memcpy(values, bytes, count * sizeof(float)); break;
    }
}

// Reads in the longest pieces that lie one after the other: everything, a row, or a value.
inline void read_values(const ggml_tensor * tensor, size_t first, float * values, size_t count) {
    const size_t size = ggml_type_size(tensor->type);
    const size_t row = size_t(tensor->ne[0]);
    std::vector<uint8_t> bytes;
    while (count > 0) {
        size_t piece = 1;
        if (ggml_is_contiguous(tensor)) {
            piece = count;
        } else if (tensor->nb[0] == size) {
            piece = std::min(count, row - first % row);
        }
        bytes.resize(piece * size);
        ggml_backend_tensor_get(tensor, bytes.data(), place_of(tensor, first), bytes.size());
        widen(tensor->type, bytes.data(), values, piece);
        first += piece;
        values += piece;
        count -= piece;
    }
}

inline void write_values(ggml_tensor * tensor, const float * values, size_t count) {
    switch (tensor->type) {
        case GGML_TYPE_F16: {
            std::vector<ggml_fp16_t> narrow(count);
            ggml_fp32_to_fp16_row(values, narrow.data(), int64_t(count));
            ggml_backend_tensor_set(tensor, narrow.data(), 0, count * sizeof(ggml_fp16_t));
            break;
        }
        case GGML_TYPE_BF16: {
            std::vector<ggml_bf16_t> narrow(count);
            ggml_fp32_to_bf16_row(values, narrow.data(), int64_t(count));
            ggml_backend_tensor_set(tensor, narrow.data(), 0, count * sizeof(ggml_bf16_t));
            break;
        }
        default: ggml_backend_tensor_set(tensor, values, 0, count * sizeof(float)); break;
    }
}

inline runner_shim_status not_observed() {
    return fail(RUNNER_SHIM_INVALID, "the context was not made to be observed");
}

inline runner_shim_status not_computed() {
    return fail(RUNNER_SHIM_INVALID, "the node has no values yet");
}

} // namespace runner_shim

extern "C" {

runner_shim_status runner_shim_observe(runner_shim_context * context, runner_shim_visitor visitor,
                                       void * data) {
    return guarded([&] {
        if (!context->observed) { return not_observed(); }
        context->visitor = visitor;
        context->visitor_data = data;
        return RUNNER_SHIM_OK;
    });
}

runner_shim_status runner_shim_misplace(runner_shim_context * context, int32_t first) {
    return guarded([&] {
        if (!context->observed) { return not_observed(); }
        context->misplaced_from = first;
        return RUNNER_SHIM_OK;
    });
}

runner_shim_status runner_shim_node_name(const runner_shim_node * node, char * text,
                                         size_t capacity, size_t * length) {
    return guarded([&] { return write_text(ggml_get_name(node->tensor), text, capacity, length); });
}

runner_shim_status runner_shim_node_operation(const runner_shim_node * node, char * text,
                                              size_t capacity, size_t * length) {
    return guarded([&] {
        return write_text(lower_case(text_or_empty(ggml_op_desc(node->tensor))), text, capacity, length);
    });
}

runner_shim_status runner_shim_node_device(const runner_shim_node * node, char * text,
                                           size_t capacity, size_t * length) {
    return guarded([&] { return write_text(device_of(node->owner, node->tensor), text, capacity, length); });
}

runner_shim_status runner_shim_node_shape(const runner_shim_node * node, uint64_t * lengths) {
    return guarded([&] {
        std::copy_n(node->tensor->ne, GGML_MAX_DIMS, lengths);
        return RUNNER_SHIM_OK;
    });
}

runner_shim_status runner_shim_node_read(const runner_shim_node * node, size_t first,
                                         float * values, size_t count) {
    return guarded([&] {
        const size_t all = size_t(ggml_nelements(node->tensor));
        if (!node->computed) { return not_computed(); }
        if (first > all || count > all - first) {
            return fail(RUNNER_SHIM_INVALID, "the node has " + std::to_string(all) + " values only");
        }
        read_values(node->tensor, first, values, count);
        return RUNNER_SHIM_OK;
    });
}

runner_shim_status runner_shim_node_write(runner_shim_node * node, const float * values,
                                          size_t count) {
    return guarded([&] {
        const size_t all = size_t(ggml_nelements(node->tensor));
        if (!node->computed) { return not_computed(); }
        if (count != all) {
            return fail(RUNNER_SHIM_INVALID, "the node has " + std::to_string(all) + " values, not " +
                                                 std::to_string(count));
        }
        if (!ggml_is_contiguous(node->tensor)) {
            return fail(RUNNER_SHIM_UNSUPPORTED, "the node's values do not lie one after the other");
        }
        write_values(node->tensor, values, count);
        return RUNNER_SHIM_OK;
    });
}

} // extern "C"
