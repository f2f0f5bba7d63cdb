/** Groups of operations in the OpenAPI document, in the order in which a reader needs them. */
export const TAGS: readonly (readonly [name: string, description: string])[] = [
  ['Verification', 'Verify one address while the caller waits.'],
  ['Bulk', 'Verify a list in the background, and read its results.'],
  ['Outcomes', 'Report what became of mails, and let verdicts depend on it.'],
  ['Usage', 'Verified addresses, and the remaining quota.'],
  ['Keys', 'Create, rotate and revoke API keys.'],
  ['Accounts', 'Sign-up, and the account of a key.'],
  ['Team', 'The team of the key, its rules and its members.'],
  ['Invites', 'Invite users to the team.'],
  ['Audit', 'Who changed what in the team.'],
  ['Blocklist', 'Domains to which the team does not send mail.'],
  ['Disposable domains', 'The team’s overrides of the lists of disposable domains.'],
  ['Webhooks', 'Receivers of events, and the deliveries to them.'],
  ['Events', 'Events that are sent to webhooks.'],
  ['Billing', 'Subscriptions and invoices of the payment provider.'],
  ['System', 'The state of the installation, for its operator.'],
  ['Health', 'For load balancers and monitoring; without a key.'],
];

const NAMES = TAGS.map(([name]) => name);

/** The sort position of a tag; unknown tags are last. */
export function placeOfTag(name: string | undefined): number {
  const place = NAMES.indexOf(name ?? '');
  return place < 0 ? NAMES.length : place;
}
