import { Teams1764000000000 } from './migrations/1764000000000-teams.js';
import { Database1764000000100 } from './migrations/1764000000100-database.js';
import { Accounts1764000000200 } from './migrations/1764000000200-accounts.js';
import { ApiKeys1764000000300 } from './migrations/1764000000300-api-keys.js';
import { PublishableKeys1764000000400 } from './migrations/1764000000400-publishable-keys.js';
import { Usage1764000000500 } from './migrations/1764000000500-usage.js';
import { Blocklist1764000000600 } from './migrations/1764000000600-blocklist.js';
import { Disposable1764000000700 } from './migrations/1764000000700-disposable.js';
import { Verification1764000000800 } from './migrations/1764000000800-verification.js';
import { Bulk1764000000900 } from './migrations/1764000000900-bulk.js';
import { Webhooks1764000001000 } from './migrations/1764000001000-webhooks.js';
import { Billing1764000001100 } from './migrations/1764000001100-billing.js';
import { Outcomes1764000001200 } from './migrations/1764000001200-outcomes.js';
import { OutcomeIntake1764000001300 } from './migrations/1764000001300-outcome-intake.js';
import { Policy1764000001400 } from './migrations/1764000001400-policy.js';
import { Proofs1764000001500 } from './migrations/1764000001500-proofs.js';
import { OAuth1764000001600 } from './migrations/1764000001600-oauth.js';
import { KeyLimits1764000001700 } from './migrations/1764000001700-key-limits.js';
import { Canonical1764000001800 } from './migrations/1764000001800-canonical.js';
import { ListPreviews1764000001900 } from './migrations/1764000001900-list-previews.js';
import { Schedules1764000002000 } from './migrations/1764000002000-schedules.js';
import { SelfChecks1764000002100 } from './migrations/1764000002100-self-checks.js';
import { ListMaxAge1764000002200 } from './migrations/1764000002200-list-max-age.js';
import { ScheduleResults1764000002300 } from './migrations/1764000002300-schedule-results.js';
import { ScheduleConfirmations1764000002400 } from './migrations/1764000002400-schedule-confirmations.js';
import { OAuthClients1764000002500 } from './migrations/1764000002500-oauth-clients.js';
import { SourceArrivals1764000002600 } from './migrations/1764000002600-source-arrivals.js';
import { ValidatedMailKinds1764000002610 } from './migrations/1764000002610-validated-mail-kinds.js';
import { Pause1764000002700 } from './migrations/1764000002700-pause.js';
import { Reacher1764000002800 } from './migrations/1764000002800-reacher.js';
import { ListRoles1764000002810 } from './migrations/1764000002810-list-roles.js';
import { ScheduleDays1764000002820 } from './migrations/1764000002820-schedule-days.js';
import { SelfCheckCodes1764000002830 } from './migrations/1764000002830-self-check-codes.js';

/** One for each owner of tables, then one for each change of the schema. Those of a release stay as they are. */
export const MIGRATIONS = [
  Teams1764000000000,
  Database1764000000100,
  Accounts1764000000200,
  ApiKeys1764000000300,
  PublishableKeys1764000000400,
  Usage1764000000500,
  Blocklist1764000000600,
  Disposable1764000000700,
  Verification1764000000800,
  Bulk1764000000900,
  Webhooks1764000001000,
  Billing1764000001100,
  Outcomes1764000001200,
  OutcomeIntake1764000001300,
  Policy1764000001400,
  Proofs1764000001500,
  OAuth1764000001600,
  KeyLimits1764000001700,
  Canonical1764000001800,
  ListPreviews1764000001900,
  Schedules1764000002000,
  SelfChecks1764000002100,
  ListMaxAge1764000002200,
  ScheduleResults1764000002300,
  ScheduleConfirmations1764000002400,
  OAuthClients1764000002500,
  SourceArrivals1764000002600,
  ValidatedMailKinds1764000002610,
  Pause1764000002700,
  Reacher1764000002800,
  ListRoles1764000002810,
  ScheduleDays1764000002820,
  SelfCheckCodes1764000002830,
];
