//! What a declared build may say: one source, and nothing that the source leaves no room for.

use crate::manifest::checked::{CheckedTable, CheckedValue};
use crate::manifest::code::Code;
use crate::manifest::diagnostics::Diagnostic;
use crate::manifest::faults::Faults;
use crate::manifest::plan::{BuildBackend, BuildSource, BuildSpec};
use crate::manifest::scalar::shorten;
use crate::manifest::span::Spot;

/// Keys of which one names the source.
const SOURCES: [&str; 3] = ["package_version", "checkout", "libraries"];

/// A key that says nothing without another.
const PAIRS: [(&str, &str); 5] = [
    ("package_version", "package_blake3"),
    ("package_blake3", "package_version"),
    ("revision", "checkout"),
    ("libraries", "headers"),
    ("headers", "libraries"),
];

/// What nobody can ask of libraries that are compiled already.
const COMPILED: [&str; 8] = [
    "backend",
    "instruction_set",
    "llamafile_kernels",
    "weight_repack",
    "threading",
    "blas",
    "flags",
    "link_order_seed",
];

/// The build that a table declares; `None` when something of it is wrong.
pub(in crate::manifest) fn spec(table: &CheckedTable, faults: &mut Faults) -> Option<BuildSpec> {
    let mut good = crate::manifest::draft::is_whole(table);
    let mut fault = |diagnostic: Diagnostic| {
        good = false;
        faults.push(diagnostic);
    };
    for (key, other) in PAIRS {
        if let (Some(place), None) = (table.wrote(key), table.wrote(other)) {
            fault(
                Diagnostic::error(
                    Code::MISSING_KEY,
                    place,
                    format!("`{key}` needs `{other}` beside it"),
                )
                .help("docs/builds.md shows each kind of source"),
            );
        }
    }
    let named: Vec<_> = SOURCES.iter().filter_map(|key| Some((*key, table.wrote(key)?))).collect();
    if let [(first, place), (second, other), ..] = named.as_slice() {
        fault(
            Diagnostic::error(
                Code::EXCLUSIVE_KEYS,
                other.clone(),
                format!("`{first}` and `{second}` exclude each other"),
            )
            .also(place.clone(), "the other one")
            .help("a build has one source: leave one of them out"),
        );
    }
    if table.wrote("libraries").is_some() {
        for key in COMPILED {
            if let Some(place) = table.wrote(key) {
                fault(
                    Diagnostic::error(
                        Code::BAD_BUILD,
                        place,
                        format!("`{key}` cannot be asked of libraries that are built already"),
                    )
                    .help("leave it out, or name sources instead of `libraries`"),
                );
            }
        }
    }
    let backend = table.choice::<BuildBackend>("backend").map(|backend| backend.value);
    let architectures = table.wrote("cuda_architectures");
    match (backend, architectures) {
        (Some(BuildBackend::Cuda), None) => fault(
            Diagnostic::error(
                Code::MISSING_KEY,
                table.span.clone(),
                "`backend = \"cuda\"` needs `cuda_architectures` beside it",
            )
            .help("add `cuda_architectures = [\"90\"]`: each one adds to the time of the build"),
        ),
        (Some(BuildBackend::Cuda), Some(_)) | (_, None) => {}
        (_, Some(place)) => fault(
            Diagnostic::error(
                Code::BAD_BUILD,
                place,
                "`cuda_architectures` says nothing without `backend = \"cuda\"`",
            )
            .help("leave it out, or add the backend"),
        ),
    }
    if let Some(name) = table.text("instruction_set") {
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '+');
        if !name.value.chars().all(fits) {
            fault(
                Diagnostic::error(
                    Code::BAD_BUILD,
                    name.span,
                    format!("{:?} is no name of an instruction set", shorten(&name.value)),
                )
                .help("as the compiler's `-march=` takes it: `x86-64-v3`, `armv8.2-a+dotprod`"),
            );
        }
    }
    for flag in texts(table, "flags") {
        if !flag.value.starts_with('-') || flag.value.contains(char::is_whitespace) {
            fault(
                Diagnostic::error(
                    Code::BAD_BUILD,
                    flag.span,
                    format!("{:?} is no flag of a compiler", shorten(&flag.value)),
                )
                .help("one flag a text, starting with `-` and without spaces"),
            );
        }
    }
    for architecture in texts(table, "cuda_architectures") {
        if !architecture.value.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
            fault(
                Diagnostic::error(
                    Code::BAD_BUILD,
                    architecture.span,
                    format!("{:?} is no GPU architecture", shorten(&architecture.value)),
                )
                .help("as CMake writes it: `90`, `86`, `120a`"),
            );
        }
    }
    good.then(|| read(table)).flatten()
}

fn read(table: &CheckedTable) -> Option<BuildSpec> {
    let text = |key: &str| table.text(key).map(|text| text.value);
    let all = |key: &str| texts(table, key).into_iter().map(|text| text.value).collect();
    let source = if let Some(version) = text("package_version") {
        BuildSource::Package { version, blake3: text("package_blake3")?.to_lowercase() }
    } else if let Some(folder) = text("libraries") {
        BuildSource::Libraries { folder, headers: all("headers") }
    } else if let Some(checkout) = text("checkout") {
        match text("revision") {
            Some(revision) => BuildSource::Revision { checkout, revision },
            None => BuildSource::WorkingTree { checkout },
        }
    } else {
        BuildSource::Pinned
    };
    Some(BuildSpec {
        source,
        backend: table.choice("backend").map(|backend| backend.value).unwrap_or_default(),
        // `native` is what is meant without it: one way of writing, so that equal builds are equal
        instruction_set: text("instruction_set").filter(|name| name != "native"),
        llamafile_kernels: table.choice("llamafile_kernels").map(|toggle| toggle.value),
        weight_repack: table.choice("weight_repack").map(|toggle| toggle.value),
        threading: table.choice("threading").map(|threading| threading.value),
        blas: table.choice("blas").map(|blas| blas.value),
        c_compiler: text("c_compiler"),
        cxx_compiler: text("cxx_compiler"),
        flags: all("flags"),
        link_order_seed: table.whole("link_order_seed").map(|seed| seed.value),
        cuda_architectures: all("cuda_architectures"),
    })
}

fn texts(table: &CheckedTable, key: &str) -> Vec<Spot<String>> {
    let values = table.list(key).map(|list| list.value).unwrap_or_default();
    let text = |checked: &crate::manifest::checked::Checked| match &checked.value {
        CheckedValue::Text(text) => Some(Spot { value: text.clone(), span: checked.span.clone() }),
        _ => None,
    };
    values.iter().filter_map(text).collect()
}
