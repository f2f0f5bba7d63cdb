/** What teams can hear of. */
export const EVENT_TYPES = [
  'bulk_job.completed',
  'bulk_job.failed',
  'bulk_job.canceled',
  'verification.completed',
  'quota.warning',
  'quota.exceeded',
  'invite.accepted',
  'member.removed',
  'key.created',
  'key.revoked',
  'subscription.updated',
  'webhook.disabled',
  'webhook.test',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];
