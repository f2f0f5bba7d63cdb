import { DataSource } from 'typeorm';
import { ApiKeysService } from '../../../src/modules/identity/api-keys/api-keys.service.js';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { JoinedResponse } from '../../../src/modules/accounts/accounts/invites/joining.dto.js';
import type { TestApp } from './app.js';

/** A user who joined a team in addition to their own. */
export interface TestMember {
  id: string;
  userId: string;
  email: string;
  /** Key of the joined team. */
  key: string;
  /** Key of their own team, with the role owner. */
  account: NewAccount;
}

/** Invites a new user, who accepts and gets a key of the team. */
export async function joinTeam(
  app: TestApp,
  team: NewAccount,
  role: 'admin' | 'member' = 'member',
): Promise<TestMember> {
  const account = await app.anAccount();
  const { email, id: userId } = account.user;
  const invite = await app.post('/v1/team/invites', team.liveKey).send({ email, role });
  const { token } = invite.body as { token: string };
  const accepted = await app.post('/v1/invites/accept', account.liveKey).send({ token });
  const { member, key } = accepted.body as JoinedResponse;
  return { id: member.id, userId, email, key: key?.key ?? '', account };
}

/** @param userId null: a service key. */
export async function aKeyOf(app: TestApp, { team }: NewAccount, userId: string | null): Promise<string> {
  const keys = app.service.app.get(ApiKeysService, { strict: false });
  const { secret } = await keys.issue({ teamId: team.id, userId, name: 'a key', mode: 'live' });
  return secret;
}

/** Rows of the database. */
export function rowsOf<T>(app: TestApp, sql: string, parameters: unknown[] = []): Promise<T[]> {
  return app.service.app.get(DataSource).query<T[]>(sql, parameters);
}

/** Undispatched events of a team: type and data, in order. */
export function undispatchedEventsOf(
  app: TestApp,
  teamId: string,
): Promise<{ type: string; data: unknown }[]> {
  return rowsOf(app, 'SELECT type, data FROM outbox WHERE team_id = $1 ORDER BY occurred_at, id', [teamId]);
}

/** Actions in the audit log of a team, in order. */
export async function auditActionsOf(app: TestApp, teamId: string): Promise<string[]> {
  const rows = await rowsOf<{ action: string }>(
    app,
    'SELECT action FROM audit_log WHERE team_id = $1 ORDER BY seq',
    [teamId],
  );
  return rows.map(({ action }) => action);
}
