import { MalformedJson } from '../problems/problems.js';
import { jsonErrorIn } from './json-error.js';

/** @throws MalformedJson */
export function jsonIn(bytes: Buffer): unknown {
  return parseText(textOf(bytes));
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new MalformedJson('The body is not UTF-8.');
  }
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The text is not quoted: it may be an address or a secret.
    const { line, column } = jsonErrorIn(text);
    throw new MalformedJson(`The body is not JSON: see line ${line}, column ${column}.`);
  }
}
