#!/usr/bin/env bash
# Sets up a CUDA toolkit for the engine's feature `cuda`, from Python wheels: no GPU, no driver and
# no administrator is needed, only pip, about 2 GB of disk and a download of 0.6 GB.
#
#     engine-sys/cuda-toolkit.sh DEST
#     CUDA_PATH=DEST ENGINE_CUDA_ARCHITECTURES=90 cargo build --release -p engine --features cuda
#
# pip is asked as you configured it (its environment variables and configuration file are heeded).
# DEST becomes the root of the toolkit: bin/nvcc, include, lib, nvvm. It must not exist yet.
set -euo pipefail

# What nvcc needs to compile, and what the engine links. Versions that fit each other.
wheels=(
  nvidia-cuda-nvcc==13.5.37
  nvidia-cuda-crt==13.5.37
  nvidia-nvvm==13.5.37
  nvidia-cuda-runtime==13.5.37
  nvidia-cuda-cccl==13.3.5.0.6
  nvidia-cublas==13.10.0.20
)

if [ "$#" -ne 1 ] || [ -z "$1" ] || [ "${1:0:1}" = "-" ]; then
  echo "usage: $0 DEST (a folder that does not exist yet)" >&2
  exit 2
fi
dest="$1"
if [ -e "$dest" ]; then
  echo "$dest exists: name another folder, or remove it first" >&2
  exit 2
fi
if command -v pip3 >/dev/null; then pip=(pip3); else pip=(python3 -m pip); fi
if ! "${pip[@]}" --version >/dev/null 2>&1; then
  echo "no pip: install it (Debian, Ubuntu: apt install python3-pip)" >&2
  exit 1
fi

# Whole or not at all: DEST appears last.
work="$dest.partial"
rm -rf "$work"
mkdir -p "$work"
trap 'rm -rf "$work"' EXIT
"${pip[@]}" install --quiet --disable-pip-version-check --no-deps --only-binary :all: \
  --target "$work/wheels" "${wheels[@]}"

toolkit="$work/toolkit"
mkdir "$toolkit"
mv "$work"/wheels/nvidia/cu13/* "$toolkit/"
mkdir "$toolkit/licences"
for info in "$work"/wheels/*.dist-info; do
  name="$(basename "$info" .dist-info)"
  [ ! -d "$info/licenses" ] || cp -r "$info/licenses" "$toolkit/licences/$name"
done

# Wheels hold libraries under the names that programs load; linkers look for names without version.
for library in cudart cublas cublasLt; do
  (cd "$toolkit/lib" && ln -sf "lib$library".so.*[0-9] "lib$library.so")
done

"$toolkit/bin/nvcc" --version >/dev/null
mv "$toolkit" "$dest"
echo "set CUDA_PATH=$(cd "$dest" && pwd)"
