import { applyDecorators } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import { setPolicy, type Deprecation } from './route-policy.js';

/** The member of an operation from which the OpenAPI document makes `deprecated` and a sentence. */
export const DEPRECATION_EXTENSION = 'x-deprecation';

/**
 * Marks a route that has a better one: its responses have `Deprecation` (RFC 9745) and `Sunset` (RFC 8594), the document
 * says it, and the log and the metric `rcpt_deprecated_requests_total` show who still calls it.
 *
 * @throws RangeError for a day that does not exist, and for an end before the deprecation (RFC 9745 §4)
 */
export function Deprecated({
  since,
  sunset = null,
  link,
}: Pick<Deprecation, 'since' | 'link'> & Partial<Deprecation>) {
  for (const day of [since, sunset])
    if (day !== null && !isDay(day)) throw new RangeError(`"${day}" is not a day such as 2026-11-26`);
  if (sunset !== null && sunset < since)
    throw new RangeError('A route ends after its deprecation, not before');
  const deprecation: Deprecation = { since, sunset, link };
  return applyDecorators(
    setPolicy('deprecated', deprecation),
    ApiExtension(DEPRECATION_EXTENSION, deprecation),
  );
}

function isDay(text: string): boolean {
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(`${text}T`);
}
