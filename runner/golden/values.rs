//! Tensors of a known shape, with checks on what they hold.

use super::container::Container;
use crate::failure::Failure;

/// The lengths of a tensor's dimensions, as many as `N`.
pub(super) fn shape<const N: usize>(
    container: &Container,
    name: &str,
) -> Result<[usize; N], Failure> {
    let shape = container
        .shape(name)
        .ok_or_else(|| container.refused(format!("the tensor `{name}` is missing")))?;
    <[usize; N]>::try_from(shape).map_err(|_| {
        container.refused(format!("the tensor `{name}` has {} dimensions, not {N}", shape.len()))
    })
}

/// Refuses a dimension of another length.
pub(super) fn expect_length(
    container: &Container,
    name: &str,
    what: &str,
    (is, wanted): (usize, usize),
) -> Result<(), Failure> {
    if is == wanted {
        return Ok(());
    }
    Err(container.refused(format!("the tensor `{name}` has {is} {what}, not {wanted}")))
}

/// Positions: ascending, each once, within the text.
pub(super) fn positions(
    container: &Container,
    name: &str,
    tokens: usize,
) -> Result<Vec<u32>, Failure> {
    let [_] = shape::<1>(container, name)?;
    let mut checked: Vec<u32> = Vec::new();
    for value in container.integers(name)? {
        let position = u32::try_from(value).ok().filter(|position| (*position as usize) < tokens);
        let Some(position) = position else {
            return Err(container.refused(format!(
                "the tensor `{name}` names position {value} of a text of {tokens} tokens"
            )));
        };
        if checked.last().is_some_and(|last| *last >= position) {
            return Err(container.refused(format!(
                "the positions of `{name}` do not ascend: {position} comes too late"
            )));
        }
        checked.push(position);
    }
    Ok(checked)
}

/// Token ids of a vocabulary.
pub(super) fn tokens(
    container: &Container,
    name: &str,
    vocabulary: usize,
) -> Result<Vec<i32>, Failure> {
    let tokens = container.integers(name)?;
    let bad = tokens
        .iter()
        .find(|token| usize::try_from(**token).map_or(true, |token| token >= vocabulary));
    match bad {
        None => Ok(tokens),
        Some(bad) => Err(container.refused(format!(
            "the tensor `{name}` holds token {bad}, the vocabulary has {vocabulary}"
        ))),
    }
}
