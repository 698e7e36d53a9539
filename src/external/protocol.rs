//! The protocol, version 1: a line of JSON in either direction, followed by raw little-endian 64-bit floats.
//!
//! ```text
//! worker   {"doublepu":1,"numpy":"2.4.6"}
//! program  {"id":"1","seed":7,"beta":0.47,"gamma":0.0046,"options":{},"columns":["age"],"arrays":{"interest":[420,1],..}}
//!          and the arrays, in that order, row by row
//! worker   {"id":"1","scores":2232} and as many scores, or {"id":"1","error":".."}
//! ```

use crate::external::Trouble;
use crate::text::presentable;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, Read, Take};

const VERSION: u64 = 1;
/// How a hello begins; other lines before it are log.
const HELLO: &str = "{\"doublepu\"";
/// The longest line of a worker.
const LONGEST_LINE: u64 = 1 << 16;
/// The number of lines that a worker may print before its hello.
const MOST_LINES: usize = 1000;

/// What a method is given for one cell.
#[derive(Clone, Debug)]
pub struct Request {
    pub seed: u32,
    /// beta and gamma
    pub prior: Option<[f64; 2]>,
    pub options: Map<String, Value>,
    pub columns: Vec<String>,
    /// The last one is scored.
    pub arrays: Vec<Array>,
}

/// A matrix, row by row.
#[derive(Clone, Debug)]
pub struct Array {
    pub name: &'static str,
    pub rows: usize,
    pub columns: usize,
    /// Little-endian.
    pub bytes: Vec<u8>,
}

impl Request {
    /// The line before the arrays.
    pub fn header(&self, id: &str) -> String {
        let mut header = Map::from_iter([("id".to_string(), json!(id)), ("seed".to_string(), json!(self.seed))]);
        if let Some([beta, gamma]) = self.prior {
            header.extend([("beta".to_string(), json!(beta)), ("gamma".to_string(), json!(gamma))]);
        }
        let shape = |array: &Array| (array.name.to_string(), json!([array.rows, array.columns]));
        header.insert("options".to_string(), Value::Object(self.options.clone()));
        header.insert("columns".to_string(), json!(self.columns));
        header.insert("arrays".to_string(), Value::Object(self.arrays.iter().map(shape).collect()));
        format!("{}\n", Value::Object(header))
    }

    /// The number of rows that are to be scored.
    pub fn wanted(&self) -> usize {
        self.arrays.last().map_or(0, |array| array.rows)
    }
}

/// A line without its end; `None` at the end of the output.
fn line(from: &mut impl BufRead) -> Result<Option<String>, Trouble> {
    let mut bytes = Vec::new();
    let mut limited: Take<_> = from.by_ref().take(LONGEST_LINE);
    limited.read_until(b'\n', &mut bytes).map_err(|error| Trouble::new(format!("its stdout broke off: {error}")))?;
    match bytes.pop() {
        None => Ok(None),
        Some(b'\n') => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Some(last) => {
            bytes.push(last);
            Err(unexpected(&String::from_utf8_lossy(&bytes)))
        }
    }
}

fn unexpected(text: &str) -> Trouble {
    let start: String = text.chars().take(80).collect();
    let problem = format!("it wrote `{}` to stdout, which is for answers only: print to stderr", presentable(&start));
    Trouble::new(problem)
}

/// Reads the lines up to the hello: the versions that it reports, and the log before it.
pub fn read_hello(from: &mut impl BufRead) -> Result<(BTreeMap<String, String>, Vec<String>), Trouble> {
    let mut log = Vec::new();
    while log.len() < MOST_LINES {
        let Some(line) = line(from)? else {
            return Err(Trouble { problem: "it ended before it said hello".to_string(), log });
        };
        if !line.starts_with(HELLO) {
            log.push(line);
            continue;
        }
        let hello: Map<String, Value> = serde_json::from_str(&line).map_err(|_| unexpected(&line))?;
        if hello.get("doublepu").and_then(Value::as_u64) != Some(VERSION) {
            let spoken = &hello["doublepu"];
            return Err(Trouble::new(format!(
                "it speaks version {spoken} of the protocol, and doublepu version {VERSION}"
            )));
        }
        let version = |(name, version): (String, Value)| match version {
            Value::String(version) => Ok((name, version)),
            other => {
                Err(Trouble::new(format!("its hello has {other} for `{name}`, where a version as a text is expected")))
            }
        };
        let versions =
            hello.into_iter().filter(|(name, _)| name != "doublepu").map(version).collect::<Result<_, _>>()?;
        return Ok((versions, log));
    }
    Err(Trouble { problem: format!("it wrote {MOST_LINES} lines to stdout and no hello"), log })
}

