import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SelfCheckRepository } from '../../../src/modules/operation/self-checks/domain/self-check.repository.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { rowsOf } from '../../support/app/joins.js';

const STARTED = new Date('2026-11-01T00:00:00Z');

let app: TestApp;
let checks: SelfCheckRepository;
beforeAll(async () => {
  app = await anApp();
  checks = app.service.app.get(SelfCheckRepository, { strict: false });
});
afterAll(() => app.stop());

it.each([
  ['right', 0],
  ['five minutes ahead', 5],
])(
  'a process whose clock is %s makes no checks that another makes, and makes them when that one has died',
  async (_, minutes) => {
    await rowsOf(app, 'DELETE FROM self_check_runs');
    const now = app.clock.now();
    expect(await checks.claim(now, STARTED)).toBe(true);
    const later = new Date(now.getTime() + minutes * 60_000);
    expect(await checks.claim(later, STARTED)).toBe(false);
    // The lease is by the clock of the database.
    await rowsOf(app, 'UPDATE self_check_runs SET leased_until = now()');
    expect(await checks.claim(later, STARTED)).toBe(true);
  },
);
