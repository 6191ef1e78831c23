//! A headless Chromium that looks pages over: at several widths, in both colour schemes.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]
#![expect(clippy::print_stdout, reason = "where nothing is looked at, that is said")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;

/// A phone, a tablet, a desktop: pixels.
const WIDTHS: [u32; 3] = [360, 768, 1280];

/// What the browser is called, where it is not named by the environment.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// The check, run inside each page.
const CHECK: &str = include_str!("check.js");

/// Collects what pages say, and writes it where it can be read.
const COLLECT: &str = r#"
<pre id="findings"></pre>
<script>
  var views = [];
  window.addEventListener("message", function (event) {
    views.push(event.data);
    var text = JSON.stringify(views).replace(/[<>&]/g, function (c) {
      return "\\u00" + c.charCodeAt(0).toString(16);
    });
    document.getElementById("findings").textContent = text;
  });
</script>
"#;

/// A page with what must be read on it.
pub struct Page {
    pub name: String,
    pub html: String,
    pub needed: Vec<String>,
}

/// What was found on a page at one width in one scheme.
#[derive(Debug, Deserialize)]
pub struct View {
    pub name: String,
    pub width: u32,
    pub dark: bool,
    /// Texts that were looked at.
    pub texts: u32,
    /// The least contrast.
    pub worst: f64,
    pub findings: Vec<String>,
}

/// The browser; `None` where none is installed. In CI that is a failure.
pub fn browser() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("RUNNER_TEST_BROWSER") {
        return Some(PathBuf::from(named));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path)
        .flat_map(|folder| NAMES.map(|name| folder.join(name)))
        .find(|file| file.is_file());
    if found.is_none() {
        let hint = "no browser: install chromium, or name one in RUNNER_TEST_BROWSER";
        assert!(std::env::var_os("CI").is_none(), "{hint}");
        println!("nothing was looked at: {hint}");
    }
    found
}

/// Shows every page at every width, light and dark, and comes back with what was found.
pub fn look(browser: &Path, folder: &Path, pages: &[Page]) -> Vec<View> {
    [Scheme::Light, Scheme::Dark]
        .into_iter()
        .flat_map(|scheme| look_in(browser, folder, pages, scheme))
        .collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scheme {
    Light,
    Dark,
}

fn look_in(browser: &Path, folder: &Path, pages: &[Page], scheme: Scheme) -> Vec<View> {
    let word = if scheme == Scheme::Dark { "dark" } else { "light" };
    let mut host =
        format!("<!doctype html><meta name=\"color-scheme\" content=\"{word}\">{COLLECT}");
    for page in pages {
        let file = folder.join(format!("{}.html", page.name));
        std::fs::write(&file, with_check(page)).unwrap();
        for width in WIDTHS {
            host.push_str(&format!(
                "<iframe src=\"{}\" style=\"color-scheme:{word};border:0;width:{width}px;height:900px\"></iframe>\n",
                file.file_name().unwrap().to_str().unwrap()
            ));
        }
    }
    let file = folder.join(format!("host-{word}.html"));
    std::fs::write(&file, host).unwrap();
    let mut command = Command::new(browser);
    command
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--dump-dom"])
        .args(["--window-size=1400,1000", "--virtual-time-budget=20000"])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg(format!("file://{}", file.display()))
        .stdin(Stdio::null());
    if scheme == Scheme::Dark {
        command.arg("--blink-settings=preferredColorScheme=0");
    }
    let output = command.output().unwrap();
    let dom = String::from_utf8_lossy(&output.stdout);
    let views =
        dom.split_once("<pre id=\"findings\">").and_then(|(_, rest)| rest.split_once("</pre>"));
    let Some((json, _)) = views.filter(|(json, _)| !json.is_empty()) else {
        panic!("the browser said nothing: {}", String::from_utf8_lossy(&output.stderr));
    };
    let views: Vec<View> = serde_json::from_str(json).unwrap();
    assert_eq!(views.len(), pages.len() * WIDTHS.len(), "{views:?}");
    for view in &views {
        assert_eq!(view.dark, scheme == Scheme::Dark, "{} at {}", view.name, view.width);
        assert!(WIDTHS.contains(&view.width), "{} at {}", view.name, view.width);
    }
    views
}

/// The page with the check in it. Its own policy forbids every script, and so stands aside.
fn with_check(page: &Page) -> String {
    let (before, rest) =
        page.html.split_once("<meta http-equiv=\"Content-Security-Policy\"").unwrap();
    let (_, after) = rest.split_once('>').unwrap();
    let needed = serde_json::to_string(&page.needed).unwrap().replace('<', "\\u003c");
    let name = serde_json::to_string(&page.name).unwrap();
    let script = format!("<script>var NEEDED = {needed}, NAME = {name};\n{CHECK}</script></body>");
    let whole = format!("{before}{after}");
    assert!(whole.contains("</body>"));
    whole.replace("</body>", &script)
}
