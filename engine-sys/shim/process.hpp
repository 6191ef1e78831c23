// The process, the build and its devices.
#pragma once

#include "probe.hpp"

#include <unistd.h>

#ifdef GGML_USE_CUDA
// In cuda/trouble.cu.
extern "C" const char * runner_cuda_trouble(void);
#endif

namespace runner_shim {

inline const char * device_trouble() {
#ifdef GGML_USE_CUDA
    return runner_cuda_trouble();
#else
    return "";
#endif
}

inline ggml_backend_reg_t cpu_registry() {
    ggml_backend_dev_t device = ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU);
    return device == nullptr ? nullptr : ggml_backend_dev_backend_reg(device);
}

inline std::vector<std::string> features_of(ggml_backend_reg_t registry) {
    std::vector<std::string> features;
    if (registry == nullptr) { return features; }
    auto read = reinterpret_cast<ggml_backend_get_features_t>(
        ggml_backend_reg_get_proc_address(registry, "ggml_backend_get_features"));
    if (read == nullptr) { return features; }
    for (auto * feature = read(registry); feature != nullptr && feature->name != nullptr; ++feature) {
        features.push_back(text_or_empty(feature->name) + "=" + text_or_empty(feature->value));
    }
    return features;
}

inline bool threads_are_openmp() {
    const std::vector<std::string> features = features_of(cpu_registry());
    return std::find(features.begin(), features.end(), "OPENMP=1") != features.end();
}

inline ggml_backend_dev_t device_at(size_t index) {
    return index < ggml_backend_dev_count() ? ggml_backend_dev_get(index) : nullptr;
}

inline runner_shim_status no_such(const char * what, size_t index) {
    return fail(RUNNER_SHIM_INVALID, std::string("there is no ") + what + " " + std::to_string(index));
}

} // namespace runner_shim

using namespace runner_shim;

