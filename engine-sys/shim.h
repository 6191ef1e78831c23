/*
 * The one door between Rust and the engine. Plain C: opaque handles, scalars and buffers, so
 * that no type of the engine crosses and another source tree cannot corrupt memory.
 *
 * Rules that hold for every function here:
 * - It returns a `runner_shim_status`, unless it says otherwise. Results go to out-pointers, which
 *   are written only when the status is `RUNNER_SHIM_OK` (or, for texts, `..._TOO_SMALL`).
 * - No C++ exception leaves it. `runner_shim_last_error` says in words what went wrong.
 * - A text is written without a terminating zero: at most `capacity` bytes, the full length goes to
 *   `*length`, and the status is `RUNNER_SHIM_TOO_SMALL` when it did not fit.
 * - What the source tree in use lacks is `RUNNER_SHIM_UNSUPPORTED`, never a wrong answer.
 * - Nothing is thread safe: one thread makes all calls, but for `runner_shim_exit_now`.
 */
#ifndef RUNNER_SHIM_H
#define RUNNER_SHIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised by one whenever a signature or a meaning in this header changes. */
#define RUNNER_SHIM_INTERFACE 3

typedef enum runner_shim_status {
    RUNNER_SHIM_OK = 0,
    /* This source tree, build or machine cannot do it. */
    RUNNER_SHIM_UNSUPPORTED = 1,
    /* The caller's argument is out of range. */
    RUNNER_SHIM_INVALID = 2,
    /* The model file could not be read, or is not one. */
    RUNNER_SHIM_MODEL = 3,
    /* The context could not be made, or has no room left. */
    RUNNER_SHIM_CONTEXT = 4,
    /* The engine failed while computing, or computed NaN. */
    RUNNER_SHIM_COMPUTE = 5,
    /* The caller's text buffer is too small; the length is given. */
    RUNNER_SHIM_TOO_SMALL = 6,
    /* An exception that fits nowhere else. */
    RUNNER_SHIM_INTERNAL = 7
} runner_shim_status;

/* ---- process ------------------------------------------------------------------------------ */

typedef enum runner_shim_log_level {
    RUNNER_SHIM_LOG_NONE = 0,
    RUNNER_SHIM_LOG_ERROR = 1,
    RUNNER_SHIM_LOG_WARN = 2,
    RUNNER_SHIM_LOG_INFO = 3,
    RUNNER_SHIM_LOG_DEBUG = 4
} runner_shim_log_level;

/* Values are ggml's; the shim asserts that at compile time. */
typedef enum runner_shim_numa {
    RUNNER_SHIM_NUMA_DISABLED = 0,
    RUNNER_SHIM_NUMA_DISTRIBUTE = 1,
    RUNNER_SHIM_NUMA_ISOLATE = 2,
    RUNNER_SHIM_NUMA_NUMACTL = 3
} runner_shim_numa;

/* Registers the backends and routes the engine's log to standard error at this level. Call once,
 * first. */
runner_shim_status runner_shim_start(runner_shim_log_level level);

/* Frees what `runner_shim_start` made. All handles must be gone. */
runner_shim_status runner_shim_stop(void);

/* Ends the process now, from any thread, without running destructors or `atexit`. */
void runner_shim_exit_now(int32_t code);

/* What went wrong last, in words; empty when nothing did. Does not change the last error. */
runner_shim_status runner_shim_last_error(char *text, size_t capacity, size_t *length);

/* Once a process, before a model is loaded. `*in_effect` is 0 where the machine has one memory
 * node, so that the strategy changes nothing. */
runner_shim_status runner_shim_numa_start(runner_shim_numa strategy, int32_t *in_effect);

/* ---- what this build is ------------------------------------------------------------------- */

