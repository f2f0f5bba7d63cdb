import { DataSource } from 'typeorm';
import { ApiKeysService } from '../../src/modules/api-keys/api-keys.service.js';
import type { NewAccount } from '../../src/modules/accounts/accounts.service.js';
import type { JoinedResponse } from '../../src/modules/accounts/joining.dto.js';
import type { TestApp } from './app.js';

/** Somebody who joined a team beside the one of their own. */
export interface TestMember {
  id: string;
  userId: string;
  email: string;
  /** In the team that they joined. */
  key: string;
  /** Of their own team, in which they are the owner. */
  account: NewAccount;
}

/** Invites somebody new, who accepts and is given a key of the team. */
export async function joins(
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

/** What the database says, whatever the API shows of it. */
export function rowsOf<T>(app: TestApp, sql: string, parameters: unknown[] = []): Promise<T[]> {
  return app.service.app.get(DataSource).query<T[]>(sql, parameters);
}

/** News of a team that was published and not told yet, as type and data, in order. */
export function newsOf(app: TestApp, teamId: string): Promise<{ type: string; data: unknown }[]> {
  return rowsOf(app, 'SELECT type, data FROM outbox WHERE team_id = $1 ORDER BY occurred_at, id', [teamId]);
}

/** What was done in a team, in order. */
export async function actsOf(app: TestApp, teamId: string): Promise<string[]> {
  const rows = await rowsOf<{ action: string }>(
    app,
    'SELECT action FROM audit_log WHERE team_id = $1 ORDER BY seq',
    [teamId],
  );
  return rows.map(({ action }) => action);
}
