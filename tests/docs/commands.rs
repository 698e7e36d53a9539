//! Commands in `sh` blocks: verbs, flags and files exist.

use crate::{blocks, pages, root, text};
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use doublepu::cli::Cli;

/// The commands of a block: lines that a backslash continues are one, and comments are left out.
fn commands(block: &str) -> Vec<Vec<String>> {
    block.replace("\\\n", " ").lines().map(words).filter(|words| !words.is_empty()).collect()
}

/// What a shell makes of a line, as far as the pages need it: quotes, comments and redirections.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in line.chars() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            ('#', None) if word.is_none() => break,
            (' ', None) => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words.into_iter().take_while(|word| word != ">" && word != "|" && word != "||").collect()
}

#[test]
fn words_are_split_as_a_shell_does() {
    assert_eq!(
        words("doublepu run a.yaml --set 'features={exclude: [x]}'  # why"),
        ["doublepu", "run", "a.yaml", "--set", "features={exclude: [x]}"]
    );
    assert_eq!(commands("a \\\n  b\n# c\nd > e"), [vec!["a", "b"], vec!["d"]]);
}

/// The arguments of doublepu, if the command calls it.
fn arguments(words: &[String]) -> Option<&[String]> {
    let words = if words.first()? == "time" { &words[1..] } else { words };
    let position = match words.first()?.as_str() {
        "doublepu" | "target/release/doublepu" => 0,
        "cargo" if words.get(1)? == "run" => words.iter().position(|word| word == "--")?,
        _ => return None,
    };
    Some(&words[position + 1..])
}

/// What `--set` changes. A method that the reader is to write stands for one that exists.
fn changes(arguments: &[String]) -> Vec<String> {
    let set = arguments.windows(2).filter(|pair| pair[0] == "--set");
    set.map(|pair| pair[1].replace("my_method", "naive_pu")).collect()
}

#[test]
fn commands_have_verbs_and_flags_that_exist() {
    let mut count = 0;
    for page in pages() {
        for command in blocks(&text(&page), "sh").iter().flat_map(|block| commands(block)) {
            let Some(arguments) = arguments(&command) else { continue };
            let parsed = Cli::try_parse_from(std::iter::once("doublepu").chain(arguments.iter().map(String::as_str)));
            if let Err(error) = parsed {
                let is_shown = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
                assert!(is_shown, "{page}: {}\n{error}", command.join(" "));
            }
            // The specs of the project, with the changes that the command makes.
            for spec in arguments.iter().filter(|word| word.ends_with(".yaml") && word.contains('/')) {
                let read = doublepu::spec::read(&root().join(spec), &changes(arguments));
                assert!(read.is_ok(), "{page}: {}\n{}", command.join(" "), read.unwrap_err());
            }
            count += 1;
        }
    }
    assert!(count > 30, "only {count} commands were found");
}

/// Commands within a sentence may leave arguments out.
#[test]
fn verbs_in_sentences_exist() {
    let known = Cli::command();
    let is_verb = |word: &str| known.get_subcommands().any(|verb| verb.get_name() == word);
    for page in pages() {
        for code in text(&page).split('`').filter_map(|code| code.strip_prefix("doublepu ")) {
            let verb = code.split_whitespace().next().unwrap_or_default();
            assert!(is_verb(verb) || verb.starts_with("--"), "{page}: `doublepu {code}`");
        }
    }
}
