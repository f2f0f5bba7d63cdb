import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { emptyHeader, type ListPiece } from '../../../src/kernel/list-files/list-format.js';
import type { Principal } from '../../../src/kernel/principal.js';
import { UnitOfWork } from '../../../src/kernel/unit-of-work.js';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { TeamsService } from '../../../src/modules/identity/teams/team/teams.service.js';
import { HeldListsService } from '../../../src/modules/lists/bulk/intake/held-lists.service.js';
import { ListIntakeService } from '../../../src/modules/lists/bulk/intake/list-intake.service.js';
import { aBulkJob, aHeldJob } from '../../support/app/bulk.js';
import { ScheduleApp } from '../../support/schedules/schedule-app.js';

let world: ScheduleApp;
let account: NewAccount;
beforeAll(async () => {
  world = await ScheduleApp.start();
});
beforeEach(async () => {
  account = await world.app.anAccount();
});
afterAll(() => world.stop());

const serviceOf = <Service>(type: abstract new (...args: never[]) => Service): Service =>
  world.app.service.app.get<Service>(type);

async function callerOf({ team }: NewAccount): Promise<Principal> {
  const access = (await serviceOf(TeamsService).access(team.id, null))!;
  const key = { keyId: 'key', expiresAt: null, allowedCidrs: null, publishable: null, userId: null };
  return { ...access, ...key, mode: 'live', teamId: team.id, scopes: ['lists'] };
}

async function* piecesOf(emails: readonly string[]): AsyncGenerator<ListPiece> {
  yield await Promise.resolve({
    header: emptyHeader(),
    entries: emails.map((email) => ({ email, ref: null })),
  });
}

/** Each way by which a list is queued, at its last step. @returns undefined, or the code of the refusal. */
type Way = () => Promise<string | undefined>;

const codeOf = (outcome: Promise<unknown>) =>
  outcome.then(
    () => undefined,
    (error: unknown) => (error as { definition?: { code: string } }).definition?.code ?? String(error),
  );

/** A list whose rows have arrived. */
async function submitted(emails: readonly string[]): Promise<Way> {
  const intake = serviceOf(ListIntakeService);
  const pieces = piecesOf(emails);
  const list = await intake.receive(await callerOf(account), { pieces, options: {}, isHeld: false });
  return async () => {
    const caller = await callerOf(account);
    return codeOf(serviceOf(UnitOfWork).run(() => intake.accept(caller, list)));
  };
}

async function held(emails: readonly string[]): Promise<Way> {
  const { id } = await aHeldJob(world.app, account.liveKey, emails);
  return async () => codeOf(serviceOf(HeldListsService).start(await callerOf(account), id));
}

/** A run of a schedule, which waits with `queue_full` and is still queued. */
async function scheduled(emails: readonly string[]): Promise<Way> {
  const { url } = await world.aSource(['email', ...emails].join('\n'));
  const { id } = await world.aSchedule(account, { kind: 'url', url });
  await world.app.post(`/v1/schedules/${id}/run`, account.liveKey);
  return async () => {
    await world.advance();
    const [run] = await world.sql<{ state: string; failure: string | null; waits: boolean }>(
      'SELECT state, failure, leased_until > now() AS waits FROM schedule_runs WHERE schedule_id = $1',
      [id],
    );
    return run?.state === 'queued' && run.waits ? 'queue_full' : (run?.failure ?? undefined);
  };
}

const become = (tier: string) => serviceOf(TeamsService).setBaseTier(account.team.id, tier);
const fill = async (rows: number) => {
  const { id } = await aBulkJob(world.app, account.liveKey, ['no address']);
  await world.sql('UPDATE bulk_jobs SET total = $2 WHERE id = $1', [id, rows]);
};
const charged = () =>
  world.sql(`SELECT charge->>'units' AS units FROM bulk_jobs WHERE team_id = $1 AND charge IS NOT NULL`, [
    account.team.id,
  ]);
const addresses = (count: number) => Array.from({ length: count }, (_, n) => `a${n}@list.invalid`);

/** What has happened since the list arrived. */
const REFUSALS: [code: string, rows: number, happens: () => Promise<unknown>][] = [
  ['queue_full', 2, () => fill(5_000_000)],
  ['upgrade_required', 2, () => become('suspended')],
  ['bulk_too_large', 1_001, () => become('starter')],
  [
    'daily_quota_exceeded',
    2,
    async () => {
      await become('starter');
      await (
        await submitted(addresses(999))
      )();
    },
  ],
];

describe.each(REFUSALS)('a list is refused with %s', (code, rows, happens) => {
  it('whether it is submitted, held and started, or read by a schedule, and reserves nothing', async () => {
    const emails = addresses(rows);
    const ways = [await submitted(emails), await held(emails), await scheduled(emails)];
    await happens();
    const before = await charged();
    const refused = [];
    for (const way of ways) refused.push(await way());
    expect(refused).toEqual([code, code, code]);
    expect(await charged()).toEqual(before);
  });
});

it('a list that nothing is in the way of is queued in each of the three ways, with its units', async () => {
  for (const way of [submitted, held, scheduled]) expect(await (await way(addresses(2)))()).toBeUndefined();
  expect(await charged()).toEqual([{ units: '2' }, { units: '2' }, { units: '2' }]);
});
