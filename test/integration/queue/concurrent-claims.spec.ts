import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { Clock } from '../../../src/kernel/clock.js';
import type { TeamWork } from '../../../src/kernel/queue/team-work.js';
import { PreviewCounts } from '../../../src/engine/list-preview.js';
import { PostgresPreviewRepository } from '../../../src/modules/lists/bulk/adapters/postgres-preview.repository.js';
import { PostgresScheduleRunRepository } from '../../../src/modules/lists/schedules/adapters/postgres-schedule-run.repository.js';
import { PostgresRecheckRepository } from '../../../src/modules/verification/verification/adapters/postgres-recheck.repository.js';
import { PostgresUnitOfWork } from '../../../src/platform/database/transactions/postgres-unit-of-work.js';
import { SecretKeys } from '../../../src/platform/secrets/secret-keys.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { rowsOf } from '../../support/app/joins.js';

interface Limited {
  table: string;
  /** Units of a team at a time. */
  limit: number;
  unitsOf: (work: PostgresUnitOfWork, keys: SecretKeys, clock: Clock) => TeamWork<unknown>;
  /** Of the team $1, as many as $2. */
  insert: string;
}

/** Each table whose claims are limited for a team. */
const LIMITED: Limited[] = [
  {
    table: 'list_previews',
    limit: 1,
    unitsOf: (work) => new PostgresPreviewRepository(work),
    insert: `
      WITH jobs AS (
        INSERT INTO bulk_jobs (id, team_id, mode, state, refresh, total, empty, addresses, processed, verified, charged,
               by_reason, bounces, chunks_left, deferred_left, retention_days, created_at, touched_at)
        SELECT 'job_' || $1 || n, $1, 'live', 'held', false, 1, 0, 1, 0, 0, 0, '{}', '{}', 1, 0, 1, now(), now()
          FROM generate_series(1, $2::integer) AS n RETURNING list)
      INSERT INTO list_previews (list, team_id, held_at, counts)
      SELECT list, $1, now(), '${JSON.stringify(PreviewCounts.of([]))}' FROM jobs`,
  },
  {
    table: 'rechecks',
    limit: 16,
    unitsOf: (work, keys, clock) => new PostgresRecheckRepository(work, keys, clock),
    insert: `
      INSERT INTO rechecks (id, team_id, address_hash, address, reason, key_id, first_requested_at, due_at)
      SELECT 'chk_' || $1 || n, $1, sha256(n::text::bytea), 'unreadable', 'greylisted', 'key_1', now(), now() - interval '1 day'
        FROM generate_series(1, $2::integer) AS n`,
  },
  {
    table: 'schedule_runs',
    limit: 1,
    unitsOf: (work, _, clock) => new PostgresScheduleRunRepository(work, clock),
    insert: `
      INSERT INTO schedule_runs (id, schedule_id, team_id, state, created_at)
      SELECT 'run_' || $1 || n, 'sch_' || $1 || n, $1, 'queued', now() FROM generate_series(1, $2::integer) AS n`,
  },
];

describe.each(LIMITED)(
  'two processes that claim work of one team in $table',
  ({ limit, unitsOf, insert }) => {
    let app: TestApp;
    beforeAll(async () => {
      app = await anApp();
    });
    afterAll(() => app.stop());

    const isWaiting = async () => {
      const waiting = `SELECT 1 FROM pg_locks JOIN pg_database d ON d.oid = database AND d.datname = current_database()
                      WHERE locktype = 'advisory' AND NOT granted`;
      return (await rowsOf(app, waiting)).length > 0;
    };

    it('take the last place once, when neither has seen the other’s commit', async () => {
      const { team } = await app.anAccount();
      await rowsOf(app, insert, [team.id, limit + 2]);
      const aProcess = () => {
        const work = new PostgresUnitOfWork(app.service.app.get(DataSource));
        const units = unitsOf(work, app.service.app.get(SecretKeys), app.clock);
        return { work, claim: () => units.claim(team.id) };
      };
      const [first, second] = [aProcess(), aProcess()];
      for (let taken = 1; taken < limit; taken++) expect(await first.claim()).not.toBeNull();
      let hasEnded = false;
      let claiming: Promise<unknown> = Promise.resolve();
      await first.work.run(async () => {
        expect(await first.claim()).not.toBeNull();
        claiming = second.claim().finally(() => (hasEnded = true));
        while (!hasEnded && !(await isWaiting()));
      });
      expect(await claiming).toBeNull();
      expect(await first.claim()).toBeNull();
    });

    it('do not wait for claims of another team', async () => {
      const teams = [(await app.anAccount()).team.id, (await app.anAccount()).team.id] as const;
      for (const team of teams) await rowsOf(app, insert, [team, 1]);
      const work = new PostgresUnitOfWork(app.service.app.get(DataSource));
      const units = unitsOf(work, app.service.app.get(SecretKeys), app.clock);
      await work.run(async () => {
        expect(await units.claim(teams[0])).not.toBeNull();
        expect(await work.runInNew(() => units.claim(teams[1]))).not.toBeNull();
      });
    });
  },
);
