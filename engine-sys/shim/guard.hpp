// What every function of the shim needs: errors in words, texts across the border, the log.
#pragma once

#include "../shim.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>

#include "ggml.h"

namespace runner_shim {

struct Log {
    int shown = RUNNER_SHIM_LOG_ERROR;
    int last = RUNNER_SHIM_LOG_NONE; // continuation lines have the level of the line before
    bool captures = false;
    std::string errors;
    std::string warnings;
};

inline Log & log_state() {
    static Log state;
    return state;
}

inline std::string & last_error() {
    static std::string text;
    return text;
}

inline runner_shim_status fail(runner_shim_status status, std::string text) {
    last_error() = std::move(text);
    return status;
}

// Runs `body` so that no exception leaves the shim.
template <class Body> runner_shim_status guarded(Body && body) noexcept {
    try {
        return body();
    } catch (const std::bad_alloc &) {
        try {
            return fail(RUNNER_SHIM_INTERNAL, "out of memory");
        } catch (...) {
            return RUNNER_SHIM_INTERNAL;
        }
    } catch (const std::exception & error) {
        try {
            return fail(RUNNER_SHIM_INTERNAL, error.what());
        } catch (...) {
            return RUNNER_SHIM_INTERNAL;
        }
    } catch (...) {
        try {
            return fail(RUNNER_SHIM_INTERNAL, "an exception of unknown type");
        } catch (...) {
            return RUNNER_SHIM_INTERNAL;
        }
    }
}

inline runner_shim_status write_text(const std::string & source, char * text, size_t capacity,
                                     size_t * length) {
    *length = source.size();
    if (text != nullptr) {
        std::memcpy(text, source.data(), std::min(capacity, source.size()));
    }
    return source.size() <= capacity ? RUNNER_SHIM_OK : RUNNER_SHIM_TOO_SMALL;
}

inline std::string text_or_empty(const char * text) {
    return text == nullptr ? std::string() : std::string(text);
}

inline void on_log(ggml_log_level level, const char * text, void *) {
    Log & log = log_state();
    switch (level) {
        case GGML_LOG_LEVEL_ERROR: log.last = RUNNER_SHIM_LOG_ERROR; break;
        case GGML_LOG_LEVEL_WARN:  log.last = RUNNER_SHIM_LOG_WARN;  break;
        case GGML_LOG_LEVEL_INFO:  log.last = RUNNER_SHIM_LOG_INFO;  break;
        case GGML_LOG_LEVEL_DEBUG: log.last = RUNNER_SHIM_LOG_DEBUG; break;
        case GGML_LOG_LEVEL_CONT:  break;
        default:                   log.last = RUNNER_SHIM_LOG_INFO;  break;
    }
    if (log.captures && log.last == RUNNER_SHIM_LOG_ERROR) { log.errors += text; }
    if (log.captures && log.last == RUNNER_SHIM_LOG_WARN) { log.warnings += text; }
    if (log.last <= log.shown) { std::fputs(text, stderr); }
}

// Keeps what the engine logs as errors and warnings while it lives: upstream returns a null pointer
// and says the reason only there.
class Capture {
  public:
    Capture() {
        Log & log = log_state();
        log.captures = true;
        log.errors.clear();
        log.warnings.clear();
    }
    ~Capture() { log_state().captures = false; }
    Capture(const Capture &) = delete;
    Capture & operator=(const Capture &) = delete;

    // The first line, without the name of the function that wrote it.
    std::string reason(const std::string & otherwise) const {
        const std::string & errors = log_state().errors;
        std::string line = errors.substr(0, errors.find('\n'));
        const size_t colon = line.find(": ");
        if (colon != std::string::npos && line.find(' ') > colon) { line.erase(0, colon + 2); }
        return line.empty() ? otherwise : line;
    }
    std::string warnings() const { return log_state().warnings; }
};

} // namespace runner_shim
