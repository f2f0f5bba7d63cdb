import { jest } from '@jest/globals';
import { Readable } from 'node:stream';
import { run } from '../../../src/cli.js';
import { recordLog } from '../jest/log-scan.js';

// Reading threads of this worker pipe what they print to it, each with a listener.
process.stdout.setMaxListeners(0);

export interface CommandResult {
  code: number;
  out: string;
  err: string;
}

/**
 * Runs the `rcpt` command line in this process, one command at a time. This is much faster than a child
 * process (`RcptProcess`).
 *
 * @param input standard input.
 */
export async function runRcpt(
  args: readonly string[],
  env: Record<string, string>,
  input?: string,
): Promise<CommandResult> {
  const said: CommandResult = { code: 0, out: '', err: '' };
  const before = { ...process.env };
  Object.assign(process.env, env);
  // As in a script, wherever the tests run.
  const { isTTY } = process.stderr;
  process.stderr.isTTY = false;
  const listeners = process.stdout.listeners('error');
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
  const ownInput = Object.getOwnPropertyDescriptor(process, 'stdin')!;
  if (input !== undefined)
    Object.defineProperty(process, 'stdin', { configurable: true, value: streamOf(input) });
  try {
    said.code = (await run(args)) ?? Number(process.exitCode ?? 0);
  } finally {
    for (const spy of spies) spy.mockRestore();
    removeNewListeners(listeners);
    Object.defineProperty(process, 'stdin', ownInput);
    process.stderr.isTTY = isTTY;
    process.exitCode = undefined;
    for (const name of Object.keys(env)) delete process.env[name];
    Object.assign(process.env, before);
  }
  return said;
}

const streamOf = (input: string) =>
  Readable.from(input === '' ? [] : [Buffer.from(input)], { objectMode: false });

/** A command listens to its output until its process ends. */
function removeNewListeners(before: readonly unknown[]): void {
  for (const listener of process.stdout.listeners('error'))
    if (!before.includes(listener)) process.stdout.off('error', listener as () => void);
}
