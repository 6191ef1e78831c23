//! One file a subcommand: each reads its arguments, calls the library and prints.

mod bisect;
mod builds;
mod check;
mod completions;
mod context;
mod dispatch;
mod engine;
mod engine_list;
mod exec;
mod history;
mod init;
mod list;
mod machine;
mod machine_bounds;
mod model;
mod model_forms;
mod new;
mod new_commits;
mod outcome;
mod parity;
mod plan;
mod progress;
mod record;
mod record_spread;
mod register;
mod report;
mod report_html;
mod schema;
mod show;
mod stamp;
mod terminal;
mod try_it;
mod try_settings;
mod worker;
mod workload;

pub use dispatch::main;
