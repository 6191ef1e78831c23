// Why there is no CUDA device, in words. The build script compiles this for the same architectures
// as the backend.

#include <cuda_runtime.h>

#include <climits>
#include <string>

namespace {

std::string release(int number) {
    return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

// Each architecture is compiled as PTX too, which newer devices can take, and older ones cannot.
int oldest_compiled() {
    int oldest = INT_MAX;
    for (const int architecture : {__CUDA_ARCH_LIST__}) {
        oldest = architecture < oldest ? architecture : oldest;
    }
    return oldest;
}

std::string too_old_device(int count) {
    for (int device = 0; device < count; ++device) {
        int major = 0;
        int minor = 0;
        if (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess ||
            cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) != cudaSuccess) {
            continue;
        }
        if (100 * major + 10 * minor < oldest_compiled()) {
            return "CUDA device " + std::to_string(device) + " is of architecture " + std::to_string(major) +
                   std::to_string(minor) + ", older than the " + std::to_string(oldest_compiled() / 10) +
                   " that this build is for (ENGINE_CUDA_ARCHITECTURES)";
        }
    }
    return "";
}

std::string trouble() {
    int driver = 0;
    int runtime = 0;
    if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) {
        return "no driver: the CUDA driver library libcuda.so.1 could not be loaded";
    }
    if (cudaRuntimeGetVersion(&runtime) != cudaSuccess) { runtime = CUDART_VERSION; }
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error == cudaErrorInsufficientDriver) {
        return "driver too old: it is for CUDA " + release(driver) + ", and this build needs one for CUDA " +
               release(runtime);
    }
    if (error == cudaErrorNoDevice || (error == cudaSuccess && count == 0)) {
        return "no device: the CUDA driver finds none";
    }
    if (error != cudaSuccess) {
        return std::string("no device: the CUDA driver says: ") + cudaGetErrorString(error);
    }
    return too_old_device(count);
}

}  // namespace

// Empty where devices can be used. Valid until the process ends.
extern "C" const char * runner_cuda_trouble(void) {
    static const std::string text = trouble();
    return text.c_str();
}