/// What came instead of scores.
pub enum NoScores {
    /// An answer: the worker goes on.
    Error(String),
    /// The worker ended instead.
    Ended(String),
    /// The worker cannot be used any more.
    Broken(Trouble),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnswerLine {
    id: String,
    scores: Option<usize>,
    error: Option<String>,
}

/// Reads the answer to a request for so many scores.
pub fn read_answer(from: &mut impl BufRead, id: &str, wanted: usize) -> Result<Vec<f64>, NoScores> {
    let broken = |problem: String| NoScores::Broken(Trouble::new(problem));
    let line = line(from).map_err(NoScores::Broken)?;
    let line = line.ok_or_else(|| NoScores::Ended("it ended before it answered".to_string()))?;
    let answer: AnswerLine = serde_json::from_str(&line).map_err(|_| NoScores::Broken(unexpected(&line)))?;
    if answer.id != id {
        return Err(broken(format!("it answered request {}, but was asked request {id}", presentable(&answer.id))));
    }
    let count = match answer {
        AnswerLine { error: Some(error), .. } => return Err(NoScores::Error(error)),
        AnswerLine { scores: Some(count), .. } => count,
        _ => return Err(NoScores::Broken(unexpected(&line))),
    };
    if count != wanted {
        return Err(broken(format!("it gave {count} scores for {wanted} rows of `test`")));
    }
    let mut bytes = vec![0; 8 * count];
    from.read_exact(&mut bytes)
        .map_err(|_| NoScores::Ended(format!("it ended before it had written {count} scores")))?;
    Ok(bytes.chunks_exact(8).map(|chunk| f64::from_le_bytes(chunk.try_into().unwrap_or_default())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request() -> Request {
        let array = |name, rows: usize| Array { name, rows, columns: 2, bytes: vec![0; 16 * rows] };
        Request {
            seed: 7,
            prior: Some([0.47384, 0.0046]),
            options: Map::from_iter([("depth".to_string(), json!(3))]),
            columns: vec!["age".to_string(), "job=\"a\"".to_string()],
            arrays: vec![array("loyal", 1), array("test", 3)],
        }
    }

    #[test]
    fn a_header_is_one_line_with_the_arrays_in_order() {
        let header = request().header("9");
        let expected = r#"{"id":"9","seed":7,"beta":0.47384,"gamma":0.0046,"options":{"depth":3},"columns":["age","job=\"a\""],"arrays":{"loyal":[1,2],"test":[3,2]}}"#;
        assert_eq!(header, format!("{expected}\n"));
        assert!(!Request { prior: None, ..request() }.header("9").contains("beta"));
    }

    #[test]
    fn a_hello_comes_after_any_log() {
        let mut text = "warming up\n{\"doublepu\":1,\"numpy\":\"2.4.6\"}\n{\"id\"".as_bytes();
        let (versions, log) = read_hello(&mut text).unwrap();
        assert_eq!((log, text), (vec!["warming up".to_string()], "{\"id\"".as_bytes()));
        assert_eq!(versions, BTreeMap::from([("numpy".to_string(), "2.4.6".to_string())]));
        for (text, problem) in [
            ("", "ended before it said hello"),
            ("a\nb\n", "ended before it said hello"),
            ("{\"doublepu\":2}\n", "version 2 of the protocol"),
            ("{\"doublepu\":1,\"numpy\":2}\n", "has 2 for `numpy`"),
            ("{\"doublepu\":1\n", "wrote `{\"doublepu\":1` to stdout"),
            ("no line end", "wrote `no line end` to stdout"),
        ] {
            let trouble = read_hello(&mut text.as_bytes()).unwrap_err();
            assert!(trouble.problem.contains(problem), "{text}: {trouble}");
        }
        let endless = "log\n".repeat(2000);
        assert!(read_hello(&mut endless.as_bytes()).unwrap_err().problem.contains("1000 lines"));
    }

    #[test]
    fn an_answer_is_what_was_asked_for_or_refused() {
        let scores = [0.5f64, -1.0];
        let bytes: Vec<u8> = scores.iter().flat_map(|score| score.to_le_bytes()).collect();
        let answer = |line: &str| [line.as_bytes(), &bytes].concat();
        let right = answer("{\"id\":\"1\",\"scores\":2}\n");
        assert!(read_answer(&mut &right[..], "1", 2).is_ok_and(|read| read == scores));
        for (answer, problem) in [
            (answer("{\"id\":\"2\",\"scores\":2}\n"), "it answered request 2"),
            (answer("{\"id\":\"1\",\"scores\":3}\n"), "it gave 3 scores for 2 rows"),
            (answer("{\"id\":\"1\"}\n"), "to stdout, which is for answers only"),
            (answer("{\"id\":\"1\",\"scores\":-2}\n"), "to stdout, which is for answers only"),
            (answer("hello\n"), "it wrote `hello` to stdout"),
            (right[..right.len() - 1].to_vec(), "ended before it had written 2 scores"),
            (Vec::new(), "ended before it answered"),
            (vec![b'x'; 1 << 20], "to stdout"),
        ] {
            match read_answer(&mut &answer[..], "1", 2) {
                Err(NoScores::Broken(Trouble { problem: told, .. }) | NoScores::Ended(told)) => {
                    assert!(told.contains(problem), "{told}");
                }
                _ => panic!("{problem}"),
            }
        }
        let error = b"{\"id\":\"1\",\"error\":\"no rows\"}\n";
        assert!(matches!(read_answer(&mut &error[..], "1", 2), Err(NoScores::Error(text)) if text == "no rows"));
    }
}
