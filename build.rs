//! Records compiler, commit and target of the build, for the manifest of a run.

use std::process::Command;

fn main() {
    let compiler = output(&std::env::var("RUSTC").unwrap_or_default(), &["--version"]);
    let commit = output("git", &["rev-parse", "--short=12", "HEAD"]);
    let clean =
        output("git", &["status", "--porcelain", "--untracked-files=no"]).is_some_and(|changes| changes.is_empty());
    println!("cargo::rustc-env=DOUBLEPU_COMPILER={}", compiler.as_deref().unwrap_or("unknown"));
    println!("cargo::rustc-env=DOUBLEPU_COMMIT={}", commit.as_deref().unwrap_or("unknown"));
    println!("cargo::rustc-env=DOUBLEPU_CLEAN={clean}");
    println!("cargo::rustc-env=DOUBLEPU_TARGET={}", std::env::var("TARGET").unwrap_or_default());
    for path in ["build.rs", "src", "datasets", "Cargo.lock", ".git/HEAD", ".git/index"] {
        if std::path::Path::new(path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
}

/// The output of a command; `None` if it cannot be run or fails.
fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_string())
}
