import { hasInvisibleCharacter } from './invisible-characters.js';

interface TextError {
  code: 'too_small' | 'too_big' | 'invalid_format';
  message: string;
}

const MAX_NAME_LENGTH = 100;
const MAX_SEARCH_LENGTH = 254;

/** Of a name, trimmed: 1–100 characters on one line, since it can be part of the subject of a mail. */
export function nameError(name: string): TextError | null {
  if (name === '') return { code: 'too_small', message: 'Send a name.' };
  if (name.length > MAX_NAME_LENGTH) return tooLong(MAX_NAME_LENGTH);
  if (!hasInvisibleCharacter(name)) return null;
  return { code: 'invalid_format', message: 'Send one line of text without control characters.' };
}

/** Of one line of text. PostgreSQL cannot store NUL, nor UTF-8 a lone surrogate. */
export function remarkError(remark: string, maxLength: number): TextError | null {
  if (remark.length > maxLength) return tooLong(maxLength);
  if (/^[^\p{Cc}\p{Cs}]*$/u.test(remark)) return null;
  return { code: 'invalid_format', message: 'Send one line of text without control characters.' };
}

/** Of a text to search for: 1–254 characters on one line. */
export function searchError(text: string): TextError | null {
  if (text === '') return { code: 'too_small', message: 'Send at least one character to search for.' };
  return remarkError(text, MAX_SEARCH_LENGTH);
}

function tooLong(maxLength: number): TextError {
  return { code: 'too_big', message: `Send at most ${maxLength} characters.` };
}
