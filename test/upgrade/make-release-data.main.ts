import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { DataSource, type Logger } from 'typeorm';
import { anApp, type TestApp } from '../support/app/app.js';
import { aFreshDatabase, onServer, ORIGINAL } from '../support/database/fresh-database.js';
import { makeOriginal } from '../support/database/original-database.js';
import { makeObjects } from './make-objects.js';
import { readAnswers } from './read-answers.js';
import { HERE, presentMigrations, releases, type ReleaseRecord } from './release-files.js';
import { ReleaseWorld } from './release-world.js';

/**
 * Records the database of this version with data, for the tests of upgrades of later versions. It is run once, at the
 * commit of the release (docs/upgrading.md). It needs `pg_dump` and a PostgreSQL server of the same major version in
 * `RCPT_TEST_DATABASE`, in which it creates two databases and drops them.
 */
const server = process.env.RCPT_TEST_DATABASE ?? '';
const { version } = JSON.parse(await readFile(join(HERE, '../../package.json'), 'utf8')) as {
  version: string;
};
const file = (ending: string) => join(HERE, `${version}.${ending}`);

if ((await releases()).includes(version)) throw new Error(`${version} is recorded. A record never changes.`);
// The test continues the lists on the day on which they were charged.
if (new Date().getUTCHours() === 23) throw new Error('Run it again after midnight UTC.');

const statements = new Set<string>();
const world = await ReleaseWorld.start();
const { stripe } = world;
await makeOriginal(server);
const database = await aFreshDatabase();
const secretKey = randomBytes(32).toString('base64');
const env = { ...world.env, DATABASE_URL: database.url, SECRET_KEY: secretKey };

// The first process writes what it holds in memory when it stops; the second one reads all.
const objects = await withApp((app) => makeObjects(app, world));
const read = await withApp(async (app) => {
  const at = app.clock.now().toISOString();
  app.clock.standAt(at);
  return { at, answers: await readAnswers(app, objects.keys) };
});

const record: ReleaseRecord = {
  version,
  secretKey,
  ...objects,
  ...read,
  stripe: {
    customers: [...stripe.customers],
    subscriptions: [...stripe.subscriptions],
    invoices: stripe.invoices,
  },
  statements: [...statements].sort(),
};
const options = ['--inserts', '--rows-per-insert=1000', '--no-owner', '--no-privileges'];
const { stdout } = await promisify(execFile)('pg_dump', [...options, database.url], { maxBuffer: 2 ** 28 });
// Commands of psql, which a driver does not know.
const sql = stdout.replace(/^\\(?:un)?restrict .*\n/gm, '');
await writeFile(file('sql.gz'), gzipSync(sql, { level: 9 }));
await writeFile(file('record.json.gz'), gzipSync(JSON.stringify(record), { level: 9 }));
await writeFile(file('migrations.json'), `${JSON.stringify(await presentMigrations(), null, 2)}\n`);
await database.drop();
await onServer(server, `DROP DATABASE ${ORIGINAL}`);
await world.stop();

async function withApp<T>(work: (app: TestApp) => Promise<T>): Promise<T> {
  const app = await anApp(env);
  stripe.clock = app.clock;
  const dataSource = app.service.app.get(DataSource);
  const logger: Logger = {
    logQuery: (statement) => void statements.add(statement),
    logQueryError: () => {},
    logQuerySlow: () => {},
    logSchemaBuild: () => {},
    logMigration: () => {},
    log: () => {},
  };
  dataSource.setOptions({ logger });
  try {
    return await work(app);
  } finally {
    await app.stop();
  }
}
