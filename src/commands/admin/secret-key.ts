import { ENCRYPTED } from '../../modules/schema.js';
import { Config } from '../../platform/config/config.js';
import { SecretKeyRotation, type RotatedColumn } from '../../platform/database/secret-key-rotation.js';
import { withDatabase } from '../database-context.js';
import { print, type Format } from '../terminal.js';

/** Later passes find what a process has written in between with another key than the first. */
const MAX_PASSES = 3;

export async function rotateSecretKey(options: Format): Promise<void> {
  await withDatabase([], async (services) => {
    const keys = services(Config).secretKeys?.length ?? 1;
    const rotation = services(SecretKeyRotation);
    const passes: RotatedColumn[][] = [];
    do passes.push(await rotation.run(ENCRYPTED));
    while (passes.length < MAX_PASSES && rotatedIn(passes.at(-1)) > 0);
    const columns = (passes.at(-1) ?? []).map((column, n) => {
      const rotated = passes.reduce((sum, pass) => sum + (pass[n]?.rotated ?? 0), 0);
      return { ...column, rotated };
    });
    const isDone = rotatedIn(passes.at(-1)) === 0;
    const lost = columns.filter(({ unreadable }) => unreadable > 0);
    const json = {
      keys,
      columns: columns.map(({ unreadableIds, ...column }) => ({ ...column, unreadable_ids: unreadableIds })),
      earlier_keys_may_go: isDone && keys > 1,
    };
    print(options, json, () =>
      [...columns.map(toLine), '', ...lost.map(toLost), advice(keys, isDone)].join('\n'),
    );
    if (!isDone || lost.length > 0) process.exitCode = 1;
  });
}

function rotatedIn(pass: readonly RotatedColumn[] = []): number {
  return pass.reduce((sum, { rotated }) => sum + rotated, 0);
}

function toLine({ table, column, rows, rotated }: RotatedColumn): string {
  return `${`${table}.${column}`.padEnd(28)}${rows} stored, ${rotated} encrypted again`;
}

function toLost({ table, unreadable, unreadableIds }: RotatedColumn): string {
  const more = unreadable > unreadableIds.length ? ' …' : '';
  return (
    `No key of SECRET_KEY decrypts ${unreadable} rows of ${table}: ${unreadableIds.join(', ')}${more}. ` +
    'Add the key that they were written with behind the first one and run this again, or create these objects again.'
  );
}

function advice(keys: number, isDone: boolean): string {
  if (!isDone)
    return 'A process still encrypts with an earlier key: restart every process with the new key first in SECRET_KEY, and run this again.';
  if (keys === 1)
    return 'SECRET_KEY has one key. To change it, put the new one (openssl rand -base64 32) in front, after a comma comes the earlier one; docs/operations.md has the steps.';
  return 'Everything is encrypted with the first key of SECRET_KEY. Once every process runs with it in the first place, remove the earlier ones.';
}
