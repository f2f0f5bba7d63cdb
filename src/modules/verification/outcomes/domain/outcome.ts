import type { AddressHistory, KnownOutcome } from '../../../../kernel/outcomes.js';
import type { SmtpCategory } from '../../../../kernel/verdict.js';
import { WINDOW_DAYS } from './deliveries.js';
import { DAY_MS } from '../../../../kernel/durations.js';

/** Older outcomes are neither stored nor kept. */
export const KEPT_DAYS = 400;
/** Days within which a bounce for good makes an address undeliverable. */
const BOUNCED_DAYS = 180;
/** Days within which a delivery shows that an address receives mail. */
const DELIVERED_DAYS = 90;

/** An outcome to store. */
export interface NewOutcome extends KnownOutcome {
  /** `EmailAddress.key`. */
  key: string;
  domain: string;
  /** What the reply of a bounce means; null: not a bounce, or it had no reply. */
  category: SmtpCategory | null;
  /** A bounce which states that the mailbox does not exist or is disabled. */
  isHard: boolean;
  /** The same for the same message, address and kind, in hexadecimal. */
  eventKey: string;
}

/** An outcome that is stored. */
export interface StoredOutcome extends KnownOutcome {
  isHard: boolean;
  /** Its source reports deliveries. */
  isComplete: boolean;
}

/** The latest outcome that counts, of those that are given; null: there is none. */
export function historyOf(outcomes: readonly StoredOutcome[], now: Date): AddressHistory | null {
  const sorted = outcomes.toSorted((a, b) => b.at.getTime() - a.at.getTime());
  const [latest] = sorted;
  if (latest === undefined) return null;
  const bounce = sorted.find(({ isHard }) => isHard);
  const delivery = sorted.find(({ kind }) => kind === 'delivered');
  const complaint = sorted.find(({ kind }) => kind === 'complained');
  // Who complains has received the mail.
  const receipts = [delivery, complaint].filter((event) => event !== undefined);
  const received = receipts.some((event) => isNewer(event, bounce));
  const isBounced = bounce !== undefined && !received && isWithin(bounce, now, BOUNCED_DAYS);
  return {
    latest: withoutClass(latest),
    bouncedAt: isBounced ? bounce.at : null,
    isDelivered:
      delivery !== undefined && isNewer(delivery, bounce) && isWithin(delivery, now, DELIVERED_DAYS),
    isReceiving: isReceiving(
      receipts.filter((event) => isWithin(event, now, WINDOW_DAYS)),
      bounce && isWithin(bounce, now, WINDOW_DAYS) ? bounce : undefined,
    ),
    hasComplained: complaint !== undefined,
  };
}

/** A bounce says what share arrives only where a delivery would have been reported too. */
function isReceiving(receipts: readonly KnownOutcome[], bounce: StoredOutcome | undefined): boolean | null {
  if (receipts.some((event) => isNewer(event, bounce))) return true;
  return bounce !== undefined && (bounce.isComplete || receipts.length > 0) ? false : null;
}

function isNewer(one: KnownOutcome | undefined, other: KnownOutcome | undefined): boolean {
  return one !== undefined && (other === undefined || one.at > other.at);
}

function isWithin({ at }: KnownOutcome, now: Date, days: number): boolean {
  return now.getTime() - at.getTime() <= days * DAY_MS;
}

function withoutClass({ kind, at, code, enhancedCode, text }: StoredOutcome): KnownOutcome {
  return { kind, at, code, enhancedCode, text };
}

/** The time before which outcomes are deleted. */
export function expiryOf(now: Date): Date {
  return new Date(now.getTime() - KEPT_DAYS * DAY_MS);
}
