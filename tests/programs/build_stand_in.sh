#!/bin/sh
# Stands in for cargo in tests (RUNNER_BUILD_COMMAND): puts a fake worker where it is told to. What the
# worker says is scripted by a file of the tree that is built:
#   script.toml   as tests/programs/fake_worker reads it
#   broken        the tree does not compile, for the reason that stands in it
#   drifted       the shim does not fit the tree
# BUILD_STAND_IN_WORKER is the fake worker; a line for each call goes to BUILD_STAND_IN_CALLS.
set -eu
worker=$1
echo "${ENGINE_SRC_COMMIT:-pinned} ${ENGINE_LINK_ORDER_SEED:-in-order}" >> "$BUILD_STAND_IN_CALLS"
tree=${ENGINE_SRC_DIR:-/nowhere}
if [ -f "$tree/broken" ]; then
    echo "error: engine-sys@0.1.0: does not compile: $(cat "$tree/broken")" >&2
    exit 1
fi
if [ -f "$tree/drifted" ]; then
    echo "error: engine-sys@0.1.0: unsupported tree: $(cat "$tree/drifted")" >&2
    exit 1
fi
{
    echo '#!/bin/sh'
    if [ -f "$tree/script.toml" ]; then
        echo "FAKE_WORKER_SCRIPT='$tree/script.toml'"
        echo 'export FAKE_WORKER_SCRIPT'
    fi
    echo "exec '$BUILD_STAND_IN_WORKER'"
} > "$worker"
chmod +x "$worker"
