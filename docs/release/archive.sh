#!/bin/sh
# Packs a release archive: runner-<version>-<target>.tar.gz, and its SHA-256 beside it.
#
#   docs/release/archive.sh [BINARY [FOLDER]]
#
# Without BINARY it builds one (release profile, committed lockfile). FOLDER is where the archive goes
# (default: target/archives). TARGET names the platform of a binary that was built for another one.
# The same binary gives the same bytes: files are sorted, owned by 0 and dated SOURCE_DATE_EPOCH
# (default: 0). It needs GNU tar (`gtar` where that is its name), gzip, and cargo for the licences.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
binary=${1:-}
folder=${2:-$root/target/archives}

if [ -z "$binary" ]; then
    (cd "$root" && cargo build --release --locked --bin runner)
    binary=${CARGO_TARGET_DIR:-$root/target}/release/runner
fi
if [ ! -x "$binary" ]; then
    echo "$binary: there is no such executable" >&2
    exit 1
fi
tar=tar
if command -v gtar >/dev/null 2>&1; then
    tar=gtar
fi
if ! "$tar" --version 2>/dev/null | grep -q 'GNU tar'; then
    echo "$tar is not GNU tar, which alone packs files in a given order; install it as gtar" >&2
    exit 1
fi

version=$("$binary" --version | cut -d ' ' -f 2)
target=${TARGET:-$(rustc -vV | sed -n 's/^host: //p')}
name=runner-$version-$target
staged=$(mktemp -d)
trap 'rm -rf "$staged"' EXIT
inside=$staged/$name

mkdir -p "$inside/completions" "$inside/licences" "$folder"
cp "$binary" "$inside/runner"
cp "$root/LICENSE" "$root/README.md" "$root/CHANGELOG.md" "$inside/"
cp "$root/docs/install.md" "$inside/INSTALL.md"
"$inside/runner" man "$inside/man/man1" >/dev/null
for shell in bash elvish fish powershell zsh; do
    "$inside/runner" completions "$shell" >"$inside/completions/runner.$shell"
done

# What the binary holds of others: the texts of their licences, from the packages it was built of.
packages() {
    cargo metadata --locked --format-version 1 --filter-platform "$target" --manifest-path "$1" |
        tr ',' '\n' | sed -n 's/.*"manifest_path":"\(.*\)\/Cargo\.toml".*/\1/p' | sort -u
}
{
    packages "$root/Cargo.toml"
    packages "$root/vendor/Cargo.toml"
} | while read -r package; do
    case $package in "$root"*) continue ;; esac
    for text in "$package"/LICEN[CS]E* "$package"/COPYING* "$package"/NOTICE* "$package"/llama.cpp/LICENSE; do
        if [ -f "$text" ]; then
            mkdir -p "$inside/licences/$(basename "$package")"
            cp "$text" "$inside/licences/$(basename "$package")/"
        fi
    done
done

archive=$folder/$name.tar.gz
LC_ALL=C "$tar" --create --directory "$staged" --format=ustar --sort=name \
    --mtime="@${SOURCE_DATE_EPOCH:-0}" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
    "$name" | gzip -n >"$archive.partial"
mv "$archive.partial" "$archive"
if command -v sha256sum >/dev/null 2>&1; then
    (cd "$folder" && sha256sum "$name.tar.gz" >"$name.tar.gz.sha256")
else
    (cd "$folder" && shasum -a 256 "$name.tar.gz" >"$name.tar.gz.sha256")
fi
echo "$archive"
