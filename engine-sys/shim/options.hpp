// The caller's options, and how they become the engine's parameters.
#pragma once

#include "probe.hpp"

#include <array>

struct runner_shim_options {
    std::array<int64_t, RUNNER_SHIM_OPTION_REPACK + 1> values{};
    std::vector<uint32_t> processors;
    std::vector<std::string> servers;

    int64_t at(runner_shim_option option) const { return values[static_cast<size_t>(option)]; }
};

namespace runner_shim {

static_assert(GGML_NUMA_STRATEGY_DISABLED == int(RUNNER_SHIM_NUMA_DISABLED), "numbers are ggml's");
static_assert(GGML_NUMA_STRATEGY_DISTRIBUTE == int(RUNNER_SHIM_NUMA_DISTRIBUTE), "numbers are ggml's");
static_assert(GGML_NUMA_STRATEGY_ISOLATE == int(RUNNER_SHIM_NUMA_ISOLATE), "numbers are ggml's");
static_assert(GGML_NUMA_STRATEGY_NUMACTL == int(RUNNER_SHIM_NUMA_NUMACTL), "numbers are ggml's");

constexpr std::array<ggml_type, 9> KV_TYPES = {
    GGML_TYPE_F32,  GGML_TYPE_F16,  GGML_TYPE_BF16, GGML_TYPE_Q8_0,   GGML_TYPE_Q5_1,
    GGML_TYPE_Q5_0, GGML_TYPE_Q4_1, GGML_TYPE_Q4_0, GGML_TYPE_IQ4_NL,
};
static_assert(KV_TYPES[RUNNER_SHIM_KV_IQ4_NL] == GGML_TYPE_IQ4_NL, "in the order of the header");

constexpr std::array<ggml_sched_priority, 5> PRIORITIES = {
    GGML_SCHED_PRIO_LOW,  GGML_SCHED_PRIO_NORMAL,   GGML_SCHED_PRIO_MEDIUM,
    GGML_SCHED_PRIO_HIGH, GGML_SCHED_PRIO_REALTIME,
};

struct Range {
    int64_t least;
    int64_t most;
};

inline Range range_of(runner_shim_option option) {
    switch (option) {
        case RUNNER_SHIM_OPTION_GPU_LAYERS:         return {0, INT32_MAX};
        case RUNNER_SHIM_OPTION_CONTEXT_TOKENS:
        case RUNNER_SHIM_OPTION_BATCH_TOKENS:
        case RUNNER_SHIM_OPTION_MICRO_BATCH_TOKENS: return {1, INT32_MAX - 255}; // padded to 256
        case RUNNER_SHIM_OPTION_THREADS:
        case RUNNER_SHIM_OPTION_BATCH_THREADS:      return {1, GGML_MAX_N_THREADS};
        case RUNNER_SHIM_OPTION_FLASH_ATTENTION:    return {0, RUNNER_SHIM_FLASH_ATTENTION_AUTO};
        case RUNNER_SHIM_OPTION_KEY_TYPE:
        case RUNNER_SHIM_OPTION_VALUE_TYPE:         return {0, RUNNER_SHIM_KV_IQ4_NL};
        case RUNNER_SHIM_OPTION_PARALLEL_SEQUENCES: return {1, static_cast<int64_t>(llama_max_parallel_sequences())};
        case RUNNER_SHIM_OPTION_POLL_PERCENT:       return {0, 100};
        case RUNNER_SHIM_OPTION_PRIORITY:           return {0, RUNNER_SHIM_PRIORITY_REALTIME};
        case RUNNER_SHIM_OPTION_MEMORY_MAP:
        case RUNNER_SHIM_OPTION_MEMORY_LOCK:
        case RUNNER_SHIM_OPTION_KV_OFFLOAD:
        case RUNNER_SHIM_OPTION_OBSERVED:
        case RUNNER_SHIM_OPTION_CPU_STRICT:
        case RUNNER_SHIM_OPTION_REPACK:             return {0, 1};
    }
    return {1, 0};
}

inline void fill_with_defaults(runner_shim_options & options) {
    auto set = [&](runner_shim_option option, int64_t value) { options.values[size_t(option)] = value; };
    set(RUNNER_SHIM_OPTION_MEMORY_MAP, 1);
    set(RUNNER_SHIM_OPTION_CONTEXT_TOKENS, 1024);
    set(RUNNER_SHIM_OPTION_BATCH_TOKENS, 2048);     // upstream's
    set(RUNNER_SHIM_OPTION_MICRO_BATCH_TOKENS, 512); // upstream's
    set(RUNNER_SHIM_OPTION_THREADS, 1);
    set(RUNNER_SHIM_OPTION_BATCH_THREADS, 1);
    set(RUNNER_SHIM_OPTION_KEY_TYPE, RUNNER_SHIM_KV_F16);
    set(RUNNER_SHIM_OPTION_VALUE_TYPE, RUNNER_SHIM_KV_F16);
    set(RUNNER_SHIM_OPTION_PARALLEL_SEQUENCES, 1);
    set(RUNNER_SHIM_OPTION_POLL_PERCENT, 50); // upstream's
    set(RUNNER_SHIM_OPTION_PRIORITY, RUNNER_SHIM_PRIORITY_NORMAL);
    set(RUNNER_SHIM_OPTION_REPACK, 1);
}

inline llama_model_params model_parameters(const runner_shim_options & options) {
    llama_model_params params = llama_model_default_params();
    params.n_gpu_layers = static_cast<int32_t>(options.at(RUNNER_SHIM_OPTION_GPU_LAYERS));
    if (params.n_gpu_layers == 0) { set_no_devices(params, 0); }
    set_repack(params, options.at(RUNNER_SHIM_OPTION_REPACK) != 0, 0);
    set_load_mode(params, options.at(RUNNER_SHIM_OPTION_MEMORY_MAP) != 0,
                  options.at(RUNNER_SHIM_OPTION_MEMORY_LOCK) != 0, 0);
    return params;
}

inline bool context_parameters(const runner_shim_options & options, llama_context_params & params) {
    params = llama_context_default_params();
    params.n_ctx = static_cast<uint32_t>(options.at(RUNNER_SHIM_OPTION_CONTEXT_TOKENS));
    params.n_batch = static_cast<uint32_t>(options.at(RUNNER_SHIM_OPTION_BATCH_TOKENS));
    params.n_ubatch = static_cast<uint32_t>(options.at(RUNNER_SHIM_OPTION_MICRO_BATCH_TOKENS));
    params.n_seq_max = static_cast<uint32_t>(options.at(RUNNER_SHIM_OPTION_PARALLEL_SEQUENCES));
    params.n_threads = static_cast<int32_t>(options.at(RUNNER_SHIM_OPTION_THREADS));
    params.n_threads_batch = static_cast<int32_t>(options.at(RUNNER_SHIM_OPTION_BATCH_THREADS));
    params.type_k = KV_TYPES[size_t(options.at(RUNNER_SHIM_OPTION_KEY_TYPE))];
    params.type_v = KV_TYPES[size_t(options.at(RUNNER_SHIM_OPTION_VALUE_TYPE))];
    params.offload_kqv = options.at(RUNNER_SHIM_OPTION_KV_OFFLOAD) != 0;
    params.no_perf = true; // upstream's own clocks would cost and are not read
    // Without layers on a device, large batches must not wander there either.
    set_op_offload(params, options.at(RUNNER_SHIM_OPTION_GPU_LAYERS) != 0, 0);
    return set_flash(params, options.at(RUNNER_SHIM_OPTION_FLASH_ATTENTION), 0);
}

inline ggml_threadpool_params pool_parameters(const runner_shim_options & options, int threads) {
    ggml_threadpool_params params = ggml_threadpool_params_default(threads);
    for (uint32_t processor : options.processors) { params.cpumask[processor] = true; }
    params.poll = static_cast<uint32_t>(options.at(RUNNER_SHIM_OPTION_POLL_PERCENT));
    params.prio = PRIORITIES[size_t(options.at(RUNNER_SHIM_OPTION_PRIORITY))];
    params.strict_cpu = options.at(RUNNER_SHIM_OPTION_CPU_STRICT) != 0;
    return params;
}

} // namespace runner_shim
