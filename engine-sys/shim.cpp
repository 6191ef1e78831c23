// The shim is one translation unit; its parts are headers so that each stays one idea.
#include "shim/process.hpp"
#include "shim/model.hpp"
#include "shim/context.hpp"
