import { InvalidRequest } from '../../kernel/errors.js';
import { jsonPointer } from '../http/validation/json-pointer.js';
import type { ListEntry } from '../../kernel/list-files/list-entry.js';

/** Maximum number of characters of one entry in any format. */
export const MAX_ENTRY_LENGTH = 16_384;
const MAX_REF_LENGTH = 128;

const REF = `Send a string of at most ${MAX_REF_LENGTH} characters.`;

/** @param pointer of the entry. */
export function invalid(pointer: string, message: string, code = 'invalid_type'): InvalidRequest {
  return new InvalidRequest([{ pointer, code, message }]);
}

export const noEntry = (pointer: string) =>
  invalid(pointer, 'Send a string, or an object with email and optionally ref.');

export const tooLong = (pointer: string) =>
  invalid(pointer, `An entry may have at most ${MAX_ENTRY_LENGTH} characters.`, 'too_big');

/** Validates an entry of a JSON list. @throws InvalidRequest with a pointer */
export function entryOf(value: unknown, pointer: string): ListEntry {
  if (typeof value === 'string') return { email: value, ref: null };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw noEntry(pointer);
  const { email, ref = null, ...others } = value as Record<string, unknown>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw invalid(
      pointer + jsonPointer([unknown]),
      'This member is not known. An entry has email and optionally ref.',
      'unknown_member',
    );
  if (ref !== null && (typeof ref !== 'string' || ref.length > MAX_REF_LENGTH))
    throw invalid(`${pointer}/ref`, REF);
  if (typeof email !== 'string') throw invalid(`${pointer}/email`, 'Send a string.');
  return { email, ref };
}
