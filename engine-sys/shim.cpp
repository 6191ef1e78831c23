// The shim is one translation unit; its parts are headers so that each stays one idea.
#include "shim/process.hpp"
#include "shim/model.hpp"
#include "shim/weights.hpp"
#include "shim/requantise.hpp"
#include "shim/context.hpp"
#include "shim/evaluate.hpp"
#include "shim/inventory.hpp"
#include "shim/observe.hpp"
