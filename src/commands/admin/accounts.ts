import { AccountExists, AccountsService } from '../../modules/accounts/accounts/accounts.service.js';
import { asTier } from './teams.js';
import { addressIn } from './users.js';
import { AccountsModule } from '../../modules/accounts/accounts/accounts.module.js';
import { TiersModule } from '../../modules/identity/tiers/tiers.module.js';
import { withDatabase, type Creation } from '../database-context.js';
import { print, UsageError, type Format } from '../terminal.js';

export async function createAccount(
  options: Format & Creation & { email: string; team?: string; tier: string },
): Promise<void> {
  const email = addressIn(options.email, '--email');
  const created = withDatabase(
    [AccountsModule, TiersModule],
    async (services) => {
      const tier = asTier(services, options.tier);
      const account = await services(AccountsService).create(email, options.team ?? null, tier);
      const { user, team, liveKey, testKey } = account;
      print(options, { user, team, live_key: liveKey, test_key: testKey }, () =>
        [
          `team       ${team.name} (${team.id}), tier ${team.tier}`,
          `owner      ${user.email} (${user.id})`,
          `live key   ${liveKey}`,
          `test key   ${testKey}`,
          'The keys are shown now and never again.',
        ].join('\n'),
      );
    },
    options,
  );
  await created.catch((error: unknown) => {
    throw error instanceof AccountExists ? new UsageError(existing(error)) : error;
  });
}

function existing({ user, teams }: AccountExists): string {
  const names = teams.map(({ id, name }) => `"${name}" (${id})`).join(', ');
  const [first] = teams;
  return (
    `${user.email} is the user ${user.id} of ${names}, and nothing was created. For another key: ` +
    `rcpt keys create --team ${first?.id} --user ${user.id} --name NAME. For another team, name it with --team.`
  );
}
