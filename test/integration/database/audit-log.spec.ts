import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import type { AuditFilter } from '../../../src/kernel/audit-log.js';
import { newId } from '../../../src/kernel/ids.js';
import type { Principal } from '../../../src/kernel/principal.js';
import { createDataSource } from '../../../src/platform/database/data-source.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { PostgresAuditLog } from '../../../src/platform/database/audit/postgres-audit-log.js';
import { PostgresUnitOfWork } from '../../../src/platform/database/transactions/postgres-unit-of-work.js';
import { requestContexts } from '../../../src/platform/telemetry/request-context.js';
import { aFreshDatabase } from '../../support/database/fresh-database.js';
import { AdjustableClock } from '../../support/time/adjustable-clock.js';
import { AuditLogRowSchema } from '../../../src/platform/database/audit/postgres-audit-log.schema.js';

describe('the audit log', () => {
  let database: Awaited<ReturnType<typeof aFreshDatabase>>;
  let dataSource: DataSource;
  let work: PostgresUnitOfWork;
  let audit: PostgresAuditLog;
  let clock: AdjustableClock;
  let teamId: string;

  beforeAll(async () => {
    database = await aFreshDatabase();
    dataSource = await createDataSource(database.url, [AuditLogRowSchema]).initialize();
    await migrate(dataSource);
    work = new PostgresUnitOfWork(dataSource);
    clock = new AdjustableClock();
    clock.stop();
    audit = new PostgresAuditLog(work, clock);
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
    const principal = principalOf(teamId);
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

  it('lists entries newest first, in pages, by team, actor, action and time', async () => {
    const other = newId('team');
    const all: AuditFilter = { teamId, actor: null, action: null, from: null, to: null };
    const actions = async (filter: Partial<AuditFilter>, limit = 100) =>
      (await audit.list({ ...all, ...filter }, { limit, after: null })).items.map(({ action }) => action);
    // Two in one millisecond, and one later.
    await audit.record(entry('invite.created'));
    await audit.record(entry('invite.revoked'));
    const later = new Date(clock.now().getTime() + 60_000);
    clock.advance(60_000);
    await requestContexts.run({ requestId: 'r', ip: '192.0.2.7', principal: principalOf(teamId) }, () =>
      audit.record(entry('key.created')),
    );
    await audit.record({ ...entry('team.deleted'), teamId: other });

    expect(await actions({})).toEqual(['key.created', 'invite.revoked', 'invite.created']);
    expect(await actions({ teamId: null }, 2)).toEqual(['team.deleted', 'key.created']);
    expect(await actions({ teamId: other })).toEqual(['team.deleted']);
    expect(await actions({ action: 'invite.revoked' })).toEqual(['invite.revoked']);
    expect(await actions({ actor: { userId: 'usr_1' } })).toEqual(['key.created']);
    expect(await actions({ actor: { keyId: 'key_1' } })).toEqual(['key.created']);
    expect(await actions({ actor: { keyId: 'key_2' } })).toEqual([]);
    expect(await actions({ from: later })).toEqual(['key.created']);
    expect(await actions({ to: later })).toEqual(['invite.revoked', 'invite.created']);

    const first = await audit.list(all, { limit: 2, after: null });
    const second = await audit.list(all, { limit: 2, after: first.next });
    expect(second).toMatchObject({ items: [{ action: 'invite.created' }], next: null });
    expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(3);
    expect(first.items[0]).toEqual({
      id: expect.stringMatching(/^aud_/),
      at: later,
      action: 'key.created',
      teamId,
      target: { type: 'invite', id: 'inv_1' },
      details: { role: 'admin' },
      actor: { userId: 'usr_1', keyId: 'key_1', networkAddress: '192.0.2.7' },
      requestId: 'r',
    });
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

function principalOf(teamId: string): Principal {
  return {
    keyId: 'key_1',
    userId: 'usr_1',
    teamId,
    mode: 'live',
    role: 'owner',
    tier: 'free',
    rules: { roleIsRisky: false, retentionDays: 7 },
    expiresAt: null,
    scopes: ['all'],
    allowedCidrs: null,
    publishable: null,
  };
}
