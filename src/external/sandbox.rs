//! Landlock: a worker may read its interpreter, the system's libraries and the folder of the spec, and nothing else.

use crate::external::{Program, Trouble, find_executable};
use landlock::{
    ABI, Access, AccessFs, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetError,
};
use std::path::{Path, PathBuf};

/// The interface that Linux 5.13 and every newer kernel has.
const INTERFACE: ABI = ABI::V1;
/// Where programs and libraries are.
const SYSTEM: [&str; 9] = ["/bin", "/etc", "/lib", "/lib32", "/lib64", "/opt", "/proc", "/sys", "/usr"];
const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/shm"];

/// Rules that take effect when they are entered.
pub struct Sandbox(RulesetCreated);

impl Sandbox {
    /// For the current process, for good.
    pub fn enter(self) -> std::io::Result<()> {
        self.0.restrict_self().map(drop).map_err(std::io::Error::other)
    }
}

/// The sandbox of a program; `None` if it has none.
pub fn prepare(program: &Program) -> Result<Option<Sandbox>, Trouble> {
    let Some(protected) = &program.sandbox else { return Ok(None) };
    let made = rules(program, protected);
    made.map(Some).map_err(|error| Trouble::new(format!("a sandbox is not possible on this system: {error}")))
}

fn rules(program: &Program, protected: &[PathBuf]) -> Result<Sandbox, RulesetError> {
    let all = AccessFs::from_all(INTERFACE);
    let read = AccessFs::from_read(INTERFACE);
    let mut rules = Ruleset::default().set_compatibility(CompatLevel::HardRequirement).handle_access(all)?.create()?;
    // This program holds the built-in data.
    let own = std::env::current_exe().ok();
    let protected: Vec<PathBuf> = protected.iter().chain(&own).filter_map(|path| path.canonicalize().ok()).collect();
    let folders = SYSTEM.iter().map(PathBuf::from).chain(interpreter(program)).chain([program.folder.clone()]);
    for (path, access) in folders.flat_map(|folder| without(&folder, &protected)) {
        rules = allow(rules, &path, access)?;
    }
    for path in DEVICES {
        rules = allow(rules, Path::new(path), all)?;
    }
    let files = program.files.iter().map(|file| program.folder.join(&file.path));
    let named = program.command.iter().map(PathBuf::from).filter(|path| path.is_absolute() && path.is_file());
    let is_free = |path: &PathBuf| path.canonicalize().is_ok_and(|real| !protected.contains(&real));
    for path in files.chain(named).filter(is_free) {
        rules = allow(rules, &path, read)?;
    }
    Ok(Sandbox(rules))
}

/// Allows what exists; a file allows less than a folder.
fn allow(rules: RulesetCreated, path: &Path, access: BitFlags<AccessFs>) -> Result<RulesetCreated, RulesetError> {
    let Ok(opened) = PathFd::new(path) else { return Ok(rules) };
    let access = if path.is_dir() { access } else { access & AccessFs::from_file(INTERFACE) };
    rules.add_rule(PathBeneath::new(opened, access))
}

/// The folders of the interpreter: where it is installed, and its virtual environment.
fn interpreter(program: &Program) -> Vec<PathBuf> {
    let word = program.command.first().map_or("", String::as_str);
    let Some(path) = find_executable(&program.folder, word) else { return Vec::new() };
    // `bin/python` of a virtual environment is a link to the `bin/python` of an installation.
    let real = path.canonicalize().unwrap_or(path.clone());
    let installation = |path: &Path| {
        let folder = path.parent()?;
        let is_bin = folder.file_name().is_some_and(|name| name == "bin" || name == "shims");
        if is_bin { folder.parent().map(Path::to_path_buf) } else { Some(path.to_path_buf()) }
    };
    [path, real].iter().filter_map(|path| installation(path)).filter(|path| path != Path::new("/")).collect()
}

/// What may be read of a folder: all of it; or, if something protected is in it, the names and the other entries.
fn without(folder: &Path, protected: &[PathBuf]) -> Vec<(PathBuf, BitFlags<AccessFs>)> {
    let read = AccessFs::from_read(INTERFACE);
    let Ok(folder) = folder.canonicalize() else { return Vec::new() };
    if !protected.iter().any(|path| path.starts_with(&folder)) {
        return vec![(folder, read)];
    }
    // What a link leads to may be read or not at its own place.
    let is_own = |entry: &std::fs::DirEntry| entry.file_type().is_ok_and(|kind| !kind.is_symlink());
    let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten().filter(is_own).map(|entry| entry.path());
    let keep = |entry: PathBuf| match entry.canonicalize() {
        Ok(real) if protected.contains(&real) => Vec::new(),
        Ok(real) if real.is_dir() => without(&real, protected),
        Ok(real) => vec![(real, read)],
        Err(_) => Vec::new(),
    };
    let names = (folder.clone(), AccessFs::ReadDir.into());
    std::iter::once(names).chain(entries.flat_map(keep)).collect()
}
