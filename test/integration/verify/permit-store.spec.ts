import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  PERMIT_TIMES,
  type PermitGrant,
  type PermitRequest,
  type PermitStore,
} from '../../../src/engine/limits/permit-store.js';
import { SharedDatabase } from '../../support/smtp/shared-database.js';

const TIMES = { ttlMs: 400, renewalMs: 100, turnMs: 150, closingMs: 100 };
let providers = 0;

describe('permits', () => {
  const stores = new SharedDatabase();
  let store: PermitStore;
  let brief: PermitStore;

  beforeAll(async () => {
    await stores.start();
    store = await stores.connect(PERMIT_TIMES);
    brief = await stores.connect(TIMES);
  });
  afterAll(() => stores.drop());

  /** One provider with a limit; asks for a process that holds and wants so many connections. */
  function aProvider(limit: number, at = store, egress = 'direct') {
    const provider = `provider${(providers += 1)}.test`;
    return async (process: string, held: number, wanted: number, more: Partial<PermitRequest> = {}) => {
      const request = {
        egress,
        provider,
        held,
        open: held,
        wanted,
        queued: 0,
        blockedBy: null,
        limit,
        isLearned: false,
        ...more,
      };
      const [grant] = await at.sync(process, [request]);
      return grant as PermitGrant;
    };
  }

  it('are granted to one process up to the limit', async () => {
    const ask = aProvider(4);
    expect(await ask('a', 0, 2)).toEqual({
      granted: 2,
      others: 0,
      othersHeld: 0,
      contended: false,
      processes: 1,
      total: 4,
    });
    expect(await ask('a', 2, 9)).toMatchObject({ granted: 4 });
  });

  it('are divided fairly, after the process with more has closed the connections above its share', async () => {
    const ask = aProvider(4);
    await ask('a', 0, 4);
    expect(await ask('b', 0, 4)).toMatchObject({ granted: 0, processes: 2 });
    expect(await ask('a', 4, 4)).toMatchObject({ granted: 2, contended: true });
    expect(await ask('b', 0, 4)).toMatchObject({ granted: 0, others: 4 });
    await ask('a', 3, 4);
    expect(await ask('b', 0, 4)).toMatchObject({ granted: 1 });
    await ask('a', 2, 4);
    expect(await ask('b', 1, 4)).toMatchObject({ granted: 2 });
    expect(await ask('a', 2, 4)).toMatchObject({ granted: 2 });
  });

  it('are granted to others if a process does not use its share', async () => {
    const ask = aProvider(5);
    expect(await ask('a', 0, 1)).toMatchObject({ granted: 1 });
    expect(await ask('b', 0, 5)).toMatchObject({ granted: 4 });
    expect(await ask('c', 0, 1)).toMatchObject({ granted: 0 });
    expect(await ask('b', 4, 5)).toMatchObject({ granted: 3 });
  });

  it('of one egress do not count for another', async () => {
    const [direct, other] = [aProvider(2), aProvider(2, store, 'bind')];
    await direct('a', 0, 2);
    expect(await other('b', 0, 2)).toMatchObject({ granted: 2, processes: 1 });
  });

  it('respect the lowest limit that a process has observed', async () => {
    const ask = aProvider(4);
    await ask('a', 0, 2, { limit: 2 });
    expect(await ask('b', 0, 4)).toMatchObject({ granted: 0 });
  });

  it('of a process that does not renew them expire by the clock of the store', async () => {
    const ask = aProvider(2, brief);
    await ask('a', 0, 2);
    expect(await ask('b', 0, 2)).toMatchObject({ granted: 0 });
    await pause(TIMES.ttlMs);
    expect(await ask('c', 0, 2)).toMatchObject({ granted: 2, processes: 1 });
  });

  it('are passed on when there are more processes than connections', async () => {
    const ask = aProvider(1, brief);
    await ask('a', 0, 1);
    await ask('b', 0, 1);
    await ask('c', 0, 1);
    expect(await ask('a', 1, 1)).toMatchObject({ granted: 1 });
    await pause(TIMES.turnMs);
    expect(await ask('a', 1, 1)).toMatchObject({ granted: 0 });
    expect(await ask('a', 0, 1)).toMatchObject({ granted: 0 });
    expect(await ask('c', 0, 1)).toMatchObject({ granted: 0 });
    expect(await ask('b', 0, 1)).toMatchObject({ granted: 1 });
  });

  it('of many providers are requested in one transaction of two statements', async () => {
    const before = [stores.requests, stores.statements];
    const requests = Array.from({ length: 100 }, (_, n) => ({
      egress: 'direct',
      provider: `many${n}.test`,
      held: 0,
      open: 0,
      wanted: n % 5,
      queued: 0,
      blockedBy: null,
      limit: 4,
      isLearned: false,
    }));
    const grants = await store.sync('a', requests);
    expect(grants.map(({ granted }) => granted)).toEqual(requests.map(({ wanted }) => wanted));
    const [transactions = 0, statements = 0] = before;
    expect(stores.requests - transactions).toBe(1);
    // With the begin and the end of the transaction.
    expect(stores.statements - statements).toBe(4);
  });

  it('never exceed the limit while many processes acquire and release them concurrently', async () => {
    const limit = 5;
    const ask = aProvider(limit);
    const held = new Map<string, number>();
    let most = 0;
    await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (process) => {
        for (let round = 0; round < 40; round++) {
          const before = held.get(process) ?? 0;
          const { granted } = await ask(process, before, randomInt(6));
          held.set(process, granted);
          most = Math.max(
            most,
            [...held.values()].reduce((sum, n) => sum + n),
          );
        }
      }),
    );
    expect(most).toBe(limit);
  });
});
