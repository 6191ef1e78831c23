// One kind of operation, computed by itself over buffers in rotation.
#pragma once

#include "context.hpp"
#include "requantise.hpp"

#include "ggml-alloc.h"

#include <cmath>

namespace runner_shim {

inline bool tensor_type_of(runner_shim_form form, ggml_type * type) {
    switch (form) {
        case RUNNER_SHIM_FORM_F32:    *type = GGML_TYPE_F32; return true;
        case RUNNER_SHIM_FORM_F16:    *type = GGML_TYPE_F16; return true;
        case RUNNER_SHIM_FORM_BF16:   *type = GGML_TYPE_BF16; return true;
        case RUNNER_SHIM_FORM_Q8_0:   *type = GGML_TYPE_Q8_0; return true;
        case RUNNER_SHIM_FORM_Q6_K:   *type = GGML_TYPE_Q6_K; return true;
        case RUNNER_SHIM_FORM_Q5_K:   *type = GGML_TYPE_Q5_K; return true;
        case RUNNER_SHIM_FORM_Q5_1:   *type = GGML_TYPE_Q5_1; return true;
        case RUNNER_SHIM_FORM_Q5_0:   *type = GGML_TYPE_Q5_0; return true;
        case RUNNER_SHIM_FORM_Q4_K:   *type = GGML_TYPE_Q4_K; return true;
        case RUNNER_SHIM_FORM_Q4_1:   *type = GGML_TYPE_Q4_1; return true;
        case RUNNER_SHIM_FORM_Q4_0:   *type = GGML_TYPE_Q4_0; return true;
        case RUNNER_SHIM_FORM_IQ4_NL: *type = GGML_TYPE_IQ4_NL; return true;
    }
    return false;
}

struct Piece {
    enum Kind { COPY, PRODUCT, ATTENTION } kind;
    ggml_type type;
    // Copy: elements. Product: columns, rows, batch. Attention: width, cells, heads, heads of keys
    // and values, batch.
    std::array<int64_t, 5> lengths;
};

// All operands and results of one repetition, and the graph over them.
struct Buffer {
    ggml_context_ptr context;
    ggml_backend_buffer_ptr memory;
    ggml_cgraph * graph = nullptr;
};

// Operands, result and a view of it.
constexpr size_t TENSORS_OF_A_PIECE = 5;

inline ggml_tensor * add_piece(ggml_context * context, const Piece & piece) {
    const auto & n = piece.lengths;
    switch (piece.kind) {
        case Piece::COPY: {
            ggml_tensor * from = ggml_new_tensor_1d(context, piece.type, n[0]);
            return ggml_cpy(context, from, ggml_new_tensor_1d(context, piece.type, n[0]));
        }
        case Piece::PRODUCT: {
            ggml_tensor * weights = ggml_new_tensor_2d(context, piece.type, n[0], n[1]);
            return ggml_mul_mat(context, weights, ggml_new_tensor_2d(context, GGML_TYPE_F32, n[0], n[2]));
        }
        case Piece::ATTENTION: {
            ggml_tensor * queries = ggml_new_tensor_3d(context, GGML_TYPE_F32, n[0], n[4], n[2]);
            ggml_tensor * keys = ggml_new_tensor_3d(context, piece.type, n[0], n[1], n[3]);
            ggml_tensor * values = ggml_new_tensor_3d(context, piece.type, n[0], n[1], n[3]);
            const float scale = 1.0F / std::sqrt(float(n[0]));
            return ggml_flash_attn_ext(context, queries, keys, values, nullptr, scale, 0.0F, 0.0F);
        }
    }
    return nullptr;
}

inline Buffer describe(const std::vector<Piece> & pieces) {
    const size_t nodes = pieces.size() * TENSORS_OF_A_PIECE;
    ggml_init_params params = {
        /*.mem_size   =*/nodes * ggml_tensor_overhead() + ggml_graph_overhead_custom(nodes, false),
        /*.mem_buffer =*/nullptr,
        /*.no_alloc   =*/true,
    };
    Buffer buffer;
    buffer.context.reset(ggml_init(params));
    if (buffer.context == nullptr) { throw std::runtime_error("the graph of a primitive could not be made"); }
    buffer.graph = ggml_new_graph_custom(buffer.context.get(), nodes, false);
    for (const Piece & piece : pieces) {
        ggml_build_forward_expand(buffer.graph, add_piece(buffer.context.get(), piece));
    }
    return buffer;
}

// The destination of a copy is written, not read.
inline bool is_read(const ggml_tensor * node, int operand) {
    return node->src[operand] != nullptr && !(node->op == GGML_OP_CPY && operand == 1);
}

inline uint64_t bytes_moved_by(const ggml_tensor * node) {
    uint64_t bytes = ggml_nbytes(node);
    for (int i = 0; i < GGML_MAX_SRC; ++i) {
        if (is_read(node, i)) { bytes += ggml_nbytes(node->src[i]); }
    }
    return bytes;
}

// A multiplication and an addition are two.
inline uint64_t operations_of(const ggml_tensor * node) {
    switch (node->op) {
        case GGML_OP_MUL_MAT:
            return 2 * uint64_t(node->src[0]->ne[0]) * uint64_t(ggml_nelements(node));
        case GGML_OP_FLASH_ATTN_EXT: // scores, then the sum of values
            return 4 * uint64_t(ggml_nelements(node->src[0])) * uint64_t(node->src[1]->ne[1]);
        default: return 0;
    }
}

// Repeats a pattern of small, different numbers.
inline void fill(ggml_tensor * tensor, uint32_t seed) {
    constexpr int64_t MOST_ROWS = 64;
    constexpr int64_t MOST_ELEMENTS = 1 << 16;
    const bool in_blocks = ggml_blck_size(tensor->type) > 1;
    const int64_t width = in_blocks ? tensor->ne[0] : std::min(ggml_nelements(tensor), MOST_ELEMENTS);
    const int64_t rows = in_blocks ? std::min(ggml_nrows(tensor), MOST_ROWS) : 1;
    std::vector<float> values(size_t(width * rows));
    uint32_t state = seed * 2654435761U + 1U; // Knuth's multiplier, then a linear congruence
    for (float & value : values) {
        state = state * 1664525U + 1013904223U;
        value = float(int32_t(state >> 8) - (1 << 23)) / float(1 << 23);
    }
    std::vector<uint8_t> pattern(ggml_row_size(tensor->type, width) * size_t(rows));
    ggml_quantize_chunk(tensor->type, values.data(), pattern.data(), 0, rows, width, nullptr);
    const size_t all = ggml_nbytes(tensor);
    for (size_t at = 0; at < all; at += pattern.size()) {
        ggml_backend_tensor_set(tensor, pattern.data(), at, std::min(pattern.size(), all - at));
    }
}

inline bool same_bytes(const ggml_tensor * one, const ggml_tensor * other) {
    constexpr size_t PIECE = 1 << 20;
    const size_t all = ggml_nbytes(one);
    if (ggml_nbytes(other) != all) { return false; }
    std::vector<uint8_t> here(std::min(PIECE, all));
    std::vector<uint8_t> there(here.size());
    for (size_t at = 0; at < all; at += PIECE) {
        const size_t count = std::min(PIECE, all - at);
        ggml_backend_tensor_get(one, here.data(), at, count);
        ggml_backend_tensor_get(other, there.data(), at, count);
        if (std::memcmp(here.data(), there.data(), count) != 0) { return false; }
    }
    return true;
}

// Numbers, and not all of them zero.
inline bool is_computed(const ggml_tensor * node) {
    std::vector<float> values(size_t(ggml_nelements(node)));
    ggml_backend_tensor_get(node, values.data(), 0, ggml_nbytes(node));
    const auto finite = [](float value) { return std::isfinite(value); };
    const auto other_than_zero = [](float value) { return value != 0.0F; };
    return std::all_of(values.begin(), values.end(), finite) &&
           std::any_of(values.begin(), values.end(), other_than_zero);
}

} // namespace runner_shim

