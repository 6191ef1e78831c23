//! The pinned source package: where cargo has put it, and whether it is what was pinned.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::fault::Fault;
use super::files;
use super::settings::{OtherPackage, Settings};
use super::tree;

/// The name of the package that `vendor/Cargo.toml` pins.
pub const NAME: &str = "llama-cpp-sys-2";

/// A verified package.
pub struct Package {
    /// Its exact version.
    pub version: String,
    /// The extracted package.
    pub root: PathBuf,
    /// BLAKE3 over the package's tree, equal to the committed one.
    pub blake3: String,
}

/// Finds the package by the lockfile in `vendor/`, and checks its sources: cargo verifies the
/// archive when it is extracted, and never looks again.
pub fn find(vendor: &Path) -> Result<Package, Fault> {
    let manifest = vendor.join("Cargo.toml");
    let committed = vendor.join(format!("{NAME}.blake3"));
    for path in [&manifest, &vendor.join("Cargo.lock"), &committed] {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    let (version, root) = locate(&manifest, Lock::Committed)?;
    let expected = files::read_text(&committed)?;
    let kept = format!("write the new hash into {}", committed.display());
    verified(version, root, expected.trim(), &manifest, &kept)
}

/// Finds another version of the package by a manifest written for it, and checks its sources
/// against the hash that came with the request.
pub fn find_other(other: &OtherPackage, settings: &Settings) -> Result<Package, Fault> {
    let OtherPackage { version, blake3 } = other;
    let folder = settings.out.join("other-package");
    files::make_folder(&folder.join("src"))?;
    files::write_if_changed(&folder.join("src/lib.rs"), "")?;
    let manifest = folder.join("Cargo.toml");
    let text = format!(
        "[workspace]\n\n[package]\nname = \"other-sources\"\nversion = \"0.0.0\"\n\
         edition = \"2024\"\npublish = false\n\n[dependencies]\n\
         {NAME} = {{ version = \"={version}\", default-features = false }}\n"
    );
    if fs::read_to_string(&manifest).map_or(true, |existing| existing != text) {
        // The lockfile of another version would be in the way.
        let _ = fs::remove_file(folder.join("Cargo.lock"));
        files::write(&manifest, &text)?;
    }
    let (version, root) = locate(&manifest, Lock::MadeHere)?;
    verified(version, root, blake3, &manifest, "set ENGINE_PACKAGE_BLAKE3 to the new hash")
}

/// Where the lockfile beside a manifest comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lock {
    /// It is committed, and stays as it is.
    Committed,
    /// Cargo may write it.
    MadeHere,
}

fn verified(
    version: String,
    root: PathBuf,
    expected: &str,
    manifest: &Path,
    on_purpose: &str,
) -> Result<Package, Fault> {
    println!("cargo::rerun-if-changed={}", root.display());
    let blake3 = tree::package_hash(&root)?;
    if blake3 == expected {
        return Ok(Package { version, root, blake3 });
    }
    Err(altered(&root, &version, &blake3, expected, manifest, on_purpose))
}

/// Asks cargo, offline first: only a missing package is fetched.
fn locate(manifest: &Path, lock: Lock) -> Result<(String, PathBuf), Fault> {
    let locked: &[&str] = match lock {
        Lock::Committed => &["--locked"],
        Lock::MadeHere => &[],
    };
    let offline: Vec<&str> = locked.iter().copied().chain(["--offline"]).collect();
    let answer = metadata(manifest, &offline).or_else(|_| metadata(manifest, locked));
    let answer = answer.map_err(|reason| {
        Fault::new(format!("the engine's source package {NAME} could not be found:\n{reason}"))
            .hint(fetch_hint(manifest))
    })?;
    let package = package_in(&answer)
        .ok_or_else(|| Fault::new(format!("{} does not pin {NAME}", manifest.display())))?;
    if !package.1.join("llama.cpp/include/llama.h").is_file() {
        return Err(Fault::new(format!("{} holds no llama.cpp sources", package.1.display()))
            .hint(refetch_hint(&package.1, manifest)));
    }
    Ok(package)
}

