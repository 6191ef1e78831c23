#!/usr/bin/env bash
# A git repository of the pinned engine sources with planted slow-downs, for
# experiments/planted-three-percent.toml and experiments/planted-history.toml:
#
#     experiments/planted-history.sh target/planted-history
#
# Branch `main` has eight commits; the fifth makes each operation of a graph wait (about 15 % of a
# token of SmolLM2-135M on two cores), the others change comments. Branch `three-percent` is the
# first commit and one changed line (about 3 %). Dates and names are fixed, so hashes are the same
# everywhere: the manifests name them.
set -euo pipefail
[ $# -eq 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
[ ! -e "$1" ] || { echo "$1 is there already: take it away first" >&2; exit 1; }
here="$(cd "$(dirname "$0")/.." && pwd)"
metadata="$(cargo metadata --locked --offline --format-version 1 --manifest-path "$here/vendor/Cargo.toml" 2>/dev/null ||
  cargo metadata --locked --format-version 1 --manifest-path "$here/vendor/Cargo.toml")"
manifest="$(grep -o '"manifest_path":"[^"]*llama-cpp-sys-2-[^"]*"' <<<"$metadata" | head -1 | cut -d'"' -f4)"
tree="$(dirname "$manifest")/llama.cpp"
[ -f "$tree/include/llama.h" ] || { echo "no sources in $tree" >&2; exit 1; }

mkdir -p "$1"
cd "$1"
git init -q -b main
for part in CMakeLists.txt LICENSE ggml include src; do cp -R "$tree/$part" .; done
find . -path ./.git -prune -o -type f -exec chmod 644 {} +
rm -f .gitignore
export GIT_AUTHOR_NAME=planted GIT_AUTHOR_EMAIL=planted@example.org
export GIT_COMMITTER_NAME=planted GIT_COMMITTER_EMAIL=planted@example.org
export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null

commit() { # DAY SUBJECT
  git -c core.autocrlf=false add -A -f
  GIT_AUTHOR_DATE="2026-11-0$1T12:00:00Z" GIT_COMMITTER_DATE="2026-11-0$1T12:00:00Z" \
    git -c commit.gpgsign=false commit -q -m "$2"
}
wait_of() { # ITERATIONS: one line of the loop over a graph's operations
  sed -i.old "s|^        struct ggml_tensor \* node = cgraph->nodes\[node_n\];\$|        struct ggml_tensor * node = cgraph->nodes[node_n]; for (volatile int wait = 0; wait < $1; wait++) {}|" \
    ggml/src/ggml-cpu/ggml-cpu.c
  rm ggml/src/ggml-cpu/ggml-cpu.c.old
  grep -q "wait < $1" ggml/src/ggml-cpu/ggml-cpu.c
}
comment() { printf '\n// %s\n' "$2" >>"$1"; }

commit 1 "engine: as published"
git switch -q -c three-percent
wait_of 500
commit 2 "ggml-cpu: look at each node twice"
git switch -q main
comment ggml/src/gguf.cpp "read in one pass"
commit 2 "gguf: note on reading"
comment ggml/src/ggml-alloc.c "tensors are placed first fit"
commit 3 "ggml: note on allocation"
comment src/llama-arch.cpp "names as in the files"
commit 4 "llama: note on names"
wait_of 2500
commit 5 "ggml-cpu: be gentle with the barrier"
comment src/llama-vocab.cpp "merges are looked up by rank"
commit 6 "llama: note on merges"
comment ggml/src/ggml-cpu/traits.cpp "one trait a buffer type"
commit 7 "ggml-cpu: note on traits"
comment src/llama-mmap.cpp "pages come when they are read"
commit 8 "llama: note on pages"
git log --format='%H %s' main
git log --format='%H %s' -1 three-percent