struct runner_shim_primitive {
    // Declared in this order so that the buffers go first, then the backend, then its threads.
    std::unique_ptr<ggml_threadpool, runner_shim::PoolDeleter> pool;
    ggml_backend_ptr backend;
    std::vector<runner_shim::Buffer> buffers;

    std::vector<runner_shim::Piece> pieces;
    uint64_t bytes_moved = 0;
    uint64_t operations = 0;
    std::string operation;
};

namespace runner_shim {

// Lengths of a tensor are below this, so that no product of three overflows.
constexpr uint64_t MOST_LENGTH = uint64_t(1) << 31;

// Bytes of one operand that are surely a mistake; the caller has a limit of its own below it.
constexpr double MOST_BYTES_OF_AN_OPERAND = 1e12;

inline runner_shim_status add(runner_shim_primitive & owner, const Piece & piece, double elements) {
    if (!owner.buffers.empty()) {
        return fail(RUNNER_SHIM_INVALID, "the buffers are allocated already");
    }
    if (elements * 4.0 > MOST_BYTES_OF_AN_OPERAND) {
        return fail(RUNNER_SHIM_UNSUPPORTED, "a piece is larger than any memory");
    }
    owner.pieces.push_back(piece);
    return RUNNER_SHIM_OK;
}

inline bool are_lengths(std::initializer_list<uint64_t> lengths) {
    const auto is_length = [](uint64_t length) { return length > 0 && length < MOST_LENGTH; };
    if (std::all_of(lengths.begin(), lengths.end(), is_length)) { return true; }
    fail(RUNNER_SHIM_INVALID, "a size of a primitive is 0, or 2^31 or more");
    return false;
}

} // namespace runner_shim

