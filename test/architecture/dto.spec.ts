import { describe, expect, it } from '@jest/globals';
import { getMetadataStorage } from 'class-validator';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const MODULES = join(import.meta.dirname, '../../src/modules');

type Class = abstract new () => object;

/** Every class that a `*.dto.ts` exports. */
async function classes(): Promise<Class[]> {
  const files = (await readdir(MODULES, { recursive: true })).filter((name) => name.endsWith('.dto.ts'));
  const exported: unknown[] = [];
  // One after the other: Jest does not link modules at the same time that have imports in common.
  for (const name of files)
    exported.push(...Object.values((await import(join(MODULES, name))) as Record<string, unknown>));
  return exported.filter((value): value is Class => /^class\b/.test(String(value)));
}

describe('a DTO class', () => {
  it('has for every rule a message that says what to send, and a code', async () => {
    const found = await classes();
    expect(found.length).toBeGreaterThan(50);
    const rules = found.flatMap((type) =>
      getMetadataStorage()
        .getTargetValidationMetadatas(type, '', false, false)
        .filter((rule) => rule.type === 'customValidation')
        .map((rule) => ({ where: `${type.name}.${rule.propertyName}`, rule })),
    );
    const silent = rules.filter(
      ({ rule }) =>
        rule.message === undefined || (rule.context as { code?: unknown } | undefined)?.code === undefined,
    );
    expect(silent.map(({ where }) => where)).toEqual([]);
  });
});
