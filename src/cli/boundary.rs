//! The outermost boundary: a panic, a lack of memory or threads, and a full file each end the program with a message and a
//! documented exit code.

use crate::caught::{caught, last_location};
use crate::cli::{Exit, complain, signals};
use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;

/// Executes a command. A panic is a bug: it is reported as one.
pub fn guarded(command: impl FnOnce() -> Exit) -> Exit {
    // A write beyond `ulimit -f` is then an error like that of a full disk.
    signals::ignore_file_size_limit();
    caught(command).unwrap_or_else(|message| {
        let location = last_location().map_or(String::new(), |location| format!(" ({location})"));
        complain(&format!(
            "internal error: {message}{location}\n  help: this is a bug in doublepu, please report it as CONTRIBUTING.md says; \
             finished cells are kept"
        ));
        Exit::InternalError
    })
}

/// The allocator of the system. When it has no memory left, the program ends with a message; Rust itself would abort.
#[derive(Debug)]
pub struct Allocator;

// SAFETY: all calls are passed on unchanged, and null is never returned.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        checked(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        checked(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        checked(unsafe { System.realloc(memory, layout, size) }, size)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        unsafe { System.dealloc(memory, layout) }
    }
}

fn checked(memory: *mut u8, bytes: usize) -> *mut u8 {
    if memory.is_null() {
        out_of_memory(bytes);
    }
    memory
}

/// Must not allocate.
#[cold]
fn out_of_memory(bytes: usize) -> ! {
    let mut text = [0; 300];
    let mut rest = &mut text[..];
    // The text is shorter.
    let _ = writeln!(
        rest,
        "error: out of memory: the system refuses {bytes} bytes\n  help: use fewer --jobs, a smaller data file, or more memory; \
         finished cells are kept"
    );
    let left = rest.len();
    signals::end_at_once(&text[..text.len() - left], Exit::NoResources as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_exit_code_on_any_thread() {
        assert_eq!(guarded(|| Exit::NoBaseline), Exit::NoBaseline);
        assert_eq!(guarded(|| panic!("a bug")), Exit::InternalError);
        let in_pool = || {
            rayon::join(
                || Exit::Done,
                || {
                    if std::hint::black_box(true) {
                        panic!("a bug")
                    }
                },
            )
            .0
        };
        assert_eq!(guarded(in_pool), Exit::InternalError);
    }
}