extern "C" {

runner_shim_status runner_shim_primitive_new(const runner_shim_options * options,
                                             runner_shim_primitive ** primitive) {
    return guarded([&] {
        auto made = std::make_unique<runner_shim_primitive>();
        ggml_backend_dev_t device = nullptr;
        if (options->at(RUNNER_SHIM_OPTION_GPU_LAYERS) != 0) {
            device = ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_GPU);
        }
        if (device == nullptr) { device = ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU); }
        made->backend.reset(device == nullptr ? nullptr : ggml_backend_dev_init(device, nullptr));
        if (made->backend == nullptr) {
            return fail(RUNNER_SHIM_UNSUPPORTED, "the backend of a primitive could not be started");
        }
        if (ggml_backend_is_cpu(made->backend.get())) {
            const int threads = int(options->at(RUNNER_SHIM_OPTION_THREADS));
            ggml_threadpool_params params = pool_parameters(*options, threads);
            made->pool.reset(ggml_threadpool_new(&params));
            if (made->pool == nullptr) { throw std::runtime_error("the thread pool could not be made"); }
            ggml_backend_cpu_set_n_threads(made->backend.get(), threads);
            ggml_backend_cpu_set_threadpool(made->backend.get(), made->pool.get());
        }
        *primitive = made.release();
        return RUNNER_SHIM_OK;
    });
}

void runner_shim_primitive_free(runner_shim_primitive * primitive) {
    guarded([&] {
        delete primitive;
        return RUNNER_SHIM_OK;
    });
}

runner_shim_status runner_shim_primitive_copy(runner_shim_primitive * primitive, uint64_t bytes) {
    return guarded([&] {
        const uint64_t width = ggml_type_size(GGML_TYPE_F16);
        if (bytes % width != 0) {
            return fail(RUNNER_SHIM_INVALID, "a piece of " + std::to_string(bytes) + " bytes is no multiple of " +
                                                 std::to_string(width) + " bytes");
        }
        const uint64_t elements = bytes / width;
        if (!are_lengths({elements})) { return RUNNER_SHIM_INVALID; }
        return add(*primitive, {Piece::COPY, GGML_TYPE_F16, {int64_t(elements)}}, double(elements));
    });
}

