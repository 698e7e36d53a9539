//! `--shard I/N`, or the part that a cluster assigns.

use crate::cli::Stop;
use crate::run::Shard;
use std::fmt;
use std::str::FromStr;

/// As written on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShardArgument {
    Given(Shard),
    /// With the number of shards, if it is given.
    Auto(Option<u32>),
}

impl fmt::Display for ShardArgument {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ShardArgument::Given(shard) => write!(f, "{shard}"),
            ShardArgument::Auto(count) => write!(f, "auto{}", count.map_or(String::new(), |count| format!("/{count}"))),
        }
    }
}

impl FromStr for ShardArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.parse::<u32>().ok().filter(|number| (1..=1_000_000).contains(number));
        let shard = match text.split_once('/') {
            None if text == "auto" => Some(ShardArgument::Auto(None)),
            None => None,
            Some(("auto", count)) => number(count).map(|count| ShardArgument::Auto(Some(count))),
            Some((index, count)) => {
                number(index).zip(number(count)).and_then(|(i, n)| Shard::new(i, n)).map(ShardArgument::Given)
            }
        };
        shard.ok_or("give I/N with 1 <= I <= N, for instance 2/4; or auto, or auto/N".to_string())
    }
}

impl ShardArgument {
    /// The shard of this process; `variable` reads its environment.
    pub fn resolve(self, variable: impl Fn(&str) -> Option<String>) -> Result<Shard, Stop> {
        let wanted = match self {
            ShardArgument::Given(shard) => return Ok(shard),
            ShardArgument::Auto(count) => count,
        };
        let (index, tasks) = task(variable)?;
        if let Some((wanted, tasks)) = wanted.zip(tasks).filter(|(wanted, tasks)| wanted != tasks) {
            return Err(Stop::command_line(
                format!("{wanted} shards are wanted, but the array has {tasks} tasks"),
                "give as many shards as there are tasks; to repeat a single one, --shard I/N",
            ));
        }
        let count = wanted.or(tasks).ok_or_else(|| {
            Stop::command_line("the cluster gives the number of this shard, but not of how many", "give --shard auto/N")
        })?;
        let shard = index.and_then(|index| Shard::new(index.checked_add(1)?, count));
        shard.ok_or_else(|| {
            let index = index.map_or("a number below the first".to_string(), |index| format!("number {index}"));
            let problem =
                format!("this is {index} of the cluster's tasks, counted from 0, but there are {count} shards");
            Stop::command_line(problem, "give as many shards as there are tasks")
        })
    }
}

/// This process among the tasks of a cluster, counted from 0 (`None` if below the first), and their number if it is known.
fn task(variable: impl Fn(&str) -> Option<String>) -> Result<(Option<u32>, Option<u32>), Stop> {
    let number = |name: &str| -> Result<Option<u32>, Stop> {
        let wrong = |text: &str| Stop::command_line(format!("{name} is `{text}`, not a number"), "give --shard I/N");
        variable(name).map(|text| text.trim().parse().map_err(|_| wrong(&text))).transpose()
    };
    if let Some(task) = number("SLURM_ARRAY_TASK_ID")? {
        let first = number("SLURM_ARRAY_TASK_MIN")?.unwrap_or(0);
        let last = number("SLURM_ARRAY_TASK_MAX")?;
        let count = number("SLURM_ARRAY_TASK_COUNT")?;
        if last.zip(count).is_some_and(|(last, count)| u64::from(first) + u64::from(count) != u64::from(last) + 1) {
            return Err(Stop::command_line(
                "the tasks of this Slurm array are not numbered consecutively",
                "use for instance `sbatch --array=1-4`, or give --shard I/N",
            ));
        }
        return Ok((task.checked_sub(first), count));
    }
    let index = number("JOB_COMPLETION_INDEX")?.ok_or_else(|| {
        Stop::command_line(
            "--shard auto finds neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX",
            "it is for Slurm job arrays and indexed Kubernetes jobs; elsewhere give --shard I/N",
        )
    })?;
    Ok((Some(index), None))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(argument: &str, variables: &[(&str, &str)]) -> Result<String, String> {
        let variable =
            |name: &str| variables.iter().find(|(other, _)| *other == name).map(|(_, value)| value.to_string());
        let argument: ShardArgument = argument.parse()?;
        argument.resolve(variable).map(|shard| shard.to_string()).map_err(|stop| stop.message)
    }

    const SLURM: [(&str, &str); 4] = [
        ("SLURM_ARRAY_TASK_ID", "6"),
        ("SLURM_ARRAY_TASK_COUNT", "4"),
        ("SLURM_ARRAY_TASK_MIN", "5"),
        ("SLURM_ARRAY_TASK_MAX", "8"),
    ];

    #[test]
    fn a_shard_is_as_given_and_the_cluster_is_asked_only_for_auto() {
        assert_eq!(resolved("2/4", &SLURM), Ok("2/4".into()));
        assert_eq!(resolved("auto", &SLURM), Ok("2/4".into()));
        assert_eq!(resolved("auto/4", &SLURM), Ok("2/4".into()));
        assert!(resolved("auto/8", &SLURM).unwrap_err().contains("8 shards are wanted, but the array has 4 tasks"));
        assert_eq!(resolved("auto", &SLURM[..2]), Err("error: this is number 6 of the cluster's tasks, counted from 0, but there are 4 shards\n  help: give as many shards as there are tasks".into()));
        let kubernetes = [("JOB_COMPLETION_INDEX", "0")];
        assert_eq!(resolved("auto/3", &kubernetes), Ok("1/3".into()));
        assert!(resolved("auto", &kubernetes).unwrap_err().contains("give --shard auto/N"));
        assert!(resolved("auto", &[]).unwrap_err().contains("finds neither"));
    }

    #[test]
    fn what_makes_no_shard_is_refused() {
        for wrong in ["0/4", "5/4", "1/0", "1", "a/b", "auto/0", "-1/4", "1/4/2", ""] {
            assert!(resolved(wrong, &[]).unwrap_err().contains("for instance 2/4"), "{wrong}");
        }
        let gaps = [SLURM[0], SLURM[1], SLURM[2], ("SLURM_ARRAY_TASK_MAX", "20")];
        assert!(resolved("auto", &gaps).unwrap_err().contains("consecutively"));
        assert!(resolved("auto", &[("SLURM_ARRAY_TASK_ID", "x")]).unwrap_err().contains("`x`, not a number"));
        let below = [("SLURM_ARRAY_TASK_ID", "1"), SLURM[1], SLURM[2]];
        assert!(resolved("auto", &below).unwrap_err().contains("a number below the first"));
    }
}
