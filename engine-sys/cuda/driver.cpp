// The few functions of the CUDA driver library that ggml-cuda calls itself. They look for the real
// ones when they are called first: a binary that is linked against the library does not even start
// on a machine without a driver, and could not say what is wrong there.
//
// Without a driver none of them is called: the run-time library, which looks for the driver in the
// same way, reports no devices.

#include <cuda.h>
#include <dlfcn.h>

namespace {

void * find(const char * name) {
    static void * const library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    return library == nullptr ? nullptr : dlsym(library, name);
}

}  // namespace

// The header gives some functions names with a version by way of macros: both steps expand them.
#define NAME_OF_EXPANDED(name) #name
#define NAME_OF(name) NAME_OF_EXPANDED(name)

#define FORWARD(function, parameters, arguments)                                        \
    extern "C" CUresult CUDAAPI function parameters {                                   \
        using type                = CUresult(CUDAAPI *) parameters;                     \
        static const auto forwarded = reinterpret_cast<type>(find(NAME_OF(function)));    \
        return forwarded == nullptr ? CUDA_ERROR_NOT_INITIALIZED : forwarded arguments; \
    }

FORWARD(cuDeviceGet, (CUdevice * device, int ordinal), (device, ordinal))
FORWARD(cuDeviceGetAttribute, (int * value, CUdevice_attribute attribute, CUdevice device),
        (value, attribute, device))
FORWARD(cuMemAddressFree, (CUdeviceptr pointer, size_t size), (pointer, size))
FORWARD(cuMemAddressReserve,
        (CUdeviceptr * pointer, size_t size, size_t alignment, CUdeviceptr address,
         unsigned long long flags),
        (pointer, size, alignment, address, flags))
FORWARD(cuMemCreate,
        (CUmemGenericAllocationHandle * handle, size_t size, const CUmemAllocationProp * properties,
         unsigned long long flags),
        (handle, size, properties, flags))
FORWARD(cuMemGetAllocationGranularity,
        (size_t * granularity, const CUmemAllocationProp * properties,
         CUmemAllocationGranularity_flags option),
        (granularity, properties, option))
FORWARD(cuMemMap,
        (CUdeviceptr pointer, size_t size, size_t offset, CUmemGenericAllocationHandle handle,
         unsigned long long flags),
        (pointer, size, offset, handle, flags))
FORWARD(cuMemRelease, (CUmemGenericAllocationHandle handle), (handle))
FORWARD(cuMemSetAccess,
        (CUdeviceptr pointer, size_t size, const CUmemAccessDesc * access, size_t count),
        (pointer, size, access, count))
FORWARD(cuMemUnmap, (CUdeviceptr pointer, size_t size), (pointer, size))

extern "C" CUresult CUDAAPI cuGetErrorString(CUresult error, const char ** text) {
    using type                = CUresult(CUDAAPI *)(CUresult, const char **);
    static const auto forwarded = reinterpret_cast<type>(find(NAME_OF(cuGetErrorString)));
    if (forwarded != nullptr) {
        return forwarded(error, text);
    }
    // The caller prints what it finds here.
    *text = "the CUDA driver library libcuda.so.1 could not be loaded";
    return CUDA_SUCCESS;
}