runner_shim_status runner_shim_primitive_product(runner_shim_primitive * primitive,
                                                 runner_shim_form weights, uint64_t rows,
                                                 uint64_t columns, uint64_t batch) {
    return guarded([&] {
        ggml_type type = GGML_TYPE_COUNT;
        if (!tensor_type_of(weights, &type)) { return fail(RUNNER_SHIM_UNSUPPORTED, "unknown type of weights"); }
        if (!are_lengths({rows, columns, batch})) { return RUNNER_SHIM_INVALID; }
        const uint64_t block = uint64_t(ggml_blck_size(type));
        if (columns % block != 0) {
            return fail(RUNNER_SHIM_UNSUPPORTED,
                        std::to_string(columns) + " columns are no multiple of " + std::to_string(block) +
                            ", the block of " + text_or_empty(ggml_type_name(type)));
        }
        const double most = double(std::max(columns, rows)) * double(std::max({rows, columns, batch}));
        return add(*primitive, {Piece::PRODUCT, type, {int64_t(columns), int64_t(rows), int64_t(batch)}}, most);
    });
}

runner_shim_status runner_shim_primitive_attention(runner_shim_primitive * primitive,
                                                   uint64_t heads, uint64_t key_value_heads,
                                                   uint64_t head_width, uint64_t cells,
                                                   uint64_t batch) {
    return guarded([&] {
        if (!are_lengths({heads, key_value_heads, head_width, cells, batch})) { return RUNNER_SHIM_INVALID; }
        if (heads % key_value_heads != 0) {
            return fail(RUNNER_SHIM_INVALID, std::to_string(heads) + " heads do not share " +
                                                 std::to_string(key_value_heads) + " of keys and values evenly");
        }
        const double most = double(head_width) * double(heads) * double(std::max(cells, batch));
        return add(*primitive,
                   {Piece::ATTENTION, GGML_TYPE_F16,
                    {int64_t(head_width), int64_t(cells), int64_t(heads), int64_t(key_value_heads), int64_t(batch)}},
                   most);
    });
}

runner_shim_status runner_shim_primitive_plan(runner_shim_primitive * primitive, uint64_t * bytes) {
    return guarded([&] {
        if (primitive->pieces.empty()) { return fail(RUNNER_SHIM_INVALID, "a primitive without a piece"); }
        const Buffer plan = describe(primitive->pieces);
        primitive->bytes_moved = 0;
        primitive->operations = 0;
        for (int i = 0; i < ggml_graph_n_nodes(plan.graph); ++i) {
            const ggml_tensor * node = ggml_graph_node(plan.graph, i);
            if (!ggml_backend_supports_op(primitive->backend.get(), node)) {
                return fail(RUNNER_SHIM_UNSUPPORTED,
                            "the backend cannot compute `" + lower_case(text_or_empty(ggml_op_desc(node))) +
                                "` of " + text_or_empty(ggml_type_name(node->src[0]->type)));
            }
            primitive->operation = lower_case(text_or_empty(ggml_op_desc(node)));
            primitive->bytes_moved += bytes_moved_by(node);
            primitive->operations += operations_of(node);
        }
        uint64_t all = 0;
        ggml_context * context = plan.context.get();
        for (ggml_tensor * tensor = ggml_get_first_tensor(context); tensor != nullptr;
             tensor = ggml_get_next_tensor(context, tensor)) {
            if (tensor->view_src == nullptr) { all += ggml_nbytes(tensor); }
        }
        *bytes = all;
        return RUNNER_SHIM_OK;
    });
}

