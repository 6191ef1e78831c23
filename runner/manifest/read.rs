//! From text to a checked plan, with all faults at once.

use std::path::Path;

use toml::de::DeTable;

use super::assemble::assemble;
use super::builds::Builds;
use super::code::Code;
use super::diagnostics::{Diagnostic, Diagnostics, Severity};
use super::draft::ArmDraft;
use super::faults::Faults;
use super::ladder;
use super::language::language;
use super::plan::Plan;
use super::rules;
use super::span::{Position, Span};
use super::surroundings::Surroundings;
use super::syntax;
use super::walk;

/// Largest manifest, bytes: 1 MiB. A long one has a few kilobytes.
pub const LARGEST: usize = 1 << 20;

/// A manifest that was read, and what is likely not meant.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The checked plan.
    pub plan: Plan,
    /// Warnings only; may be empty.
    pub warnings: Diagnostics,
    /// Where `[design] rounds` stands: the place of what is said of the whole design.
    rounds: Span,
}

impl Reading {
    /// Adds what was found out about the design as a whole, and is no fault of the manifest.
    pub fn warn_of_design(&mut self, message: impl Into<String>, help: impl Into<String>) {
        let warning =
            Diagnostic::warning(Code::UNREACHABLE_DESIGN, self.rounds.clone(), message).help(help);
        self.warnings.list.push(warning);
        self.warnings.list.sort_by_key(|fault| (fault.severity, fault.offset()));
    }
}

/// Text from a manifest's bytes: UTF-8, not too large, without a byte order mark.
///
/// # Errors
/// `too-large` or `not-utf8`, the latter with the place of the first wrong byte.
pub fn decode(bytes: &[u8], file: &Path) -> Result<String, Diagnostics> {
    let name = file.display().to_string();
    if bytes.len() > LARGEST {
        return Err(too_large(bytes.len(), name));
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.strip_prefix('\u{feff}').unwrap_or(text).to_owned()),
        Err(error) => {
            let good = error.valid_up_to();
            let text = String::from_utf8_lossy(&bytes[..good]).into_owned();
            let position = Position::of(&text, good);
            let fault = Diagnostic::error(
                Code::NOT_UTF8,
                good..good,
                format!(
                    "the file is not UTF-8 text from line {}, column {}",
                    position.line, position.column
                ),
            )
            .here(format!("byte 0x{:02x} follows", bytes[good]))
            .help("save it as UTF-8");
            Err(Diagnostics::new(name, text, fault.into()))
        }
    }
}

/// Reads a manifest. `file` is only named in faults; nothing is run, nothing is written.
///
/// # Errors
/// All faults of the manifest at once, warnings among them.
pub fn read(
    source: &str,
    file: &Path,
    surroundings: &dyn Surroundings,
) -> Result<Reading, Diagnostics> {
    let name = file.display().to_string();
    if source.len() > LARGEST {
        return Err(too_large(source.len(), name));
    }
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    if source.trim().is_empty() {
        let fault = Diagnostic::error(Code::EMPTY_FILE, 0..0, "the manifest is empty")
            .help("`runner new ID --template ab` writes one to start from");
        return Err(Diagnostics::new(name, source.to_owned(), fault.into()));
    }
    let (document, syntax_faults) = syntax::parse(source);
    let mut faults = Faults::default();
    if !syntax_faults.is_empty() {
        faults.extend(beside_syntax(document.get_ref(), source, &syntax_faults));
        faults.extend(syntax_faults);
        return Err(Diagnostics::new(name, source.to_owned(), faults));
    }
    let root = walk::table(document.get_ref(), &top(source), language(), &mut faults);
    let builds = Builds::of(&root, surroundings, &mut faults);
    let mut arms: Vec<ArmDraft> =
        root.tables("arm").iter().map(|arm| ArmDraft::written(arm, &builds)).collect();
    if let Some(table) = root.table("ladder") {
        arms.extend(ladder::rungs(table, &mut faults));
    }
    let found = rules::hold(&root, &arms, &builds, surroundings, &mut faults);
    let faultless = faults.iter().all(|fault| fault.severity == Severity::Warning);
    let rounds = root.table("design").and_then(|design| design.whole("rounds"));
    let rounds = rounds.map_or_else(|| root.span.clone(), |rounds| rounds.span);
    let plan = assemble(&root, arms, &builds, found).filter(|_| faultless);
    if let Some(plan) = &plan {
        rules::relinked::hold(&root, plan, &mut faults);
        rules::cited::hold(&root, plan, surroundings, &mut faults);
    }
    let diagnostics = Diagnostics::new(name, source.to_owned(), faults);
    match plan {
        Some(plan) => Ok(Reading { plan, warnings: diagnostics, rounds }),
        None => Err(diagnostics),
    }
}

/// Where what is missing at the top is said to be missing: the first line that says something.
fn top(source: &str) -> Span {
    let mut offset = 0;
    for line in source.split_inclusive('\n') {
        let text = line.trim();
        if !text.is_empty() && !text.starts_with('#') {
            let start = offset + (line.len() - line.trim_start().len());
            return start..start + text.len();
        }
        offset += line.len();
    }
    0..0
}

/// Faults of single keys on lines that are TOML; what is missing may be on a line that is not.
fn beside_syntax(
    document: &DeTable<'_>,
    source: &str,
    syntax_faults: &[Diagnostic],
) -> Vec<Diagnostic> {
    let line = |offset: usize| Position::of(source, offset).line;
    // Positions are counted from the start: with very many syntax faults nothing else is shown.
    if syntax_faults.len() > super::diagnostics::MOST_SHOWN {
        return Vec::new();
    }
    let broken: Vec<usize> = syntax_faults.iter().map(|fault| line(fault.offset())).collect();
    let mut faults = Faults::default();
    walk::table(document, &top(source), language(), &mut faults);
    let (mut faults, _) = faults.into_parts();
    // Each place is counted from the start of the file.
    faults.truncate(super::diagnostics::MOST_SHOWN);
    faults.retain(|fault| {
        !matches!(fault.code, Code::MISSING_KEY | Code::MISSING_TABLE | Code::EMPTY_LIST)
            && !broken.contains(&line(fault.offset()))
    });
    faults
}

fn too_large(bytes: usize, file: String) -> Diagnostics {
    let fault = Diagnostic::error(
        Code::TOO_LARGE,
        0..0,
        format!("the file has {bytes} bytes; a manifest has at most {LARGEST}"),
    )
    .help("is this the right file?");
    Diagnostics::new(file, String::new(), fault.into())
}
