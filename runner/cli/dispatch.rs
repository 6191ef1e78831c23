//! Arguments, dispatch, and the exit code.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use runner::Failure;

use super::context::App;
use super::outcome::Outcome;
use super::terminal::{ColorChoice, Terminal};
use super::{
    audit, bisect, check, completions, engine, exec, init, list, machine, man, model, new, parity,
    peer, plan, record, register, report, schema, show, try_it, worker, workload,
};

/// Subcommands by the three moments of an experiment. A test holds it complete.
const HELP: &str = "\
{about}

{usage-heading} {usage}

Write an experiment:
  init         Make this repository a project
  try          Quick paired look at one setting: two minutes, a ratio, never a verdict
  new          A commented manifest from a template
  check        All faults of a manifest at once
  plan         What it costs and what it can show
  register     Freeze it in the ledger

Run it:
  exec         Run a registered experiment to a verdict
  bisect       Where the engine parts from the reference, or an arm from off
  machine      Whether this machine is quiet, and what it can do at most
  model        Models: list, fetch, make other forms
  workload     Sets of inputs: list, measure what each is fit for
  engine       The engine that is built in
  parity       The engine's numbers against a reference's

Review it:
  list         Experiments and records
  show         One record's table
  report       Tables, INDEX.md, docs/benchmarks.md, pages in HTML
  record       Verify, amend, strike, mark stale, import, export
  audit        What documents say, against what records say

Around it:
  schema       The manifest's JSON schema, for editors
  completions  Shell completions
  man          Manual pages

{options}

Exit codes: 0 done, 1 a check failed, 2 usage or manifest, 3 refused, 4 void, 5 incomplete.
";

/// The last line of the help.
pub fn exit_codes() -> &'static str {
    HELP.lines().last().unwrap_or_default()
}

/// Pre-registered, paired experiments on LLM inference engines.
#[derive(Debug, Parser)]
#[command(name = "runner", version, about, help_template = HELP, disable_help_subcommand = true)]
pub struct CommandLine {
    /// Options of every command.
    #[command(flatten)]
    global: Global,
    /// What to do.
    #[command(subcommand)]
    command: Command,
}

/// Options of every command.
#[derive(Debug, Clone, clap::Args)]
pub struct Global {
    /// Folder of records, instead of the project's `results/`
    #[arg(long, global = true, value_name = "DIR", help_heading = "Everywhere")]
    pub results: Option<PathBuf>,
    /// Print JSON instead of text
    #[arg(long, global = true, help_heading = "Everywhere")]
    pub json: bool,
    /// Colours
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        help_heading = "Everywhere"
    )]
    pub color: ColorChoice,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Make this repository a project
    Init(init::Arguments),
    /// Quick paired look at one setting: two minutes, a ratio, never a verdict
    Try(try_it::Arguments),
    /// A commented manifest from a template
    New(new::Arguments),
    /// All faults of a manifest at once
    Check(check::Arguments),
    /// What it costs and what it can show
    Plan(plan::Arguments),
    /// Freeze it in the ledger
    Register(register::Arguments),
    /// Run a registered experiment to a verdict
    Exec(exec::Arguments),
    /// Where the engine parts from the reference, or an arm from off
    Bisect(bisect::Arguments),
    /// Whether this machine is quiet, and what it can do at most
    Machine(machine::Arguments),
    /// Models: list, fetch, make other forms
    Model(model::Arguments),
    /// Sets of inputs: list, measure what each is fit for
    Workload(workload::Arguments),
    /// The engine that is built in
    Engine(engine::Arguments),
    /// The engine's numbers against a reference's
    Parity(parity::Arguments),
    /// Experiments and records
    List(list::Arguments),
    /// One record's table
    Show(show::Arguments),
    /// Markdown tables and results/INDEX.md
    Report(report::Arguments),
    /// Verify what is committed
    Record(record::Arguments),
    /// What documents say, against what records say
    Audit(audit::Arguments),
    /// The manifest's JSON schema, for editors
    Schema(schema::Arguments),
    /// Shell completions
    Completions(completions::Arguments),
    /// Manual pages
    Man(man::Arguments),
    /// Serve the worker protocol on standard input and output
    #[command(hide = true)]
    Worker(worker::Arguments),
    /// Stand before another engine and serve the worker protocol for it
    #[command(hide = true)]
    Peer(peer::Arguments),
}

