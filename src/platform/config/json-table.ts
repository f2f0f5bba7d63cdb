import { isObject } from 'class-validator';
import { readFile } from 'node:fs/promises';
import { ConfigError } from './config.js';

/** class-transformer ignores these names, or fails. */
const FORBIDDEN_MEMBERS = new Set(['__proto__', 'constructor', 'prototype']);

/** Why a file of a variable is refused: every problem in a line. */
export function refusalOf(variable: string, path: string, problems: readonly string[]): ConfigError {
  return new ConfigError(problems.map((problem) => `${variable} ${path}: ${problem}`).join('\n'));
}

/**
 * Reads a JSON object from a file.
 *
 * @param content what its members are, for the message.
 * @throws ConfigError
 */
export async function readJsonTable(
  variable: string,
  path: string,
  content: string,
): Promise<Record<string, unknown>> {
  const refuse = (problem: string) => refusalOf(variable, path, [problem]);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw refuse(`cannot be read (${error.code ?? error.name})`);
  });
  const forbidden: string[] = [];
  let table: unknown;
  try {
    table = JSON.parse(text, (name, value: unknown) => {
      if (FORBIDDEN_MEMBERS.has(name)) forbidden.push(`must not have a member named ${name}`);
      return value;
    });
  } catch (error) {
    throw refuse(`is not JSON: ${(error as Error).message}`);
  }
  if (forbidden.length > 0) throw refusalOf(variable, path, forbidden);
  if (!isObject(table)) throw refuse(`must be an object: ${content}`);
  return table as Record<string, unknown>;
}
