//! Servers that a model is spread over: the one setting that is a list.

use insta::assert_snapshot;

use super::support::{GOOD, altered, faults, plan, shown, try_read};
use crate::manifest::{canonical_form, to_toml};

/// The good manifest's treatment with other settings.
fn treatment(settings: &str) -> [(&str, &str); 1] {
    [("threads = 2", settings)]
}

#[test]
fn servers_are_a_list_in_plans_canonical_forms_and_manifests_written_anew() {
    let text = altered(&treatment(
        "rpc_servers = [\"127.0.0.1:50062\", \"node-a:50052\"]\ngpu_layers = 99",
    ));
    let own = plan(&text);
    let servers = own.arms[2].settings.rpc_servers.clone().unwrap();
    let named: Vec<&str> = servers.iter().map(|server| server.as_str()).collect();
    assert_eq!(named, ["127.0.0.1:50062", "node-a:50052"], "the order is that of the layers");
    let canonical = canonical_form(&own);
    assert!(
        canonical.contains(r#""rpc_servers":["127.0.0.1:50062","node-a:50052"]"#),
        "{canonical}"
    );
    assert!(!canonical_form(&plan(GOOD)).contains("rpc_servers"));
    let again = to_toml(&own);
    assert!(again.contains("rpc_servers = [\"127.0.0.1:50062\", \"node-a:50052\"]"), "{again}");
}

#[test]
fn a_server_that_is_none() {
    assert_snapshot!(shown(&treatment("rpc_servers = [\"node-a\"]\ngpu_layers = 99")), @r#"
    error[bad-text]: `rpc_servers` cannot have "node-a": it is no `host:port`
      --> m.toml:29:16
       |
    29 | rpc_servers = ["node-a"]
       |                ^^^^^^^^
       |
       = help: write a name or an IPv4 address and a port, for example `rpc_servers = ["127.0.0.1:50052", "127.0.0.1:50062"]`

    m.toml: 1 error
    "#);
    assert_snapshot!(shown(&treatment("rpc_servers = \"127.0.0.1:50052\"\ngpu_layers = 99")), @r#"
    error[wrong-type]: `rpc_servers` must be a list, each value a server as `host:port`, not a text
      --> m.toml:29:15
       |
    29 | rpc_servers = "127.0.0.1:50052"
       |               ^^^^^^^^^^^^^^^^^
       |
       = help: write, for example, `rpc_servers = ["127.0.0.1:50052", "127.0.0.1:50062"]`

    m.toml: 1 error
    "#);
    for (list, code) in [
        ("[]", "empty-list"),
        ("[\"a:0\"]", "bad-text"),
        ("[\"a:1\", \"a:1\"]", "duplicate-value"),
        ("[1]", "wrong-type"),
    ] {
        let found = faults(&altered(&treatment(&format!("rpc_servers = {list}\ngpu_layers = 9"))));
        assert_eq!(found.list.first().map(|fault| fault.code.text), Some(code), "{list}");
    }
}

#[test]
fn servers_without_layers_on_devices() {
    assert_snapshot!(shown(&treatment("rpc_servers = [\"127.0.0.1:50052\"]")), @r#"
    error[setting-ignored]: `rpc_servers` in `two` would be ignored: no layer is on a device
      --> m.toml:29:15
       |
    29 | rpc_servers = ["127.0.0.1:50052"]
       |               ^^^^^^^^^^^^^^^^^^^
       |
       = help: add `gpu_layers` with the number of layers that the servers shall have; one more than the model has puts its output there too

    m.toml: 1 error
    "#);
}

#[test]
fn off_again_has_servers_of_its_own_as_many_as_off() {
    let spread = |aa: &str| {
        let arm = |name: &str, servers: &str| {
            format!(
                "name = \"{name}\"\nrole = \"{}\"\ngpu_layers = 99\nrpc_servers = [{servers}]\n",
                if name == "off" { "off" } else { "aa" }
            )
        };
        let off = arm("off", "\"a:1\", \"b:1\"");
        let again = arm("off-again", aa);
        let text = altered(&[
            ("name = \"off\"\nrole = \"off\"\n", off.as_str()),
            ("name = \"off-again\"\nrole = \"aa\"\n", again.as_str()),
        ]);
        try_read(&text).err().and_then(|found| found.list.first().map(|fault| fault.code.text))
    };
    assert_eq!(spread("\"a:2\", \"b:2\""), None);
    assert_eq!(spread("\"a:2\""), Some("aa-differs"));
    assert_eq!(spread("\"a:1\", \"b:2\""), Some("server-of-two-arms"));
}

#[test]
fn a_server_serves_one_arm() {
    let engine = "threads = 1\nrpc_servers = [\"127.0.0.1:50052\"]\ngpu_layers = 99\n";
    assert_snapshot!(shown(&[("threads = 1\n", engine)]), @r#"
    error[server-of-two-arms]: `off` and `off-again` name one server: 127.0.0.1:50052
      --> m.toml:10:15
       |
    10 | rpc_servers = ["127.0.0.1:50052"]
       |               ^^^^^^^^^^^^^^^^^^^
       |
       = help: a server serves one worker at a time, and the workers of all arms stay: start another one at another port

    m.toml: 1 error
    "#);
}
