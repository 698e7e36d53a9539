//! One process that answers requests.

use crate::external::protocol::{NoScores, read_answer, read_hello};
use crate::external::watchdog::{kill_group, within};
use crate::external::{Program, Request, Trouble};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The lines of stderr that are kept, and their longest length.
const LINES_KEPT: usize = 200;
const LONGEST_LINE: u64 = 2000;
/// How long a worker may take to end after its input has ended.
const GRACE: Duration = Duration::from_secs(2);
const BETWEEN_LOOKS: Duration = Duration::from_millis(2);

/// The process groups of all workers.
static GROUPS: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

pub struct Worker {
    child: Child,
    /// `None` once its input has ended.
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    log: Log,
    /// Of its hello.
    pub versions: BTreeMap<String, String>,
    requests: u64,
    is_killed: bool,
}

impl Worker {
    /// Starts a process and waits for its hello.
    pub fn start(program: &Program) -> Result<Self, Trouble> {
        program.check_files()?;
        let mut command = program.command()?;
        isolate(&mut command, program)?;
        let mut child = command.spawn().map_err(|error| Trouble::new(format!("it cannot be started: {error}")))?;
        groups(|groups| groups.insert(child.id()));
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(Trouble::new("it was started without pipes"));
        };
        let stdout = BufReader::with_capacity(1 << 16, stdout);
        let log = Log::default();
        let mut worker =
            Worker { child, stdin: Some(stdin), stdout, log, versions: BTreeMap::new(), requests: 0, is_killed: false };
        worker.log.follow(stderr).map_err(|error| Trouble::new(format!("a thread cannot be started: {error}")))?;
        let hello = within(program.timeout, worker.child.id(), || read_hello(&mut worker.stdout))?;
        match hello {
            Some(Ok((versions, before))) => {
                worker.versions = versions;
                before.into_iter().for_each(|line| worker.log.add(line));
                Ok(worker)
            }
            Some(Err(trouble)) => Err(worker.ended(trouble)),
            None => {
                let timeout = program.timeout;
                let problem = format!("it did not say hello within {timeout:?}: raise `timeout` if it needs longer");
                Err(worker.broken(Trouble::new(problem)))
            }
        }
    }

    /// The scores of the last array of a request.
    pub fn ask(&mut self, request: &Request, timeout: Duration) -> Result<Vec<f64>, NoScores> {
        self.requests += 1;
        let (id, group) = (self.requests.to_string(), self.child.id());
        let answered = within(timeout, group, || {
            // If the request cannot be written, there is no answer either.
            let _ = self.write(request, &id);
            let scores = read_answer(&mut self.stdout, &id, request.wanted())?;
            if self.has_more() {
                return Err(NoScores::Broken(Trouble::new("it wrote more than its answer to stdout: print to stderr")));
            }
            Ok(scores)
        });
        let in_time = answered.map_err(NoScores::Broken)?;
        in_time.unwrap_or_else(|| {
            Err(NoScores::Broken(Trouble::new(format!("it took longer than {timeout:?}: raise `timeout` if it may"))))
        })
    }

    fn write(&mut self, request: &Request, id: &str) -> std::io::Result<()> {
        let Some(stdin) = &mut self.stdin else { return Ok(()) };
        stdin.write_all(request.header(id).as_bytes())?;
        request.arrays.iter().try_for_each(|array| stdin.write_all(&array.bytes))
    }

    /// The lines of stderr since the last call.
    pub fn take_log(&self) -> Vec<String> {
        self.log.take()
    }

    /// The same, with lines that are still on their way: stderr and stdout come separately.
    pub fn settled_log(&self) -> Vec<String> {
        let mut log = Vec::new();
        for _ in 0..10 {
            std::thread::sleep(10 * BETWEEN_LOOKS);
            let new = self.take_log();
            let is_settled = new.is_empty() && !log.is_empty();
            log.extend(new);
            if is_settled {
                break;
            }
        }
        log
    }

    /// Whether more output is there than was read.
    fn has_more(&self) -> bool {
        !self.stdout.buffer().is_empty() || is_readable(self.stdout.get_ref())
    }

    /// Kills it, and adds its log to a trouble.
    pub fn broken(mut self, trouble: Trouble) -> Trouble {
        self.kill();
        self.log.finish();
        Trouble { log: trouble.log.into_iter().chain(self.log.take()).collect(), ..trouble }
    }

    /// Lets it end, and gives a problem its whole log.
    pub fn finished(mut self, problem: String) -> Trouble {
        self.end_input();
        self.ends_within(GRACE);
        self.broken(Trouble::new(problem))
    }

    /// The same for a worker that seems to have ended by itself; the trouble says how.
    pub fn ended(mut self, trouble: Trouble) -> Trouble {
        let has_ended = self.ends_within(GRACE);
        let status = self.kill().filter(|_| has_ended);
        let how = status.map_or(String::new(), |status| format!(" ({status})"));
        self.broken(Trouble { problem: format!("{}{how}", trouble.problem), ..trouble })
    }

    /// Ends its input, after which it should end.
    pub fn end_input(&mut self) {
        self.stdin = None;
    }

    fn ends_within(&self, most: Duration) -> bool {
        let deadline = Instant::now() + most;
        while self.is_running() && Instant::now() < deadline {
            std::thread::sleep(BETWEEN_LOOKS);
        }
        !self.is_running()
    }

    /// Kills the process and its group, once: its number is its own only until it is waited for.
    fn kill(&mut self) -> Option<ExitStatus> {
        if self.is_killed {
            return None;
        }
        self.is_killed = true;
        let group = self.child.id();
        kill_group(group);
        groups(|groups| groups.remove(&group));
        // It has ended already, or it ends now.
        let _ = self.child.kill();
        self.child.wait().ok()
    }

    /// Whether the process has not ended; it is not waited for.
    #[cfg(unix)]
    pub fn is_running(&self) -> bool {
        let mut info = std::mem::MaybeUninit::<libc::siginfo_t>::zeroed();
        let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
        // SAFETY: the call fills in `info`, for which zeros are valid and mean that nothing has ended.
        unsafe {
            let looked = libc::waitid(libc::P_PID, self.child.id(), info.as_mut_ptr(), options);
            looked == 0 && info.assume_init().si_pid() == 0
        }
    }

    #[cfg(not(unix))]
    pub fn is_running(&self) -> bool {
        true
    }
}

