import { parseEmailAddress } from '../../engine/address/email-address.js';
import { itemsOf } from '../../kernel/page.js';
import { PersonErasureModule } from '../../modules/accounts/accounts/erasure/person-erasure.module.js';
import { PersonErasureService } from '../../modules/accounts/accounts/erasure/person-erasure.service.js';
import { TeamsModule } from '../../modules/identity/teams/teams.module.js';
import { UsersService, type User, type UserView } from '../../modules/identity/teams/users/users.service.js';
import { QueueModule } from '../../platform/queue/queue.module.js';
import { withDatabase } from '../database-context.js';
import { print, UsageError, type Format } from '../terminal.js';

export async function listUsers(options: Format): Promise<void> {
  await withDatabase([TeamsModule], async (services) => {
    const users: UserView[] = [];
    for await (const user of itemsOf((page) => services(UsersService).list(page))) users.push(user);
    print(options, users.map(toJson), () => users.map(toLine).join('\n') || 'no users');
  });
}

export async function confirmUser(id: string, options: Format): Promise<void> {
  await withDatabase([TeamsModule], async (services) => {
    const user = await services(UsersService).confirmAny(id);
    print(options, withoutTeams(user), () => `${user.email} (${user.id}) is confirmed.`);
  });
}

export async function changeAddress(id: string, text: string, options: Format): Promise<void> {
  const email = addressIn(text, 'EMAIL');
  await withDatabase([TeamsModule], async (services) => {
    const user = await services(UsersService).changeAddress(id, email);
    print(options, withoutTeams(user), () => `${user.id} has the address ${user.email} now, confirmed.`);
  });
}

export async function eraseUser(email: string, options: Format & { deleteTeams?: true }): Promise<void> {
  if (!/^[^@].*@[^@]+$/s.test(email) || email.length > 1_000)
    throw new UsageError('EMAIL must be an address');
  await withDatabase([QueueModule.forRoot(), PersonErasureModule], async (services) => {
    const person = await services(PersonErasureService).erase(email, options.deleteTeams === true);
    if ('owned' in person) throw ownsTeams(person.owned);
    const { runningJobs } = person;
    const erased = {
      users: person.users,
      teams_left: person.teamsLeft,
      teams_deleted: person.teamsDeleted,
      invites: person.invites,
      facts: person.facts,
      outcomes: person.outcomes,
      deferred_checks: person.deferredChecks,
      schedule_results: person.scheduled,
      list_rows: person.rows,
      running_jobs: runningJobs,
    };
    print(options, erased, () =>
      [
        `users            ${named(erased.users)}`,
        `teams left       ${named(erased.teams_left)}`,
        `teams deleted    ${named(erased.teams_deleted)}`,
        `invites          ${erased.invites}`,
        `facts            ${erased.facts}`,
        `outcomes         ${erased.outcomes}`,
        `deferred checks  ${erased.deferred_checks}`,
        `schedules        ${erased.schedule_results}`,
        `rows of lists    ${erased.list_rows}`,
        ...(runningJobs.length > 0
          ? [
              `These lists hold the address and still run; run this again when they have ended: ${named(runningJobs)}`,
            ]
          : []),
      ].join('\n'),
    );
  });
}

/** The address as it is stored: its domain as A-labels. @throws UsageError */
export function addressIn(text: string, name: string): string {
  const parsed = parseEmailAddress(text);
  if (!parsed.ok) throw new UsageError(`${name} must be an address`);
  return parsed.address.mailbox;
}

function ownsTeams(teams: readonly { id: string; name: string }[]): UsageError {
  const names = teams.map(({ id, name }) => `"${name}" (${id})`).join(', ');
  return new UsageError(
    `the person owns ${names}, and nothing was erased: have the owner give the role owner to another member ` +
      '(PATCH /v1/team/members/{id}), or run this with --delete-teams, which deletes these teams with all their data',
  );
}

function named(ids: readonly string[]): string {
  return ids.length === 0 ? 'none' : ids.join(' ');
}

function withoutTeams(user: User) {
  return {
    id: user.id,
    email: user.email,
    created_at: user.createdAt.toISOString(),
    confirmed_at: user.confirmedAt?.toISOString() ?? null,
  };
}

function toJson({ user, members }: UserView) {
  return {
    ...withoutTeams(user),
    teams: members.map(({ teamId, role }) => ({ id: teamId, role })),
  };
}

function toLine({ user, members }: UserView): string {
  const teams = members.map(({ teamId, role }) => `${teamId} (${role})`).join(', ') || 'in no team';
  return [user.id, user.confirmedAt ? 'confirmed' : 'unconfirmed', user.email, teams].join('  ');
}
