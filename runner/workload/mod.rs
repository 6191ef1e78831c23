//! Sets of inputs. (placeholder)
use crate::{Failure, project::Project};
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "p")]
pub struct Item { pub id: String, pub text: String }
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "p")]
pub struct InputSet { pub name: String, pub licence: String, pub items: Vec<Item>, pub blake3: String }
#[expect(missing_docs, reason = "p")]
pub fn load(name: &str, _p: &Project) -> Result<InputSet, Failure> { Err(Failure::usage(name)) }
#[expect(missing_docs, reason = "p")]
pub fn names() -> Vec<&'static str> { vec![] }