fn metadata(manifest: &Path, more: &[&str]) -> Result<String, String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["metadata", "--format-version", "1", "--manifest-path"]);
    command.arg(manifest).args(more);
    // Otherwise cargo would fetch what the package needs on every platform there is.
    if let Ok(host) = env::var("HOST") {
        command.args(["--filter-platform", &host]);
    }
    let output = command.output().map_err(|error| format!("cannot run cargo: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).trim_end().to_owned())
    }
}

fn package_in(metadata: &str) -> Option<(String, PathBuf)> {
    let document: serde_json::Value = serde_json::from_str(metadata).ok()?;
    let packages = document.get("packages")?.as_array()?;
    let package = packages.iter().find(|package| package["name"] == NAME)?;
    let version = package["version"].as_str()?.to_owned();
    let root = Path::new(package["manifest_path"].as_str()?).parent()?.to_owned();
    Some((version, root))
}

fn altered(
    root: &Path,
    version: &str,
    found: &str,
    expected: &str,
    manifest: &Path,
    on_purpose: &str,
) -> Fault {
    let differing = match differences(root, version) {
        Some(names) if names.is_empty() => {
            "no file differs from the archive that cargo downloaded".to_owned()
        }
        Some(names) => format!("differing from the downloaded archive: {}", names.join(", ")),
        None => "the downloaded archive is not there to compare with".to_owned(),
    };
    Fault::new(format!(
        "the source package {NAME} {version} in {} is not the one that was named: \
         BLAKE3 {found}, expected {expected}\n{differing}",
        root.display(),
    ))
    .hint(format!("{}\nif another version is meant, {on_purpose}", refetch_hint(root, manifest),))
}

/// The first files that differ from the archive: in cargo's registry, `src/<index>/<package>` was
/// extracted from `cache/<index>/<package>.crate`. None where that cannot be had.
fn differences(root: &Path, version: &str) -> Option<Vec<String>> {
    let index = root.parent()?;
    let registry = index.parent()?.parent()?;
    let name = format!("{NAME}-{version}");
    let archive = registry.join("cache").join(index.file_name()?).join(format!("{name}.crate"));
    let scratch = PathBuf::from(env::var_os("OUT_DIR")?).join("pristine");
    fs::create_dir_all(&scratch).ok()?;
    let unpacked = Command::new("tar").arg("-xzf").arg(&archive).arg("-C").arg(&scratch).output();
    let names = unpacked.ok().filter(|output| output.status.success()).and_then(|_| {
        let pristine: BTreeMap<_, _> =
            files::below(&scratch.join(&name)).ok()?.into_iter().collect();
        let present: BTreeMap<_, _> = files::below(root).ok()?.into_iter().collect();
        let all = pristine.keys().chain(present.keys().filter(|k| !pristine.contains_key(*k)));
        let same = |name: &String| match (pristine.get(name), present.get(name)) {
            (Some(left), Some(right)) => fs::read(left).ok() == fs::read(right).ok(),
            _ => false,
        };
        Some(all.filter(|name| !tree::is_cargos_own(name) && !same(name)).cloned().collect())
    });
    // Only a diagnosis: what is left behind in OUT_DIR does no harm.
    let _ = fs::remove_dir_all(&scratch);
    names.map(shortened)
}

fn shortened(mut names: Vec<String>) -> Vec<String> {
    const SHOWN: usize = 8;
    if names.len() > SHOWN {
        let more = names.len() - SHOWN;
        names.truncate(SHOWN);
        names.push(format!("and {more} more"));
    }
    names
}

fn fetch_hint(manifest: &Path) -> String {
    format!(
        "run, with access to the network: cargo fetch --locked --manifest-path {}",
        manifest.display()
    )
}

fn refetch_hint(root: &Path, manifest: &Path) -> String {
    format!(
        "run: rm -r {} && cargo fetch --locked --manifest-path {}",
        root.display(),
        manifest.display()
    )
}
