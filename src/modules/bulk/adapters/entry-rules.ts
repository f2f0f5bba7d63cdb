import { InvalidRequest } from '../../../kernel/invalid-request.js';
import type { ListEntry } from '../domain/list-entry.js';

/** Characters of one entry in any format: it is held whole, so it is bounded. */
export const LONGEST_ENTRY = 16_384;
const LONGEST_REF = 128;

const ENTRY = 'Send a string, or an object with email and perhaps ref.';
const REF = `Send a string of at most ${LONGEST_REF} characters.`;

/** @param pointer of the entry. */
export function refuse(pointer: string, message: string, code = 'invalid_type'): InvalidRequest {
  return new InvalidRequest([{ pointer, code, message }]);
}

export const notAnEntry = (pointer: string) => refuse(pointer, ENTRY);
export const tooLong = (pointer: string) =>
  refuse(pointer, `An entry may have at most ${LONGEST_ENTRY} characters.`, 'too_big');

/** An entry as JSON has it. @throws InvalidRequest naming what is wrong with it. */
export function entryOf(value: unknown, pointer: string): ListEntry {
  if (typeof value === 'string') return { email: value, ref: null };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw notAnEntry(pointer);
  const { email, ref = null, ...others } = value as Record<string, unknown>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw refuse(
      `${pointer}/${segment(unknown)}`,
      'This is not known here. An entry has email, and perhaps ref.',
      'unknown_member',
    );
  if (ref !== null && (typeof ref !== 'string' || ref.length > LONGEST_REF))
    throw refuse(`${pointer}/ref`, REF);
  if (typeof email !== 'string') throw refuse(`${pointer}/email`, 'Send a string.');
  return { email, ref };
}

/** RFC 6901; cut, since it is the caller's own text. */
export function segment(name: string): string {
  return name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1');
}
