import type { ApiTag } from './platform/http/openapi/openapi.js';

/** Groups of operations in the OpenAPI document, in the order in which a reader needs them. */
export const API_TAGS: readonly ApiTag[] = [
  { name: 'Verification', description: 'Verify one address while the caller waits.' },
  { name: 'Bulk', description: 'Verify a list in the background, and read its results.' },
  { name: 'Schedules', description: 'Verify lists of other systems at regular times.' },
  { name: 'Outcomes', description: 'Report what became of mails, and let verdicts depend on it.' },
  { name: 'Usage', description: 'Verified addresses, and the remaining quota.' },
  { name: 'Keys', description: 'Create, rotate and revoke API keys.' },
  { name: 'Accounts', description: 'Sign-up, and the account of a key.' },
  { name: 'Team', description: 'The team of the key, its rules and its members.' },
  { name: 'Invites', description: 'Invite users to the team.' },
  { name: 'Audit', description: 'Who changed what in the team.' },
  { name: 'Blocklist', description: 'Domains to which the team does not send mail.' },
  { name: 'Policy', description: 'Rules by which the team accepts, reviews or rejects addresses.' },
  { name: 'Disposable domains', description: 'The team’s overrides of the lists of disposable domains.' },
  { name: 'Webhooks', description: 'Receivers of events, and the deliveries to them.' },
  { name: 'Events', description: 'Events that are sent to webhooks.' },
  { name: 'Billing', description: 'Subscriptions and invoices of the payment provider.' },
  { name: 'System', description: 'The state of the installation, for its operator.' },
  { name: 'Health', description: 'For load balancers and monitoring; without a key.' },
];
