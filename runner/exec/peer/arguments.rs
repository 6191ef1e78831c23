//! Arguments with their values put in: each stays one argument, whatever it contains.

use std::path::Path;

use super::sizes::{Model, Piece};

/// What arguments can stand for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Values<'run> {
    pub(super) model: &'run Model,
    /// `HOST:PORT` of a server.
    pub(super) address: Option<&'run str>,
    /// A command's piece of work, with the file that holds its tokens.
    pub(super) piece: Option<(Piece, &'run Path)>,
}

/// The arguments behind the program.
///
/// # Errors
/// What an argument stands for is not known, in words.
pub(super) fn arguments(argv: &[String], values: Values<'_>) -> Result<Vec<String>, String> {
    argv.iter().skip(1).map(|argument| one(argument, values)).collect()
}

fn one(argument: &str, values: Values<'_>) -> Result<String, String> {
    let unknown =
        |what: &str| Err(format!("`{argument}` stands for {what}, which is not known here"));
    let number = |value: Option<u64>, what: &str| match value {
        Some(value) => Ok(value.to_string()),
        None => unknown(what),
    };
    let settings = &values.model.settings;
    let host_and_port = values.address.and_then(|address| address.rsplit_once(':'));
    let piece = values.piece.map(|(piece, _)| piece);
    match argument {
        "{model}" => Ok(values.model.path.to_string_lossy().into_owned()),
        "{threads}" => number(settings.threads.map(u64::from), "the threads of `[engine]`"),
        "{context_tokens}" => {
            number(settings.context_tokens.map(u64::from), "the context of `[engine]`")
        }
        "{host}" => match host_and_port {
            Some((host, _)) => Ok(host.trim_matches(['[', ']']).to_owned()),
            None => unknown("a server's address"),
        },
        "{port}" => match host_and_port {
            Some((_, port)) => Ok(port.to_owned()),
            None => unknown("a server's address"),
        },
        "{prompt_tokens}" => match piece {
            Some(Piece::Decode { prompt, .. }) => Ok(prompt.to_string()),
            _ => unknown("the prompt of decode work"),
        },
        "{decode_tokens}" => match piece {
            Some(Piece::Decode { tokens, .. }) => Ok(tokens.to_string()),
            _ => unknown("the timed tokens of decode work"),
        },
        "{prefill_tokens}" => match piece {
            Some(Piece::Prefill { tokens, .. }) => Ok(tokens.to_string()),
            _ => unknown("the timed tokens of prefill work"),
        },
        "{depth_tokens}" => number(piece.map(|piece| piece.before() as u64), "a piece of work"),
        "{prompt_file}" => match values.piece {
            Some((_, file)) => Ok(file.to_string_lossy().into_owned()),
            None => unknown("a piece of work"),
        },
        plain => Ok(plain.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use engine_protocol::Settings;

    use super::*;

    #[test]
    fn an_argument_stays_one_and_braces_inside_a_text_are_left_alone() {
        let model = Model {
            path: "/models/a b's.gguf".into(),
            settings: Settings { threads: Some(2), ..Settings::default() },
        };
        let piece = Piece::Decode { before: 40, prompt: 32, tokens: 64 };
        let file = Path::new("/tmp/p");
        let values =
            Values { model: &model, address: Some("[::1]:80"), piece: Some((piece, file)) };
        let argv =
            ["x", "{model}", "-p {threads} \"'", "{threads}", "{depth_tokens}", "{host}", "{port}"];
        let found = arguments(&argv.map(str::to_owned), values).unwrap();
        assert_eq!(found, ["/models/a b's.gguf", "-p {threads} \"'", "2", "40", "::1", "80"]);
        let unknown = arguments(&["x".to_owned(), "{prefill_tokens}".to_owned()], values);
        assert!(unknown.unwrap_err().contains("prefill"));
    }
}
