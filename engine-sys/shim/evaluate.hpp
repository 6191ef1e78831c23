// Evaluating batches, and the rows of logits that they leave.
#pragma once

#include "context.hpp"

#include <cmath>

namespace runner_shim {

inline runner_shim_status decode_failure(int32_t code) {
    switch (code) {
        case 1:  return fail(RUNNER_SHIM_CONTEXT, "the KV cache has no room for the batch");
        case 2:  return fail(RUNNER_SHIM_COMPUTE, "the evaluation was aborted");
        case -1: return fail(RUNNER_SHIM_INVALID, "the engine refused the batch");
        default: return fail(RUNNER_SHIM_COMPUTE, "the engine failed with code " + std::to_string(code));
    }
}

// False, with the last error set, where a batch of that many tokens cannot be made.
inline bool fits(const runner_shim_context & owner, size_t count) {
    if (count > 0 && count <= owner.positions.size()) { return true; }
    fail(RUNNER_SHIM_INVALID, std::to_string(count) + " tokens do not fit into a batch of " +
                                  std::to_string(owner.positions.size()));
    return false;
}

// Whether nodes should have read some of the batch's positions as too high, and none did.
inline bool misplaced_in_vain(const runner_shim_context & owner, size_t count) {
    return owner.misplaced_from >= 0 && owner.raised.empty() &&
           std::any_of(owner.positions.begin(), owner.positions.begin() + std::ptrdiff_t(count),
                       [&](llama_pos position) { return position >= owner.misplaced_from; });
}

// Evaluates the batch whose positions, sequences and outputs are in the scratch already.
inline runner_shim_status evaluate(runner_shim_context & owner, const int32_t * tokens, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        if (tokens[i] < 0 || tokens[i] >= owner.vocabulary) {
            return fail(RUNNER_SHIM_INVALID, "token " + std::to_string(tokens[i]) + " is not in a vocabulary of " +
                                                 std::to_string(owner.vocabulary));
        }
    }
    llama_batch batch{};
    batch.n_tokens = int32_t(count);
    batch.token = const_cast<llama_token *>(tokens); // the engine only reads it
    batch.pos = owner.positions.data();
    batch.n_seq_id = owner.sequence_counts.data();
    batch.seq_id = owner.sequences.data();
    batch.logits = owner.outputs.data();
    owner.evaluated = 0;
    owner.stopped.clear();
    owner.raised.clear();
    // Two pools of the engine's own threads would poll against each other.
    if (owner.batch_pool != nullptr) {
        ggml_threadpool_pause(count > 1 ? owner.pool.get() : owner.batch_pool.get());
    }
    const int32_t code = llama_decode(owner.context.get(), batch);
    if (code != 0) { return decode_failure(code); }
    if (!owner.stopped.empty()) { return fail(RUNNER_SHIM_COMPUTE, owner.stopped); }
    if (misplaced_in_vain(owner, count)) {
        return fail(RUNNER_SHIM_UNSUPPORTED, "no node of this model's graph reads positions");
    }
    owner.evaluated = count;
    return RUNNER_SHIM_OK;
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

} // namespace runner_shim

extern "C" {

runner_shim_status runner_shim_decode(runner_shim_context * context, const int32_t * tokens,
                                      size_t count, int32_t position, size_t first_output) {
    return guarded([&] {
        if (!fits(*context, count)) { return RUNNER_SHIM_INVALID; }
        for (size_t i = 0; i < count; ++i) {
            context->positions[i] = position + int32_t(i);
            context->sequence_numbers[i] = 0;
            context->outputs[i] = i >= first_output ? 1 : 0;
        }
        return evaluate(*context, tokens, count);
    });
}

runner_shim_status runner_shim_evaluate(runner_shim_context * context, const int32_t * tokens,
                                        const int32_t * positions, const int32_t * sequences,
                                        const uint8_t * outputs, size_t count) {
    return guarded([&] {
        if (!fits(*context, count)) { return RUNNER_SHIM_INVALID; }
        const int32_t most = int32_t(llama_n_seq_max(context->context.get()));
        for (size_t i = 0; i < count; ++i) {
            if (sequences[i] < 0 || sequences[i] >= most) {
                return fail(RUNNER_SHIM_INVALID, "sequence " + std::to_string(sequences[i]) +
                                                     " is not in a context of " + std::to_string(most));
            }
            context->positions[i] = positions[i];
            context->sequence_numbers[i] = sequences[i];
            context->outputs[i] = outputs[i] != 0 ? 1 : 0;
        }
        return evaluate(*context, tokens, count);
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

} // extern "C"
