import { jest } from '@jest/globals';
import { run } from '../../../src/cli.js';
import { recordLog } from '../jest/log-scan.js';

export interface CommandResult {
  code: number;
  out: string;
  err: string;
}

/**
 * Runs the `rcpt` command line in this process, one command at a time. This is much faster than a child
 * process (`RcptProcess`).
 */
export async function runRcpt(args: readonly string[], env: Record<string, string>): Promise<CommandResult> {
  const said: CommandResult = { code: 0, out: '', err: '' };
  const before = { ...process.env };
  Object.assign(process.env, env);
  // As in a script, wherever the tests run.
  const { isTTY } = process.stderr;
  process.stderr.isTTY = false;
  const spies = (['out', 'err'] as const).map((part) =>
    jest
      .spyOn(process[`std${part}`], 'write')
      .mockImplementation((chunk: string | Uint8Array, ...more: unknown[]) => {
        said[part] += String(chunk);
        recordLog(Buffer.from(chunk as string));
        const onWritten = more.at(-1);
        if (typeof onWritten === 'function') (onWritten as () => void)();
        return true;
      }),
  );
  try {
    said.code = (await run(args)) ?? Number(process.exitCode ?? 0);
  } finally {
    for (const spy of spies) spy.mockRestore();
    process.stderr.isTTY = isTTY;
    process.exitCode = undefined;
    for (const name of Object.keys(env)) delete process.env[name];
    Object.assign(process.env, before);
  }
  return said;
}
