// Feature probes. Everything here compiles whether or not the source tree in use has the member or
// the function that is asked for; where it does not, the answer is "unsupported".
//
// The pattern: two overloads, the first of which only takes part in overload resolution when the
// expression is valid; `int` is a better match for the literal 0 than `long`.
#pragma once

#include "guard.hpp"

// Every standard header that the engine's internals need comes before the next lines.
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ggml-backend.h"
#include "ggml-cpu.h"
#include "ggml-cpp.h"
#include "ggml-opt.h"
#include "gguf.h"
#include "llama.h"

// The size of the output buffer has no accessor, public or not. Access rules do not change layout
// or linkage, so lifting them in this one header is safe with the compilers that build the engine.
#if !defined(RUNNER_SHIM_WITHOUT_INTERNALS) && __has_include("llama-context.h")
#    define private public
#    include "llama-context.h"
#    undef private
#endif
#if !defined(RUNNER_SHIM_WITHOUT_INTERNALS) && __has_include("llama-model.h")
#    include "llama-model.h"
#endif
#if !defined(RUNNER_SHIM_WITHOUT_INTERNALS) && __has_include("llama-kv-cache.h")
#    include "llama-kv-cache.h"
#    define RUNNER_SHIM_KV_CACHE 1
#endif
#if !defined(RUNNER_SHIM_WITHOUT_INTERNALS) && __has_include("llama-kv-cache-iswa.h")
#    include "llama-kv-cache-iswa.h"
#    define RUNNER_SHIM_KV_CACHE_ISWA 1
#endif

