import { jest } from '@jest/globals';
import { run } from '../../src/commands/program.js';
import { keepForScan } from './log-scan.js';

export interface Said {
  code: number;
  out: string;
  err: string;
}

/**
 * The `rcpt` command line in this process, one at a time: far quicker than a process of its own,
 * which `RcptProcess` is for, where it matters that it is one.
 */
export async function rcptHere(args: readonly string[], env: Record<string, string>): Promise<Said> {
  const said: Said = { code: 0, out: '', err: '' };
  const before = { ...process.env };
  Object.assign(process.env, env);
  const ears = (['out', 'err'] as const).map((part) =>
    jest.spyOn(process[`std${part}`], 'write').mockImplementation((chunk: string | Uint8Array) => {
      said[part] += String(chunk);
      keepForScan(Buffer.from(chunk as string));
      return true;
    }),
  );
  try {
    said.code = (await run(args)) ?? 0;
  } finally {
    for (const ear of ears) ear.mockRestore();
    for (const name of Object.keys(env)) delete process.env[name];
    Object.assign(process.env, before);
  }
  return said;
}
