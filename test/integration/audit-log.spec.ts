import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { newId } from '../../src/kernel/ids.js';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { PostgresAuditLog } from '../../src/platform/database/postgres-audit-log.js';
import { PostgresUnitOfWork } from '../../src/platform/database/postgres-unit-of-work.js';
import { requestContexts } from '../../src/platform/telemetry/request-context.js';
import { aFreshDatabase } from '../support/database/fresh-database.js';
import { AdjustableClock } from '../support/time/adjustable-clock.js';

describe('the audit log', () => {
  let database: Awaited<ReturnType<typeof aFreshDatabase>>;
  let dataSource: DataSource;
  let work: PostgresUnitOfWork;
  let audit: PostgresAuditLog;
  let teamId: string;

  beforeAll(async () => {
    database = await aFreshDatabase();
    dataSource = await createDataSource(database.url, []).initialize();
    await migrate(dataSource);
    work = new PostgresUnitOfWork(dataSource);
    audit = new PostgresAuditLog(work, new AdjustableClock());
  });
  beforeEach(() => {
    teamId = newId('team');
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const entry = (action: string) => ({
    action,
    teamId,
    target: { type: 'invite', id: 'inv_1' },
    details: { role: 'admin' },
  });
  const rows = () =>
    dataSource.query<Record<string, unknown>[]>('SELECT * FROM audit_log WHERE team_id = $1 ORDER BY seq', [
      teamId,
    ]);

  it.each(['UPDATE audit_log SET action = $$x$$', 'DELETE FROM audit_log', 'TRUNCATE audit_log'])(
    'refuses %s, even by its owner',
    async (statement) => {
      await audit.record(entry('invite.created'));
      await expect(dataSource.query(statement)).rejects.toThrow('append-only');
      await expect(
        dataSource.query(`${statement.replace(/^(UPDATE|DELETE).*$/, '$& WHERE false')}`),
      ).rejects.toThrow('append-only');
      expect(await rows()).toHaveLength(1);
    },
  );

  it('records the actor, the address and the request id', async () => {
    const principal = {
      keyId: 'key_1',
      userId: 'usr_1',
      teamId,
      mode: 'live' as const,
      role: 'owner' as const,
      tier: 'free',
      rules: { roleIsRisky: false, retentionDays: 7 },
      expiresAt: null,
      publishable: null,
    };
    await requestContexts.run({ requestId: 'req-1', ip: '192.0.2.7', principal }, () =>
      audit.record(entry('invite.created')),
    );
    expect(await rows()).toMatchObject([
      {
        action: 'invite.created',
        target_type: 'invite',
        target_id: 'inv_1',
        details: { role: 'admin' },
        actor_user_id: 'usr_1',
        actor_key_id: 'key_1',
        ip: '192.0.2.7',
        request_id: 'req-1',
      },
    ]);
  });

  it('accepts an entry without an actor outside of a request', async () => {
    await audit.record(entry('invite.created'));
    expect(await rows()).toMatchObject([
      { actor_user_id: null, actor_key_id: null, ip: null, request_id: null },
    ]);
  });

  it('has no entry of an action that was rolled back', async () => {
    const undone = work.run(async () => {
      await audit.record(entry('invite.created'));
      throw new Error('no');
    });
    await expect(undone).rejects.toThrow('no');
    expect(await rows()).toEqual([]);
  });

  it('outlives the team, and keeps its order', async () => {
    await dataSource.query(
      `INSERT INTO teams (id, name, base_tier, created_at) VALUES ($1, 'A team', 'free', now())`,
      [teamId],
    );
    for (const action of ['invite.created', 'invite.revoked', 'team.deleted'])
      await audit.record(entry(action));
    await dataSource.query('DELETE FROM teams WHERE id = $1', [teamId]);
    expect((await rows()).map(({ action }) => action)).toEqual([
      'invite.created',
      'invite.revoked',
      'team.deleted',
    ]);
  });
});