typedef enum runner_shim_capability {
    /* The engine's own thread pools can be made and attached. */
    RUNNER_SHIM_CAN_ATTACH_POOL = 0,
    /* Bytes by buffer type can be read. */
    RUNNER_SHIM_CAN_READ_BUFFERS = 1,
    /* The size of the output buffer can be read. */
    RUNNER_SHIM_CAN_READ_OUTPUT_BUFFER = 2,
    /* Whether flash attention is really on can be read back. */
    RUNNER_SHIM_CAN_READ_FLASH_ATTENTION = 3,
    /* The types of the KV cache can be read back. */
    RUNNER_SHIM_CAN_READ_KV_TYPES = 4,
    /* The device that runs an operation can be read. */
    RUNNER_SHIM_CAN_READ_OPERATION_DEVICE = 5,
    /* The engine can map a model file. */
    RUNNER_SHIM_CAN_MAP = 6,
    /* The engine can lock a model in memory. */
    RUNNER_SHIM_CAN_LOCK = 7,
    /* The engine can put layers on a device, and there is one. */
    RUNNER_SHIM_CAN_OFFLOAD = 8,
    /* Threads come from OpenMP, not from the engine's own pool. */
    RUNNER_SHIM_THREADS_ARE_OPENMP = 9,
    /* Devices of RPC servers can be used. */
    RUNNER_SHIM_CAN_USE_SERVERS = 10
} runner_shim_capability;

/* 1 or 0; 0 for an unknown capability. Needs `runner_shim_start`. */
int32_t runner_shim_can(runner_shim_capability capability);

/* ggml's own version and commit, as compiled in. */
runner_shim_status runner_shim_engine_version(char *text, size_t capacity, size_t *length);

/* Number of registered backends (`CPU`, `CUDA`, …). */
size_t runner_shim_backend_count(void);
runner_shim_status runner_shim_backend_name(size_t index, char *text, size_t capacity,
                                            size_t *length);

/* Features of a backend, each a text `NAME=VALUE` (`AVX2=1`); the count is 0 where unknown. */
size_t runner_shim_backend_feature_count(size_t backend);
runner_shim_status runner_shim_backend_feature(size_t backend, size_t feature, char *text,
                                               size_t capacity, size_t *length);

typedef enum runner_shim_device_kind {
    RUNNER_SHIM_DEVICE_CPU = 0,
    RUNNER_SHIM_DEVICE_GPU = 1,
    RUNNER_SHIM_DEVICE_INTEGRATED_GPU = 2,
    RUNNER_SHIM_DEVICE_ACCELERATOR = 3,
    RUNNER_SHIM_DEVICE_OTHER = 4
} runner_shim_device_kind;

/* Devices of all backends. */
size_t runner_shim_device_count(void);
runner_shim_status runner_shim_device_kind_of(size_t device, runner_shim_device_kind *kind);
runner_shim_status runner_shim_device_name(size_t device, char *text, size_t capacity,
                                           size_t *length);
runner_shim_status runner_shim_device_description(size_t device, char *text, size_t capacity,
                                                  size_t *length);
/* Why there is no device that can be used although a backend for one is compiled in; empty where
 * nothing is wrong, or no such backend is there. */
runner_shim_status runner_shim_device_trouble(char *text, size_t capacity, size_t *length);
/* Bytes, as the backend states them. */
runner_shim_status runner_shim_device_memory(size_t device, uint64_t *free_bytes,
                                             uint64_t *total_bytes);

/* ---- options ------------------------------------------------------------------------------ */

typedef struct runner_shim_options runner_shim_options;

typedef enum runner_shim_flash_attention {
    RUNNER_SHIM_FLASH_ATTENTION_OFF = 0,
    RUNNER_SHIM_FLASH_ATTENTION_ON = 1,
    RUNNER_SHIM_FLASH_ATTENTION_AUTO = 2
} runner_shim_flash_attention;

typedef enum runner_shim_kv_type {
    RUNNER_SHIM_KV_F32 = 0,
    RUNNER_SHIM_KV_F16 = 1,
    RUNNER_SHIM_KV_BF16 = 2,
    RUNNER_SHIM_KV_Q8_0 = 3,
    RUNNER_SHIM_KV_Q5_1 = 4,
    RUNNER_SHIM_KV_Q5_0 = 5,
    RUNNER_SHIM_KV_Q4_1 = 6,
    RUNNER_SHIM_KV_Q4_0 = 7,
    RUNNER_SHIM_KV_IQ4_NL = 8
} runner_shim_kv_type;

