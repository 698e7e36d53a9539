use doublepu::cli::{Allocator, run};
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

fn main() -> ExitCode {
    ExitCode::from(run() as u8)
}
