/**
 * Verifies the addresses of a file with Reacher and with Rcpt, and says where their words differ. It is one file
 * without dependencies, for Node 20 or later; docs/coming-from-reacher.md says how to run it.
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

const { REACHER_URL, REACHER_SECRET, RCPT_URL, RCPT_API_KEY, CONCURRENCY = '4' } = process.env;
const [, , file] = process.argv;
const USAGE = `Usage: REACHER_URL=… RCPT_URL=… RCPT_API_KEY=… node compare-with-reacher.mjs FILE > differences.csv
REACHER_SECRET is sent to Reacher as x-reacher-secret. Each address of FILE is sent to both, and costs a unit with Rcpt.
`;
const WORDS = ['safe', 'invalid', 'risky', 'unknown'];
/** What is compared besides the word: that both have tested. */
const MEMBERS = ['misc.is_disposable', 'misc.is_role_account', 'smtp.is_catch_all', 'smtp.has_full_inbox'];
const ADDRESS = /[^\s,;"'<>|]+@[^\s,;"'<>|]+/;
const MAX_ATTEMPTS = 6;
const TIMEOUT_MS = 150_000;
/** What both want to hear after a refusal without `Retry-After`. */
const PAUSE_SECONDS = 2;

const concurrency = Number(CONCURRENCY);
const isUsable = Number.isInteger(concurrency) && concurrency > 0 && concurrency <= 100;
if (!file || !REACHER_URL || !RCPT_URL || !RCPT_API_KEY || !isUsable) {
  process.stderr.write(USAGE);
  process.exit(64);
}

const services = {
  reacher: { url: REACHER_URL, secret: REACHER_SECRET },
  rcpt: { url: RCPT_URL, secret: RCPT_API_KEY },
};

/** @returns the result, or the error as a sentence. */
async function check({ url, secret }, email) {
  const headers = { 'content-type': 'application/json', ...(secret && { 'x-reacher-secret': secret }) };
  const request = { method: 'POST', headers, body: JSON.stringify({ to_email: email }) };
  let failure = '';
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const response = await fetch(`${url.replace(/\/+$/, '')}/v0/check_email`, { ...request, signal });
      const text = await response.text();
      if (response.ok) return { output: JSON.parse(text) };
      failure = `${response.status}: ${text.slice(0, 300)}`;
      if (response.status !== 429 && response.status !== 503) break;
      await pause(Number(response.headers.get('retry-after') ?? PAUSE_SECONDS));
    } catch (error) {
      failure = String(error.cause ?? error);
      await pause(PAUSE_SECONDS);
    }
  }
  return { failure };
}

const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

const memberOf = (output, path) => path.split('.').reduce((value, name) => value?.[name], output);

/** The names of what differs. */
function differences(reacher, rcpt) {
  const members = MEMBERS.filter((path) => {
    const values = [reacher, rcpt].map((output) => memberOf(output, path));
    return values.every((value) => typeof value === 'boolean') && values[0] !== values[1];
  });
  return reacher.is_reachable === rcpt.is_reachable ? members : ['is_reachable', ...members];
}

/** A line of a CSV in which no cell is a formula. */
function line(cells) {
  const quoted = cells.map((cell) => `"${cell.replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`);
  return `${quoted.join(',')}\n`;
}

async function* addresses() {
  const seen = new Set();
  for await (const text of createInterface({ input: createReadStream(file) })) {
    const [email] = ADDRESS.exec(text) ?? [];
    if (email === undefined || seen.has(email)) continue;
    seen.add(email);
    yield email;
  }
}

const counts = new Map();
const totals = { compared: 0, same: 0, failed: 0 };

async function compare(email) {
  const [reacher, rcpt] = await Promise.all(Object.values(services).map((service) => check(service, email)));
  if (!reacher.output || !rcpt.output) {
    totals.failed++;
    const sentences = [reacher, rcpt].map(({ failure = '' }) => failure);
    return process.stdout.write(line([email, ...sentences, 'failed', '']));
  }
  const words = [reacher, rcpt].map(({ output }) => output.is_reachable);
  const key = words.join(' ');
  counts.set(key, (counts.get(key) ?? 0) + 1);
  const differing = differences(reacher.output, rcpt.output);
  totals.compared++;
  if (differing.length === 0) totals.same++;
  else
    process.stdout.write(line([email, ...words, differing.join(' '), rcpt.output.debug?.rcpt?.reason ?? '']));
}

process.stdout.write(line(['email', 'reacher', 'rcpt', 'differs', 'reason']));
const waiting = addresses();
async function work() {
  for (let next = await waiting.next(); !next.done; next = await waiting.next()) await compare(next.value);
}
await Promise.all(Array.from({ length: concurrency }, work));

const row = (cells) =>
  `${cells
    .map((cell) => String(cell).padEnd(16))
    .join('')
    .trimEnd()}\n`;
process.stderr.write(row(['Reacher \\ Rcpt', ...WORDS]));
for (const word of WORDS)
  process.stderr.write(row([word, ...WORDS.map((other) => counts.get(`${word} ${other}`) ?? 0)]));
const { compared, same, failed } = totals;
process.stderr.write(`${compared} compared, ${same} the same, ${compared - same} differ, ${failed} failed\n`);
process.exitCode = failed > 0 ? 1 : 0;
