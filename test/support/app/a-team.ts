import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { JoinedResponse } from '../../../src/modules/accounts/accounts/invites/joining.dto.js';
import type { TestApp } from './app.js';

/** A team with a key for each role, a service key and a test key. */
export interface TestTeam {
  id: string;
  owner: string;
  admin: string;
  member: string;
  service: string;
  test: string;
  account: NewAccount;
  members: Record<'owner' | 'admin' | 'member', string>;
}

/** Creates the team through the API. */
export async function aTeam(app: TestApp, tier = 'unlimited'): Promise<TestTeam> {
  const account = await app.anAccount(tier);
  const owner = account.liveKey;
  const join = async (role: 'admin' | 'member'): Promise<{ key: string; memberId: string }> => {
    const guest = await app.anAccount();
    const invite = await made(app.post('/v1/team/invites', owner).send({ email: guest.user.email, role }));
    const accepted = await app.post('/v1/invites/accept', guest.liveKey).send({ token: invite.token });
    const { member, key } = accepted.body as JoinedResponse;
    return { key: key?.key ?? '', memberId: member.id };
  };
  const admin = await join('admin');
  const member = await join('member');
  const service = await made(app.post('/v1/keys', owner).send({ name: 'service', service: true }));
  const team = (await app.get('/v1/team', owner)).body as { members: { id: string; role: string }[] };
  return {
    id: account.team.id,
    owner,
    admin: admin.key,
    member: member.key,
    service: service.key ?? '',
    test: account.testKey,
    account,
    members: {
      owner: team.members.find(({ role }) => role === 'owner')?.id ?? '',
      admin: admin.memberId,
      member: member.memberId,
    },
  };
}

async function made(
  request: ReturnType<TestApp['post']>,
): Promise<{ id: string; token?: string; key?: string }> {
  const answer = await request;
  if (answer.status !== 201) throw new Error(`not made: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body as { id: string };
}