runner_shim_status runner_shim_primitive_allocate(runner_shim_primitive * primitive, uint64_t buffers) {
    return guarded([&] {
        if (buffers == 0 || !primitive->buffers.empty() || primitive->bytes_moved == 0) {
            return fail(RUNNER_SHIM_INVALID, "buffers are allocated once, after the plan, and at least one");
        }
        std::vector<Buffer> made;
        for (uint64_t index = 0; index < buffers; ++index) {
            Buffer buffer = describe(primitive->pieces);
            buffer.memory.reset(ggml_backend_alloc_ctx_tensors(buffer.context.get(), primitive->backend.get()));
            if (buffer.memory == nullptr) {
                return fail(RUNNER_SHIM_CONTEXT, "there is no memory for buffer " + std::to_string(index + 1) +
                                                     " of " + std::to_string(buffers));
            }
            // Every page is touched, those that are only written too.
            ggml_backend_buffer_clear(buffer.memory.get(), 0);
            for (int i = 0; i < ggml_graph_n_nodes(buffer.graph); ++i) {
                ggml_tensor * node = ggml_graph_node(buffer.graph, i);
                for (int operand = 0; operand < GGML_MAX_SRC; ++operand) {
                    if (is_read(node, operand)) { fill(node->src[operand], uint32_t(index * 8191 + size_t(i) * 7 + size_t(operand))); }
                }
            }
            made.push_back(std::move(buffer));
        }
        primitive->buffers = std::move(made);
        return RUNNER_SHIM_OK;
    });
}

runner_shim_status runner_shim_primitive_read(const runner_shim_primitive * primitive,
                                              runner_shim_primitive_number number, uint64_t * value) {
    return guarded([&] {
        switch (number) {
            case RUNNER_SHIM_PRIMITIVE_PIECES:      *value = primitive->pieces.size(); break;
            case RUNNER_SHIM_PRIMITIVE_BYTES_MOVED: *value = primitive->bytes_moved; break;
            case RUNNER_SHIM_PRIMITIVE_OPERATIONS:  *value = primitive->operations; break;
            default: return fail(RUNNER_SHIM_UNSUPPORTED, "unknown number of a primitive");
        }
        return RUNNER_SHIM_OK;
    });
}

runner_shim_status runner_shim_primitive_operation(const runner_shim_primitive * primitive, char * text,
                                                   size_t capacity, size_t * length) {
    return guarded([&] { return write_text(primitive->operation, text, capacity, length); });
}

runner_shim_status runner_shim_primitive_device(const runner_shim_primitive * primitive, char * text,
                                                size_t capacity, size_t * length) {
    return guarded([&] {
        ggml_backend_dev_t device = ggml_backend_get_device(primitive->backend.get());
        return write_text(device == nullptr ? "unknown" : text_or_empty(ggml_backend_dev_name(device)), text,
                          capacity, length);
    });
}

runner_shim_status runner_shim_primitive_run(runner_shim_primitive * primitive, uint64_t buffer) {
    return guarded([&] {
        if (buffer >= primitive->buffers.size()) { return no_such("buffer", buffer); }
        const ggml_status status =
            ggml_backend_graph_compute_async(primitive->backend.get(), primitive->buffers[buffer].graph);
        if (status != GGML_STATUS_SUCCESS) {
            return fail(RUNNER_SHIM_COMPUTE, "the engine failed with code " + std::to_string(int(status)));
        }
        return RUNNER_SHIM_OK;
    });
}

runner_shim_status runner_shim_primitive_synchronize(runner_shim_primitive * primitive) {
    return guarded([&] {
        ggml_backend_synchronize(primitive->backend.get());
        return RUNNER_SHIM_OK;
    });
}

runner_shim_status runner_shim_primitive_check(runner_shim_primitive * primitive, uint64_t buffer) {
    return guarded([&] {
        if (buffer >= primitive->buffers.size()) { return no_such("buffer", buffer); }
        ggml_cgraph * graph = primitive->buffers[buffer].graph;
        for (int i = 0; i < ggml_graph_n_nodes(graph); ++i) {
            const ggml_tensor * node = ggml_graph_node(graph, i);
            const bool right = node->op == GGML_OP_CPY ? same_bytes(node->src[0], node) : is_computed(node);
            if (!right) {
                return fail(RUNNER_SHIM_COMPUTE, "piece " + std::to_string(i + 1) + " of the primitive is wrong: `" +
                                                     primitive->operation + "` did not do what it says");
            }
        }
        return RUNNER_SHIM_OK;
    });
}

runner_shim_status runner_shim_primitive_rest(runner_shim_primitive * primitive) {
    return guarded([&] {
        if (primitive->pool != nullptr) { ggml_threadpool_pause(primitive->pool.get()); }
        return RUNNER_SHIM_OK;
    });
}

} // extern "C"
