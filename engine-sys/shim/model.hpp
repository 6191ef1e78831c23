// Options as the caller sets them, and models.
#pragma once

#include "options.hpp"
#include "process.hpp"
#include "rpc.hpp"

#include <cstdlib>

namespace runner_shim {

struct TensorType {
    std::string name;
    uint32_t tensors = 0;
    uint64_t bytes = 0;
};

struct ModelDeleter {
    void operator()(llama_model * model) const { llama_model_free(model); }
};
struct GgufDeleter {
    void operator()(gguf_context * context) const { gguf_free(context); }
};
using Gguf = std::unique_ptr<gguf_context, GgufDeleter>;

inline Gguf open_gguf(const char * path) {
    gguf_init_params params = {/*.no_alloc =*/true, /*.ctx =*/nullptr};
    return Gguf(gguf_init_from_file(path, params));
}

inline void add_tensor_types(const gguf_context * gguf, std::map<std::string, TensorType> & types) {
    for (int64_t i = 0; i < gguf_get_n_tensors(gguf); ++i) {
        const std::string name = text_or_empty(ggml_type_name(gguf_get_tensor_type(gguf, i)));
        TensorType & type = types[name];
        type.name = name;
        type.tensors += 1;
        type.bytes += gguf_get_tensor_size(gguf, i);
    }
}

// Files after the first of a model that is split over several.
inline std::vector<std::string> further_files(const char * path, const gguf_context * gguf) {
    std::vector<std::string> files;
    const int64_t key = gguf_find_key(gguf, "split.count");
    const int count = key < 0 || gguf_get_kv_type(gguf, key) != GGUF_TYPE_UINT16 ? 1 : gguf_get_val_u16(gguf, key);
    std::array<char, 4096> prefix{};
    std::array<char, 4096> file{};
    if (count > 1 && llama_split_prefix(prefix.data(), prefix.size(), path, 0, count) > 0) {
        for (int i = 1; i < count; ++i) {
            llama_split_path(file.data(), file.size(), prefix.data(), i, count);
            files.emplace_back(file.data());
        }
    }
    return files;
}

// Types of the tensors in the files of a model, most bytes first, then by name; false where one of
// the files is none.
inline bool read_tensor_types(const char * path, std::vector<TensorType> & types) {
    const Gguf gguf = open_gguf(path);
    if (gguf == nullptr) { return false; }
    std::map<std::string, TensorType> by_name;
    add_tensor_types(gguf.get(), by_name);
    for (const std::string & file : further_files(path, gguf.get())) {
        const Gguf further = open_gguf(file.c_str());
        if (further == nullptr) { return false; }
        add_tensor_types(further.get(), by_name);
    }
    for (auto & [name, type] : by_name) { types.push_back(type); }
    // The map is ordered by name, and the sort keeps that order among equals.
    std::stable_sort(types.begin(), types.end(),
                     [](const TensorType & a, const TensorType & b) { return a.bytes > b.bytes; });
    return true;
}

inline std::string vocabulary_difference(const llama_vocab * one, const llama_vocab * other) {
    const int32_t count = llama_vocab_n_tokens(one);
    const int32_t other_count = llama_vocab_n_tokens(other);
    if (count != other_count) {
        return std::to_string(count) + " tokens against " + std::to_string(other_count);
    }
    if (llama_vocab_type(one) != llama_vocab_type(other)) { return "the tokenizers are of two kinds"; }
    if (llama_vocab_bos(one) != llama_vocab_bos(other)) { return "another token begins a text"; }
    if (llama_vocab_eos(one) != llama_vocab_eos(other)) { return "another token ends a text"; }
    if (llama_vocab_type(one) == LLAMA_VOCAB_TYPE_NONE) { return ""; }
    for (int32_t token = 0; token < count; ++token) {
        const std::string here = text_or_empty(llama_vocab_get_text(one, token));
        const std::string there = text_or_empty(llama_vocab_get_text(other, token));
        if (here != there) {
            return "token " + std::to_string(token) + " is \"" + here + "\" against \"" + there + "\"";
        }
        if (llama_vocab_get_attr(one, token) != llama_vocab_get_attr(other, token)) {
            return "token " + std::to_string(token) + " has other attributes";
        }
    }
    return "";
}

} // namespace runner_shim

