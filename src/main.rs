use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(doublepu::cli::run() as u8)
}
