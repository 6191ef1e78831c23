//! The operating characteristics of a default plan: how often its whole rule decides what, for
//! true effects from -2 to +2 margins. Prints one line: name, tab, seconds (best of the tries).

#![expect(clippy::print_stdout, reason = "a bench prints what it found")]

fn main() {
    // PLACE FOR: measure("operating_characteristics_of_a_default_plan", 3, || design::…)
    println!("# operating_characteristics_of_a_default_plan: not measured yet");
}
