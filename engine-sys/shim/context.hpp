// Contexts: made, read back and cut off.
#pragma once

#include "model.hpp"
#include "process.hpp"

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

    // Scratch for a batch, made once. Every token is of one sequence.
    std::vector<llama_pos> positions;
    std::vector<int32_t> sequence_counts;
    std::vector<llama_seq_id> sequence_numbers;
    std::vector<llama_seq_id *> sequences;
    std::vector<int8_t> outputs;
    size_t evaluated = 0;

    // Only in an observed context.
    bool observed = false;
    runner_shim_visitor visitor = nullptr;
    void * visitor_data = nullptr;
    int32_t misplaced_from = -1;
    // Of one evaluation: why it was ended early, and the tensors whose positions are raised already.
    std::string stopped;
    std::unordered_set<const ggml_tensor *> raised;

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

// In observe.hpp.
bool on_node(ggml_tensor * tensor, bool ask, void * data);

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

inline runner_shim_status kv_type_number(ggml_type type, int64_t * value) {
    for (size_t i = 0; i < KV_TYPES.size(); ++i) {
        if (KV_TYPES[i] == type) {
            *value = int64_t(i);
            return RUNNER_SHIM_OK;
        }
    }
    return fail(RUNNER_SHIM_UNSUPPORTED, "the KV cache has a type that this program does not know");
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
            made->observed = true;
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
        made->sequence_numbers.assign(batch, 0);
        for (llama_seq_id & number : made->sequence_numbers) { made->sequences.push_back(&number); }
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

} // extern "C"
