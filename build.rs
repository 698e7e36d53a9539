//! Records compiler, commit, sources and target of the build, for the manifest of a run.

use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What decides the program, besides the compiler.
const SOURCES: [&str; 5] = ["build.rs", "src", "datasets", "Cargo.toml", "Cargo.lock"];

fn main() {
    let compiler = output(&std::env::var("RUSTC").unwrap_or_default(), &["--version"]);
    let commit = output("git", &["rev-parse", "--short=12", "HEAD"]);
    // Otherwise git writes its index, which starts this script again.
    let clean = output("git", &["--no-optional-locks", "status", "--porcelain", "--untracked-files=no"])
        .is_some_and(|changes| changes.is_empty());
    println!("cargo::rustc-env=DOUBLEPU_COMPILER={}", compiler.as_deref().unwrap_or("unknown"));
    println!("cargo::rustc-env=DOUBLEPU_COMMIT={}", commit.as_deref().unwrap_or("unknown"));
    println!("cargo::rustc-env=DOUBLEPU_CLEAN={clean}");
    println!("cargo::rustc-env=DOUBLEPU_SOURCES={}", sources());
    println!("cargo::rustc-env=DOUBLEPU_TARGET={}", std::env::var("TARGET").unwrap_or_default());
    for path in SOURCES.into_iter().chain([".git/HEAD", ".git/index"]) {
        if Path::new(path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
}

/// The output of a command; `None` if it cannot be run or fails.
fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_string())
}

/// The first digits of a hash over the names and contents of all sources.
fn sources() -> String {
    let mut files: Vec<PathBuf> = SOURCES.iter().flat_map(|path| files(Path::new(path))).collect();
    files.sort();
    let mut hash = Sha256::new();
    for path in files {
        let bytes = std::fs::read(&path).unwrap_or_default();
        // With their lengths, so that no two lists of files give the same bytes.
        hash.update(format!("{} {}\n", path.display(), bytes.len()));
        hash.update(bytes);
    }
    hash.finalize().iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}

/// A file, or all files of a folder.
fn files(path: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(path) else { return vec![path.to_path_buf()] };
    entries.flatten().flat_map(|entry| files(&entry.path())).collect()
}
