import { MalformedJson } from '../problems/problems.js';
import { jsonErrorIn } from '../../json/json-scanner.js';

const MAX_DEPTH = 8;
const FORBIDDEN_MEMBERS = new Set(['__proto__', 'constructor', 'prototype']);

/** @throws MalformedJson, also for deep nesting and names that could reach a prototype. */
export function jsonIn(bytes: Buffer): unknown {
  const text = textOf(bytes);
  requireShallow(text);
  const value = parseText(text);
  inspect(value);
  return value;
}

/** Before anything is made of the text: parsing 100 kB of brackets and finding their error takes 50 ms. */
function requireShallow(text: string): void {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isInString && character === '\\') at++;
    else if (character === '"') isInString = !isInString;
    else if (isInString) continue;
    else if (character === ']' || character === '}') depth--;
    else if ((character === '[' || character === '{') && ++depth > MAX_DEPTH)
      throw new MalformedJson(`The body nests deeper than ${MAX_DEPTH} levels.`);
  }
}

function inspect(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (FORBIDDEN_MEMBERS.has(name)) throw new MalformedJson(`A member may not be named ${name}.`);
    inspect(member);
  }
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
