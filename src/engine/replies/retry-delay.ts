/** Characters of a reply that are searched. */
const MAX_SEARCHED = 500;

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 };
const SECONDS = String.raw`s(?:ecs?|econds?)?`;
const MINUTES = String.raw`m(?:ins?|inutes?)?`;
const HOURS = String.raw`h(?:rs?|ours?)?`;

/** Words for a retry; the delay follows within a few words. */
const RETURN = String.raw`\b(?:again|retry|retrying|back|wait|delayed|deferred|gr[ae]y[ -]?list(?:ed|ing)?)\b`;
const GAP = String.raw`\D{0,30}`;

/** `try again in 15 seconds`, `greylisted for 4 minutes 30 seconds`, `retry in 1h`, `wait a minute`. */
const WITH_UNIT = new RegExp(
  String.raw`${RETURN}${GAP}\b(\d{1,5}|an?|one) ?(${HOURS}|${MINUTES}|${SECONDS})\b(?:,? (?:and )?(\d{1,2}) ?${SECONDS}\b)?`,
);
/** `try again after 00:04:59`. */
const AS_TIME = new RegExp(String.raw`${RETURN}${GAP}\b(\d{1,2}):([0-5]\d):([0-5]\d)\b`);
/** `retry-after: 60`, in seconds as in HTTP (RFC 9110 §10.2.3). */
const RETRY_AFTER = /\bretry[-_ ]after[:= ]{1,3}(\d{1,5})(?![\d.:])/;

/** All patterns, for the test of their running time. */
export const RETRY_DELAY_PATTERNS: readonly RegExp[] = [WITH_UNIT, AS_TIME, RETRY_AFTER];

/**
 * The delay after which a deferring server permits a retry, in seconds. Linear in the length of the
 * reply.
 *
 * @param text of a 4xx reply.
 * @returns null when the reply contains no delay.
 */
export function retryDelaySeconds(text: string): number | null {
  const words = text.slice(0, MAX_SEARCHED).toLowerCase();
  const time = AS_TIME.exec(words);
  if (time !== null) return Number(time[1]) * 3_600 + Number(time[2]) * 60 + Number(time[3]);
  const found = WITH_UNIT.exec(words);
  if (found !== null) {
    const [, count = '', unit = '', seconds = '0'] = found;
    const factor = UNIT_SECONDS[unit.charAt(0)] ?? 1;
    return (/^\d/.test(count) ? Number(count) : 1) * factor + Number(seconds);
  }
  const after = RETRY_AFTER.exec(words);
  return after === null ? null : Number(after[1]);
}
