import { types } from 'node:util';
import { errorCode } from './error-code.js';

type Write = (fields: Record<string, unknown>, message: string) => void;

/** Apart from `pino-log.ts`, so that the engine as a library loads no package for it. */
export abstract class Log {
  abstract readonly debug: Write;
  abstract readonly info: Write;
  abstract readonly warn: Write;
  abstract readonly error: Write;
}

export interface ErrorFields {
  name: string;
  /** A SQLSTATE, or the name of a system error. */
  code?: string;
  /** The code in words. */
  condition?: string;
  frames: string[];
}

/** Describes an error without its message, which may quote input (a bound parameter, an address). */
export function describeError(thrown: unknown): ErrorFields {
  if (!types.isNativeError(thrown)) return { name: typeof thrown, frames: [] };
  const frames = (thrown.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return {
    name: thrown.name,
    ...errorCode(thrown),
    frames: frames.slice(0, 12).map((line) => line.trim()),
  };
}
