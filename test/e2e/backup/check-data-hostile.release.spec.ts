import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { CheckSummary } from '../../../src/platform/database/checks/database-check.js';
import { checkSecretKeys } from '../../../src/platform/database/secret-key-check.js';
import { SecretKeys } from '../../../src/platform/secrets/secret-keys.js';
import { onDatabase } from '../../support/database/backup-scene.js';
import { aFreshDatabase } from '../../support/database/fresh-database.js';
import { plantRows } from '../../support/database/planted-rows.js';
import { runRcpt } from '../../support/processes/run-rcpt.js';

type Database = Awaited<ReturnType<typeof aFreshDatabase>>;

const DEPTH = 5_000;
/** Text of a megabyte that looks like envelopes of encrypted values, almost. */
const ALMOST = `v1.AAAAAAAA.${'v1.'.repeat(350_000)}`;
const ESCAPES = 'id \u001b[2J\u001b]0;title\u0007\u202e\nNothing is wrong.\n';

/** Statements that write what no release writes, without the constraints. */
const WRITES: Readonly<Record<string, readonly string[]>> = {
  'JSON that is nested thousands of times': [
    `UPDATE webhooks SET secrets = (repeat('[', ${DEPTH}) || repeat(']', ${DEPTH}))::jsonb`,
    `UPDATE policies SET rules = (repeat('{"a":', ${DEPTH}) || '1' || repeat('}', ${DEPTH}))::jsonb`,
  ],
  'a megabyte where an encrypted value is expected': [
    `UPDATE outcome_sources SET secret = '${ALMOST}'`,
    `UPDATE outgoing_mails SET ciphertext = repeat('v1.AAAAAAAA.A', 80000)`,
  ],
  'numbers and texts where objects are expected': [
    `UPDATE webhooks SET secrets = '1e300'`,
    `UPDATE policies SET rules = '"text"'`,
    `UPDATE api_keys SET publishable = '[null]'`,
    `UPDATE schedules SET source = 'null'`,
  ],
};

describe('rcpt check-data on rows that no release has written', () => {
  const key = randomBytes(32).toString('base64');
  let database: Database;
  beforeAll(async () => {
    database = await aFreshDatabase();
    await onDatabase(database.url, (found) => checkSecretKeys(found, new SecretKeys([key])));
    await plantRows(database.url);
  });
  afterAll(() => database.drop());

  const write = (statements: readonly string[]) =>
    onDatabase(database.url, async (found) => {
      for (const statement of statements)
        await found.transaction(async (manager) => {
          await manager.query(`SET LOCAL session_replication_role = 'replica'`);
          await manager.query(statement);
        });
    });
  const check = (...args: string[]) =>
    runRcpt(['check-data', ...args], { DATABASE_URL: database.url, SECRET_KEY: key });

  it.each(Object.entries(WRITES))('ends with its findings: %s', async (_, statements) => {
    await write(statements);
    const { code, out, err } = await check('--json');
    expect([code, err]).toEqual([1, '']);
    const places = (JSON.parse(out) as CheckSummary).findings.map(({ place }) => place);
    for (const statement of statements) {
      const [, table = '', column = ''] = /^UPDATE (\w+) SET (\w+)/.exec(statement) ?? [];
      expect(places).toContain(`${table}.${column}`);
    }
  });

  it('prints ids that contain commands for a terminal, or lines of their own, as text in the line of the finding', async () => {
    await write([`UPDATE outgoing_mails SET id = '${ESCAPES} ' || id`]);
    const { code, out } = await check();
    expect(code).toBe(1);
    expect(out).toMatch(/^outgoing_mails\.ciphertext: /m);
    expect(out).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
    expect(out).not.toMatch(/^Nothing is wrong\.$/m);
  });
});
