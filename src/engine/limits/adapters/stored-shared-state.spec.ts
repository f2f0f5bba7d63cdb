import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../../test/support/time/fake-clock.js';
import { SharedStateStore, type SharedPage } from '../shared-state-store.js';
import { StoredSharedState } from './stored-shared-state.js';

/** Gives these pages, one after the other. */
class Pages extends SharedStateStore {
  readonly cursors: (string | null)[] = [];

  constructor(private readonly pages: (SharedPage | Error)[]) {
    super();
  }

  async exchange(_process: string, _entries: unknown, cursor: string | null): Promise<SharedPage> {
    this.cursors.push(cursor);
    const page = this.pages.shift() ?? { entries: [], cursor: 'end', isLast: true };
    if (page instanceof Error) throw page;
    return page;
  }

  deleteExpired = () => Promise.resolve(0);
}

const entry = (key: string) =>
  ({ kind: 'catch_all', key, value: 'yes', ttlMs: 1_000, ageMs: 0, version: key }) as const;

function stateOver(...pages: (SharedPage | Error)[]) {
  const store = new Pages(pages);
  const changes: unknown[] = [];
  const onChange = (error: unknown) => changes.push(error);
  const state = new StoredSharedState({ store, process: 'a', clock: new FakeClock(), onChange });
  return { state, store, changes };
}

describe('the exchange of shared state', () => {
  it('delivers the entries behind one that a listener fails for, and reports the failure', async () => {
    const entries = [entry('bad'), entry('good')];
    const { state, store, changes } = stateOver({ entries, cursor: 'one', isLast: true });
    const seen: string[] = [];
    state.subscribe('catch_all', ({ key }) => {
      if (key === 'bad') throw new TypeError('a bug');
      seen.push(key);
    });
    await state.exchange();
    expect([seen, changes]).toEqual([['good'], [expect.any(Error)]]);
    await state.exchange();
    expect(store.cursors).toEqual([null, 'one']);
    expect(changes.at(-1)).toBeNull();
  });

  it('reports when the store fails and when it responds again, once each', async () => {
    const lost = new Error('lost');
    const { state, changes } = stateOver(lost, lost);
    for (let n = 0; n < 4; n += 1) await state.exchange();
    expect(changes).toEqual([lost, null]);
  });
});
