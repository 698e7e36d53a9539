//! What is wrong with a spec, shown where it stands.

use crate::presentable;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use std::ops::Range;

/// A mistake in a spec: what, where, and what would be right.
#[derive(Clone, Debug, PartialEq)]
pub struct Mistake {
    /// The spec's path, or the `--set` option in which the mistake stands.
    pub file: String,
    pub problem: String,
    pub remedy: String,
    place: Option<Place>,
}

#[derive(Clone, Debug, PartialEq)]
struct Place {
    text: String,
    bytes: Range<usize>,
}

impl Mistake {
    /// A mistake of the whole file.
    pub fn without_place(file: &str, problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        let (problem, remedy) = (presentable(&problem.into()), presentable(&remedy.into()));
        Mistake { file: file.to_string(), problem, remedy, place: None }
    }

    /// A mistake at some bytes of a text.
    pub fn at(file: &str, text: &str, bytes: Range<usize>, problem: String, remedy: String) -> Self {
        let place = Place { text: text.to_string(), bytes };
        Mistake { place: Some(place), ..Mistake::without_place(file, problem, remedy) }
    }

    /// As a compiler would show it: the line, the place in it, and the remedy.
    pub fn render(&self, colour: bool) -> String {
        let mut group = match &self.place {
            Some(place) => {
                // Only the first line of what is wrong is marked: a whole block would drown the message.
                let rest = &place.text[place.bytes.start..place.bytes.end];
                let end = place.bytes.start + rest.find('\n').unwrap_or(rest.len());
                let annotation = AnnotationKind::Primary.span(place.bytes.start..end);
                let snippet = Snippet::source(place.text.as_str()).path(self.file.as_str()).annotation(annotation);
                Group::with_title(Level::ERROR.primary_title(self.problem.as_str())).element(snippet)
            }
            None => {
                let title = format!("{}: {}", self.file, self.problem);
                Group::with_title(Level::ERROR.primary_title(title))
            }
        };
        if !self.remedy.is_empty() {
            group = group.element(Level::HELP.message(self.remedy.as_str()));
        }
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        renderer.render(&[group])
    }
}

impl std::fmt::Display for Mistake {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for Mistake {}
