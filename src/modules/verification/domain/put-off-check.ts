import type { KeyId, TeamId, UserId } from '../../../kernel/language.js';
import type { Reason } from '../../../kernel/verdict.js';

/** Answers that time may change: asked again in the background. */
export const PUT_OFF: ReadonlySet<Reason> = new Set(['greylisted', 'sender_blocked']);

/** When, in minutes after the first answer. */
const ASKED_AGAIN_AFTER_MIN = [5, 15, 60];
const MINUTE_MS = 60_000;

/** A check whose answer is yet to come; one for each team and address. */
export interface PutOffCheck {
  id: string;
  teamId: TeamId;
  /** As the caller spelled it. */
  email: string;
  /** Why it was put off, the first time. */
  reason: Reason;
  /** Whose it was: what it costs is theirs. */
  keyId: KeyId;
  userId: UserId | null;
  firstAskedAt: Date;
  /** How often it was asked again. */
  askedAgain: number;
}

/** When it is to be asked again; null: it was asked often enough. */
export function nextAsking({
  firstAskedAt,
  askedAgain,
}: Pick<PutOffCheck, 'firstAskedAt' | 'askedAgain'>): Date | null {
  const minutes = ASKED_AGAIN_AFTER_MIN[askedAgain];
  return minutes === undefined ? null : new Date(firstAskedAt.getTime() + minutes * MINUTE_MS);
}
