//! A Slurm cluster of one node on loopback, with two partitions, for as long as a test lasts; and programs
//! of that name that only play one.

use std::io::Write;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::runs::wait;
use super::{Said, Sandbox, said};

/// The daemons, in the order of their start.
const DAEMONS: [&str; 3] = ["munged", "slurmctld", "slurmd"];

/// Partitions of the cluster's only node.
pub const PARTITIONS: [&str; 2] = ["one", "two"];

/// A cluster; it ends with this.
pub struct Cluster {
    folder: tempfile::TempDir,
    processes: Vec<Child>,
}

impl Cluster {
    /// Starts it. `None`, and why on standard error, where it cannot be had; under `CI` that is a failure.
    pub fn start() -> Option<Cluster> {
        let missing: Vec<&str> =
            DAEMONS.into_iter().filter(|name| daemon(name).is_none()).collect();
        let why = if missing.is_empty() {
            (!rustix::process::geteuid().is_root()).then(|| "slurmd wants to be root".to_owned())
        } else {
            Some(format!("{} is not installed", missing.join(", ")))
        };
        if let Some(why) = why {
            assert!(std::env::var_os("CI").is_none(), "no cluster for this test: {why}");
            let _ = writeln!(std::io::stderr(), "skipped: no Slurm cluster: {why}");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let mut cluster = Cluster { folder, processes: Vec::new() };
        cluster.configure();
        cluster.daemon("munged", &["--foreground", "--force"]);
        wait("munge's socket", || cluster.path("munge.sock").exists());
        cluster.daemon("slurmctld", &["-D"]);
        cluster.daemon("slurmd", &["-D", "-N", "loop"]);
        wait("the node is idle in both partitions", || {
            let said = cluster.ask("sinfo", &["--noheader", "--format=%T %P"]);
            said.lines().filter(|line| line.starts_with("idle ")).count() == PARTITIONS.len()
        });
        Some(cluster)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// What its programs are told by `SLURM_CONF`.
    pub fn configuration(&self) -> PathBuf {
        self.path("slurm.conf")
    }

    fn configure(&self) {
        for folder in ["state", "spool"] {
            std::fs::create_dir(self.path(folder)).unwrap();
        }
        let key = self.path("munge.key");
        std::fs::write(&key, [7_u8; 128]).unwrap();
        std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o600)).unwrap();
        let ports: Vec<TcpListener> =
            (0..2).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
        let port = |index: usize| ports[index].local_addr().unwrap().port();
        let here = self.folder.path().display();
        let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
        let host = host.split('.').next().unwrap();
        let cores = std::thread::available_parallelism().unwrap();
        let text = format!(
            "ClusterName=loop
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={}
SlurmdPort={}
AuthType=auth/munge
AuthInfo=socket={here}/munge.sock
SlurmUser=root
SlurmdUser=root
StateSaveLocation={here}/state
SlurmdSpoolDir={here}/spool
SlurmctldPidFile={here}/slurmctld.pid
SlurmdPidFile={here}/slurmd.pid
SlurmctldLogFile={here}/slurmctld.log
SlurmdLogFile={here}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
ReturnToService=2
KillWait=5
DebugFlags=NO_CONF_HASH
NodeName=loop NodeHostname={host} NodeAddr=127.0.0.1 CPUs={cores} State=UNKNOWN Feature=tiny
PartitionName=one Nodes=loop State=UP
PartitionName=two Nodes=loop State=UP
",
            port(0),
            port(1),
        );
        std::fs::write(self.configuration(), text).unwrap();
    }

    fn daemon(&mut self, name: &str, arguments: &[&str]) {
        let mut command = Command::new(daemon(name).unwrap());
        command.args(arguments).env("SLURM_CONF", self.configuration());
        if name == "munged" {
            for (option, file) in [
                ("key-file", "munge.key"),
                ("socket", "munge.sock"),
                ("pid-file", "munge.pid"),
                ("log-file", "munge.log"),
                ("seed-file", "munge.seed"),
            ] {
                command.arg(format!("--{option}={}", self.path(file).display()));
            }
        }
        let log = std::fs::File::create(self.path(&format!("{name}.out"))).unwrap();
        let started = command
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn()
            .unwrap();
        self.processes.push(started);
    }

    /// What one of Slurm's programs prints.
    pub fn ask(&self, program: &str, arguments: &[&str]) -> String {
        let output = Command::new(program)
            .args(arguments)
            .env("SLURM_CONF", self.configuration())
            .output()
            .unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Numbers of jobs that wait or run.
    pub fn jobs(&self) -> Vec<String> {
        let said = self.ask("squeue", &["--noheader", "--format=%i"]);
        said.lines().map(|line| line.trim().to_owned()).collect()
    }

    /// `runner` where this cluster's programs work, not yet started.
    pub fn command(&self, sandbox: &Sandbox, arguments: &[&str]) -> Command {
        let mut command = sandbox.command(arguments);
        command.env("SLURM_CONF", self.configuration());
        command
    }

    /// The same, run to its end.
    pub fn runner(&self, sandbox: &Sandbox, arguments: &[&str]) -> Said {
        said(self.command(sandbox, arguments).output().unwrap())
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.ask("scancel", &["--user=root", "--full"]);
        for mut process in self.processes.drain(..).rev() {
            let pid = rustix::process::Pid::from_child(&process);
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
            let _ = process.wait();
        }
    }
}

/// Daemons often are not on a user's path.
fn daemon(name: &str) -> Option<PathBuf> {
    ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"]
        .map(|folder| Path::new(folder).join(name))
        .into_iter()
        .find(|path| path.is_file())
}

impl Sandbox {
    /// `runner` with programs of our own in the place of Slurm's: shell scripts by name.
    pub fn playing(&self, programs: &[(&str, &str)], arguments: &[&str]) -> Command {
        for (name, text) in programs {
            let path = self.write(&format!("played/{name}"), format!("#!/bin/sh\n{text}\n"));
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = self.command(arguments);
        command.env("PATH", format!("{}:{path}", self.path("played").display()));
        command
    }

    /// The same, run to its end.
    pub fn plays(&self, programs: &[(&str, &str)], arguments: &[&str]) -> Said {
        said(self.playing(programs, arguments).output().unwrap())
    }
}
