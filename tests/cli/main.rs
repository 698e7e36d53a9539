//! The program as its users meet it: real commands in temporary folders.

mod bad_input;
#[cfg(unix)]
mod boundary;
mod compare;
#[cfg(unix)]
mod crash;
#[cfg(target_os = "linux")]
mod external;
#[cfg(unix)]
mod folder;
mod gate;
mod report;
mod results;
mod shards;
mod tidy;
mod verbs;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// A folder of its own to work in.
struct Desk {
    folder: TempDir,
}

/// What a command left behind.
struct Ended {
    code: i32,
    stdout: String,
    stderr: String,
}

impl Desk {
    fn new() -> Self {
        Desk { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    fn doublepu(&self, arguments: &[&str]) -> Ended {
        self.ended(self.command().args(arguments))
    }

    /// What must end well.
    fn well(&self, arguments: &[&str]) -> Ended {
        let ended = self.doublepu(arguments);
        assert_eq!(ended.code, 0, "{arguments:?}: {}", ended.stderr);
        ended
    }

    /// The program, to be started in the folder.
    fn command(&self) -> Command {
        self.in_folder(env!("CARGO_BIN_EXE_doublepu"))
    }

    fn in_folder(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.folder.path());
        command
    }

    fn ended(&self, command: &mut Command) -> Ended {
        let Output { status, stdout, stderr } = command.output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Ended { code: status.code().unwrap(), stdout: text(stdout), stderr: text(stderr) }
    }
}

fn experiment(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments").join(name);
    path.to_str().unwrap().to_string()
}

/// A small experiment on the built-in data; tests change a line of it.
const SPEC: &str = r#"experiment: small
dataset:
  source: bank-marketing
  interest: { column: deposit, positive: "yes" }
  loyalty: { column: default, positive: "yes" }
sampling: { scheme: pools, test: 0.2, interest: 0.1, unlabeled: 0.1, loyal: 0.8 }
priors:
  - paper: { beta: 0.4738, gamma: 0.0046 }
seeds: 3
methods:
  - double_pu: { loss: logistic, ridge: 0.01 }
  - naive_pu
  - random
"#;
