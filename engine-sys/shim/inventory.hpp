// What was allocated, and what ran.
#pragma once

#include "context.hpp"

namespace runner_shim {

inline void add_buffer(runner_shim_context & owner, ggml_backend_buffer_type_t type,
                       runner_shim_buffer_kind kind, size_t bytes) {
    if (bytes == 0) { return; }
    owner.buffers.push_back({text_or_empty(ggml_backend_buft_name(type)), device_name_of(type), kind, bytes});
}

} // namespace runner_shim

extern "C" {

runner_shim_status runner_shim_buffers_read(runner_shim_context * context, size_t * count) {
    return guarded([&] {
        context->buffers.clear();
        Breakdown found;
        if (!breakdown(context->context.get(), found, 0)) {
            return fail(RUNNER_SHIM_UNSUPPORTED, "this engine does not tell the sizes of its buffers");
        }
        for (const auto & [type, use] : found) {
            add_buffer(*context, type, RUNNER_SHIM_BUFFER_WEIGHTS, use.weights);
            add_buffer(*context, type, RUNNER_SHIM_BUFFER_KV, use.kv);
            add_buffer(*context, type, RUNNER_SHIM_BUFFER_COMPUTE, use.compute);
        }
        ggml_backend_buffer_t output = output_buffer(context->context.get(), 0);
        if (output != nullptr) {
            add_buffer(*context, ggml_backend_buffer_get_type(output), RUNNER_SHIM_BUFFER_OUTPUT,
                       ggml_backend_buffer_get_size(output));
        }
        // The breakdown is ordered by address, which differs from run to run.
        std::stable_sort(context->buffers.begin(), context->buffers.end(),
                         [](const BufferItem & a, const BufferItem & b) {
                             return std::tie(a.type, a.kind) < std::tie(b.type, b.kind);
                         });
        *count = context->buffers.size();
        return RUNNER_SHIM_OK;
    });
}

runner_shim_status runner_shim_buffer(const runner_shim_context * context, size_t index,
                                      runner_shim_buffer_kind * kind, uint64_t * bytes, char * text,
                                      size_t capacity, size_t * length) {
    return guarded([&] {
        if (index >= context->buffers.size()) { return no_such("buffer", index); }
        const BufferItem & item = context->buffers[index];
        *kind = item.kind;
        *bytes = item.bytes;
        return write_text(item.type, text, capacity, length);
    });
}

runner_shim_status runner_shim_buffer_device(const runner_shim_context * context, size_t index,
                                             char * text, size_t capacity, size_t * length) {
    return guarded([&] {
        if (index >= context->buffers.size()) { return no_such("buffer", index); }
        return write_text(context->buffers[index].device, text, capacity, length);
    });
}

size_t runner_shim_operation_count(const runner_shim_context * context) { return context->operations.size(); }

runner_shim_status runner_shim_operation(const runner_shim_context * context, size_t index,
                                         uint64_t * count, char * text, size_t capacity,
                                         size_t * length) {
    return guarded([&] {
        if (index >= context->operations.size()) { return no_such("operation", index); }
        const auto item = std::next(context->operations.begin(), std::ptrdiff_t(index));
        *count = item->second;
        return write_text(item->first.first, text, capacity, length);
    });
}

runner_shim_status runner_shim_operation_device(const runner_shim_context * context, size_t index,
                                                char * text, size_t capacity, size_t * length) {
    return guarded([&] {
        if (index >= context->operations.size()) { return no_such("operation", index); }
        const auto item = std::next(context->operations.begin(), std::ptrdiff_t(index));
        return write_text(item->first.second, text, capacity, length);
    });
}

} // extern "C"
