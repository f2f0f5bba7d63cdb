import { openSync, readFileSync, writeSync } from 'node:fs';

/**
 * Stores every log line of the whole run and scans them at its end: no line may
 * contain an address, a key or a token, and no process may have printed a warning of Node, such as of a leak.
 */

const SECRETS: Readonly<Record<string, RegExp>> = {
  'an address': /[\w.+-]+@[\w-]+\.[\w.-]+/,
  'a key': /rcpt_(live|test|pub)_\w{6,}/,
  'an invite token': /rcpt_invite_\w{6,}/,
  'a sign-up token': /rcpt_signup_\w{6,}/,
  'a sign-in token': /rcpt_signin_\w{6,}/,
  'a credential': /bearer\s+\w/i,
};

/** Those of Node about features that it calls experimental are for the developer. */
const WARNING = /^\(node:\d+\) (?!ExperimentalWarning)(?:\[\w+\] )?\w*Warning: /;

/** Open until the worker ends: an application writes 150 lines at its start. */
let descriptor: number | undefined;

export function recordLog(chunk: Buffer): void {
  const file = process.env.RCPT_TEST_LOG;
  if (file !== undefined) writeSync((descriptor ??= openSync(file, 'a')), chunk);
}

/** @throws Error with the log lines that contain secrets, or the warnings. */
export function scanLogs(file: string): void {
  const all = readFileSync(file, 'utf8').split('\n');
  const warnings = all.filter((line) => WARNING.test(line));
  if (warnings.length > 0) throw new Error([...new Set(warnings)].slice(0, 20).join('\n'));
  const lines = all.filter((line) => line.startsWith('{"level"'));
  if (lines.length === 0) return;
  const found = lines.flatMap((line) =>
    Object.entries(SECRETS)
      .filter(([, pattern]) => pattern.test(line))
      .map(([what]) => `${what} in the log: ${line}`),
  );
  if (found.length > 0) throw new Error(found.slice(0, 20).join('\n'));
  process.stdout.write(`${lines.length} log lines of this run hold no address, key or token\n`);
}
