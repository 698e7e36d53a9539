//! Cost against size: a whole run of `double_pu` on files of 10,000 to 10,000,000 rows, and of 10 to 1,000 columns.
//!
//! The rows are those of the UCI file again and again, with jitter on its numbers. Prints two tables and draws a plot to
//! `target/size`; peak memory is what Linux says of the process (`VmHWM`).

use doublepu::data::UCI;
use plotters::prelude::*;
use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROWS: [usize; 4] = [10_000, 100_000, 1_000_000, 10_000_000];
const COLUMNS: [usize; 5] = [10, 30, 100, 300, 1000];
/// How many rows a file of many columns has.
const ROWS_OF_WIDE: usize = 20_000;
const REPEATS: usize = 3;

struct Cost {
    size: usize,
    seconds: f64,
    gigabytes: f64,
}

/// A number from -1 to 1 that is the same every time.
fn jitter(of: usize) -> f64 {
    let mixed = (of as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// The file with the first `columns` of its numbers, then the same numbers with other jitter; all columns if `None`.
fn write(path: &Path, rows: usize, columns: Option<usize>) -> Result<(), Box<dyn Error>> {
    let bytes = UCI.bytes()?;
    let mut reader = csv::ReaderBuilder::new().delimiter(b';').from_reader(&bytes[..]);
    let header = reader.headers()?.clone();
    let people: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>()?;
    let is_number: Vec<bool> = people[0].iter().map(|field| field.parse::<f64>().is_ok()).collect();
    let numbers: Vec<usize> = (0..header.len()).filter(|column| is_number[*column]).collect();
    let mut file = BufWriter::new(File::create(path)?);
    match columns {
        None => writeln!(file, "{}", header.iter().collect::<Vec<_>>().join(","))?,
        Some(columns) => {
            let names: Vec<String> = (0..columns).map(|column| format!("x{column}")).collect();
            writeln!(file, "{},housing,y", names.join(","))?;
        }
    }
    for row in 0..rows {
        let person = &people[row % people.len()];
        let number = |column: usize, nth: usize| -> Result<f64, Box<dyn Error>> {
            let value: f64 = person[numbers[column % numbers.len()]].parse()?;
            Ok((100.0 * value * (1.0 + 0.05 * jitter(row * 1000 + nth))).round() / 100.0)
        };
        match columns {
            None => {
                let mut nth = 0;
                for (column, field) in person.iter().enumerate() {
                    let comma = if column == 0 { "" } else { "," };
                    if is_number[column] {
                        write!(file, "{comma}{}", number(nth, nth)?)?;
                        nth += 1;
                    } else {
                        write!(file, "{comma}{field}")?;
                    }
                }
                writeln!(file)?;
            }
            Some(columns) => {
                for column in 0..columns {
                    write!(file, "{},", number(column, column)?)?;
                }
                writeln!(file, "{},{}", &person[6], &person[16])?;
            }
        }
    }
    Ok(file.flush()?)
}

fn spec(data: &Path) -> String {
    format!(
        "experiment: size
dataset:
  source: {}
  interest: {{ column: y, positive: \"yes\" }}
  loyalty: {{ column: housing, positive: \"yes\" }}
sampling: {{ scheme: pools, test: 0.2, interest: 0.1, unlabeled: 0.8, loyal: 0.1 }}
priors: [true]
seeds: 1
methods: [double_pu]
",
        data.display()
    )
}

/// Runs the experiment in a process of its own.
fn measure(folder: &Path, size: usize) -> Result<Cost, Box<dyn Error>> {
    let spec_path = folder.join("size.yaml");
    std::fs::write(&spec_path, spec(&folder.join("data.csv")))?;
    let mut costs = Vec::new();
    for _ in 0..REPEATS {
        let start = Instant::now();
        let mut run = Command::new(env!("CARGO_BIN_EXE_doublepu"))
            .args(["run", "--fresh", "--jobs", "1", "--out"])
            .arg(folder.join("out"))
            .arg(&spec_path)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let status = PathBuf::from(format!("/proc/{}/status", run.id()));
        let mut peak = 0.0;
        let ended = loop {
            peak = f64::max(peak, peak_memory(&status).unwrap_or(0.0));
            if let Some(ended) = run.try_wait()? {
                break ended;
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        if !ended.success() {
            return Err(format!("the run of size {size} failed: {ended}").into());
        }
        costs.push(Cost { size, seconds: start.elapsed().as_secs_f64(), gigabytes: peak });
    }
    costs.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    Ok(costs.swap_remove(REPEATS / 2))
}

/// In GB, as far as the process is still there.
fn peak_memory(status: &Path) -> Option<f64> {
    let status = std::fs::read_to_string(status).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024.0 / 1e9)
}

fn table(what: &str, costs: &[Cost]) {
    println!("| {what} | seconds | as before | peak GB | as before |");
    println!("|---:|---:|---:|---:|---:|");
    for (place, cost) in costs.iter().enumerate() {
        let grown = |of: fn(&Cost) -> f64| match place {
            0 => String::new(),
            _ => format!("x {:.1}", of(cost) / of(&costs[place - 1])),
        };
        let (seconds, gigabytes) = (grown(|cost| cost.seconds), grown(|cost| cost.gigabytes));
        println!("| {} | {:.2} | {seconds} | {:.2} | {gigabytes} |", cost.size, cost.seconds, cost.gigabytes);
    }
    println!();
}

/// Time and memory over size, on logarithmic axes, each beside a line of slope 1.
fn draw(path: &Path, studies: &[(&str, Vec<Cost>)]) -> Result<(), Box<dyn Error>> {
    for (style, font) in [(FontStyle::Normal, dejavu::sans::regular()), (FontStyle::Bold, dejavu::sans::bold())] {
        plotters::style::register_font("sans-serif", style, font).map_err(|_| "the font is not one")?;
    }
    let area = BitMapBackend::new(path, (1300, 560)).into_drawing_area();
    area.fill(&WHITE)?;
    for (panel, (what, costs)) in area.split_evenly((1, studies.len())).iter().zip(studies) {
        let (Some(first), Some(last)) = (costs.first(), costs.last()) else { continue };
        let all = || costs.iter().flat_map(|cost| [cost.seconds, cost.gigabytes]);
        let (low, high) = (all().fold(f64::INFINITY, f64::min) / 2.0, all().fold(0.0, f64::max) * 2.0);
        let (from, to) = (first.size as f64 / 1.3, last.size as f64 * 1.3);
        let mut chart = ChartBuilder::on(panel)
            .caption(format!("A whole run against {what}"), ("sans-serif", 24))
            .margin(16)
            .x_label_area_size(48)
            .y_label_area_size(70)
            .build_cartesian_2d((from..to).log_scale(), (low..high).log_scale())?;
        chart
            .configure_mesh()
            .x_desc(*what)
            .y_desc("seconds, GB")
            .x_label_formatter(&|x| format!("{x:.0}"))
            .y_label_formatter(&|y| format!("{y}"))
            .label_style(("sans-serif", 16))
            .draw()?;
        let of = |measure: fn(&Cost) -> f64| costs.iter().map(move |cost| (cost.size as f64, measure(cost)));
        let seconds: Vec<(f64, f64)> = of(|cost| cost.seconds).collect();
        let memory: Vec<(f64, f64)> = of(|cost| cost.gigabytes).collect();
        let (blue, orange) = (RGBColor(0, 90, 160), RGBColor(200, 80, 0));
        for (name, colour, points) in [("seconds", blue, seconds), ("peak memory in GB", orange, memory)] {
            let (end, slope) = (points[points.len() - 1], |x: f64, (a, b): (f64, f64)| b * x / a);
            let line = [PathElement::new(points.clone(), colour.stroke_width(3))];
            chart
                .draw_series(line)?
                .label(name)
                .legend(move |(x, y)| PathElement::new(vec![(x, y), (x + 24, y)], colour.stroke_width(3)));
            chart.draw_series(points.iter().map(|point| Circle::new(*point, 5, colour.filled())))?;
            let linear: Vec<(f64, f64)> =
                points.iter().map(|(x, _)| (*x, slope(*x, end))).filter(|(_, y)| *y >= low).collect();
            chart.draw_series([PathElement::new(linear, colour.mix(0.5).stroke_width(1))])?;
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .background_style(WHITE.mix(0.9))
            .border_style(BLACK.mix(0.3))
            .label_font(("sans-serif", 18))
            .draw()?;
    }
    Ok(area.present()?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/size");
    std::fs::create_dir_all(&folder)?;
    let study = |sizes: &[usize], shape: fn(usize) -> (usize, Option<usize>)| -> Result<Vec<Cost>, Box<dyn Error>> {
        let mut costs = Vec::new();
        for size in sizes {
            let (rows, columns) = shape(*size);
            write(&folder.join("data.csv"), rows, columns)?;
            costs.push(measure(&folder, *size)?);
            eprintln!("{size}: {:.2} s, {:.2} GB", costs[costs.len() - 1].seconds, costs[costs.len() - 1].gigabytes);
        }
        Ok(costs)
    };
    let rows = study(&ROWS, |rows| (rows, None))?;
    let columns = study(&COLUMNS, |columns| (ROWS_OF_WIDE, Some(columns)))?;
    std::fs::remove_file(folder.join("data.csv"))?;
    table("rows", &rows);
    table("columns", &columns);
    let plot = folder.join("size.png");
    draw(&plot, &[("rows", rows), ("columns", columns)])?;
    println!("The thin lines of target/size/size.png are what linear growth up to the last point would be.");
    Ok(())
}
