import type { LoggerService } from '@nestjs/common';
import { types } from 'node:util';
import { pino } from 'pino';

type Write = (facts: Record<string, unknown>, message: string) => void;

/** The log, as those see it who write to it. */
export abstract class Log {
  abstract readonly debug: Write;
  abstract readonly info: Write;
  abstract readonly warn: Write;
  abstract readonly error: Write;
}

/**
 * JSON lines on standard output. What may be written is decided where it is
 * written: ids, route templates, counts, domains; never an address, a key, a
 * query string or a header. The redaction here is the second lock.
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

/** Lets the framework speak through the same log. */
export class NestLog implements LoggerService {
  constructor(private readonly sink: Log) {}

  error(message: unknown, ...rest: unknown[]): void {
    this.sink.error({ context: context(rest) }, String(message));
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.sink.warn({ context: context(rest) }, String(message));
  }

  log(message: unknown, ...rest: unknown[]): void {
    this.sink.debug({ context: context(rest) }, String(message));
  }
}

function context(rest: unknown[]): string | undefined {
  const last = rest.at(-1);
  return typeof last === 'string' ? last : undefined;
}

/** A fault without its message, which may quote what was sent (a bound parameter, an address); frames cannot. */
export function describeFault(thrown: unknown): { name: string; frames: string[] } {
  if (!types.isNativeError(thrown)) return { name: typeof thrown, frames: [] };
  const frames = (thrown.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return { name: thrown.name, frames: frames.slice(0, 12).map((line) => line.trim()) };
}