/* ggml's names, not its values (its `low` is -1). */
typedef enum runner_shim_priority {
    RUNNER_SHIM_PRIORITY_LOW = 0,
    RUNNER_SHIM_PRIORITY_NORMAL = 1,
    RUNNER_SHIM_PRIORITY_MEDIUM = 2,
    RUNNER_SHIM_PRIORITY_HIGH = 3,
    RUNNER_SHIM_PRIORITY_REALTIME = 4
} runner_shim_priority;

typedef enum runner_shim_option {
    /* Of the model. */
    RUNNER_SHIM_OPTION_GPU_LAYERS = 0,   /* 0: no device is used at all */
    RUNNER_SHIM_OPTION_MEMORY_MAP = 1,   /* 0 or 1 */
    RUNNER_SHIM_OPTION_MEMORY_LOCK = 2,  /* 0 or 1 */
    /* Of the context. */
    RUNNER_SHIM_OPTION_CONTEXT_TOKENS = 3,
    RUNNER_SHIM_OPTION_BATCH_TOKENS = 4,
    RUNNER_SHIM_OPTION_MICRO_BATCH_TOKENS = 5,
    RUNNER_SHIM_OPTION_THREADS = 6,
    RUNNER_SHIM_OPTION_BATCH_THREADS = 7,
    RUNNER_SHIM_OPTION_FLASH_ATTENTION = 8,    /* runner_shim_flash_attention */
    RUNNER_SHIM_OPTION_KEY_TYPE = 9,           /* runner_shim_kv_type */
    RUNNER_SHIM_OPTION_VALUE_TYPE = 10,        /* runner_shim_kv_type */
    RUNNER_SHIM_OPTION_KV_OFFLOAD = 11,        /* 0 or 1 */
    RUNNER_SHIM_OPTION_PARALLEL_SEQUENCES = 12,
    /* 1: operations of every evaluation are counted, and a visitor can look at its nodes. Such a
     * context is never timed. */
    RUNNER_SHIM_OPTION_OBSERVED = 13,
    /* Of the thread pools. */
    RUNNER_SHIM_OPTION_POLL_PERCENT = 14,
    RUNNER_SHIM_OPTION_PRIORITY = 15,          /* runner_shim_priority */
    RUNNER_SHIM_OPTION_CPU_STRICT = 16,        /* 0 or 1 */
    /* Of the model again: 0 keeps every tensor in memory as it lies in the file, 1 lets a backend
     * put some in an order of its own for speed. */
    RUNNER_SHIM_OPTION_REPACK = 17             /* 0 or 1 */
} runner_shim_option;

/* Every option has a value from the start (the engine's CPU defaults); never NULL but for lack of
 * memory. */
runner_shim_options *runner_shim_options_new(void);
void runner_shim_options_free(runner_shim_options *options);
runner_shim_status runner_shim_options_set(runner_shim_options *options, runner_shim_option option,
                                           int64_t value);
/* Adds a processor to the mask of the pools. Without one, threads are left where they are. */
runner_shim_status runner_shim_options_allow_processor(runner_shim_options *options,
                                                       uint32_t processor);

/* Adds the devices of an RPC server, a zero-terminated `host:port`, before this machine's own; nothing
 * of them is used with 0 layers on devices. The engine ends the process when a server cannot be
 * reached or speaks something else, so the caller makes sure first. UNSUPPORTED without the backend. */
runner_shim_status runner_shim_options_add_server(runner_shim_options *options,
                                                  const char *endpoint);

/* ---- model -------------------------------------------------------------------------------- */

typedef struct runner_shim_model runner_shim_model;

/* `path` is zero-terminated. The model does not keep the options. */
runner_shim_status runner_shim_model_load(const char *path, const runner_shim_options *options,
                                          runner_shim_model **model);
/* Its contexts must be gone. NULL is allowed. */
void runner_shim_model_free(runner_shim_model *model);

/* What the engine warned about while it loaded the model, a line each; empty when nothing. */
runner_shim_status runner_shim_model_warnings(const runner_shim_model *model, char *text,
                                              size_t capacity, size_t *length);
runner_shim_status runner_shim_model_architecture(const runner_shim_model *model, char *text,
                                                  size_t capacity, size_t *length);
runner_shim_status runner_shim_model_description(const runner_shim_model *model, char *text,
                                                 size_t capacity, size_t *length);

