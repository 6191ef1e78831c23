// Devices of servers on other machines, and such a server itself.
#pragma once

#include "process.hpp"

#if __has_include("ggml-rpc.h")
#    include "ggml-rpc.h"
#    define RUNNER_SHIM_RPC 1
#endif

namespace runner_shim {

using AddRpcServer = ggml_backend_reg_t (*)(const char * endpoint);
using StartRpcServer = void (*)(const char * endpoint, const char * cache, size_t threads, size_t count,
                                ggml_backend_dev_t * devices);

// Null where this build has no such backend.
inline ggml_backend_reg_t rpc_registry() { return ggml_backend_reg_by_name("RPC"); }

inline void * rpc_function(const char * name) {
    ggml_backend_reg_t registry = rpc_registry();
    return registry == nullptr ? nullptr : ggml_backend_reg_get_proc_address(registry, name);
}

inline AddRpcServer add_rpc_server() {
    return reinterpret_cast<AddRpcServer>(rpc_function("ggml_backend_rpc_add_server"));
}

// Null too where the tree's function takes other arguments.
inline StartRpcServer start_rpc_server() {
#ifdef RUNNER_SHIM_RPC
    if (std::is_same<decltype(&ggml_backend_rpc_start_server), StartRpcServer>::value) {
        return reinterpret_cast<StartRpcServer>(rpc_function("ggml_backend_rpc_start_server"));
    }
#endif
    return nullptr;
}

inline bool is_for_layers(ggml_backend_dev_t device) {
    const auto type = ggml_backend_dev_type(device);
    return type == GGML_BACKEND_DEVICE_TYPE_GPU || type == GGML_BACKEND_DEVICE_TYPE_IGPU;
}

// Devices of this machine that layers can be put on.
inline std::vector<ggml_backend_dev_t> own_devices() {
    std::vector<ggml_backend_dev_t> devices;
    for (size_t i = 0; i < ggml_backend_dev_count(); ++i) {
        ggml_backend_dev_t device = ggml_backend_dev_get(i);
        if (is_for_layers(device)) { devices.push_back(device); }
    }
    return devices;
}

// The devices that a model is spread over, ended by a null: those of the servers, as upstream has them
// first, then this machine's. False, with the last error set, where that cannot be.
inline bool devices_with_servers(const std::vector<std::string> & servers,
                                 std::vector<ggml_backend_dev_t> & devices) {
    const AddRpcServer add = add_rpc_server();
    if (add == nullptr) {
        fail(RUNNER_SHIM_UNSUPPORTED, "this build of the engine has no RPC backend");
        return false;
    }
    for (const std::string & server : servers) {
        ggml_backend_reg_t registry = add(server.c_str());
        const size_t count = registry == nullptr ? 0 : ggml_backend_reg_dev_count(registry);
        if (count == 0) {
            fail(RUNNER_SHIM_UNSUPPORTED, "the RPC server at " + server + " offers no device");
            return false;
        }
        for (size_t i = 0; i < count; ++i) { devices.push_back(ggml_backend_reg_dev_get(registry, i)); }
    }
    const std::vector<ggml_backend_dev_t> own = own_devices();
    devices.insert(devices.end(), own.begin(), own.end());
    devices.push_back(nullptr);
    return true;
}

} // namespace runner_shim

extern "C" {

runner_shim_status runner_shim_rpc_version(uint8_t * major, uint8_t * minor, uint8_t * patch) {
#ifdef RUNNER_SHIM_RPC
    if (rpc_registry() != nullptr) {
        *major = RPC_PROTO_MAJOR_VERSION;
        *minor = RPC_PROTO_MINOR_VERSION;
        *patch = RPC_PROTO_PATCH_VERSION;
        return RUNNER_SHIM_OK;
    }
#endif
    (void) major;
    (void) minor;
    (void) patch;
    return guarded([] { return fail(RUNNER_SHIM_UNSUPPORTED, "this build of the engine has no RPC backend"); });
}

runner_shim_status runner_shim_rpc_serve(const char * endpoint, uint32_t threads) {
    return guarded([&] {
        const StartRpcServer start = start_rpc_server();
        if (start == nullptr) {
            return fail(RUNNER_SHIM_UNSUPPORTED, "this build of the engine has no RPC server");
        }
        std::vector<ggml_backend_dev_t> devices = own_devices();
        if (devices.empty()) { devices.push_back(ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU)); }
        start(endpoint, nullptr, threads, devices.size(), devices.data());
        return fail(RUNNER_SHIM_INTERNAL, std::string("the engine's server at ") + endpoint + " has ended");
    });
}

} // extern "C"
