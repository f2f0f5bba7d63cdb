import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const HOME = join(import.meta.dirname, '../../..');
const REDOCLY = join(HOME, 'node_modules/@redocly/cli/bin/cli.js');

/** Disables usage data and the check for newer versions: tests connect only to this machine. */
const ALONE = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

interface Report {
  problems: { ruleId: string; severity: string; message: string; location: { pointer?: string }[] }[];
}

/** The problems that the linter finds in an OpenAPI document, with the rules of `redocly.yaml`; empty: none. */
export async function lintDocument(document: object): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'rcpt-lint-'));
  const file = join(folder, 'openapi.json');
  try {
    await writeFile(file, JSON.stringify(document));
    const report = await run(['lint', file, '--config', join(HOME, 'redocly.yaml'), '--format', 'json']);
    return report.problems.map(
      ({ severity, ruleId, message, location }) =>
        `${severity} ${ruleId} at ${location[0]?.pointer}: ${message}`,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Its exit code is 1 where there is an error; the report is on the standard output in any case. */
async function run(args: readonly string[]): Promise<Report> {
  const env = { ...process.env, ...ALONE };
  const options = { env, cwd: tmpdir(), maxBuffer: 50_000_000 };
  const { stdout } = await promisify(execFile)(process.execPath, [REDOCLY, ...args], options).catch(
    (error: { stdout: string }) => error,
  );
  return JSON.parse(stdout.slice(stdout.indexOf('{'))) as Report;
}
