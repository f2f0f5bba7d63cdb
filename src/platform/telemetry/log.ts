import type { LoggerService } from '@nestjs/common';
import { types } from 'node:util';
import { pino } from 'pino';
import { errorCode } from './error-code.js';

type Write = (fields: Record<string, unknown>, message: string) => void;

export abstract class Log {
  abstract readonly debug: Write;
  abstract readonly info: Write;
  abstract readonly warn: Write;
  abstract readonly error: Write;
}

/**
 * Writes JSON lines to standard output. Callers log ids, route templates, counts and domains, and never
 * an address, a key, a query string or a header. The redaction here is a second safeguard.
 */
export function createLog(level: string, destination?: NodeJS.WritableStream): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: ['*.authorization', '*.cookie', '*.email', '*.key', '*.token', '*.secret', '*.password'],
      censor: '[redacted]',
    },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** Writes the log messages of Nest to the application log. */
export class NestLog implements LoggerService {
  constructor(private readonly target: Log) {}

  error(message: unknown, ...rest: unknown[]): void {
    this.target.error({ context: context(rest) }, String(message));
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.target.warn({ context: context(rest) }, String(message));
  }

  log(message: unknown, ...rest: unknown[]): void {
    this.target.debug({ context: context(rest) }, String(message));
  }
}

function context(rest: unknown[]): string | undefined {
  const last = rest.at(-1);
  return typeof last === 'string' ? last : undefined;
}

interface ErrorFields {
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
