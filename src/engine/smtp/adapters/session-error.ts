import { isFirstContactDeferral, isOverload, type SmtpProbeResult } from './smtp-probe-result.js';
import type { SmtpSession } from './smtp-session.js';

export type SessionError = 'exhausted' | 'desynchronized' | 'first_contact';

/**
 * The reason why a failed answer may be due to the session and not to the recipient; null: the answer
 * is final.
 *
 * @param served recipients that the session had answered before.
 */
export function sessionErrorOf(
  session: SmtpSession,
  served: number,
  tries: number,
  result: SmtpProbeResult,
): SessionError | null {
  const connectionLost = result.reply === null && session.isClosed;
  // A server that has answered one pipelined request supports pipelining.
  if (connectionLost && session.wasPipelined && served < 2) return 'desynchronized';
  if (served > 0 && (connectionLost || isOverload(result))) return 'exhausted';
  return tries === 0 && isFirstContactDeferral(result) ? 'first_contact' : null;
}
