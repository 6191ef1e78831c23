//! A git repository that looks like one of an engine, and builds of it without a compiler.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Said, Sandbox, fake_worker, said};

/// Where it lies in a sandbox; the blank is on purpose.
pub const TREE: &str = "a tree";

impl Sandbox {
    /// Runs git in the tree; what it said.
    pub fn git(&self, arguments: &[&str]) -> String {
        let output = Command::new("git")
            .args(["-c", "user.name=n", "-c", "user.email=e@example.org"])
            .args(["-c", "commit.gpgsign=false", "-c", "init.defaultBranch=main"])
            .args(arguments)
            .current_dir(self.path(TREE))
            .env("HOME", self.root())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// An empty repository with the files that an engine's tree must have.
    pub fn tree(&self) {
        for file in ["include/llama.h", "ggml/include/ggml.h", "ggml/src/ggml.c"] {
            self.write(&format!("{TREE}/{file}"), "\n");
        }
        self.git(&["init", "-q"]);
    }

    /// Commits files, and gives the hash.
    pub fn commit(&self, subject: &str, files: &[(&str, &str)]) -> String {
        for (name, content) in files {
            self.write(&format!("{TREE}/{name}"), content);
        }
        self.git(&["add", "--all"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", subject]);
        self.git(&["rev-parse", "HEAD"]).trim().to_owned()
    }

    /// `runner`, with builds made by the stand-in.
    pub fn building(&self, arguments: &[&str]) -> Said {
        let stand_in =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/build_stand_in.sh");
        let mut command = self.command(arguments);
        command
            .env("RUNNER_BUILD_COMMAND", stand_in)
            .env("BUILD_STAND_IN_WORKER", fake_worker())
            .env("BUILD_STAND_IN_CALLS", self.calls_file());
        said(command.output().unwrap())
    }

    fn calls_file(&self) -> PathBuf {
        self.path("build-calls")
    }

    /// What was built, a line each.
    pub fn built(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.calls_file()).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }
}

/// A worker that takes so many nanoseconds a token.
pub fn pace(nanoseconds: u32) -> String {
    format!(
        "seed = 7\n[base]\ndecode_nanoseconds_per_token = {nanoseconds}\nnoise_sd = 0.005\n\
         process_sd = 0.001\nsource_blake3 = \"of {nanoseconds}\"\n"
    )
}