typedef enum runner_shim_model_number {
    RUNNER_SHIM_MODEL_PARAMETERS = 0,
    RUNNER_SHIM_MODEL_VOCABULARY = 1,
    RUNNER_SHIM_MODEL_TRAINED_CONTEXT = 2,
    RUNNER_SHIM_MODEL_LAYERS = 3,
    /* Bytes of the tensors in the file. */
    RUNNER_SHIM_MODEL_TENSOR_BYTES = 4
} runner_shim_model_number;

runner_shim_status runner_shim_model_read(const runner_shim_model *model,
                                          runner_shim_model_number number, uint64_t *value);

/* Tensor types of the file, most bytes first, then by name. */
size_t runner_shim_model_tensor_type_count(const runner_shim_model *model);
runner_shim_status runner_shim_model_tensor_type(const runner_shim_model *model, size_t index,
                                                 uint32_t *tensors, uint64_t *bytes, char *text,
                                                 size_t capacity, size_t *length);

/* `text` is `text_length` bytes of UTF-8. Adds the model's beginning-of-text token where the model
 * wants one, and reads no special token out of the text. At most `capacity` tokens are written;
 * `*count` is the full number. */
runner_shim_status runner_shim_tokenize(const runner_shim_model *model, const char *text,
                                        size_t text_length, int32_t *tokens, size_t capacity,
                                        size_t *count);

/* How the vocabularies of two models differ, in words: number, text or attributes of tokens, or which
 * token begins or ends a text. Empty when they do not. */
runner_shim_status runner_shim_vocabulary_difference(const runner_shim_model *one,
                                                     const runner_shim_model *other, char *text,
                                                     size_t capacity, size_t *length);

/* ---- context ------------------------------------------------------------------------------ */

typedef struct runner_shim_context runner_shim_context;

/* Makes the context and attaches thread pools of its own (one when both thread counts are equal).
 * Must be called by the thread that will compute, since the pool places that thread too. */
runner_shim_status runner_shim_context_new(runner_shim_model *model,
                                           const runner_shim_options *options,
                                           runner_shim_context **context);
/* NULL is allowed. */
void runner_shim_context_free(runner_shim_context *context);

typedef enum runner_shim_context_number {
    /* Cells of the whole KV cache. */
    RUNNER_SHIM_CONTEXT_TOKENS = 0,
    /* Longest sequence 0 can grow. */
    RUNNER_SHIM_CONTEXT_SEQUENCE_TOKENS = 1,
    RUNNER_SHIM_CONTEXT_BATCH_TOKENS = 2,
    RUNNER_SHIM_CONTEXT_MICRO_BATCH_TOKENS = 3,
    RUNNER_SHIM_CONTEXT_THREADS = 4,
    RUNNER_SHIM_CONTEXT_BATCH_THREADS = 5,
    /* 1 or 0, as resolved. */
    RUNNER_SHIM_CONTEXT_FLASH_ATTENTION = 6,
    /* runner_shim_kv_type */
    RUNNER_SHIM_CONTEXT_KEY_TYPE = 7,
    RUNNER_SHIM_CONTEXT_VALUE_TYPE = 8,
    /* 1 or 0 */
    RUNNER_SHIM_CONTEXT_KV_OFFLOAD = 9,
    RUNNER_SHIM_CONTEXT_PARALLEL_SEQUENCES = 10
} runner_shim_context_number;

runner_shim_status runner_shim_context_read(const runner_shim_context *context,
                                            runner_shim_context_number number, int64_t *value);

/* Evaluates `count` tokens (1 to the batch size) of sequence 0 at `position` and after. Rows of
 * logits are kept for the tokens from index `first_output` on: `count` for none, `count - 1` for
 * the last, 0 for all. May return before a device has finished. */
runner_shim_status runner_shim_decode(runner_shim_context *context, const int32_t *tokens,
                                      size_t count, int32_t position, size_t first_output);

/* As `runner_shim_decode`, with everything said of each token: its position, its sequence (0 to the
 * number of parallel sequences), and whether its row of logits is kept (0 or 1). The positions of a
 * sequence must follow on from what it holds. */
runner_shim_status runner_shim_evaluate(runner_shim_context *context, const int32_t *tokens,
                                        const int32_t *positions, const int32_t *sequences,
                                        const uint8_t *outputs, size_t count);

