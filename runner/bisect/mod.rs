//! Where two computations of the same text part: tensor by tensor in execution order, with a look
//! at each side, and which of them looks broken.

mod arrangement;
mod bars;
mod bisection;
mod buffers;
mod divergence;
mod formula;
mod logits;
mod look;
mod rows;
mod sides;
mod sight;
mod walk;
mod words;

pub use arrangement::{Arrangement, recognise};
pub use bars::{Bars, Rounding};
pub use bisection::{Bisection, Names, Retest, Subject};
pub use buffers::{BufferFinding, RotaryFacts, look_at_buffer};
pub use divergence::{Divergence, Place, divergence};
pub use formula::{Pairing, Rotation, product, rms_norm, rotate, swiglu};
pub use logits::{LogitsCheck, LogitsFinding};
pub use look::{Look, Oddity};
pub use rows::{Rows, root_mean_square};
pub use sides::{Reason, Side, SideVerdict, judge_sides, reasons};
pub use sight::Sight;
pub use walk::{Mode, Step, Walk, block_of};
pub use words::{cosine, relative};
