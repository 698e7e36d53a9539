//! One gradient pass against what the machine can do: the time to read the rows once from memory, or to do the arithmetic
//! with every vector unit at work, whichever is longer. All is measured here, on one core, in turn: a machine that others use
//! as well changes from second to second, so that only what is measured at once compares.

use doublepu::math::matrix::{Design, Layout, fetch_ahead};
use doublepu::math::optim::Objective;
use doublepu::math::risk::{Correction, Linear, Loss, ReducedRisk, Rows, SignedRisk, Term};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

#[path = "../src/math/matrix/widest.rs"]
mod widest;
use widest::widest;

const ROUNDS: usize = 25;
/// Sums, products and comparisons of the loss and its slope, with a division as four.
const OPERATIONS_OF_A_LOSS: f64 = 42.0;

/// Numbers that look random, and are the same every time.
fn numbers(count: usize) -> impl Iterator<Item = f64> {
    (0..count as u64).map(|i| {
        let mixed = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    })
}

/// Rows as the bank's: numeric columns, and categorical ones of so many levels.
fn design(rows: usize, numeric: usize, levels: &[u32]) -> Design {
    let mut next = numeric as u32;
    let mut places = |levels: &u32| {
        let places: Vec<u32> = (next..next + levels).collect();
        next += levels;
        places
    };
    let categorical: Vec<Vec<u32>> = levels.iter().map(&mut places).collect();
    let names = (0..next).map(|column| format!("x{column}")).collect();
    let mut design = Design::new(Arc::new(Layout::new(names, numeric, &categorical)), rows);
    (0..numeric).for_each(|column| design.fill(column, numbers(rows + column).skip(column)));
    for (column, levels) in levels.iter().enumerate() {
        let level = |x: f64| ((x + 1.0) / 2.0 * f64::from(*levels)) as u32;
        design.fill_levels(column, numbers(rows + 7 * column).skip(7 * column).map(level));
    }
    design
}

fn seconds(mut work: impl FnMut()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

/// Bytes a second, reading far more than any cache holds.
fn read_all(buffer: &[f64]) -> f64 {
    let taken = seconds(|| {
        black_box(sum(black_box(buffer)));
    });
    std::mem::size_of_val(buffer) as f64 / taken
}

widest! {
    /// Memory is asked for ahead, as a pass does: otherwise memory looks slower than such a pass over it.
    fn sum(numbers: &[f64]) -> [f64; 32] {
        let mut lanes = [0.0; 32];
        for part in numbers.as_chunks::<32>().0 {
            fetch_ahead(part);
            for (lane, x) in lanes.iter_mut().zip(part) {
                *lane += x;
            }
        }
        lanes
    }
}

const STEPS: usize = 10_000_000;

/// Sums and products a second, on vectors that never leave the registers: as many of them as there are registers for.
///
/// Vector by vector, since of a loop over numbers the compiler made code that did half as much with AVX2.
macro_rules! vector_peak {
    ($name:ident, $feature:literal, $vectors:literal of $width:literal, $all:ident, $multiply:ident, $add:ident) => {
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = $feature)]
        fn $name() -> f64 {
            use std::arch::x86_64::{$add, $all, $multiply};
            let (factor, summand) = ($all(black_box(0.999_999)), $all(black_box(1e-9)));
            let mut vectors = [$all(1.0); $vectors];
            let start = Instant::now();
            for _ in 0..STEPS {
                for vector in &mut vectors {
                    *vector = $add($multiply(*vector, factor), summand);
                }
            }
            black_box(vectors);
            (2 * $vectors * $width * STEPS) as f64 / start.elapsed().as_secs_f64()
        }
    };
}

vector_peak!(peak_of_avx2, "avx2", 12 of 4, _mm256_set1_pd, _mm256_mul_pd, _mm256_add_pd);
vector_peak!(peak_of_avx512, "avx512f", 24 of 8, _mm512_set1_pd, _mm512_mul_pd, _mm512_add_pd);

