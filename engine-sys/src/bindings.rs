pub type runner_shim_status = ::std::os::raw::c_uint;
pub type runner_shim_log_level = ::std::os::raw::c_uint;
pub type runner_shim_numa = ::std::os::raw::c_uint;
pub type runner_shim_capability = ::std::os::raw::c_uint;
pub type runner_shim_device_kind = ::std::os::raw::c_uint;
pub type runner_shim_flash_attention = ::std::os::raw::c_uint;
pub type runner_shim_kv_type = ::std::os::raw::c_uint;
pub type runner_shim_priority = ::std::os::raw::c_uint;
pub type runner_shim_option = ::std::os::raw::c_uint;
pub type runner_shim_model_number = ::std::os::raw::c_uint;
pub type runner_shim_context_number = ::std::os::raw::c_uint;
pub type runner_shim_buffer_kind = ::std::os::raw::c_uint;
pub type runner_shim_visitor = ::std::option::Option<
    unsafe extern "C" fn(
        data: *mut ::std::os::raw::c_void,
        node: *mut runner_shim_node,
        computed: i32,
    ) -> i32,
>;
pub type runner_shim_form = ::std::os::raw::c_uint;
pub type runner_shim_primitive_number = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct runner_shim_options {
    _unused: [u8; 0],
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct runner_shim_model {
    _unused: [u8; 0],
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct runner_shim_context {
    _unused: [u8; 0],
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct runner_shim_node {
    _unused: [u8; 0],
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct runner_shim_types {
    _unused: [u8; 0],
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct runner_shim_primitive {
    _unused: [u8; 0],
}
pub const RUNNER_SHIM_INTERFACE: u32 = 3;
pub const RUNNER_SHIM_OK: runner_shim_status = 0;
pub const RUNNER_SHIM_UNSUPPORTED: runner_shim_status = 1;
pub const RUNNER_SHIM_INVALID: runner_shim_status = 2;
pub const RUNNER_SHIM_MODEL: runner_shim_status = 3;
pub const RUNNER_SHIM_CONTEXT: runner_shim_status = 4;
pub const RUNNER_SHIM_COMPUTE: runner_shim_status = 5;
pub const RUNNER_SHIM_TOO_SMALL: runner_shim_status = 6;
pub const RUNNER_SHIM_INTERNAL: runner_shim_status = 7;
pub const RUNNER_SHIM_LOG_NONE: runner_shim_log_level = 0;
pub const RUNNER_SHIM_LOG_ERROR: runner_shim_log_level = 1;
pub const RUNNER_SHIM_LOG_WARN: runner_shim_log_level = 2;
pub const RUNNER_SHIM_LOG_INFO: runner_shim_log_level = 3;
pub const RUNNER_SHIM_LOG_DEBUG: runner_shim_log_level = 4;
pub const RUNNER_SHIM_NUMA_DISABLED: runner_shim_numa = 0;
pub const RUNNER_SHIM_NUMA_DISTRIBUTE: runner_shim_numa = 1;
pub const RUNNER_SHIM_NUMA_ISOLATE: runner_shim_numa = 2;
pub const RUNNER_SHIM_NUMA_NUMACTL: runner_shim_numa = 3;
pub const RUNNER_SHIM_CAN_ATTACH_POOL: runner_shim_capability = 0;
pub const RUNNER_SHIM_CAN_READ_BUFFERS: runner_shim_capability = 1;
pub const RUNNER_SHIM_CAN_READ_OUTPUT_BUFFER: runner_shim_capability = 2;
pub const RUNNER_SHIM_CAN_READ_FLASH_ATTENTION: runner_shim_capability = 3;
pub const RUNNER_SHIM_CAN_READ_KV_TYPES: runner_shim_capability = 4;
pub const RUNNER_SHIM_CAN_READ_OPERATION_DEVICE: runner_shim_capability = 5;
pub const RUNNER_SHIM_CAN_MAP: runner_shim_capability = 6;
pub const RUNNER_SHIM_CAN_LOCK: runner_shim_capability = 7;
pub const RUNNER_SHIM_CAN_OFFLOAD: runner_shim_capability = 8;
pub const RUNNER_SHIM_THREADS_ARE_OPENMP: runner_shim_capability = 9;
pub const RUNNER_SHIM_CAN_USE_SERVERS: runner_shim_capability = 10;
pub const RUNNER_SHIM_DEVICE_CPU: runner_shim_device_kind = 0;
pub const RUNNER_SHIM_DEVICE_GPU: runner_shim_device_kind = 1;
pub const RUNNER_SHIM_DEVICE_INTEGRATED_GPU: runner_shim_device_kind = 2;
pub const RUNNER_SHIM_DEVICE_ACCELERATOR: runner_shim_device_kind = 3;
pub const RUNNER_SHIM_DEVICE_OTHER: runner_shim_device_kind = 4;
pub const RUNNER_SHIM_FLASH_ATTENTION_OFF: runner_shim_flash_attention = 0;
pub const RUNNER_SHIM_FLASH_ATTENTION_ON: runner_shim_flash_attention = 1;
pub const RUNNER_SHIM_FLASH_ATTENTION_AUTO: runner_shim_flash_attention = 2;
pub const RUNNER_SHIM_KV_F32: runner_shim_kv_type = 0;
pub const RUNNER_SHIM_KV_F16: runner_shim_kv_type = 1;
pub const RUNNER_SHIM_KV_BF16: runner_shim_kv_type = 2;
pub const RUNNER_SHIM_KV_Q8_0: runner_shim_kv_type = 3;
pub const RUNNER_SHIM_KV_Q5_1: runner_shim_kv_type = 4;
pub const RUNNER_SHIM_KV_Q5_0: runner_shim_kv_type = 5;
pub const RUNNER_SHIM_KV_Q4_1: runner_shim_kv_type = 6;
pub const RUNNER_SHIM_KV_Q4_0: runner_shim_kv_type = 7;
pub const RUNNER_SHIM_KV_IQ4_NL: runner_shim_kv_type = 8;
pub const RUNNER_SHIM_PRIORITY_LOW: runner_shim_priority = 0;
pub const RUNNER_SHIM_PRIORITY_NORMAL: runner_shim_priority = 1;
pub const RUNNER_SHIM_PRIORITY_MEDIUM: runner_shim_priority = 2;
pub const RUNNER_SHIM_PRIORITY_HIGH: runner_shim_priority = 3;
pub const RUNNER_SHIM_PRIORITY_REALTIME: runner_shim_priority = 4;
pub const RUNNER_SHIM_OPTION_GPU_LAYERS: runner_shim_option = 0;
pub const RUNNER_SHIM_OPTION_MEMORY_MAP: runner_shim_option = 1;
pub const RUNNER_SHIM_OPTION_MEMORY_LOCK: runner_shim_option = 2;
pub const RUNNER_SHIM_OPTION_CONTEXT_TOKENS: runner_shim_option = 3;
pub const RUNNER_SHIM_OPTION_BATCH_TOKENS: runner_shim_option = 4;
pub const RUNNER_SHIM_OPTION_MICRO_BATCH_TOKENS: runner_shim_option = 5;
pub const RUNNER_SHIM_OPTION_THREADS: runner_shim_option = 6;
pub const RUNNER_SHIM_OPTION_BATCH_THREADS: runner_shim_option = 7;
pub const RUNNER_SHIM_OPTION_FLASH_ATTENTION: runner_shim_option = 8;
pub const RUNNER_SHIM_OPTION_KEY_TYPE: runner_shim_option = 9;
pub const RUNNER_SHIM_OPTION_VALUE_TYPE: runner_shim_option = 10;
pub const RUNNER_SHIM_OPTION_KV_OFFLOAD: runner_shim_option = 11;
pub const RUNNER_SHIM_OPTION_PARALLEL_SEQUENCES: runner_shim_option = 12;
pub const RUNNER_SHIM_OPTION_OBSERVED: runner_shim_option = 13;
pub const RUNNER_SHIM_OPTION_POLL_PERCENT: runner_shim_option = 14;
pub const RUNNER_SHIM_OPTION_PRIORITY: runner_shim_option = 15;
pub const RUNNER_SHIM_OPTION_CPU_STRICT: runner_shim_option = 16;
pub const RUNNER_SHIM_OPTION_REPACK: runner_shim_option = 17;
pub const RUNNER_SHIM_MODEL_PARAMETERS: runner_shim_model_number = 0;
pub const RUNNER_SHIM_MODEL_VOCABULARY: runner_shim_model_number = 1;
pub const RUNNER_SHIM_MODEL_TRAINED_CONTEXT: runner_shim_model_number = 2;
pub const RUNNER_SHIM_MODEL_LAYERS: runner_shim_model_number = 3;
pub const RUNNER_SHIM_MODEL_TENSOR_BYTES: runner_shim_model_number = 4;
pub const RUNNER_SHIM_CONTEXT_TOKENS: runner_shim_context_number = 0;
pub const RUNNER_SHIM_CONTEXT_SEQUENCE_TOKENS: runner_shim_context_number = 1;
pub const RUNNER_SHIM_CONTEXT_BATCH_TOKENS: runner_shim_context_number = 2;
pub const RUNNER_SHIM_CONTEXT_MICRO_BATCH_TOKENS: runner_shim_context_number = 3;
pub const RUNNER_SHIM_CONTEXT_THREADS: runner_shim_context_number = 4;
pub const RUNNER_SHIM_CONTEXT_BATCH_THREADS: runner_shim_context_number = 5;
pub const RUNNER_SHIM_CONTEXT_FLASH_ATTENTION: runner_shim_context_number = 6;
pub const RUNNER_SHIM_CONTEXT_KEY_TYPE: runner_shim_context_number = 7;
pub const RUNNER_SHIM_CONTEXT_VALUE_TYPE: runner_shim_context_number = 8;
pub const RUNNER_SHIM_CONTEXT_KV_OFFLOAD: runner_shim_context_number = 9;
pub const RUNNER_SHIM_CONTEXT_PARALLEL_SEQUENCES: runner_shim_context_number = 10;
pub const RUNNER_SHIM_BUFFER_WEIGHTS: runner_shim_buffer_kind = 0;
pub const RUNNER_SHIM_BUFFER_KV: runner_shim_buffer_kind = 1;
pub const RUNNER_SHIM_BUFFER_COMPUTE: runner_shim_buffer_kind = 2;
pub const RUNNER_SHIM_BUFFER_OUTPUT: runner_shim_buffer_kind = 3;
pub const RUNNER_SHIM_FORM_F32: runner_shim_form = 0;
pub const RUNNER_SHIM_FORM_F16: runner_shim_form = 1;
pub const RUNNER_SHIM_FORM_BF16: runner_shim_form = 2;
pub const RUNNER_SHIM_FORM_Q8_0: runner_shim_form = 3;
pub const RUNNER_SHIM_FORM_Q6_K: runner_shim_form = 4;
pub const RUNNER_SHIM_FORM_Q5_K: runner_shim_form = 5;
pub const RUNNER_SHIM_FORM_Q5_1: runner_shim_form = 6;
pub const RUNNER_SHIM_FORM_Q5_0: runner_shim_form = 7;
pub const RUNNER_SHIM_FORM_Q4_K: runner_shim_form = 8;
pub const RUNNER_SHIM_FORM_Q4_1: runner_shim_form = 9;
pub const RUNNER_SHIM_FORM_Q4_0: runner_shim_form = 10;
pub const RUNNER_SHIM_FORM_IQ4_NL: runner_shim_form = 11;
pub const RUNNER_SHIM_PRIMITIVE_PIECES: runner_shim_primitive_number = 0;
pub const RUNNER_SHIM_PRIMITIVE_BYTES_MOVED: runner_shim_primitive_number = 1;
pub const RUNNER_SHIM_PRIMITIVE_OPERATIONS: runner_shim_primitive_number = 2;
unsafe extern "C" {
    pub fn runner_shim_start(level: runner_shim_log_level) -> runner_shim_status;
    pub fn runner_shim_stop() -> runner_shim_status;
    pub fn runner_shim_exit_now(code: i32);
    pub fn runner_shim_last_error(
        text: *mut ::std::os::raw::c_char,
        capacity: usize,
        length: *mut usize,
    ) -> runner_shim_status;
    pub fn runner_shim_numa_start(
        strategy: runner_shim_numa,
        in_effect: *mut i32,
    ) -> runner_shim_status;
    pub fn runner_shim_can(capability: runner_shim_capability) -> i32;
    pub fn runner_shim_engine_version(
        text: *mut ::std::os::raw::c_char,
        capacity: usize,
        length: *mut usize,
    ) -> runner_shim_status;
    pub fn runner_shim_backend_count() -> usize;
    pub fn runner_shim_backend_name(
        index: usize,
        text: *mut ::std::os::raw::c_char,
        capacity: usize,
        length: *mut usize,
    ) -> runner_shim_status;
    pub fn runner_shim_backend_feature_count(backend: usize) -> usize;
    pub fn runner_shim_backend_feature(
        backend: usize,
        feature: usize,
        text: *mut ::std::os::raw::c_char,
        capacity: usize,
        length: *mut usize,
    ) -> runner_shim_status;
    pub fn runner_shim_device_count() -> usize;
    pub fn runner_shim_device_kind_of(
        device: usize,
        kind: *mut runner_shim_device_kind,
    ) -> runner_shim_status;
    pub fn runner_shim_device_name(
        device: usize,
        text: *mut ::std::os::raw::c_char,
        capacity: usize,
        length: *mut usize,
    ) -> runner_shim_status;
    pub fn runner_shim_device_description(
        device: usize,
        text: *mut ::std::os::raw::c_char,
        capacity: usize,
        length: *mut usize,
    ) -> runner_shim_status;
    pub fn runner_shim_device_trouble(
        text: *mut ::std::os::raw::c_char,
        capacity: usize,
        length: *mut usize,
    ) -> runner_shim_status;
    pub fn runner_shim_device_memory(
        device: usize,
        free_bytes: *mut u64,
        total_bytes: *mut u64,
    ) -> runner_shim_status;
    pub fn runner_shim_options_new() -> *mut runner_shim_options;
    pub fn runner_shim_options_free(options: *mut runner_shim_options);
    pub fn runner_shim_options_set(
        options: *mut runner_shim_options,
        option: runner_shim_option,
        value: i64,
    ) -> runner_shim_status;
    pub fn runner_shim_options_allow_processor(
        options: *mut runner_shim_options,
        processor: u32,
    ) -> runner_shim_status;
    pub fn runner_shim_options_add_server(
        options: *mut runner_shim_options,
        endpoint: *const ::std::os::raw::c_char,
    ) -> runner_shim_status;
    pub fn runner_shim_model_load(
        path: *const ::std::os::raw::c_char,
        options: *const runner_shim_options,
        model: *mut *mut runner_shim_model,
    ) -> runner_shim_status;
    pub fn runner_shim_model_free(model: *mut runner_shim_model);
    pub fn runner_shim_model_warnings(
        model: *const runner_shim_model,
        text: *mut ::std::os::raw::c_char,
        capacity: usize,
        length: *mut usize,
    ) -> runner_shim_status;
    pub fn runner_shim_model_architecture(
        model: *const runner_shim_model,
        text: *mut ::std::os::raw::c_char,
        capacity: usize,
        length: *mut usize,
    ) -> runner_shim_status;
    pub fn runner_shim_model_description(
        model: *const runner_shim_model,
        text: *mut ::std::os::raw::c_char,
        capacity: usize,
        length: *mut usize,
    ) -> runner_shim_status;
    pub fn runner_shim_model_read(
        model: *const runner_shim_model,
        number: runner_shim_model_number,
        value: *mut u64,
    ) -> runner_shim_status;
    pub fn runner_shim_model_tensor_type_count(model: *const runner_shim_model) -> usize;
    pub fn runner_shim_model_tensor_type(
        model: *const runner_shim_model,
        index: usize,
        tensors: *mut u32,
        bytes: *mut u64,
        text: *mut ::std::os::raw::c_char,
        capacity: usize,
        length: *mut usize,
    ) -> runner_shim_status;
    pub fn runner_shim_tokenize(
        model: *const runner_shim_model,
        text: *const ::std::os::raw::c_char,
        text_length: usize,
        tokens: *mut i32,
        capacity: usize,
        count: *mut usize,
    ) -> runner_shim_status;
    pub fn runner_shim_vocabulary_difference(
        one: *const runner_shim_model,
        other: *const runner_shim_model,
        text: *mut ::std::os::raw::c_char,
        capacity: usize,
        length: *mut usize,
    ) -> runner_shim_status;
    pub fn runner_shim_context_new(
        model: *mut runner_shim_model,
        options: *const runner_shim_options,
        context: *mut *mut runner_shim_context,
    ) -> runner_shim_status;
    pub fn runner_shim_context_free(context: *mut runner_shim_context);
    pub fn runner_shim_context_read(
        context: *const runner_shim_context,
        number: runner_shim_context_number,
        value: *mut i64,
    ) -> runner_shim_status;
    pub fn runner_shim_decode(
        context: *mut runner_shim_context,
        tokens: *const i32,
        count: usize,
        position: i32,
        first_output: usize,
    ) -> runner_shim_status;
    pub fn runner_shim_evaluate(
        context: *mut runner_shim_context,
        tokens: *const i32,
        positions: *const i32,
        sequences: *const i32,
        outputs: *const u8,
        count: usize,
    ) -> runner_shim_status;
    pub fn runner_shim_synchronize(context: *mut runner_shim_context) -> runner_shim_status;
    pub fn runner_shim_logits(
        context: *mut runner_shim_context,
        index: usize,
        row: *mut f32,
        count: usize,
    ) -> runner_shim_status;
    pub fn runner_shim_argmax(
        context: *mut runner_shim_context,
        index: usize,
        token: *mut i32,
    ) -> runner_shim_status;
    pub fn runner_shim_trim(context: *mut runner_shim_context, position: i32)
    -> runner_shim_status;
    pub fn runner_shim_clear(context: *mut runner_shim_context) -> runner_shim_status;
    pub fn runner_shim_rest(context: *mut runner_shim_context) -> runner_shim_status;
    pub fn runner_shim_buffers_read(
        context: *mut runner_shim_context,
        count: *mut usize,
    ) -> runner_shim_status;
    pub fn runner_shim_buffer(
        context: *const runner_shim_context,
        index: usize,
        kind: *mut runner_shim_buffer_kind,
        bytes: *mut u64,
        text: *mut ::std::os::raw::c_char,
        capacity: usize,
        length: *mut usize,
    ) -> runner_shim_status;
    pub fn runner_shim_buffer_device(
        context: *const runner_shim_context,
        index: usize,
        text: *mut ::std::os::raw::c_char,
        capacity: usize,
        length: *mut usize,
    ) -> runner_shim_status;
    pub fn runner_shim_operation_count(context: *const runner_shim_context) -> usize;
    pub fn runner_shim_operation(
        context: *const runner_shim_context,
        index: usize,
        count: *mut u64,
        text: *mut ::std::os::raw::c_char,
        capacity: usize,
        length: *mut usize,
    ) -> runner_shim_status;
    pub fn runner_shim_operation_device(
        context: *const runner_shim_context,
        index: usize,
        text: *mut ::std::os::raw::c_char,
        capacity: usize,
        length: *mut usize,
    ) -> runner_shim_status;
    pub fn runner_shim_observe(
        context: *mut runner_shim_context,
        visitor: runner_shim_visitor,
        data: *mut ::std::os::raw::c_void,
    ) -> runner_shim_status;
    pub fn runner_shim_node_name(
        node: *const runner_shim_node,
        text: *mut ::std::os::raw::c_char,
        capacity: usize,
        length: *mut usize,
    ) -> runner_shim_status;
    pub fn runner_shim_node_operation(
        node: *const runner_shim_node,
        text: *mut ::std::os::raw::c_char,
        capacity: usize,
        length: *mut usize,
    ) -> runner_shim_status;
    pub fn runner_shim_node_device(
        node: *const runner_shim_node,
        text: *mut ::std::os::raw::c_char,
        capacity: usize,
        length: *mut usize,
    ) -> runner_shim_status;
    pub fn runner_shim_node_shape(
        node: *const runner_shim_node,
        lengths: *mut u64,
    ) -> runner_shim_status;
    pub fn runner_shim_node_read(
        node: *const runner_shim_node,
        first: usize,
        values: *mut f32,
        count: usize,
    ) -> runner_shim_status;
    pub fn runner_shim_node_write(
        node: *mut runner_shim_node,
        values: *const f32,
        count: usize,
    ) -> runner_shim_status;
    pub fn runner_shim_misplace(
        context: *mut runner_shim_context,
        first: i32,
    ) -> runner_shim_status;
    pub fn runner_shim_weight_count(model: *const runner_shim_model) -> usize;
    pub fn runner_shim_weight(
        model: *const runner_shim_model,
        index: usize,
        lengths: *mut u64,
        text: *mut ::std::os::raw::c_char,
        capacity: usize,
        length: *mut usize,
    ) -> runner_shim_status;
    pub fn runner_shim_weight_type(
        model: *const runner_shim_model,
        index: usize,
        text: *mut ::std::os::raw::c_char,
        capacity: usize,
        length: *mut usize,
    ) -> runner_shim_status;
    pub fn runner_shim_weight_repacked(
        model: *const runner_shim_model,
        index: usize,
        repacked: *mut i32,
    ) -> runner_shim_status;
    pub fn runner_shim_weight_buffer(
        model: *const runner_shim_model,
        index: usize,
        bytes: *mut u64,
        text: *mut ::std::os::raw::c_char,
        capacity: usize,
        length: *mut usize,
    ) -> runner_shim_status;
    pub fn runner_shim_weight_read(
        model: *const runner_shim_model,
        index: usize,
        first: u64,
        count: u64,
        values: *mut f32,
    ) -> runner_shim_status;
    pub fn runner_shim_rpc_version(
        major: *mut u8,
        minor: *mut u8,
        patch: *mut u8,
    ) -> runner_shim_status;
    pub fn runner_shim_rpc_serve(
        endpoint: *const ::std::os::raw::c_char,
        threads: u32,
    ) -> runner_shim_status;
    pub fn runner_shim_requantise(
        source: *const ::std::os::raw::c_char,
        target: *const ::std::os::raw::c_char,
        form: runner_shim_form,
        threads: u32,
    ) -> runner_shim_status;
    pub fn runner_shim_types_read(
        path: *const ::std::os::raw::c_char,
        types: *mut *mut runner_shim_types,
    ) -> runner_shim_status;
    pub fn runner_shim_types_free(types: *mut runner_shim_types);
    pub fn runner_shim_types_count(types: *const runner_shim_types) -> usize;
    pub fn runner_shim_types_item(
        types: *const runner_shim_types,
        index: usize,
        tensors: *mut u32,
        bytes: *mut u64,
        text: *mut ::std::os::raw::c_char,
        capacity: usize,
        length: *mut usize,
    ) -> runner_shim_status;
    pub fn runner_shim_primitive_new(
        options: *const runner_shim_options,
        primitive: *mut *mut runner_shim_primitive,
    ) -> runner_shim_status;
    pub fn runner_shim_primitive_free(primitive: *mut runner_shim_primitive);
    pub fn runner_shim_primitive_copy(
        primitive: *mut runner_shim_primitive,
        bytes: u64,
    ) -> runner_shim_status;
    pub fn runner_shim_primitive_product(
        primitive: *mut runner_shim_primitive,
        weights: runner_shim_form,
        rows: u64,
        columns: u64,
        batch: u64,
    ) -> runner_shim_status;
    pub fn runner_shim_primitive_attention(
        primitive: *mut runner_shim_primitive,
        heads: u64,
        key_value_heads: u64,
        head_width: u64,
        cells: u64,
        batch: u64,
    ) -> runner_shim_status;
    pub fn runner_shim_primitive_plan(
        primitive: *mut runner_shim_primitive,
        bytes: *mut u64,
    ) -> runner_shim_status;
    pub fn runner_shim_primitive_allocate(
        primitive: *mut runner_shim_primitive,
        buffers: u64,
    ) -> runner_shim_status;
    pub fn runner_shim_primitive_read(
        primitive: *const runner_shim_primitive,
        number: runner_shim_primitive_number,
        value: *mut u64,
    ) -> runner_shim_status;
    pub fn runner_shim_primitive_operation(
        primitive: *const runner_shim_primitive,
        text: *mut ::std::os::raw::c_char,
        capacity: usize,
        length: *mut usize,
    ) -> runner_shim_status;
    pub fn runner_shim_primitive_device(
        primitive: *const runner_shim_primitive,
        text: *mut ::std::os::raw::c_char,
        capacity: usize,
        length: *mut usize,
    ) -> runner_shim_status;
    pub fn runner_shim_primitive_run(
        primitive: *mut runner_shim_primitive,
        buffer: u64,
    ) -> runner_shim_status;
    pub fn runner_shim_primitive_synchronize(
        primitive: *mut runner_shim_primitive,
    ) -> runner_shim_status;
    pub fn runner_shim_primitive_check(
        primitive: *mut runner_shim_primitive,
        buffer: u64,
    ) -> runner_shim_status;
    pub fn runner_shim_primitive_rest(primitive: *mut runner_shim_primitive) -> runner_shim_status;
}
