//! What is started for an external method.

use crate::data::sha256;
use crate::external::Trouble;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// A file whose contents decide the results of a method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SourceFile {
    /// As written in the spec.
    pub path: String,
    pub sha256: String,
}

/// A command and how it is run.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// The method's name.
    pub name: String,
    pub command: Vec<String>,
    pub files: Vec<SourceFile>,
    /// The folder of the spec, in which it runs.
    pub folder: PathBuf,
    /// For one answer, and for starting.
    pub timeout: Duration,
    /// In a sandbox, the files that it must not read.
    pub sandbox: Option<Vec<PathBuf>>,
}

/// So that a worker uses one thread, whatever it computes with.
const ONE_THREAD: [&str; 8] = [
    "BLIS_NUM_THREADS",
    "GOTO_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "RAYON_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
];

impl Program {
    /// Programs with the same key can use the same workers.
    pub fn key(&self) -> String {
        format!("{:?}", (&self.name, &self.command, &self.files, &self.folder, &self.sandbox))
    }

    /// Refuses files that are not those of the spec.
    pub fn check_files(&self) -> Result<(), Trouble> {
        for SourceFile { path, sha256: recorded } in &self.files {
            let file = self.folder.join(path);
            let unreadable = |error| Trouble::new(format!("{} cannot be read: {error}", file.display()));
            if sha256(&std::fs::read(&file).map_err(unreadable)?) != *recorded {
                return Err(Trouble::new(format!("{} has changed since the spec was read", file.display())));
            }
        }
        Ok(())
    }

    /// The command with its environment; stdin, stdout and stderr are pipes.
    pub fn command(&self) -> Result<Command, Trouble> {
        let word = self.command.first().map_or("", String::as_str);
        let path = find_executable(&self.folder, word).ok_or_else(|| not_found(word))?;
        let mut command = Command::new(path);
        command.args(&self.command[1..]).current_dir(&self.folder);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if self.sandbox.is_some() {
            // The only place to which it can write.
            command.env("TMPDIR", "/dev/shm");
        }
        command.envs(ONE_THREAD.map(|name| (name, "1"))).env("PYTHONHASHSEED", "0").env("PYTHONUNBUFFERED", "1");
        Ok(command)
    }
}

fn not_found(word: &str) -> Trouble {
    Trouble::new(format!("there is no program `{word}`"))
}

/// The program that a command starts: a path, relative to the folder, if it has a slash, otherwise a name on the PATH.
pub fn find_executable(folder: &Path, word: &str) -> Option<PathBuf> {
    let absolute = |path: PathBuf| std::path::absolute(path).ok().filter(|path| is_executable(path));
    if word.contains(std::path::is_separator) {
        return absolute(folder.join(word));
    }
    let paths = std::env::var_os("PATH")?;
    std::env::split_paths(&paths).find_map(|path| absolute(path.join(word)))
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file() || path.with_extension("exe").is_file()
}
