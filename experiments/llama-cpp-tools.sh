#!/usr/bin/env bash
# Upstream's own programs, for experiments/peers-decode.toml and experiments/peers-prefill.toml:
#
#     experiments/llama-cpp-tools.sh target/llama.cpp
#
# builds llama-bench and llama-server of the llama.cpp tree that the source distribution of
# llama-cpp-python 0.3.36 holds, with upstream's defaults for the processor at hand. Needs python3 with
# pip, cmake, and a C++ compiler; ten minutes on two cores.
set -euo pipefail
[ $# -eq 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
[ ! -e "$1" ] || { echo "$1 is there already: take it away first" >&2; exit 1; }
version=0.3.36
sha256=832db0699007f1be95a7e41ef12e88926b02ba836461e36a36372db2760c1a2e
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m pip download -q --no-deps --no-binary :all: "llama-cpp-python==$version" -d "$work"
archive="$work/llama_cpp_python-$version.tar.gz"
if command -v sha256sum >/dev/null; then found="$(sha256sum "$archive")"; else found="$(shasum -a 256 "$archive")"; fi
[ "${found%% *}" = "$sha256" ] || { echo "the archive is another than was pinned: $found" >&2; exit 1; }
tar -xzf "$archive" -C "$work"
# no repository around it, so that no other project's commit is taken for its own
export GIT_CEILING_DIRECTORIES="$work"
cmake -S "$work/llama_cpp_python-$version/vendor/llama.cpp" -B "$work/build" \
  -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF -DLLAMA_OPENSSL=OFF -DLLAMA_BUILD_UI=OFF \
  -DLLAMA_USE_PREBUILT_UI=OFF -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_EXAMPLES=OFF >/dev/null
cmake --build "$work/build" --parallel "${JOBS:-2}" --target llama-bench llama-server >/dev/null
mkdir -p "$1/bin"
cp "$work/build/bin/llama-bench" "$work/build/bin/llama-server" "$1/bin/"
"$1/bin/llama-server" --version 2>&1 | head -2
