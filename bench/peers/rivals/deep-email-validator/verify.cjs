// deep-email-validator for the benchmark, with all of its checks, as its README shows. The first argument is the
// folder in which it is installed.
const { createRequire } = require('node:module');
const { createInterface } = require('node:readline');

const { validate } = createRequire(`${process.argv[2]}/package.json`)('deep-email-validator');

// It knows valid and invalid. What its reason says of the address decides:
// - `regex` and `mx` are about the address and its domain: undeliverable.
// - `smtp` is undeliverable only with its sentence for a missing mailbox; others are failures of a connection.
// - `typo` and `disposable` are warnings about an address that may receive mail: risky.
function statusOf({ valid, reason, validators }) {
  if (valid) return 'deliverable';
  if (reason === 'regex' || reason === 'mx') return 'undeliverable';
  if (reason === 'smtp') return validators.smtp.reason === 'Mailbox not found.' ? 'undeliverable' : 'unknown';
  return 'risky';
}

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, email } = JSON.parse(line);
  const result = await validate({ email, sender: 'verify@verify.example.org' });
  const said = result.valid ? 'valid' : `${result.reason}: ${result.validators[result.reason]?.reason}`;
  process.stdout.write(`${JSON.stringify({ id, status: statusOf(result), said })}\n`);
});
