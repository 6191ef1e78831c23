//! Commands that must refuse: nothing run, nothing written.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use super::{Said, Sandbox};

/// Not the user's: the cache, the machine's lock, and the fake worker's list of processes.
const BESIDE: [&str; 3] = [".cache/", ".lock", "script.toml.pids"];

impl Said {
    /// As [`Said::expect_text`], for several.
    #[track_caller]
    pub fn expect_texts(mut self, texts: &[&str]) -> Said {
        for text in texts {
            self = self.expect_text(text);
        }
        self
    }
}

impl Sandbox {
    /// Runs a command that must end with this code, and holds that no file of the project was
    /// made, changed or taken away.
    #[track_caller]
    pub fn refuses(&self, arguments: &[&str], code: i32) -> Said {
        self.refuses_command(self.command(arguments), code)
    }

    /// As [`Sandbox::refuses`], for a command with an environment of its own.
    #[track_caller]
    pub fn refuses_command(&self, mut command: Command, code: i32) -> Said {
        let before = self.contents();
        let said = super::said(command.output().unwrap()).expect_code(code);
        let after = self.contents();
        for file in before.keys().chain(after.keys()) {
            assert!(before.get(file) == after.get(file), "{file} was touched by {command:?}");
        }
        assert!(!said.err.contains("panicked"), "{}", said.err);
        said
    }

    /// An executable to name as the worker: when it is started at all, it leaves a file.
    pub fn trap(&self) -> String {
        let path = self.write("trap", "#!/bin/sh\n: > \"$(dirname \"$0\")/trap-was-run\"\n");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        "trap".to_owned()
    }

    /// Every file of the project with its bytes.
    fn contents(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = self.snapshot("");
        files.retain(|file, _| !BESIDE.iter().any(|beside| file.starts_with(beside)));
        files
    }
}
