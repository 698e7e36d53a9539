//! One thread that kills process groups whose time is up. Reading from and writing to them can then block without limit.

use crate::external::Trouble;
use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

#[derive(Default)]
struct Watchdog {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    next: u64,
    /// The deadline of each process group that is watched.
    watched: BTreeMap<u64, (Instant, u32)>,
}

/// The result of some work with a process group, which is killed if it takes longer than a time; then it is `None`.
pub fn within<T>(timeout: Duration, group: u32, work: impl FnOnce() -> T) -> Result<Option<T>, Trouble> {
    static WATCHDOG: OnceLock<Result<&'static Watchdog, String>> = OnceLock::new();
    let watchdog = WATCHDOG.get_or_init(Watchdog::start).clone().map_err(Trouble::new)?;
    let ticket = watchdog.watch(Instant::now() + timeout, group);
    let result = work();
    // Without an entry, the group was killed.
    let is_in_time = watchdog.lock().watched.remove(&ticket).is_some();
    Ok(is_in_time.then_some(result))
}

impl Watchdog {
    fn start() -> Result<&'static Watchdog, String> {
        let watchdog: &'static Watchdog = Box::leak(Box::default());
        let thread = std::thread::Builder::new().name("watchdog".to_string()).spawn(|| watchdog.run());
        thread.map(|_| watchdog).map_err(|error| format!("a thread for time-outs cannot be started: {error}"))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn watch(&self, deadline: Instant, group: u32) -> u64 {
        let mut state = self.lock();
        state.next += 1;
        let ticket = state.next;
        let is_first = state.watched.values().all(|(other, _)| deadline < *other);
        state.watched.insert(ticket, (deadline, group));
        if is_first {
            self.changed.notify_one();
        }
        ticket
    }

    fn run(&self) -> ! {
        let mut state = self.lock();
        loop {
            let now = Instant::now();
            state.watched.retain(|_, (deadline, group)| {
                let is_over = *deadline <= now;
                if is_over {
                    kill_group(*group);
                }
                !is_over
            });
            let first = state.watched.values().map(|(deadline, _)| *deadline).min();
            let pause = first.map_or(Duration::from_secs(3600), |first| first - now);
            state = self.changed.wait_timeout(state, pause).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// Kills a process and all that it started in its group.
#[cfg(unix)]
pub fn kill_group(group: u32) {
    // SAFETY: a signal to a group that is gone, or does not exist, has no effect.
    unsafe { libc::kill(-(group as libc::pid_t), libc::SIGKILL) };
}

#[cfg(not(unix))]
pub fn kill_group(_: u32) {}