/// Whether a pipe can be read without waiting.
#[cfg(unix)]
fn is_readable(pipe: &ChildStdout) -> bool {
    use std::os::fd::AsRawFd;
    let mut polled = libc::pollfd { fd: pipe.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    // SAFETY: the pointer is to one entry.
    unsafe { libc::poll(&mut polled, 1, 0) > 0 && polled.revents & libc::POLLIN != 0 }
}

#[cfg(not(unix))]
fn is_readable(_: &ChildStdout) -> bool {
    false
}

impl Drop for Worker {
    fn drop(&mut self) {
        if self.stdin.is_none() {
            self.ends_within(GRACE);
        }
        self.kill();
    }
}

fn groups<T>(change: impl FnOnce(&mut BTreeSet<u32>) -> T) -> T {
    change(&mut GROUPS.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Kills all workers at once, for a process that is about to end.
pub fn kill_all() {
    groups(|groups| groups.iter().for_each(|group| kill_group(*group)));
}

/// A group of its own, so that Ctrl-C reaches only this program; and on Linux, the end of this program ends it.
#[cfg(unix)]
fn isolate(command: &mut Command, program: &Program) -> Result<(), Trouble> {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
    #[cfg(target_os = "linux")]
    {
        let mut sandbox = crate::external::sandbox::prepare(program)?;
        let parent = std::process::id();
        let before_start = move || {
            // SAFETY: both are system calls without pointers.
            let (armed, present) = unsafe { (libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL), libc::getppid()) };
            if armed != 0 || present as u32 != parent {
                return Err(std::io::Error::other("the program has ended"));
            }
            sandbox.take().map_or(Ok(()), |sandbox| sandbox.enter())
        };
        // SAFETY: only system calls happen between fork and exec, unless one of them fails; the rules were made before.
        unsafe { command.pre_exec(before_start) };
    }
    #[cfg(not(target_os = "linux"))]
    refuse_sandbox(program)?;
    Ok(())
}

#[cfg(not(unix))]
fn isolate(_: &mut Command, program: &Program) -> Result<(), Trouble> {
    refuse_sandbox(program)
}

#[cfg(not(target_os = "linux"))]
fn refuse_sandbox(program: &Program) -> Result<(), Trouble> {
    match program.sandbox {
        None => Ok(()),
        Some(_) => Err(Trouble::new("`sandbox: true` needs Linux")),
    }
}

/// The last lines of stderr.
#[derive(Default)]
struct Log {
    lines: Arc<Mutex<Lines>>,
    reader: Option<JoinHandle<()>>,
}

impl Log {
    fn follow(&mut self, stderr: ChildStderr) -> std::io::Result<()> {
        let lines = self.lines.clone();
        let read = move || {
            let mut stderr = BufReader::new(stderr);
            let mut line = Vec::new();
            while stderr.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).is_ok_and(|count| count > 0) {
                // A progress bar returns to the start of its line.
                let text = String::from_utf8_lossy(&line);
                keep(&lines, text.trim_end().rsplit('\r').next().unwrap_or_default().to_string());
                line.clear();
            }
        };
        self.reader = Some(std::thread::Builder::new().name("log".to_string()).spawn(read)?);
        Ok(())
    }

    fn add(&self, line: String) {
        keep(&self.lines, line);
    }

    fn take(&self) -> Vec<String> {
        let Lines { dropped, last } = std::mem::take(&mut *self.lines.lock().unwrap_or_else(PoisonError::into_inner));
        let note = (dropped > 0).then(|| format!("({dropped} earlier lines are not kept)"));
        note.into_iter().chain(last).collect()
    }

    /// Waits for the end of stderr, unless a process that outlives the group keeps it open.
    fn finish(&self) {
        let deadline = Instant::now() + Duration::from_millis(200);
        while self.reader.as_ref().is_some_and(|reader| !reader.is_finished()) && Instant::now() < deadline {
            std::thread::sleep(BETWEEN_LOOKS);
        }
    }
}

#[derive(Default)]
struct Lines {
    dropped: usize,
    last: VecDeque<String>,
}

fn keep(lines: &Mutex<Lines>, line: String) {
    let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
    if lines.last.len() == LINES_KEPT {
        lines.last.pop_front();
        lines.dropped += 1;
    }
    lines.last.push_back(line);
}
