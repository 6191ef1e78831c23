// Contexts: evaluation, the KV cache, and what is in effect.
#pragma once

#include "model.hpp"
#include "process.hpp"

#include <cmath>

namespace runner_shim {

struct ContextDeleter {
    void operator()(llama_context * context) const { llama_free(context); }
};
struct PoolDeleter {
    void operator()(ggml_threadpool * pool) const { ggml_threadpool_free(pool); }
};

struct BufferItem {
    std::string type;
    std::string device;
    runner_shim_buffer_kind kind;
    uint64_t bytes;
};

// Ordered by name, then device; that order is the order of the answers.
using OperationKey = std::pair<std::string, std::string>;

inline std::string lower_case(std::string text) {
    for (char & c : text) {
        if (c >= 'A' && c <= 'Z') { c = char(c - 'A' + 'a'); }
    }
    return text;
}

} // namespace runner_shim

struct runner_shim_context {
    // Declared in this order so that the context goes first, then the pools.
    std::unique_ptr<ggml_threadpool, runner_shim::PoolDeleter> pool;
    std::unique_ptr<ggml_threadpool, runner_shim::PoolDeleter> batch_pool;
    std::unique_ptr<llama_context, runner_shim::ContextDeleter> context;

    const runner_shim_model * model = nullptr;
    int32_t vocabulary = 0;
    int64_t kv_offload_asked = 0;

    // Scratch for a batch of sequence 0, made once.
    std::vector<llama_pos> positions;
    std::vector<int32_t> sequence_counts;
    std::vector<llama_seq_id *> sequences;
    std::vector<int8_t> outputs;
    llama_seq_id sequence = 0;
    size_t evaluated = 0;

    std::vector<runner_shim::BufferItem> buffers;
    std::map<runner_shim::OperationKey, uint64_t> operations;
};

namespace runner_shim {

inline std::string device_name_of(ggml_backend_buffer_type_t type) {
    ggml_backend_dev_t device = type == nullptr ? nullptr : ggml_backend_buft_get_device(type);
    return device == nullptr ? "CPU" : text_or_empty(ggml_backend_dev_name(device));
}

inline std::string device_of(runner_shim_context & owner, ggml_tensor * tensor) {
    ggml_backend_sched_t sched = owner.context == nullptr ? nullptr : scheduler(owner.context.get(), 0);
    ggml_backend_t backend = sched == nullptr ? nullptr : ggml_backend_sched_get_tensor_backend(sched, tensor);
    ggml_backend_dev_t device = backend == nullptr ? nullptr : ggml_backend_get_device(backend);
    if (device != nullptr) { return text_or_empty(ggml_backend_dev_name(device)); }
    ggml_backend_buffer_t buffer = tensor->view_src != nullptr ? tensor->view_src->buffer : tensor->buffer;
    return buffer == nullptr ? "unknown" : device_name_of(ggml_backend_buffer_get_type(buffer));
}

// The scheduler asks before it computes each node whether someone wants to see its data. The answer
// is always no: then a split is computed whole, as in an unobserved run, and fusion is not disturbed.
inline bool on_node(ggml_tensor * tensor, bool ask, void * data) {
    if (!ask) { return true; }
    switch (tensor->op) {
        case GGML_OP_NONE:
        case GGML_OP_RESHAPE:
        case GGML_OP_VIEW:
        case GGML_OP_PERMUTE:
        case GGML_OP_TRANSPOSE: return false;
        default:                break;
    }
    auto * owner = static_cast<runner_shim_context *>(data);
    guarded([&] {
        const std::string name = lower_case(text_or_empty(ggml_op_desc(tensor)));
        owner->operations[{name, device_of(*owner, tensor)}] += 1;
        return RUNNER_SHIM_OK;
    });
    return false;
}

inline void attach_pools(runner_shim_context & owner, const runner_shim_options & options) {
    const int threads = int(options.at(RUNNER_SHIM_OPTION_THREADS));
    const int batch_threads = int(options.at(RUNNER_SHIM_OPTION_BATCH_THREADS));
    if (batch_threads != threads) {
        ggml_threadpool_params params = pool_parameters(options, batch_threads);
        owner.batch_pool.reset(ggml_threadpool_new(&params));
        if (owner.batch_pool == nullptr) { throw std::runtime_error("the batch thread pool could not be made"); }
        ggml_threadpool_pause(owner.batch_pool.get());
    }
    ggml_threadpool_params params = pool_parameters(options, threads);
    owner.pool.reset(ggml_threadpool_new(&params));
    if (owner.pool == nullptr) { throw std::runtime_error("the thread pool could not be made"); }
    llama_attach_threadpool(owner.context.get(), owner.pool.get(),
                            owner.batch_pool == nullptr ? owner.pool.get() : owner.batch_pool.get());
}

inline runner_shim_status decode_failure(int32_t code) {
    switch (code) {
        case 1:  return fail(RUNNER_SHIM_CONTEXT, "the KV cache has no room for the batch");
        case 2:  return fail(RUNNER_SHIM_COMPUTE, "the evaluation was aborted");
        case -1: return fail(RUNNER_SHIM_INVALID, "the engine refused the batch");
        default: return fail(RUNNER_SHIM_COMPUTE, "the engine failed with code " + std::to_string(code));
    }
}

// Null, with the last error set, where that token has no row.
inline const float * row_of(runner_shim_context & owner, size_t index) {
    if (index >= owner.evaluated || owner.outputs[index] == 0) {
        fail(RUNNER_SHIM_INVALID, "no logits were kept for token " + std::to_string(index));
        return nullptr;
    }
    const float * row = llama_get_logits_ith(owner.context.get(), int32_t(index));
    if (row == nullptr) { fail(RUNNER_SHIM_COMPUTE, "the engine has no logits for token " + std::to_string(index)); }
    return row;
}

inline runner_shim_status kv_type_number(ggml_type type, int64_t * value) {
    for (size_t i = 0; i < KV_TYPES.size(); ++i) {
        if (KV_TYPES[i] == type) {
            *value = int64_t(i);
            return RUNNER_SHIM_OK;
        }
    }
    return fail(RUNNER_SHIM_UNSUPPORTED, "the KV cache has a type that this program does not know");
}

inline void add_buffer(runner_shim_context & owner, ggml_backend_buffer_type_t type,
                       runner_shim_buffer_kind kind, size_t bytes) {
    if (bytes == 0) { return; }
    owner.buffers.push_back({text_or_empty(ggml_backend_buft_name(type)), device_name_of(type), kind, bytes});
}

} // namespace runner_shim

