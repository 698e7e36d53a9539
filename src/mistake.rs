//! What is wrong with something that a user gave: one type for specs, options, data files and the command line.

use crate::text::presentable;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use std::fmt;
use std::sync::Arc;

/// What is wrong, where, and what would be right.
#[derive(Clone, Debug, PartialEq)]
pub struct Mistake {
    pub problem: String,
    pub remedy: String,
    pub place: Place,
}

/// Where a mistake is, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Place {
    #[default]
    Unknown,
    /// An option of a method, wherever that was given.
    Option(&'static str),
    /// Of a spec or data file as a whole: its name.
    File(String),
    Span(Span),
}

/// Some bytes of a spec or of a `--set` option.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    pub source: Arc<Source>,
    pub start: usize,
    pub end: usize,
}

/// A text with the name of its file.
#[derive(Debug, PartialEq)]
pub struct Source {
    pub file: String,
    pub text: String,
}

impl Mistake {
    pub fn new(problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        let (problem, remedy) = (presentable(&problem.into()), presentable(&remedy.into()));
        Mistake { problem, remedy, place: Place::Unknown }
    }

    /// A mistake of a whole file.
    pub fn in_file(file: &str, problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        Mistake { place: Place::File(file.to_string()), ..Mistake::new(problem, remedy) }
    }

    /// A mistake in an option of a method.
    pub fn in_option(option: &'static str, problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        Mistake { place: Place::Option(option), ..Mistake::new(problem, remedy) }
    }

    /// Gives a mistake its place, unless it has one: the innermost place is the most precise.
    pub fn at(mut self, span: &Span) -> Self {
        if matches!(self.place, Place::Unknown | Place::Option(_)) {
            self.place = Place::Span(span.clone());
        }
        self
    }

    /// For a terminal: a span is shown as a compiler would, with the line, the place in it, and the remedy.
    pub fn render(&self, colour: bool) -> String {
        match &self.place {
            Place::Span(span) => self.annotated(span, colour),
            _ => format!("error: {self}"),
        }
    }

    fn annotated(&self, Span { source, start, end }: &Span, colour: bool) -> String {
        // Only the first line of what is wrong is marked: a whole block would drown the message.
        let marked = &source.text[*start..*end];
        let end = start + marked.find('\n').unwrap_or(marked.len());
        let annotation = AnnotationKind::Primary.span(*start..end);
        let snippet = Snippet::source(source.text.as_str()).path(source.file.as_str()).annotation(annotation);
        let mut group = Group::with_title(Level::ERROR.primary_title(self.problem.as_str())).element(snippet);
        if !self.remedy.is_empty() {
            group = group.element(Level::HELP.message(self.remedy.as_str()));
        }
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        renderer.render(&[group])
    }
}

impl Span {
    /// A mistake at this place.
    pub fn mistake(&self, problem: impl Into<String>, remedy: impl Into<String>) -> Mistake {
        Mistake::new(problem, remedy).at(self)
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Mistake { problem, remedy, place } = self;
        match place {
            Place::Span(_) => return f.write_str(&self.render(false)),
            Place::File(file) => write!(f, "{file}: {problem}")?,
            Place::Unknown | Place::Option(_) => f.write_str(problem)?,
        }
        if remedy.is_empty() { Ok(()) } else { write!(f, "\n  help: {remedy}") }
    }
}

impl std::error::Error for Mistake {}
