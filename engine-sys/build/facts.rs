//! Writes down, for the library, what was built and how.

use std::fmt::Write;

use super::engine::{Engine, Threading};
use super::fault::Fault;
use super::files;
use super::git::Checkout;
use super::origin::Origin;
use super::package;
use super::settings::Settings;
use super::shim::Shim;
use super::toolchain::{Language, Toolchain};

/// Writes `build_facts.rs`: constants of the types in `src/facts.rs`.
pub fn write(
    origin: &Origin,
    engine: &Engine,
    shim: &Shim,
    toolchain: &Toolchain,
    settings: &Settings,
) -> Result<(), Fault> {
    let mut text = String::new();
    let mut add = |comment: &str, declaration: String| {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "/// {comment}\npub const {declaration};");
    };
    add("Where the engine came from.", format!("ORIGIN: Origin = {}", origin_value(origin)));
    add(
        "BLAKE3 over the engine's sorted sources, or over prebuilt libraries; hexadecimal.",
        format!("ENGINE_BLAKE3: &str = {:?}", engine.blake3),
    );
    add(
        "Version of ggml, where the sources say it.",
        format!("GGML_VERSION: Option<&str> = {:?}", engine.version),
    );
    let version = |language| toolchain.compiler(language).version.as_str();
    add("C compiler, with its version.", format!("C_COMPILER: &str = {:?}", version(Language::C)));
    add(
        "C++ compiler, with its version.",
        format!("CXX_COMPILER: &str = {:?}", version(Language::Cxx)),
    );
    add(
        "Every flag but folders of headers, by component and language; for prebuilt libraries, the \
         shim's only. Under `link`, where it is not the default: libraries and order of linking.",
        format!("FLAGS: &[(&str, &[&str])] = {}", flags_value(engine, shim)),
    );
    add(
        "The instruction set that was asked for.",
        format!("INSTRUCTION_SET_REQUEST: &str = {:?}", settings.instruction_set),
    );
    let features = match &engine.features {
        Some(features) => format!("Some(&{features:?})"),
        None => "None".to_owned(),
    };
    add(
        "Instruction set extensions that were compiled in; none is known of prebuilt libraries.",
        format!("INSTRUCTION_SET: Option<&[&str]> = {features}"),
    );
    add("Who runs the threads.", format!("THREADING: Threading = {}", threading_value(engine)));
    add("Target triple.", format!("TARGET: &str = {:?}", settings.target));
    add(
        "Name of the compiled objects in the cache; none for prebuilt libraries.",
        format!("OBJECTS: Option<&str> = {:?}", engine.objects),
    );
    let compilers: Vec<&str> =
        engine.devices.iter().filter_map(|d| d.compiler.as_deref()).collect();
    add(
        "Compilers of the kernels of device backends, with their versions; empty without them.",
        format!("DEVICE_COMPILERS: &[&str] = &{compilers:?}"),
    );
    files::write_if_changed(&settings.out.join("build_facts.rs"), &text)
}

fn origin_value(origin: &Origin) -> String {
    match origin {
        Origin::Pinned { package, .. } => format!(
            "Origin::Pinned {{ package: {:?}, version: {:?}, package_blake3: {:?} }}",
            package::NAME,
            package.version,
            package.blake3
        ),
        Origin::SourceTree { checkout, .. } => {
            let difference = checkout.as_ref().and_then(|checkout| checkout.difference.as_deref());
            format!(
                "Origin::SourceTree {{ {}, difference: {difference:?} }}",
                checkout_value(checkout.as_ref())
            )
        }
        Origin::Libraries { checkout, .. } => {
            format!("Origin::Libraries {{ {} }}", checkout_value(checkout.as_ref()))
        }
    }
}

fn checkout_value(checkout: Option<&Checkout>) -> String {
    let commit = checkout.map(|checkout| checkout.commit.as_str());
    let dirty = checkout.map(|checkout| checkout.dirty);
    format!("commit: {commit:?}, dirty: {dirty:?}")
}

fn flags_value(engine: &Engine, shim: &Shim) -> String {
    let listed: Vec<String> = engine
        .flags
        .iter()
        .chain(&shim.flags)
        .map(|(component, flags)| format!("({component:?}, &{flags:?})"))
        .collect();
    format!("&[{}]", listed.join(", "))
}

fn threading_value(engine: &Engine) -> String {
    match &engine.threading {
        Threading::OpenMp(openmp) => {
            format!("Threading::OpenMp {{ library: {:?} }}", openmp.library)
        }
        Threading::Own => "Threading::Own".to_owned(),
        Threading::Unknown => "Threading::Unknown".to_owned(),
    }
}
