use clap::Parser;
use doublepu::cli::{self, Cli};
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run(Cli::parse()).into()
}
