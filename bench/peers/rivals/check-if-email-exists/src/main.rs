//! check-if-email-exists for the benchmark: reads {"id","email"} by line, writes {"id","status","said"} by line.

use check_if_email_exists::smtp::verif_method::VerifMethod;
use check_if_email_exists::{check_email, CheckEmailInputBuilder, CheckEmailOutput, Reachable};
use serde_json::{json, Value};
use tokio::io::{stdin, AsyncBufReadExt, BufReader};

const PORT: u16 = 25;
/// Its default, as is no timeout of its own: the benchmark has one.
const CONNECTIONS: usize = 1;

/// Its own four words are the same four statuses.
fn status_of(output: &CheckEmailOutput) -> &'static str {
    match output.is_reachable {
        Reachable::Safe => "deliverable",
        Reachable::Invalid => "undeliverable",
        Reachable::Risky => "risky",
        Reachable::Unknown => "unknown",
    }
}

/// What decided: the syntax, the MX records or the session.
fn said(output: &CheckEmailOutput) -> String {
    if !output.syntax.is_valid_syntax {
        return "syntax".into();
    }
    match (&output.mx, &output.smtp) {
        (Err(error), _) => format!("{error:?}"),
        (Ok(mx), Ok(_)) if mx.lookup.is_err() => "no MX records".into(),
        (_, Err(error)) => format!("{error:?}"),
        (_, Ok(smtp)) => format!("{smtp:?}"),
    }
}

async fn answer(line: String) {
    let asked: Value = serde_json::from_str(&line).expect("a line of JSON");
    let email = asked["email"].as_str().expect("an address");
    let verif_method = VerifMethod::new_with_same_config_for_all(
        None,
        "verify.example.org".into(),
        "verify@verify.example.org".into(),
        PORT,
        None,
        CONNECTIONS,
    );
    let input = CheckEmailInputBuilder::default()
        .to_email(email.into())
        .verif_method(verif_method)
        .build()
        .expect("all members have defaults");
    let output = check_email(&input).await;
    println!(
        "{}",
        json!({ "id": asked["id"], "status": status_of(&output), "said": said(&output) })
    );
}

#[tokio::main]
async fn main() {
    let mut lines = BufReader::new(stdin()).lines();
    let mut running = Vec::new();
    while let Some(line) = lines.next_line().await.expect("standard input") {
        running.push(tokio::spawn(answer(line)));
    }
    for task in running {
        task.await.expect("an answer");
    }
}
