// Rcpt for the benchmark: the engine as a library, with the networks of the test servers allowed.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createEngine } from '../../../../dist/engine/library/create-engine.js';

if (process.argv.includes('--version')) {
  const manifest = readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8');
  process.stdout.write(JSON.parse(manifest).version);
  process.exit();
}

const CASE_MS = 60_000;
const options = { smtpHeloName: 'verify.example.org', mxAllowCidrs: ['198.18.0.0/15', '2001:db8::/32'] };

for await (const line of createInterface({ input: process.stdin })) void answer(JSON.parse(line));

// Each address has an engine of its own: one engine would count the refusals of all servers together, and stop.
async function answer({ id, email }) {
  const engine = createEngine(options);
  const { status, reason } = await engine.verify(email, { timeoutMs: CASE_MS });
  process.stdout.write(`${JSON.stringify({ id, status, said: `${status}/${reason}` })}\n`);
  await engine.close();
}
