//! Mistakes in user input: one error type for specs, options, data files and the command line.

use crate::text::{presentable, visible};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use std::fmt;
use std::sync::Arc;

/// What is wrong, where, and what to do about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Mistake {
    pub problem: String,
    pub remedy: String,
    pub location: Location,
}

/// Where a mistake is, as precisely as is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Location {
    #[default]
    Unknown,
    /// An option of a method, given in a spec or by a program.
    Option(&'static str),
    /// A whole spec or data file, by name.
    File(String),
    Span(Span),
}

/// A range of bytes in a spec or in a `--set` option.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    pub source: Arc<Source>,
    pub start: usize,
    pub end: usize,
}

/// A text and the name of its file.
#[derive(Debug, PartialEq)]
pub struct Source {
    pub file: String,
    pub text: String,
}

impl Mistake {
    pub fn new(problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        let (problem, remedy) = (presentable(&problem.into()), presentable(&remedy.into()));
        Mistake { problem, remedy, location: Location::Unknown }
    }

    /// A mistake that concerns a whole file.
    pub fn in_file(file: &str, problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        Mistake { location: Location::File(file.to_string()), ..Mistake::new(problem, remedy) }
    }

    /// A mistake in an option of a method.
    pub fn in_option(option: &'static str, problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        Mistake { location: Location::Option(option), ..Mistake::new(problem, remedy) }
    }

    /// Locates a mistake at a span, unless it already has a span or a file: the innermost location is the most precise.
    pub fn at(mut self, span: &Span) -> Self {
        if matches!(self.location, Location::Unknown | Location::Option(_)) {
            self.location = Location::Span(span.clone());
        }
        self
    }

    /// Formats the mistake for a terminal. A span is shown like a compiler error: the line, the marked span and the
    /// remedy.
    pub fn render(&self, colour: bool) -> String {
        match &self.location {
            Location::Span(span) => self.annotated(span, colour),
            _ => visible(&format!("error: {self}")).into_owned(),
        }
    }

    fn annotated(&self, Span { source, start, end }: &Span, colour: bool) -> String {
        // Mark only the first line of the span: a marked block of many lines would hide the message.
        let marked = source.text[*start..*end].lines().next().unwrap_or_default();
        let [before, marked, after] =
            [&source.text[..*start], marked, &source.text[start + marked.len()..]].map(|text| visible(text));
        let annotation = AnnotationKind::Primary.span(before.len()..before.len() + marked.len());
        let (text, file) = ([before, marked, after].concat(), visible(&source.file));
        let snippet = Snippet::source(text.as_str()).path(&*file).annotation(annotation);
        let mut group = Group::with_title(Level::ERROR.primary_title(self.problem.as_str())).element(snippet);
        if !self.remedy.is_empty() {
            group = group.element(Level::HELP.message(self.remedy.as_str()));
        }
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        renderer.render(&[group])
    }
}

impl Span {
    /// A mistake at this span.
    pub fn mistake(&self, problem: impl Into<String>, remedy: impl Into<String>) -> Mistake {
        Mistake::new(problem, remedy).at(self)
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Mistake { problem, remedy, location } = self;
        match location {
            Location::Span(_) => return f.write_str(&self.render(false)),
            Location::File(file) => write!(f, "{file}: {problem}")?,
            Location::Unknown | Location::Option(_) => f.write_str(problem)?,
        }
        if remedy.is_empty() { Ok(()) } else { write!(f, "\n  help: {remedy}") }
    }
}

impl std::error::Error for Mistake {}