/// The most that any of the machine's vectors do.
fn calculate() -> f64 {
    let mut most = {
        let (mut numbers, factor, start) = ([1.0; 16], black_box(0.999_999), Instant::now());
        for _ in 0..STEPS {
            numbers.iter_mut().for_each(|x| *x = *x * factor + 1e-9);
        }
        black_box(numbers);
        (2 * numbers.len() * STEPS) as f64 / start.elapsed().as_secs_f64()
    };
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the machine has what the function needs.
            most = most.max(unsafe { peak_of_avx2() });
        }
        if std::arch::is_x86_feature_detected!("avx512f") {
            // SAFETY: as above.
            most = most.max(unsafe { peak_of_avx512() });
        }
    }
    most
}

/// What one round measured: what the machine can do, and at once behind it a pass.
struct Round {
    bandwidth: f64,
    peak: f64,
    reading: f64,
    calculating: f64,
    pass: f64,
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    let bank: Vec<u32> = vec![12, 3, 4, 2, 2, 2, 3, 12, 4];
    let shapes = [
        ("bank columns, 4,000,000 rows", design(4_000_000, 7, &bank)),
        ("50 numeric columns, 600,000 rows", design(600_000, 50, &[])),
        ("1,000 numeric columns, 30,000 rows", design(30_000, 1000, &[])),
        ("bank columns, 893 rows (in the cache)", design(893, 7, &bank)),
    ];
    let buffer: Vec<f64> = numbers(32_000_000).collect();
    let mut rounds: Vec<Vec<Round>> = shapes.iter().map(|_| Vec::new()).collect();
    for _ in 0..ROUNDS {
        for ((_, design), rounds) in shapes.iter().zip(&mut rounds) {
            let (bandwidth, peak) = (read_all(&buffer), calculate());
            // What fits into the second-level cache is not read from memory.
            let is_cached = design.bytes() < 512 << 10;
            let operations = design.rows() as f64 * (4.0 * design.row_cost() as f64 + OPERATIONS_OF_A_LOSS);
            rounds.push(Round {
                bandwidth,
                peak,
                reading: if is_cached { 0.0 } else { design.bytes() as f64 / bandwidth },
                calculating: operations / peak,
                pass: pass(design),
            });
        }
    }
    let of_all = |of: fn(&Round) -> f64| median(rounds.iter().flatten().map(of));
    println!("memory is read at {:.1} GB/s", of_all(|round| round.bandwidth) / 1e9);
    println!("vectors do {:.1} billion sums and products a second", of_all(|round| round.peak) / 1e9);
    println!();
    println!("| rows | a pass | a row | reading alone | arithmetic alone | pass / the longer |");
    println!("|---|---:|---:|---:|---:|---:|");
    for ((name, design), rounds) in shapes.iter().zip(&rounds) {
        let of = |of: fn(&Round) -> f64| median(rounds.iter().map(of));
        let taken = of(|round| round.pass);
        println!(
            "| {name} | {:.3} ms | {:.1} ns | {:.3} ms | {:.3} ms | {:.2} |",
            1e3 * taken,
            1e9 * taken / design.rows() as f64,
            1e3 * of(|round| round.reading),
            1e3 * of(|round| round.calculating),
            of(|round| round.pass / round.reading.max(round.calculating)),
        );
    }
    println!();
    println!("Medians of {ROUNDS} rounds; the last column is that of the ratios within a round.");
}

/// The seconds of one pass for the logistic risk of these rows and its gradient.
fn pass(design: &Design) -> f64 {
    let term = Term { rows: Rows::all("rows", design), positive: 0.0, negative: 1.0, in_crowd: true };
    let linear = Linear { width: design.width() };
    let risk = SignedRisk::new(linear, Loss::Logistic, Correction::None, 0.01, vec![term]).expect("there are rows");
    let reduced = ReducedRisk::of(&risk).expect("a logistic risk without correction");
    let (w, mut gradient) = (vec![0.01; risk.dimension()], vec![0.0; risk.dimension()]);
    let repeats = (40_000_000 / (design.rows() * design.row_cost())).clamp(1, 5000);
    let taken = seconds(|| {
        for _ in 0..repeats {
            black_box(reduced.value_and_gradient(black_box(&w), &mut gradient));
        }
    });
    taken / repeats as f64
}
