//! Builds by name: those that come with the program, and those that a project adds in its own
//! `experiments/builds.toml`.

use std::path::Path;

use crate::failure::Failure;
use crate::manifest::{Build, read_builds};
use crate::project::Project;

/// Relative to a project's root.
const PLACE: &str = "experiments/builds.toml";
const EMBEDDED: &str = include_str!("../../experiments/builds.toml");

/// All builds, those that come with the program first, each part in the order of its names.
///
/// # Errors
/// A usage failure with its place when the project's catalogue has faults, or gives the name of a
/// build that comes with the program to another one.
pub fn catalogue(project: &Project) -> Result<Vec<Build>, Failure> {
    let mut builds = read_builds(EMBEDDED, Path::new("the builds of the program"))?;
    let path = project.root.join(PLACE);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(builds),
        Err(error) => {
            return Err(Failure::failed(format!("cannot be read: {error}")).at(path.display()));
        }
    };
    for build in read_builds(&text, &path)? {
        match builds.iter().find(|known| known.name == build.name) {
            None => builds.push(build),
            Some(known) if known.spec == build.spec => {}
            Some(_) => {
                let what = format!("`{}` comes with the program, as another build", build.name);
                return Err(Failure::usage(what).at(path.display()).hint("choose another name"));
            }
        }
    }
    Ok(builds)
}

/// The build of a name.
///
/// # Errors
/// As [`catalogue`]; and a usage failure that lists the names when there is none of that name.
pub fn find(name: &str, project: &Project) -> Result<Build, Failure> {
    let builds = catalogue(project)?;
    if let Some(build) = builds.iter().find(|build| build.name.as_str() == name) {
        return Ok(build.clone());
    }
    let names: Vec<&str> = builds.iter().map(|build| build.name.as_str()).collect();
    Err(Failure::usage(format!("no build is called `{name}`"))
        .at("experiments/builds.toml")
        .hint(format!("declare it there (docs/builds.md); known: {}", names.join(", "))))
}
