//! Turns panics into errors and suppresses their output: those of foreign code, which some data causes, and bugs.

use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, Once, PoisonError};

/// The number of calls in progress, on all threads, whose panics must not be printed.
static QUIET: AtomicUsize = AtomicUsize::new(0);
/// Where the last panic was.
static LOCATION: Mutex<Option<String>> = Mutex::new(None);

/// The result of a call, or the first line of its panic message.
pub fn caught<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            *LOCATION.lock().unwrap_or_else(PoisonError::into_inner) = info.location().map(ToString::to_string);
            if QUIET.load(Ordering::SeqCst) == 0 {
                usual(info);
            }
        }));
    });
    QUIET.fetch_add(1, Ordering::SeqCst);
    let result = panic::catch_unwind(AssertUnwindSafe(call));
    QUIET.fetch_sub(1, Ordering::SeqCst);
    result.map_err(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
        text.unwrap_or("no message").lines().next().unwrap_or_default().to_string()
    })
}

/// The file and line of the last panic of any thread.
pub fn last_location() -> Option<String> {
    LOCATION.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_its_message() {
        assert_eq!(caught(|| 7), Ok(7));
        let row = 3;
        assert_eq!(caught(|| panic!("row {row} is odd")), Err::<(), _>("row 3 is odd".to_string()));
    }
}