extern "C" {

runner_shim_status runner_shim_start(runner_shim_log_level level) {
    return guarded([&] {
        log_state().shown = level;
        llama_log_set(on_log, nullptr);
        llama_backend_init();
        if (cpu_registry() == nullptr) {
            return fail(RUNNER_SHIM_UNSUPPORTED, "this build of the engine has no CPU backend");
        }
        return RUNNER_SHIM_OK;
    });
}

runner_shim_status runner_shim_stop(void) {
    return guarded([] {
        llama_backend_free();
        return RUNNER_SHIM_OK;
    });
}

void runner_shim_exit_now(int32_t code) { _exit(code); }

runner_shim_status runner_shim_last_error(char * text, size_t capacity, size_t * length) {
    return write_text(last_error(), text, capacity, length);
}

runner_shim_status runner_shim_numa_start(runner_shim_numa strategy, int32_t * in_effect) {
    return guarded([&] {
        if (strategy < RUNNER_SHIM_NUMA_DISABLED || strategy > RUNNER_SHIM_NUMA_NUMACTL) {
            return fail(RUNNER_SHIM_INVALID, "unknown memory node strategy");
        }
        llama_numa_init(static_cast<ggml_numa_strategy>(strategy));
        *in_effect = ggml_is_numa() ? 1 : 0;
        return RUNNER_SHIM_OK;
    });
}

int32_t runner_shim_can(runner_shim_capability capability) {
    int32_t can = 0;
    guarded([&] {
        switch (capability) {
            case RUNNER_SHIM_CAN_ATTACH_POOL:           can = 1; break;
            case RUNNER_SHIM_CAN_READ_BUFFERS:          can = has_breakdown<llama_context>(0); break;
            case RUNNER_SHIM_CAN_READ_OUTPUT_BUFFER:    can = has_output_buffer<llama_context>(0); break;
            case RUNNER_SHIM_CAN_READ_FLASH_ATTENTION:  can = has_flash<llama_context>(0); break;
#ifdef RUNNER_SHIM_KV_CACHE
            case RUNNER_SHIM_CAN_READ_KV_TYPES:         can = 1; break;
#else
            case RUNNER_SHIM_CAN_READ_KV_TYPES:         can = 0; break;
#endif
            case RUNNER_SHIM_CAN_READ_OPERATION_DEVICE: can = has_scheduler<llama_context>(0); break;
            case RUNNER_SHIM_CAN_MAP:                   can = llama_supports_mmap(); break;
            case RUNNER_SHIM_CAN_LOCK:                  can = llama_supports_mlock(); break;
            case RUNNER_SHIM_CAN_OFFLOAD:               can = llama_supports_gpu_offload(); break;
            case RUNNER_SHIM_THREADS_ARE_OPENMP:        can = threads_are_openmp(); break;
            case RUNNER_SHIM_CAN_USE_SERVERS:
                can = has_devices<llama_model_params>(0) && ggml_backend_reg_by_name("RPC") != nullptr;
                break;
        }
        return RUNNER_SHIM_OK;
    });
    return can;
}

runner_shim_status runner_shim_engine_version(char * text, size_t capacity, size_t * length) {
    return guarded([&] {
        return write_text(text_or_empty(ggml_version()) + " (" + text_or_empty(ggml_commit()) + ")",
                          text, capacity, length);
    });
}

size_t runner_shim_backend_count(void) { return ggml_backend_reg_count(); }

runner_shim_status runner_shim_backend_name(size_t index, char * text, size_t capacity,
                                            size_t * length) {
    return guarded([&] {
        if (index >= ggml_backend_reg_count()) { return no_such("backend", index); }
        return write_text(text_or_empty(ggml_backend_reg_name(ggml_backend_reg_get(index))), text,
                          capacity, length);
    });
}

size_t runner_shim_backend_feature_count(size_t backend) {
    size_t count = 0;
    guarded([&] {
        if (backend < ggml_backend_reg_count()) {
            count = features_of(ggml_backend_reg_get(backend)).size();
        }
        return RUNNER_SHIM_OK;
    });
    return count;
}

runner_shim_status runner_shim_backend_feature(size_t backend, size_t feature, char * text,
                                               size_t capacity, size_t * length) {
    return guarded([&] {
        if (backend >= ggml_backend_reg_count()) { return no_such("backend", backend); }
        const std::vector<std::string> features = features_of(ggml_backend_reg_get(backend));
        if (feature >= features.size()) { return no_such("feature", feature); }
        return write_text(features[feature], text, capacity, length);
    });
}

size_t runner_shim_device_count(void) { return ggml_backend_dev_count(); }

runner_shim_status runner_shim_device_kind_of(size_t device, runner_shim_device_kind * kind) {
    return guarded([&] {
        ggml_backend_dev_t found = device_at(device);
        if (found == nullptr) { return no_such("device", device); }
        switch (ggml_backend_dev_type(found)) {
            case GGML_BACKEND_DEVICE_TYPE_CPU:   *kind = RUNNER_SHIM_DEVICE_CPU; break;
            case GGML_BACKEND_DEVICE_TYPE_GPU:   *kind = RUNNER_SHIM_DEVICE_GPU; break;
            case GGML_BACKEND_DEVICE_TYPE_IGPU:  *kind = RUNNER_SHIM_DEVICE_INTEGRATED_GPU; break;
            case GGML_BACKEND_DEVICE_TYPE_ACCEL: *kind = RUNNER_SHIM_DEVICE_ACCELERATOR; break;
            default:                             *kind = RUNNER_SHIM_DEVICE_OTHER; break;
        }
        return RUNNER_SHIM_OK;
    });
}

runner_shim_status runner_shim_device_name(size_t device, char * text, size_t capacity,
                                           size_t * length) {
    return guarded([&] {
        ggml_backend_dev_t found = device_at(device);
        if (found == nullptr) { return no_such("device", device); }
        return write_text(text_or_empty(ggml_backend_dev_name(found)), text, capacity, length);
    });
}

runner_shim_status runner_shim_device_description(size_t device, char * text, size_t capacity,
                                                  size_t * length) {
    return guarded([&] {
        ggml_backend_dev_t found = device_at(device);
        if (found == nullptr) { return no_such("device", device); }
        return write_text(text_or_empty(ggml_backend_dev_description(found)), text, capacity, length);
    });
}

runner_shim_status runner_shim_device_trouble(char * text, size_t capacity, size_t * length) {
    return guarded([&] { return write_text(text_or_empty(device_trouble()), text, capacity, length); });
}

runner_shim_status runner_shim_device_memory(size_t device, uint64_t * free_bytes,
                                             uint64_t * total_bytes) {
    return guarded([&] {
        ggml_backend_dev_t found = device_at(device);
        if (found == nullptr) { return no_such("device", device); }
        size_t free_now = 0;
        size_t total = 0;
        ggml_backend_dev_memory(found, &free_now, &total);
        *free_bytes = free_now;
        *total_bytes = total;
        return RUNNER_SHIM_OK;
    });
}

} // extern "C"
