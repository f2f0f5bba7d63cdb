import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { anApp, type TestApp } from '../support/app/app.js';
import { grow, GROWING_TABLES, growTeam, sweep, sweepAll } from '../support/database/growing-tables.js';

/** The statement timeout is 10 s as in production; a longer statement fails its test. */
const ROWS = Number(process.env.CHAOS_ROWS ?? 1_000_000);
/** Timeout for inserting the rows, which is not part of the test. */
const AT_ONCE = 100_000;
const PATIENCE_MS = 600_000;
const ERASURE = 'delete rows of deleted subjects';

describe(`${ROWS} rows in each table that grows`, () => {
  let app: TestApp;
  const figures: string[] = [];
  beforeAll(async () => {
    app = await anApp();
  });
  afterAll(async () => {
    console.info(figures.join('\n'));
    await app.stop();
  });

  const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const result = await work();
    figures.push(`${what}: ${((performance.now() - start) / 1_000).toFixed(2)} s`);
    return result;
  };

  it.each(GROWING_TABLES)(
    'in $table are deleted, and no statement times out',
    async (growing) => {
      for (let part = 0; part < ROWS / AT_ONCE; part++)
        await grow(app, growing, AT_ONCE, growing.keptDays + 2 + part);
      await grow(app, growing, 1_000, 0);
      const deleted = await timed(growing.table, () => sweepAll(app, growing.sweep));
      expect(deleted).toBe(ROWS);
    },
    PATIENCE_MS,
  );

  it(
    'of one team: its deletion is answered at once, and all of it is erased',
    async () => {
      const { team, liveKey } = await app.anAccount();
      const made = await app.post('/v1/webhooks', liveKey).send({ url: 'https://hooks.example.org/' });
      const webhook = (made.body as { id: string }).id;
      for (let from = 0; from < ROWS; from += AT_ONCE / 4)
        await growTeam(app, team.id, webhook, AT_ONCE / 4, from);
      const answer = await timed('DELETE /v1/team', async () => app.delete('/v1/team', liveKey));
      expect(answer.status).toBe(204);
      const dataSource = app.service.app.get(DataSource);
      let deleted = 0;
      await timed('erasure of the team', async () => {
        while (deleted < 4 * ROWS) {
          deleted += await sweep(app, ERASURE);
          await dataSource.query('UPDATE erasures SET due_at = now()');
        }
      });
      expect(deleted).toBe(4 * ROWS);
    },
    PATIENCE_MS,
  );
});
