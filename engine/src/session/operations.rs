//! Which operations run where, counted in a run of their own.

use engine_protocol::{OperationCount, OperationsRequest};

use super::Session;
use super::blocks::require_tokens;
use super::options::{Purpose, context_options};
use super::sequence::{Outputs, Sequence};
use crate::EngineError;
use crate::native::Context;

impl Session {
    /// Counts the operations of one prefill and some greedy steps after it. A second context with
    /// the same settings does the work, so that nothing is hooked into the timed one; its KV cache
    /// stays as it is. Operations that only relabel data (views, reshapes) are not counted.
    ///
    /// # Errors
    /// [`EngineError::Request`] for an empty prompt, [`EngineError::Context`] when there is no
    /// room, [`EngineError::Compute`] when the engine fails.
    pub fn operations(
        &mut self,
        request: &OperationsRequest,
    ) -> Result<Vec<OperationCount>, EngineError> {
        let OperationsRequest { prompt, decode_tokens } = request;
        require_tokens(prompt, "the prompt")?;
        self.sequence.require_room(prompt.len() + *decode_tokens as usize)?;
        let options = context_options(&self.asked, self.masked, Purpose::Observed)?;
        let mut observed = Sequence::new(Context::new(self.model.handle(), &options)?)?;
        observed.evaluate(prompt, Outputs::Last)?;
        observed.synchronize()?;
        let mut next = observed.choose(prompt.len())?;
        for _ in 0..*decode_tokens {
            observed.evaluate(&[next], Outputs::Last)?;
            observed.synchronize()?;
            next = observed.choose(1)?;
        }
        let items = observed.context().operations()?;
        Ok(items
            .into_iter()
            .map(|item| OperationCount {
                operation: item.operation,
                device: item.device,
                count: item.count,
            })
            .collect())
    }
}
