import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { aFreshDatabase, onServer, ORIGINAL } from '../support/database/fresh-database.js';
import { makeOriginal } from '../support/database/original-database.js';
import { makeRecord } from './make-record.js';
import { HERE, presentMigrations, releases } from './release-files.js';

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

await makeOriginal(server);
const database = await aFreshDatabase();
const record = await makeRecord(version, database.url);
const options = ['--inserts', '--rows-per-insert=1000', '--no-owner', '--no-privileges'];
const { stdout } = await promisify(execFile)('pg_dump', [...options, database.url], { maxBuffer: 2 ** 28 });
// Commands of psql, which a driver does not know.
const sql = stdout.replace(/^\\(?:un)?restrict .*\n/gm, '');
await writeFile(file('sql.gz'), gzipSync(sql, { level: 9 }));
await writeFile(file('record.json.gz'), gzipSync(JSON.stringify(record), { level: 9 }));
await writeFile(file('migrations.json'), `${JSON.stringify(await presentMigrations(), null, 2)}\n`);
await database.drop();
await onServer(server, `DROP DATABASE ${ORIGINAL}`);
