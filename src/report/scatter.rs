//! `scatter.csv`: the points behind the boundary plots, written and read again.

use crate::data::sha256;
use crate::run::{Manifest, Scatter, ScatterGroup, read_bounded};
use crate::spec::Experiment;
use crate::text::{csv_name, csv_table, name_of_csv};
use csv::Reader;
use std::path::Path;

pub const FILE: &str = "scatter.csv";
const MAX_BYTES: u64 = 1 << 30;

pub fn scatter_csv(experiment: &Experiment, scatters: &[Scatter]) -> csv::Result<Vec<u8>> {
    let rows = scatters.iter().flat_map(|Scatter { setting, seed, columns: [x_name, y_name], points }| {
        let label = experiment.csv_setting(*setting);
        let (x_name, y_name) = (csv_name("x_name", x_name), csv_name("y_name", y_name));
        points.iter().map(move |(x, y, group)| {
            let (seed, x, y) = (seed.to_string(), x.to_string(), y.to_string());
            [label.clone(), seed, x_name.clone(), x, y_name.clone(), y, <&str>::from(group).to_string()]
        })
    });
    csv_table(["setting", "seed", "x_name", "x", "y_name", "y", "group"], rows)
}

/// The points that an earlier report stored, so that they can be drawn where the data is not available. `None` if there
/// are none, or if the file was changed.
pub fn stored_scatters(folder: &Path, manifest: &Manifest) -> Option<Vec<Scatter>> {
    let hash = manifest.files.get(FILE)?;
    let bytes = read_bounded(&folder.join(FILE), MAX_BYTES).ok().filter(|bytes| sha256(bytes) == *hash)?;
    parse(&manifest.experiment, &bytes)
}

fn parse(experiment: &Experiment, bytes: &[u8]) -> Option<Vec<Scatter>> {
    let mut scatters: Vec<Scatter> = Vec::new();
    for row in Reader::from_reader(bytes).into_deserialize() {
        let (label, seed, x_name, x, y_name, y, group): (String, u32, String, f64, String, f64, String) = row.ok()?;
        // Earlier versions wrote an empty label for an only setting.
        let has_label = |setting: &usize| {
            [&experiment.csv_setting(*setting), &experiment.settings[*setting].label].contains(&&label)
        };
        let setting = (0..experiment.settings.len()).find(has_label)?;
        let group: ScatterGroup = group.parse().ok()?;
        if !(x.is_finite() && y.is_finite()) {
            return None;
        }
        match scatters.last_mut().filter(|scatter| scatter.setting == setting) {
            Some(scatter) => scatter.points.push((x, y, group)),
            None => {
                let columns = [name_of_csv("x_name", &x_name), name_of_csv("y_name", &y_name)].map(String::from);
                scatters.push(Scatter { setting, seed, columns, points: vec![(x, y, group)] });
            }
        }
    }
    Some(scatters)
}
