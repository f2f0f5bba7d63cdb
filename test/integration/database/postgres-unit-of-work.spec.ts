import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../../src/platform/database/data-source.js';
import { PostgresUnitOfWork } from '../../../src/platform/database/transactions/postgres-unit-of-work.js';
import { aFreshDatabase } from '../../support/database/fresh-database.js';
import { TcpRelay } from '../../support/database/tcp-relay.js';

describe('PostgresUnitOfWork', () => {
  let database: Awaited<ReturnType<typeof aFreshDatabase>>;
  let dataSource: DataSource;
  let work: PostgresUnitOfWork;

  beforeAll(async () => {
    database = await aFreshDatabase();
    dataSource = await createDataSource(database.url, []).initialize();
    await dataSource.query('CREATE TABLE notes (text text PRIMARY KEY)');
    work = new PostgresUnitOfWork(dataSource);
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  beforeEach(() => dataSource.query('TRUNCATE notes'));

  const write = (text: string) => work.manager.query('INSERT INTO notes VALUES ($1)', [text]);

  /** The rows visible outside of the unit of work. */
  async function committed(): Promise<string[]> {
    const rows = await dataSource.query<{ text: string }[]>('SELECT text FROM notes ORDER BY text');
    return rows.map(({ text }) => text);
  }

  it('commits its writes together, and returns its result', async () => {
    const result = await work.run(async () => {
      await write('a');
      await write('b');
      expect(await committed()).toEqual([]);
      return 'done';
    });
    expect(result).toBe('done');
    expect(await committed()).toEqual(['a', 'b']);
  });

  it('rolls back all writes when it throws, and rethrows', async () => {
    const failure = new Error('no');
    const run = work.run(async () => {
      await write('a');
      throw failure;
    });
    await expect(run).rejects.toBe(failure);
    expect(await committed()).toEqual([]);
  });

  it('joins a nested unit: the outer one commits both', async () => {
    const run = work.run(async () => {
      await work.run(() => write('inner'));
      expect(await committed()).toEqual([]);
      throw new Error('no');
    });
    await expect(run).rejects.toThrow('no');
    expect(await committed()).toEqual([]);

    await work.run(async () => {
      await write('outer');
      await work.run(() => write('inner'));
    });
    expect(await committed()).toEqual(['inner', 'outer']);
  });

  it('isolates concurrent units', async () => {
    let release = (): void => undefined;
    const bothWritten = new Promise<void>((resolve) => (release = resolve));
    let written = 0;
    const unit = (text: string, fail: boolean) =>
      work.run(async () => {
        await write(text);
        if (++written === 2) release();
        await bothWritten;
        const seen = await work.manager.query<{ text: string }[]>('SELECT text FROM notes');
        expect(seen).toEqual([{ text }]);
        if (fail) throw new Error('no');
      });
    const [kept, undone] = await Promise.allSettled([unit('kept', false), unit('undone', true)]);
    expect([kept.status, undone.status]).toEqual(['fulfilled', 'rejected']);
    expect(await committed()).toEqual(['kept']);
  });

  it('keeps a unit in its transaction when others begin and end beside it', async () => {
    const failure = new Error('no');
    const long = work.run(async () => {
      await write('long');
      for (const text of ['a', 'b', 'c']) {
        await other(text);
        await write(`after ${text}`);
      }
      throw failure;
    });
    const other = (text: string) => work.runInNew(() => write(text));
    await expect(long).rejects.toBe(failure);
    expect(await committed()).toEqual(['a', 'b', 'c']);
  });

  it('uses the pool outside of a unit, also after one has ended', async () => {
    await write('before');
    await work.run(() => write('inside'));
    await write('after');
    expect(await committed()).toEqual(['after', 'before', 'inside']);
  });

  describe('afterCommit', () => {
    it('calls back in order after the outermost commit', async () => {
      const calls: (string | string[])[] = [];
      await work.run(async () => {
        await work.run(async () => {
          await write('a');
          work.afterCommit(() => calls.push('inner'));
        });
        expect(calls).toEqual([]);
        work.afterCommit(() => calls.push('outer'));
      });
      expect(calls).toEqual(['inner', 'outer']);
    });

    it('calls back when others can see the writes', async () => {
      let seen: Promise<string[]> | undefined;
      await work.run(async () => {
        await write('a');
        work.afterCommit(() => {
          seen = committed();
        });
      });
      expect(await seen).toEqual(['a']);
    });

    it('never calls back after a rollback', async () => {
      const calls: string[] = [];
      const run = work.run(async () => {
        work.afterCommit(() => calls.push('called'));
        throw new Error('no');
      });
      await expect(run).rejects.toThrow('no');
      expect(calls).toEqual([]);
    });

    it('never calls back when the commit fails', async () => {
      await dataSource.query('CREATE TABLE parents (id integer PRIMARY KEY)');
      await dataSource.query(
        'CREATE TABLE children (parent integer REFERENCES parents DEFERRABLE INITIALLY DEFERRED)',
      );
      const calls: string[] = [];
      const run = work.run(async () => {
        work.afterCommit(() => calls.push('called'));
        await work.manager.query('INSERT INTO children VALUES (1)');
      });
      await expect(run).rejects.toThrow('foreign key');
      expect(calls).toEqual([]);
    });

    it('never calls back for a part that was taken back, and does for the others', async () => {
      const calls: string[] = [];
      await work.run(async () => {
        work.afterCommit(() => calls.push('before'));
        const part = work.runPart(() => {
          work.afterCommit(() => calls.push('part'));
          return Promise.reject(new Error('no'));
        });
        await expect(part).rejects.toThrow('no');
        await work.runPart(async () => {
          await write('a');
          work.afterCommit(() => calls.push('next part'));
        });
      });
      expect(calls).toEqual(['before', 'next part']);
      expect(await committed()).toEqual(['a']);
    });

    it('calls back at once outside of a unit', () => {
      const calls: string[] = [];
      work.afterCommit(() => calls.push('called'));
      expect(calls).toEqual(['called']);
    });
  });

  it('fails when its server does not answer, and leaves no connection behind that others would wait for', async () => {
    const { relay, url } = await TcpRelay.to(database.url);
    const source = await createDataSource(url, [], 1, 1_000).initialize();
    const silenced = new PostgresUnitOfWork(source);
    const unit = silenced.run(async () => {
      await silenced.manager.query('SELECT 1');
      relay.stall();
      await silenced.manager.query('SELECT 1');
    });
    await expect(unit).rejects.toThrow('Connection terminated');
    expect(await silenced.manager.query('SELECT 1 AS answer')).toEqual([{ answer: 1 }]);
    relay.stall();
    await expect(silenced.manager.query('SELECT 1')).rejects.toThrow('Connection terminated');
    expect(await silenced.run(() => silenced.manager.query('SELECT 2 AS answer'))).toEqual([{ answer: 2 }]);
    await source.destroy();
    await relay.close();
  });
});