namespace runner_shim {

// ---- parameters of a model ----

template <class P> auto set_load_mode(P & p, bool map, bool lock, int) -> decltype(p.load_mode, bool()) {
    // Upstream's numbers: 0 read, 1 map, 2 read and lock, 3 map and lock.
    p.load_mode = static_cast<decltype(p.load_mode)>((map ? 1 : 0) + (lock ? 2 : 0));
    return true;
}
template <class P>
auto set_load_mode(P & p, bool map, bool lock, long) -> decltype(p.use_mmap, p.use_mlock, bool()) {
    p.use_mmap = map;
    p.use_mlock = lock;
    return true;
}

// The list of devices to use; a list of none keeps every accelerator out.
template <class P> auto set_no_devices(P & p, int) -> decltype(p.devices, void()) {
    static ggml_backend_dev_t none[] = {nullptr};
    p.devices = none;
}
template <class P> void set_no_devices(P &, long) {}

template <class P> auto set_devices(P & p, ggml_backend_dev_t * devices, int) -> decltype(p.devices, bool()) {
    p.devices = devices;
    return true;
}
template <class P> bool set_devices(P &, ggml_backend_dev_t *, long) { return false; }
template <class P> constexpr auto has_devices(int) -> decltype(std::declval<const P &>().devices, true) { return true; }
template <class P> constexpr bool has_devices(long) { return false; }

// Whether a backend may put tensors in an order of its own. Trees without the member have no such
// backend, or always do it; reading a tensor back looks at its buffer, whatever was asked for here.
template <class P> auto set_repack(P & p, bool repack, int) -> decltype(p.use_extra_bufts, void()) {
    p.use_extra_bufts = repack;
}
template <class P> void set_repack(P &, bool, long) {}

// ---- tensors of a model ----

using NamedTensors = std::vector<std::pair<std::string, ggml_tensor *>>;

template <class M> auto tensors_of(const M * m, int) -> decltype(m->tensors_by_name, (const NamedTensors *) nullptr) {
    return &m->tensors_by_name;
}
template <class M> const NamedTensors * tensors_of(const M *, long) { return nullptr; }

// ---- nodes of a graph ----

// A graph may hold branches that are not taken. Trees that can build those flag what is computed.
constexpr int32_t FLAG_COMPUTE = 16; // upstream's GGML_TENSOR_FLAG_COMPUTE

template <class T>
auto is_taken(T * t, int) -> decltype(ggml_build_forward_select((ggml_cgraph *) nullptr, &t, 1, 0), bool()) {
    return (t->flags & FLAG_COMPUTE) != 0;
}
template <class T> bool is_taken(T *, long) { return true; }

// ---- parameters of a context ----

template <class P> auto set_flash(P & p, int64_t v, int) -> decltype(p.flash_attn_type, bool()) {
    // Upstream's numbers: -1 auto, 0 off, 1 on.
    p.flash_attn_type = static_cast<decltype(p.flash_attn_type)>(v == RUNNER_SHIM_FLASH_ATTENTION_AUTO ? -1 : v);
    return true;
}
template <class P> auto set_flash(P & p, int64_t v, long) -> decltype(p.flash_attn, bool()) {
    p.flash_attn = v == RUNNER_SHIM_FLASH_ATTENTION_ON;
    return v != RUNNER_SHIM_FLASH_ATTENTION_AUTO;
}
template <class P> bool set_flash(P &, int64_t v, ...) { return v == RUNNER_SHIM_FLASH_ATTENTION_OFF; }

template <class P> auto set_op_offload(P & p, bool v, int) -> decltype(p.op_offload, void()) { p.op_offload = v; }
template <class P> void set_op_offload(P &, bool, long) {}

// ---- reading a context back ----

template <class C> auto sequence_tokens(const C * c, int) -> decltype(int64_t(llama_n_ctx_seq(c))) {
    return llama_n_ctx_seq(c);
}
template <class C> int64_t sequence_tokens(const C * c, long) {
    return llama_n_ctx(c) / std::max<uint32_t>(1, llama_n_seq_max(c));
}

template <class C> auto flash_in_effect(const C * c, int) -> decltype(int(c->get_cparams().flash_attn)) {
    return c->get_cparams().flash_attn ? 1 : 0;
}
template <class C> int flash_in_effect(const C *, long) { return -1; }

template <class C> auto offload_in_effect(const C * c, int) -> decltype(int(c->get_cparams().offload_kqv)) {
    return c->get_cparams().offload_kqv ? 1 : 0;
}
template <class C> int offload_in_effect(const C *, long) { return -1; }

template <class C> auto scheduler(const C * c, int) -> decltype(c->get_sched()) { return c->get_sched(); }
template <class C> ggml_backend_sched_t scheduler(const C *, long) { return nullptr; }

template <class C> auto output_buffer(const C * c, int) -> decltype(c->buf_output.get()) {
    return c->buf_output.get();
}
template <class C> ggml_backend_buffer_t output_buffer(const C *, long) { return nullptr; }

struct BufferUse {
    size_t weights = 0;
    size_t kv = 0;
    size_t compute = 0;
};
using Breakdown = std::map<ggml_backend_buffer_type_t, BufferUse>;

template <class C>
auto breakdown(const C * c, Breakdown & out, int) -> decltype(llama_get_memory_breakdown(c), bool()) {
    for (const auto & [type, bytes] : llama_get_memory_breakdown(c)) {
        out[type] = {bytes.model, bytes.context, bytes.compute};
    }
    return true;
}
template <class C>
auto breakdown(const C * c, Breakdown & out, long) -> decltype(c->memory_breakdown(), bool()) {
    for (const auto & [type, bytes] : c->memory_breakdown()) {
        out[type] = {bytes.model, bytes.context, bytes.compute};
    }
    return true;
}
template <class C> bool breakdown(const C *, Breakdown &, ...) { return false; }

template <class M> auto cache_types(M * m, ggml_type & k, ggml_type & v, int) -> decltype(m->type_k(), m->type_v(), bool()) {
    k = m->type_k();
    v = m->type_v();
    return true;
}
template <class M> bool cache_types(M *, ggml_type &, ggml_type &, long) { return false; }

inline bool kv_types_in_effect(const llama_context * context, ggml_type & k, ggml_type & v) {
#ifdef RUNNER_SHIM_KV_CACHE
    llama_memory_t memory = llama_get_memory(context);
    if (auto * cache = dynamic_cast<llama_kv_cache *>(memory)) { return cache_types(cache, k, v, 0); }
#    ifdef RUNNER_SHIM_KV_CACHE_ISWA
    if (auto * cache = dynamic_cast<llama_kv_cache_iswa *>(memory)) {
        return cache_types(cache->get_base(), k, v, 0);
    }
#    endif
#endif
    (void) context;
    (void) k;
    (void) v;
    return false;
}

// ---- what is there, without an instance: the same questions asked of a type ----

template <class C> constexpr auto has_flash(int) -> decltype(std::declval<const C &>().get_cparams().flash_attn, true) { return true; }
template <class C> constexpr bool has_flash(long) { return false; }
template <class C> constexpr auto has_scheduler(int) -> decltype(std::declval<const C &>().get_sched(), true) { return true; }
template <class C> constexpr bool has_scheduler(long) { return false; }
template <class C> constexpr auto has_output_buffer(int) -> decltype(std::declval<const C &>().buf_output.get(), true) { return true; }
template <class C> constexpr bool has_output_buffer(long) { return false; }
template <class C> constexpr auto has_breakdown(int) -> decltype(llama_get_memory_breakdown(std::declval<const C *>()), true) { return true; }
template <class C> constexpr bool has_breakdown(long) { return false; }

} // namespace runner_shim
