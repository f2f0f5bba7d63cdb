import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import supertest, { type Response } from 'supertest';
import { newId } from '../../../src/kernel/ids.js';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { joinTeam, undispatchedEventsOf, rowsOf, type TestMember } from '../../support/app/joins.js';

/** Longer than a process caches a key. */
const FORGOTTEN_MS = 5_000;

/** Under any concurrent changes a team has exactly one owner. */
describe('one owner', () => {
  let app: TestApp;
  let owner: NewAccount;
  let ownerId: string;
  let members: TestMember[];

  beforeAll(async () => {
    app = await anApp();
  });
  beforeEach(async () => {
    owner = await app.anAccount();
    members = [];
    for (const role of ['admin', 'admin', 'member', 'member', 'member'] as const) {
      members.push(await joinTeam(app, owner, role));
    }
    [{ id: ownerId } = { id: '' }] = await rowsOf<{ id: string }>(
      app,
      `SELECT id FROM members WHERE team_id = $1 AND role = 'owner'`,
      [owner.team.id],
    );
  });
  afterAll(() => app.stop());

  const change = (id: string, role: string, key = owner.liveKey): Promise<Response> =>
    supertest(app.url).patch(`/v1/team/members/${id}`).set('Authorization', `Bearer ${key}`).send({ role });
  const remove = async (id: string, key = owner.liveKey): Promise<Response> =>
    app.delete(`/v1/team/members/${id}`, key);
  const count = (answers: Response[], status: number) =>
    answers.filter((answer) => answer.status === status).length;
  const owners = () =>
    rowsOf<{ id: string }>(app, `SELECT id FROM members WHERE team_id = $1 AND role = 'owner'`, [
      owner.team.id,
    ]);

  it('of concurrent transfers to five members one succeeds, and the others fail', async () => {
    const answers = await Promise.all(members.map(({ id }) => change(id, 'owner')));
    expect([count(answers, 200), count(answers, 403)]).toEqual([1, 4]);
    const winner = members[answers.findIndex(({ status }) => status === 200)];
    expect(await owners()).toEqual([{ id: winner?.id }]);
  });

  it('of a transfer to a member and the removal of that member one succeeds', async () => {
    for (const heir of members.slice(2)) {
      const [handed, removed] = await Promise.all([change(heir.id, 'owner'), remove(heir.id, heir.key)]);
      const outcome = [handed?.status, removed?.status];
      expect([
        [200, 400],
        [404, 204],
      ]).toContainEqual(outcome);
      expect(await owners()).toEqual([{ id: handed?.status === 200 ? heir.id : ownerId }]);
      if (handed?.status !== 200) continue;
      app.clock.advance(FORGOTTEN_MS);
      expect((await change(ownerId, 'owner', heir.key)).status).toBe(200);
      app.clock.advance(FORGOTTEN_MS);
    }
  });

  it('concurrent transfers, removals, demotions and departures never leave none or two', async () => {
    const [first, second, third] = members as [TestMember, TestMember, TestMember];
    await Promise.all([
      change(first.id, 'owner'),
      change(second.id, 'owner'),
      change(ownerId, 'member'),
      remove(ownerId),
      remove(ownerId, first.key),
      remove(first.id, second.key),
      remove(second.id, first.key),
      remove(third.id, third.key),
      change(third.id, 'admin'),
    ]);
    expect(await owners()).toHaveLength(1);
  });

  it('a member removed by many requests is removed once, with one event', async () => {
    const [leaver] = members.slice(-1) as [TestMember];
    const answers = await Promise.all(Array.from({ length: 20 }, () => remove(leaver.id)));
    expect([count(answers, 204), count(answers, 404)]).toEqual([1, 19]);
    const news = await undispatchedEventsOf(app, owner.team.id);
    expect(news.filter(({ type }) => type === 'member.removed')).toHaveLength(1);
  });

  it('a team deleted while users join and leave is deleted, without internal errors', async () => {
    const made = await app.post('/v1/team/invites', owner.liveKey).send({ email: 'late@example.com' });
    const { token } = made.body as { token: string };
    const guests = await Promise.all(Array.from({ length: 5 }, () => app.anAccount()));
    const answers = await Promise.all([
      ...guests.map(async ({ liveKey }) => app.post('/v1/invites/accept', liveKey).send({ token })),
      ...members.map(({ id, key }) => remove(id, key)),
      (async () => app.delete('/v1/team', owner.liveKey))(),
    ]);
    expect(answers.every(({ status }) => [200, 204, 401, 404].includes(status))).toBe(true);
    expect(await rowsOf(app, 'SELECT 1 FROM members WHERE team_id = $1', [owner.team.id])).toEqual([]);
    const ids = guests.map(({ user }) => user.id);
    expect(await rowsOf(app, 'SELECT 1 FROM users WHERE id = ANY($1)', [ids])).toHaveLength(5);
  });

  it('a user who joins another team while their own is deleted is kept', async () => {
    const other = await app.anAccount();
    const joining = app.service.app.get(DataSource).createQueryRunner();
    await joining.startTransaction();
    await joining.query(
      `INSERT INTO members (id, team_id, user_id, role, joined_at) VALUES ($1, $2, $3, 'member', now())`,
      [newId('mem'), other.team.id, owner.user.id],
    );
    const deletion = app.delete('/v1/team', owner.liveKey).then(({ status }) => status);
    const waits = `SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE NOT granted AND datname = current_database()`;
    while ((await rowsOf(app, waits)).length === 0);
    await joining.commitTransaction();
    await joining.release();
    expect(await deletion).toBe(204);
    expect(await rowsOf(app, 'SELECT team_id FROM members WHERE user_id = $1', [owner.user.id])).toEqual([
      { team_id: other.team.id },
    ]);
  });

  it('a user of two teams deleted concurrently is deleted with the second', async () => {
    const [member] = members as [TestMember];
    const answers = await Promise.all([
      app.delete('/v1/team', owner.liveKey),
      app.delete('/v1/team', member.account.liveKey),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
    expect(await rowsOf(app, 'SELECT 1 FROM users WHERE id = $1', [member.userId])).toEqual([]);
  });
});
