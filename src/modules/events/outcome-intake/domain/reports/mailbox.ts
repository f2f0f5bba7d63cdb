import { decodedWords } from './decoded-text.js';

const MAX_LENGTH = 1_000;
const ADDRESS = /^(?:[^\s<>"(),;:@]+|"[^"]{1,64}")@[^\s<>"(),;:@]+$/;

/**
 * The address in a mailbox as people and programs write it: with a display name, in brackets or quotation marks, with
 * a comment, a source route (RFC 5321 §4.1.1.3) or encoded words (RFC 2047).
 *
 * @returns null: there is none, or more than one could be meant.
 */
export function mailboxIn(text: string): string | null {
  const plain = decodedWords(text.slice(0, MAX_LENGTH)).replace(/\s+/g, ' ').trim();
  if (ADDRESS.test(plain)) return plain;
  const bracketed = /<([^<>]*)>[^<>]*$/.exec(plain)?.[1];
  const inner = (bracketed ?? withoutComments(plain))
    .replace(/^[\s<]{1,20}|[\s<>]{1,20}$/g, '')
    .replace(/^(?:'([^']*)'|"([^"]*)")$/, '$1$2')
    .replace(/^mailto:/i, '')
    .replace(/^@[^\s:]+:/, '');
  return ADDRESS.test(inner) ? inner : null;
}

function withoutComments(text: string): string {
  return text.replace(/\([^()]*\)/g, ' ').trim();
}
