// The verifier of AfterShip for the benchmark: reads {"id","email"} by line, writes {"id","status","said"} by line.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"net"
	"os"
	"sync"

	emailverifier "github.com/AfterShip/email-verifier"
)

type question struct {
	ID    string `json:"id"`
	Email string `json:"email"`
}

type answer struct {
	ID     string `json:"id"`
	Status string `json:"status"`
	Said   string `json:"said"`
}

// SMTP is off by default; its README says to enable it where port 25 is open.
var verifier = emailverifier.NewVerifier().
	EnableSMTPCheck().
	HelloName("verify.example.org").
	FromEmail("verify@verify.example.org")

// An error is no verdict, except where it says that the domain has no mail server, or that the mailbox is full.
// A catch-all is not "reachable" for it, and called so: risky. So is a disposable domain, which it does not ask.
func statusOf(result *emailverifier.Result, err error) (string, string) {
	var lookup *emailverifier.LookupError
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return "undeliverable", err.Error()
	case errors.As(err, &lookup) && lookup.Message == emailverifier.ErrNoSuchHost:
		return "undeliverable", err.Error()
	case errors.As(err, &lookup) && lookup.Message == emailverifier.ErrFullInbox:
		return "risky", err.Error()
	case err != nil:
		return "unknown", err.Error()
	case !result.Syntax.Valid:
		return "undeliverable", "syntax"
	case result.Disposable:
		return "risky", "disposable"
	case !result.HasMxRecords:
		return "undeliverable", "no MX records"
	case result.SMTP != nil && result.SMTP.FullInbox:
		return "risky", "full inbox"
	case result.Reachable == "yes":
		return "deliverable", "reachable"
	case result.Reachable == "no":
		return "undeliverable", "not reachable"
	case result.SMTP != nil && result.SMTP.CatchAll:
		return "risky", "catch-all"
	default:
		return "unknown", result.Reachable
	}
}

func main() {
	var writing sync.Mutex
	encoder := json.NewEncoder(os.Stdout)
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			panic(err)
		}
		go func() {
			status, said := statusOf(verifier.Verify(asked.Email))
			writing.Lock()
			defer writing.Unlock()
			if err := encoder.Encode(answer{asked.ID, status, said}); err != nil {
				panic(err)
			}
		}()
	}
}
