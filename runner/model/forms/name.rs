//! Names of forms: those of ggml's tensor types.

use engine_protocol::Form;

use crate::failure::Failure;

/// Every form, widest first.
const ALL: &[Form] = &[
    Form::F32,
    Form::F16,
    Form::Bf16,
    Form::Q8_0,
    Form::Q6K,
    Form::Q5K,
    Form::Q5_1,
    Form::Q5_0,
    Form::Q4K,
    Form::Q4_1,
    Form::Q4_0,
    Form::Iq4Nl,
];

/// The name as manifests, file names and GGUF headers write it: `q8_0`.
#[must_use]
pub fn form_name(form: Form) -> &'static str {
    match form {
        Form::F32 => "f32",
        Form::F16 => "f16",
        Form::Bf16 => "bf16",
        Form::Q8_0 => "q8_0",
        Form::Q6K => "q6_k",
        Form::Q5K => "q5_k",
        Form::Q5_1 => "q5_1",
        Form::Q5_0 => "q5_0",
        Form::Q4K => "q4_k",
        Form::Q4_1 => "q4_1",
        Form::Q4_0 => "q4_0",
        Form::Iq4Nl => "iq4_nl",
    }
}

/// A tensor type as sentences write it: `Q4_1`, `Q6_K`.
#[must_use]
pub fn type_name(tensor_type: &str) -> String {
    tensor_type.to_uppercase()
}

/// The form of a name, in either case.
///
/// # Errors
/// A usage failure that names the nearest form.
pub fn read_form(text: &str) -> Result<Form, Failure> {
    let lower = text.trim().to_lowercase();
    if let Some(form) = ALL.iter().copied().find(|form| form_name(*form) == lower) {
        return Ok(form);
    }
    let nearest = ALL
        .iter()
        .map(|form| (strsim::jaro_winkler(form_name(*form), &lower), form_name(*form)))
        .max_by(|left, right| left.0.total_cmp(&right.0))
        // The same bar as for names of models.
        .filter(|(likeness, _)| *likeness >= 0.8);
    let hint = match nearest {
        Some((_, near)) => format!("did you mean `{near}`?"),
        None => {
            let all: Vec<&str> = ALL.iter().copied().map(form_name).collect();
            format!("forms are {}", all.join(", "))
        }
    };
    Err(Failure::usage(format!("no form is called {text:?}")).hint(hint))
}

#[cfg(test)]
mod tests {
    use super::{ALL, form_name, read_form};

    #[test]
    fn names_are_those_of_the_manifest() {
        for form in ALL {
            assert_eq!(serde_json::json!(form), form_name(*form));
            assert_eq!(read_form(&form_name(*form).to_uppercase()).unwrap(), *form);
        }
        assert_eq!(read_form("q4-0").unwrap_err().hint.unwrap(), "did you mean `q4_0`?");
        assert!(read_form("huge").unwrap_err().hint.unwrap().starts_with("forms are f32, f16"));
    }
}
