//! The builds that a manifest may name: its own, and those of the project's catalogue.

use std::collections::BTreeMap;
use std::path::Path;

use super::checked::{CheckedTable, CheckedValue};
use super::code::Code;
use super::diagnostics::{Diagnostic, Diagnostics, Severity};
use super::faults::Faults;
use super::language::builds_language;
use super::names::BuildName;
use super::plan::{Build, BuildSpec, WorkerChoice};
use super::rules::builds::spec;
use super::span::{Span, Spot};
use super::suggest::nearest;
use super::surroundings::Surroundings;
use super::{scalar, syntax, walk};

/// The engine that `runner` was built with.
pub(super) const NATIVE: &str = "native";

/// What names of builds stand for where a manifest is read.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Builds {
    known: BTreeMap<String, BuildSpec>,
    /// Declared wrongly: that is a fault already, and not one of who names it.
    faulty: Vec<String>,
    /// The catalogue could not be read: which names it has is not known.
    catalogue_failed: bool,
}

impl Builds {
    /// The builds of a manifest and of its project.
    pub(super) fn of(
        root: &CheckedTable,
        surroundings: &dyn Surroundings,
        faults: &mut Faults,
    ) -> Builds {
        let mut builds = Builds::default();
        // asked only where a build is named, so that a faulty catalogue spoils no other manifest
        let named = root.table("engine").into_iter().chain(root.tables("arm"));
        let named = named.filter_map(|table| table.text("build"));
        let place = named.filter(|name| name.value != NATIVE).map(|name| name.span).next();
        if let Some(place) = place {
            match surroundings.builds() {
                Ok(known) => {
                    builds.known = known
                        .into_iter()
                        .map(|build| (build.name.to_string(), build.spec))
                        .collect();
                }
                Err(failure) => {
                    builds.catalogue_failed = true;
                    faults.push(
                        Diagnostic::error(
                            Code::BAD_CATALOGUE,
                            place,
                            "the catalogue of builds cannot be read",
                        )
                        .retell(failure),
                    );
                }
            }
        }
        let Some(own) = root.table("build") else { return builds };
        for (name, span) in &own.written {
            if let Err(bad) = BuildName::try_from(name.clone()) {
                faults.push(Diagnostic::error(Code::BAD_NAME, span.clone(), bad.why));
                builds.faulty.push(name.clone());
                continue;
            }
            match declared(own, name, faults) {
                Some(spec) => {
                    if builds.known.get(name).is_some_and(|known| *known != spec) {
                        faults.push(twice(name, span.clone()));
                    }
                    builds.known.insert(name.clone(), spec);
                }
                None => builds.faulty.push(name.clone()),
            }
        }
        builds
    }

    /// What the key `build` of a table names; `None` where that is a fault.
    pub(super) fn chosen(&self, table: &CheckedTable) -> Option<Spot<WorkerChoice>> {
        let named = table.text("build")?;
        let value = match named.value.as_str() {
            NATIVE => WorkerChoice::Native,
            name => WorkerChoice::Build(Box::new(Build {
                spec: self.known.get(name)?.clone(),
                name: BuildName::try_from(named.value).ok()?,
            })),
        };
        Some(Spot { value, span: named.span })
    }

    /// Whether a table names a build of which it is not known what it is.
    pub(super) fn leave_open(&self, table: &CheckedTable) -> bool {
        table.text("build").is_some() && self.chosen(table).is_none()
    }

    /// A name that stands for nothing.
    pub(super) fn unknown(&self, table: &CheckedTable) -> Option<Diagnostic> {
        let named = table.text("build")?;
        let name = named.value.as_str();
        let known = name == NATIVE || self.known.contains_key(name);
        if known || self.catalogue_failed || self.faulty.iter().any(|faulty| faulty == name) {
            return None;
        }
        let fault = Diagnostic::error(
            Code::UNKNOWN_BUILD,
            named.span,
            format!("no build is called `{}`", scalar::shorten(name)),
        );
        let names = || self.known.keys().map(String::as_str).chain([NATIVE]);
        Some(match nearest(name, names()) {
            Some(near) => fault.help(format!("did you mean `build = \"{near}\"`?")),
            None => fault.help(format!(
                "declare it: `[build.NAME]` here or in experiments/builds.toml; known: {}",
                names().collect::<Vec<_>>().join(", ")
            )),
        })
    }
}

fn declared(own: &CheckedTable, name: &str, faults: &mut Faults) -> Option<BuildSpec> {
    let CheckedValue::Table(table) = &own.values.get(name)?.value else { return None };
    spec(table, faults)
}

fn twice(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        Code::BAD_BUILD,
        span,
        format!("the catalogue of builds has another `{name}`"),
    )
    .help("give this one a name of its own")
}

/// Reads a catalogue of builds. `file` is only named in faults.
///
/// # Errors
/// All faults of the catalogue at once.
pub fn read_builds(source: &str, file: &Path) -> Result<Vec<Build>, Diagnostics> {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let (document, syntax_faults) = syntax::parse(source);
    let mut faults = Faults::default();
    let mut builds = Vec::new();
    if syntax_faults.is_empty() {
        let root = walk::table(document.get_ref(), &(0..0), builds_language(), &mut faults);
        if let Some(own) = root.table("build") {
            for (name, span) in &own.written {
                let Some(spec) = declared(own, name, &mut faults) else { continue };
                match BuildName::try_from(name.clone()) {
                    Ok(name) => builds.push(Build { name, spec }),
                    Err(bad) => {
                        faults.push(Diagnostic::error(Code::BAD_NAME, span.clone(), bad.why))
                    }
                }
            }
        }
    } else {
        faults.extend(syntax_faults);
    }
    if faults.iter().any(|fault| fault.severity == Severity::Error) {
        return Err(Diagnostics::new(file.display().to_string(), source.to_owned(), faults));
    }
    Ok(builds)
}