extern "C" {

runner_shim_status runner_shim_context_new(runner_shim_model * model,
                                           const runner_shim_options * options,
                                           runner_shim_context ** context) {
    return guarded([&] {
        Capture capture;
        auto made = std::make_unique<runner_shim_context>();
        llama_context_params params;
        if (!context_parameters(*options, params)) {
            return fail(RUNNER_SHIM_UNSUPPORTED, "this engine cannot be told about flash attention");
        }
        if (options->at(RUNNER_SHIM_OPTION_OBSERVED) != 0) {
            params.cb_eval = on_node;
            params.cb_eval_user_data = made.get();
        }
        made->context.reset(llama_init_from_model(model->model.get(), params));
        if (made->context == nullptr) {
            return fail(RUNNER_SHIM_CONTEXT, capture.reason("the engine gave no reason"));
        }
        attach_pools(*made, *options);
        made->model = model;
        made->vocabulary = llama_vocab_n_tokens(model->vocab());
        made->kv_offload_asked = options->at(RUNNER_SHIM_OPTION_KV_OFFLOAD);
        const size_t batch = llama_n_batch(made->context.get());
        made->positions.resize(batch);
        made->sequence_counts.assign(batch, 1);
        made->sequences.assign(batch, &made->sequence);
        made->outputs.resize(batch);
        *context = made.release();
        return RUNNER_SHIM_OK;
    });
}

void runner_shim_context_free(runner_shim_context * context) {
    guarded([&] {
        delete context;
        return RUNNER_SHIM_OK;
    });
}

runner_shim_status runner_shim_context_read(const runner_shim_context * context,
                                            runner_shim_context_number number, int64_t * value) {
    return guarded([&] {
        llama_context * c = context->context.get();
        ggml_type key = GGML_TYPE_COUNT;
        ggml_type val = GGML_TYPE_COUNT;
        switch (number) {
            case RUNNER_SHIM_CONTEXT_TOKENS:             *value = llama_n_ctx(c); break;
            case RUNNER_SHIM_CONTEXT_SEQUENCE_TOKENS:    *value = sequence_tokens(c, 0); break;
            case RUNNER_SHIM_CONTEXT_BATCH_TOKENS:       *value = llama_n_batch(c); break;
            case RUNNER_SHIM_CONTEXT_MICRO_BATCH_TOKENS: *value = llama_n_ubatch(c); break;
            case RUNNER_SHIM_CONTEXT_THREADS:            *value = llama_n_threads(c); break;
            case RUNNER_SHIM_CONTEXT_BATCH_THREADS:      *value = llama_n_threads_batch(c); break;
            case RUNNER_SHIM_CONTEXT_PARALLEL_SEQUENCES: *value = llama_n_seq_max(c); break;
            case RUNNER_SHIM_CONTEXT_FLASH_ATTENTION:
                if (!has_flash<llama_context>(0)) {
                    return fail(RUNNER_SHIM_UNSUPPORTED, "this engine does not tell whether flash attention is on");
                }
                *value = flash_in_effect(c, 0);
                break;
            case RUNNER_SHIM_CONTEXT_KV_OFFLOAD: {
                const int in_effect = offload_in_effect(c, 0);
                *value = in_effect < 0 ? context->kv_offload_asked : in_effect;
                break;
            }
            case RUNNER_SHIM_CONTEXT_KEY_TYPE:
            case RUNNER_SHIM_CONTEXT_VALUE_TYPE:
                if (!kv_types_in_effect(c, key, val)) {
                    return fail(RUNNER_SHIM_UNSUPPORTED, "this engine does not tell the types of this model's KV cache");
                }
                return kv_type_number(number == RUNNER_SHIM_CONTEXT_KEY_TYPE ? key : val, value);
            default: return fail(RUNNER_SHIM_UNSUPPORTED, "unknown number of a context");
        }
        return RUNNER_SHIM_OK;
    });
}

runner_shim_status runner_shim_decode(runner_shim_context * context, const int32_t * tokens,
                                      size_t count, int32_t position, size_t first_output) {
    return guarded([&] {
        if (count == 0 || count > context->positions.size()) {
            return fail(RUNNER_SHIM_INVALID, std::to_string(count) + " tokens do not fit into a batch of " +
                                                 std::to_string(context->positions.size()));
        }
        for (size_t i = 0; i < count; ++i) {
            if (tokens[i] < 0 || tokens[i] >= context->vocabulary) {
                return fail(RUNNER_SHIM_INVALID, "token " + std::to_string(tokens[i]) + " is not in a vocabulary of " +
                                                     std::to_string(context->vocabulary));
            }
            context->positions[i] = position + int32_t(i);
            context->outputs[i] = i >= first_output ? 1 : 0;
        }
        llama_batch batch{};
        batch.n_tokens = int32_t(count);
        batch.token = const_cast<llama_token *>(tokens); // the engine only reads it
        batch.pos = context->positions.data();
        batch.n_seq_id = context->sequence_counts.data();
        batch.seq_id = context->sequences.data();
        batch.logits = context->outputs.data();
        context->evaluated = 0;
        // Two pools of the engine's own threads would poll against each other.
        if (context->batch_pool != nullptr) {
            ggml_threadpool_pause(count > 1 ? context->pool.get() : context->batch_pool.get());
        }
        const int32_t code = llama_decode(context->context.get(), batch);
        if (code != 0) { return decode_failure(code); }
        context->evaluated = count;
        return RUNNER_SHIM_OK;
    });
}

runner_shim_status runner_shim_synchronize(runner_shim_context * context) {
    return guarded([&] {
        llama_synchronize(context->context.get());
        return RUNNER_SHIM_OK;
    });
}

runner_shim_status runner_shim_logits(runner_shim_context * context, size_t index, float * row,
                                      size_t count) {
    return guarded([&] {
        if (count != size_t(context->vocabulary)) {
            return fail(RUNNER_SHIM_INVALID, "a row of logits has " + std::to_string(context->vocabulary) + " numbers");
        }
        const float * source = row_of(*context, index);
        if (source == nullptr) { return RUNNER_SHIM_COMPUTE; }
        std::memcpy(row, source, count * sizeof(float));
        return RUNNER_SHIM_OK;
    });
}

runner_shim_status runner_shim_argmax(runner_shim_context * context, size_t index, int32_t * token) {
    return guarded([&] {
        const float * row = row_of(*context, index);
        if (row == nullptr) { return RUNNER_SHIM_COMPUTE; }
        int32_t best = 0;
        for (int32_t i = 0; i < context->vocabulary; ++i) {
            if (std::isnan(row[i])) {
                return fail(RUNNER_SHIM_COMPUTE, "the logit of token " + std::to_string(i) + " is not a number");
            }
            if (row[i] > row[best]) { best = i; }
        }
        *token = best;
        return RUNNER_SHIM_OK;
    });
}

runner_shim_status runner_shim_trim(runner_shim_context * context, int32_t position) {
    return guarded([&] {
        if (!llama_memory_seq_rm(llama_get_memory(context->context.get()), 0, position, -1)) {
            return fail(RUNNER_SHIM_UNSUPPORTED, "this model's memory cannot be cut off at a position");
        }
        return RUNNER_SHIM_OK;
    });
}

runner_shim_status runner_shim_clear(runner_shim_context * context) {
    return guarded([&] {
        llama_memory_clear(llama_get_memory(context->context.get()), /*data=*/false);
        return RUNNER_SHIM_OK;
    });
}

runner_shim_status runner_shim_rest(runner_shim_context * context) {
    return guarded([&] {
        if (context->pool != nullptr) { ggml_threadpool_pause(context->pool.get()); }
        if (context->batch_pool != nullptr) { ggml_threadpool_pause(context->batch_pool.get()); }
        return RUNNER_SHIM_OK;
    });
}

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