/* Returns when everything handed to the devices is done. */
runner_shim_status runner_shim_synchronize(runner_shim_context *context);

/* Row of logits of token `index` of the last evaluation; `count` must be the vocabulary size. */
runner_shim_status runner_shim_logits(runner_shim_context *context, size_t index, float *row,
                                      size_t count);
/* Token with the largest logit, the lowest id on a tie; COMPUTE when a logit is NaN. */
runner_shim_status runner_shim_argmax(runner_shim_context *context, size_t index, int32_t *token);

/* Forgets sequence 0 from `position` on. UNSUPPORTED where the model's memory cannot. */
runner_shim_status runner_shim_trim(runner_shim_context *context, int32_t position);
/* Forgets everything. */
runner_shim_status runner_shim_clear(runner_shim_context *context);

/* Puts the threads of the engine's own pools to sleep until the next evaluation, so that an idle
 * worker is idle. Does nothing under OpenMP. */
runner_shim_status runner_shim_rest(runner_shim_context *context);

/* ---- what was allocated and what ran ------------------------------------------------------- */

typedef enum runner_shim_buffer_kind {
    RUNNER_SHIM_BUFFER_WEIGHTS = 0,
    RUNNER_SHIM_BUFFER_KV = 1,
    RUNNER_SHIM_BUFFER_COMPUTE = 2,
    RUNNER_SHIM_BUFFER_OUTPUT = 3
} runner_shim_buffer_kind;

/* Reads the sizes of all buffers now and gives their number (only those that hold bytes). */
runner_shim_status runner_shim_buffers_read(runner_shim_context *context, size_t *count);
/* One of those read last, ordered by name, then kind. The text is the buffer type's name. */
runner_shim_status runner_shim_buffer(const runner_shim_context *context, size_t index,
                                      runner_shim_buffer_kind *kind, uint64_t *bytes, char *text,
                                      size_t capacity, size_t *length);
/* Name of the device that this buffer type belongs to. */
runner_shim_status runner_shim_buffer_device(const runner_shim_context *context, size_t index,
                                             char *text, size_t capacity, size_t *length);

/* Kinds of operation counted so far in an observed context; 0 in another. Views and reshapes, which
 * compute nothing, are left out. Nodes of the graph are counted: where a backend fuses two of them
 * into one kernel, both count. */
size_t runner_shim_operation_count(const runner_shim_context *context);
/* Ordered by name, then device. Names are lower case. */
runner_shim_status runner_shim_operation(const runner_shim_context *context, size_t index,
                                         uint64_t *count, char *text, size_t capacity,
                                         size_t *length);
runner_shim_status runner_shim_operation_device(const runner_shim_context *context, size_t index,
                                                char *text, size_t capacity, size_t *length);

/* ---- looking into an evaluation ------------------------------------------------------------ */

/* A node of the graph that is being evaluated. Lives during one call of a visitor. */
typedef struct runner_shim_node runner_shim_node;

/* Called while an observed context evaluates, in order of execution, for each node that computes
 * floating-point values (f32, f16, bf16); views and reshapes compute none. First with `computed` 0,
 * when the values are not there yet: the answer 1 asks to see them, 0 lets the node pass. Where it
 * was 1, a second time with `computed` 1, when they are there and nothing that follows has been
 * computed: the values can be read and overwritten, and the answer 0 ends the evaluation.
 * Must not unwind. */
typedef int32_t (*runner_shim_visitor)(void *data, runner_shim_node *node, int32_t computed);

/* Sends a visitor along with every evaluation from now on; NULL for none. `data` must live until
 * another visitor, or none, is set. INVALID in a context that is not observed. */
runner_shim_status runner_shim_observe(runner_shim_context *context, runner_shim_visitor visitor,
                                       void *data);

runner_shim_status runner_shim_node_name(const runner_shim_node *node, char *text, size_t capacity,
                                         size_t *length);
/* The engine's name of the operation, lower case. */
runner_shim_status runner_shim_node_operation(const runner_shim_node *node, char *text,
                                              size_t capacity, size_t *length);
runner_shim_status runner_shim_node_device(const runner_shim_node *node, char *text,
                                           size_t capacity, size_t *length);
