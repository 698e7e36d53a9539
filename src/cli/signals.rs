//! Signals of the operating system.

#[cfg(unix)]
pub use unix::{end_at_once, ignore_file_size_limit};

/// Calls a handler for Ctrl-C, SIGTERM and SIGHUP; those that the process was started to ignore, as by `nohup`, stay ignored.
pub fn on_stop(handler: impl FnMut() + Send + 'static) -> Result<(), ctrlc::Error> {
    #[cfg(unix)]
    let ignored = unix::ignored();
    ctrlc::set_handler(handler)?;
    #[cfg(unix)]
    ignored.into_iter().for_each(unix::ignore);
    Ok(())
}

#[cfg(unix)]
mod unix {
    use std::mem::MaybeUninit;

    pub fn ignore_file_size_limit() {
        ignore(libc::SIGXFSZ);
    }

    pub fn ignore(signal: libc::c_int) {
        // SAFETY: to ignore a signal runs no code.
        unsafe { libc::signal(signal, libc::SIG_IGN) };
    }

    /// The signals to stop that are ignored.
    pub fn ignored() -> Vec<libc::c_int> {
        [libc::SIGHUP, libc::SIGINT, libc::SIGTERM].into_iter().filter(|signal| is_ignored(*signal)).collect()
    }

    fn is_ignored(signal: libc::c_int) -> bool {
        let mut action = MaybeUninit::<libc::sigaction>::zeroed();
        // SAFETY: without a new action the call only fills in the present one, for which zeros are valid.
        let (read, action) =
            unsafe { (libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()), action.assume_init()) };
        read == 0 && action.sa_sigaction == libc::SIG_IGN
    }

    /// Ends the process with a last message on stderr; nothing is allocated, dropped or run at exit.
    pub fn end_at_once(message: &[u8], code: i32) -> ! {
        // SAFETY: the pointer and the length are those of a slice.
        unsafe {
            libc::write(libc::STDERR_FILENO, message.as_ptr().cast(), message.len());
            libc::_exit(code)
        }
    }
}

#[cfg(not(unix))]
pub fn ignore_file_size_limit() {}

#[cfg(not(unix))]
pub fn end_at_once(message: &[u8], code: i32) -> ! {
    use std::io::Write;
    let _ = std::io::stderr().write_all(message);
    std::process::exit(code)
}
