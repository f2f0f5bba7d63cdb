// email-verify for the benchmark, with the options of its README. The first argument is the folder in which it is
// installed.
const { createRequire } = require('node:module');
const { createInterface } = require('node:readline');

const { verify, verifyCodes } = createRequire(`${process.argv[2]}/package.json`)('email-verify');
const OPTIONS = { sender: 'verify@verify.example.org', fqdn: 'verify.example.org', timeout: 10_000 };

// It knows success or not, with a code:
// - a finished verification without success is undeliverable, unless it says that one may try again;
// - an invalid structure, a domain that was not found and no MX record are about the address: undeliverable;
// - the other codes are failures of a connection: unknown.
function statusOf({ success, code, tryagain }) {
  if (success) return 'deliverable';
  if (tryagain) return 'unknown';
  const { finishedVerification, invalidEmailStructure, domainNotFound, noMxRecords } = verifyCodes;
  const isAboutAddress = [finishedVerification, invalidEmailStructure, domainNotFound, noMxRecords];
  return isAboutAddress.includes(code) ? 'undeliverable' : 'unknown';
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, email } = JSON.parse(line);
  verify(email, { ...OPTIONS }, (error, info = {}) => {
    const said = `${info.info ?? error}${info.tryagain ? ', try again' : ''}`;
    process.stdout.write(`${JSON.stringify({ id, status: statusOf(info), said })}\n`);
  });
});
