import { MalformedJson } from '../problems/problems.js';
import { jsonErrorIn } from './json-error.js';

const MAX_DEPTH = 8;
const FORBIDDEN_MEMBERS = new Set(['__proto__', 'constructor', 'prototype']);

/** @throws MalformedJson, also for deep nesting and names that could reach a prototype. */
export function jsonIn(bytes: Buffer): unknown {
  const value = parseText(textOf(bytes));
  inspect(value, 1);
  return value;
}

function inspect(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_DEPTH) throw new MalformedJson(`The body nests deeper than ${MAX_DEPTH} levels.`);
  for (const [name, member] of Object.entries(value)) {
    if (FORBIDDEN_MEMBERS.has(name)) throw new MalformedJson(`A member may not be named ${name}.`);
    inspect(member, depth + 1);
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