/* Lengths of the four dimensions, the fastest first. */
runner_shim_status runner_shim_node_shape(const runner_shim_node *node, uint64_t *lengths);
/* Values `first` to `first + count`, counted along the dimensions and wherever they lie in memory,
 * as f32. Only in a visitor that is told `computed`. */
runner_shim_status runner_shim_node_read(const runner_shim_node *node, size_t first, float *values,
                                         size_t count);
/* Overwrites all values; `count` must be their number. UNSUPPORTED where they do not lie one after
 * the other. Only in a visitor that is told `computed`. */
runner_shim_status runner_shim_node_write(runner_shim_node *node, const float *values,
                                          size_t count);

/* A deliberate fault, for controls that must be seen to fail: from now on the nodes of the graph
 * read positions from `first` on as one too high, while the KV cache keeps the right ones; a
 * negative `first` for none. INVALID in a context that is not observed. An evaluation whose graph
 * has no positions where some should be too high is UNSUPPORTED. */
runner_shim_status runner_shim_misplace(runner_shim_context *context, int32_t first);

/* ---- the tensors of a model ----------------------------------------------------------------- */

/* 0 where this source tree does not tell. */
size_t runner_shim_weight_count(const runner_shim_model *model);
/* In the engine's order. The text is the name; `lengths` are four dimensions, the fastest first. */
runner_shim_status runner_shim_weight(const runner_shim_model *model, size_t index,
                                      uint64_t *lengths, char *text, size_t capacity,
                                      size_t *length);
/* Its type as loaded: `q4_1`, `f32`, ... */
runner_shim_status runner_shim_weight_type(const runner_shim_model *model, size_t index, char *text,
                                           size_t capacity, size_t *length);
/* `*repacked` is 1 where a backend keeps the tensor in an order of its own. */
runner_shim_status runner_shim_weight_repacked(const runner_shim_model *model, size_t index,
                                               int32_t *repacked);
/* The name of the buffer type in which it lies, and the bytes that its values take. */
runner_shim_status runner_shim_weight_buffer(const runner_shim_model *model, size_t index,
                                             uint64_t *bytes, char *text, size_t capacity,
                                             size_t *length);
/* Rows `first` to `first + count` along all dimensions but the first, as f32, by the engine's own
 * function for the type; `values` holds `count` rows. UNSUPPORTED where the tensor is repacked, or
 * of a type that cannot be turned into f32. */
runner_shim_status runner_shim_weight_read(const runner_shim_model *model, size_t index,
                                           uint64_t first, uint64_t count, float *values);

/* ---- a server for other machines ------------------------------------------------------------ */

/* The version of the protocol between caller and server. UNSUPPORTED without the backend. */
runner_shim_status runner_shim_rpc_version(uint8_t *major, uint8_t *minor, uint8_t *patch);

/* Serves this machine's devices (the CPU where there is no other) at a zero-terminated `host:port`, one
 * caller after the other, with so many threads. Does not return while it can serve. What the engine
 * prints goes to standard output. UNSUPPORTED without the backend. */
runner_shim_status runner_shim_rpc_serve(const char *endpoint, uint32_t threads);

/* ---- other forms of a model file ------------------------------------------------------------ */

typedef enum runner_shim_form {
    RUNNER_SHIM_FORM_F32 = 0,
    RUNNER_SHIM_FORM_F16 = 1,
    RUNNER_SHIM_FORM_BF16 = 2,
    RUNNER_SHIM_FORM_Q8_0 = 3,
    RUNNER_SHIM_FORM_Q6_K = 4,
    RUNNER_SHIM_FORM_Q5_K = 5,
    RUNNER_SHIM_FORM_Q5_1 = 6,
    RUNNER_SHIM_FORM_Q5_0 = 7,
    RUNNER_SHIM_FORM_Q4_K = 8,
    RUNNER_SHIM_FORM_Q4_1 = 9,
    RUNNER_SHIM_FORM_Q4_0 = 10,
    RUNNER_SHIM_FORM_IQ4_NL = 11
} runner_shim_form;

/* Writes the file `target` with every matrix of `source` in that type, where its rows allow it; both
 * paths are zero-terminated. Whatever lies at `target` after a failure is not a model. */
runner_shim_status runner_shim_requantise(const char *source, const char *target,
                                          runner_shim_form form, uint32_t threads);

