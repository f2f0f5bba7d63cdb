import { AccountsService } from '../../modules/accounts/accounts.service.js';
import { parseEmailAddress } from '../../engine/address/email-address.js';
import { withoutSurroundingSpace } from '../../kernel/text/surrounding-space.js';
import { asTier } from './teams.js';
import { AccountsModule } from '../../modules/accounts/accounts.module.js';
import { TiersModule } from '../../modules/tiers/tiers.module.js';
import { withDatabase } from '../database-context.js';
import { print, UsageError, type Format } from '../terminal.js';

export async function createAccount(
  options: Format & { email: string; team: string; tier: string },
): Promise<void> {
  const email = withoutSurroundingSpace(options.email);
  if (!parseEmailAddress(email).ok) throw new UsageError('--email must be an address');
  await withDatabase(
    [AccountsModule, TiersModule],
    async (services) => {
      const tier = asTier(services, options.tier);
      const account = await services(AccountsService).create(email, options.team, tier);
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
    'run',
  );
}
