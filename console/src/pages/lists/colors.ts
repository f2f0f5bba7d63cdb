import type { Status } from '../../api/client';

export const colorOf = (status: Status) => `var(--${status})`;

const REASONS: Partial<Record<string, Status>> = {
  accepted_email: 'deliverable',
  delivered: 'deliverable',
  ...of(
    'risky',
    'catch_all catch_all_unknown disposable role mailbox_full inconclusive_provider blocked_domain',
  ),
  ...of(
    'undeliverable',
    'invalid_syntax invalid_domain no_mail_server null_mx mailbox_not_found mailbox_disabled bounced smtputf8_unsupported',
  ),
};

/** A reason of a newer service counts as unknown. */
export const statusOfReason = (reason: string): Status => REASONS[reason] ?? 'unknown';

function of(status: Status, reasons: string): Record<string, Status> {
  return Object.fromEntries(reasons.split(' ').map((reason) => [reason, status]));
}
