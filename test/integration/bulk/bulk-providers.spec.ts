import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { ListId } from '../../../src/kernel/ids.js';
import {
  ChunkRepository,
  type LeasedChunk,
} from '../../../src/modules/lists/bulk/domain/chunk.repository.js';
import { ListRepository } from '../../../src/modules/lists/bulk/domain/list.repository.js';
import { CatchAllCache } from '../../../src/engine/catch-all.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, claimNext, jobOf, resultsOf, verifyOn } from '../../support/app/bulk.js';

const HOSTS = { google: 'aspmx.l.google.com', microsoft: 'corp.mail.protection.outlook.com' };
const DOMAINS = 200;
const domainsOf = (kind: string) => Array.from({ length: DOMAINS }, (_, n) => `${kind}${n}.rcpt-test.net`);

/** Ten addresses of each domain: four chunks of each provider, and eight of unknown domains; every tenth row is a duplicate. */
const LIST = ['google', 'unknown', 'microsoft', 'other'].flatMap((kind) =>
  domainsOf(kind).flatMap((domain) => Array.from({ length: 11 }, (_, n) => `person${n % 10}@${domain}`)),
);
const ADDRESSES = 8_000;

const kindOf = (email: string) => /@(\D+)\d/.exec(email)?.[1] ?? '';
const numberOf = (email: string) => Number(/@\D+(\d+)/.exec(email)?.[1]);
const providerOf = ({ servers }: LeasedChunk) => servers?.toString() ?? null;

describe('a list with domains of known providers', () => {
  let app: TestApp;
  let other: TestApp;
  let account: NewAccount;
  let job: { id: string; listId: ListId };
  beforeAll(async () => {
    app = await anApp();
    other = await anApp(app.shared);
    account = await app.anAccount();
    const known = app.service.app.get(CatchAllCache);
    for (const [kind, host] of Object.entries(HOSTS))
      for (const domain of domainsOf(kind)) known.set(domain, [{ host, preference: 10 }], 'no');
  });
  afterEach(() => app.delete(`/v1/bulk-jobs/${job.id}`, account.liveKey));
  afterAll(async () => {
    // The first one owns the database.
    await other.stop();
    await app.stop();
  });

  const query = <Row>(statement: string) =>
    app.service.app.get(DataSource).query<Row[]>(statement, [job.listId]);
  const submit = async (emails: readonly string[], key = account.liveKey) => {
    const { id } = await aBulkJob(app, key, emails);
    const statement = 'SELECT list AS "listId" FROM bulk_jobs WHERE id = $1';
    const [row] = await app.service.app.get(DataSource).query<{ listId: ListId }[]>(statement, [id]);
    job = { id, listId: row!.listId };
  };
  const claim = async (by: TestApp) => {
    const chunk = await claimNext(by);
    if (chunk === null) throw new Error('no chunk');
    return chunk;
  };

  it('has chunks of each provider, and every address in one chunk', async () => {
    await submit(LIST);
    const lists = app.service.app.get(ListRepository);
    const found: string[] = [];
    const sizes: Record<string, number[]> = {};
    for (let no = 0; no < 16; no++) {
      const chunk = await claim(app);
      const emails = (await lists.listAddresses(job.listId, chunk)).map(({ email }) => email);
      const kinds = [...new Set(emails.map(kindOf))].sort();
      const isOfProvider = kinds[0] === 'google' || kinds[0] === 'microsoft';
      expect([providerOf(chunk), kinds]).toEqual(
        isOfProvider ? [kinds[0], [kinds[0]]] : [null, ['other', 'unknown']],
      );
      // Its provider can have the next chunk.
      await app.service.app.get(ChunkRepository).advance(job.listId, [{ chunk, results: [], isLast: true }]);
      found.push(...emails);
      sizes[kinds.join()] = [...(sizes[kinds.join()] ?? []), emails.length];
    }
    const even = (chunks: number) => new Array<number>(chunks).fill(500);
    expect(sizes).toEqual({ google: even(4), microsoft: even(4), 'other,unknown': even(8) });
    expect([found.length, new Set(found)]).toEqual([ADDRESSES, new Set(LIST)]);
    expect(await claimNext(app)).toBeNull();
  });

  it('is verified by two workers with one result for each row', async () => {
    const list = LIST.filter((email) => numberOf(email) < DOMAINS / 2);
    await submit(list);
    expect(await query('SELECT FROM bulk_chunks WHERE list = $1 AND domains IS NOT NULL')).not.toEqual([]);
    await Promise.all([app, other, app, other].map((worker) => verifyOn(worker)));
    expect(await jobOf(app, account.liveKey, job.id)).toMatchObject({
      status: 'completed',
      unique: ADDRESSES / 2,
      processed: list.length,
      by_reason: { dns_error: list.length },
    });
    const rows = await resultsOf(app, account.liveKey, job.id);
    expect(rows.map(({ email }) => email)).toEqual(list);
    expect(rows.every(({ status }) => status === 'unknown')).toBe(true);
  });

  it('has two chunks of a provider verified by the process that began it, after the others', async () => {
    await submit(LIST);
    const claimed: LeasedChunk[] = [];
    for (let n = 0; n < 10; n++) claimed.push(await claim(app));
    const begun = claimed.map(providerOf).filter((provider) => provider !== null);
    expect(begun.sort()).toEqual(['google', 'microsoft']);
    const chunks = (by: TestApp) => by.service.app.get(ChunkRepository);
    expect(await claimNext(other)).toBeNull();
    const second = [await claim(app), await claim(app)];
    expect(second.map(providerOf).sort()).toEqual(['google', 'microsoft']);
    expect(await claimNext(app)).toBeNull();
    await chunks(app).advance(job.listId, [{ chunk: second[0]!, results: [], isLast: true }]);
    expect(await claimNext(other)).toBeNull();
    expect(providerOf(await claim(app))).toBe(providerOf(second[0]!));
  });

  it('is continued by another process when the one that began a provider has died', async () => {
    await submit(LIST.filter((email) => kindOf(email) === 'google'));
    await claim(app);
    expect(await claimNext(other)).toBeNull();
    await query(`UPDATE bulk_chunks SET leased_until = now() WHERE list = $1`);
    expect(providerOf(await claim(other))).toBe('google');
  });

  it.each([
    ['a test key', () => submit(LIST, account.testKey)],
    ['few addresses of each provider', () => submit(LIST.filter((_, n) => n % 5 === 0))],
  ])('has chunks of neighbouring domains with %s', async (_, submitted) => {
    await submitted();
    expect(await query('SELECT FROM bulk_chunks WHERE list = $1 AND domains IS NOT NULL')).toEqual([]);
    await app.delete(`/v1/bulk-jobs/${job.id}`, account.testKey);
  });
});