/// Runs the command line and gives the process's exit code.
pub fn main() -> ExitCode {
    let line = match CommandLine::try_parse() {
        Ok(line) => line,
        Err(error) => {
            // clap prints help to standard output and faults to standard error
            let code = if error.use_stderr() { 2 } else { 0 };
            return match error.print() {
                Ok(()) => ExitCode::from(code),
                Err(_) => ExitCode::from(1),
            };
        }
    };
    if matches!(line.command, Command::Worker(_)) {
        return worker::run();
    }
    let terminal = Terminal::new(line.global.color);
    let app = App { terminal, global: line.global };
    match run(&app, line.command) {
        Ok(outcome) => ExitCode::from(outcome.exit_code()),
        Err(failure) => {
            if report_failure(&app, &failure).is_err() {
                return ExitCode::from(1);
            }
            ExitCode::from(failure.kind.exit_code())
        }
    }
}

fn run(app: &App, command: Command) -> Result<Outcome, Failure> {
    match command {
        Command::Init(arguments) => init::run(app, &arguments),
        Command::Try(arguments) => try_it::run(app, &arguments),
        Command::New(arguments) => new::run(app, &arguments),
        Command::Check(arguments) => check::run(app, &arguments),
        Command::Plan(arguments) => plan::run(app, &arguments),
        Command::Register(arguments) => register::run(app, &arguments),
        Command::Exec(arguments) => exec::run(app, &arguments),
        Command::Bisect(arguments) => bisect::run(app, &arguments),
        Command::Machine(arguments) => machine::run(app, &arguments),
        Command::Model(arguments) => model::run(app, &arguments),
        Command::Workload(arguments) => workload::run(app, &arguments),
        Command::Engine(arguments) => engine::run(app, &arguments),
        Command::Parity(arguments) => parity::run(app, &arguments),
        Command::List(arguments) => list::run(app, &arguments),
        Command::Show(arguments) => show::run(app, &arguments),
        Command::Report(arguments) => report::run(app, &arguments),
        Command::Record(arguments) => record::run(app, &arguments),
        Command::Audit(arguments) => audit::run(app, &arguments),
        Command::Schema(arguments) => schema::run(app, &arguments),
        Command::Completions(arguments) => completions::run(app, &arguments),
        Command::Peer(arguments) => peer::run(&arguments),
        Command::Man(arguments) => man::run(app, &arguments),
        // taken care of before: it must not touch standard output
        Command::Worker(_) => Ok(Outcome::Done),
    }
}

fn report_failure(app: &App, failure: &Failure) -> Result<(), Failure> {
    if app.global.json {
        return app.terminal.json(&serde_json::json!({
            "error": {
                "exit_code": failure.kind.exit_code(),
                "what": failure.what,
                "place": failure.place,
                "hint": failure.hint,
                "rendered": failure.rendered,
            }
        }));
    }
    match &failure.rendered {
        Some(rendered) => app.terminal.note(rendered),
        None => app.terminal.note(format!("error: {failure}")),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::{CommandLine, HELP};

    #[test]
    fn help_names_every_visible_subcommand() {
        let command = CommandLine::command();
        for subcommand in command.get_subcommands().filter(|command| !command.is_hide_set()) {
            let line = format!("  {:<12} ", subcommand.get_name());
            assert!(HELP.contains(&line), "`{}` is not in the help", subcommand.get_name());
        }
    }

    #[test]
    fn arguments_are_consistent() {
        CommandLine::command().debug_assert();
    }
}