struct runner_shim_model {
    std::unique_ptr<llama_model, runner_shim::ModelDeleter> model;
    std::vector<runner_shim::TensorType> types;
    uint64_t tensor_bytes = 0;
    std::string warnings;

    const llama_vocab * vocab() const { return llama_model_get_vocab(model.get()); }
};

extern "C" {

runner_shim_options * runner_shim_options_new(void) {
    auto * options = new (std::nothrow) runner_shim_options();
    if (options != nullptr) { fill_with_defaults(*options); }
    return options;
}

void runner_shim_options_free(runner_shim_options * options) { delete options; }

runner_shim_status runner_shim_options_set(runner_shim_options * options, runner_shim_option option,
                                           int64_t value) {
    return guarded([&] {
        const Range range = range_of(option);
        if (range.least > range.most) {
            return fail(RUNNER_SHIM_UNSUPPORTED, "unknown option " + std::to_string(int(option)));
        }
        if (value < range.least || value > range.most) {
            return fail(RUNNER_SHIM_INVALID, std::to_string(value) + " is not in " +
                                                 std::to_string(range.least) + " to " +
                                                 std::to_string(range.most));
        }
        options->values[size_t(option)] = value;
        return RUNNER_SHIM_OK;
    });
}

runner_shim_status runner_shim_options_allow_processor(runner_shim_options * options,
                                                       uint32_t processor) {
    return guarded([&] {
        if (processor >= GGML_MAX_N_THREADS) {
            return fail(RUNNER_SHIM_UNSUPPORTED, "the engine knows processors 0 to " +
                                                     std::to_string(GGML_MAX_N_THREADS - 1) + " only");
        }
        options->processors.push_back(processor);
        return RUNNER_SHIM_OK;
    });
}

runner_shim_status runner_shim_options_add_server(runner_shim_options * options, const char * endpoint) {
    return guarded([&] {
        if (runner_shim_can(RUNNER_SHIM_CAN_USE_SERVERS) == 0) {
            return fail(RUNNER_SHIM_UNSUPPORTED, "this build of the engine has no RPC backend");
        }
        // The engine ends the process when a server dies: its last words are then the reason, and not what a
        // debugger has to say of it.
        setenv("GGML_NO_BACKTRACE", "1", 1);
        options->servers.emplace_back(endpoint);
        return RUNNER_SHIM_OK;
    });
}

runner_shim_status runner_shim_model_load(const char * path, const runner_shim_options * options,
                                          runner_shim_model ** model) {
    return guarded([&] {
        Capture capture;
        auto made = std::make_unique<runner_shim_model>();
        if (!read_tensor_types(path, made->types)) {
            return fail(RUNNER_SHIM_MODEL, capture.reason("not a GGUF file"));
        }
        llama_model_params params = model_parameters(*options);
        // Lives as long as the engine reads the parameters.
        std::vector<ggml_backend_dev_t> devices;
        if (params.n_gpu_layers != 0 && !options->servers.empty()) {
            if (!devices_with_servers(options->servers, devices)) { return RUNNER_SHIM_UNSUPPORTED; }
            set_devices(params, devices.data(), 0);
        }
        made->model.reset(llama_model_load_from_file(path, params));
        if (made->model == nullptr) {
            return fail(RUNNER_SHIM_MODEL, capture.reason("the engine gave no reason"));
        }
        made->warnings = capture.warnings();
        for (const TensorType & type : made->types) { made->tensor_bytes += type.bytes; }
        *model = made.release();
        return RUNNER_SHIM_OK;
    });
}

void runner_shim_model_free(runner_shim_model * model) {
    guarded([&] {
        delete model;
        return RUNNER_SHIM_OK;
    });
}

runner_shim_status runner_shim_model_warnings(const runner_shim_model * model, char * text,
                                              size_t capacity, size_t * length) {
    return guarded([&] { return write_text(model->warnings, text, capacity, length); });
}

runner_shim_status runner_shim_model_architecture(const runner_shim_model * model, char * text,
                                                  size_t capacity, size_t * length) {
    return guarded([&] {
        std::array<char, 256> value{};
        if (llama_model_meta_val_str(model->model.get(), "general.architecture", value.data(), value.size()) < 0) {
            return fail(RUNNER_SHIM_UNSUPPORTED, "the model does not name its architecture");
        }
        return write_text(value.data(), text, capacity, length);
    });
}

runner_shim_status runner_shim_model_description(const runner_shim_model * model, char * text,
                                                 size_t capacity, size_t * length) {
    return guarded([&] {
        std::array<char, 512> value{};
        llama_model_desc(model->model.get(), value.data(), value.size());
        return write_text(value.data(), text, capacity, length);
    });
}

runner_shim_status runner_shim_model_read(const runner_shim_model * model,
                                          runner_shim_model_number number, uint64_t * value) {
    return guarded([&] {
        const llama_model * m = model->model.get();
        switch (number) {
            case RUNNER_SHIM_MODEL_PARAMETERS:      *value = llama_model_n_params(m); break;
            case RUNNER_SHIM_MODEL_VOCABULARY:      *value = uint64_t(llama_vocab_n_tokens(model->vocab())); break;
            case RUNNER_SHIM_MODEL_TRAINED_CONTEXT: *value = uint64_t(llama_model_n_ctx_train(m)); break;
            case RUNNER_SHIM_MODEL_LAYERS:          *value = uint64_t(llama_model_n_layer(m)); break;
            case RUNNER_SHIM_MODEL_TENSOR_BYTES:    *value = model->tensor_bytes; break;
            default: return fail(RUNNER_SHIM_UNSUPPORTED, "unknown number of a model");
        }
        return RUNNER_SHIM_OK;
    });
}

size_t runner_shim_model_tensor_type_count(const runner_shim_model * model) { return model->types.size(); }

runner_shim_status runner_shim_model_tensor_type(const runner_shim_model * model, size_t index,
                                                 uint32_t * tensors, uint64_t * bytes, char * text,
                                                 size_t capacity, size_t * length) {
    return guarded([&] {
        if (index >= model->types.size()) { return no_such("tensor type", index); }
        *tensors = model->types[index].tensors;
        *bytes = model->types[index].bytes;
        return write_text(model->types[index].name, text, capacity, length);
    });
}

runner_shim_status runner_shim_tokenize(const runner_shim_model * model, const char * text,
                                        size_t text_length, int32_t * tokens, size_t capacity,
                                        size_t * count) {
    return guarded([&] {
        if (text_length > INT32_MAX || capacity > INT32_MAX) {
            return fail(RUNNER_SHIM_INVALID, "the text is longer than the engine can take");
        }
        const int32_t written =
            llama_tokenize(model->vocab(), text, int32_t(text_length), tokens, int32_t(capacity),
                           /*add_special=*/true, /*parse_special=*/false);
        if (written == INT32_MIN) {
            return fail(RUNNER_SHIM_INVALID, "the text has more tokens than the engine can count");
        }
        *count = size_t(written < 0 ? -int64_t(written) : written);
        return written < 0 ? RUNNER_SHIM_TOO_SMALL : RUNNER_SHIM_OK;
    });
}

runner_shim_status runner_shim_vocabulary_difference(const runner_shim_model * one,
                                                     const runner_shim_model * other, char * text,
                                                     size_t capacity, size_t * length) {
    return guarded([&] {
        return write_text(vocabulary_difference(one->vocab(), other->vocab()), text, capacity, length);
    });
}

} // extern "C"
