import type { Reason, Verdict } from '../../../../kernel/verdict.js';
import type { ListmonkAction } from './schedule.js';
import type { AddressResult } from './address-result.js';

/** A finding of the DNS alone is written when it was made so long ago for the first time, and is made again. */
export const DNS_PROOF_MS = 24 * 3_600_000;
const DNS_REASONS: readonly Reason[] = ['invalid_domain', 'no_mail_server', 'null_mx'];

/** Whether it is a finding about the domain that the DNS alone has made: a faulty resolver makes it about every domain. */
export function isFromDnsAlone({ reason, dns, smtp }: Pick<Verdict, 'reason' | 'dns' | 'smtp'>): boolean {
  return DNS_REASONS.includes(reason) && smtp === null && dns.mxFound !== null;
}

/** Whether its reason may be one that the DNS alone has found. */
export function mayBeFromDnsAlone({ reason }: Pick<AddressResult, 'reason'>): boolean {
  return DNS_REASONS.includes(reason);
}

/** Whether the result asks for a change of a subscriber. @param stored what the source has as its result. */
export function asksForChange(action: ListmonkAction, result: AddressResult, stored: unknown): boolean {
  if (action === 'none' || isNewer(stored, result.verifiedAt)) return false;
  if (action === 'blocklist_undeliverable') return result.status === 'undeliverable';
  return !hasResult(stored, result);
}

/** Whether a subscriber has this result. Its time may be another one: a run records when it has asked. */
export function hasResult(stored: unknown, { status, reason, score }: AddressResult): boolean {
  if (typeof stored !== 'object' || stored === null) return false;
  const has = stored as Readonly<Record<string, unknown>>;
  return has.status === status && has.reason === reason && has.score === score;
}

/** Whether a subscriber has a result that is newer. */
export function isNewer(stored: unknown, verifiedAt: Date): boolean {
  if (typeof stored !== 'object' || stored === null) return false;
  const { verified_at: at } = stored as Readonly<Record<string, unknown>>;
  return typeof at === 'string' && Date.parse(at) > verifiedAt.getTime();
}