/* Tensor types of a model file that is not loaded, most bytes first, then by name. */
typedef struct runner_shim_types runner_shim_types;

runner_shim_status runner_shim_types_read(const char *path, runner_shim_types **types);
/* NULL is allowed. */
void runner_shim_types_free(runner_shim_types *types);
size_t runner_shim_types_count(const runner_shim_types *types);
runner_shim_status runner_shim_types_item(const runner_shim_types *types, size_t index,
                                          uint32_t *tensors, uint64_t *bytes, char *text,
                                          size_t capacity, size_t *length);

/* ---- primitives ------------------------------------------------------------------------------ */

/* One kind of operation, in one piece or several, computed by itself. The backend is that of a model
 * with the same options: the first device where layers are put on one, else the CPU with as many
 * threads. */
typedef struct runner_shim_primitive runner_shim_primitive;

runner_shim_status runner_shim_primitive_new(const runner_shim_options *options,
                                             runner_shim_primitive **primitive);
/* NULL is allowed. */
void runner_shim_primitive_free(runner_shim_primitive *primitive);

/* Each adds a piece; all pieces of a primitive are of one kind. INVALID for a size of 0, UNSUPPORTED
 * for a type or a size that cannot be. Pieces are added before the buffers are allocated. */

/* Copies so many bytes, an even number, from one place to another. */
runner_shim_status runner_shim_primitive_copy(runner_shim_primitive *primitive, uint64_t bytes);
/* Multiplies a matrix of weights with `batch` columns of f32. */
runner_shim_status runner_shim_primitive_product(runner_shim_primitive *primitive,
                                                 runner_shim_form weights, uint64_t rows,
                                                 uint64_t columns, uint64_t batch);
/* Attends with `batch` queries a head to `cells` keys and values in f16, fused. */
runner_shim_status runner_shim_primitive_attention(runner_shim_primitive *primitive,
                                                   uint64_t heads, uint64_t key_value_heads,
                                                   uint64_t head_width, uint64_t cells,
                                                   uint64_t batch);

/* Bytes of one buffer: all operands and results of one repetition. UNSUPPORTED where the backend
 * cannot compute a piece. */
runner_shim_status runner_shim_primitive_plan(runner_shim_primitive *primitive, uint64_t *bytes);
/* Allocates so many buffers and fills them; after the plan, once. CONTEXT for lack of memory. */
runner_shim_status runner_shim_primitive_allocate(runner_shim_primitive *primitive,
                                                  uint64_t buffers);

typedef enum runner_shim_primitive_number {
    RUNNER_SHIM_PRIMITIVE_PIECES = 0,
    /* Of one repetition, counted over the graph: each operand read once, each result written once. */
    RUNNER_SHIM_PRIMITIVE_BYTES_MOVED = 1,
    /* Multiplications and additions of one repetition, counted over the graph. */
    RUNNER_SHIM_PRIMITIVE_OPERATIONS = 2
} runner_shim_primitive_number;

/* After the plan. */
runner_shim_status runner_shim_primitive_read(const runner_shim_primitive *primitive,
                                              runner_shim_primitive_number number, uint64_t *value);
/* The engine's name of the operation, lower case; after the plan. */
runner_shim_status runner_shim_primitive_operation(const runner_shim_primitive *primitive,
                                                   char *text, size_t capacity, size_t *length);
/* The device that computes. */
runner_shim_status runner_shim_primitive_device(const runner_shim_primitive *primitive, char *text,
                                                size_t capacity, size_t *length);

/* Computes all pieces on one buffer. May return before a device has finished. */
runner_shim_status runner_shim_primitive_run(runner_shim_primitive *primitive, uint64_t buffer);
/* Returns when everything handed to the device is done. */
runner_shim_status runner_shim_primitive_synchronize(runner_shim_primitive *primitive);
/* Whether the buffer holds what the pieces were to compute: a copy is byte for byte its source,
 * everything else is finite and not all zero. COMPUTE where it is not. */
runner_shim_status runner_shim_primitive_check(runner_shim_primitive *primitive, uint64_t buffer);
/* Puts the engine's own threads to sleep until the next repetition. */
runner_shim_status runner_shim_primitive_rest(runner_shim_primitive *primitive);

#ifdef __cplusplus
}
#endif

#endif
