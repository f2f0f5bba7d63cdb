import type { LoggerService } from '@nestjs/common';
import { pino, type DestinationStream } from 'pino';
import type { LogFormat } from '../config/environment.js';
import { textLine } from './log-text.js';
import type { Log } from './log.js';

/**
 * Writes JSON lines. Callers log ids, route templates, counts and domains, and never
 * an address, a key, a query string or a header. The redaction here is a second safeguard.
 */
export function createLog(level: string, destination: DestinationStream): Log {
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
  return pino(options, destination);
}

/** Standard output. Lines for a person are made from those that are redacted. */
export function standardOutput(format: LogFormat): DestinationStream {
  const output = pino.destination({ sync: true });
  return format === 'json' ? output : { write: (line) => output.write(textLine(line)) };
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
