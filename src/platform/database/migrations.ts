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
import { WebhookSuccess1764300001000 } from './migrations/1764300001000-webhook-success.js';
import { CsvFormat1764300002000 } from './migrations/1764300002000-csv-format.js';
import { OutcomeSources1764300005000 } from './migrations/1764300005000-outcome-sources.js';
import { SignInKeys1764300007000 } from './migrations/1764300007000-sign-in-keys.js';
import { MailedInvites1764300007100 } from './migrations/1764300007100-mailed-invites.js';
import { OpenCheckouts1764300007200 } from './migrations/1764300007200-open-checkouts.js';

/** One for each module. A change of the schema adds one; those before it stay as they are. */
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
  WebhookSuccess1764300001000,
  CsvFormat1764300002000,
  OutcomeSources1764300005000,
  SignInKeys1764300007000,
  MailedInvites1764300007100,
  OpenCheckouts1764300007200,
];
